/** A number of points that every browser draws without delay. Smaller panels are shown in full. */
const SHOWN_WHOLE = 50_000;
/** Every marker below this p is kept; above it, overlapping points are thinned. */
const KEEP_FROM_NEG_LOG10_P = 3;
/** Cells of the grid in which one point represents all: about a pixel each, smaller than the points. */
const GRID_COLUMNS = 1500;
const GRID_ROWS = 90;

/** Start and end of a chromosome, in bp. */
export interface Span {
  first: number;
  last: number;
}

/** The points of a Manhattan plot, gathered marker by marker. */
export interface PlotGatherer {
  /** Adds a marker, unless its −log10 p is NaN. */
  add(chromosome: number, position: number, negLog10P: number): void;
  /** Float32 triples: index of the chromosome, position in bp, −log10 p, by chromosome and position. */
  points(): Float32Array;
}

/**
 * Gathers the points of a plot of `count` markers on chromosomes of the given spans. Deterministic: the first marker
 * of each grid cell represents the others, and the last of each chromosome stays. The grid covers the given spans, so
 * that part of a chromosome is shown as finely as the whole genome.
 */
export function gatherPlot(count: number, spans: ReadonlyMap<number, Span>): PlotGatherer {
  const columnOf = count > SHOWN_WHOLE ? gridColumns(spans) : undefined;
  const taken = new Uint8Array(columnOf ? GRID_COLUMNS * GRID_ROWS : 0);
  const ended = new Set<number>();
  const kept = { chromosome: [] as number[], position: [] as number[], negLog10P: [] as number[] };
  return {
    add(chromosome, position, value) {
      if (Number.isNaN(value)) return;
      if (columnOf && value < KEEP_FROM_NEG_LOG10_P) {
        const row = Math.floor((value / KEEP_FROM_NEG_LOG10_P) * GRID_ROWS);
        const cell = columnOf(chromosome, position) * GRID_ROWS + row;
        // Without its last marker the plot would not know how long a chromosome is.
        const isEnd = position === spans.get(chromosome)?.last && !ended.has(chromosome);
        if (taken[cell] && !isEnd) return;
        taken[cell] = 1;
        if (isEnd) ended.add(chromosome);
      }
      kept.chromosome.push(chromosome);
      kept.position.push(position);
      kept.negLog10P.push(value);
    },
    points() {
      const { chromosome, position, negLog10P } = kept;
      const order = Uint32Array.from(chromosome.keys()).sort(
        (a, b) => (chromosome[a] ?? 0) - (chromosome[b] ?? 0) || (position[a] ?? 0) - (position[b] ?? 0) || a - b,
      );
      const points = new Float32Array(order.length * 3);
      for (const [at, index] of order.entries()) {
        points[at * 3] = chromosome[index] ?? 0;
        points[at * 3 + 1] = position[index] ?? 0;
        points[at * 3 + 2] = negLog10P[index] ?? 0;
      }
      return points;
    },
  };
}

/** The points of a plot when all markers are in memory, see {@link gatherPlot}. */
export function plotPoints(chromosome: Int32Array, position: Float64Array, negLog10P: Float64Array): Float32Array {
  const spans = new Map<number, Span>();
  for (const [index, name] of chromosome.entries()) widen(spans, name, position[index] ?? 0, position[index] ?? 0);
  const plot = gatherPlot(negLog10P.length, spans);
  for (const [index, value] of negLog10P.entries()) plot.add(chromosome[index] ?? 0, position[index] ?? 0, value);
  return plot.points();
}

/** Extends the span of a chromosome to contain `first` and `last`. */
export function widen(spans: Map<number, Span>, chromosome: number, first: number, last: number): void {
  const span = spans.get(chromosome);
  if (span === undefined) spans.set(chromosome, { first, last });
  else {
    span.first = Math.min(span.first, first);
    span.last = Math.max(span.last, last);
  }
}

/** The column of a marker on the grid: chromosomes end to end, each from its first marker to its last. */
function gridColumns(spans: ReadonlyMap<number, Span>): (chromosome: number, position: number) => number {
  const offset = new Map<number, number>();
  let total = 0;
  for (const [name, { first, last }] of spans) {
    offset.set(name, total - first);
    total += last - first + 1;
  }
  return (chromosome, position) => {
    const along = (offset.get(chromosome) ?? 0) + position;
    return Math.min(GRID_COLUMNS - 1, Math.floor((along / total) * GRID_COLUMNS));
  };
}

/** The smallest p-values are all shown; of the others, one point per step of the expected value. */
const QQ_ALL_OF_SMALLEST = 500;
const QQ_STEP = 0.005;

/** Ranks (0-based, smallest −log10 p first, ascending) of the tests that a quantile plot of `count` tests shows. */
export function qqRanks(count: number): number[] {
  const ranks: number[] = [];
  let last = Number.POSITIVE_INFINITY;
  for (let fromTop = 0; fromTop < count; fromTop++) {
    const expected = expectedAt(fromTop, count);
    if (fromTop >= QQ_ALL_OF_SMALLEST && last - expected < QQ_STEP) continue;
    last = expected;
    ranks.push(count - 1 - fromTop);
  }
  return ranks.reverse();
}

/**
 * Expected against observed −log10 p, the largest first.
 *
 * @param observed −log10 p at the places of {@link qqRanks}
 */
export function qqPoints(count: number, observed: Float64Array): [number, number][] {
  const points = qqRanks(count).map((rank, k): [number, number] => [
    expectedAt(count - 1 - rank, count),
    observed[k] ?? Number.NaN,
  ]);
  return points.reverse();
}

/** −log10 of the expectation j/(m + 1) of the j-th smallest p of m. */
function expectedAt(fromTop: number, count: number): number {
  return -Math.log10((fromTop + 1) / (count + 1));
}
