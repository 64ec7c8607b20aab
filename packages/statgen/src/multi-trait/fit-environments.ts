import { type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { maximizeFromStarts, type RemlProblem } from '../mixed-model/maximize-reml.ts';
import { StatgenError } from '../statgen-error.ts';
import { scaling } from './fit-traits.ts';
import { traitWeights } from './predict-traits.ts';
import { lowerPlaces } from './small-covariances.ts';
import { evaluateTraits, type TraitCovariances, type TraitPoint } from './trait-likelihood.ts';
import type { TraitRecords } from './trait-records.ts';
import { scoreTraits } from './trait-scores.ts';

/**
 * Of the value of a line in an environment besides its main effect: nothing (`mm`), a part of its own with one variance
 * for all environments (`mds`), or with one for each (`mde`).
 */
export type EnvironmentModel = 'mm' | 'mds' | 'mde';

/** On the scale of values and kernel. */
export interface EnvironmentVariances {
  main: number;
  /** By environment; 0 in `mm`, the same in `mds`. */
  specific: number[];
  /** Of lines beside their relationships, the same in all environments; 0 where it is not fitted. */
  lines: number;
  residual: number;
}

export interface EnvironmentsFit {
  variances: EnvironmentVariances;
  point: TraitPoint;
  /** −½[(N − q) log 2π + log|V| + log|XᵀV⁻¹X| + yᵀPy]. */
  logLikelihood: number;
  iterations: number;
  isConverged: boolean;
}

export interface FitEnvironmentsOptions {
  /** Fits a variance of lines that relationships do not explain, e_ij = l_i + ε_ij with l ~ N(0, s_lI). */
  residualLines?: boolean;
}

/** Shares of main effects and of parts of their own at each start; the rest is residual, and of lines. */
const STARTS: readonly [number, number][] = [
  [0.3, 0.3],
  [0.6, 0.1],
  [0.1, 0.6],
];
/** Least share of the residual: the likelihood has no top where values are known exactly. */
const LEAST_RESIDUAL = 1e-6;

/**
 * REML estimates of y_ij = μ_j + u_i + v_ij + e_ij, u ~ N(0, s₀K), v_j ~ N(0, s_jK), e ~ N(0, s_eI), for lines i in
 * environments j, which stand as traits in the records (Jarquín et al. 2014, Theor Appl Genet 127:595; López-Cruz et
 * al. 2015, G3 5:569; Cuevas et al. 2017, G3 7:41): several traits with G = s₀J + diag(s_j) and R = s_lJ + s_eI, by
 * average information. Variances may end at 0.
 *
 * @throws StatgenError `not-finite` when no start has a likelihood
 */
export function fitEnvironments(
  records: TraitRecords,
  model: EnvironmentModel,
  { residualLines = false }: FitEnvironmentsOptions = {},
): EnvironmentsFit {
  const { scales, traitCount: t, kernelScale } = records;
  const unit = scales.reduce((sum, scale) => sum + scale ** 2, 0) / t;
  const own = { mm: 0, mds: 1, mde: t }[model];
  // Main effect, parts of environments, residual, lines.
  const count = 2 + own + Number(residualLines);
  const variancesOf = (parameters: Float64Array): EnvironmentVariances => ({
    main: (unit / kernelScale) * parameters[0],
    specific: Array.from({ length: t }, (_, s) =>
      own === 0 ? 0 : (unit / kernelScale) * parameters[1 + (own === 1 ? 0 : s)],
    ),
    residual: unit * parameters[1 + own],
    lines: residualLines ? unit * parameters[2 + own] : 0,
  });
  const jacobian = jacobianOf(records, { own, count, unit });
  const problem: RemlProblem = {
    lower: Float64Array.from({ length: count }, (_, k) => (k === 1 + own ? LEAST_RESIDUAL : 0)),
    upper: new Float64Array(count).fill(Number.POSITIVE_INFINITY),
    evaluate(parameters) {
      const point = evaluateTraits(records, covariancesOf(records, variancesOf(parameters)));
      if (point === null) return null;
      return { logLikelihood: point.logLikelihood, derivatives: () => derivativesAt(records, point, jacobian) };
    },
  };
  const starts = STARTS.map(([main, specific]) => {
    const rest = (1 - main - (own === 0 ? 0 : specific)) / (residualLines ? 2 : 1);
    return Float64Array.from({ length: count }, (_, k) => (k === 0 ? main : k <= own ? specific : rest));
  });
  const found = maximizeFromStarts(problem, starts, { tolerance: 0 });
  const variances = found === null ? null : variancesOf(found.parameters);
  const point = variances === null ? null : evaluateTraits(records, covariancesOf(records, variances));
  if (found === null || variances === null || point === null) {
    throw new StatgenError('not-finite', 'the likelihood does not exist at any start');
  }
  return {
    ...{ variances, point, iterations: found.iterations, isConverged: found.converged },
    logLikelihood: point.logLikelihood - scaling(records),
  };
}

/** The same at given variances. @throws StatgenError `not-finite` where they make no covariance */
export function environmentsAt(records: TraitRecords, variances: EnvironmentVariances): TraitPoint {
  const point = evaluateTraits(records, covariancesOf(records, variances));
  if (point === null) throw new StatgenError('not-finite', 'the variances make no covariance');
  return point;
}

/** G and R of the scaled records. */
function covariancesOf(
  { scales, kernelScale, traitCount: t }: TraitRecords,
  { main, specific, lines, residual }: EnvironmentVariances,
): TraitCovariances {
  const genetic = new Float64Array(t * t);
  const rest = new Float64Array(t * t);
  for (let s = 0; s < t; s++) {
    for (let r = 0; r < t; r++) {
      const size = scales[s] * scales[r];
      genetic[s * t + r] = (kernelScale * (main + (s === r ? specific[s] : 0))) / size;
      rest[s * t + r] = (lines + (s === r ? residual : 0)) / size;
    }
  }
  return { genetic, residual: rest };
}

/** Derivatives of the lower triangles of G and R of the scaled records by the parameters. */
function jacobianOf(
  { scales, traitCount: t }: TraitRecords,
  { own, count, unit }: { own: number; count: number; unit: number },
): Matrix {
  const places = lowerPlaces(t);
  const half = places.length;
  const data = new Float64Array(2 * half * count);
  for (const [k, [row, column]] of places.entries()) {
    const share = unit / (scales[row] * scales[column]);
    data[k] = share;
    if (count > 2 + own) data[half + k + 2 * half * (2 + own)] = share;
    if (row !== column) continue;
    if (own > 0) data[k + 2 * half * (1 + (own === 1 ? 0 : row))] = share;
    data[half + k + 2 * half * (1 + own)] = share;
  }
  return matrixOf(2 * half, count, data);
}

function derivativesAt(
  records: TraitRecords,
  point: TraitPoint,
  { rows, columns, data }: Matrix,
): { score: Float64Array; information: Float64Array } {
  const t = records.traitCount;
  const { genetic, residual, information } = scoreTraits(records, point);
  // A lower entry stands in both triangles.
  const entries = [genetic, residual].flatMap((side) =>
    lowerPlaces(t).map(([row, column]) => (row === column ? 1 : 2) * side[row * t + column]),
  );
  const score = new Float64Array(columns);
  const reduced = new Float64Array(columns * columns);
  for (let k = 0; k < columns; k++) {
    for (let e = 0; e < rows; e++) {
      const left = data[e + k * rows];
      if (left === 0) continue;
      score[k] += left * entries[e];
      for (let l = 0; l < columns; l++) {
        for (let f = 0; f < rows; f++) {
          reduced[k + l * columns] += left * information.data[e + f * rows] * data[f + l * rows];
        }
      }
    }
  }
  return { score, information: reduced };
}

/**
 * What lines are worth beside their relationships in any environment: s_l Σ_j Py_ij, by the lines of the records.
 */
export function lineEffects(
  records: TraitRecords,
  point: TraitPoint,
  { lines }: Pick<EnvironmentVariances, 'lines'>,
): Float64Array {
  const effects = new Float64Array(records.lineCount);
  for (const own of traitWeights(records, point)) for (const [i, weight] of own.entries()) effects[i] += lines * weight;
  return effects;
}
