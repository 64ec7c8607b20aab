import type { ChartColors } from '../chart-colors.ts';
import { axis, type ChartOption, frame } from '../chart-option.ts';
import { axisToRoundEnd } from '../round-ticks.ts';

/**
 * 95 % band of the j-th smallest of m uniform p-values, as −log10: normal approximation of Beta(j, m − j + 1), whose
 * mean is j/(m+1) and variance j(m−j+1)/((m+1)²(m+2)). Returned at the given expected values (−log10 of j/(m+1)).
 */
export function qqBand(expected: readonly number[], m: number): { low: number[]; high: number[] } {
  const low: number[] = [];
  const high: number[] = [];
  for (const value of expected) {
    const rank = Math.max(1, 10 ** -value * (m + 1));
    const mean = rank / (m + 1);
    const sd = Math.sqrt((rank * (m - rank + 1)) / ((m + 1) ** 2 * (m + 2)));
    // On the scale of log p the band stays positive even for the first ranks.
    const spread = Math.exp((1.96 * sd) / mean);
    low.push(Math.max(0, -Math.log10(Math.min(1, mean * spread))));
    high.push(-Math.log10(mean / spread));
  }
  return { low, high };
}

/**
 * The other coordinate of a place on the curve through the points, linear between two of them: of an observed −log10 p
 * the expected one, or the other way. Beyond the ends it is that of the end.
 */
export function alongQq(points: readonly (readonly [number, number])[], from: 0 | 1, to: 0 | 1, value: number): number {
  const sorted = points.toSorted((a, b) => a[from] - b[from]);
  const above = sorted.findIndex((point) => point[from] >= value);
  const [before, after] = [sorted[above - 1], sorted[above]];
  if (!after) return sorted.at(-1)?.[to] ?? value;
  if (!before || after[from] === before[from]) return after[to];
  return before[to] + ((after[to] - before[to]) * (value - before[from])) / (after[from] - before[from]);
}

/** Expected against observed −log10 p with the 1:1 line and a 95 % band. */
export function qqOption(
  points: readonly (readonly [number, number])[],
  m: number,
  labels: { x: string; y: string; band: string },
  format: (value: number) => string,
  colors: ChartColors,
): ChartOption {
  const sorted = [...points].sort((a, b) => a[0] - b[0]);
  const expected = sorted.map(([value]) => value);
  const { low, high } = qqBand(expected, m);
  const end = expected.at(-1) ?? 1;
  const largest = Math.max(high.at(-1) ?? end, ...sorted.slice(-1000).map(([, value]) => value));
  const bandLine = (values: number[], area: boolean) => ({
    type: 'line',
    name: labels.band,
    data: expected.map((x, index) => [x, area ? (high[index] ?? 0) - (low[index] ?? 0) : (values[index] ?? 0)]),
    stack: 'band',
    showSymbol: false,
    silent: true,
    lineStyle: { opacity: 0 },
    ...(area ? { areaStyle: { color: colors.muted, opacity: 0.18 } } : {}),
  });
  return {
    ...frame(colors),
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ value }: { value: [number, number] }) =>
        `${labels.x}: ${format(value[0])}<br>${labels.y}: ${format(value[1])}`,
    },
    xAxis: axis(colors, 'x', { name: labels.x, min: 0 }),
    yAxis: axis(colors, 'y', { name: labels.y, min: 0, ...axisToRoundEnd(largest) }),
    series: [
      bandLine(low, false),
      bandLine(high, true),
      {
        type: 'line',
        data: [
          [0, 0],
          [end, end],
        ],
        showSymbol: false,
        silent: true,
        lineStyle: { color: colors.threshold, type: [5, 4], width: 1 },
      },
      { type: 'scatter', data: sorted, symbolSize: 4, itemStyle: { color: colors.mark, opacity: 0.85 } },
    ],
  };
}
