import { LinalgError } from '@heterosis/linalg/linalg-error';
import { type Matrix, requireSquare, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { multiplyVector } from '@heterosis/linalg/products';
import { fitKnownErrors } from '../mixed-model/fit-known-errors.ts';
import { fitReml, MINIMUM_INDIVIDUALS, reduceKernel } from '../mixed-model/fit-reml.ts';
import { fitTwoKernels } from '../mixed-model/fit-two-kernels.ts';
import { StatgenError } from '../statgen-error.ts';
import {
  coefficientsOf,
  createFixedDesign,
  type FixedModel,
  fixedPartOf,
  MEAN_ONLY,
  markerPartOf,
} from './fixed-effects.ts';
import {
  FEWEST_WITH_ONE_MAXIMUM,
  type FoldPrediction,
  type FoldPredictions,
  predictFromInverses,
} from './fold-inverses.ts';
import { type FoldPlan, type Folds, type Split, splitFolds } from './folds.ts';
import type { KnownErrors } from './known-errors.ts';
import {
  type GeneticAccuracy,
  geneticAccuracy,
  type HeldOutPrediction,
  meanAndSd,
  predictedRecords,
} from './prediction-accuracy.ts';

export interface CrossValidationOptions {
  /** N × N over all genotyped individuals. */
  kinship: Matrix;
  /** N × N; with it the model is additive + dominance. */
  dominance?: Matrix;
  /** N values, NaN = not observed. */
  y: Float64Array;
  folds: Folds;
  /** Fixed effects beside the mean, estimated again on each training part; individuals that lack one take no part. */
  fixed?: FixedModel;
  /** Known errors of the values; a training part has those of its own individuals. */
  errors?: KnownErrors;
  /** Seconds allowed for the variances of each training part (two kernels only). */
  optimizeSeconds?: number;
  now?: () => number;
  /** See `FoldInverseOptions`. */
  sampleSize?: number;
}

export interface FoldResult {
  /** 1-based. */
  repetition: number;
  /** 1-based. */
  fold: number;
  nTrain: number;
  nTest: number;
  /** Predictive ability within the fold; NaN where it is not defined. */
  pearsonR: number;
  /** cor(ŷ, y) within the fold. */
  phenotypeR: number;
  varianceAdditive: number;
  varianceDominance: number;
  varianceResidual: number;
  mean: number;
  /** Why this training part has no model; its predictions are NaN then. */
  error?: StatgenError;
}

/** The figures of one repetition, on the pooled predictions of its folds. */
export interface RepetitionResult extends GeneticAccuracy {
  repetition: number;
  /** Mean of the correlations within the folds: differs from `pearsonR`, which compares across folds as well. */
  meanFoldPearsonR: number;
}

/** Predictions are N × repetitions, column-major; NaN for individuals that take no part. */
export interface CrossValidation extends HeldOutPrediction {
  /** ŷ, with the fixed effects. */
  predicted: Float64Array;
  folds: FoldResult[];
  repetitions: RepetitionResult[];
  /** Mean and standard deviation over repetitions, per figure. */
  total: { [figure in keyof Omit<RepetitionResult, 'repetition' | 'n'>]: { mean: number; sd: number } };
  /**
   * Share of the phenotypic variance that the kinships explain in a fit of all individuals; null where folds were
   * fitted one by one, as with dominance and kinships of the individuals, and where there is no maximum inside.
   */
  kinshipPve: number | null;
}

/**
 * Cross-validation of genomic prediction. The kinship is computed once from all genotyped individuals, without
 * phenotypes, and subset. Each training part estimates its own variance components and fixed effects, so nothing
 * leaks from the test part. The test part is predicted by x_test·b̂ + σ²a·K_test,train·Py.
 *
 * @throws StatgenError `shape-mismatch`, `bad-folds`, `too-few-individuals`, `not-finite`
 */
export function crossValidate(options: CrossValidationOptions): CrossValidation {
  const steps = crossValidationSteps(options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * {@link crossValidate} in steps, so that a caller can report progress and stop in between.
 *
 * An additive model takes the folds from inverses of the whole, see `predictFromInverses`; folds without a maximum
 * there, and models with dominance or known errors, are fitted one by one.
 *
 * @yields folds done, of all
 */
export function* crossValidationSteps(
  options: CrossValidationOptions,
): Generator<{ done: number; total: number }, CrossValidation> {
  const size = requireSquare(options.kinship, 'a kinship matrix');
  const plan = splitFolds(options.y, options.folds, size);
  const isPlain = options.dominance === undefined && options.errors === undefined;
  const together = isPlain ? yield* fromInverses(options, plan.observed, plan.splits) : null;
  const total = plan.splits.length;
  const parts: FoldPart[] = [];
  for (const [k, split] of plan.splits.entries()) {
    const known = together?.folds[k] ?? null;
    const place = plan.places[k];
    parts.push(known === null ? predictLeftOut(options, place, split) : knownPart(place, split, known));
    if (known === null || k === total - 1) yield { done: k + 1, total };
  }
  return { ...assembleFolds(options.y, options.folds, plan, parts), kinshipPve: together?.kinshipPve ?? null };
}

/** A fold with the predictions of its test individuals. */
export interface FoldPart extends HeldOutPrediction {
  result: FoldResult;
}

/** A fold whose prediction, or the reason why there is none, is known. */
export function knownPart(
  place: FoldPlan['places'][number],
  split: Split,
  known: FoldPrediction | StatgenError,
): FoldPart {
  const { train, test, observed } = split;
  const result = emptyResult(place, train, test);
  if (known instanceof StatgenError) {
    const none = new Float64Array(test.length).fill(Number.NaN);
    return { result: { ...result, error: known }, genetic: none, fixedPart: none };
  }
  const { varianceAdditive, varianceDominance = 0, varianceResidual, mean } = known;
  const prediction = ofAverageIndividual(known, train.length);
  const { pearsonR, phenotypeR } = geneticAccuracy(
    Float64Array.from(test, (i) => observed[i]),
    prediction,
  );
  return {
    result: { ...result, pearsonR, phenotypeR, varianceAdditive, varianceDominance, varianceResidual, mean },
    ...prediction,
  };
}

/**
 * Fixed effects are 0 at the average of the training part, where they are centred. Here they become 0 at the average of
 * training and test part, which is the same for every fold: otherwise records and predictions of a fold would both move
 * with the averages of its covariates, and correlate when folds are pooled.
 */
function ofAverageIndividual({ genetic, fixedPart }: HeldOutPrediction, trained: number): HeldOutPrediction {
  const shift = fixedPart.reduce((sum, part) => sum + part, 0) / (trained + fixedPart.length);
  return { genetic: genetic.map((value) => value + shift), fixedPart: fixedPart.map((part) => part - shift) };
}

/** The cross-validation of which these are the folds. */
export function assembleFolds(
  y: Float64Array,
  folds: Folds,
  { places, splits }: FoldPlan,
  parts: readonly FoldPart[],
): Omit<CrossValidation, 'kinshipPve'> {
  const size = y.length;
  const inPlaces = (valuesOf: (part: FoldPart) => Float64Array): Float64Array => {
    const all = new Float64Array(size * folds.repetitions).fill(Number.NaN);
    for (const [k, { test }] of splits.entries()) {
      const values = valuesOf(parts[k]);
      for (const [i, individual] of test.entries()) all[individual + (places[k].repetition - 1) * size] = values[i];
    }
    return all;
  };
  const predictions = { genetic: inPlaces((part) => part.genetic), fixedPart: inPlaces((part) => part.fixedPart) };
  const results = parts.map(({ result }) => result);
  return {
    folds: results,
    ...predictions,
    predicted: predictedRecords(predictions),
    ...figuresOf(y, folds, predictions, results),
  };
}

/** Fewer individuals to train on are left to the fit of each fold, which says what is missing. */
const FEWEST_IN_TRAINING = 2 * MINIMUM_INDIVIDUALS;

/** The folds from inverses of all individuals observed; null where that is not possible. */
function* fromInverses(
  { kinship, y, fixed = MEAN_ONLY, sampleSize }: CrossValidationOptions,
  observed: Int32Array,
  splits: readonly Split[],
): Generator<{ done: number; total: number }, FoldPredictions | null> {
  const n = observed.length;
  if (n < FEWEST_WITH_ONE_MAXIMUM) return null;
  if (splits.some(({ train }) => train.length < FEWEST_IN_TRAINING)) return null;
  const placeOf = new Int32Array(kinship.rows).fill(-1);
  for (const [place, i] of observed.entries()) placeOf[i] = place;
  const folds = splits.map(({ train, test }) => {
    const isTrain = new Uint8Array(n);
    for (const i of train) isTrain[placeOf[i]] = 1;
    return {
      leftOut: Int32Array.from(observed.keys()).filter((place) => isTrain[place] === 0),
      test: test.map((i) => placeOf[i]),
    };
  });
  try {
    const steps = predictFromInverses({
      kinship: n === kinship.rows ? kinship : selectRowsAndColumns(kinship, observed, observed),
      observed,
      y: Float64Array.from(observed, (i) => y[i]),
      fixed,
      folds,
      sampleSize,
    });
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      // The last fold is done when its prediction is.
      const { done, total } = step.value;
      yield { done: Math.floor((done / total) * (splits.length - 1)), total: splits.length };
    }
  } catch (error) {
    // A constant training part, collinear fixed effects, a matrix that is not definite: each fold finds its own reason.
    if (error instanceof StatgenError || error instanceof LinalgError) return null;
    throw error;
  }
}

function figuresOf(
  y: Float64Array,
  folds: Folds,
  { genetic, fixedPart }: HeldOutPrediction,
  results: readonly FoldResult[],
): Pick<CrossValidation, 'repetitions' | 'total'> {
  const size = y.length;
  const of = (values: Float64Array, repetition: number): Float64Array =>
    values.subarray(repetition * size, (repetition + 1) * size);
  const repetitions = Array.from({ length: folds.repetitions }, (_, repetition) => ({
    repetition: repetition + 1,
    ...geneticAccuracy(y, { genetic: of(genetic, repetition), fixedPart: of(fixedPart, repetition) }),
    meanFoldPearsonR: meanAndSd(
      results.filter((result) => result.repetition === repetition + 1).map((result) => result.pearsonR),
    ).mean,
  }));
  const over = (figure: keyof Omit<RepetitionResult, 'repetition' | 'n'>) =>
    meanAndSd(repetitions.map((result) => result[figure]));
  return {
    repetitions,
    total: {
      pearsonR: over('pearsonR'),
      phenotypeR: over('phenotypeR'),
      spearmanR: over('spearmanR'),
      rmse: over('rmse'),
      r2: over('r2'),
      slope: over('slope'),
      meanFoldPearsonR: over('meanFoldPearsonR'),
    },
  };
}

/** A part that is left out, with its own training and test values, N each; NaN = not observed. */
export interface LeftOutPart {
  /** Values to train on. */
  train: Float64Array;
  /** Values to predict; an individual may be in both. */
  test: Float64Array;
}

/**
 * Predicts each part from its own training values, as cross-validation over environments needs: the means of
 * individuals over the other environments predict those in the environment left out.
 *
 * @returns one fold a part, and its predictions by all N individuals
 * @throws StatgenError `shape-mismatch`, `not-finite`
 */
export function predictParts(
  options: PredictionModel & { onFold?: (done: number, total: number) => void },
  parts: readonly LeftOutPart[],
): { folds: FoldResult[]; predictions: HeldOutPrediction[] } {
  const size = requireSquare(options.kinship, 'a kinship matrix');
  const folds: FoldResult[] = [];
  const predictions: HeldOutPrediction[] = [];
  for (const { train, test } of parts) {
    for (const values of [train, test]) {
      if (values.length !== size) {
        throw new StatgenError('shape-mismatch', `the kinship has ${size} individuals, a part ${values.length} values`);
      }
    }
    const known = (values: Float64Array) => Int32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
    const testing = known(test);
    const place = { repetition: 1, fold: folds.length + 1 };
    const part = predictLeftOut(options, place, { train: known(train), test: testing, values: train, observed: test });
    folds.push(part.result);
    const inPlaces = (values: Float64Array): Float64Array => {
      const all = new Float64Array(size).fill(Number.NaN);
      for (let k = 0; k < testing.length; k++) all[testing[k]] = values[k];
      return all;
    };
    predictions.push({ genetic: inPlaces(part.genetic), fixedPart: inPlaces(part.fixedPart) });
    options.onFold?.(folds.length, parts.length);
  }
  return { folds, predictions };
}

type PredictionModel = Omit<CrossValidationOptions, 'y' | 'folds'>;

function emptyResult(place: { repetition: number; fold: number }, train: Int32Array, test: Int32Array): FoldResult {
  return {
    ...place,
    nTrain: train.length,
    nTest: test.length,
    pearsonR: Number.NaN,
    phenotypeR: Number.NaN,
    varianceAdditive: Number.NaN,
    varianceDominance: Number.NaN,
    varianceResidual: Number.NaN,
    mean: Number.NaN,
  };
}

/** NaN where the training part has no model; the result says why. */
function predictLeftOut(options: PredictionModel, place: FoldPlan['places'][number], split: Split): FoldPart {
  try {
    return knownPart(place, split, predictPart(options, split));
  } catch (error) {
    if (!(error instanceof StatgenError)) throw error;
    return knownPart(place, split, error);
  }
}

/** Fits the training part and predicts the test part. */
function predictPart(options: PredictionModel, { train, test, values }: Split): FoldPrediction {
  const { kinship, dominance, errors, fixed = MEAN_ONLY } = options;
  const seen = Float64Array.from(train, (i) => values[i]);
  const design = createFixedDesign(fixed, train);
  const { x } = design;
  const predictionOf = (coefficients: Float64Array, values: Float64Array): HeldOutPrediction & { mean: number } => ({
    mean: coefficients[0],
    genetic: values.map((value, k) => coefficients[0] + markerPartOf(fixed, design, coefficients, test[k]) + value),
    fixedPart: Float64Array.from(test, (i) => fixedPartOf(fixed, design, coefficients, i)),
  });
  if (errors !== undefined) {
    const kernels = dominance === undefined ? [kinship] : [kinship, dominance];
    const fit = fitKnownErrors({
      kernels: kernels.map((kernel) => selectRowsAndColumns(kernel, train, train)),
      omega: errors.among(train),
      residualLines: errors.residualLines,
      ...{ x, y: seen },
    });
    const ofTest = new Float64Array(test.length);
    for (const [k, kernel] of kernels.entries()) {
      const part = multiplyVector(selectRowsAndColumns(kernel, test, train), fit.weights);
      for (let i = 0; i < part.length; i++) ofTest[i] += fit.variances[k] * part[i];
    }
    const [varianceAdditive, varianceDominance] = fit.variances;
    return {
      ...predictionOf(fit.coefficients, ofTest),
      varianceAdditive,
      ...(varianceDominance === undefined ? {} : { varianceDominance }),
      varianceResidual: fit.residual,
    };
  }
  const own = selectRowsAndColumns(kinship, train, train);
  const across = selectRowsAndColumns(kinship, test, train);
  if (dominance === undefined) {
    const reduced = reduceKernel(own, x);
    const fit = fitReml(reduced, seen);
    const genetic = multiplyVector(own, fit.weights);
    const coefficients = coefficientsOf(reduced.contrasts, seen, (i) => fit.varianceGenetic * genetic[i]);
    const ofTest = multiplyVector(across, fit.weights).map((value) => fit.varianceGenetic * value);
    return {
      ...predictionOf(coefficients, ofTest),
      varianceAdditive: fit.varianceGenetic,
      varianceResidual: fit.varianceResidual,
    };
  }
  const ownDominance = selectRowsAndColumns(dominance, train, train);
  const fit = fitTwoKernels({
    kernels: [own, ownDominance],
    x,
    y: seen,
    ...(options.optimizeSeconds === undefined ? {} : { optimizeSeconds: options.optimizeSeconds }),
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  const [varianceAdditive, varianceDominance, varianceResidual] = fit.variances;
  const geneticOf = (additive: Matrix, other: Matrix): Float64Array => {
    const first = multiplyVector(additive, fit.weights);
    const second = multiplyVector(other, fit.weights);
    return first.map((value, i) => varianceAdditive * value + varianceDominance * second[i]);
  };
  const genetic = geneticOf(own, ownDominance);
  const coefficients = coefficientsOf(fit.contrasts, seen, (i) => genetic[i]);
  const ofTest = geneticOf(across, selectRowsAndColumns(dominance, test, train));
  return { ...predictionOf(coefficients, ofTest), varianceAdditive, varianceDominance, varianceResidual };
}
