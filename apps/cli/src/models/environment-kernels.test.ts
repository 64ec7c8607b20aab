import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';

const WHEAT = fileURLToPath(new URL('../../../../packages/statgen/reference/wheat-cimmyt/', import.meta.url));
const DATA = ['--genotype', join(WHEAT, 'genotypes.vcf.gz'), '--phenotype', join(WHEAT, 'phenotypes.csv')];
const TRAITS = ['--trait', 'GY_env2,GY_env4', '--n-repetition', '1', '--threads', '1'];

let folder: string;
const place = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-environments-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('models of environments stand beside models of one, on the same folds', { tags: 'whole' }, async () => {
  const asked = [
    '--model',
    'rrblup,gxe-mde',
    '--residual-lines',
    '--comparison',
    place('comparison.csv'),
    '--out',
    place('folds.csv'),
  ];
  const { code, stdout } = await heterosis('evaluate', ...DATA, ...TRAITS, ...asked);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /GY_env4: gxe-mde, n = 599, 1183 markers, .*variances main [\d.]+, of environments .*residual/,
  );
  const rows = readFileSync(place('folds.csv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  expect(rows[0]).toEqual(['model', 'trait', 'environment', 'repetition', 'fold', 'n', 'r']);
  expect(rows).toHaveLength(1 + 2 * 2 * 5);
  expect(rows.find(([model]) => model === 'gxe-mde')?.slice(1, 3)).toEqual(['GY_env2', 'GY_env2']);
  const compared = readFileSync(place('comparison.csv'), 'utf8').trim().split('\n');
  expect(compared.slice(1).map((line) => line.split(',').slice(0, 3).join())).toEqual([
    'gxe-mde,rrblup,GY_env2',
    'gxe-mde,rrblup,GY_env4',
  ]);
});

test('hidden records are the same for models of one environment, and other schemes are refused', {
  tags: 'whole',
}, async () => {
  const asked = ['--model', 'rrblup,gxe-mm', '--scheme', 'cv2', '--n-fold', '3', '--out', place('records.csv')];
  const { code } = await heterosis('evaluate', ...DATA, ...TRAITS, ...asked);
  expect(code).toBe(0);
  const rows = readFileSync(place('records.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
  const sizesOf = (model: string) =>
    rows.filter(([name]) => name === model).map(([, trait, , , fold, n]) => [trait, fold, n]);
  expect(sizesOf('rrblup')).toHaveLength(6);
  expect(sizesOf('rrblup')).toEqual(sizesOf('gxe-mm'));
  const other = await heterosis('evaluate', ...DATA, ...TRAITS, ...asked.with(3, 'cv0'));
  expect(other.stderr).toContain('--model does not go with --scheme cv0.');
  const alone = ['--model', 'rrblup', '--scheme', 'cv1', '--n-fold', '2', '--out', place('alone.csv')];
  expect((await heterosis('evaluate', ...DATA, ...TRAITS, ...alone)).code).toBe(0);
});
