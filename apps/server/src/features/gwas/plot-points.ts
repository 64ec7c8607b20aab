/** As many points as every browser draws at once: no panel up to this size loses one. */
const SHOWN_WHOLE = 50_000;
/** Every marker below this p is kept; above it points that would cover each other are thinned. */
const KEEP_FROM_NEG_LOG10_P = 3;
/** Cells of the grid in which one point stands for all: a good pixel each, smaller than the points. */
const GRID_COLUMNS = 1500;
const GRID_ROWS = 90;

/**
 * Points of a Manhattan plot as Float32 triples: index of the chromosome, position in bp, −log10 p, by chromosome and
 * position. Deterministic: the first marker of each grid cell stands for the others. The grid lies over all that is given, so
 * that a part of a chromosome is shown as finely as the whole genome.
 */
export function plotPoints(chromosome: Int32Array, position: Float64Array, negLog10P: Float64Array): Float32Array {
  const columnOf = negLog10P.length > SHOWN_WHOLE ? gridColumns(chromosome, position) : undefined;
  const taken = new Uint8Array(columnOf ? GRID_COLUMNS * GRID_ROWS : 0);
  const kept: number[] = [];
  for (let index = 0; index < negLog10P.length; index++) {
    const value = negLog10P[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (columnOf && value < KEEP_FROM_NEG_LOG10_P) {
      const row = Math.floor((value / KEEP_FROM_NEG_LOG10_P) * GRID_ROWS);
      const cell = columnOf(index) * GRID_ROWS + row;
      if (taken[cell]) continue;
      taken[cell] = 1;
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

/** The column of a marker on the grid: chromosomes end to end, each from its first marker to its last. */
function gridColumns(chromosome: Int32Array, position: Float64Array): (index: number) => number {
  const first = new Map<number, number>();
  const last = new Map<number, number>();
  for (const [index, name] of chromosome.entries()) {
    const place = position[index] ?? 0;
    first.set(name, Math.min(first.get(name) ?? place, place));
    last.set(name, Math.max(last.get(name) ?? place, place));
  }
  const offset = new Map<number, number>();
  let total = 0;
  for (const [name, start] of first) {
    offset.set(name, total - start);
    total += (last.get(name) ?? start) - start + 1;
  }
  return (index) => {
    const along = (offset.get(chromosome[index] ?? 0) ?? 0) + (position[index] ?? 0);
    return Math.min(GRID_COLUMNS - 1, Math.floor((along / total) * GRID_COLUMNS));
  };
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
