import { expect, test } from 'vitest';
import { completeEvaluation } from './stored-evaluations.ts';

const some = { mean: 0.9, sd: 0.01 };
const accuracy = { value: 1.8, h2: 0.25, basis: 'genomic' as const };
/** As versions before 1.1, and 1.2, stored it. */
const stored = {
  trait: 'y',
  seed: 1,
  points: [{ individual: 'L1', observed: 40, predicted: 41, fold: 1 }],
  per_fold: [{ repetition: 1, fold: 1, n: 20, r: 0.9 }],
  per_repetition: [{ repetition: 1, pearson_r: 0.9, spearman_r: 0.8, rmse: 2, r2: 0.7, slope: 1.01 }],
  evaluation: { pearson_r: some, spearman_r: some, rmse: some, r2: some, slope: some, accuracy },
};
const settings = { kinship: 'vanraden1' as const, thresh_maf: 0.05, thresh_callrate: 0.9 };

test('an evaluation of an earlier version keeps its figures where there are no fixed effects', () => {
  expect(completeEvaluation(stored, settings)).toEqual({
    ...stored,
    per_fold: [{ ...stored.per_fold[0], phenotype_r: null, group: null, reason: null }],
    per_repetition: [{ ...stored.per_repetition[0], phenotype_r: null }],
    evaluation: {
      ...stored.evaluation,
      ...{ phenotype_r: null, within_group_r: null, note: null },
      accuracy: { ...accuracy, note: expect.stringMatching(/^Above 1/) },
    },
  });
});

test('with fixed effects its r was that of phenotypes, and is given as such', () => {
  const none = { mean: null, sd: null };
  const shown = completeEvaluation(stored, { ...settings, covariates: ['age'] });
  expect(shown.evaluation).toEqual({
    ...{ pearson_r: none, phenotype_r: some, spearman_r: none, rmse: some, r2: none, slope: none },
    ...{ accuracy: null, within_group_r: null, note: expect.stringContaining('earlier version') },
  });
  expect(shown.per_fold[0]).toMatchObject({ r: null, phenotype_r: 0.9, reason: shown.evaluation.note });
  expect(shown.per_repetition[0]).toMatchObject({ pearson_r: null, phenotype_r: 0.9, slope: null, rmse: 2 });
});
