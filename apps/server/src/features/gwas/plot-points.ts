/** Every marker below this p is kept; above it points that would cover each other are thinned. */
const KEEP_FROM_NEG_LOG10_P = 3;
/** Cells of the grid in which one point stands for all: finer than a screen shows. */
const GRID_COLUMNS = 2000;
const GRID_ROWS = 200;

/**
 * Points of a Manhattan plot as Float32 triples: index of the chromosome, position in bp, −log10 p, by chromosome and
 * position. Deterministic: the first marker of each grid cell stands for the others.
 */
export function plotPoints(chromosome: Int32Array, position: Float64Array, negLog10P: Float64Array): Float32Array {
  let longest = 1;
  for (const value of position) longest = Math.max(longest, value);
  const kept: number[] = [];
  const taken = new Set<number>();
  for (let index = 0; index < negLog10P.length; index++) {
    const value = negLog10P[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (value < KEEP_FROM_NEG_LOG10_P) {
      const column = Math.floor(((position[index] ?? 0) / longest) * GRID_COLUMNS);
      const row = Math.floor((value / KEEP_FROM_NEG_LOG10_P) * GRID_ROWS);
      const cell = ((chromosome[index] ?? 0) * (GRID_COLUMNS + 1) + column) * GRID_ROWS + row;
      if (taken.has(cell)) continue;
      taken.add(cell);
    }
    kept.push(index);
  }
  kept.sort((a, b) => (chromosome[a] ?? 0) - (chromosome[b] ?? 0) || (position[a] ?? 0) - (position[b] ?? 0));
  const points = new Float32Array(kept.length * 3);
  for (const [at, index] of kept.entries()) {
    points[at * 3] = chromosome[index] ?? 0;
    points[at * 3 + 1] = position[index] ?? 0;
    points[at * 3 + 2] = negLog10P[index] ?? 0;
  }
  return points;
}

/** The smallest p-values are all shown; beyond them one point in every step of the expected value. */
const QQ_ALL_OF_SMALLEST = 500;
const QQ_STEP = 0.005;

/** Expected against observed −log10 p, with the expectation of the j-th smallest of m as j/(m + 1). */
export function qqPoints(negLog10P: Float64Array): [number, number][] {
  const sorted = negLog10P
    .filter((value) => !Number.isNaN(value))
    .sort()
    .reverse();
  const points: [number, number][] = [];
  let last = Number.POSITIVE_INFINITY;
  for (let rank = 0; rank < sorted.length; rank++) {
    const expected = -Math.log10((rank + 1) / (sorted.length + 1));
    if (rank >= QQ_ALL_OF_SMALLEST && last - expected < QQ_STEP) continue;
    last = expected;
    points.push([expected, sorted[rank] ?? 0]);
  }
  return points;
}
