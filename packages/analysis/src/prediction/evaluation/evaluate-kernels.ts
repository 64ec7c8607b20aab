import { crossValidationSteps } from '@heterosis/statgen/genomic-prediction/cross-validate';
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
import { interceptOnly } from '@heterosis/statgen/mixed-model/error-contrasts';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { type AnalysisContext, AnalysisError, reportProgress } from '../../context.ts';
import { describeError, type ErrorExtra } from '../../describe-error.ts';
import { usableMemoryMb } from '../../engine/machine-rates.ts';
import { gigabytes } from '../../engine/plan-engine.ts';
import { threadsFor } from '../multi-trait.ts';
import { kinshipSource } from '../own-kinship.ts';
import { modelSettings } from '../train-model.ts';
import { requireEnough, type TrainingTrait, trainingData } from '../training-data.ts';
import { DEFAULTS, type EvaluateInput } from './evaluate-model.ts';
import { finite, type MeanSd, summarize } from './evaluation-figures.ts';
import { type FoldAccuracy, foldRows } from './fold-results.ts';
import type { FoldsTable } from './folds.ts';
import { givenFolds, placeFolds, tableOf } from './place-folds.ts';

/** Models that differ in the kernel of the lines alone. */
export type KernelModel = 'rrblup' | 'gaussian' | 'kernel-average';

/** Bandwidths of the averaged kernels, from wide to narrow. */
const AVERAGED = [0.2, 1, 5];

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
  meanFoldR: MeanSd;
  /** Of the Gaussian kernel, the geometric mean over the folds; null for others. */
  bandwidth: number | null;
  testShare: number;
}

/** Two models of a trait: the first minus the second. */
export interface ModelComparison extends PairedComparison {
  models: [KernelModel, KernelModel];
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
 * the bandwidth of the largest REML likelihood of each training part, and the mean of three Gaussian kernels. Distances
 * and their median are those of all genotyped individuals, which uses no phenotype.
 *
 * @throws AnalysisError when names, traits or folds do not fit; `analysis/does-not-fit`
 */
export async function evaluateKernels(
  input: EvaluateInput & { models: readonly KernelModel[] },
  context: AnalysisContext,
): Promise<KernelEvaluations> {
  const settings = modelSettings(input);
  reportProgress(context, 'match', 0, 1);
  const models = [...new Set(input.models)];
  const source = kinshipSource(input.panel, input, ['vanraden1', settings.kinship], settings);
  const { individuals } = source;
  const { traits } = trainingData(individuals, input.phenotype, input.traits, settings, input);
  requireMemory(individuals.length, input);
  const given = input.folds === undefined ? null : placeFolds(input.folds, individuals, input);
  setComputeThreads(context.threads);
  const { kernels, scan } = await source.kernels({}, context);
  const [linear, products] = [kernels[settings.kinship], kernels.vanraden1];
  if (linear === undefined || products === undefined) throw new TypeError('the kinships were not computed');
  const distances = markerDistances(products);
  const average = models.includes('kernel-average') ? averageKernel(distances, AVERAGED) : linear;
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
          const rows =
            model === 'gaussian'
              ? await gaussianFolds(distances, trait.values, folds, context)
              : await kernelFolds(model === 'rrblup' ? linear : average, trait.values, folds, context);
          own.push({
            ...{ model, trait: name, m: scan.keptCount, seed: input.seed ?? DEFAULTS.seed, folds: table },
            ...{ nFold: folds.folds, nRepetition: folds.repetitions, ...rows },
            n: trait.values.reduce((sum, y) => sum + Number(!Number.isNaN(y)), 0),
            meanFoldR: summarize(rows.perFold.map(({ r }) => r ?? Number.NaN)),
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

/** Kinship, distances, kernels and their parts. */
function requireMemory(individuals: number, { memoryMb = usableMemoryMb() }: EvaluateInput): void {
  const neededMb = (8 * 8 * individuals ** 2) / 2 ** 20;
  if (neededMb <= memoryMb) return;
  throw new AnalysisError(
    'analysis/does-not-fit',
    `Kernels of ${individuals} individuals need ${gigabytes(neededMb)} of memory, and this machine has ${gigabytes(memoryMb)}.`,
    'Use fewer individuals, or a machine with more memory.',
    { individuals, memory_mb: Math.round(neededMb), machine_mb: Math.round(memoryMb) },
  );
}

function foldsOf(input: EvaluateInput, { values }: TrainingTrait, given: Int32Array[] | null): Folds {
  if (given !== null) return givenFolds(given, values);
  const { nFold = DEFAULTS.nFold, nRepetition = DEFAULTS.nRepetition, seed = DEFAULTS.seed } = input;
  return createFolds({ y: values, nFold, nRepetition, seed });
}

type Rows = Pick<KernelEvaluation, 'perFold' | 'testShare' | 'bandwidth'>;

async function kernelFolds(kinship: Matrix, y: Float64Array, folds: Folds, context: AnalysisContext): Promise<Rows> {
  const steps = crossValidationSteps({ kinship, y, folds });
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      const { folds: found } = step.value;
      const testShare = found.reduce((sum, { nTest, nTrain }) => sum + nTest / nTrain, 0) / found.length;
      return { perFold: foldRows(found, null, false), testShare, bandwidth: null };
    }
    reportProgress(context, 'cross-validate', step.value.done, step.value.total);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function gaussianFolds(
  distances: MarkerDistances,
  y: Float64Array,
  folds: Folds,
  context: AnalysisContext,
): Promise<Rows> {
  const perFold: FoldAccuracy[] = [];
  const logs: number[] = [];
  let share = 0;
  const total = folds.repetitions * folds.folds;
  for (let k = 0; k < total; k++) {
    reportProgress(context, 'cross-validate', k, total);
    // A fit blocks the event loop: yield in between so that cancellation is handled.
    await new Promise((resolve) => setImmediate(resolve));
    const [repetition, fold] = [Math.floor(k / folds.folds), 1 + (k % folds.folds)];
    const foldOf = (i: number) => folds.assignment[i + repetition * folds.individuals];
    const train = y.map((value, i) => (foldOf(i) === 0 || foldOf(i) === fold ? Number.NaN : value));
    const test = y.map((value, i) => (foldOf(i) === fold ? value : Number.NaN));
    const individuals = Int32Array.from(train.keys()).filter((i) => !Number.isNaN(train[i]));
    share += test.reduce((sum, value) => sum + Number(!Number.isNaN(value)), 0) / individuals.length;
    const place = { repetition: repetition + 1, fold, group: null, phenotype_r: null };
    try {
      const values = Float64Array.from(individuals, (i) => train[i]);
      const { bandwidth } = chooseBandwidth(distances, individuals, interceptOnly(values.length), values);
      const { gebv } = createRrblupModel(gaussianKernel(distances, bandwidth)).fit(train);
      const { n, pearsonR } = predictionAccuracy(test, gebv);
      const r = finite(pearsonR);
      logs.push(Math.log(bandwidth));
      const reason = r === null ? 'The values or the predictions of this fold do not differ.' : null;
      perFold.push({ ...place, n, r, reason });
    } catch (error) {
      if (!(error instanceof StatgenError)) throw error;
      perFold.push({ ...place, n: 0, r: null, reason: describeError(error)?.message ?? error.message });
    }
  }
  reportProgress(context, 'cross-validate', total, total);
  const bandwidth = logs.length === 0 ? null : Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
  return { perFold, testShare: share / total, bandwidth };
}

/** Each pair of models, the later minus the earlier. */
function comparisonsOf(evaluations: readonly KernelEvaluation[]): ModelComparison[] {
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
