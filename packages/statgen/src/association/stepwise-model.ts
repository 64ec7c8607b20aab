import { choleskyInPlace, choleskyInverseInPlace, choleskyLogDeterminant } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { chiSquareP } from './chi-square-tail.ts';
import type { GwasNull } from './prepare-gwas.ts';
import { COLLINEAR_SHARE } from './rotated-markers.ts';

/** A marker taken into the model: its place in the panel, and its contrasts in the basis of the eigenvectors. */
export interface Cofactor {
  marker: number;
  rotated: Float64Array;
}

/** The effect of a cofactor beside all others. */
export interface CofactorEffect {
  marker: number;
  /** Of one copy of A2, in trait units. */
  effect: number;
  se: number;
  /** Wald test, χ² with one degree of freedom. */
  p: number;
  /** Share of the phenotypic variance: effect²/(effect² + n·se²), as of single markers. */
  pve: number;
}

/** A mixed model with markers as fixed effects. */
export interface CofactorModel {
  /** h² = σ²g/(σ²g + σ²e) by REML beside the cofactors, 0 … 0.99. */
  h2: number;
  /** σ²g + σ²e at it. */
  variance: number;
  /** Maximum of the log-likelihood of the contrasts over effects, variance and h². */
  logLikelihood: number;
  /** Modified Bayesian information criterion; the smaller the better. */
  mbic: number;
  /** Extended Bayesian information criterion. */
  ebic: number;
  /** Share of the phenotypic variance that the cofactors explain together: W/(W + n), W their joint Wald statistic. */
  pve: number;
  cofactors: CofactorEffect[];
}

/** Effects that the modified criterion expects before it has seen the data. */
const EXPECTED_EFFECTS = 4;
const LARGEST_H2 = 0.99;
const GRID = 64;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
const GOLDEN_STEPS = 60;

/**
 * Fits y = Xb + Σ gβ + u + e with the cofactors' effects β fixed and both variances estimated again. The criteria
 * compare maximum likelihoods of the contrasts, from which X is gone: with k cofactors of m markers,
 * mBIC = −2ℓ + k·(ln n + 2·ln(m/4)) (Frommlet et al. 2012, Comput Stat Data Anal 56:1038), and
 * eBIC = −2ℓ + k·ln n + 2·ln C(m, k) (Chen & Chen 2008, Biometrika 95:759), n = contrasts. O(n·k²) for each of some
 * 200 values of h².
 *
 * @param markers markers to choose from, m
 * @throws LinalgError `not-positive-definite` when the cofactors are linearly dependent
 */
export function fitCofactors(
  state: GwasNull,
  trait: number,
  cofactors: readonly Cofactor[],
  markers: number,
): CofactorModel {
  const { n, contrastEigenvalues } = state;
  const order = contrastEigenvalues.length;
  const count = cofactors.length;
  const at = (h2: number) => solveAt(state, trait, cofactors, h2);
  const remlH2 = maximise((h2) => at(h2).reml);
  const mlH2 = maximise((h2) => at(h2).ml);
  const fit = at(remlH2);
  const variance = fit.residual / (order - count);
  const wald = fit.explained / variance;
  const logLikelihood = at(mlH2).ml;
  const criterion = -2 * logLikelihood + count * Math.log(order);
  return {
    h2: remlH2,
    variance,
    logLikelihood,
    mbic: criterion + 2 * count * Math.log(markers / EXPECTED_EFFECTS),
    ebic: criterion + 2 * logChoices(markers, count),
    pve: wald / (wald + n),
    cofactors: cofactors.map(({ marker }, k) => {
      const effect = fit.effects[k];
      const se = Math.sqrt(variance * fit.inverse.data[k * (count + 1)]);
      const statistic = (effect / se) ** 2;
      return { marker, effect, se, p: chiSquareP(statistic), pve: statistic / (statistic + n) };
    }),
  };
}

/** Generalised least squares of the contrasts on the cofactors at one h². */
interface SolvedModel {
  effects: Float64Array;
  /** Inverse of G'WG, k × k. */
  inverse: Matrix;
  /** What the cofactors explain of y'Wy, and what they leave. */
  explained: number;
  residual: number;
  ml: number;
  reml: number;
}

function solveAt(state: GwasNull, trait: number, cofactors: readonly Cofactor[], h2: number): SolvedModel {
  const { contrastEigenvalues: d } = state;
  const { rotated: y } = state.traits[trait];
  const order = d.length;
  const count = cofactors.length;
  const weights = d.map((value) => 1 / (1 + h2 * (value - 1)));
  const weighted = createMatrix(order, count);
  const plain = createMatrix(order, count);
  for (const [k, { rotated }] of cofactors.entries()) {
    plain.data.set(rotated, k * order);
    for (let i = 0; i < order; i++) weighted.data[k * order + i] = rotated[i] * weights[i];
  }
  let square = 0;
  let logDeterminant = 0;
  for (let i = 0; i < order; i++) {
    square += y[i] * y[i] * weights[i];
    logDeterminant -= Math.log(weights[i]);
  }
  const factor = choleskyInPlace(multiply(weighted, plain, { transposeA: true }));
  const cofactorDeterminant = choleskyLogDeterminant(factor);
  const inverse = choleskyInverseInPlace(factor);
  const right = multiply(weighted, matrixOf(order, 1, y), { transposeA: true });
  const effects = multiply(inverse, right).data;
  const explained = effects.reduce((sum, effect, k) => sum + effect * right.data[k], 0);
  const residual = Math.max(square - explained, Number.MIN_VALUE);
  const likelihood = (size: number): number =>
    -0.5 * (size * (Math.log((2 * Math.PI * residual) / size) + 1) + logDeterminant);
  return {
    effects,
    inverse,
    explained,
    residual,
    ml: likelihood(order),
    reml: likelihood(order - count) - 0.5 * cofactorDeterminant,
  };
}

/** The highest of 0 ≤ h² ≤ 0.99: a grid, then golden sections around its best point. */
function maximise(value: (h2: number) => number): number {
  const place = (k: number): number => (LARGEST_H2 * k) / GRID;
  let best = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k <= GRID; k++) {
    const found = value(place(k));
    if (found > highest) [best, highest] = [k, found];
  }
  let left = place(Math.max(0, best - 1));
  let right = place(Math.min(GRID, best + 1));
  for (let step = 0; step < GOLDEN_STEPS; step++) {
    const one = right - GOLDEN * (right - left);
    const two = left + GOLDEN * (right - left);
    if (value(one) < value(two)) left = one;
    else right = two;
  }
  const inside = 0.5 * (left + right);
  return [0, LARGEST_H2, inside].reduce((a, b) => (value(b) > value(a) ? b : a), inside);
}

/** ln C(m, k). */
function logChoices(m: number, k: number): number {
  let sum = 0;
  for (let i = 0; i < k; i++) sum += Math.log((m - i) / (k - i));
  return sum;
}

/** The strongest marker of those scanned. */
export interface StrongestMarker extends Cofactor {
  /** Share of what the cofactors leave of the trait that the marker explains. */
  share: number;
}

export interface CofactorScan {
  /** Scans rotated markers, one column each; `places` are their places in the panel. */
  add(places: Int32Array, rotated: Matrix): void;
  /** Undefined where no marker is independent of the cofactors. */
  strongest(): StrongestMarker | undefined;
}

/**
 * Looks for the marker that explains most beside the cofactors, at the variances of their model (Segura et al. 2012,
 * Nat Genet 44:825). The order of markers that explain the same is that of the panel.
 */
export function createCofactorScan(
  state: GwasNull,
  trait: number,
  cofactors: readonly Cofactor[],
  h2: number,
): CofactorScan {
  const { contrastEigenvalues: d } = state;
  const order = d.length;
  const scale = d.map((value) => 1 / Math.sqrt(1 + h2 * (value - 1)));
  const turned = (values: Float64Array): Float64Array => values.map((value, i) => value * scale[i]);
  const axes: Float64Array[] = [];
  for (const { rotated } of cofactors) axes.push(unit(outside(turned(rotated), axes)));
  const residual = unit(outside(turned(state.traits[trait].rotated), axes));
  const factors = createMatrix(order, axes.length + 1);
  for (const [k, column] of [...axes, residual].entries()) factors.data.set(column, k * order);
  let best: StrongestMarker | undefined;
  return {
    add(places, rotated) {
      const scaled = createMatrix(order, rotated.columns);
      for (let j = 0; j < rotated.columns; j++) {
        for (let i = 0; i < order; i++) scaled.data[j * order + i] = rotated.data[j * order + i] * scale[i];
      }
      const products = multiply(factors, scaled, { transposeA: true });
      for (let j = 0; j < rotated.columns; j++) {
        let length = 0;
        for (let i = j * order; i < (j + 1) * order; i++) length += scaled.data[i] * scaled.data[i];
        let left = length;
        for (let k = 0; k < axes.length; k++) left -= products.data[j * factors.columns + k] ** 2;
        if (!(left > DEPENDENT_SHARE * length)) continue;
        const share = products.data[j * factors.columns + axes.length] ** 2 / left;
        if (best !== undefined && !(share > best.share)) continue;
        best = { marker: places[j], share, rotated: rotated.data.slice(j * order, (j + 1) * order) };
      }
    },
    strongest: () => best,
  };
}

/** A marker that follows from the cofactors has less than this share of its own. */
const DEPENDENT_SHARE = Math.sqrt(COLLINEAR_SHARE);

function outside(values: Float64Array, axes: readonly Float64Array[]): Float64Array {
  for (let pass = 0; pass < 2; pass++) {
    for (const axis of axes) {
      let product = 0;
      for (let i = 0; i < values.length; i++) product += axis[i] * values[i];
      for (let i = 0; i < values.length; i++) values[i] -= product * axis[i];
    }
  }
  return values;
}

function unit(values: Float64Array): Float64Array {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return values.map((value) => value / length);
}

/** The cofactor that explains least beside the others. */
export function weakestCofactor({ cofactors }: CofactorModel): number {
  return cofactors.reduce((weakest, { pve }, k) => (pve < cofactors[weakest].pve ? k : weakest), 0);
}
