import { expect, test } from 'vitest';
import { plainCovariance, plainReml, randomSeries } from './plain-series.test-data.ts';
import type { SeriesData } from './series-data.ts';
import { evaluateSeries, type SeriesParameters } from './series-likelihood.ts';
import { listParameters, type Parameter, scoreSeries } from './series-scores.ts';

const DESIGNS = Array.from({ length: 50 }, (_, seed) => seed + 1);

/** A copy of the parameters with one of them changed. */
function changed(parameters: SeriesParameters, at: Parameter, by: number): SeriesParameters {
  const { kernelOf } = parameters;
  const loadings = { ...parameters.loadings, data: parameters.loadings.data.slice() };
  const specific = { ...parameters.specific, data: parameters.specific.data.slice() };
  const local = parameters.local.map((values) => values.slice());
  if (at.kind === 'loading') loadings.data[at.trial + at.factor * loadings.rows] += by;
  if (at.kind === 'specific') specific.data[at.trial + at.kernel * specific.rows] += by;
  if (at.kind === 'local') local[at.trial][at.term] += by;
  return { kernelOf, loadings, specific, local };
}

/** ∂V/∂θ; V is quadratic in every parameter, so that the central difference is exact. */
function derivative(data: SeriesData, parameters: SeriesParameters, at: Parameter): number[][] {
  const above = plainCovariance(data, changed(parameters, at, 0.5));
  const below = plainCovariance(data, changed(parameters, at, -0.5));
  return above.map((row, i) => row.map((value, j) => value - below[i][j]));
}

test.each(DESIGNS)('the likelihood, its scores and the average information are those of dense V, design %i', (seed) => {
  const { data, parameters } = randomSeries(seed);
  const point = evaluateSeries(data, parameters);
  const plain = plainReml(data, parameters);
  expect(Math.abs(point.logLikelihood - plain.logLikelihood)).toBeLessThan(1e-10);
  const places = listParameters(data, parameters.kernelOf.length);
  const { scores, information, residuals } = scoreSeries(data, point, places);
  expect(residuals.flatMap((values) => [...values]).length).toBe(data.recordCount);
  const products: number[][] = [];
  for (const [k, place] of places.entries()) {
    const change = derivative(data, parameters, place);
    const working = change.map((row) => row.reduce((sum, value, i) => sum + value * plain.weights[i], 0));
    products.push(working);
    let traces = 0;
    for (const [i, row] of change.entries()) {
      for (const [j, value] of row.entries()) traces += value * plain.projection[i][j];
    }
    const fit = working.reduce((sum, value, i) => sum + value * plain.weights[i], 0);
    const score = -0.5 * (traces - fit);
    expect(Math.abs(scores[k] - score), `score of ${JSON.stringify(place)}`).toBeLessThan(
      1e-8 * (Math.abs(traces) + Math.abs(fit) + 1),
    );
  }
  for (const [k, left] of products.entries()) {
    const projected = plain.projection.map((row) => row.reduce((sum, value, i) => sum + value * left[i], 0));
    for (const [l, right] of products.entries()) {
      const average = 0.5 * right.reduce((sum, value, i) => sum + value * projected[i], 0);
      const scale = Math.sqrt(information.data[k * (places.length + 1)] * information.data[l * (places.length + 1)]);
      expect(Math.abs(information.data[k + l * places.length] - average), `${k}, ${l}`).toBeLessThan(
        1e-9 * (scale + 1),
      );
    }
  }
});
