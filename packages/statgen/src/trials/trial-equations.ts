import type { Matrix } from '@heterosis/linalg/matrix';
import type { RemlProblem } from '../mixed-model/maximize-reml.ts';

/** The lines of the plots of a model. */
export interface LineFactor {
  /** n values; −1 for a plot whose line is a column of the fixed effects. */
  codes: Int32Array;
  count: number;
  /** Fixed: one effect a line, no intercept. Random: one variance, independent. */
  random: boolean;
}

/** What all models of a trial have: n plots with a value. */
export interface TrialFrame {
  /** n values, centred and divided by their standard deviation. */
  y: Float64Array;
  /** n × f, without the lines; of full rank together with fixed lines. */
  fixed: Matrix;
  lines: LineFactor;
}

/** What a fitted model says, in the scale of y. */
export interface TrialSolution {
  /** log|V|. */
  logDeterminant: number;
  /** y′Py. */
  quadratic: number;
  /** Py and the diagonal of P, n values each. */
  py: Float64Array;
  projectionDiagonal: Float64Array;
  /** What is left of each plot: independent errors, the nugget, or without one the autoregression; n values. */
  residual: Float64Array;
  /** Random and spatial terms of each plot, without lines; n values. */
  trend: Float64Array;
  /** Effects of the columns of `fixed`. */
  fixedEffects: Float64Array;
  /** σ² tr(P ∂V/∂σ²), one a parameter; 0 for correlations. */
  effectiveDimensions: Float64Array;
  /** Fixed lines: effects + marginal fixed effects, and their covariance (count × count, column-major). */
  lineMeans: { values: Float64Array; covariance: Float64Array } | null;
  lineEffects: LineEffects | null;
}

/** Of random lines. */
export interface LineEffects {
  /** BLUPs. */
  values: Float64Array;
  /** Prediction error variances, and the sum of all elements of their matrix. */
  errorVariances: Float64Array;
  errorSum: number;
  /** The whole matrix, count × count; it is made when it is asked for. */
  errorCovariance: () => Matrix;
}

/** The restricted likelihood of a model, and its solution at given parameters. */
export interface TrialEquations extends RemlProblem {
  /** Variances and correlations of the parameters in which the likelihood climbs, and their derivatives by them. */
  natural(parameters: Float64Array): { values: Float64Array; slopes: Float64Array };
  /**
   * @param marginal what the mean of a line counts of each column of `fixed`
   */
  solve(parameters: Float64Array, marginal: Float64Array): TrialSolution;
}

/** Plots of each line. */
export function plotsOfLines({ codes, count }: LineFactor): Int32Array {
  const plots = new Int32Array(count);
  for (const code of codes) if (code >= 0) plots[code]++;
  return plots;
}
