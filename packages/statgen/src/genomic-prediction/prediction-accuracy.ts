/** Predictions of individuals whose own records were held out, in units of the trait; NaN where there is none. */
export interface HeldOutPrediction {
  /** The mean and the genetic value. */
  genetic: Float64Array;
  /** What the fixed effects beside the mean add, 0 for an individual with average covariates. */
  fixedPart: Float64Array;
}

/** ŷ: the mean, the fixed effects and the genetic value. */
export const predictedRecords = ({ genetic, fixedPart }: HeldOutPrediction): Float64Array =>
  genetic.map((value, i) => value + fixedPart[i]);

/** y without the fixed effects beside the mean. */
export const correctedRecords = (observed: Float64Array, { fixedPart }: HeldOutPrediction): Float64Array =>
  observed.map((value, i) => value - fixedPart[i]);

/** Agreement of predictions with observations. */
export interface PredictionAccuracy {
  /** Pairs compared: both values finite. */
  n: number;
  /** Pearson correlation. */
  pearsonR: number;
  /** Correlation of ranks; ties share their mean rank. */
  spearmanR: number;
  /** Root of the mean squared difference, in units of the trait. */
  rmse: number;
  /** 1 − SSE/SST; negative when the mean would have predicted better. */
  r2: number;
  /** Slope of the regression of observed on predicted: 1 when predictions are neither inflated nor shrunk too much. */
  slope: number;
}

/** Agreement of genetic predictions with records that the fixed effects are taken from. */
export interface GeneticAccuracy extends PredictionAccuracy {
  /** cor(ŷ, y): fixed effects count on both sides, so that it says how well a record is predicted, not a line. */
  phenotypeR: number;
}

/**
 * Accuracy of the genetic part of predictions, against records that the fixed effects beside the mean are taken from.
 * Their correlation is the predictive ability cor(ĝ, y − Xb̂) of Legarra et al. (2008, Genetics 180:611). The mean of
 * the training part stays with the prediction: without fixed effects these are the figures of ŷ against y.
 */
export function geneticAccuracy(observed: Float64Array, prediction: HeldOutPrediction): GeneticAccuracy {
  return {
    ...predictionAccuracy(correctedRecords(observed, prediction), prediction.genetic),
    phenotypeR: predictionAccuracy(observed, predictedRecords(prediction)).pearsonR,
  };
}

/**
 * Accuracy of predictions; pairs with a value that is not finite are left out. A figure that is not defined (constant
 * predictions, fewer than two pairs) is NaN.
 */
export function predictionAccuracy(observed: Float64Array, predicted: Float64Array): PredictionAccuracy {
  const pairs: number[] = [];
  for (let i = 0; i < observed.length; i++) {
    if (Number.isFinite(observed[i]) && Number.isFinite(predicted[i])) pairs.push(i);
  }
  const scale = powerOfTwo(pairs, observed, predicted);
  const o = Float64Array.from(pairs, (i) => observed[i] / scale);
  const p = Float64Array.from(pairs, (i) => predicted[i] / scale);
  const sums = centredSums(o, p);
  const ranks = centredSums(meanRanks(o), meanRanks(p));
  let squares = 0;
  for (let i = 0; i < o.length; i++) squares += (o[i] - p[i]) ** 2;
  return {
    n: o.length,
    pearsonR: sums.xy / Math.sqrt(sums.xx * sums.yy),
    spearmanR: ranks.xy / Math.sqrt(ranks.xx * ranks.yy),
    rmse: scale * Math.sqrt(squares / o.length),
    r2: sums.xx > 0 ? 1 - squares / sums.xx : Number.NaN,
    slope: sums.xy / sums.yy,
  };
}

/**
 * The power of two just below the largest absolute value. Dividing by it keeps products within the range of doubles
 * and is exact.
 */
function powerOfTwo(pairs: readonly number[], observed: Float64Array, predicted: Float64Array): number {
  let largest = 0;
  for (const i of pairs) largest = Math.max(largest, Math.abs(observed[i]), Math.abs(predicted[i]));
  return largest > 0 ? 2 ** Math.floor(Math.log2(largest)) : 1;
}

/** Mean and standard deviation (n − 1) of the finite values; NaN where they are not defined. */
export function meanAndSd(values: readonly number[]): { mean: number; sd: number } {
  const finite = values.filter(Number.isFinite);
  const mean = finite.reduce((sum, value) => sum + value, 0) / finite.length;
  const squares = finite.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sd: finite.length > 1 ? Math.sqrt(squares / (finite.length - 1)) : Number.NaN };
}

/** Centred sums of squares and products; a sum of squares within rounding error is 0, and so is its product. */
function centredSums(x: Float64Array, y: Float64Array): { xx: number; yy: number; xy: number } {
  const meanX = x.reduce((sum, value) => sum + value, 0) / x.length;
  const meanY = y.reduce((sum, value) => sum + value, 0) / y.length;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < x.length; i++) {
    xx += (x[i] - meanX) ** 2;
    yy += (y[i] - meanY) ** 2;
    xy += (x[i] - meanX) * (y[i] - meanY);
  }
  const rounding = 1e-14 ** 2 * x.length;
  const isConstant = { x: xx <= rounding * meanX * meanX, y: yy <= rounding * meanY * meanY };
  return {
    xx: isConstant.x ? 0 : xx,
    yy: isConstant.y ? 0 : yy,
    xy: isConstant.x || isConstant.y ? 0 : xy,
  };
}

function meanRanks(values: Float64Array): Float64Array {
  const order = Array.from({ length: values.length }, (_, i) => i).sort((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(values.length);
  let start = 0;
  while (start < order.length) {
    let end = start;
    while (end + 1 < order.length && values[order[end + 1]] === values[order[start]]) end++;
    for (let i = start; i <= end; i++) ranks[order[i]] = 0.5 * (start + end) + 1;
    start = end + 1;
  }
  return ranks;
}
