/** Counts in equal bins from `min` to `max`. */
export interface Histogram {
  min: number;
  max: number;
  counts: number[];
}

const BINS = 20;

/** Values outside the range count in the outer bins; NaN is ignored. */
export function histogram(values: Float64Array, min: number, max: number): Histogram {
  const counts = Array<number>(BINS).fill(0);
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    counts[Math.max(0, Math.min(BINS - 1, Math.floor(((value - min) / (max - min)) * BINS)))]++;
  }
  return { min, max, counts };
}
