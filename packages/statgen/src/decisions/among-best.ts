import { normalDensity, normalUpperTail } from '../crossing/normal-distribution.ts';
import { StatgenError } from '../statgen-error.ts';

/** Standard deviations beyond which nothing is counted. */
const FAR = 8;
/** Steps of the trapezoidal rule for the smallest standard deviation: its error falls with exp(−2π²·steps²). */
const STEPS = 2;
/** A standard deviation is taken as at least this share of the largest, so that the steps stay few. */
const LEAST_SHARE = 0.02;

/**
 * P(each of N lines is among the `count` truly best), for true values that are normal around the predicted ones with
 * uncorrelated errors: ∫ f_i(x)·P(at most count − 1 of the others are above x) dx, where the number above x is
 * Poisson-binomial. Exact but for the rule of the integral, whose error is below 1e-6. The probabilities sum to
 * `count`. Invariant to the unit.
 *
 * @param values predicted, high is better, length N; a line without a value (NaN) has no probability (NaN)
 * @param variances of prediction errors, length N
 * @throws StatgenError `bad-option` for a count below 1
 */
export function amongBest(values: Float64Array, variances: Float64Array, count: number): Float64Array {
  const known = Array.from(values.keys()).filter((i) => Number.isFinite(values[i]) && variances[i] >= 0);
  const result = new Float64Array(values.length).fill(Number.NaN);
  requireCount(count);
  if (known.length <= count) {
    for (const i of known) result[i] = 1;
    return result;
  }
  const largest = Math.sqrt(known.reduce((most, i) => Math.max(most, variances[i]), 0));
  if (largest === 0) return withoutError(values, known, count, result);
  const means = Float64Array.from(known, (i) => values[i]);
  const sds = Float64Array.from(known, (i) => Math.max(Math.sqrt(variances[i]), LEAST_SHARE * largest));
  const step = sds.reduce((least, sd) => Math.min(least, sd), largest) / STEPS;
  const sums = new Float64Array(known.length);
  const weights = new Float64Array(known.length);
  for (const x of gridOf(means, sds, step)) addAt(x, { means, sds, count }, sums, weights);
  known.forEach((i, k) => {
    // The rule gives the density an integral of 1 up to 1e-12; divided by it, what is cut off is shared out.
    result[i] = Math.min(1, sums[k] / weights[k]);
  });
  return result;
}

/** Points at a distance of `step` that lie within `FAR` standard deviations of a mean, in ascending order. */
function* gridOf(means: Float64Array, sds: Float64Array, step: number): Generator<number> {
  const spans = Array.from(means, (mean, k) => [mean - FAR * sds[k], mean + FAR * sds[k]] as const);
  spans.sort(([a], [b]) => a - b);
  const origin = spans[0]?.[0] ?? 0;
  let next = 0;
  for (const [from, to] of spans) {
    next = Math.max(next, Math.ceil((from - origin) / step));
    for (; origin + next * step <= to; next++) yield origin + next * step;
  }
}

/** Adds one point of the integrals of all lines. */
function addAt(
  x: number,
  { means, sds, count }: { means: Float64Array; sds: Float64Array; count: number },
  sums: Float64Array,
  weights: Float64Array,
): void {
  const open: number[] = [];
  const above: number[] = [];
  let certain = 0;
  for (let k = 0; k < means.length; k++) {
    const z = (x - means[k]) / sds[k];
    if (z < -FAR) certain++;
    else if (z <= FAR) {
      open.push(k);
      above.push(normalUpperTail(z));
      weights[k] += normalDensity(z);
    }
  }
  // At most `most` of the other open ones may be above x.
  const most = count - 1 - certain;
  if (most < 0 || open.length === 0) return;
  const width = most + 1;
  const n = open.length;
  // Distribution of the number above x among the first k lines, cut at `most`.
  const before = new Float64Array((n + 1) * width);
  before[0] = 1;
  for (let k = 0; k < n; k++) {
    const p = above[k];
    for (let a = 0; a < width; a++)
      before[(k + 1) * width + a] = before[k * width + a] * (1 - p) + (a > 0 ? before[k * width + a - 1] * p : 0);
  }
  const after = new Float64Array(width);
  after[0] = 1;
  const upTo = new Float64Array(width);
  for (let k = n - 1; k >= 0; k--) {
    let sum = 0;
    for (let a = 0; a < width; a++) {
      sum += after[a];
      upTo[a] = sum;
    }
    let atMost = 0;
    for (let a = 0; a < width; a++) atMost += before[k * width + a] * upTo[most - a];
    sums[open[k]] += normalDensity((x - means[open[k]]) / sds[open[k]]) * atMost;
    const p = above[k];
    for (let a = width - 1; a >= 0; a--) after[a] = after[a] * (1 - p) + (a > 0 ? after[a - 1] * p : 0);
  }
}

/** Values known exactly: those above the threshold, and equal shares of the places left for those on it. */
function withoutError(
  values: Float64Array,
  known: readonly number[],
  count: number,
  result: Float64Array,
): Float64Array {
  const threshold = [...known].map((i) => values[i]).sort((a, b) => b - a)[count - 1] ?? 0;
  const better = known.filter((i) => values[i] > threshold).length;
  const equal = known.filter((i) => values[i] === threshold).length;
  for (const i of known) result[i] = values[i] > threshold ? 1 : values[i] === threshold ? (count - better) / equal : 0;
  return result;
}

function requireCount(count: number): void {
  if (!Number.isInteger(count) || count < 1)
    throw new StatgenError('bad-option', `a number of best lines of ${count}; it must be a whole number from 1`);
}
