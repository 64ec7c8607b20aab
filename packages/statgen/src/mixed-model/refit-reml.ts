import {
  choleskyInPlace,
  choleskyLogDeterminant,
  choleskySolveInPlace,
  inverseFactorSingleInPlace,
} from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import { matrixOf } from '@heterosis/linalg/matrix';

/** Matrices of a refit, allocated once for many: at least n × n each. */
export interface RefitRoom {
  single: Float32Array;
  double: Float64Array;
}

/** REML estimates as those of `fitReml` with the intercept as only fixed effect. */
export interface RefittedVariances {
  varianceGenetic: number;
  varianceResidual: number;
  delta: number;
  /** Py = V⁻¹(y − 1b̂), n values. */
  weights: Float64Array;
}

/** Steps of log δ, largest step, and step after which the search ends. */
const MOST_STEPS = 12;
const LARGEST_STEP = 1;
const LAST_STEP = 0.03;
/** Beyond these, relative to the mean of the diagonal, single precision or a boundary is near. */
const SMALLEST_DELTA = 0.01;
const LARGEST_DELTA = 1e3;

/**
 * REML for a kinship that has changed little since the last fit: y = 1μ + g + e, g ~ N(0, σ²g K), e ~ N(0, σ²e I).
 * Searches near the last δ = σ²e/σ²g with the exact score, by average information first (Gilmour et al. 1995) and by
 * secants then, from the inverse of the Cholesky factor of K + δI in single precision; two or three factors replace the
 * reduction of `fitReml`. The error of log δ is then below 10⁻², a small part of its standard error with thousands of
 * records. Estimates and weights at that δ are computed in double precision.
 *
 * Where the likelihood falls from σ²g = 0 (its derivative takes no factor), zero is the estimate when the likelihood at
 * the last δ rises towards it, and otherwise the higher of the two maxima.
 *
 * @param kinship n × n, lower triangle, column-major; unchanged
 * @returns null where the search leaves the range of δ that single precision bears: `fitReml` takes it then
 */
export function refitReml(
  kinship: Float32Array,
  y: Float64Array,
  lastDelta: number,
  room: RefitRoom,
): RefittedVariances | null {
  const n = y.length;
  let scale = 0;
  for (let i = 0; i < n; i++) scale += kinship[i * (n + 1)] / n;
  const falls = fallsFromZero(kinship, y);
  let x = Math.log(lastDelta);
  let below = Number.NEGATIVE_INFINITY;
  let above = Number.POSITIVE_INFINITY;
  let before: { x: number; slope: number } | null = null;
  try {
    for (let step = 0; step < MOST_STEPS; step++) {
      if (falls && Math.exp(x) > LARGEST_DELTA * scale) return withoutGenetic(y);
      if (!(Math.exp(x) > SMALLEST_DELTA * scale && Math.exp(x) < LARGEST_DELTA * scale)) return null;
      const { slope, information } = scoreAt(kinship, y, Math.exp(x), room.single);
      if (falls && step === 0 && slope > 0) return withoutGenetic(y);
      if (slope > 0) below = x;
      else above = x;
      const secant = before === null ? Number.NaN : (slope - before.slope) / (x - before.x);
      const length = slope / (secant < 0 ? -secant : information);
      let next = x + Math.max(-LARGEST_STEP, Math.min(LARGEST_STEP, length));
      // A secant over a bend leaves the interval that holds the maximum.
      if (!(next > below && next < above)) next = (below + above) / 2;
      const move = next - x;
      before = { x, slope };
      x = next;
      if (Math.abs(move) < LAST_STEP) {
        const found = estimatesAt(kinship, y, Math.exp(x), room.double);
        return falls && found.gain < 0 ? withoutGenetic(y) : found;
      }
    }
  } catch (error) {
    if (!(error instanceof LinalgError)) throw error;
  }
  return null;
}

/** Whether the profile log-likelihood falls from σ²g = 0: ν y'PKPy/y'Py < tr(PK) with P = I − 11'/n. O(n²). */
function fallsFromZero(kinship: Float32Array, y: Float64Array): boolean {
  const n = y.length;
  const mean = sum(y) / n;
  const centred = y.map((value) => value - mean);
  let form = 0;
  let total = 0;
  let trace = 0;
  for (let j = 0; j < n; j++) {
    trace += kinship[j + j * n];
    form += kinship[j + j * n] * centred[j] * centred[j];
    total += kinship[j + j * n];
    for (let i = j + 1; i < n; i++) {
      form += 2 * kinship[i + j * n] * centred[i] * centred[j];
      total += 2 * kinship[i + j * n];
    }
  }
  return ((n - 1) * form) / dot(centred, centred) < trace - total / n;
}

function withoutGenetic(y: Float64Array): RefittedVariances {
  const mean = sum(y) / y.length;
  const r = y.map((value) => value - mean);
  const varianceResidual = dot(r, r) / (y.length - 1);
  return {
    varianceGenetic: 0,
    varianceResidual,
    delta: Number.POSITIVE_INFINITY,
    weights: r.map((value) => value / varianceResidual),
  };
}

/** Derivative of the profile log-likelihood by log δ, and its average information. */
function scoreAt(
  kinship: Float32Array,
  y: Float64Array,
  delta: number,
  factor: Float32Array,
): { slope: number; information: number } {
  const n = y.length;
  for (let j = 0; j < n; j++) factor.set(kinship.subarray(j * (n + 1), (j + 1) * n), j * (n + 1));
  for (let i = 0; i < n; i++) factor[i * (n + 1)] += delta;
  inverseFactorSingleInPlace(factor, n);
  const { v, z, trace } = solveBoth(factor, y);
  const total = sum(v);
  const mean = sum(z) / total;
  const r = z.map((value, i) => value - mean * v[i]);
  const quadratic = dot(y, r);
  const square = dot(r, r);
  const h = solve(factor, r);
  const across = dot(r, h) - sum(h) ** 2 / total;
  const degrees = n - 1;
  const variance = quadratic / degrees;
  const slope = -0.5 * delta * (trace - dot(v, v) / total - (degrees * square) / quadratic);
  const information = 0.5 * delta * delta * (across / variance - square ** 2 / (variance * variance * degrees));
  return { slope, information };
}

/** v = (K + δI)⁻¹1 and z = (K + δI)⁻¹y by L⁻ᵀ(L⁻¹x), and tr (K + δI)⁻¹, in two passes over L⁻¹. */
function solveBoth(inverseFactor: Float32Array, y: Float64Array): { v: Float64Array; z: Float64Array; trace: number } {
  const n = y.length;
  const halfOne = new Float64Array(n);
  const half = new Float64Array(n);
  let trace = 0;
  for (let j = 0; j < n; j++) {
    const value = y[j];
    for (let i = j; i < n; i++) {
      const one = inverseFactor[i + j * n];
      trace += one * one;
      halfOne[i] += one;
      half[i] += one * value;
    }
  }
  const v = new Float64Array(n);
  const z = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    let ofOne = 0;
    let ofValues = 0;
    for (let i = j; i < n; i++) {
      const one = inverseFactor[i + j * n];
      ofOne += one * halfOne[i];
      ofValues += one * half[i];
    }
    v[j] = ofOne;
    z[j] = ofValues;
  }
  return { v, z, trace };
}

/** (K + δI)⁻¹x = L⁻ᵀ(L⁻¹x), two columns of L⁻¹ at a time. */
function solve(inverseFactor: Float32Array, x: Float64Array): Float64Array {
  const n = x.length;
  const half = new Float64Array(n);
  const solved = new Float64Array(n);
  const even = n - (n % 2);
  for (let j = 0; j < even; j += 2) {
    const [at, next, one, other] = [j * n, (j + 1) * n, x[j], x[j + 1]];
    half[j] += inverseFactor[at + j] * one;
    for (let i = j + 1; i < n; i++) half[i] = half[i] + inverseFactor[at + i] * one + inverseFactor[next + i] * other;
  }
  if (even < n) half[even] += inverseFactor[even * (n + 1)] * x[even];
  for (let j = 0; j < even; j += 2) {
    const [at, next] = [j * n, (j + 1) * n];
    let one = inverseFactor[at + j] * half[j];
    let other = 0;
    for (let i = j + 1; i < n; i++) {
      one += inverseFactor[at + i] * half[i];
      other += inverseFactor[next + i] * half[i];
    }
    solved[j] = one;
    solved[j + 1] = other;
  }
  if (even < n) solved[even] = inverseFactor[even * (n + 1)] * half[even];
  return solved;
}

/** With the gain in log-likelihood over σ²g = 0. */
function estimatesAt(
  kinship: Float32Array,
  y: Float64Array,
  delta: number,
  room: Float64Array,
): RefittedVariances & { gain: number } {
  const n = y.length;
  const square = room.subarray(0, n * n);
  square.set(kinship.subarray(0, n * n));
  for (let i = 0; i < n; i++) square[i * (n + 1)] += delta;
  const solved = new Float64Array(2 * n).fill(1);
  solved.set(y);
  const factor = choleskyInPlace(matrixOf(n, n, square));
  choleskySolveInPlace(factor, matrixOf(n, 2, solved));
  const z = solved.subarray(0, n);
  const v = solved.subarray(n);
  const mean = sum(z) / sum(v);
  const r = z.map((value, i) => value - mean * v[i]);
  const quadratic = dot(y, r);
  const varianceGenetic = quadratic / (n - 1);
  const without = dot(y, y) - sum(y) ** 2 / n;
  const determinant = choleskyLogDeterminant(factor) + Math.log(sum(v) / n);
  return {
    gain: 0.5 * ((n - 1) * Math.log(without / quadratic) - determinant),
    varianceGenetic,
    varianceResidual: delta * varianceGenetic,
    delta,
    weights: r.map((value) => value / varianceGenetic),
  };
}

function sum(x: Float64Array): number {
  let total = 0;
  for (let i = 0; i < x.length; i++) total += x[i];
  return total;
}

function dot(x: Float64Array, y: Float64Array): number {
  let total = 0;
  for (let i = 0; i < x.length; i++) total += x[i] * y[i];
  return total;
}
