import { factorSingleInPlace, invertFactorSingleInPlace, solveSingleInPlace } from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';

/** Matrices of a refit, allocated once for many: at least n × n each. */
export interface RefitRoom {
  factor: Float32Array;
  inverse: Float32Array;
}

/** REML estimates as those of `fitReml` with the intercept as only fixed effect. */
export interface RefittedVariances {
  varianceGenetic: number;
  varianceResidual: number;
  delta: number;
  /** Py = V⁻¹(y − 1b̂), n values. */
  weights: Float64Array;
}

/** Steps of log δ, largest step, and steps after which the search ends: by average information, and by a secant. */
const MOST_STEPS = 12;
const LARGEST_STEP = 1;
const LAST_STEP = 0.03;
const LAST_SECANT = 0.06;
/** Beyond these, relative to the mean of the diagonal, single precision or a boundary is near. */
const SMALLEST_DELTA = 0.01;
const LARGEST_DELTA = 1e3;

/**
 * REML for a kinship that has changed little since the last fit: y = 1μ + g + e, g ~ N(0, σ²g K), e ~ N(0, σ²e I).
 * Searches near the last δ = σ²e/σ²g with the exact score, by average information first (Gilmour et al. 1995) and by
 * secants then, from the Cholesky factor of K + δI in single precision; after a short step the score is expanded from
 * the factor before, so that one factor or two replace the reduction of `fitReml`. The error of log δ is then below
 * 10⁻², a small part of its standard error with thousands of records.
 * Estimates and weights at that δ are solved to double precision by conjugate gradients, with the last factor as
 * preconditioner.
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
  const mean = sum(y) / n;
  const centred = y.map((value) => value - mean);
  let x = Math.log(lastDelta);
  let below = Number.NEGATIVE_INFINITY;
  let above = Number.POSITIVE_INFINITY;
  let before: { x: number; slope: number } | null = null;
  let expand: ((move: number) => Score | null) | null = null;
  let expandedAt = Number.NaN;
  try {
    for (let step = 0; step < MOST_STEPS; step++) {
      if (falls && Math.exp(x) > LARGEST_DELTA * scale) return withoutGenetic(y);
      if (!(Math.exp(x) > SMALLEST_DELTA * scale && Math.exp(x) < LARGEST_DELTA * scale)) return null;
      const near: Score | null = expand !== null && Math.abs(x - expandedAt) <= NEAR ? expand(x - expandedAt) : null;
      const found: Score = near ?? scoreAt({ kinship, y: centred, x }, before === null, room);
      const { slope, information } = found;
      if (near === null) {
        expandedAt = x;
        expand = expansionAt({ y: centred, x }, found, room.factor);
      }
      if (falls && step === 0 && slope > 0) return withoutGenetic(y);
      if (slope > 0) below = x;
      else above = x;
      const secant = before === null ? Number.NaN : (slope - before.slope) / (x - before.x);
      const length = slope / (secant < 0 ? -secant : information);
      let next = x + Math.max(-LARGEST_STEP, Math.min(LARGEST_STEP, length));
      // A secant over a bend leaves the interval that holds the maximum.
      if (!(next > below && next < above)) next = (below + above) / 2;
      const move = next - x;
      const last = secant < 0 ? LAST_SECANT : LAST_STEP;
      before = { x, slope };
      x = next;
      if (Math.abs(move) < last) {
        const estimates = estimatesAt({ kinship, y: centred, x }, room.factor);
        if (estimates === null) return null;
        const { quadratic, total, ...fit } = estimates;
        if (!falls) return fit;
        const determinant = found.logDeterminant + move * found.trace + Math.log(total / n);
        const gain = 0.5 * ((n - 1) * Math.log(dot(centred, centred) / quadratic) - determinant);
        return gain < 0 ? withoutGenetic(y) : fit;
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

/** A kinship, centred values, and a log δ. */
interface Place {
  kinship: Float32Array;
  y: Float64Array;
  x: number;
}

interface Score {
  slope: number;
  /** NaN unless it is asked for. */
  information: number;
  /** V⁻¹(y, 1) of the matrix that was factored, two columns. */
  solved: Float32Array;
  /** log |K + δI| and its derivative by log δ. */
  logDeterminant: number;
  trace: number;
}

/** Derivative of the profile log-likelihood by log δ, and its average information. Leaves the factor in the room. */
function scoreAt({ kinship, y, x }: Place, hasInformation: boolean, { factor, inverse }: RefitRoom): Score {
  const n = y.length;
  const delta = Math.exp(x);
  for (let j = 0; j < n; j++) factor.set(kinship.subarray(j * (n + 1), (j + 1) * n), j * (n + 1));
  for (let i = 0; i < n; i++) factor[i * (n + 1)] += delta;
  factorSingleInPlace(factor, n);
  const solved = new Float32Array(2 * n).fill(1);
  solved.set(y);
  solveSingleInPlace(factor, solved, n);
  const z = Float64Array.from(solved.subarray(0, n));
  const v = Float64Array.from(solved.subarray(n));
  const total = sum(v);
  const mean = sum(z) / total;
  const r = z.map((value, i) => value - mean * v[i]);
  const quadratic = dot(y, r);
  const square = dot(r, r);
  const degrees = n - 1;
  const variance = quadratic / degrees;
  let information = Number.NaN;
  if (hasInformation) {
    const again = Float32Array.from(r);
    solveSingleInPlace(factor, again, n);
    const h = Float64Array.from(again);
    const across = dot(r, h) - sum(h) ** 2 / total;
    information = 0.5 * delta * delta * (across / variance - square ** 2 / (variance * variance * degrees));
  }
  let logDeterminant = 0;
  for (let j = 0; j < n; j++) {
    logDeterminant += 2 * Math.log(factor[j * (n + 1)]);
    inverse.set(factor.subarray(j * (n + 1), (j + 1) * n), j * (n + 1));
  }
  invertFactorSingleInPlace(inverse, n);
  let norm = 0;
  for (let j = 0; j < n; j++) for (let i = j; i < n; i++) norm += inverse[i + j * n] * inverse[i + j * n];
  const trace = delta * norm;
  return { slope: slopeOf(y, { z, v, trace, delta }), information, logDeterminant, trace, solved };
}

/** The slope by log δ from V⁻¹y, V⁻¹1 and δ tr(V⁻¹). */
function slopeOf(
  y: Float64Array,
  { z, v, trace, delta }: { z: Float64Array; v: Float64Array; trace: number; delta: number },
): number {
  const total = sum(v);
  const mean = sum(z) / total;
  const r = z.map((value, i) => value - mean * v[i]);
  return -0.5 * (trace - (delta * dot(v, v)) / total - (delta * (y.length - 1) * dot(r, r)) / dot(y, r));
}

/** So far in log δ from a factor a score is expanded, and the largest standard error of log δ that it may bring. */
const NEAR = 0.4;
const LARGEST_DOUBT = 0.006;
const PROBES = 32;

/**
 * The score at places near one that was factored, without another factor. With p = δ/(λ + δ) of each eigenvalue λ of K
 * the trace is Σp, and its derivatives by log δ are Σp(1 − p) and so on, whose terms tr(V⁻ᵏ) are means over probes of
 * ±1 (Hutchinson 1990): only the change is estimated. V⁻¹y and V⁻¹1 are the best of three powers of the factored
 * inverse. Null where the probes leave more doubt about log δ than `LARGEST_DOUBT`.
 */
function expansionAt(
  { y, x }: Pick<Place, 'y' | 'x'>,
  { trace, logDeterminant, information, solved }: Score,
  factor: Float32Array,
): (move: number) => Score | null {
  const n = y.length;
  const delta = Math.exp(x);
  let powers: Float32Array[] | null = null;
  const columnOf = (k: number, c: number): Float32Array => (powers as Float32Array[])[k].subarray(c * n, (c + 1) * n);
  return (move) => {
    if (Number.isNaN(information)) return null;
    powers ??= powersOf(factor, solved, n);
    const [, inverse, square] = powers;
    let change = 0;
    let squares = 0;
    let area = 0;
    for (let c = 0; c < PROBES; c++) {
      const [w, u] = [columnOf(1, c), columnOf(2, c)];
      const one = delta * dot(columnOf(0, c), w);
      const two = delta ** 2 * dot(w, w);
      const three = delta ** 3 * dot(w, u);
      const four = delta ** 4 * dot(u, u);
      const first = one - two;
      const second = one - 3 * two + 2 * three;
      const third = one - 7 * two + 12 * three - 6 * four;
      const rise = move * first + (move ** 2 / 2) * second + (move ** 3 / 6) * third;
      change += rise / PROBES;
      squares += rise ** 2;
      area += ((move ** 2 / 2) * first + (move ** 3 / 6) * second) / PROBES;
    }
    const deviation = Math.sqrt(Math.max(0, squares - PROBES * change ** 2) / (PROBES * (PROBES - 1)));
    if (!(0.5 * deviation <= LARGEST_DOUBT * information)) return null;
    const shift = delta * Math.expm1(move);
    const columnAt = (of: Float32Array, c: number) => of.subarray((PROBES + c) * n, (PROBES + c + 1) * n);
    const best = (right: Float64Array, c: number): Float64Array =>
      bestOfPowers(right, [solved.subarray(c * n, (c + 1) * n), columnAt(inverse, c), columnAt(square, c)], shift);
    const z = best(y, 0);
    const v = best(new Float64Array(n).fill(1), 1);
    const there = trace + change;
    return {
      ...{ slope: slopeOf(y, { z, v, trace: there, delta: delta + shift }), information, solved, trace: there },
      logDeterminant: logDeterminant + move * trace + area,
    };
  };
}

/** Probes with V⁻¹(y, 1) behind them, and V⁻¹ and V⁻² of all these columns. */
function powersOf(factor: Float32Array, solved: Float32Array, n: number): Float32Array[] {
  const columns = new Float32Array((PROBES + 2) * n);
  for (let at = 0; at < PROBES * n; at++) columns[at] = signAt(at);
  columns.set(solved, PROBES * n);
  const inverse = columns.slice();
  solveSingleInPlace(factor, inverse, n);
  const square = inverse.slice();
  solveSingleInPlace(factor, square, n);
  return [columns, inverse, square];
}

/** A sign for each number, the same for ever: bits of a hash (Steele, Lea & Flood 2014). */
function signAt(at: number): number {
  let z = Math.imul(at + 1, 0x9e3779b9);
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
  return (z ^ (z >>> 16)) & 1 ? 1 : -1;
}

/** The solution x of (V + εI)x = b among combinations of V⁻¹b, V⁻²b and V⁻³b with the least error in its own norm. */
function bestOfPowers(b: Float64Array, powers: readonly Float32Array[], shift: number): Float64Array {
  const k = powers.length;
  const below = (c: number) => (c === 0 ? b : powers[c - 1]);
  const rows = powers.map((row) => [
    ...powers.map((column, c) => dot(row, below(c)) + shift * dot(row, column)),
    dot(row, b),
  ]);
  for (let i = 0; i < k; i++) {
    for (let j = i + 1; j < k; j++) {
      const share = rows[j][i] / rows[i][i];
      for (let c = i; c <= k; c++) rows[j][c] -= share * rows[i][c];
    }
  }
  const found = new Float64Array(b.length);
  const weights: number[] = [];
  for (let i = k - 1; i >= 0; i--) {
    let rest = rows[i][k];
    for (let j = i + 1; j < k; j++) rest -= rows[i][j] * weights[j];
    weights[i] = rest / rows[i][i];
    for (let at = 0; at < found.length; at++) found[at] += weights[i] * powers[i][at];
  }
  return found;
}

/** Most steps of conjugate gradients, and the residual after which they end. A near factor takes about five. */
const MOST_GRADIENTS = 30;
const LAST_RESIDUAL = 1e-10;

/** Estimates at a log δ near that of the factor; null where they do not settle. */
function estimatesAt(
  { kinship, y, x }: Place,
  factor: Float32Array,
): (RefittedVariances & { quadratic: number; total: number }) | null {
  const n = y.length;
  const delta = Math.exp(x);
  const right = new Float64Array(2 * n).fill(1);
  right.set(y);
  const solved = solveNear(kinship, delta, factor, right);
  if (solved === null) return null;
  const z = solved.subarray(0, n);
  const v = solved.subarray(n);
  const total = sum(v);
  const mean = sum(z) / total;
  const r = z.map((value, i) => value - mean * v[i]);
  const quadratic = dot(y, r);
  const varianceGenetic = quadratic / (n - 1);
  return {
    ...{ quadratic, total, varianceGenetic, varianceResidual: delta * varianceGenetic, delta },
    weights: r.map((value) => value / varianceGenetic),
  };
}

/**
 * (K + δI)⁻¹B for two columns by conjugate gradients, each with steps of its own, with the factor of a near matrix as
 * preconditioner (Golub & Van Loan 2013, algorithm 11.5.1); null where they do not settle.
 */
function solveNear(kinship: Float32Array, delta: number, factor: Float32Array, b: Float64Array): Float64Array | null {
  const n = b.length / 2;
  const single = new Float32Array(2 * n);
  const precondition = (of: Float64Array): Float64Array => {
    single.set(of);
    solveSingleInPlace(factor, single, n);
    return Float64Array.from(single);
  };
  const column = (of: Float64Array, c: number) => of.subarray(c * n, (c + 1) * n);
  const solved = new Float64Array(2 * n);
  const residual = Float64Array.from(b);
  let prepared = precondition(residual);
  const direction = Float64Array.from(prepared);
  const last = [0, 1].map((c) => LAST_RESIDUAL ** 2 * dot(column(b, c), column(b, c)));
  const product = new Float64Array(2 * n);
  for (let step = 0; step < MOST_GRADIENTS; step++) {
    timesShifted(kinship, delta, direction, product);
    const before = [0, 1].map((c) => dot(column(residual, c), column(prepared, c)));
    for (const c of [0, 1]) {
      const curvature = dot(column(direction, c), column(product, c));
      const length = curvature > 0 ? before[c] / curvature : 0;
      for (let i = c * n; i < (c + 1) * n; i++) {
        solved[i] += length * direction[i];
        residual[i] -= length * product[i];
      }
    }
    if ([0, 1].every((c) => dot(column(residual, c), column(residual, c)) <= last[c])) return solved;
    prepared = precondition(residual);
    for (const c of [0, 1]) {
      const share = before[c] > 0 ? dot(column(residual, c), column(prepared, c)) / before[c] : 0;
      for (let i = c * n; i < (c + 1) * n; i++) direction[i] = prepared[i] + share * direction[i];
    }
  }
  return null;
}

/** (K + δI)X for two columns, from the lower triangle. */
function timesShifted(kinship: Float32Array, delta: number, x: Float64Array, product: Float64Array): void {
  const n = x.length / 2;
  for (let i = 0; i < 2 * n; i++) product[i] = delta * x[i];
  for (let j = 0; j < n; j++) {
    const [one, other] = [x[j], x[n + j]];
    let sumOne = kinship[j + j * n] * one;
    let sumOther = kinship[j + j * n] * other;
    for (let i = j + 1, at = j + 1 + j * n; i < n; i++, at++) {
      const shared = kinship[at];
      sumOne += shared * x[i];
      sumOther += shared * x[n + i];
      product[i] += shared * one;
      product[n + i] += shared * other;
    }
    product[j] += sumOne;
    product[n + j] += sumOther;
  }
}

function sum(x: Float64Array): number {
  let total = 0;
  for (let i = 0; i < x.length; i++) total += x[i];
  return total;
}

function dot(x: Float64Array | Float32Array, y: Float64Array | Float32Array): number {
  let total = 0;
  for (let i = 0; i < x.length; i++) total += x[i] * y[i];
  return total;
}
