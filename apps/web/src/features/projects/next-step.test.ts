import type { ProjectOverview } from '@heterosis/contracts/projects';
import { expect, it } from 'vitest';
import { nextStep } from './next-step.ts';

const empty: ProjectOverview = {
  files: { genotype: 0, phenotype: 0, crossing_table: 0, linkage_map: 0, other: 0 },
  individuals: 0,
  markers: 0,
  traits: [],
  models: 0,
  predictions: 0,
  gwas: 0,
  crossing_simulations: 0,
  recent: [],
};

it('leads from the first upload to the prediction, one step at a time', () => {
  const files = { ...empty.files, genotype: 1 };
  expect(nextStep(empty)).toBe('upload-genotype');
  expect(nextStep({ ...empty, files })).toBe('upload-phenotype');
  const ready = { ...empty, files: { ...files, phenotype: 1 } };
  expect(nextStep(ready)).toBe('train-model');
  expect(nextStep({ ...ready, models: 1 })).toBe('run-gwas');
  expect(nextStep({ ...ready, models: 1, gwas: 1 })).toBe('predict');
});

it('leads on to new candidates and new trials when everything has run once', () => {
  const done = { ...empty, models: 1, gwas: 1, predictions: 1 };
  const files = { ...empty.files, genotype: 1, phenotype: 1 };
  expect(nextStep({ ...done, files })).toBe('add-candidates');
  const planned = { ...done, files: { ...files, crossing_table: 1 } };
  expect(nextStep(planned)).toBe('simulate-crosses');
  expect(nextStep({ ...planned, crossing_simulations: 1 })).toBe('add-candidates');
  expect(nextStep({ ...done, files: { ...files, genotype: 2 } })).toBe('add-trials');
  expect(nextStep({ ...done, files: { ...files, genotype: 2, phenotype: 2 } })).toBe('none');
});
