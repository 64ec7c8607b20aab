import { type FixedModel, fixedPartOf } from '@heterosis/statgen/genomic-prediction/fixed-effects';
import { createFolds, type Folds } from '@heterosis/statgen/genomic-prediction/folds';
import { compareFolds, type PairedComparison } from '@heterosis/statgen/genomic-prediction/paired-comparison';
import { geneticAccuracy, type HeldOutPrediction } from '@heterosis/statgen/genomic-prediction/prediction-accuracy';
import { type Matrix, selectRowsAndColumns, setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { fitTraits } from '@heterosis/statgen/multi-trait/fit-traits';
import { recordsAmong } from '@heterosis/statgen/multi-trait/multi-trait-blup';
import { predictTraits } from '@heterosis/statgen/multi-trait/predict-traits';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { type AnalysisContext, reportProgress } from '../../context.ts';
import { describeError } from '../../describe-error.ts';
import { relativeErrors, requireTogether, threadsFor } from '../multi-trait.ts';
import { kinshipSource } from '../own-kinship.ts';
import { kernelMethods, modelSettings } from '../train-model.ts';
import { fixedModelOf, requireEnough, trainingData } from '../training-data.ts';
import { DEFAULTS, type EvaluateInput, evaluateModels } from './evaluate-model.ts';
import { finite, type MeanSd, summarize } from './evaluation-figures.ts';
import type { FoldAccuracy } from './fold-results.ts';
import type { FoldsTable } from './folds.ts';
import { givenFolds, placeFolds, tableOf } from './place-folds.ts';

/** `cv1` hides all traits of the lines of a fold, as of new lines; `cv2` the trait that is predicted. */
export type TraitScheme = 'cv1' | 'cv2';

/** How well a trait is predicted together with others. */
export interface TogetherEvaluation {
  trait: string;
  scheme: TraitScheme;
  /** Lines with a record of the trait. */
  n: number;
  m: number;
  seed: number;
  nFold: number;
  nRepetition: number;
  hasFixedEffects: boolean;
  folds: FoldsTable;
  perFold: FoldAccuracy[];
  meanFoldR: MeanSd;
  /** Mean over the folds of n_test/n_train. */
  testShare: number;
  /** The trait alone on the same folds. */
  alone: { perFold: FoldAccuracy[]; meanFoldR: MeanSd } | null;
  /** r of the traits together minus that of the trait alone; null with fewer than two folds that have both. */
  comparison: PairedComparison | null;
}

/**
 * Cross-validates several traits together beside each trait alone, on the same folds. Every training part estimates its
 * own covariances. Folds are drawn among the lines with any record.
 *
 * @throws AnalysisError of `requireTogether`, and when names, traits or folds do not fit
 */
export async function evaluateTogether(
  input: EvaluateInput & { scheme: TraitScheme },
  context: AnalysisContext,
): Promise<TogetherEvaluation[]> {
  const { panel, scheme } = input;
  const settings = modelSettings(input);
  setComputeThreads(context.threads);
  reportProgress(context, 'match', 0, 1);
  const source = kinshipSource(panel, input, kernelMethods(settings), settings);
  const { individuals } = source;
  const { traits, covariates } = trainingData(individuals, input.phenotype, input.traits, settings, input);
  requireTogether(traits, settings, input);
  for (const trait of traits) requireEnough(trait, covariates, settings);
  const { kernels, scan } = await source.kernels({}, context);
  const kinship = kernels[settings.kinship];
  if (kinship === undefined) throw new TypeError(`the kinship ${settings.kinship} was not computed`);
  const fixed = fixedModelOf(covariates, kinship, settings);
  const values = traits.map((trait) => trait.values);
  const folds = foldsAmong(input, individuals, values);
  const table = tableOf(folds, individuals);
  const errorWeights = relativeErrors(traits);
  const model = { kinship, fixed, ...(errorWeights === null ? {} : { errorWeights }) };
  const rows = traits.map((): (FoldAccuracy & { nTrain: number })[] => []);
  const parts = partsOf(folds, scheme, traits.length);
  setComputeThreads(threadsFor(individuals.length, context));
  try {
    for (const [done, part] of parts.entries()) {
      reportProgress(context, 'cross-validate', done, parts.length);
      // A fit blocks the event loop: yield in between so that cancellation is handled.
      await new Promise((resolve) => setImmediate(resolve));
      const isTest = (i: number) => folds.assignment[i + (part.repetition - 1) * folds.individuals] === part.fold;
      const takesPart = (i: number) => folds.assignment[i + (part.repetition - 1) * folds.individuals] > 0;
      const train = values.map((own, t) =>
        own.map((y, i) => (!takesPart(i) || (isTest(i) && part.hidden.includes(t)) ? Number.NaN : y)),
      );
      const predict = predictorOf({ ...model, values: train }, Int32Array.from(individuals.keys()).filter(isTest));
      for (const t of part.predicted) rows[t].push({ ...part.place, ...accuracyOf(predict, values[t], train[t], t) });
    }
  } finally {
    setComputeThreads(context.threads);
  }
  reportProgress(context, 'cross-validate', parts.length, parts.length);
  const alone = await evaluateModels({ ...input, folds: table }, context);
  return traits.map(({ column }, t) => {
    const own = alone.find(({ trait }) => trait === column.name)?.evaluation ?? null;
    const perFold = rows[t];
    const testShare = perFold.reduce((sum, { n, nTrain }) => sum + n / nTrain, 0) / perFold.length;
    return {
      ...{ trait: column.name, scheme, m: scan.keptCount, seed: input.seed ?? DEFAULTS.seed, folds: table, testShare },
      n: values[t].reduce((sum, y) => sum + Number(!Number.isNaN(y)), 0),
      nFold: folds.folds,
      nRepetition: folds.repetitions,
      hasFixedEffects: false,
      perFold,
      meanFoldR: summarize(perFold.map(({ r }) => r ?? Number.NaN)),
      alone: own === null ? null : { perFold: own.perFold, meanFoldR: own.meanFoldR },
      comparison: own === null ? null : compared(perFold, own.perFold, testShare),
    };
  });
}

/** Given folds, or random ones among the lines with any record. */
function foldsAmong(input: EvaluateInput, individuals: readonly string[], values: readonly Float64Array[]): Folds {
  const any = values[0].map((_, i) => (values.some((own) => !Number.isNaN(own[i])) ? 1 : Number.NaN));
  if (input.folds !== undefined) return givenFolds(placeFolds(input.folds, individuals, input), any);
  const { nFold = DEFAULTS.nFold, nRepetition = DEFAULTS.nRepetition, seed = DEFAULTS.seed } = input;
  return createFolds({ y: any, nFold, nRepetition, seed });
}

interface Part {
  repetition: number;
  fold: number;
  place: { repetition: number; fold: number; group: null };
  /** Places of the traits hidden on the lines of the fold, and of those predicted. */
  hidden: number[];
  predicted: number[];
}

function partsOf({ repetitions, folds }: Folds, scheme: TraitScheme, traits: number): Part[] {
  const all = Array.from({ length: traits }, (_, t) => t);
  const hidden = scheme === 'cv1' ? [all] : all.map((t) => [t]);
  return Array.from({ length: repetitions * folds }, (_, k) => {
    const [repetition, fold] = [1 + Math.floor(k / folds), 1 + (k % folds)];
    const place = { repetition, fold, group: null };
    return hidden.map((own) => ({ repetition, fold, place, hidden: own, predicted: own }));
  }).flat();
}

/** Predictions of a trait for the lines of a test part, NaN for others; or why there are none. */
type Predictor = ((t: number) => HeldOutPrediction) | StatgenError;

function predictorOf(
  model: { kinship: Matrix; values: readonly Float64Array[]; fixed: FixedModel; errorWeights?: Float64Array },
  test: Int32Array,
): Predictor {
  try {
    const { kinship, fixed } = model;
    const { records, lines, designs } = recordsAmong(model);
    const { point, coefficients } = fitTraits(records);
    const own = Float64Array.from(test, (i) => kinship.data[i * (kinship.rows + 1)]);
    const { values } = predictTraits(records, point, selectRowsAndColumns(kinship, lines, test), own);
    return (t) => {
      const genetic = new Float64Array(kinship.rows).fill(Number.NaN);
      const fixedPart = new Float64Array(kinship.rows);
      for (const [k, i] of test.entries()) {
        genetic[i] = values[t][k] + coefficients[t][0];
        fixedPart[i] = fixedPartOf(fixed, designs[t].design, coefficients[t], i);
      }
      return { genetic, fixedPart };
    };
  } catch (error) {
    if (error instanceof StatgenError) return error;
    throw error;
  }
}

function accuracyOf(
  predict: Predictor,
  observed: Float64Array,
  train: Float64Array,
  t: number,
): Omit<FoldAccuracy, 'repetition' | 'fold' | 'group'> & { nTrain: number } {
  const nTrain = train.reduce((sum, y) => sum + Number(!Number.isNaN(y)), 0);
  if (predict instanceof StatgenError) {
    const reason = describeError(predict)?.message ?? predict.message;
    return { n: 0, r: null, phenotype_r: null, reason, nTrain };
  }
  const accuracy = geneticAccuracy(observed, predict(t));
  const r = finite(accuracy.pearsonR);
  const reason = r === null ? 'The values or the predictions of this fold do not differ.' : null;
  return { n: accuracy.n, r, phenotype_r: null, reason, nTrain };
}

function compared(
  together: readonly FoldAccuracy[],
  alone: readonly FoldAccuracy[],
  testShare: number,
): PairedComparison | null {
  const keyOf = ({ repetition, fold }: FoldAccuracy) => `${repetition} ${fold}`;
  const before = new Map(alone.map((row) => [keyOf(row), row.r]));
  const differences = together.flatMap((row) => {
    const other = before.get(keyOf(row)) ?? null;
    return row.r === null || other === null ? [] : [row.r - other];
  });
  return differences.length < 2 ? null : compareFolds(differences, testShare);
}
