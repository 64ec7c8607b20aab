const WIDTH = 110;
const HEIGHT = 22;

/** A histogram the size of a word, for a table cell. */
export function SparkHistogram({ counts, label }: { counts: readonly number[]; label: string }) {
  const largest = Math.max(1, ...counts);
  const width = WIDTH / Math.max(1, counts.length);
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} style={{ display: 'block' }}>
      {counts.map((count, bin) => {
        const height = (count / largest) * HEIGHT;
        return (
          // A bin is its place.
          <rect
            key={bin}
            x={bin * width}
            y={HEIGHT - height}
            width={Math.max(0.5, width - 0.5)}
            height={height}
            fill="var(--hx-blue)"
          />
        );
      })}
    </svg>
  );
}
