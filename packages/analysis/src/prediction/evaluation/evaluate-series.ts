import { geneticAccuracy } from '@heterosis/statgen/genomic-prediction/prediction-accuracy';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { predictSeries } from '@heterosis/statgen/trial-series/predict-series';
import { createSeries, type SeriesTrial } from '@heterosis/statgen/trial-series/series-data';
import type { SeriesKernel } from '@heterosis/statgen/trial-series/series-kernel';
import type { SeriesStructure } from '@heterosis/statgen/trial-series/series-structure';
import { type AnalysisContext, AnalysisError, reportProgress } from '../../context.ts';
import { describeError } from '../../describe-error.ts';
import { alignSeries, fitOf, kernelsOf, restOf } from '../../trial-series/analyze-series.ts';
import { type SeriesRecords, someRecords } from '../../trial-series/series-records.ts';
import type { SeriesRelationships } from '../../trial-series/series-relationships.ts';
import { type EnvironmentFold, environmentFolds, type FoldChoice } from './environment-folds.ts';
import { finite, type MeanSd, summarize } from './evaluation-figures.ts';
import type { FoldAccuracy } from './fold-results.ts';

export interface SeriesEvaluationInput extends FoldChoice {
  trait: string;
  structure: SeriesStructure;
  residualLines: boolean;
}

export interface SeriesEvaluation extends FoldChoice {
  trait: string;
  structure: SeriesStructure;
  /** Means of lines with relationships. */
  n: number;
  /** False: no fixed effects but the means of environments. */
  hasFixedEffects: false;
  /** One row per fold and environment, its `group`; r is that among the lines of the environment. */
  perFold: FoldAccuracy[];
  environments: { environment: string; n: number; r: MeanSd }[];
  /** Mean of r over all folds and environments. */
  meanFoldR: MeanSd;
  /** Mean over the folds of the share of cells tested in those trained on. */
  testShare: number;
}

/**
 * Cross-validates the prediction of lines in environments by the model of `analyzeSeries`: each training part has the
 * covariance of the errors of its own means, and estimates its own variances. A line in an environment that is in the
 * training part is predicted there, in another by its mean over the environments of the training part.
 *
 * @throws AnalysisError as `analyzeSeries`, and `analysis/bad-folds`
 */
export async function evaluateSeries(
  records: readonly SeriesRecords[],
  relationships: SeriesRelationships,
  input: SeriesEvaluationInput,
  context: AnalysisContext,
): Promise<SeriesEvaluation> {
  setComputeThreads(context.threads);
  const { trials } = alignSeries(records, relationships, input);
  const lines = trials.map((trial) => trial.lines);
  const individuals = new Set(lines.flatMap((own) => [...own])).size;
  if (input.scheme !== 'cv0' && individuals < 2 * input.nFold) {
    throw new AnalysisError(
      'analysis/bad-folds',
      `${individuals} lines cannot be cut into ${input.nFold} folds of at least two.`,
      'Take fewer folds.',
      { lines: individuals, folds: input.nFold },
    );
  }
  const folds = environmentFolds(lines, input);
  const kernels = kernelsOf(relationships, input);
  const rest = restOf(relationships, input);
  const perFold: FoldAccuracy[] = [];
  for (const [done, fold] of folds.entries()) {
    reportProgress(context, 'cross-validate', done, folds.length);
    // A fit blocks the event loop: yield in between so that cancellation is handled.
    await new Promise((resolve) => setImmediate(resolve));
    perFold.push(...accuracyOfFold(trials, fold, predictorOf(trials, fold, { ...input, kernels, rest })));
  }
  reportProgress(context, 'cross-validate', folds.length, folds.length);
  const { trait, structure, scheme, nFold, nRepetition, seed } = input;
  const rOf = (rows: readonly FoldAccuracy[]): MeanSd => summarize(rows.map(({ r }) => r ?? Number.NaN));
  return {
    ...{ trait, structure, scheme, seed, perFold },
    nFold: scheme === 'cv0' ? trials.length : nFold,
    nRepetition: scheme === 'cv0' ? 1 : nRepetition,
    n: lines.reduce((sum, own) => sum + own.length, 0),
    hasFixedEffects: false,
    environments: trials.map(({ name, y }) => ({
      environment: name,
      n: y.length,
      r: rOf(perFold.filter(({ group }) => group === name)),
    })),
    meanFoldR: rOf(perFold),
    testShare: folds.reduce((sum, { test, train }) => sum + test.length / train.flat().length, 0) / folds.length,
  };
}

/** Effects of all lines in each trial, or why there are none. */
type Predictor = ((trial: number) => Float64Array) | StatgenError;

function predictorOf(
  trials: readonly SeriesTrial[],
  { train }: EnvironmentFold,
  model: { structure: SeriesStructure; kernels: SeriesKernel[]; rest: SeriesStructure[] },
): Predictor {
  const parts = trials.map((trial, j) => ({
    ...{ name: trial.name, lines: Int32Array.from(train[j], (i) => trial.lines[i]) },
    ...someRecords(trial, train[j]),
  }));
  // Fewer values say nothing of lines beside the mean of their environment.
  const used = [...parts.keys()].filter((j) => parts[j].y.some((value) => value !== parts[j].y[0]));
  try {
    const data = createSeries(
      model.kernels,
      used.map((j) => parts[j]),
    );
    const predictions = predictSeries(
      data,
      fitOf(data, model.structure, model.rest, () => undefined),
    );
    return (trial) => (predictions.environments[used.indexOf(trial)] ?? predictions.overall).effects;
  } catch (error) {
    if (error instanceof StatgenError) return error;
    throw error;
  }
}

/** A row for each environment with a test. */
function accuracyOfFold(
  trials: readonly SeriesTrial[],
  { repetition, fold, test }: EnvironmentFold,
  predictor: Predictor,
): FoldAccuracy[] {
  return trials.flatMap(({ name, lines, y }, j): FoldAccuracy[] => {
    const records = test.filter(({ trial }) => trial === j).map(({ record }) => record);
    if (records.length === 0) return [];
    const row = { repetition, fold, group: name, n: records.length, phenotype_r: null };
    if (predictor instanceof StatgenError) {
      return [{ ...row, r: null, reason: describeError(predictor)?.message ?? predictor.message }];
    }
    const effects = predictor(j);
    const genetic = Float64Array.from(records, (record) => effects[lines[record]]);
    const observed = Float64Array.from(records, (record) => y[record]);
    const r = finite(geneticAccuracy(observed, { genetic, fixedPart: new Float64Array(records.length) }).pearsonR);
    const reason =
      records.length < 2 ? 'This fold has one line only here.' : 'The values or predictions do not differ.';
    return [{ ...row, r, reason: r === null ? reason : null }];
  });
}
