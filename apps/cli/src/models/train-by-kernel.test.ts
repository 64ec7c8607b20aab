import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';

const WHEAT = fileURLToPath(new URL('../../../../packages/statgen/reference/wheat-cimmyt/', import.meta.url));
const GENOTYPE = ['--genotype', join(WHEAT, 'genotypes.vcf.gz')];
const DATA = [...GENOTYPE, '--phenotype', join(WHEAT, 'phenotypes.csv'), '--trait', 'GY_env1'];
const CANDIDATES = '775\n2166\n';

let folder: string;
const place = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-kernels-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a model by averaged kernels predicts some lines by the genotype of its training', async () => {
  const asked = ['--model', 'kernel-average', '--maf', '0', '--call-rate', '0', '--out', place('model.json')];
  const { code, stdout } = await heterosis('train', ...DATA, ...asked);
  expect(code).toBe(0);
  expect(stdout).toContain('GY_env1: mean of the kernels with h = 0.2, 1, 5');
  writeFileSync(place('some.csv'), CANDIDATES);
  const some = ['predict', '--model', place('model.json'), ...GENOTYPE, '--only-samples', place('some.csv')];
  const refused = await heterosis(...some, '--out', place('no.csv'));
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('--genotype-train');
  await heterosis(...some, '--genotype-train', join(WHEAT, 'genotypes.vcf.gz'), '--out', place('predictions.csv'));
  const [head, ...rows] = readFileSync(place('predictions.csv'), 'utf8').trim().split('\n');
  expect(head).toBe('id,gebv_GY_env1,reliability_GY_env1');
  // Intercept and u of the reference, whose kernel is not centred, for the lines 775 and 2166.
  for (const [k, u] of [1.720576932, 0.397326295332].entries())
    expect(Number(rows[k]?.split(',')[1])).toBeCloseTo(-0.500933326515 + u, 6);
});

test('what kernels and sampling do not share is refused', async () => {
  const refusal = async (...asked: string[]) =>
    (await heterosis('train', ...DATA, '--model', 'gaussian', ...asked, '--out', place('refused.json'))).stderr;
  expect(await refusal('--cycles', '500')).toContain('--cycles is about models by sampling.');
  expect(await refusal('--dominance')).toContain('the mean as their only fixed effect');
  expect(await refusal('--kinship', 'standardized')).toContain('The standardized kinship is that of RR-BLUP.');
  expect(await refusal('--engine', 'markers')).toContain('A model by kernels does not go with --engine markers.');
});
