import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';

const WHEAT = fileURLToPath(new URL('../../../../packages/statgen/reference/wheat-cimmyt/', import.meta.url));
const DATA = ['--genotype', join(WHEAT, 'genotypes.vcf.gz'), '--phenotype', join(WHEAT, 'phenotypes.csv')];
const CHAINS = ['--cycles', '150', '--burn-in', '50', '--chains', '2', '--threads', '1'];

let folder: string;
const place = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-sampling-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a model by sampling says that short chains have not met, and writes effects with their probabilities', async () => {
  const asked = ['--trait', 'GY_env1,GY_env2', '--model', 'bayesb', ...CHAINS];
  const { code, stdout } = await heterosis(
    ...['train', ...DATA, ...asked, '--effects-out', place('effects.csv'), '--out', place('model.json')],
  );
  expect(code).toBe(0);
  expect(stdout).toContain('GY_env1: bayesb, n = 599, 2 chains of 150 cycles, 50 of them burn-in');
  expect(stdout).toMatch(/GY_env2: the chains have not met: .*Give more --cycles/);
  const [head, first, ...others] = readFileSync(place('effects.csv'), 'utf8').trim().split('\n');
  expect(head).toBe('trait,marker,effect,pip');
  expect(first).toMatch(/^GY_env1,[^,]+,-?[\d.e-]+,0\.\d+$/);
  expect(others).toHaveLength(2 * 1183 - 1);
  const { stdout: told } = await heterosis(
    ...['predict', '--model', place('model.json'), ...DATA.slice(0, 2), '--out', place('predictions.csv'), '--json'],
  );
  expect(JSON.parse(told)).toMatchObject({ markers: { individuals: 599, without_reliability: 0 } });
});

test('flags of sampling need a model by sampling, which does not go with other effects', async () => {
  const refused = await heterosis('train', ...DATA, '--trait', 'GY_env1', ...CHAINS, '--out', place('refused.json'));
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('--cycles is about models by sampling.');
  const asked = ['--trait', 'GY_env1', '--model', 'bayesr', '--fixed', '2', ...CHAINS];
  const both = await heterosis('train', ...DATA, ...asked, '--out', place('refused.json'));
  expect(both.stderr).toContain('the mean as their only fixed effect');
});

test('fixed markers are told with their effects, and go with kernels alone', async () => {
  const marker = readFileSync(place('effects.csv'), 'utf8').split('\n')[1]?.split(',')[1] ?? '';
  const asked = ['--trait', 'GY_env1', '--threads', '1', '--fixed-markers', marker];
  const { code, stdout } = await heterosis('train', ...DATA, ...asked, '--out', place('fixed.json'));
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`GY_env1: ${marker} -?[\\d.]+ ± [\\d.]+`));
  const refused = await heterosis('evaluate', ...DATA, ...asked, '--model', 'rrblup,brr', '--out', place('e.csv'));
  expect(refused.stderr).toContain('--fixed-markers does not go with the model brr.');
});
