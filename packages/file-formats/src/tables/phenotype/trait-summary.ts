/** Distribution of a trait over the individuals of a phenotype file. */
export interface TraitSummary {
  name: string;
  unit: string | null;
  kind: 'numeric' | 'categorical';
  /** Given as a covariate of the traits. */
  isCovariate: boolean;
  /** Individuals with a value; for a categorical trait, cells with a value. */
  n: number;
  mean: number | null;
  /** Sample standard deviation (n − 1); null below two values. */
  sd: number | null;
  min: number | null;
  max: number | null;
  /** Broad-sense heritability of the means where it can be estimated. */
  h2: number | null;
  /** Counts in equal bins from `min` to `max`; null without values. */
  histogram: { min: number; max: number; counts: number[] } | null;
  /** Observations far from the rest, each with its line of the file. */
  outliers: { individual: string; value: number; line: number | null }[];
}

/**
 * Pearson correlations of traits, row-major over `names`; null where fewer than 3 individuals have both or one does not
 * vary.
 */
export interface TraitCorrelations {
  names: string[];
  values: (number | null)[];
}

/** n, mean, sd, min and max of values, NaN = missing. */
export function describe(values: ArrayLike<number>): Pick<TraitSummary, 'n' | 'mean' | 'sd' | 'min' | 'max'> {
  let n = 0;
  let mean = 0;
  let squares = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Number.isNaN(value)) continue;
    // Welford (1962): no cancellation for traits with a large mean and a small spread.
    n++;
    const delta = value - mean;
    mean += delta / n;
    squares += delta * (value - mean);
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (n === 0) return { n, mean: null, sd: null, min: null, max: null };
  return { n, mean, sd: n > 1 ? Math.sqrt(squares / (n - 1)) : null, min, max };
}

const MIN_BINS = 5;
const MAX_BINS = 30;

/** Histogram with about √n bins; a single bin when all values are equal; null without values. NaN = missing. */
export function histogramOf(values: ArrayLike<number>): TraitSummary['histogram'] {
  const { n, min, max } = describe(values);
  if (min === null || max === null) return null;
  const bins = min === max ? 1 : Math.min(MAX_BINS, Math.max(MIN_BINS, Math.round(Math.sqrt(n))));
  const counts = Array.from({ length: bins }, () => 0);
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    const bin = min === max ? 0 : Math.floor(((values[i] - min) / (max - min)) * bins);
    counts[Math.min(bins - 1, bin)]++;
  }
  return { min, max, counts };
}

/** Most multiplications spent on correlations; beyond that only the first traits are correlated. */
const MAX_CORRELATION_WORK = 5e8;

/** Correlations of numeric columns over the individuals that have both values; columns of one length, NaN = missing. */
export function correlationsOf(names: readonly string[], columns: readonly Float64Array[]): TraitCorrelations {
  const length = Math.max(1, columns[0]?.length ?? 1);
  const count = Math.min(names.length, Math.max(2, Math.floor(Math.sqrt(MAX_CORRELATION_WORK / length))));
  const values = Array.from({ length: count * count }, (): number | null => null);
  for (let a = 0; a < count; a++) {
    for (let b = a; b < count; b++) {
      const r = correlation(columns[a], columns[b]);
      values[a * count + b] = r;
      values[b * count + a] = r;
    }
  }
  return { names: names.slice(0, count), values };
}

function correlation(x: Float64Array, y: Float64Array): number | null {
  let n = 0;
  let meanX = 0;
  let meanY = 0;
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(x[i]) || Number.isNaN(y[i])) continue;
    n++;
    meanX += (x[i] - meanX) / n;
    meanY += (y[i] - meanY) / n;
  }
  if (n < 3) return null;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(x[i]) || Number.isNaN(y[i])) continue;
    xx += (x[i] - meanX) ** 2;
    yy += (y[i] - meanY) ** 2;
    xy += (x[i] - meanX) * (y[i] - meanY);
  }
  if (!(xx > 0) || !(yy > 0)) return null;
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
}

/** Median of finite values (they are sorted in place); NaN when there are none. */
export function medianInPlace(values: Float64Array): number {
  if (values.length === 0) return Number.NaN;
  values.sort();
  const middle = values.length >> 1;
  return values.length % 2 === 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}
