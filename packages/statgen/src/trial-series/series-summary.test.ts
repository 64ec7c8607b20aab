import { expect, test } from 'vitest';
import { fitSeries } from './fit-series.ts';
import { predictSeries } from './predict-series.ts';
import { readReferenceSet } from './reference-series.test-data.ts';
import { correlationsOf, linksOf, summarizeFactors } from './series-summary.ts';

test('factors, performance and stability add up to the predictions of environments without specific effects', () => {
  const { data, environments } = readReferenceSet('vargas.wheat1');
  const fit = fitSeries(data, [{ kind: 'fa', factors: 2 }], { starts: 2 });
  const summary = summarizeFactors(data, fit);
  if (summary === null) throw new TypeError('a structure with factors');
  const { loadings, scores, explained, performance, instability } = summary;
  const e = environments.length;
  const n = data.lineCount;
  const predicted = predictSeries(data, fit).environments;
  const withoutSpecific = environments.flatMap((_, j) => (fit.specificAtZero[j] === 1 ? [j] : []));
  expect(withoutSpecific.length).toBeGreaterThan(0);
  for (const j of withoutSpecific) {
    expect(explained.data[j] + explained.data[j + e]).toBeCloseTo(1, 6);
    for (let i = 0; i < n; i++) {
      const common = loadings.data[j] * scores.data[i] + loadings.data[j + e] * scores.data[i + n];
      expect(Math.abs(common - predicted[j].effects[i])).toBeLessThan(1e-6 * Math.sqrt(fit.covariances[0].data[0]));
    }
  }
  for (let i = 0; i < n; i++) {
    const mean = environments.reduce((sum, _, j) => sum + loadings.data[j] * scores.data[i], 0) / e;
    const square = environments.reduce((sum, _, j) => sum + (loadings.data[j + e] * scores.data[i + n]) ** 2, 0) / e;
    expect(performance[i]).toBeCloseTo(mean, 8);
    expect(instability[i]).toBeCloseTo(Math.sqrt(square), 8);
  }
  expect(summarizeFactors(data, fitSeries(data, [{ kind: 'cs' }]))).toBeNull();
  const correlations = correlationsOf(fit.covariances[0]);
  for (let j = 0; j < e; j++) expect(correlations.data[j * (e + 1)]).toBeCloseTo(1, 12);
});

test('trials without a common line are in groups of their own', () => {
  const trial = (...lines: number[]) => ({ lines: Int32Array.from(lines) });
  const { groups, shared } = linksOf([trial(0, 1), trial(2, 3), trial(1, 4), trial(3, 3)]);
  expect(groups).toEqual([
    [0, 2],
    [1, 3],
  ]);
  expect(shared.data[0 + 2 * 4]).toBe(1);
});
