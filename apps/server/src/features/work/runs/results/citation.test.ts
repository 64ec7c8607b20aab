import { expect, test } from 'vitest';
import { startProject } from '../../../../testing/start-project.ts';
import { cite, citedRun } from './citation.ts';

const { product, project } = await startProject({ withWorker: false });

const PROVENANCE = {
  ...{ created_by: 'olga', seed: 7, software_version: '1.0.0', input_sha256: { genotype: 'aa', phenotype: 'bb' } },
  ...{
    parameters: { folds: 5, by: { a: 1, b: 2 } },
    started_at: null,
    finished_at: '2026-11-29T10:00:00.000Z',
    seconds: 1,
  },
};
const run = () => ({
  ...{ kind: 'model' as const, id: '0199d000-0000-7000-8000-000000000001', name: 'Yield & height {1}' },
  ...{ traits: ['Yield'], project_id: project.projectId },
});

test('a run is cited by its address and by the hash of what its results follow from', async () => {
  const cited = citedRun(run(), PROVENANCE);
  const place = { publicUrl: 'https://heterosis.example', projectId: project.projectId };
  const { text, bibtex, address, sha256 } = await cite(product.services.db, place, cited);
  expect(address).toBe(`https://heterosis.example/projects/${project.projectId}/models/${run().id}`);
  expect(text).toContain('Yield & height {1}: model of Yield in the project');
  expect(text).toMatch(
    new RegExp(`made with Heterosis 1\\.0\\.0 on 2026-11-29\\. ${address} \\(SHA-256 ${sha256}\\)$`),
  );
  expect(bibtex).toContain('title = {{Yield \\& height 1: model of Yield}}');
});

test('the hash stands for what a result follows from, not for its name, its person or the order of its fields', () => {
  const of = (change: object, ofRun: object = {}) =>
    citedRun({ ...run(), ...ofRun }, { ...PROVENANCE, ...change }).sha256;
  const hash = of({});
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(of({ created_by: 'max', parameters: { by: { b: 2, a: 1 }, folds: 5 } }, { name: 'Renamed' })).toBe(hash);
  for (const change of [
    { seed: 8 },
    { software_version: '1.0.1' },
    { input_sha256: { genotype: 'aa' } },
    { parameters: {} },
  ])
    expect(of(change)).not.toBe(hash);
  expect(of({}, { traits: ['Height'] })).not.toBe(hash);
});

test('what has not ended is not cited', () => {
  expect(() => citedRun(run(), { ...PROVENANCE, finished_at: null })).toThrow('has not ended');
});
