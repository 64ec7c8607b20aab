import { createMatrix, type Matrix, multiply } from '../linear-algebra.ts';
import { StatgenError } from '../statgen-error.ts';

export interface SingleEffectsOptions {
  /** Largest number of effects. */
  effects: number;
  /** Probability that a credible set has a marker with an effect. */
  coverage: number;
  /** Least correlation, in absolute value, between markers of a set; sets of less tell of no place. */
  purity: number;
}

export interface CredibleSet {
  /** Places of markers, most probable first. */
  markers: number[];
  /** Σ of their probabilities. */
  coverage: number;
  /** Least |r| between two of them. */
  purity: number;
  /** Log Bayes factor of the effect against none. */
  logBayesFactor: number;
  /** Prior variance of the effect, estimated. */
  variance: number;
}

export interface SingleEffects {
  /** By marker: probability of an effect, and its posterior mean. */
  inclusion: Float64Array;
  effect: Float64Array;
  sets: CredibleSet[];
  iterations: number;
  isConverged: boolean;
}

const MOST_ITERATIONS = 500;
/** Largest change of a probability at the end. */
const TOLERANCE = 1e-6;
/** Steps of EM for the variance of one effect in an iteration. */
const VARIANCE_STEPS = 5;

/** One effect: which marker has it, and how large it is there. */
interface Effect {
  variance: number;
  probabilities: Float64Array;
  means: Float64Array;
  logBayesFactor: number;
}

/**
 * The sum of single effects (SuSiE: Wang et al. 2020, J R Stat Soc B 82:1273): y = Σ_l x_{γ_l}b_l + e, e ~ N(0, I),
 * each effect on one marker, by iterative Bayesian stepwise selection. Prior variances of effects are estimated by EM
 * and may be 0. Values and markers are those of the error contrasts divided by the root of their covariance, so that a
 * mixed model is behind it. O(np² + effects·p²) an iteration.
 *
 * @param x n × p
 * @param y n
 * @throws StatgenError `shape-mismatch`, `bad-option`
 */
export function fitSingleEffects(
  x: Matrix,
  y: Float64Array,
  { effects: count, coverage, purity }: SingleEffectsOptions,
): SingleEffects {
  const { rows: n, columns: p } = x;
  if (y.length !== n) throw new StatgenError('shape-mismatch', `${y.length} values for ${n} rows of markers`);
  if (!(count >= 1 && coverage > 0 && coverage < 1 && purity >= 0 && purity <= 1)) {
    throw new StatgenError('bad-option', 'credible sets need an effect, and shares between 0 and 1', { count });
  }
  const products = multiply(x, x, { transposeA: true, into: createMatrix(p, p) });
  const right = multiply(x, { rows: n, columns: 1, data: y }, { transposeA: true }).data;
  const start = y.reduce((sum, value) => sum + value * value, 0) / n / (meanSquare(products) || 1);
  const effects = Array.from(
    { length: Math.min(count, p) },
    (): Effect => ({
      ...{ variance: 0.2 * start * n, logBayesFactor: 0 },
      probabilities: new Float64Array(p),
      means: new Float64Array(p),
    }),
  );
  const rest = right.slice();
  let iterations = 0;
  let change = Number.POSITIVE_INFINITY;
  for (; iterations < MOST_ITERATIONS && change > TOLERANCE; iterations++) {
    change = 0;
    for (const [l, effect] of effects.entries()) {
      addFitted(rest, products, effect, 1);
      const next = singleEffect(rest, products, effect.variance || (0.2 * start * n) / (l + 1));
      for (let j = 0; j < p; j++) {
        const moved = Math.abs(weight(next, j) - weight(effect, j));
        if (moved > change) change = moved;
      }
      effects[l] = next;
      addFitted(rest, products, next, -1);
    }
  }
  const present = effects.filter(({ variance }) => variance > 0);
  const inclusion = Float64Array.from(
    { length: p },
    (_, j) => 1 - present.reduce((none, { probabilities }) => none * (1 - probabilities[j]), 1),
  );
  const effect = Float64Array.from({ length: p }, (_, j) =>
    present.reduce((sum, { probabilities, means }) => sum + probabilities[j] * means[j], 0),
  );
  const sets = credibleSets(present, products, { coverage, purity });
  return { inclusion, effect, sets, iterations, isConverged: change <= TOLERANCE };
}

const weight = ({ variance, probabilities }: Effect, j: number): number => (variance > 0 ? probabilities[j] : 0);

function meanSquare({ rows, data }: Matrix): number {
  let sum = 0;
  for (let j = 0; j < rows; j++) sum += data[j * (rows + 1)];
  return sum / rows;
}

/** Adds to Xᵀ(residual) what the expected values of an effect contribute. */
function addFitted(
  rest: Float64Array,
  products: Matrix,
  { variance, probabilities, means }: Effect,
  sign: 1 | -1,
): void {
  if (variance === 0) return;
  const p = rest.length;
  for (let j = 0; j < p; j++) {
    const expected = sign * probabilities[j] * means[j];
    if (expected === 0) continue;
    for (let i = 0; i < p; i++) rest[i] += products.data[i + j * p] * expected;
  }
}

/** The posterior of one effect (equations 2.8 to 2.10 there), its prior variance from steps of EM. */
function singleEffect(rest: Float64Array, products: Matrix, start: number): Effect {
  const p = rest.length;
  let variance = start;
  let found = posteriorAt(rest, products, variance);
  for (let step = 0; step < VARIANCE_STEPS; step++) {
    let next = 0;
    for (let j = 0; j < p; j++) {
      const square = products.data[j * (p + 1)];
      const spread = square > 0 ? variance / (1 + variance * square) : variance;
      next += found.probabilities[j] * (found.means[j] ** 2 + spread);
    }
    variance = next;
    found = posteriorAt(rest, products, variance);
  }
  // Bayes factors are against no effect: where they do not speak for one, there is none.
  return found.logBayesFactor > 0 ? found : { ...found, variance: 0, logBayesFactor: 0 };
}

function posteriorAt(rest: Float64Array, products: Matrix, variance: number): Effect {
  const p = rest.length;
  const logs = new Float64Array(p);
  const means = new Float64Array(p);
  let largest = Number.NEGATIVE_INFINITY;
  for (let j = 0; j < p; j++) {
    const square = products.data[j * (p + 1)];
    const shrunk = variance / (1 + variance * square);
    means[j] = shrunk * rest[j];
    logs[j] = 0.5 * (rest[j] * means[j] - Math.log1p(variance * square));
    largest = Math.max(largest, logs[j]);
  }
  const probabilities = logs.map((log) => Math.exp(log - largest));
  const total = probabilities.reduce((sum, value) => sum + value, 0);
  for (let j = 0; j < p; j++) probabilities[j] /= total;
  return { variance, probabilities, means, logBayesFactor: largest + Math.log(total / p) };
}

function credibleSets(
  effects: readonly Effect[],
  products: Matrix,
  { coverage, purity }: Pick<SingleEffectsOptions, 'coverage' | 'purity'>,
): CredibleSet[] {
  const sets = effects.map(({ probabilities, logBayesFactor, variance }): CredibleSet => {
    const order = [...probabilities.keys()].sort((a, b) => probabilities[b] - probabilities[a] || a - b);
    const markers: number[] = [];
    let reached = 0;
    for (const j of order) {
      markers.push(j);
      reached += probabilities[j];
      if (reached >= coverage) break;
    }
    return { markers, coverage: reached, purity: leastCorrelation(markers, products), logBayesFactor, variance };
  });
  const seen = new Set<string>();
  return sets
    .filter((set) => set.purity >= purity)
    .sort((a, b) => b.logBayesFactor - a.logBayesFactor)
    .filter(({ markers }) => {
      const key = [...markers].sort((a, b) => a - b).join();
      return !seen.has(key) && seen.add(key);
    });
}

function leastCorrelation(markers: readonly number[], { rows: p, data }: Matrix): number {
  let least = 1;
  for (const [k, i] of markers.entries()) {
    for (const j of markers.slice(k + 1)) {
      const size = Math.sqrt(data[i * (p + 1)] * data[j * (p + 1)]);
      least = Math.min(least, size > 0 ? Math.abs(data[i + j * p]) / size : 0);
    }
  }
  return least;
}
