import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { createFolds, type Folds } from '@heterosis/statgen/genomic-prediction/folds';
import { predictionAccuracy } from '@heterosis/statgen/genomic-prediction/prediction-accuracy';
import { gaussianKernel, markerDistances } from '@heterosis/statgen/kernels/gaussian-kernel';
import { linearKernel } from '@heterosis/statgen/kernels/linear-kernel';
import { type Matrix, selectRowsAndColumns, setComputeThreads } from '@heterosis/statgen/linear-algebra';
import {
  type EnvironmentModel,
  type EnvironmentVariances,
  environmentsAt,
  type FitEnvironmentsOptions,
  fitEnvironments,
  lineEffects,
} from '@heterosis/statgen/multi-trait/fit-environments';
import { recordsAmong } from '@heterosis/statgen/multi-trait/multi-trait-blup';
import { predictTraits } from '@heterosis/statgen/multi-trait/predict-traits';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { type AnalysisContext, AnalysisError, reportProgress } from '../../context.ts';
import { describeError } from '../../describe-error.ts';
import { usableMemoryMb } from '../../engine/machine-rates.ts';
import { gigabytes } from '../../engine/plan-engine.ts';
import { panelMarkers } from '../../inputs/panel-markers.ts';
import { threadsFor } from '../multi-trait.ts';
import { kinshipSource } from '../own-kinship.ts';
import { modelSettings } from '../train-model.ts';
import { requireEnough, trainingData } from '../training-data.ts';
import { DEFAULTS, type EvaluateInput } from './evaluate-model.ts';
import type { TraitScheme } from './evaluate-together.ts';
import { finite, type MeanSd, summarize } from './evaluation-figures.ts';
import type { FoldAccuracy } from './fold-results.ts';
import type { FoldsTable } from './folds.ts';
import { givenFolds, placeFolds, tableOf } from './place-folds.ts';

/** Kernels with genotype by environment; see `fitEnvironments`. */
export type EnvironmentKernelModel = `gxe-${EnvironmentModel}`;

/** Of the lines: exp(−D²/median of D²), or the products of standardized markers. */
export type EnvironmentKernel = 'gaussian' | 'linear';

/** Variances of all records, and their likelihood. */
export interface EnvironmentFit extends EnvironmentVariances {
  logLikelihood: number;
  isConverged: boolean;
}

/** How well one environment is predicted. */
export interface EnvironmentEvaluation {
  model: EnvironmentKernelModel;
  /** The trait of the phenotype file that has the records of the environment. */
  trait: string;
  environment: string;
  n: number;
  m: number;
  seed: number;
  nFold: number;
  nRepetition: number;
  /** In which fold the record of each line in the environment is hidden. */
  folds: FoldsTable;
  perFold: FoldAccuracy[];
  meanFoldR: MeanSd;
  testShare: number;
  fit: EnvironmentFit;
}

export interface EnvironmentInput extends EvaluateInput {
  models: readonly EnvironmentKernelModel[];
  scheme: TraitScheme;
  kernel: EnvironmentKernel;
  /** A variance of lines beside their relationships. */
  hasLines?: boolean;
}

/**
 * Cross-validates models of one trait in several environments, which stand as traits. `cv1` hides lines in all
 * environments and estimates the variances anew from every training part. `cv2` hides records, in all environments at
 * once where the folds are of records (a column for each environment), otherwise in one environment after the other;
 * it takes the variances of all records, as Cuevas et al. (2017) are compared.
 *
 * @throws AnalysisError `evaluate/environments`, `analysis/does-not-fit`, and when names, traits or folds do not fit;
 * StatgenError of the fit of all records
 */
export async function evaluateEnvironments(
  input: EnvironmentInput,
  context: AnalysisContext,
): Promise<EnvironmentEvaluation[]> {
  const { panel, scheme } = input;
  const settings = modelSettings(input);
  reportProgress(context, 'match', 0, 1);
  const source = kinshipSource(panel, input, ['vanraden1'], settings);
  const { individuals } = source;
  const { traits } = trainingData(individuals, input.phenotype, input.traits, settings, input);
  if (traits.length < 2) {
    throw new AnalysisError(
      'evaluate/environments',
      `Models with genotype by environment need two environments, and ${traits.length} was given.`,
      'Name the columns of the environments: --trait Yield_E1,Yield_E2.',
    );
  }
  for (const trait of traits) requireEnough(trait, [], settings);
  const values = traits.map((trait) => trait.values);
  requireMemory(values, input);
  const { parts, tables } = partsOf(
    input,
    individuals,
    traits.map(({ column }) => column.name),
    values,
  );
  setComputeThreads(context.threads);
  const { kinship, kept } = await kernelOf(input, source, context);
  setComputeThreads(threadsFor(individuals.length, context));
  try {
    const all = recordsAmong({ kinship, values }).records;
    const lines = { residualLines: input.hasLines ?? false };
    const fits = new Map(
      input.models.map((model): [EnvironmentKernelModel, EnvironmentFit] => {
        const { variances, logLikelihood, isConverged } = fitEnvironments(all, nameOf(model), lines);
        return [model, { ...variances, logLikelihood, isConverged }];
      }),
    );
    const rows = new Map(input.models.map((model) => [model, values.map((): FoldRow[] => [])]));
    for (const [done, part] of parts.entries()) {
      reportProgress(context, 'cross-validate', done, parts.length);
      // A fit blocks the event loop: yield in between so that cancellation is handled.
      await new Promise((resolve) => setImmediate(resolve));
      for (const [model, predict] of predictorsOf(part, { kinship, values, fits, scheme, lines })) {
        for (const t of part.predicted) rows.get(model)?.[t]?.push(accuracyOf(part, values[t], predict, t));
      }
    }
    reportProgress(context, 'cross-validate', parts.length, parts.length);
    return input.models.flatMap((model) =>
      traits.map(({ column: { name } }, t): EnvironmentEvaluation => {
        const perFold = rows.get(model)?.[t] ?? [];
        return {
          ...{ model, trait: name, environment: name, m: kept, seed: input.seed ?? DEFAULTS.seed },
          n: countOf(values[t]),
          nFold: Math.max(...parts.map(({ fold }) => fold)),
          nRepetition: Math.max(...parts.map(({ repetition }) => repetition)),
          folds: tables[t],
          ...{ perFold, meanFoldR: summarize(perFold.map(({ r }) => r ?? Number.NaN)) },
          testShare: perFold.reduce((sum, { n, nTrain }) => sum + n / nTrain, 0) / perFold.length,
          fit: fits.get(model) as EnvironmentFit,
        };
      }),
    );
  } finally {
    setComputeThreads(context.threads);
  }
}

const nameOf = (model: EnvironmentKernelModel): EnvironmentModel => model.slice(4) as EnvironmentModel;

const countOf = (values: Float64Array): number => values.reduce((sum, value) => sum + Number(!Number.isNaN(value)), 0);

/** Kernels with their eigenvectors, and what missing records take. */
function requireMemory(values: readonly Float64Array[], { memoryMb = usableMemoryMb() }: EvaluateInput): void {
  const n = values[0].length;
  const missing = values.reduce((sum, own) => sum + n - countOf(own), 0) + n * values.length * 0.2;
  const neededMb = (8 * (6 * n ** 2 + 3 * missing ** 2)) / 2 ** 20;
  if (neededMb <= memoryMb) return;
  throw new AnalysisError(
    'analysis/does-not-fit',
    `${n} individuals in ${values.length} environments need ${gigabytes(neededMb)} of memory, and this machine has ${gigabytes(memoryMb)}.`,
    'Use fewer individuals, or a machine with more memory.',
    { individuals: n, memory_mb: Math.round(neededMb), machine_mb: Math.round(memoryMb) },
  );
}

async function kernelOf(
  input: EnvironmentInput,
  source: ReturnType<typeof kinshipSource>,
  context: AnalysisContext,
): Promise<{ kinship: Matrix; kept: number }> {
  if (input.kernel === 'linear') {
    const markers = await panelMarkers({ panel: blocksOf(input.panel), ...modelSettings(input) }, context);
    return { kinship: linearKernel(markers), kept: markers.m };
  }
  const { kernels, scan } = await source.kernels({}, context);
  if (kernels.vanraden1 === undefined) throw new TypeError('the kinship vanraden1 was not computed');
  return { kinship: gaussianKernel(markerDistances(kernels.vanraden1), 1), kept: scan.keptCount };
}

interface Part {
  repetition: number;
  fold: number;
  isHidden(t: number, i: number): boolean;
  /** Takes no part, hidden or not. */
  isAbsent(t: number, i: number): boolean;
  predicted: readonly number[];
}

/** Folds of lines, or of records. */
function partsOf(
  input: EnvironmentInput,
  individuals: readonly string[],
  names: readonly string[],
  values: readonly Float64Array[],
): { parts: Part[]; tables: FoldsTable[] } {
  const { scheme } = input;
  const n = individuals.length;
  const all = [...names.keys()];
  const places = names.map((name) => input.folds?.columns?.indexOf(name) ?? -1);
  const given = input.folds === undefined ? null : placeFolds(input.folds, individuals, input);
  const { nFold = DEFAULTS.nFold, nRepetition = DEFAULTS.nRepetition, seed = DEFAULTS.seed } = input;
  if (scheme === 'cv2' && given !== null && !places.includes(-1)) {
    const folds = Math.max(...places.map((k) => Math.max(...given[k])));
    return partsOfFolds({ n, repetitions: 1, folds, individuals, all }, () => (t, i) => given[places[t]]?.[i] ?? 0);
  }
  if (scheme === 'cv2' && given === null) {
    const y = Float64Array.from(values.flatMap((own) => Array.from(own)));
    const { assignment } = createFolds({ y, nFold, nRepetition, seed });
    return partsOfFolds(
      { n, repetitions: nRepetition, folds: nFold, individuals, all },
      (repetition) => (t, i) => assignment[(repetition * all.length + t) * n + i],
    );
  }
  const any = values[0].map((_, i) => (values.some((own) => !Number.isNaN(own[i])) ? 1 : Number.NaN));
  const lines: Folds = given === null ? createFolds({ y: any, nFold, nRepetition, seed }) : givenFolds(given, any);
  const whole = partsOfFolds(
    { n, repetitions: lines.repetitions, folds: lines.folds, individuals, all },
    (repetition) => (_, i) => lines.assignment[repetition * n + i],
  );
  if (scheme === 'cv1') return whole;
  const parts = whole.parts.flatMap((part) =>
    all.map((t): Part => ({ ...part, predicted: [t], isHidden: (s, i) => s === t && part.isHidden(s, i) })),
  );
  return { ...whole, parts };
}

/** Parts by the fold of every record, and a table of folds for each environment. */
function partsOfFolds(
  {
    n,
    repetitions,
    folds,
    individuals,
    all,
  }: { n: number; repetitions: number; folds: number; individuals: readonly string[]; all: readonly number[] },
  foldsOf: (repetition: number) => (t: number, i: number) => number,
): { parts: Part[]; tables: FoldsTable[] } {
  const parts = Array.from({ length: repetitions * folds }, (_, k): Part => {
    const [repetition, fold] = [1 + Math.floor(k / folds), 1 + (k % folds)];
    const foldAt = foldsOf(repetition - 1);
    return {
      ...{ repetition, fold, predicted: all },
      isHidden: (t, i) => foldAt(t, i) === fold,
      isAbsent: (t, i) => foldAt(t, i) === 0,
    };
  });
  const tables = all.map((t) => {
    const assignment = Int32Array.from({ length: repetitions * n }, (_, k) => foldsOf(Math.floor(k / n))(t, k % n));
    return tableOf({ individuals: n, repetitions, folds, assignment }, individuals);
  });
  return { parts, tables };
}

/** Values of an environment for the individuals with a hidden record, or why there are none. */
type Predictor = { train: Float64Array[]; values: Float64Array[] } | { train: Float64Array[]; error: StatgenError };
type FoldRow = FoldAccuracy & { nTrain: number };

/** One decomposition of the kernel of the training lines serves all models. */
function predictorsOf(
  part: Part,
  {
    kinship,
    values,
    fits,
    scheme,
    lines: fitted,
  }: {
    kinship: Matrix;
    values: readonly Float64Array[];
    fits: ReadonlyMap<EnvironmentKernelModel, EnvironmentFit>;
    scheme: TraitScheme;
    lines: FitEnvironmentsOptions;
  },
): [EnvironmentKernelModel, Predictor][] {
  const train = values.map((own, t) =>
    own.map((y, i) => (part.isHidden(t, i) || part.isAbsent(t, i) ? Number.NaN : y)),
  );
  const test = Int32Array.from({ length: kinship.rows }, (_, i) => i).filter((i) =>
    part.predicted.some((t) => part.isHidden(t, i)),
  );
  const attempt = <Result>(work: () => Result): Result | StatgenError => {
    try {
      return work();
    } catch (error) {
      if (error instanceof StatgenError) return error;
      throw error;
    }
  };
  const prepared = attempt(() => recordsAmong({ kinship, values: train }));
  return [...fits].map(([model, fit]): [EnvironmentKernelModel, Predictor] => {
    if (prepared instanceof StatgenError) return [model, { train, error: prepared }];
    const { records, lines } = prepared;
    const found = attempt(() => {
      const { point, variances } =
        scheme === 'cv2'
          ? { point: environmentsAt(records, fit), variances: fit }
          : fitEnvironments(records, nameOf(model), fitted);
      const beside = new Float64Array(kinship.rows);
      for (const [k, effect] of lineEffects(records, point, variances).entries()) beside[lines[k]] = effect;
      const own = Float64Array.from(test, (i) => kinship.data[i * (kinship.rows + 1)]);
      const predicted = predictTraits(records, point, selectRowsAndColumns(kinship, lines, test), own);
      return predicted.values.map((ofTest) => {
        const placed = new Float64Array(kinship.rows).fill(Number.NaN);
        for (const [k, i] of test.entries()) placed[i] = ofTest[k] + beside[i];
        return placed;
      });
    });
    return [model, found instanceof StatgenError ? { train, error: found } : { train, values: found }];
  });
}

function accuracyOf(part: Part, observed: Float64Array, predict: Predictor, t: number): FoldRow {
  const { repetition, fold } = part;
  const place = { repetition, fold, group: null, phenotype_r: null, nTrain: countOf(predict.train[t]) };
  if ('error' in predict) {
    return { ...place, n: 0, r: null, reason: describeError(predict.error)?.message ?? predict.error.message };
  }
  const hidden = observed.map((y, i) => (part.isHidden(t, i) ? y : Number.NaN));
  const { n, pearsonR } = predictionAccuracy(hidden, predict.values[t]);
  const r = finite(pearsonR);
  const reason = r === null ? 'The values or the predictions of this fold do not differ.' : null;
  return { ...place, n, r, reason };
}
