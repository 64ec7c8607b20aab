import { type Matrix, requireSquare, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { multiplyVector } from '@heterosis/linalg/products';
import { fitReml, reduceKernel } from '../mixed-model/fit-reml.ts';
import { fitTwoKernels } from '../mixed-model/fit-two-kernels.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { StatgenError } from '../statgen-error.ts';
import { coefficientsOf, createFixedDesign, type FixedModel, fixedPartOf, MEAN_ONLY } from './fixed-effects.ts';
import { meanAndSd, type PredictionAccuracy, predictionAccuracy } from './prediction-accuracy.ts';
import { observedPositions } from './rrblup.ts';

/** Which fold each individual is in, per repetition. */
export interface Folds {
  individuals: number;
  repetitions: number;
  folds: number;
  /** individuals × repetitions, column-major: 1 … folds, 0 = takes no part. */
  assignment: Int32Array;
}

export interface FoldOptions {
  /** N values; individuals with NaN take no part. */
  y: Float64Array;
  nFold: number;
  nRepetition: number;
  seed: number | bigint;
}

/**
 * Random folds of equal size (± 1) among the individuals observed, the same for the same seed and number of individuals.
 *
 * @throws StatgenError `bad-folds` when there are fewer than 2 folds or repetitions than 1, or fewer than two individuals a fold
 */
export function createFolds(options: FoldOptions): Folds {
  const { y, nFold, nRepetition, seed } = options;
  const observed = observedPositions(y, y.length);
  if (!(Number.isInteger(nFold) && nFold >= 2 && Number.isInteger(nRepetition) && nRepetition >= 1)) {
    throw new StatgenError(
      'bad-folds',
      `cross-validation needs at least 2 folds and 1 repetition, not ${nFold} and ${nRepetition}`,
    );
  }
  if (observed.length < 2 * nFold) {
    throw new StatgenError(
      'bad-folds',
      `${observed.length} individuals cannot be cut into ${nFold} folds of at least two; use fewer folds`,
      { n: observed.length, folds: nFold },
    );
  }
  const assignment = new Int32Array(y.length * nRepetition);
  for (let repetition = 0; repetition < nRepetition; repetition++) {
    const order = createRandomStream(seed, 'folds', repetition).shuffle(observed.slice());
    for (let i = 0; i < order.length; i++) assignment[order[i] + repetition * y.length] = (i % nFold) + 1;
  }
  return { individuals: y.length, repetitions: nRepetition, folds: nFold, assignment };
}

export interface CrossValidationOptions {
  /** N × N over all genotyped individuals. */
  kinship: Matrix;
  /** N × N; with it the model is additive + dominance. */
  dominance?: Matrix;
  /** N values, NaN = not observed. */
  y: Float64Array;
  folds: Folds;
  /** Fixed effects beside the mean, estimated anew on each training part; individuals that lack one take no part. */
  fixed?: FixedModel;
  /** Seconds allowed for the variances of each training part (two kernels only). */
  optimizeSeconds?: number;
  now?: () => number;
  /** Told after each fit; throwing stops the work. */
  onFold?: (done: number, total: number) => void;
}

export interface FoldResult {
  /** 1-based. */
  repetition: number;
  /** 1-based. */
  fold: number;
  nTrain: number;
  nTest: number;
  /** Pearson correlation within the fold; NaN where it is not defined. */
  pearsonR: number;
  varianceAdditive: number;
  varianceDominance: number;
  varianceResidual: number;
  mean: number;
  /** Why this training part has no model; its predictions are NaN then. */
  error?: StatgenError;
}

/** The figures of one repetition, over all its folds together. */
export interface RepetitionResult extends PredictionAccuracy {
  repetition: number;
  /** Mean of the correlations within the folds: differs from `pearsonR`, which compares across folds as well. */
  meanFoldPearsonR: number;
}

export interface CrossValidation {
  folds: FoldResult[];
  repetitions: RepetitionResult[];
  /** Mean and standard deviation over repetitions, per figure. */
  total: { [figure in keyof Omit<RepetitionResult, 'repetition' | 'n'>]: { mean: number; sd: number } };
  /** N × repetitions, column-major; NaN for individuals that take no part. */
  predicted: Float64Array;
}

/**
 * Cross-validation of genomic prediction. The kinship is computed once from all genotyped individuals (no phenotype goes into
 * it) and cut; variance components and fixed effects are estimated anew on each training part, so nothing leaks from the test
 * part. The test part is predicted by x_test·b̂ + σ²a·K_test,train·Py. O(folds · repetitions · n³).
 *
 * @throws StatgenError `shape-mismatch`, `bad-folds`, `too-few-individuals`, `not-finite`
 */
export function crossValidate(options: CrossValidationOptions): CrossValidation {
  const { kinship, y, folds, onFold } = options;
  const size = requireSquare(kinship, 'a kinship matrix');
  const observed = observedPositions(y, size);
  requireFolds(folds, size, observed);
  const predicted = new Float64Array(size * folds.repetitions).fill(Number.NaN);
  const results: FoldResult[] = [];
  for (let repetition = 0; repetition < folds.repetitions; repetition++) {
    for (let fold = 1; fold <= folds.folds; fold++) {
      const foldOf = (i: number): number => folds.assignment[i + repetition * size];
      const train = observed.filter((i) => foldOf(i) !== fold && foldOf(i) !== 0);
      const test = observed.filter((i) => foldOf(i) === fold);
      const result: FoldResult = {
        repetition: repetition + 1,
        fold,
        nTrain: train.length,
        nTest: test.length,
        pearsonR: Number.NaN,
        varianceAdditive: Number.NaN,
        varianceDominance: Number.NaN,
        varianceResidual: Number.NaN,
        mean: Number.NaN,
      };
      results.push(result);
      try {
        const values = predictPart(options, train, test, result);
        for (let i = 0; i < test.length; i++) predicted[test[i] + repetition * size] = values[i];
        const seen = Float64Array.from(test, (i) => y[i]);
        result.pearsonR = predictionAccuracy(seen, values).pearsonR;
      } catch (error) {
        if (!(error instanceof StatgenError)) throw error;
        result.error = error;
      }
      onFold?.(results.length, folds.repetitions * folds.folds);
    }
  }
  const repetitions = Array.from({ length: folds.repetitions }, (_, repetition) => ({
    repetition: repetition + 1,
    ...predictionAccuracy(y, predicted.subarray(repetition * size, (repetition + 1) * size)),
    meanFoldPearsonR: meanAndSd(
      results.filter((result) => result.repetition === repetition + 1).map((result) => result.pearsonR),
    ).mean,
  }));
  const over = (figure: keyof Omit<RepetitionResult, 'repetition' | 'n'>) =>
    meanAndSd(repetitions.map((result) => result[figure]));
  return {
    folds: results,
    repetitions,
    total: {
      pearsonR: over('pearsonR'),
      spearmanR: over('spearmanR'),
      rmse: over('rmse'),
      r2: over('r2'),
      slope: over('slope'),
      meanFoldPearsonR: over('meanFoldPearsonR'),
    },
    predicted,
  };
}

/** Fits the training part, writes its figures to `result` and returns the predictions of the test part. */
function predictPart(
  options: CrossValidationOptions,
  train: Int32Array,
  test: Int32Array,
  result: FoldResult,
): Float64Array {
  const { kinship, dominance, y, fixed = MEAN_ONLY } = options;
  const seen = Float64Array.from(train, (i) => y[i]);
  const design = createFixedDesign(fixed, train);
  const { x } = design;
  const predicted = (coefficients: Float64Array, genetic: Float64Array): Float64Array => {
    [result.mean] = coefficients;
    return genetic.map((value, k) => result.mean + fixedPartOf(fixed, design, coefficients, test[k]) + value);
  };
  const own = selectRowsAndColumns(kinship, train, train);
  const across = selectRowsAndColumns(kinship, test, train);
  if (dominance === undefined) {
    const reduced = reduceKernel(own, x);
    const fit = fitReml(reduced, seen);
    const genetic = multiplyVector(own, fit.weights);
    const coefficients = coefficientsOf(reduced.contrasts, seen, (i) => fit.varianceGenetic * genetic[i]);
    result.varianceAdditive = fit.varianceGenetic;
    result.varianceDominance = 0;
    result.varianceResidual = fit.varianceResidual;
    return predicted(
      coefficients,
      multiplyVector(across, fit.weights).map((value) => fit.varianceGenetic * value),
    );
  }
  const ownDominance = selectRowsAndColumns(dominance, train, train);
  const fit = fitTwoKernels({
    kernels: [own, ownDominance],
    x,
    y: seen,
    ...(options.optimizeSeconds === undefined ? {} : { optimizeSeconds: options.optimizeSeconds }),
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  const [additivePart, dominancePart, residual] = fit.variances;
  const geneticOf = (additive: Matrix, other: Matrix): Float64Array => {
    const first = multiplyVector(additive, fit.weights);
    const second = multiplyVector(other, fit.weights);
    return first.map((value, i) => additivePart * value + dominancePart * second[i]);
  };
  const genetic = geneticOf(own, ownDominance);
  const coefficients = coefficientsOf(fit.contrasts, seen, (i) => genetic[i]);
  result.varianceAdditive = additivePart;
  result.varianceDominance = dominancePart;
  result.varianceResidual = residual;
  return predicted(coefficients, geneticOf(across, selectRowsAndColumns(dominance, test, train)));
}

function requireFolds(folds: Folds, size: number, observed: Int32Array): void {
  if (folds.individuals !== size || folds.assignment.length !== size * folds.repetitions) {
    throw new StatgenError(
      'shape-mismatch',
      `folds of ${folds.individuals} individuals (${folds.assignment.length} entries) do not fit a kinship of ${size}`,
    );
  }
  for (let repetition = 0; repetition < folds.repetitions; repetition++) {
    const counts = new Int32Array(folds.folds + 1);
    for (const i of observed) {
      const fold = folds.assignment[i + repetition * size];
      if (!(fold >= 0 && fold <= folds.folds)) {
        throw new StatgenError(
          'bad-folds',
          `individual ${i + 1} has fold ${fold}, which is not one of 0 to ${folds.folds}`,
          {
            individual: i + 1,
            fold,
          },
        );
      }
      counts[fold]++;
    }
    const empty = counts.indexOf(0, 1);
    if (empty > 0) {
      throw new StatgenError('bad-folds', `fold ${empty} of repetition ${repetition + 1} has no observed individual`, {
        fold: empty,
        repetition: repetition + 1,
      });
    }
  }
}
