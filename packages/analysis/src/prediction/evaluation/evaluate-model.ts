import { ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { KinshipTable } from '@heterosis/file-formats/tables/kinship/read-kinship-table';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { requireHeterozygotes } from '@heterosis/statgen/genomic-prediction/additive-dominance';
import {
  type CrossValidation,
  crossValidationSteps,
  predictParts,
} from '@heterosis/statgen/genomic-prediction/cross-validate';
import { type FixedModel, hasCorrections } from '@heterosis/statgen/genomic-prediction/fixed-effects';
import { createFolds } from '@heterosis/statgen/genomic-prediction/folds';
import { correctedRecords, geneticAccuracy } from '@heterosis/statgen/genomic-prediction/prediction-accuracy';
import type { MarkerScan } from '@heterosis/statgen/genotypes/marker-scan';
import type { KinshipResult } from '@heterosis/statgen/kinship/accumulate-kinship';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { markerCrossValidationSteps } from '@heterosis/statgen/marker-space/cross-validate-markers';
import type { PackedMarkers } from '@heterosis/statgen/marker-space/packed-markers';
import type { SearchLimits } from '@heterosis/statgen/mixed-model/two-variance-search';
import { type AnalysisContext, AnalysisError, reportProgress } from '../../context.ts';
import { describeError, type ErrorExtra } from '../../describe-error.ts';
import type { Engine } from '../../engine/engine-task.ts';
import type { EnginePlan } from '../../engine/plan-engine.ts';
import type { NameMatching } from '../../inputs/align-phenotype.ts';
import type { AlignedCovariate } from '../../inputs/covariates.ts';
import { panelMarkers } from '../../inputs/panel-markers.ts';
import type { ErrorInput } from '../../inputs/value-errors.ts';
import type { PolyploidDescent } from '../../pedigree/polyploid-model.ts';
import { chooseEngine, type EngineInput, estimateModel, type ModelTask } from '../choose-engine.ts';
import { markerFixedModel, observedKinships } from '../fit-in-marker-space.ts';
import { createTraitFitter, observedCount } from '../fit-trait.ts';
import type { FixedMarker } from '../fixed-markers/fixed-markers.ts';
import { leavesOutEnvironments, leftOutEnvironments, leftOutGroups, type PlotData } from '../leave-out.ts';
import { kinshipSource } from '../own-kinship.ts';
import { pruneToFit } from '../prune-to-fit.ts';
import { kernelMethods, modelSettings, traitsByKinship } from '../train-model.ts';
import type { ModelSettings } from '../trained-model.ts';
import { fixedModelOf, requireEnough, type TrainingTrait, trainingData } from '../training-data.ts';
import { type AccuracyEstimate, accuracyOf, type Heritability, heritabilityOfMeans } from './accuracy-estimate.ts';
import {
  type AccuracySummary,
  accuracyFigures,
  deviations,
  type MeanSd,
  type RepetitionAccuracy,
  summarize,
} from './evaluation-figures.ts';
import { type EvaluatedPoint, type FoldAccuracy, foldRows, pointsOf, requireFittedFold } from './fold-results.ts';
import type { FoldsTable } from './folds.ts';
import { givenFolds, placeFolds, tableOf } from './place-folds.ts';

export interface EvaluateInput extends NameMatching, PolyploidDescent, EngineInput, ErrorInput, Partial<ModelSettings> {
  panel: GenotypePanel;
  phenotype: PhenotypeTable;
  traits: readonly string[];
  /** Default 5; ignored with `folds`. */
  nFold?: number;
  /** Default 10. */
  nRepetition?: number;
  /** Default 1. */
  seed?: number;
  /** Factors of a factor-analytic G of traits together; unstructured unless told. */
  geneticFactors?: number;
  /** Markers with fixed effects beside the kinship; what they contribute is part of the genetic value. */
  fixedMarkers?: readonly FixedMarker[];
  /** Replaces the kinship computed from the markers. */
  kinshipTable?: KinshipTable;
  /** Single-step prediction: relationships by pedigree and markers in place of those of the markers. */
  pedigree?: PedigreeTable;
  /** Use these folds instead of random ones. */
  folds?: FoldsTable;
  /** Predicts each group of a column from the others, once; `environment`: each environment from the others. */
  leaveOut?: string;
  /** The plots behind `phenotype`, for environments. */
  plots?: PlotData;
  /** Trait → H² of its means after Cullis; those of the entry means stand in `phenotype`. */
  cullisH2?: ReadonlyMap<string, number>;
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
  /** How it was computed, and why so; the numbers do not depend on it. */
  engine: { name: Engine; reason: string };
  /** Beside the mean: covariates or principal components. */
  hasFixedEffects: boolean;
  folds: FoldsTable;
  perFold: FoldAccuracy[];
  perRepetition: RepetitionAccuracy[];
  summary: AccuracySummary;
  /** Null where the trait shows no genetic variance, and for environments, whose means have other heritabilities. */
  accuracy: AccuracyEstimate | null;
  /** Mean of r over all folds of all repetitions. */
  meanFoldR: MeanSd;
  /** Mean over the folds of n_test/n_train. */
  testShare: number;
  points: EvaluatedPoint[];
}

export interface TraitEvaluation {
  trait: string;
  evaluation: Evaluation | null;
  error: ErrorExtra | null;
}

/** What a cross-validation does that is not told otherwise. */
export const DEFAULTS: { nFold: number; nRepetition: number; seed: number } = { nFold: 5, nRepetition: 10, seed: 1 };
/**
 * With at most this many individuals, one thread is faster: synchronising threads costs more than it saves on small
 * matrices.
 */
const ONE_THREAD_UP_TO = 1000;

/**
 * Cross-validates genomic prediction. Markers are filtered and imputed once, on all genotyped individuals, which uses
 * no phenotype. The kinships of the full model are computed once and subset; each training part estimates its own
 * variance components. A trait that cannot be evaluated carries its error.
 *
 * @throws AnalysisError when names, traits or folds do not fit; StatgenError `no-markers-left`
 */
export async function evaluateModels(asked: EvaluateInput, context: AnalysisContext): Promise<TraitEvaluation[]> {
  const { input, plan } = await fittingInput(asked, context);
  const { panel } = input;
  const settings = modelSettings(input);
  setComputeThreads(context.threads);
  reportProgress(context, 'match', 0, 1);
  const source = kinshipSource(panel, input, kernelMethods(settings), settings);
  const { individuals } = source;
  const data = trainingData(individuals, input.phenotype, input.traits, settings, input);
  const { traits: aligned } = data;
  const covariates = [...data.covariates, ...(input.fixedMarkers ?? [])];
  const given = input.folds === undefined ? null : placeFolds(input.folds, individuals, input);
  const groups =
    input.leaveOut === undefined || isEnvironment(input)
      ? null
      : leftOutGroups(individuals, input.phenotype, input.leaveOut, input);
  const results = new Map<TrainingTrait, TraitEvaluation>();
  const evaluate = async (
    trait: TrainingTrait,
    model: TraitTask['model'],
    fixedOf: () => FixedModel,
  ): Promise<void> => {
    const { name } = trait.column;
    try {
      requireEnough(trait, covariates, settings);
      const assigned = groups === null ? given : [groups.folds];
      const task: TraitTask = { input, individuals, settings, model, fixed: fixedOf(), given: assigned, trait, plan };
      const evaluation = isEnvironment(input)
        ? evaluateEnvironments(task, covariates, context)
        : await evaluateTrait(task, groups?.names ?? null, covariates, context);
      results.set(trait, { trait: name, evaluation, error: null });
    } catch (error) {
      const described = describeError(error);
      if (described === null) throw error;
      results.set(trait, { trait: name, evaluation: null, error: described });
    }
  };
  if (plan.engine === 'markers') {
    const markers = await panelMarkers({ panel: blocksOf(panel), ...settings }, context);
    const model = { markers, scan: markers.scan };
    const additive = settings.dominance ? null : markerFixedModel(markers, covariates, settings);
    for (const trait of aligned) {
      const kinshipOf = () => observedKinships(markers, trait.values, settings).additive;
      await evaluate(
        trait,
        model,
        () => additive ?? markerFixedModel(markers, covariates, settings, { kinship: kinshipOf() }),
      );
    }
    return aligned.flatMap((trait) => results.get(trait) ?? []);
  }
  for (const { traits, frequenciesOf } of traitsByKinship(aligned, settings, ploidyOf(input.panel))) {
    const kinship = await source.kernels(frequenciesOf, context);
    const kernel = kinship.kernels[settings.kinship];
    if (kernel === undefined) throw new TypeError(`the kinship ${settings.kinship} was not computed`);
    for (const trait of traits) {
      await evaluate(trait, { kinship, kernel, scan: kinship.scan }, () => fixedModelOf(covariates, kernel, settings));
    }
  }
  return aligned.flatMap((trait) => results.get(trait) ?? []);
}

/**
 * What a cross-validation takes on this machine, from names and phenotypes alone.
 *
 * @throws AnalysisError `analysis/does-not-fit`, and as `evaluateModels` when names or traits do not fit
 */
export async function estimateEvaluation(input: EvaluateInput, context: AnalysisContext): Promise<EnginePlan> {
  const settings = modelSettings(input);
  const source = kinshipSource(input.panel, input, kernelMethods(settings), settings);
  const { individuals } = source;
  const { traits } = trainingData(individuals, input.phenotype, input.traits, settings, input);
  return await estimateModel('evaluate', evaluationTask(input, { settings, individuals, source, traits }), context);
}

/** The input with markers that fit into memory, and how it is computed. */
async function fittingInput(
  input: EvaluateInput,
  context: AnalysisContext,
): Promise<{ input: EvaluateInput; plan: EnginePlan }> {
  const settings = modelSettings(input);
  const source = kinshipSource(input.panel, input, kernelMethods(settings), settings);
  const { individuals } = source;
  const { traits } = trainingData(individuals, input.phenotype, input.traits, settings, input);
  const { panel, plan } = await pruneToFit(
    input.panel,
    (fitting) => {
      const task = evaluationTask({ ...input, panel: fitting }, { settings, individuals, source, traits });
      return chooseEngine('evaluate', task, context);
    },
    context,
  );
  return { input: { ...input, panel }, plan };
}

function evaluationTask(
  input: EvaluateInput,
  task: Pick<ModelTask, 'settings' | 'individuals' | 'source' | 'traits'>,
): ModelTask {
  const groups = input.folds?.repetitions.length ?? input.nRepetition ?? DEFAULTS.nRepetition;
  return {
    ...input,
    ...task,
    folds: input.nFold ?? DEFAULTS.nFold,
    repetitions: input.leaveOut === undefined ? groups : 1,
    leavesOutEnvironments: isEnvironment(input),
  };
}

interface KinshipModel {
  kinship: KinshipResult;
  kernel: NonNullable<KinshipResult['kernels']['vanraden1']>;
  scan: MarkerScan;
}

interface TraitTask {
  input: EvaluateInput;
  individuals: readonly string[];
  settings: ModelSettings;
  /** Kinships of the individuals with the additive one of the model, or the markers. */
  model: KinshipModel | { markers: PackedMarkers; scan: MarkerScan };
  plan: EnginePlan;
  fixed: FixedModel;
  given: Int32Array[] | null;
  trait: TrainingTrait;
}

const isEnvironment = ({ leaveOut, phenotype, plots }: EvaluateInput): boolean =>
  plots !== undefined && leaveOut !== undefined && leavesOutEnvironments(phenotype, leaveOut);

/**
 * H² of the means if the design gives one, otherwise the share that the kinships explain in a fit of all individuals;
 * null at 0. The design knows nothing of fixed effects, and an accuracy given fixed effects needs the heritability
 * given the same. Markers with fixed effects are part of what the design knows, and not of what the kinships explain.
 */
function heritabilityFor(
  { input, settings, model, trait, fixed }: TraitTask,
  covariates: readonly AlignedCovariate[],
  { kinshipPve }: CrossValidation,
): Heritability | null {
  const { phenotype, cullisH2 } = input;
  const entryMean = phenotype.h2[phenotype.traits.indexOf(trait.column)];
  const ofMeans = heritabilityOfMeans({ cullis: cullisH2?.get(trait.column.name), entryMean });
  if (ofMeans !== undefined && !hasCorrections(fixed)) return ofMeans.h2 > 0 ? ofMeans : null;
  if ((input.fixedMarkers ?? []).length > 0) return null;
  if (kinshipPve !== null) return { h2: kinshipPve, basis: 'genomic' };
  // Neither engine found an optimum inside: the genetic variance is 0.
  if ('markers' in model) return null;
  const { heritability } = createTraitFitter(model.kinship, settings, covariates)(trait.values, trait.errors);
  const explained = heritability.kinshipPve + (heritability.dominancePve ?? 0);
  return explained > 0 ? { h2: explained, basis: 'genomic' } : null;
}

async function evaluateTrait(
  task: TraitTask,
  groups: readonly string[] | null,
  covariates: readonly AlignedCovariate[],
  context: AnalysisContext,
): Promise<Evaluation> {
  const { input, model, settings, trait, individuals: samples } = task;
  const y = trait.values;
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
  const total = folds.repetitions * folds.folds;
  reportProgress(context, 'cross-validate', 0, total);
  if (n <= ONE_THREAD_UP_TO) setComputeThreads(1);
  let validation: CrossValidation;
  try {
    if (settings.dominance && 'kinship' in model) requireHeterozygotes(model.kinship, n);
    const steps =
      'markers' in model
        ? markerCrossValidationSteps({
            ...{ markers: model.markers, method: settings.kinship, dominance: settings.dominance },
            ...{ y, folds, fixed: task.fixed, ...searchLimits(settings) },
            ...(trait.errors === null ? {} : { errors: trait.errors }),
          })
        : crossValidationSteps({ ...modelOptions(task, model), y, folds });
    for (;;) {
      const step = steps.next();
      if (step.done === true) {
        validation = step.value;
        break;
      }
      reportProgress(context, 'cross-validate', step.value.done, total);
      // A step blocks the event loop: yield in between so that cancellation is handled.
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    setComputeThreads(context.threads);
  }
  reportProgress(context, 'cross-validate', total, total);

  requireFittedFold(validation);
  const isCorrected = hasCorrections(task.fixed);
  const perFold = foldRows(validation.folds, groups, isCorrected);
  const meanFoldR = summarize(perFold.map(({ r }) => r ?? Number.NaN));
  const figures = accuracyFigures(validation.repetitions, isCorrected);
  return {
    trait: trait.column.name,
    seed,
    nFold: folds.folds,
    nRepetition: folds.repetitions,
    n,
    m: model.scan.keptCount,
    withoutCovariate: trait.withoutCovariate,
    engine: { name: task.plan.engine, reason: task.plan.reason },
    hasFixedEffects: isCorrected,
    folds: tableOf(folds, samples),
    perFold,
    ...figures,
    accuracy: accuracyOf(
      groups === null ? figures.summary.pearson_r.mean : meanFoldR.mean,
      heritabilityFor(task, covariates, validation),
    ),
    meanFoldR,
    testShare: testShareOf(validation.folds),
    points: pointsOf(samples, y, folds, validation),
  };
}

/**
 * Predicts each environment from the means over the others. Pooled figures use deviations from the environment mean,
 * because differences in level between environments are not genetic.
 */
function evaluateEnvironments(
  task: TraitTask,
  covariates: readonly AlignedCovariate[],
  context: AnalysisContext,
): Evaluation {
  const { input, model, trait, settings, individuals: samples } = task;
  if ('markers' in model) throw new TypeError('environments are left out with the kinship of the individuals');
  if (trait.errors !== null) {
    throw new AnalysisError(
      'errors/environments',
      'Standard errors of means over environments are not those of the means over some of them.',
      'Leave the standard errors out, or give the means of each environment with --means and --scheme cv0.',
    );
  }
  const takesPart = (i: number): boolean => covariates.every(({ values }) => !Number.isNaN(values[i]));
  const { names, parts } = leftOutEnvironments(
    samples,
    input.phenotype,
    input.plots ?? { observations: [], environments: [] },
    input.phenotype.traits.indexOf(trait.column),
    takesPart,
    input,
  );
  if (settings.dominance) requireHeterozygotes(model.kinship, observedCount(trait.values));
  const options = modelOptions(task, model);
  const { folds, predictions } = predictParts(
    { ...options, onFold: (done, total) => reportProgress(context, 'cross-validate', done, total) },
    parts,
  );
  requireFittedFold({ folds });
  const isCorrected = hasCorrections(task.fixed);
  const corrected = parts.map(({ test }, k) => {
    const { genetic, fixedPart } = predictions[k];
    const both = Int32Array.from(test.keys()).filter((i) => Number.isFinite(test[i]) && Number.isFinite(genetic[i]));
    const of = (values: Float64Array): Float64Array => Float64Array.from(both, (i) => values[i]);
    return { both, observed: of(test), genetic: of(genetic), fixedPart: of(fixedPart) };
  });
  const pooled = (valuesOf: (part: (typeof corrected)[number]) => Float64Array): Float64Array =>
    Float64Array.from(corrected.flatMap((part) => deviations([...valuesOf(part)])));
  const accuracy = geneticAccuracy(
    pooled((part) => part.observed),
    { genetic: pooled((part) => part.genetic), fixedPart: pooled((part) => part.fixedPart) },
  );
  const perFold = foldRows(folds, names, isCorrected);
  return {
    trait: trait.column.name,
    seed: input.seed ?? DEFAULTS.seed,
    nFold: names.length,
    nRepetition: 1,
    n: observedCount(trait.values),
    m: model.scan.keptCount,
    withoutCovariate: settings.covariates.length > 0 ? trait.withoutCovariate : 0,
    engine: { name: task.plan.engine, reason: task.plan.reason },
    hasFixedEffects: isCorrected,
    folds: { individuals: [], repetitions: [] },
    perFold,
    ...accuracyFigures([accuracy], isCorrected),
    accuracy: null,
    meanFoldR: summarize(perFold.map(({ r }) => r ?? Number.NaN)),
    testShare: testShareOf(folds),
    points: corrected.flatMap((part, k) => {
      const observed = correctedRecords(part.observed, part);
      return Array.from(part.both, (i, place) => ({
        individual: samples[i],
        observed: observed[place],
        predicted: part.genetic[place],
        fold: k + 1,
      }));
    }),
  };
}

const testShareOf = (folds: CrossValidation['folds']): number =>
  folds.reduce((sum, { nTest, nTrain }) => sum + nTest / nTrain, 0) / folds.length;

/** The model of a trait, as input to cross-validation. */
function modelOptions({ settings, fixed, trait }: TraitTask, { kernel, kinship }: KinshipModel) {
  const { dominance } = kinship.kernels;
  return {
    kinship: kernel,
    ...(settings.dominance && dominance !== undefined ? { dominance } : {}),
    fixed,
    ...(trait.errors === null ? {} : { errors: trait.errors }),
    ...searchLimits(settings),
  };
}

const searchLimits = ({ optimizeSeconds }: ModelSettings): SearchLimits => ({
  now: () => performance.now(),
  ...(optimizeSeconds === null ? {} : { optimizeSeconds }),
});
