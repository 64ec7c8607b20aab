import type { CholeskyFactor } from '@heterosis/linalg/cholesky';
import { type ComponentCovariance, covarianceFrom } from '../mixed-model/heritability.ts';
import {
  type SearchLimits,
  SMALLEST_RESIDUAL,
  searchVariances,
  type Theta,
} from '../mixed-model/two-variance-search.ts';
import type { DominanceEquations } from './dominance-equations.ts';
import { createMarkerLikelihood, type LikelihoodState } from './marker-likelihood.ts';

export interface DominanceReml {
  /** σ²a, σ²d on the scale of their kinships, σ²e. */
  variances: [number, number, number];
  /** Which of them ended at 0. */
  atBoundary: [boolean, boolean, boolean];
  logLikelihood: number;
  iterations: number;
  converged: boolean;
  /** Of the variances; null when one of them ended at 0, without convergence, and where they cannot be separated. */
  covariance: ComponentCovariance | null;
  /** 2m effects of the coded markers, additive ones first. */
  effects: Float64Array;
  /** Square roots of σ²_k/(divisor_k·σ²e), 2m values. */
  weights: Float64Array;
  /** σ²e of V, above 0 also at its boundary. */
  residual: number;
  /** Of I + SCS, S = diag(weights); valid until the equations make another. */
  factor: CholeskyFactor;
}

/**
 * REML of two variances from the equations of the markers: the likelihood of `fitTwoKernels`, searched in the same
 * way. One factor a point and one inverse an iteration, 8m³/3 and 16m³/3 operations.
 *
 * @throws StatgenError `not-finite`
 */
export function fitDominanceReml(equations: DominanceEquations, trait: number, limits: SearchLimits): DominanceReml {
  const likelihood = createMarkerLikelihood<Theta>(equations, trait);
  const { order, scales, isEmpty, evaluate, informationAt, factorOf, solve } = likelihood;
  const derivatives = (state: LikelihoodState<Theta>): { gradient: Theta; information: number[][] } => {
    const { gradient, information } = likelihood.derivatives(state);
    const [additive, dominance, residual] = gradient;
    return { gradient: [additive, dominance, residual], information };
  };
  const { state, iterations, converged } = searchVariances({ order, isEmpty, evaluate, derivatives }, limits);
  const variance = likelihood.traitVariance;
  const [first, second, residual] = state.theta;
  const residualZero = residual <= SMALLEST_RESIDUAL;
  const atBoundary: DominanceReml['atBoundary'] = [first === 0, second === 0, residualZero];
  const scaleOf = (k: number): number => scales[k] ?? 1;
  const information = informationAt(state).map((row, k) => row.map((value, l) => value * scaleOf(k) * scaleOf(l)));
  const { solution } = solve(state);
  return {
    variances: [
      (first * variance) / scales[0],
      (second * variance) / scales[1],
      residualZero ? 0 : residual * variance,
    ],
    atBoundary,
    logLikelihood: state.value - 0.5 * order * Math.log(variance),
    iterations,
    converged,
    covariance: !converged || atBoundary.includes(true) ? null : covarianceFrom(information, variance),
    effects: solution.map((value, i) => Math.sqrt(variance) * state.weights[i] * value),
    weights: state.weights,
    residual: residual * variance,
    factor: factorOf(state),
  };
}
