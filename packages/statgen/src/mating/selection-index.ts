import { StatgenError } from '../statgen-error.ts';

/** How the weights of an index over several traits are found. */
export const INDEX_METHODS = ['base', 'smith_hazel', 'desired_gains', 'restricted'] as const;
export type IndexMethod = (typeof INDEX_METHODS)[number];

/** What selection is based on, and what it says about the traits. */
export interface IndexInformation {
  /** Covariance P of the k sources of information (here: breeding values as predicted), k × k. */
  covariance: Float64Array;
  /** Covariance G of each source (row) with the true breeding value of each of T traits (column), k × T, by rows. */
  withTraits: Float64Array;
}

/** What is wanted of the T traits. */
export interface IndexWish {
  method: IndexMethod;
  /** Economic weights, or desired gains with `desired_gains`; length T. */
  weights: Float64Array;
  /** Traits that shall not change, by 1; length T; for `restricted`. */
  isKept?: Uint8Array;
}

/**
 * Weights b of the sources of information in the index b'x:
 *
 * - `base`: b = a, the economic weights themselves (Williams 1962, doi 10.2307/2527934); needs k = T.
 * - `smith_hazel`: b = P⁻¹Ga, the largest gain in a'g (Smith 1936; Hazel 1943, doi 10.1093/genetics/28.6.476).
 * - `desired_gains`: b = P⁻¹G(G'P⁻¹G)⁻¹d, gains in proportion to d at the largest intensity-free size (Pesek & Baker
 *   1969, doi 10.4141/cjps69-137; Brascamp 1984 for k > T).
 * - `restricted`: b = [I − P⁻¹C(C'P⁻¹C)⁻¹C']P⁻¹Ga with C the columns of G of the traits kept: the largest gain in a'g
 *   while those do not change (Kempthorne & Nordskog 1959, doi 10.2307/2527598).
 *
 * @throws StatgenError `shape-mismatch`, `bad-option` when the traits say the same, so that no weights exist
 */
export function indexWeights({ covariance, withTraits }: IndexInformation, wish: IndexWish): Float64Array {
  const traits = wish.weights.length;
  const k = Math.round(Math.sqrt(covariance.length));
  if (k * k !== covariance.length || withTraits.length !== k * traits || (wish.method === 'base' && k !== traits))
    throw new StatgenError('shape-mismatch', `covariances of ${k} sources and ${traits} traits do not agree`);
  if (wish.method === 'base') return wish.weights.slice();
  const aim = times(withTraits, wish.weights, k, traits);
  if (wish.method === 'smith_hazel') return solve(covariance, aim);
  const column = (t: number) => Float64Array.from({ length: k }, (_, s) => withTraits[s * traits + t]);
  const chosen = Array.from(wish.weights.keys()).filter(
    (t) => wish.method === 'desired_gains' || (wish.isKept?.[t] ?? 0) === 1,
  );
  const smithHazel = solve(covariance, aim);
  if (chosen.length === 0) return smithHazel;
  // P⁻¹C, and C'P⁻¹C.
  const solved = chosen.map((t) => solve(covariance, column(t)));
  const inner = new Float64Array(chosen.length ** 2);
  chosen.forEach((t, a) => {
    solved.forEach((x, b) => {
      inner[a * chosen.length + b] = dot(column(t), x);
    });
  });
  const right =
    wish.method === 'desired_gains'
      ? Float64Array.from(chosen, (t) => wish.weights[t])
      : Float64Array.from(chosen, (t) => dot(column(t), smithHazel));
  const multipliers = solve(inner, right);
  const b = wish.method === 'desired_gains' ? new Float64Array(k) : smithHazel;
  const sign = wish.method === 'desired_gains' ? 1 : -1;
  solved.forEach((x, a) => {
    for (let s = 0; s < k; s++) b[s] += sign * multipliers[a] * x[s];
  });
  return b;
}

/** What selecting on an index changes. */
export interface IndexGains {
  /** Expected gain of each trait per unit of selection intensity, in its own unit: G'b / √(b'Pb). */
  gains: Float64Array;
  /** Standard deviation of the index, √(b'Pb). */
  sd: number;
}

/** Expected gains of an index (Lin 1978, doi 10.1007/BF00281913); 0 when it does not vary. */
export function expectedGains({ covariance, withTraits }: IndexInformation, b: Float64Array): IndexGains {
  const k = b.length;
  const traits = withTraits.length / k;
  const sd = Math.sqrt(Math.max(0, dot(b, times(covariance, b, k, k))));
  const gains = new Float64Array(traits);
  for (let t = 0; t < traits; t++) for (let s = 0; s < k; s++) gains[t] += b[s] * withTraits[s * traits + t];
  return { gains: gains.map((gain) => (sd > 0 ? gain / sd : 0)), sd };
}

/**
 * What predicted breeding values say about the true ones. P is their covariance among the candidates.
 *
 * Predicted trait by trait, with accuracies r, var(ĝ) = r²·var(g); when the errors of one trait say nothing about
 * another, Cov(ĝ_s, g_t) = P_st·r_s/r_t. With equal accuracies G = P, and the Smith–Hazel index is the base index.
 *
 * Predicted together, by a model with the genetic covariances between the traits, no error of any trait varies with any
 * predicted value (Henderson 1975, Biometrics 31:423), so that Cov(ĝ, g) = P without such an assumption.
 *
 * @param predicted n × T by rows
 * @param accuracy of each trait, above 0 to 1; null: predicted together
 */
export function informationOf(
  predicted: Float64Array,
  traits: number,
  accuracy: Float64Array | null,
): IndexInformation {
  const n = predicted.length / traits;
  const mean = new Float64Array(traits);
  for (let i = 0; i < n; i++) for (let t = 0; t < traits; t++) mean[t] += predicted[i * traits + t] / n;
  const covariance = new Float64Array(traits * traits);
  for (let i = 0; i < n; i++) {
    for (let s = 0; s < traits; s++) {
      const from = predicted[i * traits + s] - mean[s];
      for (let t = 0; t < traits; t++)
        covariance[s * traits + t] += (from * (predicted[i * traits + t] - mean[t])) / Math.max(1, n - 1);
    }
  }
  if (accuracy === null) return { covariance, withTraits: covariance.slice() };
  const withTraits = covariance.map((value, at) => (value * accuracy[Math.floor(at / traits)]) / accuracy[at % traits]);
  return { covariance, withTraits };
}

/** A pivot below this share of its row's diagonal element means that a row repeats others. */
const LEAST_PIVOT = 1e-10;

/** x with M·x = right for a small symmetric matrix, by Gaussian elimination with pivots. */
function solve(matrix: Float64Array, right: Float64Array): Float64Array {
  const k = right.length;
  const m = matrix.slice();
  const x = right.slice();
  // Traits have units of their own: rows and columns are scaled to a diagonal of 1 first.
  const scale = Float64Array.from({ length: k }, (_, i) => 1 / Math.sqrt(Math.abs(matrix[i * k + i]) || 1));
  for (let i = 0; i < k; i++) {
    x[i] *= scale[i];
    for (let j = 0; j < k; j++) m[i * k + j] *= scale[i] * scale[j];
  }
  for (let j = 0; j < k; j++) {
    let pivot = j;
    for (let i = j + 1; i < k; i++) if (Math.abs(m[i * k + j]) > Math.abs(m[pivot * k + j])) pivot = i;
    if (Math.abs(m[pivot * k + j]) < LEAST_PIVOT)
      throw new StatgenError('bad-option', 'the traits of the index say the same, so that it has no unique weights');
    for (let c = 0; c < k; c++) [m[j * k + c], m[pivot * k + c]] = [m[pivot * k + c], m[j * k + c]];
    [x[j], x[pivot]] = [x[pivot], x[j]];
    for (let i = j + 1; i < k; i++) {
      const by = m[i * k + j] / m[j * k + j];
      for (let c = j; c < k; c++) m[i * k + c] -= by * m[j * k + c];
      x[i] -= by * x[j];
    }
  }
  for (let i = k - 1; i >= 0; i--) {
    for (let c = i + 1; c < k; c++) x[i] -= m[i * k + c] * x[c];
    x[i] /= m[i * k + i];
  }
  return x.map((value, i) => value * scale[i]);
}

function times(matrix: Float64Array, x: Float64Array, rows: number, columns: number): Float64Array {
  return Float64Array.from({ length: rows }, (_, i) => dot(matrix.subarray(i * columns, (i + 1) * columns), x));
}

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
  return sum;
}
