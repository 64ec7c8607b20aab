import { expect, test } from 'vitest';
import { evaluationPlotHtml } from './evaluation-plot-html.ts';

const none = { mean: null, sd: null };
const evaluation = {
  trait: '<b>Yield & "more"</b>',
  seed: 7,
  points: [
    { individual: "O'Brien <script>", observed: 1, predicted: 2, fold: 1 },
    { individual: 'L2', observed: 3, predicted: 2.5, fold: 9 },
  ],
  per_fold: [],
  per_repetition: [
    { repetition: 1, pearson_r: 0.123456, phenotype_r: null, spearman_r: null, rmse: 1, r2: null, slope: null },
  ],
  evaluation: {
    pearson_r: { mean: 0.5, sd: 0.01 },
    phenotype_r: null,
    spearman_r: none,
    rmse: none,
    r2: none,
    slope: none,
    accuracy: null,
    within_group_r: null,
    note: null,
  },
};
const labels = { modelName: 'A & B', folds: 5, repetitions: 10, leaveOut: null };

test('names of the user are shown as text, whatever they hold', () => {
  const html = evaluationPlotHtml(evaluation, labels);
  expect(html).not.toContain('<script');
  expect(html).not.toContain('<b>');
  expect(html).toContain('O&#39;Brien &lt;script&gt;');
  expect(html).toContain('&lt;b&gt;Yield &amp; &quot;more&quot;&lt;/b&gt;');
});

test('every individual has a point with a colour, and every figure three digits', () => {
  const html = evaluationPlotHtml(evaluation, labels);
  expect(html.match(/<circle/g)).toHaveLength(2);
  expect(html).not.toContain('undefined');
  expect(html).not.toContain('NaN');
  expect(html).toContain('<td>0.123</td>');
});

test('an evaluation of one point or of none still has axes', () => {
  for (const points of [[], [{ individual: 'L1', observed: 5, predicted: 5, fold: 1 }]])
    expect(evaluationPlotHtml({ ...evaluation, points }, labels)).not.toContain('NaN');
});

test('the accuracy is shown with the heritability that it rests on, and left out where there is none', () => {
  expect(evaluationPlotHtml(evaluation, labels)).not.toContain('Accuracy');
  const accuracy = { value: 0.62512, h2: 0.64, basis: 'entry-mean' as const, note: null };
  const html = evaluationPlotHtml({ ...evaluation, evaluation: { ...evaluation.evaluation, accuracy } }, labels);
  expect(html).toContain('Accuracy, r/√H² with H² of the entry means 0.64</th><td>0.625</td>');
});

test('groups that were left out stand by their names, with r within each', () => {
  const fold = { repetition: 1, fold: 1, group: '<i>Flint</i>', n: 12, r: 0.31234, phenotype_r: null, reason: null };
  const html = evaluationPlotHtml({ ...evaluation, per_fold: [fold] }, { ...labels, leaveOut: 'Pool & origin' });
  expect(html).toContain('Each group of Pool &amp; origin was predicted from all others.');
  expect(html).not.toContain('10 repetitions');
  expect(html).toContain('<th scope="row">&lt;i&gt;Flint&lt;/i&gt;</th><td>12</td><td>0.312</td>');
  expect(html).toContain('observed 1, &lt;i&gt;Flint&lt;/i&gt;</title>');
});

test('with fixed effects the correlation of phenotypes has a row of its own, and an accuracy above 1 its reason', () => {
  expect(evaluationPlotHtml(evaluation, labels)).not.toContain('fixed effects');
  const html = evaluationPlotHtml(
    {
      ...evaluation,
      evaluation: {
        ...evaluation.evaluation,
        phenotype_r: { mean: 0.93, sd: 0.01 },
        accuracy: { value: 1.02, h2: 0.24, basis: 'genomic', note: 'Above 1: read it as close to 1.' },
      },
    },
    labels,
  );
  expect(html).toContain('<th scope="row">r of phenotypes, fixed effects included</th><td>0.93</td>');
  expect(html).toContain('Observed values are those without the fixed effects');
  expect(html).toContain('<p>Accuracy: Above 1: read it as close to 1.</p>');
});
