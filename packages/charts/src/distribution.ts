import { countsIn, type HistogramCounts } from './histogram.ts';
import { roundRange } from './round-ticks.ts';

/** Bins between two marks of the axis. */
const BINS_PER_MARK = 4;

/** Counts in bins with round borders; a value on a border counts in the bin above it, the largest in the last. */
export function histogramOf(values: readonly number[]): HistogramCounts {
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  if (!(low < high)) return { min: low - 0.5, max: low + 0.5, counts: [values.length] };
  const { min, max, interval } = roundRange(low, high);
  const bins = Math.round((max - min) / interval) * BINS_PER_MARK;
  return { min, max, counts: countsIn({ min, max }, bins, values) };
}

/** Pearson's correlation; NaN where one of the two does not vary. */
export function correlation(x: readonly number[], y: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(x), mean(y)];
  let [xy, xx, yy] = [0, 0, 0];
  for (const [i, value] of x.entries()) {
    const [dx, dy] = [value - meanX, (y[i] ?? Number.NaN) - meanY];
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : Number.NaN;
}
