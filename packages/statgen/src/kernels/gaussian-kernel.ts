import { createMatrix, type Matrix, requireSquare, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { fitReml, type RemlFit, reduceKernel } from '../mixed-model/fit-reml.ts';
import { StatgenError } from '../statgen-error.ts';

/** Squared Euclidean distances between the marker codes of individuals. */
export interface MarkerDistances {
  /** N × N, divided by `median`. */
  scaled: Matrix;
  /** Of all pairs of different individuals, in the unit of the products they come from. */
  median: number;
}

/** A bandwidth chosen by REML. */
export interface BandwidthChoice {
  bandwidth: number;
  /** Log density of the error contrasts at it. */
  logLikelihood: number;
  /** Of the grid, in its order. */
  profile: { bandwidth: number; logLikelihood: number }[];
  /** The likelihood is largest at an end of the grid, which is then the bandwidth. */
  isAtEnd: boolean;
}

/** log h of the grid: e⁻³ to e³. Below, the kernel is nearly linear in the distances; above, lines are strangers. */
const GRID: readonly number[] = Array.from({ length: 13 }, (_, k) => -3 + 0.5 * k);
/** Last step of log h; the top is flat to about this in double precision. */
const TOLERANCE = 1e-6;
const MOST_STEPS = 60;
const GOLDEN = (3 - Math.sqrt(5)) / 2;

/**
 * D²_ij = g_ii + g_jj − 2g_ij from products of centred marker codes, such as the kinship `vanraden1`. Scale and centre
 * of the codes do not matter after division by the median.
 *
 * @param products N × N, both triangles
 * @throws StatgenError `model-not-applicable` when more than half of all pairs have the same genotype
 */
export function markerDistances(products: Matrix): MarkerDistances {
  const n = requireSquare(products, 'a matrix of products');
  const { data } = products;
  const scaled = createMatrix(n, n);
  const pairs = new Float64Array((n * (n - 1)) / 2);
  let next = 0;
  for (let j = 0; j < n; j++) {
    for (let i = j + 1; i < n; i++) {
      const square = Math.max(0, data[i * (n + 1)] + data[j * (n + 1)] - 2 * data[i + j * n]);
      scaled.data[i + j * n] = square;
      scaled.data[j + i * n] = square;
      pairs[next++] = square;
    }
  }
  pairs.sort();
  const half = pairs.length >> 1;
  const median = pairs.length % 2 === 1 ? pairs[half] : (pairs[half - 1] + pairs[half]) / 2;
  if (!(median > 0)) {
    throw new StatgenError('model-not-applicable', 'half of all pairs of individuals have the same genotype', { n });
  }
  for (let k = 0; k < scaled.data.length; k++) scaled.data[k] /= median;
  return { scaled, median };
}

/**
 * D² of n individuals to k others, from products of codes with the same centre and divisor, over a median known before.
 *
 * @param across products of the n with the k, n × k
 * @param own products of the n, and of the k, with themselves
 */
export function distancesAcross(
  across: Matrix,
  own: { rows: Float64Array; columns: Float64Array },
  median: number,
): Pick<MarkerDistances, 'scaled'> {
  const { rows: n, columns: k } = across;
  const scaled = createMatrix(n, k);
  for (let j = 0; j < k; j++) {
    for (let i = 0; i < n; i++) {
      scaled.data[i + j * n] = Math.max(0, own.rows[i] + own.columns[j] - 2 * across.data[i + j * n]) / median;
    }
  }
  return { scaled };
}

/**
 * exp(−h·D²/median): 1 on the diagonal, e⁻ʰ for a pair at the median distance (Gianola & van Kaam 2008, Genetics
 * 178:2289; scaled as by Pérez-Elizalde et al. 2015, J Agric Biol Environ Stat 20:512). It is not centred, see
 * `centreOf`.
 */
export function gaussianKernel({ scaled }: Pick<MarkerDistances, 'scaled'>, bandwidth: number): Matrix {
  const { rows, columns, data } = scaled;
  return { rows, columns, data: data.map((square) => Math.exp(-bandwidth * square)) };
}

/** The mean of Gaussian kernels of several bandwidths (de los Campos et al. 2010, Genet Res 92:295). */
export function averageKernel(distances: Pick<MarkerDistances, 'scaled'>, bandwidths: readonly number[]): Matrix {
  const { rows, columns } = distances.scaled;
  const mean = createMatrix(rows, columns);
  for (const bandwidth of bandwidths) {
    const { data } = gaussianKernel(distances, bandwidth);
    for (let k = 0; k < data.length; k++) mean.data[k] += data[k] / bandwidths.length;
  }
  return mean;
}

/** What a kernel is centred by, and its scale. */
export interface KernelCentre {
  /** Its mean over the individuals of the base, of each individual. */
  means: Float64Array;
  /** Mean of the means of these individuals. */
  grand: number;
  /** Mean of their own kernels once it is centred. */
  scale: number;
}

/**
 * Means of a kernel over some individuals, the base: less them, values are deviations from the mean of the base, as
 * with a centred kinship, and their errors have no part of that mean. No prediction changes, since fits have a mean.
 *
 * @param kernel n × n, those of the base first
 */
export function centreOf({ rows: n, data }: Matrix, base: number): KernelCentre {
  const means = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    let sum = 0;
    for (let i = 0; i < base; i++) sum += data[i + j * n];
    means[j] = sum / base;
  }
  const grand = means.subarray(0, base).reduce((sum, mean) => sum + mean, 0) / base;
  let scale = 0;
  for (let i = 0; i < base; i++) scale += (data[i * (n + 1)] - 2 * means[i] + grand) / base;
  return { means, grand, scale };
}

/**
 * A kernel of n individuals with k others, centred, with a mean of 1 of the base with itself.
 *
 * @param others means of the k over the base; those of the n unless told
 */
export function centredKernel(
  kernel: Matrix,
  { means, grand, scale }: KernelCentre,
  others: Float64Array = means,
): Matrix {
  const { rows, columns, data } = kernel;
  const centred = createMatrix(rows, columns);
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i < rows; i++)
      centred.data[i + j * rows] = (data[i + j * rows] - means[i] - others[j] + grand) / scale;
  }
  return centred;
}

/**
 * The bandwidth with the largest REML likelihood of y = Xb + u + e, u ~ N(0, σ²K(h)): a grid of 13 values from e⁻³ to
 * e³, then Brent's method around the best. O(n³) a value.
 *
 * @param individuals places of those with a value
 * @param x their fixed effects, n × c
 * @param y their values
 * @throws StatgenError of `reduceKernel` and `fitReml`
 */
export function chooseBandwidth(
  distances: MarkerDistances,
  individuals: Int32Array,
  x: Matrix,
  y: Float64Array,
): BandwidthChoice {
  const scaled = selectRowsAndColumns(distances.scaled, individuals, individuals);
  const fitAt = (logBandwidth: number): RemlFit =>
    fitReml(reduceKernel(gaussianKernel({ ...distances, scaled }, Math.exp(logBandwidth)), x), y);
  const profile = GRID.map((at) => ({ bandwidth: Math.exp(at), logLikelihood: fitAt(at).logLikelihood }));
  const best = profile.reduce((top, { logLikelihood }, k) => (logLikelihood > profile[top].logLikelihood ? k : top), 0);
  if (best === 0 || best === GRID.length - 1) return { ...profile[best], profile, isAtEnd: true };
  const start = { at: GRID[best], value: profile[best].logLikelihood };
  const found = maximumBetween((at) => fitAt(at).logLikelihood, GRID[best - 1], GRID[best + 1], start);
  return { bandwidth: Math.exp(found.at), logLikelihood: found.value, profile, isAtEnd: false };
}

/** The maximum of a function between two places around a better one (Brent 1973, chapter 5). */
function maximumBetween(
  f: (at: number) => number,
  from: number,
  to: number,
  start: { at: number; value: number },
): { at: number; value: number } {
  let [low, high] = [from, to];
  let best = start;
  let second = start;
  let third = start;
  let step = 0;
  let before = 0;
  for (let k = 0; k < MOST_STEPS; k++) {
    const middle = (low + high) / 2;
    if (Math.abs(best.at - middle) <= 2 * TOLERANCE - (high - low) / 2) break;
    const parabola = parabolicStep(best, second, third);
    const isUsable =
      Number.isFinite(parabola) &&
      Math.abs(parabola) < Math.abs(before) / 2 &&
      best.at + parabola > low + TOLERANCE &&
      best.at + parabola < high - TOLERANCE;
    const side = best.at < middle ? high - best.at : low - best.at;
    before = isUsable ? step : side;
    step = isUsable ? parabola : GOLDEN * side;
    const at = best.at + (Math.abs(step) >= TOLERANCE ? step : Math.sign(step) * TOLERANCE);
    const tried = { at, value: f(at) };
    if (tried.value >= best.value) {
      if (at >= best.at) low = best.at;
      else high = best.at;
      [third, second, best] = [second, best, tried];
    } else {
      if (at < best.at) low = at;
      else high = at;
      if (tried.value >= second.value || second === best) [third, second] = [second, tried];
      else if (tried.value >= third.value || third === best || third === second) third = tried;
    }
  }
  return best;
}

/** From the best of three points to the top of the parabola through them; NaN where there is none. */
function parabolicStep(
  best: { at: number; value: number },
  second: { at: number; value: number },
  third: { at: number; value: number },
): number {
  const r = (best.at - second.at) * (best.value - third.value);
  const q = (best.at - third.at) * (best.value - second.value);
  const numerator = (best.at - third.at) * q - (best.at - second.at) * r;
  return -numerator / (2 * (q - r));
}
