import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { createRandomStream, type RandomStream } from '../random/random-stream.ts';
import { createSeries, type SeriesData, type SeriesTrial } from './series-data.ts';
import { identityKernel, seriesKernel } from './series-kernel.ts';
import type { SeriesParameters } from './series-likelihood.ts';

/** V of a series written down as its definition says, N × N, by rows. */
export function plainCovariance({ trials, kernels }: SeriesData, parameters: SeriesParameters): number[][] {
  const { loadings, specific, local, kernelOf } = parameters;
  const records = trials.flatMap(({ lines }, j) => Array.from(lines, (line, i) => ({ j, i, line })));
  const related = (k: number, a: number, b: number): number => {
    const { matrix } = kernels[k];
    return matrix === null ? Number(a === b) : matrix.data[a + b * matrix.rows];
  };
  return records.map((a) =>
    records.map((b) => {
      let value = 0;
      for (const [p, k] of kernelOf.entries()) {
        const product = loadings.data[a.j + p * loadings.rows] * loadings.data[b.j + p * loadings.rows];
        value += product * related(k, a.line, b.line);
      }
      if (a.j !== b.j) return value;
      const { omega, terms, y } = trials[a.j];
      for (const k of kernels.keys()) value += specific.data[a.j + k * specific.rows] * related(k, a.line, b.line);
      for (const [m, { matrix }] of terms.entries()) {
        value += local[a.j][m] * (matrix === null ? Number(a.i === b.i) : matrix.data[a.i + b.i * y.length]);
      }
      return value + (omega === null ? 0 : omega.data[a.i + b.i * y.length]);
    }),
  );
}

/** All fixed effects, N × q, by rows. */
function plainDesign({ trials, columns }: SeriesData): number[][] {
  return trials.flatMap(({ x }, j) =>
    Array.from({ length: x.rows }, (_, i) => {
      const row = Array.from({ length: columns[trials.length] }, () => 0);
      for (let c = 0; c < x.columns; c++) row[columns[j] + c] = x.data[i + c * x.rows];
      return row;
    }),
  );
}

/** The inverse of a symmetric positive definite matrix and its log-determinant, by elimination. */
function plainInverse(matrix: number[][]): { inverse: number[][]; logDeterminant: number } {
  const n = matrix.length;
  const work = matrix.map((row, i) => [...row, ...row.map((_, j) => Number(i === j))]);
  let logDeterminant = 0;
  for (let k = 0; k < n; k++) {
    const pivot = work[k][k];
    logDeterminant += Math.log(pivot);
    for (let c = 0; c < 2 * n; c++) work[k][c] /= pivot;
    for (let i = 0; i < n; i++) {
      const factor = work[i][k];
      if (i === k || factor === 0) continue;
      for (let c = k; c < 2 * n; c++) work[i][c] -= factor * work[k][c];
    }
  }
  return { inverse: work.map((row) => row.slice(n)), logDeterminant };
}

/** P = V⁻¹ − V⁻¹X(XᵀV⁻¹X)⁻¹XᵀV⁻¹, with the log-likelihood of the centred values. */
export function plainReml(
  data: SeriesData,
  parameters: SeriesParameters,
): { logLikelihood: number; projection: number[][]; weights: number[] } {
  const { inverse, logDeterminant } = plainInverse(plainCovariance(data, parameters));
  const x = plainDesign(data);
  const y = data.centred.flatMap((values) => [...values]);
  const times = (a: number[][], b: number[][]): number[][] => {
    const columns = b[0].map((_, j) => b.map((row) => row[j]));
    return a.map((row) => columns.map((column) => row.reduce((sum, value, k) => sum + value * column[k], 0)));
  };
  const turned = (a: number[][]): number[][] => a[0].map((_, j) => a.map((row) => row[j]));
  const vx = times(inverse, x);
  const information = plainInverse(times(turned(x), vx));
  const part = times(times(vx, information.inverse), turned(vx));
  const projection = inverse.map((row, i) => row.map((value, j) => value - part[i][j]));
  const weights = projection.map((row) => row.reduce((sum, value, k) => sum + value * y[k], 0));
  const quadratic = weights.reduce((sum, value, k) => sum + value * y[k], 0);
  const constant = (y.length - x[0].length) * Math.log(2 * Math.PI);
  const logLikelihood = -0.5 * (constant + logDeterminant + information.logDeterminant + quadratic);
  return { logLikelihood, projection, weights };
}

const between = (random: RandomStream, low: number, high: number): number => low + (high - low) * random.uniform();

/** A symmetric positive definite matrix. */
function definite(random: RandomStream, n: number, rank: number): Matrix {
  const root = Array.from({ length: n }, () => Array.from({ length: rank }, () => random.normal()));
  const matrix = createMatrix(n, n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      matrix.data[i + j * n] =
        root[i].reduce((sum, value, k) => sum + value * root[j][k], 0) / rank + (i === j ? 0.3 : 0);
    }
  }
  return matrix;
}

/**
 * A random series: some trials with means and a known covariance, others with plots, blocks and residuals, lines in any
 * order, one or two kernels, any number of factors; and parameters at which to look.
 */
export function randomSeries(seed: number): { data: SeriesData; parameters: SeriesParameters } {
  const random = createRandomStream(seed, 'series');
  const n = 12 + Math.floor(random.uniform() * 10);
  const kernels = [random.uniform() < 0.3 ? identityKernel(n) : seriesKernel(definite(random, n, n))];
  if (random.uniform() < 0.4) kernels.push(identityKernel(n));
  const e = 2 + Math.floor(random.uniform() * 3);
  const trials = Array.from({ length: e }, (_, j): SeriesTrial => {
    const isPlots = random.uniform() < 0.4;
    const order = random.shuffle(Int32Array.from({ length: n }, (_unused, i) => i));
    const once = order.slice(0, 6 + Math.floor(random.uniform() * (n - 6)));
    const lines = isPlots ? Int32Array.from([...once, ...once.subarray(0, 5)]) : once;
    const rows = lines.length;
    const x = createMatrix(rows, random.uniform() < 0.3 ? 2 : 1);
    for (let i = 0; i < rows; i++) {
      x.data[i] = 1;
      if (x.columns === 2) x.data[i + rows] = i % 2;
    }
    const blocks = createMatrix(rows, rows);
    for (let i = 0; i < rows; i++) {
      for (let k = 0; k < rows; k++) blocks.data[i + k * rows] = Number(i % 3 === k % 3);
    }
    return {
      name: `T${j + 1}`,
      lines,
      x,
      y: Float64Array.from(lines, () => between(random, 2, 9) + 5 * j),
      omega: isPlots ? null : definite(random, rows, rows),
      terms: isPlots
        ? [
            { name: 'blocks', matrix: blocks, start: 1 },
            { name: 'residual', matrix: null, start: 1 },
          ]
        : [],
    };
  });
  const data = createSeries(kernels, trials);
  const kernelOf = Int32Array.from(
    kernels.flatMap((_, k) => Array.from({ length: Math.floor(random.uniform() * 3) }, () => k)),
  );
  const loadings = createMatrix(e, kernelOf.length);
  loadings.data.forEach((_, k) => {
    loadings.data[k] = between(random, -1, 1.5);
  });
  const specific = createMatrix(e, kernels.length);
  specific.data.forEach((_, k) => {
    specific.data[k] = random.uniform() < 0.2 ? 0 : between(random, 0.1, 0.8);
  });
  const local = trials.map(({ terms }) => Float64Array.from(terms, () => between(random, 0.2, 1)));
  return { data, parameters: { kernelOf, loadings, specific, local } };
}
