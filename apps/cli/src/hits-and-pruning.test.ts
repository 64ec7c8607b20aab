// Markers pruned by LD, and what is said of the hits of a GWAS, from options to files.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heterosis } from './main.test-data.ts';

const MAIZE = fileURLToPath(new URL('../../../packages/statgen/reference/maize-mdp/', import.meta.url));
const GENOTYPE = ['--genotype', join(MAIZE, 'genotypes.vcf.gz')];
const GWAS = ['gwas', ...GENOTYPE, '--phenotype', join(MAIZE, 'phenotypes.csv'), '--trait', 'EarHT', '--json'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-hits-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const out = (name: string): string => join(folder, name);
const linesOf = (name: string): string[] => readFileSync(out(name), 'utf8').trim().split('\n');

async function summaryOf(...args: string[]) {
  const { code, stdout, stderr } = await heterosis(...args);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

test('prune divides the markers into two lists, and an analysis without the pruned ones has the others', async () => {
  const lists = ['--out', out('kept.txt'), '--pruned', out('pruned.txt')];
  const pruned = await summaryOf('prune', ...GENOTYPE, '--r2', '0.1', ...lists, '--json');
  expect(pruned).toMatchObject({ n: 281, m: 3093, window: 50, window_unit: 'markers', step: 5, r2: 0.1 });
  expect(pruned.kept + pruned.pruned).toBe(3093);
  expect(linesOf('kept.txt')).toHaveLength(pruned.kept);
  expect(linesOf('pruned.txt')).toHaveLength(pruned.pruned);
  expect(new Set([...linesOf('kept.txt'), ...linesOf('pruned.txt')]).size).toBe(3093);
  const wider = await summaryOf('prune', ...GENOTYPE, '--window-kb', '500', '--r2', '0.1', '--out', out('x'), '--json');
  expect(wider).toMatchObject({ window: 500_000, window_unit: 'bp', step: 1 });
  const gwas = await summaryOf(...GWAS, '--leave-out-markers', out('pruned.txt'), '--out', out('gwas.csv'));
  expect(gwas.markers_read).toBe(pruned.kept);
  // What is left is left again.
  const again = ['prune', ...GENOTYPE, '--leave-out-markers', out('pruned.txt'), '--r2', '0.1', '--json'];
  const second = await summaryOf(...again, '--out', out('again.txt'));
  expect(second.m).toBe(pruned.kept);
  expect(second.kept).toBeGreaterThan(0.8 * pruned.kept);
});

test('gwas writes permutation thresholds, models of several markers and clumps, the same ones every time', {
  tags: 'whole',
}, async () => {
  const asked = ['--permutations', '99', '--seed', '7', '--stepwise', '3', '--clump-p1', '0.01', '--clump-p2', '0.05'];
  const files = (k: number) => [
    '--out',
    out(`${k}.csv`),
    '--stepwise-out',
    out(`${k}s.csv`),
    '--clumps',
    out(`${k}c.csv`),
  ];
  const first = await summaryOf(...GWAS, ...asked, ...files(1));
  const second = await summaryOf(...GWAS, ...asked, '--threads', '2', ...files(2));
  expect(first.permutations).toMatchObject({ count: 99, seed: 7 });
  expect(second.permutations.p).toBeCloseTo(first.permutations.p, 12);
  const p = linesOf('1.csv').map((line) => Number(line.split(',')[9]));
  expect(first.permutations.hits).toBe(p.filter((value) => value <= first.permutations.p).length);
  expect(linesOf('1s.csv')[0]).toBe(
    'model,direction,chosen,mbic,ebic,log_likelihood,h2,pve_together,id,chr,pos,effect,effect_se,p,pve',
  );
  expect(linesOf('1s.csv').filter((line) => line.split(',')[2] === '1').length).toBeGreaterThan(0);
  const clumps = linesOf('1c.csv').slice(1);
  expect(clumps).toHaveLength(first.clumps);
  expect(first.clumps).toBeGreaterThan(3);
  expect(clumps[0]?.split(',')[0]).toBe(first.top);
  expect(linesOf('2c.csv')).toEqual(linesOf('1c.csv'));
});

test('gwas given markers names them, warns of one that adds nothing, and prunes by a rule as by a list', {
  tags: 'whole',
}, async () => {
  const top = (await summaryOf(...GWAS, '--test', 'WALD', '--out', out('w.csv'))).top;
  const rule = ['--test', 'WALD', '--prune-r2', '0.5', '--condition-on', `${top},${top}`];
  const given = await summaryOf(...GWAS, ...rule, '--out', out('given.csv'));
  expect(given).toMatchObject({ conditioned_on: [top], conditioned_on_left_out: [], covariates: [] });
  expect(linesOf('given.csv').some((line) => line.includes(`,${top},`))).toBe(false);
  await summaryOf('prune', ...GENOTYPE, '--r2', '0.5', '--out', out('k.txt'), '--pruned', out('p.txt'), '--json');
  const list = ['--test', 'WALD', '--leave-out-markers', out('p.txt'), '--condition-on', top];
  expect((await summaryOf(...GWAS, ...list, '--out', out('list.csv'))).markers_read).toBe(given.markers_read);
  expect(linesOf('given.csv')).toEqual(linesOf('list.csv'));
});

test.each([
  [['--condition-on', 'nowhere'], 'gwas/unknown-condition'],
  [['--stepwise', '2', '--loco'], 'gwas/stepwise-by-chromosome'],
  [['--stepwise-out', 'x'], 'E-CLI-OPTION'],
  [['--permutations', '5'], 'E-CLI-VALUE'],
])('gwas %j is refused', async (options, code) => {
  const ended = await heterosis(...GWAS, ...options, '--out', out('refused.csv'));
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(code);
  expect(existsSync(out('refused.csv'))).toBe(false);
});
