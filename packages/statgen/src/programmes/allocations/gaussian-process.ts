import {
  choleskyInPlace,
  choleskyInverseInPlace,
  choleskyLogDeterminant,
  choleskySolveInPlace,
} from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { varianceOf } from '../statistics.ts';

/** A place of the surface; observations also say of which block of replicates they are. */
export interface SurfacePoint {
  /** Numbers on [0, 1]. */
  at: ArrayLike<number>;
  /** Block of replicates, from 0; −1 for the surface itself. */
  block: number;
}

/** Observed means. */
export interface SurfaceData {
  points: readonly SurfacePoint[];
  y: ArrayLike<number>;
  /** Error variance of each mean, given its block. */
  noise: ArrayLike<number>;
  /** Variance of what the replicates of a block have in common. */
  blockVariance: number;
}

export interface SurfaceParameters {
  /** log of the length scale of each number. */
  logScales: readonly number[];
  logVariance: number;
  /** Of what an allocation has for itself, beside its neighbours. */
  logDeviation: number;
}

/**
 * Prior of log length scales on numbers from 0 to 1: so few points seldom tell long scales apart, and very short ones
 * would fit the noise.
 */
const PRIOR_MEAN = Math.log(0.7);
const PRIOR_VARIANCE = 0.8;
/** Of log variances, about that of y: flat surfaces have none to speak of. */
const PRIOR_LOG_VARIANCE = 4;
/** Own deviations are expected to have so much of the variance of y: numbers are whole, surfaces are smooth. */
const DEVIATION_SHARE = 1e-3;
const JITTER = 1e-8;

/**
 * A surface f seen through means of replicates: y = μ + f(x) + b + e. f is a Gaussian process with the Matérn
 * covariance of smoothness 5/2 and a length scale for each number (Rasmussen & Williams 2006, eq. 4.17 and 5.2) and a
 * deviation of each allocation by itself, so that neighbours are not told apart by smoothness alone,
 * b ~ N(0, blockVariance) is shared by all means over the same replicates (common random numbers: Chen, Ankenman &
 * Nelson 2012), e ~ N(0, noise), μ is fixed.
 */
export class Surface {
  readonly parameters: SurfaceParameters;
  readonly #data: SurfaceData;
  readonly #coupling: Coupling;
  readonly #factor: Matrix;
  /** V⁻¹(y − 1μ) and V⁻¹1. */
  readonly #weights: Float64Array;
  readonly #ones: Float64Array;
  readonly #information: number;
  readonly mean: number;

  constructor(data: SurfaceData, parameters: SurfaceParameters) {
    this.#data = data;
    this.parameters = parameters;
    this.#coupling = couplingOf(data, parameters);
    const n = data.points.length;
    this.#factor = choleskyInPlace(covarianceOf(data, parameters)).lower;
    const solved = matrixOf(n, 2, new Float64Array(2 * n).fill(1));
    for (let i = 0; i < n; i++) solved.data[i] = data.y[i];
    choleskySolveInPlace({ lower: this.#factor }, solved);
    this.#ones = Float64Array.from(solved.data.subarray(n));
    this.#information = sumOf(this.#ones);
    this.mean = sumOf(solved.data.subarray(0, n)) / this.#information;
    this.#weights = Float64Array.from(this.#ones, (one, i) => solved.data[i] - one * this.mean);
  }

  /** Posterior means and covariances of points, points × points; μ is estimated with the rest. */
  predict(points: readonly SurfacePoint[]): { means: Float64Array; covariance: Matrix } {
    const { means, solved, cross, excess } = this.#crossed(points);
    const m = points.length;
    const n = this.#data.points.length;
    const covariance = createMatrix(m, m);
    for (let j = 0; j < m; j++) {
      for (let i = 0; i <= j; i++) {
        let value = this.#prior(points[i], points[j]) + (excess[i] * excess[j]) / this.#information;
        for (let k = 0; k < n; k++) value -= cross.data[i * n + k] * solved.data[j * n + k];
        covariance.data[i + j * m] = value;
        covariance.data[j + i * m] = value;
      }
    }
    return { means, covariance };
  }

  /** Posterior means and variances of many points, and their covariances with a few, few × many. */
  predictBeside(
    points: readonly SurfacePoint[],
    few: readonly SurfacePoint[],
  ): { means: Float64Array; variances: Float64Array; covariance: Matrix } {
    const many = this.#crossed(points);
    const some = this.#crossed(few);
    const n = this.#data.points.length;
    const variances = new Float64Array(points.length);
    const covariance = createMatrix(few.length, points.length);
    for (const [j, point] of points.entries()) {
      const base = j * n;
      let own = this.#prior(point, point) + many.excess[j] ** 2 / this.#information;
      for (let k = 0; k < n; k++) own -= many.cross.data[base + k] * many.solved.data[base + k];
      variances[j] = Math.max(0, own);
      for (let i = 0; i < few.length; i++) {
        let value = this.#prior(few[i], point) + (some.excess[i] * many.excess[j]) / this.#information;
        for (let k = 0; k < n; k++) value -= some.solved.data[i * n + k] * many.cross.data[base + k];
        covariance.data[i + j * few.length] = value;
      }
    }
    return { means: many.means, variances, covariance };
  }

  #crossed(points: readonly SurfacePoint[]) {
    const n = this.#data.points.length;
    const cross = createMatrix(n, points.length);
    for (const [j, point] of points.entries()) {
      for (let k = 0; k < n; k++) cross.data[j * n + k] = coupled(this.#data.points[k], point, this.#coupling);
    }
    const solved = matrixOf(n, points.length, Float64Array.from(cross.data));
    choleskySolveInPlace({ lower: this.#factor }, solved);
    const means = new Float64Array(points.length);
    const excess = new Float64Array(points.length);
    for (let j = 0; j < points.length; j++) {
      means[j] = this.mean;
      excess[j] = 1;
      for (let k = 0; k < n; k++) {
        means[j] += cross.data[j * n + k] * this.#weights[k];
        excess[j] -= cross.data[j * n + k] * this.#ones[k];
      }
    }
    return { means, cross, solved, excess };
  }

  #prior(a: SurfacePoint, b: SurfacePoint): number {
    return coupled(a, b, this.#coupling);
  }
}

interface Coupling {
  scales: readonly number[];
  variance: number;
  deviation: number;
  blockVariance: number;
}

const couplingOf = (
  { blockVariance }: SurfaceData,
  { logScales, logVariance, logDeviation }: SurfaceParameters,
): Coupling => ({
  scales: logScales.map(Math.exp),
  variance: Math.exp(logVariance),
  deviation: Math.exp(logDeviation),
  blockVariance,
});

/** Prior covariance of two points. */
function coupled(a: SurfacePoint, b: SurfacePoint, { scales, variance, deviation, blockVariance }: Coupling): number {
  const r = distance(a.at, b.at, scales);
  const own = variance * matern(r) + (r === 0 ? deviation : 0);
  return a.block === b.block && a.block >= 0 ? own + blockVariance : own;
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>, scales: readonly number[]): number {
  let sum = 0;
  for (let j = 0; j < scales.length; j++) sum += ((a[j] - b[j]) / scales[j]) ** 2;
  return Math.sqrt(sum);
}

const ROOT_5 = Math.sqrt(5);
const matern = (r: number): number => (1 + ROOT_5 * r + (5 / 3) * r * r) * Math.exp(-ROOT_5 * r);

function covarianceOf(data: SurfaceData, parameters: SurfaceParameters): Matrix {
  const { points, noise } = data;
  const n = points.length;
  const coupling = couplingOf(data, parameters);
  const v = createMatrix(n, n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < j; i++) {
      const value = coupled(points[i], points[j], coupling);
      v.data[i + j * n] = value;
      v.data[j + i * n] = value;
    }
    v.data[j + j * n] = coupling.variance * (1 + JITTER) + coupling.deviation + coupling.blockVariance + noise[j];
  }
  return v;
}

/**
 * Variance and length scales by REML (Patterson & Thompson 1971) with a weak prior on their logarithms, from two
 * starts, the better of the two.
 */
export function fitSurface(data: SurfaceData): Surface {
  const width = data.points[0].at.length;
  const spread = Math.max(1e-12, varianceOf(data.y));
  const starts = [Math.log(spread), Math.log(DEVIATION_SHARE * spread)];
  const found = [0.4, 1.5].map((scale) =>
    maximize(
      (logs) => likelihood(data, logs, starts),
      [...Array.from({ length: width }, () => Math.log(scale)), ...starts],
    ),
  );
  return new Surface(data, parametersOf(found[1].value > found[0].value ? found[1].at : found[0].at));
}

interface Ascent {
  value: number;
  gradient: number[];
}

const parametersOf = (logs: readonly number[]): SurfaceParameters => ({
  logScales: logs.slice(0, -2),
  logVariance: logs[logs.length - 2],
  logDeviation: logs[logs.length - 1],
});

/**
 * Restricted log-likelihood and log-prior, and their gradient.
 *
 * @param logs of the length scales, the variance and that of own deviations
 * @param centers of the priors of the two variances
 */
export function likelihood(data: SurfaceData, logs: readonly number[], centers: readonly number[]): Ascent {
  const { points, y } = data;
  const n = points.length;
  const width = logs.length - 2;
  const parameters = parametersOf(logs);
  const { scales, variance, deviation } = couplingOf(data, parameters);
  const factor = choleskyInPlace(covarianceOf(data, parameters));
  let value = -0.5 * choleskyLogDeterminant(factor);
  const inverse = choleskyInverseInPlace(factor).data;
  const ones = new Float64Array(n);
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) ones[j] += inverse[i + j * n];
  const information = sumOf(ones);
  const py = new Float64Array(n);
  let mean = 0;
  for (let j = 0; j < n; j++) mean += (ones[j] * y[j]) / information;
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) py[i] += inverse[i + j * n] * (y[j] - mean);
  for (let i = 0; i < n; i++) value -= 0.5 * py[i] * (y[i] - mean);
  value -= 0.5 * Math.log(information);
  const gradient = Array.from({ length: width + 2 }, () => 0);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i <= j; i++) {
      // ∂/∂θ = −½ Σ (P − Pyy'P)·∂V/∂θ; each pair stands twice.
      const p = inverse[i + j * n] - (ones[i] * ones[j]) / information;
      const weight = (i === j ? -0.5 : -1) * (p - py[i] * py[j]);
      const r = distance(points[i].at, points[j].at, scales);
      gradient[width] += weight * variance * matern(r);
      if (r === 0) {
        gradient[width + 1] += weight * deviation;
        continue;
      }
      const slope = weight * variance * (5 / 3) * (1 + ROOT_5 * r) * Math.exp(-ROOT_5 * r);
      for (let k = 0; k < width; k++) gradient[k] += slope * ((points[i].at[k] - points[j].at[k]) / scales[k]) ** 2;
    }
  }
  for (let k = 0; k < logs.length; k++) {
    const [center, spread] = k < width ? [PRIOR_MEAN, PRIOR_VARIANCE] : [centers[k - width], PRIOR_LOG_VARIANCE];
    value -= (logs[k] - center) ** 2 / (2 * spread);
    gradient[k] -= (logs[k] - center) / spread;
  }
  return { value, gradient };
}

const MOST_STEPS = 60;
const SHORTEST = 1e-6;
const LONGEST = 1.5;

/** BFGS with backtracking (Nocedal & Wright 2006, algorithm 6.1). */
function maximize(of: (at: readonly number[]) => Ascent, start: number[]): { at: number[]; value: number } {
  const size = start.length;
  const identity = () => Array.from({ length: size }, (_, i) => Array.from({ length: size }, (__, j) => +(i === j)));
  let inverse = identity();
  let at = start;
  let { value, gradient } = of(at);
  for (let step = 0; step < MOST_STEPS; step++) {
    let direction = inverse.map((row) => dot(row, gradient));
    if (dot(direction, gradient) <= 0) {
      inverse = identity();
      direction = [...gradient];
    }
    const longest = Math.max(...direction.map(Math.abs));
    if (longest < SHORTEST) break;
    let length = Math.min(1, LONGEST / longest);
    const rise = dot(direction, gradient);
    let next = at.map((x, i) => x + length * direction[i]);
    let there = of(next);
    while (!(there.value >= value + 1e-4 * length * rise) && length * longest > SHORTEST) {
      length /= 2;
      next = at.map((x, i) => x + length * direction[i]);
      there = of(next);
    }
    if (!(there.value > value)) break;
    const s = next.map((x, i) => x - at[i]);
    const changed = gradient.map((g, i) => g - there.gradient[i]);
    const curvature = dot(s, changed);
    if (curvature > 1e-12) {
      const hy = inverse.map((row) => dot(row, changed));
      const factor = (1 + dot(changed, hy) / curvature) / curvature;
      inverse = inverse.map((row, i) =>
        row.map((h, j) => h + factor * s[i] * s[j] - (hy[i] * s[j] + s[i] * hy[j]) / curvature),
      );
    }
    const isSmall = there.value - value < 1e-7 * Math.abs(value);
    at = next;
    ({ value, gradient } = there);
    if (isSmall) break;
  }
  return { at, value };
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * b[i], 0);
const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
