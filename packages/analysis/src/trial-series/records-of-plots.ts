import { createMatrix, type Matrix, multiply } from '@heterosis/statgen/linear-algebra';
import type { LocalTerm } from '@heterosis/statgen/trial-series/series-data';
import { fitTrial } from '@heterosis/statgen/trials/fit-trial';
import { modelTerms } from '@heterosis/statgen/trials/trial-models';
import { usedPlots } from '@heterosis/statgen/trials/trial-plots';
import type { TrialTask } from '../trials/analyze-trials.ts';
import type { SeriesRecords } from './series-records.ts';

/**
 * The plots of one environment and trait as records of a series in one stage: its replicates and covariates are fixed,
 * its blocks random, and residuals independent, all with variances of their own that the series estimates again. The
 * search begins at those of the environment alone.
 *
 * @throws StatgenError of `fitTrial`
 */
export function recordsOfPlots({ environment, trait, plots, input }: TrialTask): SeriesRecords {
  const used = usedPlots(input);
  const { fixed, random } = modelTerms('blocks', input, used);
  const { variances } = fitTrial(input, { model: 'blocks', lines: 'random' });
  const n = used.length;
  const x = createMatrix(n, 1 + fixed.reduce((sum, { columns }) => sum + columns.columns, 0));
  x.data.fill(1, 0, n);
  let column = 1;
  for (const { columns } of fixed) {
    x.data.set(columns.data.subarray(0, n * columns.columns), column * n);
    column += columns.columns;
  }
  const startOf = (name: string): number => Math.max(variances[name]?.value ?? 0, SMALLEST_START * residual);
  const residual = variances.residual?.value ?? 1;
  return {
    environment,
    trait,
    lines: Array.from(used, (plot) => plots[plot]?.name ?? ''),
    y: Float64Array.from(used, (plot) => input.values[plot] ?? Number.NaN),
    x,
    omega: null,
    terms: [
      ...random.map(({ name, columns }): LocalTerm => ({ name, matrix: sameLevel(columns), start: startOf(name) })),
      { name: 'residual', matrix: null, start: residual },
    ],
  };
}

/** Variances at 0 begin at this share of the residual, so that they can be found to be more. */
const SMALLEST_START = 0.01;

/** 1 for two plots of the same level, n × n. */
function sameLevel(indicators: Matrix): Matrix {
  return multiply(indicators, indicators, { transposeB: true });
}
