import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { requireHeterozygotes } from '@heterosis/statgen/genomic-prediction/additive-dominance';
import {
  type CrossValidation,
  createFolds,
  crossValidate,
  type Folds,
} from '@heterosis/statgen/genomic-prediction/cross-validate';
import type { FixedModel } from '@heterosis/statgen/genomic-prediction/fixed-effects';
import { meanAndSd } from '@heterosis/statgen/genomic-prediction/prediction-accuracy';
import type { KinshipResult } from '@heterosis/statgen/kinship/accumulate-kinship';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { describeError, type ErrorExtra } from '../describe-error.ts';
import type { NameMatching } from '../inputs/align-phenotype.ts';
import { matchIndividuals } from '../inputs/match-names.ts';
import { panelKinship } from '../inputs/panel-kinship.ts';
import { observedCount } from './fit-trait.ts';
import type { FoldsTable } from './folds.ts';
import { kernelMethods, modelSettings, traitsByKinship } from './train-model.ts';
import type { ModelSettings } from './trained-model.ts';
import { fixedModelOf, requireEnough, type TrainingTrait, trainingData } from './training-data.ts';

export interface EvaluateInput extends NameMatching, Partial<ModelSettings> {
  panel: GenotypePanel;
  phenotype: PhenotypeTable;
  traits: readonly string[];
  /** 5 unless told; of no use with `folds`. */
  nFold?: number;
  /** 10 unless told. */
  nRepetition?: number;
  /** 1 unless told. */
  seed?: number;
  /** Given folds instead of random ones. */
  folds?: FoldsTable;
}

/** Mean and standard deviation over repetitions; null where not defined. */
export interface MeanSd {
  mean: number | null;
  sd: number | null;
}

/** Accuracy figures, spelled as the API spells them; r on the pooled predictions of a repetition. */
export interface AccuracySummary {
  pearson_r: MeanSd;
  spearman_r: MeanSd;
  rmse: MeanSd;
  r2: MeanSd;
  slope: MeanSd;
}

export interface FoldAccuracy {
  /** 1-based. */
  repetition: number;
  fold: number;
  /** Individuals predicted. */
  n: number;
  /** Pearson correlation within the fold; null where not defined. */
  r: number | null;
  /** Why there is no `r`, in a sentence; null where there is one. */
  reason: string | null;
}

export interface RepetitionAccuracy {
  repetition: number;
  pearson_r: number | null;
  spearman_r: number | null;
  rmse: number | null;
  r2: number | null;
  slope: number | null;
}

export interface Evaluation {
  trait: string;
  seed: number;
  nFold: number;
  nRepetition: number;
  /** Individuals with genotype and value. */
  n: number;
  /** Markers kept. */
  m: number;
  /** Individuals with genotype and value that lack a covariate and take no part. */
  withoutCovariate: number;
  folds: FoldsTable;
  perFold: FoldAccuracy[];
  perRepetition: RepetitionAccuracy[];
  summary: AccuracySummary;
  /** Mean of r over all folds of all repetitions. */
  meanFoldR: MeanSd;
  /** Mean over repetitions of the prediction made while the individual was in the test part; fold of the first repetition. */
  points: { individual: string; observed: number; predicted: number; fold: number }[];
}

export interface TraitEvaluation {
  trait: string;
  evaluation: Evaluation | null;
  error: ErrorExtra | null;
}

const DEFAULTS = { nFold: 5, nRepetition: 10, seed: 1 };
/** Up to so many individuals the matrices of a training part are so small that several threads lose more by waiting than they win. */
const ONE_THREAD_UP_TO = 1000;

/**
 * Cross-validates genomic prediction. Markers are filtered and imputed once on all genotyped individuals (no phenotype goes
 * into that) and the kinships of the model as trained are computed once and cut; every training part estimates its own variance components. A trait that
 * cannot be evaluated carries its reason.
 *
 * @throws AnalysisError when names, traits or folds do not fit; StatgenError `no-markers-left`
 */
export async function evaluateModels(input: EvaluateInput, context: AnalysisContext): Promise<TraitEvaluation[]> {
  const { panel } = input;
  const settings = modelSettings(input);
  setComputeThreads(context.threads);
  reportProgress(context, 'match', 0, 1);
  const { traits: aligned, covariates } = trainingData(panel.samples, input.phenotype, input.traits, settings, input);
  const given = input.folds === undefined ? null : placeFolds(input.folds, panel.samples, input);
  const results = new Map<TrainingTrait, TraitEvaluation>();
  for (const { traits, frequenciesOf } of traitsByKinship(aligned, settings)) {
    const kinship = await panelKinship(
      { panel: blocksOf(panel), methods: kernelMethods(settings), ...settings, ...frequenciesOf },
      context,
    );
    const kernel = kinship.kernels[settings.kinship];
    if (kernel === undefined) throw new TypeError(`the kinship ${settings.kinship} was not computed`);
    for (const trait of traits) {
      const { name } = trait.column;
      try {
        requireEnough(trait, covariates, settings);
        const fixed = fixedModelOf(covariates, kernel, settings);
        if (settings.dominance) requireHeterozygotes(kinship, observedCount(trait.values));
        const evaluation = await evaluateTrait({ input, settings, kinship, kernel, fixed, given, trait }, context);
        results.set(trait, { trait: name, evaluation, error: null });
      } catch (error) {
        const described = describeError(error);
        if (described === null) throw error;
        results.set(trait, { trait: name, evaluation: null, error: described });
      }
    }
  }
  return aligned.flatMap((trait) => results.get(trait) ?? []);
}

interface TraitTask {
  input: EvaluateInput;
  settings: ModelSettings;
  kinship: KinshipResult;
  /** The additive one of the model. */
  kernel: NonNullable<KinshipResult['kernels']['vanraden1']>;
  fixed: FixedModel;
  given: Int32Array[] | null;
  trait: TrainingTrait;
}

async function evaluateTrait(task: TraitTask, context: AnalysisContext): Promise<Evaluation> {
  const { input, kinship, trait } = task;
  const y = trait.values;
  const { samples } = input.panel;
  const seed = input.seed ?? DEFAULTS.seed;
  const folds =
    task.given === null
      ? createFolds({
          y,
          nFold: input.nFold ?? DEFAULTS.nFold,
          nRepetition: input.nRepetition ?? DEFAULTS.nRepetition,
          seed,
        })
      : givenFolds(task.given, y);
  const n = observedCount(y);
  const parts: CrossValidation[] = [];
  if (n <= ONE_THREAD_UP_TO) setComputeThreads(1);
  try {
    for (let r = 0; r < folds.repetitions; r++) {
      reportProgress(context, 'cross-validate', r * folds.folds, folds.repetitions * folds.folds);
      parts.push(validateRepetition(task, folds, r));
      // A repetition is one long calculation: yield to the event loop so that cancellation is handled between two of them.
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    setComputeThreads(context.threads);
  }
  reportProgress(context, 'cross-validate', folds.repetitions * folds.folds, folds.repetitions * folds.folds);

  requireFittedFold(parts);
  const perFold = parts.flatMap((part, r) =>
    part.folds.map((result) => ({
      repetition: r + 1,
      fold: result.fold,
      n: result.nTest,
      r: finite(result.pearsonR),
      reason: reasonWithoutR(result),
    })),
  );
  const repetitions = parts.map((part) => part.repetitions[0]);
  const over = (figure: 'pearsonR' | 'spearmanR' | 'rmse' | 'r2' | 'slope'): MeanSd =>
    summarize(repetitions.map((repetition) => repetition[figure]));
  return {
    trait: trait.column.name,
    seed,
    nFold: folds.folds,
    nRepetition: folds.repetitions,
    n,
    m: kinship.scan.keptCount,
    withoutCovariate: trait.withoutCovariate,
    folds: tableOf(folds, samples),
    perFold,
    perRepetition: repetitions.map(({ pearsonR, spearmanR, rmse, r2, slope }, r) => ({
      repetition: r + 1,
      pearson_r: finite(pearsonR),
      spearman_r: finite(spearmanR),
      rmse: finite(rmse),
      r2: finite(r2),
      slope: finite(slope),
    })),
    summary: {
      pearson_r: over('pearsonR'),
      spearman_r: over('spearmanR'),
      rmse: over('rmse'),
      r2: over('r2'),
      slope: over('slope'),
    },
    meanFoldR: summarize(perFold.map(({ r }) => r ?? Number.NaN)),
    points: pointsOf(samples, y, folds, parts),
  };
}

function reasonWithoutR(result: CrossValidation['folds'][number]): string | null {
  const { pearsonR, nTest, error, varianceAdditive, varianceDominance } = result;
  if (Number.isFinite(pearsonR)) return null;
  if (error !== undefined) return describeError(error)?.message ?? error.message;
  if (nTest > 1 && varianceAdditive === 0 && varianceDominance === 0) {
    return 'The other folds show no genetic variance, so all individuals of this fold get the same prediction.';
  }
  return nTest < 2 ? 'This fold has one individual only.' : 'The values or the predictions of this fold do not differ.';
}

/** Where no training part has a model there is nothing to show but the reason; a single one leaves its fold without r. */
function requireFittedFold(parts: readonly CrossValidation[]): void {
  const folds = parts.flatMap((part) => part.folds);
  const [{ error }] = folds;
  if (error === undefined || folds.some((fold) => fold.error === undefined)) return;
  throw new StatgenError(
    error.code,
    `no training part of the cross-validation can be fitted: ${error.message}`,
    error.details,
  );
}

function validateRepetition(task: TraitTask, folds: Folds, r: number): CrossValidation {
  const { settings, kernel, fixed, trait } = task;
  const { dominance } = task.kinship.kernels;
  return crossValidate({
    kinship: kernel,
    ...(settings.dominance && dominance !== undefined ? { dominance } : {}),
    y: trait.values,
    fixed,
    folds: {
      individuals: folds.individuals,
      repetitions: 1,
      folds: folds.folds,
      assignment: folds.assignment.subarray(r * folds.individuals, (r + 1) * folds.individuals),
    },
    ...(settings.optimizeSeconds === null ? {} : { optimizeSeconds: settings.optimizeSeconds }),
    now: () => performance.now(),
  });
}

/** Given folds by panel individual. */
function placeFolds(folds: FoldsTable, samples: readonly string[], matching: NameMatching): Int32Array[] {
  const { both } = matchIndividuals(samples, folds.individuals, {
    ...(matching.synonyms === undefined ? {} : { synonyms: matching.synonyms }),
    suggestionsPerName: 0,
  });
  if (both.length === 0) {
    throw new AnalysisError(
      'match/nothing-in-common',
      'The table of folds and the genotype have no individual in common.',
      'Write the names in both files in the same way.',
    );
  }
  const rowOf = new Map(folds.individuals.map((name, row) => [name, row]));
  const partnerOf = new Map(both.map(({ left, right }) => [left, right]));
  const rows = samples.map((name) => rowOf.get(partnerOf.get(name) ?? '') ?? -1);
  return folds.repetitions.map((fold) => Int32Array.from(rows, (row) => (row < 0 ? 0 : fold[row])));
}

function givenFolds(repetitions: readonly Int32Array[], y: Float64Array): Folds {
  const assignment = new Int32Array(repetitions.length * y.length);
  let folds = 0;
  for (const [r, fold] of repetitions.entries()) {
    for (let i = 0; i < y.length; i++) {
      if (Number.isNaN(y[i])) continue;
      assignment[r * y.length + i] = fold[i];
      folds = Math.max(folds, fold[i]);
    }
  }
  return { individuals: y.length, repetitions: repetitions.length, folds, assignment };
}

/** Folds of the individuals that take part in at least one repetition. */
function tableOf(folds: Folds, samples: readonly string[]): FoldsTable {
  const foldOf = (i: number, r: number) => folds.assignment[r * folds.individuals + i];
  const repetitions = Array.from({ length: folds.repetitions }, (_, r) => r);
  const rows = Array.from(samples.keys()).filter((i) => repetitions.some((r) => foldOf(i, r) > 0));
  return {
    individuals: rows.map((i) => samples[i]),
    repetitions: repetitions.map((r) => Int32Array.from(rows, (i) => foldOf(i, r))),
  };
}

function pointsOf(
  samples: readonly string[],
  y: Float64Array,
  folds: Folds,
  parts: readonly CrossValidation[],
): Evaluation['points'] {
  const points: Evaluation['points'] = [];
  for (let i = 0; i < samples.length; i++) {
    const predictions = parts.map((part) => part.predicted[i]).filter(Number.isFinite);
    if (predictions.length === 0) continue;
    const predicted = predictions.reduce((sum, value) => sum + value, 0) / predictions.length;
    points.push({ individual: samples[i], observed: y[i], predicted, fold: folds.assignment[i] });
  }
  return points;
}

function summarize(values: readonly number[]): MeanSd {
  const { mean, sd } = meanAndSd(values);
  return { mean: finite(mean), sd: finite(sd) };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Accuracy of every fold as CSV: trait,repetition,fold,n,r. */
export function evaluationCsv(evaluations: readonly Evaluation[]): Iterable<string> {
  return csvChunks(
    ['trait', 'repetition', 'fold', 'n', 'r'],
    evaluations.flatMap(({ trait, perFold }) =>
      perFold.map(({ repetition, fold, n, r }) => [trait, repetition, fold, n, r]),
    ),
  );
}
