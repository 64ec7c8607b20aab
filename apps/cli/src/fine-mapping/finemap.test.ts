import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';

const MAIZE = fileURLToPath(new URL('../../../../packages/statgen/reference/maize-mdp/', import.meta.url));
const DATA = ['--genotype', join(MAIZE, 'genotypes.vcf.gz'), '--phenotype', join(MAIZE, 'phenotypes.csv')];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-finemap-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('markers of a region come with their probabilities, and regions are read', async () => {
  const out = join(folder, 'sets.csv');
  const asked = ['--trait', 'dpoll', '--region', '8:100,000,000-140,000,000', '--out', out, '--threads', '1'];
  const { code, stdout } = await heterosis('finemap', ...DATA, ...asked, '--json');
  expect(code).toBe(0);
  const { n, m, converged, kinship } = JSON.parse(stdout);
  expect({ converged, kinship }).toEqual({ converged: true, kinship: 'other chromosomes' });
  expect(n).toBeGreaterThan(200);
  const [head, ...rows] = readFileSync(out, 'utf8').trim().split('\n');
  expect(head).toBe('marker,chr,pos,pip,effect,set');
  expect(rows).toHaveLength(m);
  const positions = rows.map((row) => Number(row.split(',')[2]));
  expect(Math.min(...positions)).toBeGreaterThanOrEqual(1e8);
  expect(Math.max(...positions)).toBeLessThanOrEqual(1.4e8);
  // Only individuals with an ear diameter, and a component, as a GWAS with them has.
  const given = await heterosis('finemap', ...DATA, ...asked, '--covariates', 'EarDia', '--fixed', '1', '--json');
  expect(given.code).toBe(0);
  expect(JSON.parse(given.stdout).n).toBeLessThan(n);
  for (const region of ['8', '8:200-100', '77:1-2']) {
    const refused = await heterosis('finemap', ...DATA, '--trait', 'dpoll', '--region', region, '--out', out);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/is no region|has no marker on chromosome 77/);
  }
});
