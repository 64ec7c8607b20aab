import { fileType } from '@heterosis/contracts/data/files';
import type { ProjectOverview } from '@heterosis/contracts/people/projects';
import { type RunPath, runPaths } from '@heterosis/contracts/work/run-kinds';
import { expect, it } from 'vitest';
import { nextStep } from './next-step.ts';

function noneOf<Name extends string>(names: readonly string[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

const empty: ProjectOverview = {
  files: noneOf<keyof ProjectOverview['files']>([...fileType.options.map((type) => type.toLowerCase()), 'other']),
  individuals: 0,
  markers: 0,
  traits: [],
  newest: { genotype_id: null, phenotype_id: null },
  failed: [],
  failed_total: 0,
  results: { accuracies: [], associations: [], ranking: null, crosses: null },
  ...noneOf<RunPath>(runPaths),
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
