import {
  type CholeskyFactor,
  choleskyLogDeterminant,
  choleskyLowerInverseInPlace,
  solveLowerInPlace,
} from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import { type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { squaresOfPart, sumOfPart } from './part-sums.ts';

/** Equations of the columns of one or more kinships, m of each, free of the fixed effects. */
export interface LikelihoodEquations {
  readonly m: number;
  /** Error contrasts. */
  readonly order: number;
  /** Of each kinship. */
  readonly divisors: readonly number[];
  /** Of each kinship among the contrasts; 0 without variation. */
  readonly meanEigenvalues: readonly number[];
  /** Diagonal of C. */
  readonly diagonal: Float64Array;
  /** Columns × traits: F̃'ỹ. */
  readonly z: Matrix;
  /** ỹ'ỹ of each trait. */
  readonly squares: Float64Array;
  /** The Cholesky factor of I + SCS, S = diag(weights); the next call overwrites it. */
  factor(weights: Float64Array): CholeskyFactor;
  /** C·v. */
  times(v: Float64Array): Float64Array;
  /** Columns `first` … `first + count − 1` of C. */
  columns(first: number, count: number): Matrix;
}

/** The likelihood at θ, with B = I + SCS. */
export interface LikelihoodState<Theta extends readonly number[]> {
  /** Variances of the kinships, then of the residual. */
  theta: Theta;
  value: number;
  /** z'V⁻¹z of the trait's contrasts. */
  quadratic: number;
  weights: Float64Array;
  /** L⁻¹S·F̃'z. */
  half: Float64Array;
}

/** Sums over the individuals that derivatives are made of, x = V⁻¹z. */
interface Solved {
  /** F̃'x. */
  images: Float64Array;
  /** x'x. */
  square: number;
  /** B⁻¹S·F̃'z. */
  solution: Float64Array;
}

export interface MarkerLikelihood<Theta extends readonly number[]> {
  order: number;
  /** Variance of the trait among the contrasts. */
  traitVariance: number;
  /** Mean eigenvalue of each kinship, by which it is divided; 1 where it is 0. */
  scales: number[];
  isEmpty: boolean[];
  /** Undefined where V is not positive definite. */
  evaluate(theta: Theta): LikelihoodState<Theta> | undefined;
  /** −½(tr V⁻¹K − z'V⁻¹KV⁻¹z) and ½(KV⁻¹z)'V⁻¹(KV⁻¹z) of the kinships, then the residual. */
  derivatives(state: LikelihoodState<Theta>): { gradient: number[]; information: number[][] };
  informationAt(state: LikelihoodState<Theta>): number[][];
  solve(state: LikelihoodState<Theta>): Solved;
  factorOf(state: Pick<LikelihoodState<Theta>, 'weights'>): CholeskyFactor;
}

/**
 * The restricted likelihood of one trait from the equations of the markers, its kinships scaled to a mean diagonal of 1
 * among the contrasts, and itself to a variance of 1. With φ_k = σ²_k/(divisor_k·σ²e) for the columns of kinship k, S =
 * diag(√φ) and B = I + SCS, V = σ²e(I + F̃S²F̃') gives
 *
 * - log|V| = log|B| + (n − c)·log σ²e and y'Py·σ²e = ỹ'ỹ − |L⁻¹Sz|², LL' = B;
 * - S·F̃'V⁻¹ỹ = B⁻¹Sz/σ²e, effects S·B⁻¹Sz;
 * - tr V⁻¹K_k = (m − tr B⁻¹_kk)/(φ_k·divisor_k·σ²e).
 *
 * A variance of 0 needs no special case: its rows of B are those of I.
 */
export function createMarkerLikelihood<Theta extends readonly number[]>(
  equations: LikelihoodEquations,
  trait: number,
): MarkerLikelihood<Theta> {
  const { m, order, divisors, meanEigenvalues, diagonal } = equations;
  const size = divisors.length * m;
  const kernels = [...divisors.keys()];
  const both = [...kernels, divisors.length];
  const traitVariance = equations.squares[trait] / order;
  const z = equations.z.data
    .subarray(trait * size, (trait + 1) * size)
    .map((value) => value / Math.sqrt(traitVariance));
  const scales = meanEigenvalues.map((mean) => (mean > 0 ? mean : 1));
  const isEmpty = meanEigenvalues.map((mean) => mean === 0);
  const kernelOf = (i: number): number => Math.floor(i / m);
  const residualOf = (theta: Theta): number => theta[kernels.length];
  let factored: { weights: Float64Array; factor: CholeskyFactor } | undefined;

  const factorOf = ({ weights }: Pick<LikelihoodState<Theta>, 'weights'>): CholeskyFactor => {
    if (factored?.weights !== weights) {
      factored = undefined;
      factored = { weights, factor: equations.factor(weights) };
    }
    return factored.factor;
  };
  const halfSolve = (state: Pick<LikelihoodState<Theta>, 'weights'>, v: Float64Array): Float64Array => {
    const half = v.map((value, i) => value * state.weights[i]);
    solveLowerInPlace(factorOf(state).lower, matrixOf(size, 1, half));
    return half;
  };

  const evaluate = (theta: Theta): LikelihoodState<Theta> | undefined => {
    const residual = residualOf(theta);
    const roots = kernels.map((k) => Math.sqrt(theta[k] / (scales[k] * divisors[k] * residual)));
    const weights = Float64Array.from({ length: size }, (_, i) => roots[kernelOf(i)]);
    try {
      const half = halfSolve({ weights }, z);
      const quadratic = (order - dot(half, half)) / residual;
      const logDeterminant = choleskyLogDeterminant(factorOf({ weights })) + order * Math.log(residual);
      const value = -0.5 * (order * Math.log(2 * Math.PI) + logDeterminant + quadratic);
      return Number.isFinite(value) ? { theta, value, quadratic, weights, half } : undefined;
    } catch (error) {
      if (error instanceof LinalgError && error.code === 'not-positive-definite') return undefined;
      throw error;
    }
  };

  const solve = (state: LikelihoodState<Theta>): Solved => {
    const residual = residualOf(state.theta);
    const solution = state.half.slice();
    solveLowerInPlace(factorOf(state).lower, matrixOf(size, 1, solution), { transposed: true });
    const images = solution.map((value, i) => value / (state.weights[i] * residual));
    if (state.weights.some((weight) => weight === 0)) {
      const explained = equations.times(solution.map((value, i) => value * state.weights[i]));
      for (let i = 0; i < size; i++) if (state.weights[i] === 0) images[i] = (z[i] - explained[i]) / residual;
    }
    const square = (order - dot(state.half, state.half) - dot(solution, solution)) / residual ** 2;
    return { images, square, solution };
  };

  /** K_k·x = F̃·v for the scaled kernel K_k = F̃_kF̃_k'/(divisor_k·scale_k): v is F̃_k'x over that divisor. */
  const ownColumns = (k: number, images: Float64Array): Float64Array =>
    images.map((value, i) => (kernelOf(i) === k && !isEmpty[k] ? value / (divisors[k] * scales[k]) : 0));

  const informationFrom = (state: LikelihoodState<Theta>, { images, square }: Solved): number[][] => {
    const residual = residualOf(state.theta);
    const columns = kernels.map((k) => ownColumns(k, images));
    const products = columns.map((own) => equations.times(own));
    const halves = [...products, images].map((v) => halfSolve(state, v));
    const crossOf = (k: number, l: number): number =>
      k < kernels.length && l < kernels.length
        ? dot(columns[k], products[l])
        : k === l
          ? square
          : dot(columns[Math.min(k, l)], images);
    return both.map((k) => both.map((l) => (0.5 * (crossOf(k, l) - dot(halves[k], halves[l]))) / residual));
  };

  /** tr(C_kk) − |L⁻¹S·C_k|², for a variance so small that the traces of B⁻¹ would leave it no digits. */
  const traceByColumns = (state: LikelihoodState<Theta>, k: number): number => {
    let trace = sumOfPart(diagonal, k * m, m);
    for (let first = 0; first < m; first += COLUMNS_AT_A_TIME) {
      const part = equations.columns(k * m + first, Math.min(COLUMNS_AT_A_TIME, m - first));
      for (let i = 0; i < part.data.length; i++) part.data[i] *= state.weights[i % size];
      solveLowerInPlace(factorOf(state).lower, part);
      trace -= dot(part.data, part.data);
    }
    return trace;
  };

  const derivatives = (state: LikelihoodState<Theta>): { gradient: number[]; information: number[][] } => {
    const residual = residualOf(state.theta);
    const solved = solve(state);
    const information = informationFrom(state, solved);
    const shares = kernels.map((k) => (state.weights[k * m] ** 2 * sumOfPart(diagonal, k * m, m)) / m);
    const byColumns = kernels.map((k) =>
      isEmpty[k] || shares[k] > FEWEST_DIGITS ? undefined : traceByColumns(state, k),
    );
    const inverse = choleskyLowerInverseInPlace(factorOf(state));
    factored = undefined;
    const traces = kernels.map((k) => {
      let trace = 0;
      for (let i = k * m; i < (k + 1) * m; i++) trace += inverse.data[i + i * size];
      return trace;
    });
    const gradientOf = (k: number): number => {
      if (isEmpty[k]) return 0;
      const explained = byColumns[k] ?? (m - traces[k]) / state.weights[k * m] ** 2;
      const own = squaresOfPart(solved.images, k * m, m);
      return (-0.5 * (explained / residual - own)) / (divisors[k] * scales[k]);
    };
    const residualTrace = (order - size + traces.reduce((sum, trace) => sum + trace, 0)) / residual;
    return { gradient: [...kernels.map(gradientOf), -0.5 * (residualTrace - solved.square)], information };
  };

  return {
    ...{ order, isEmpty, scales, traitVariance, evaluate, derivatives, solve, factorOf },
    informationAt: (state) => informationFrom(state, solve(state)),
  };
}

/** Mean eigenvalue of φC below which its part of B⁻¹ is too close to I. */
const FEWEST_DIGITS = 1e-4;
/** Columns of C solved against a factor at a time. */
const COLUMNS_AT_A_TIME = 1024;

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
