import type { CholeskyFactor } from '@heterosis/linalg/cholesky';
import { covarianceOfComponents } from '../mixed-model/fit-known-errors.ts';
import type { ComponentCovariance } from '../mixed-model/heritability.ts';
import { maximizeFromStarts, type RemlProblem } from '../mixed-model/maximize-reml.ts';
import { StatgenError } from '../statgen-error.ts';
import { createMarkerLikelihood, type LikelihoodEquations } from './marker-likelihood.ts';

export interface WeighedReml {
  /** One a kinship, on its scale. */
  variances: number[];
  /** Which of them ended at 0. */
  atBoundary: boolean[];
  /** Log density of the error contrasts of everything divided by the errors. */
  logLikelihood: number;
  iterations: number;
  converged: boolean;
  /** Of the variances and an error that is known; as in `KnownErrorFit`. */
  covariance: ComponentCovariance | null;
  /** Effects of the coded columns. */
  effects: Float64Array;
  /** √(σ²_k/divisor_k) of each column. */
  weights: Float64Array;
  /** Of I + SCS, S = diag(weights); valid until the equations make another. */
  factor: CholeskyFactor;
}

/** Shares of the variance of the trait of which the likeliest begins the search, by the number of kinships. */
const SHARES = [
  [0.002, 0.01, 0.05, 0.2, 1],
  [0.01, 0.2, 1],
];
/** Both as in `fitKnownErrors`. */
const TOLERANCE = 1e-11;
const LARGEST = 1e6;

/**
 * REML of the variances beside errors of variance 1: the likelihood of `fitKnownErrors`, from the equations of markers,
 * traits and fixed effects divided by the errors. A factor and an inverse an iteration.
 *
 * @param start variances to start from; default the likeliest of a grid, a factor each
 * @throws StatgenError `not-finite`
 */
export function fitWeighedReml(equations: LikelihoodEquations, start?: readonly number[]): WeighedReml {
  const { order, divisors, squares } = equations;
  const likelihood = createMarkerLikelihood<readonly number[]>(equations, 0);
  const { traitVariance, scales, isEmpty } = likelihood;
  const count = divisors.length;
  // In units of the trait, or of the errors where it varies less: parameters are those of `fitKnownErrors`.
  const unit = Math.max(1, squares[0] / order) / traitVariance;
  const units = scales.map((scale, k) => (isEmpty[k] ? 0 : (unit * traitVariance) / scale));
  const stateAt = (parameters: ArrayLike<number>) => {
    const theta = scales.map((_, k) => (isEmpty[k] ? 0 : parameters[k] * unit));
    return likelihood.evaluate([...theta, 1 / traitVariance]);
  };
  const problem: RemlProblem = {
    lower: new Float64Array(count),
    upper: new Float64Array(count).fill(LARGEST),
    evaluate(parameters) {
      const state = stateAt(parameters);
      if (state === undefined) return null;
      return {
        logLikelihood: state.value - 0.5 * order * Math.log(traitVariance),
        derivatives() {
          const { gradient, information } = likelihood.derivatives(state);
          return {
            score: Float64Array.from({ length: count }, (_, k) => gradient[k] * unit),
            information: Float64Array.from(
              { length: count * count },
              (_, at) => information[at % count][Math.floor(at / count)] * unit * unit,
            ),
          };
        },
      };
    },
  };
  const from = start?.map((variance, k) => (isEmpty[k] ? 0 : variance / units[k])) ?? likeliest(stateAt, count);
  const maximum = maximizeFromStarts(problem, [Float64Array.from(from)], { tolerance: TOLERANCE });
  const state = maximum === null ? undefined : stateAt(maximum.parameters);
  if (maximum === null || state === undefined) {
    throw new StatgenError('not-finite', 'the likelihood exists nowhere', { order });
  }
  const variances = units.map((own, k) => maximum.parameters[k] * own);
  const atBoundary = variances.map((value) => value === 0);
  const isInside = maximum.converged && !atBoundary.includes(true);
  const { solution } = likelihood.solve(state);
  return {
    ...{ variances, atBoundary },
    logLikelihood: maximum.point.logLikelihood,
    iterations: maximum.iterations,
    converged: maximum.converged,
    covariance: isInside ? covarianceOfComponents(maximum, units, count) : null,
    effects: solution.map((value, i) => Math.sqrt(traitVariance) * state.weights[i] * value),
    weights: state.weights,
    factor: likelihood.factorOf(state),
  };
}

/** The likeliest point of a grid. */
function likeliest(
  stateAt: (parameters: readonly number[]) => { value: number } | undefined,
  count: number,
): readonly number[] {
  let points: number[][] = [[]];
  for (let k = 0; k < count; k++) points = points.flatMap((point) => SHARES[count - 1].map((own) => [...point, own]));
  const values = points.map((point) => stateAt(point)?.value ?? Number.NEGATIVE_INFINITY);
  return points[values.indexOf(Math.max(...values))];
}
