import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';

const WHEAT = fileURLToPath(new URL('../../../../packages/statgen/reference/wheat-cimmyt/', import.meta.url));
const GENOTYPE = ['--genotype', join(WHEAT, 'genotypes.vcf.gz')];
const COMPLETE = ['--phenotype', join(WHEAT, 'phenotypes.csv'), '--threads', '1'];

let folder: string;
const place = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-several-traits-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Rows of a table by name of column. */
function rowsOf(file: string): Record<string, number>[] {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, k) => [names[k], Number(cell)])));
}

async function gwas(name: string, ...more: string[]) {
  const { code, stdout, stderr } = await heterosis('gwas', ...GENOTYPE, ...more, '--out', place(name), '--json');
  if (code !== 0) throw new Error(stderr);
  return { summary: JSON.parse(stdout), rows: rowsOf(place(name)) };
}

test('with the kinship of the reference, likelihood and p are those of GEMMA, in any order of the traits', async () => {
  const kinship = place('k.csv');
  const made = await heterosis('kinship', ...GENOTYPE, '--method', 'vanraden1', '--out', kinship);
  expect(made.code).toBe(0);
  const shared = [...COMPLETE, '--kinship-file', kinship, '--multi-trait', 'any'];
  const { summary, rows } = await gwas('any.csv', ...shared, '--trait', 'GY_env1,GY_env2');
  expect(summary).toMatchObject({ traits: ['GY_env1', 'GY_env2'], multi_trait_test: 'any', n: 599, m: 1183 });
  expect(summary.multi_trait.log_likelihood_contrasts).toBeCloseTo(-1577.3045, 4);
  expect(readFileSync(place('any.csv'), 'utf8').split('\n')[0]).toBe(
    'chr,pos,id,A1,A2,freqA2,n,chi2,df,p,neg_log10_p,q,effect_GY_env1,effect_se_GY_env1,p_GY_env1,effect_GY_env2,effect_se_GY_env2,p_GY_env2',
  );
  const byMarker = new Map(rows.map((row) => [row['pos'], row]));
  const gemma = rowsOf(join(WHEAT, 'multi-trait/wheat2.gemma.csv'));
  let compared = 0;
  for (const { marker, p_score: score = 1, beta_1: beta = 0, Vbeta_1_1: variance = 1 } of gemma) {
    const row = byMarker.get(marker ?? 0);
    if (row === undefined) continue;
    compared++;
    // It makes its score test at ML estimates, here they are REML.
    expect(row['neg_log10_p']).toBeCloseTo(-Math.log10(score), 1);
    expect(Math.abs((row['effect_GY_env1'] ?? 0) - beta) / Math.sqrt(variance)).toBeLessThan(0.15);
  }
  expect(compared).toBeGreaterThan(55);
  const turned = await gwas('turned.csv', ...shared, '--trait', 'GY_env2,GY_env1');
  for (const [k, row] of turned.rows.entries()) {
    expect((row['chi2'] ?? 0) / (rows[k]?.['chi2'] ?? 0)).toBeCloseTo(1, 5);
  }
  expect(turned.summary.top).toBe(summary.top);
});

test('missing records and principal components: the interaction is what is left of any effect', {
  tags: 'whole',
}, async () => {
  const missing = ['--phenotype', join(WHEAT, 'multi-trait/wheat3_missing.phenotypes.csv'), '--threads', '1'];
  const shared = [...missing, '--trait', 'GY_env1,GY_env2,GY_env4', '--fixed', '1'];
  const { rows: any, summary } = await gwas('any3.csv', ...shared, '--multi-trait', 'any');
  const { rows: specific } = await gwas('specific3.csv', ...shared, '--multi-trait', 'specific');
  expect(summary.records.reduce((sum: number, count: number) => sum + count, 0)).toBe(1197);
  for (const [k, row] of specific.entries()) {
    const cell = (name: string): number => row[name] ?? Number.NaN;
    const main = (cell('main_effect') / cell('main_se')) ** 2;
    expect([any[k]?.['df'], cell('df')]).toEqual([3, 2]);
    expect(any[k]?.['chi2']).toBeCloseTo(main + cell('chi2'), 9);
    expect(cell('p')).toBeCloseTo(Math.exp(-0.5 * cell('chi2')), 12);
    expect(cell('specific_GY_env4')).toBeCloseTo(cell('effect_GY_env4') - cell('main_effect'), 12);
    expect(cell('effect_GY_env2')).toBe(any[k]?.['effect_GY_env2']);
  }
});

test.each([
  [['--trait', 'GY_env1', '--multi-trait', 'any'], 'gwas/multi-trait'],
  [['--trait', 'GY_env1,GY_env2'], 'add --multi-trait any'],
  [['--trait', 'GY_env1,GY_env2', '--multi-trait', 'all'], 'E-CLI-VALUE'],
  [['--trait', 'GY_env1,GY_env2', '--multi-trait', 'any', '--loco'], 'fewer than two chromosomes'],
  [['--trait', 'GY_env1,GY_env2', '--multi-trait', 'any', '--engine', 'markers'], 'does not go with --engine'],
  [['--trait', 'GY_env1,GY_env2', '--multi-trait', 'any', '--clumps', 'c.csv'], 'does not go with --clumps'],
])('gwas %j is refused', async (options, reason) => {
  const { code, stderr } = await heterosis('gwas', ...GENOTYPE, ...COMPLETE, ...options, '--out', place('refused.csv'));
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
});
