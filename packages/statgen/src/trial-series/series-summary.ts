import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { covarianceOf, rotateLoadings, type SeriesFit } from './fit-series.ts';
import type { SeriesData } from './series-data.ts';
import { predictFactors } from './series-scores.ts';

/** What the factors of the first kernel say, rotated to principal axes. */
export interface FactorSummary {
  /** e × k. */
  loadings: Matrix;
  /** Scores of the lines, n × k. */
  scores: Matrix;
  /** Share of the variance of each environment that each factor explains, e × k. */
  explained: Matrix;
  /** Overall performance: mean loading of the first factor times the score (Smith & Cullis 2018), n values. */
  performance: Float64Array;
  /**
   * Stability: root mean square over the environments of what the other factors add (RMSD of Smith & Cullis 2018), n
   * values; 0 with one factor.
   */
  instability: Float64Array;
}

/** Factors, performance and stability of the first kernel; null for a structure without factors. */
export function summarizeFactors(data: SeriesData, fit: SeriesFit): FactorSummary | null {
  const { loadings, kernelOf } = fit.parameters;
  const own = [...kernelOf.keys()].filter((p) => kernelOf[p] === 0);
  if (fit.structures[0]?.kind !== 'fa') return null;
  const e = loadings.rows;
  const n = data.lineCount;
  const k = own.length;
  const first = createMatrix(e, k);
  first.data.set(loadings.data.subarray(0, e * k));
  const { loadings: rotated, rotation } = rotateLoadings(first);
  const values = predictFactors(fit.point);
  const scores = createMatrix(n, k);
  for (let p = 0; p < k; p++) {
    for (let a = 0; a < k; a++) {
      for (let i = 0; i < n; i++) scores.data[i + p * n] += values[i + a * n] * rotation.data[a + p * k];
    }
  }
  const covariance = covarianceOf(fit.parameters, 0);
  const explained = createMatrix(e, k);
  for (let p = 0; p < k; p++) {
    for (let j = 0; j < e; j++) {
      const total = covariance.data[j + j * e];
      explained.data[j + p * e] = total > 0 ? rotated.data[j + p * e] ** 2 / total : 0;
    }
  }
  const meanLoading = rotated.data.subarray(0, e).reduce((sum, value) => sum + value, 0) / e;
  const performance = Float64Array.from({ length: n }, (_, i) => meanLoading * scores.data[i]);
  const instability = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < e; j++) {
      let rest = 0;
      for (let p = 1; p < k; p++) rest += rotated.data[j + p * e] * scores.data[i + p * n];
      sum += rest * rest;
    }
    instability[i] = Math.sqrt(sum / e);
  }
  return { loadings: rotated, scores, explained, performance, instability };
}

/** Correlations of a covariance matrix; NaN where a variance is 0. */
export function correlationsOf({ data, rows: e }: Matrix): Matrix {
  const result = createMatrix(e, e);
  for (let j = 0; j < e; j++) {
    for (let l = 0; l < e; l++) {
      result.data[j + l * e] = data[j + l * e] / Math.sqrt(data[j + j * e] * data[l + l * e]);
    }
  }
  return result;
}

/** Which trials of a series are compared by common lines. */
export interface SeriesLinks {
  /** Lines that two trials share, e × e; a trial's own lines on the diagonal. */
  shared: Matrix;
  /** Groups of trials without a common line between them, by their places; one group when all are linked. */
  groups: number[][];
}

/** Lines that trials share. Where lines are unrelated, trials without any cannot be compared. */
export function linksOf(trials: readonly { lines: Int32Array }[]): SeriesLinks {
  const e = trials.length;
  const sets = trials.map(({ lines }) => new Set(lines));
  const shared = createMatrix(e, e);
  const groupOf = Array.from(trials.keys());
  for (const [j, own] of sets.entries()) {
    for (const [l, other] of sets.entries()) {
      const count = [...own].filter((line) => other.has(line)).length;
      shared.data[j + l * e] = count;
      if (count === 0 || groupOf[j] === groupOf[l]) continue;
      const joined = Math.min(groupOf[j], groupOf[l]);
      const left = Math.max(groupOf[j], groupOf[l]);
      for (const [m, group] of groupOf.entries()) if (group === left) groupOf[m] = joined;
    }
  }
  return { shared, groups: [...Map.groupBy(groupOf.keys(), (j) => groupOf[j]).values()] };
}
