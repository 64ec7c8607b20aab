import { type FixedModel, fixedPartOf, hasFixedEffects } from '@heterosis/statgen/genomic-prediction/fixed-effects';
import { createFolds, type Folds } from '@heterosis/statgen/genomic-prediction/folds';
import { compareFolds, type PairedComparison } from '@heterosis/statgen/genomic-prediction/paired-comparison';
import { geneticAccuracy, type HeldOutPrediction } from '@heterosis/statgen/genomic-prediction/prediction-accuracy';
import { type Matrix, selectRowsAndColumns, setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { fitTraits } from '@heterosis/statgen/multi-trait/fit-traits';
import { recordsAmong } from '@heterosis/statgen/multi-trait/multi-trait-blup';
import { predictTraits } from '@heterosis/statgen/multi-trait/predict-traits';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { type AnalysisContext, AnalysisError, reportProgress } from '../../context.ts';
import { describeError } from '../../describe-error.ts';
import { relativeErrors, requireTogether, threadsFor } from '../multi-trait.ts';
import { kinshipSource } from '../own-kinship.ts';
import { kernelMethods, modelSettings } from '../train-model.ts';
import { fixedModelOf, requireEnough, trainingData } from '../training-data.ts';
import { type AccuracyEstimate, accuracyOf } from './accuracy-estimate.ts';
import { DEFAULTS, type EvaluateInput, type Evaluation, evaluateModels } from './evaluate-model.ts';
import { accuracyFigures, finite, type MeanSd, repetitionsOf, summarize } from './evaluation-figures.ts';
import { type EvaluatedPoint, type FoldAccuracy, pointsOf } from './fold-results.ts';
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
  perRepetition: Evaluation['perRepetition'];
  summary: Evaluation['summary'];
  /** By the heritability of the trait alone. */
  accuracy: AccuracyEstimate | null;
  meanFoldR: MeanSd;
  points: EvaluatedPoint[];
  /** Mean over the folds of n_test/n_train. */
  testShare: number;
  /** Of all traits. */
  seconds: number;
  /** The trait alone on the same folds; seconds are those of all traits. */
  alone: { perFold: FoldAccuracy[]; meanFoldR: MeanSd; testShare: number; seconds: number } | null;
  /** r of the traits together minus that of the trait alone; null with fewer than two folds that have both. */
  comparison: PairedComparison | null;
}

/**
 * Cross-validates several traits together beside each trait alone, on the same folds. Every training part estimates its
 * own covariances. Folds are drawn among the lines with any record.
 *
 * @returns by scheme, then by trait
 * @throws AnalysisError of `requireTogether`, and when names, traits or folds do not fit
 */
export async function evaluateTogether(
  input: EvaluateInput & { schemes: readonly TraitScheme[] },
  context: AnalysisContext,
): Promise<TogetherEvaluation[]> {
  const { panel } = input;
  if (input.leaveOut !== undefined) {
    throw new AnalysisError(
      'models/multi-trait',
      'Several traits together are evaluated in random folds, or in folds given.',
      'Leave out the groups that are left out, or evaluate each trait alone.',
    );
  }
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
  const { geneticFactors: factors } = input;
  const model = {
    ...{ kinship, fixed },
    ...(errorWeights === null ? {} : { errorWeights }),
    ...(factors === undefined ? {} : { factors }),
  };
  const progress = progressOver(input.schemes, folds, traits.length, context);
  const found: SchemeFolds[] = [];
  setComputeThreads(threadsFor(individuals.length, context));
  try {
    for (const scheme of input.schemes) found.push(await predictScheme(scheme, { model, values, folds }, progress));
  } finally {
    setComputeThreads(context.threads);
  }
  const started = performance.now();
  const alone = await evaluateModels({ ...input, folds: table }, context);
  const aloneSeconds = (performance.now() - started) / 1000;
  const isCorrected = hasFixedEffects(fixed);
  return found.flatMap(({ scheme, rows, predictions, seconds }) =>
    traits.map(({ column }, t): TogetherEvaluation => {
      const own = alone.find(({ trait }) => trait === column.name)?.evaluation ?? null;
      const perFold = rows[t];
      const testShare = perFold.reduce((sum, { n, nTrain }) => sum + n / nTrain, 0) / perFold.length;
      const figures = accuracyFigures(repetitionsOf(values[t], predictions[t], folds.repetitions), isCorrected);
      return {
        ...{ trait: column.name, scheme, m: scan.keptCount, seed: input.seed ?? DEFAULTS.seed, folds: table },
        ...{ testShare, seconds, hasFixedEffects: isCorrected, perFold, ...figures },
        n: values[t].reduce((sum, y) => sum + Number(!Number.isNaN(y)), 0),
        nFold: folds.folds,
        nRepetition: folds.repetitions,
        accuracy: accuracyOf(figures.summary.pearson_r.mean, heritabilityOf(own)),
        meanFoldR: summarize(perFold.map(({ r }) => r ?? Number.NaN)),
        points: pointsOf(individuals, values[t], folds, predictions[t]),
        alone:
          own === null
            ? null
            : { perFold: own.perFold, meanFoldR: own.meanFoldR, testShare: own.testShare, seconds: aloneSeconds },
        comparison: own === null ? null : compared(perFold, own.perFold, testShare),
      };
    }),
  );
}

const heritabilityOf = (alone: Evaluation | null) =>
  alone?.accuracy == null ? null : { h2: alone.accuracy.h2, basis: alone.accuracy.basis };

type Progress = (scheme: TraitScheme, done: number) => void;

function progressOver(
  schemes: readonly TraitScheme[],
  { repetitions, folds }: Folds,
  traits: number,
  context: AnalysisContext,
): Progress {
  const partsOfScheme = (scheme: TraitScheme) => repetitions * folds * (scheme === 'cv1' ? 1 : traits);
  const total = schemes.reduce((sum, scheme) => sum + partsOfScheme(scheme), 0);
  return (scheme, done) => {
    const before = schemes.slice(0, schemes.indexOf(scheme)).reduce((sum, own) => sum + partsOfScheme(own), 0);
    reportProgress(context, 'cross-validate', before + done, total);
  };
}

interface SchemeFolds {
  scheme: TraitScheme;
  /** By trait. */
  rows: (FoldAccuracy & { nTrain: number })[][];
  /** By trait, individuals × repetitions; NaN where nothing was predicted. */
  predictions: HeldOutPrediction[];
  seconds: number;
}

async function predictScheme(
  scheme: TraitScheme,
  {
    model,
    values,
    folds,
  }: {
    model: { kinship: Matrix; fixed: FixedModel; errorWeights?: Float64Array; factors?: number };
    values: readonly Float64Array[];
    folds: Folds;
  },
  onPart: Progress,
): Promise<SchemeFolds> {
  const started = performance.now();
  const size = folds.individuals;
  const rows = values.map((): (FoldAccuracy & { nTrain: number })[] => []);
  const predictions = values.map(() => ({
    genetic: new Float64Array(size * folds.repetitions).fill(Number.NaN),
    fixedPart: new Float64Array(size * folds.repetitions).fill(Number.NaN),
  }));
  const parts = partsOf(folds, scheme, values.length);
  for (const [done, part] of parts.entries()) {
    onPart(scheme, done);
    // A fit blocks the event loop: yield in between so that cancellation is handled.
    await new Promise((resolve) => setImmediate(resolve));
    const first = (part.repetition - 1) * size;
    const isTest = (i: number) => folds.assignment[i + first] === part.fold;
    const takesPart = (i: number) => folds.assignment[i + first] > 0;
    const train = values.map((own, t) =>
      own.map((y, i) => (!takesPart(i) || (isTest(i) && part.hidden.includes(t)) ? Number.NaN : y)),
    );
    const predict = predictorOf({ ...model, values: train }, Int32Array.from(values[0].keys()).filter(isTest));
    for (const t of part.predicted) {
      const own = predict instanceof StatgenError ? predict : predict(t);
      const isCorrected = hasFixedEffects(model.fixed);
      rows[t].push({ ...part.place, ...foldAccuracy(own, { observed: values[t], train: train[t], isCorrected }) });
      if (own instanceof StatgenError) continue;
      for (let i = 0; i < size; i++) {
        if (Number.isNaN(own.genetic[i]) || Number.isNaN(values[t][i])) continue;
        predictions[t].genetic[i + first] = own.genetic[i];
        predictions[t].fixedPart[i + first] = own.fixedPart[i];
      }
    }
  }
  onPart(scheme, parts.length);
  return { scheme, rows, predictions, seconds: (performance.now() - started) / 1000 };
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
  model: {
    kinship: Matrix;
    values: readonly Float64Array[];
    fixed: FixedModel;
    errorWeights?: Float64Array;
    factors?: number;
  },
  test: Int32Array,
): Predictor {
  try {
    const { kinship, fixed } = model;
    const { records, lines, designs } = recordsAmong(model);
    const { point, coefficients } = fitTraits(records, model);
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

function foldAccuracy(
  predicted: HeldOutPrediction | StatgenError,
  { observed, train, isCorrected }: { observed: Float64Array; train: Float64Array; isCorrected: boolean },
): Omit<FoldAccuracy, 'repetition' | 'fold' | 'group'> & { nTrain: number } {
  const nTrain = train.reduce((sum, y) => sum + Number(!Number.isNaN(y)), 0);
  if (predicted instanceof StatgenError) {
    const reason = describeError(predicted)?.message ?? predicted.message;
    return { n: 0, r: null, phenotype_r: null, reason, nTrain };
  }
  const accuracy = geneticAccuracy(observed, predicted);
  const r = finite(accuracy.pearsonR);
  const reason = r === null ? 'The values or the predictions of this fold do not differ.' : null;
  return { n: accuracy.n, r, phenotype_r: isCorrected ? finite(accuracy.phenotypeR) : null, reason, nTrain };
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
