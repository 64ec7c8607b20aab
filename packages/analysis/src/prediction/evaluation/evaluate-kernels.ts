import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { crossValidationSteps } from '@heterosis/statgen/genomic-prediction/cross-validate';
import { createFixedDesign } from '@heterosis/statgen/genomic-prediction/fixed-effects';
import { createFolds, type Folds } from '@heterosis/statgen/genomic-prediction/folds';
import { compareFolds, type PairedComparison } from '@heterosis/statgen/genomic-prediction/paired-comparison';
import { predictionAccuracy } from '@heterosis/statgen/genomic-prediction/prediction-accuracy';
import { createRrblupModel } from '@heterosis/statgen/genomic-prediction/rrblup';
import {
  averageKernel,
  chooseBandwidth,
  gaussianKernel,
  type MarkerDistances,
  markerDistances,
} from '@heterosis/statgen/kernels/gaussian-kernel';
import { type Matrix, setComputeThreads } from '@heterosis/statgen/linear-algebra';
import type { PackedMarkers } from '@heterosis/statgen/marker-space/packed-markers';
import { SAMPLER_MODELS, type SamplerModel } from '@heterosis/statgen/sampler/effect-priors';
import { haveMet, largestRHat } from '@heterosis/statgen/sampler/pool-chains';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { type AnalysisContext, reportProgress } from '../../context.ts';
import { describeError, type ErrorExtra } from '../../describe-error.ts';
import { usableMemoryMb } from '../../engine/machine-rates.ts';
import { panelMarkers } from '../../inputs/panel-markers.ts';
import { addFixedMarkers, type FixedMarker, fixedMarkerModel } from '../fixed-markers/fixed-markers.ts';
import { AVERAGED, type DistanceKernel, requireKernelMemory } from '../kernels/kernel-models.ts';
import { threadsFor } from '../multi-trait.ts';
import { kinshipSource } from '../own-kinship.ts';
import type { ChainLengths } from '../sampling/chains.ts';
import { requireDiploids, type SamplingChoice, sampleTrait } from '../sampling/sample-trait.ts';
import { modelSettings } from '../train-model.ts';
import { requireEnough, type TrainingTrait, trainingData } from '../training-data.ts';
import { DEFAULTS, type EvaluateInput, type Evaluation } from './evaluate-model.ts';
import { accuracyFigures, finite, type MeanSd, repetitionsOf, summarize } from './evaluation-figures.ts';
import { type EvaluatedPoint, type FoldAccuracy, foldRows, pointsOf } from './fold-results.ts';
import type { FoldsTable } from './folds.ts';
import { givenFolds, placeFolds, tableOf } from './place-folds.ts';

/** Models that differ in the kernel of the lines, or in the prior of the marker effects. */
export type KernelModel = 'rrblup' | DistanceKernel | SamplerModel;

const isSampler = (model: KernelModel): model is SamplerModel => SAMPLER_MODELS.some((own) => own === model);

/** One model and trait; all models of a trait have the same folds. */
export interface KernelEvaluation {
  model: KernelModel;
  trait: string;
  n: number;
  m: number;
  seed: number;
  nFold: number;
  nRepetition: number;
  folds: FoldsTable;
  perFold: FoldAccuracy[];
  perRepetition: Evaluation['perRepetition'];
  summary: Evaluation['summary'];
  points: EvaluatedPoint[];
  meanFoldR: MeanSd;
  seconds: number;
  /** Of the Gaussian kernel, the geometric mean over the folds; null for others. */
  bandwidth: number | null;
  /** Of a model by sampling, the folds whose chains have not met, and the largest R̂; null for others. */
  chains: { notMet: number; rHat: number } | null;
  testShare: number;
}

/** Two models of a trait: the first minus the second. */
export interface ModelComparison extends PairedComparison {
  models: [string, string];
  trait: string;
}

export interface KernelEvaluations {
  evaluations: KernelEvaluation[];
  comparisons: ModelComparison[];
  /** Traits that cannot be evaluated. */
  failed: { name: string; error: ErrorExtra }[];
}

/**
 * Cross-validates models with several kernels on the same folds: the kinship of the markers, the Gaussian kernel with
 * the bandwidth of the largest REML likelihood of each training part, the mean of three Gaussian kernels, and models by
 * sampling, which have no fixed markers. Distances and their median are those of all genotyped individuals, which uses
 * no phenotype.
 *
 * @throws AnalysisError when names, traits or folds do not fit; `analysis/does-not-fit`
 */
export async function evaluateKernels(
  input: EvaluateInput & {
    models: readonly KernelModel[];
    lengths: ChainLengths;
  },
  context: AnalysisContext,
): Promise<KernelEvaluations> {
  const settings = modelSettings(input);
  reportProgress(context, 'match', 0, 1);
  const models = [...new Set(input.models)];
  if (models.some(isSampler)) requireDiploids(input.panel);
  const source = kinshipSource(input.panel, input, ['vanraden1', settings.kinship], settings);
  const { individuals } = source;
  const { traits } = trainingData(individuals, input.phenotype, input.traits, settings, input);
  requireKernelMemory(individuals.length, input);
  const given = input.folds === undefined ? null : placeFolds(input.folds, individuals, input);
  setComputeThreads(context.threads);
  const { kernels, scan } = await source.kernels({}, context);
  const [linear, products] = [kernels[settings.kinship], kernels.vanraden1];
  if (linear === undefined || products === undefined) throw new TypeError('the kinships were not computed');
  const distances = markerDistances(products);
  const average = models.includes('kernel-average') ? averageKernel(distances, AVERAGED) : linear;
  const markers = models.some(isSampler)
    ? await panelMarkers({ panel: blocksOf(input.panel), ...settings }, context)
    : null;
  const fixed = input.fixedMarkers ?? [];
  const foldsOfModel = async (model: KernelModel, y: Float64Array, folds: Folds): Promise<Rows> => {
    if (markers !== null && isSampler(model)) {
      return await sampledFolds({ markers, y, folds }, { model, ...input.lengths }, input, context);
    }
    if (model === 'gaussian') return await gaussianFolds(distances, { y, folds, fixed }, context);
    const kernel = model === 'rrblup' ? linear : average;
    return fixed.length === 0
      ? await kernelFolds(kernel, y, folds, context)
      : await fixedMarkerFolds(kernel, { y, folds, fixed }, context);
  };
  const result: KernelEvaluations = { evaluations: [], comparisons: [], failed: [] };
  setComputeThreads(threadsFor(individuals.length, context));
  try {
    for (const trait of traits) {
      const { name } = trait.column;
      try {
        requireEnough(trait, [], settings);
        const folds = foldsOf(input, trait, given);
        const table = tableOf(folds, individuals);
        const own: KernelEvaluation[] = [];
        for (const model of models) {
          const started = performance.now();
          const { genetic, ...rows } = await foldsOfModel(model, trait.values, folds);
          const seconds = (performance.now() - started) / 1000;
          const predicted = { genetic, fixedPart: new Float64Array(genetic.length) };
          own.push({
            ...{ model, trait: name, m: scan.keptCount, seed: input.seed ?? DEFAULTS.seed, folds: table },
            ...{ nFold: folds.folds, nRepetition: folds.repetitions, ...rows },
            n: trait.values.reduce((sum, y) => sum + Number(!Number.isNaN(y)), 0),
            ...accuracyFigures(repetitionsOf(trait.values, predicted, folds.repetitions), false),
            points: pointsOf(individuals, trait.values, folds, predicted),
            meanFoldR: summarize(rows.perFold.map(({ r }) => r ?? Number.NaN)),
            seconds,
          });
        }
        result.evaluations.push(...own);
        result.comparisons.push(...comparisonsOf(own));
      } catch (error) {
        const described = describeError(error);
        if (described === null) throw error;
        result.failed.push({ name, error: described });
      }
    }
  } finally {
    setComputeThreads(context.threads);
  }
  return result;
}

function foldsOf(input: EvaluateInput, { values }: TrainingTrait, given: Int32Array[] | null): Folds {
  if (given !== null) return givenFolds(given, values);
  const { nFold = DEFAULTS.nFold, nRepetition = DEFAULTS.nRepetition, seed = DEFAULTS.seed } = input;
  return createFolds({ y: values, nFold, nRepetition, seed });
}

type Rows = Pick<KernelEvaluation, 'perFold' | 'testShare' | 'bandwidth' | 'chains'> & {
  /** Of individuals in test parts, individuals × repetitions; NaN for others. */
  genetic: Float64Array;
};

async function kernelFolds(kinship: Matrix, y: Float64Array, folds: Folds, context: AnalysisContext): Promise<Rows> {
  const steps = crossValidationSteps({ kinship, y, folds });
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      const { folds: found, genetic } = step.value;
      const testShare = found.reduce((sum, { nTest, nTrain }) => sum + nTest / nTrain, 0) / found.length;
      return { perFold: foldRows(found, null, false), testShare, bandwidth: null, chains: null, genetic };
    }
    reportProgress(context, 'cross-validate', step.value.done, step.value.total);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface FixedFolds {
  y: Float64Array;
  folds: Folds;
  fixed: readonly FixedMarker[];
}

const observedIn = (values: Float64Array): Int32Array =>
  Int32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));

/** Values of all individuals from those of some, the effects of fixed markers among them. */
function valuesBeside(kernel: Matrix, train: Float64Array, fixed: readonly FixedMarker[]): Float64Array {
  const { gebv, fixed: effects } = createRrblupModel(kernel, fixedMarkerModel(fixed)).fit(train);
  addFixedMarkers(gebv, fixed, effects, observedIn(train));
  return gebv;
}

async function fixedMarkerFolds(
  kernel: Matrix,
  { y, folds, fixed }: FixedFolds,
  context: AnalysisContext,
): Promise<Rows> {
  const rows = await predictFolds({ y, folds }, async ({ train }) => valuesBeside(kernel, train, fixed), context);
  return { ...rows, bandwidth: null, chains: null };
}

async function gaussianFolds(
  distances: MarkerDistances,
  { y, folds, fixed }: FixedFolds,
  context: AnalysisContext,
): Promise<Rows> {
  const logs: number[] = [];
  const rows = await predictFolds(
    { y, folds },
    async ({ train }) => {
      const individuals = observedIn(train);
      const values = Float64Array.from(individuals, (i) => train[i]);
      const { x } = createFixedDesign(fixedMarkerModel(fixed), individuals);
      const { bandwidth } = chooseBandwidth(distances, individuals, x, values);
      logs.push(Math.log(bandwidth));
      return valuesBeside(gaussianKernel(distances, bandwidth), train, fixed);
    },
    context,
  );
  const bandwidth = logs.length === 0 ? null : Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
  return { ...rows, bandwidth, chains: null };
}

/** Every fold has chains of its own, whose seed is that of the others. */
async function sampledFolds(
  { markers, y, folds }: { markers: PackedMarkers; y: Float64Array; folds: Folds },
  choice: SamplingChoice,
  { memoryMb = usableMemoryMb() }: Pick<EvaluateInput, 'memoryMb'>,
  context: AnalysisContext,
): Promise<Rows> {
  const chains = { notMet: 0, rHat: 1 };
  const rows = await predictFolds(
    { y, folds },
    async ({ train, test, onPart }) => {
      const predicted = Int32Array.from(test.keys()).filter((i) => !Number.isNaN(test[i]));
      const onCycles = (done: number, total: number) => onPart(done / total);
      const { pooled, gebv } = await sampleTrait(
        { markers, y: train, predicted },
        choice,
        { memoryMb, onCycles },
        context,
      );
      if (!haveMet(pooled)) chains.notMet++;
      chains.rHat = Math.max(chains.rHat, largestRHat(pooled));
      return gebv;
    },
    context,
  );
  return { ...rows, bandwidth: null, chains };
}

/** r of each fold from what is predicted for all individuals by the values of the others. */
async function predictFolds(
  { y, folds }: { y: Float64Array; folds: Folds },
  predict: (part: {
    train: Float64Array;
    test: Float64Array;
    onPart: (share: number) => void;
  }) => Promise<Float64Array>,
  context: AnalysisContext,
): Promise<Pick<Rows, 'perFold' | 'testShare' | 'genetic'>> {
  const perFold: FoldAccuracy[] = [];
  const genetic = new Float64Array(folds.individuals * folds.repetitions).fill(Number.NaN);
  let share = 0;
  const total = folds.repetitions * folds.folds;
  const count = (values: Float64Array) => values.reduce((sum, value) => sum + Number(!Number.isNaN(value)), 0);
  for (let k = 0; k < total; k++) {
    reportProgress(context, 'cross-validate', k, total);
    // A fit blocks the event loop: yield in between so that cancellation is handled.
    await new Promise((resolve) => setImmediate(resolve));
    const [repetition, fold] = [Math.floor(k / folds.folds), 1 + (k % folds.folds)];
    const foldOf = (i: number) => folds.assignment[i + repetition * folds.individuals];
    const train = y.map((value, i) => (foldOf(i) === 0 || foldOf(i) === fold ? Number.NaN : value));
    const test = y.map((value, i) => (foldOf(i) === fold ? value : Number.NaN));
    share += count(test) / count(train);
    const place = { repetition: repetition + 1, fold, group: null, phenotype_r: null };
    try {
      const onPart = (part: number) => reportProgress(context, 'cross-validate', k + part, total);
      const predicted = await predict({ train, test, onPart });
      for (const i of observedIn(test)) genetic[i + repetition * folds.individuals] = predicted[i];
      const { n, pearsonR } = predictionAccuracy(test, predicted);
      const r = finite(pearsonR);
      const reason = r === null ? 'The values or the predictions of this fold do not differ.' : null;
      perFold.push({ ...place, n, r, reason });
    } catch (error) {
      if (!(error instanceof StatgenError)) throw error;
      perFold.push({ ...place, n: 0, r: null, reason: describeError(error)?.message ?? error.message });
    }
  }
  reportProgress(context, 'cross-validate', total, total);
  return { perFold, testShare: share / total, genetic };
}

/** Each pair of models of one trait on the same folds, the later minus the earlier. */
export function comparisonsOf(
  evaluations: readonly { model: string; trait: string; perFold: readonly FoldAccuracy[]; testShare: number }[],
): ModelComparison[] {
  return evaluations.flatMap((first, k) =>
    evaluations.slice(k + 1).flatMap((second): ModelComparison[] => {
      const differences = second.perFold.flatMap(({ r }, at) => {
        const before = first.perFold[at]?.r ?? null;
        return r === null || before === null ? [] : [r - before];
      });
      if (differences.length < 2) return [];
      const compared = compareFolds(differences, first.testShare);
      return [{ models: [second.model, first.model], trait: first.trait, ...compared }];
    }),
  );
}
