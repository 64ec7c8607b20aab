import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';
import { PUBLISHED_CASES } from './published-cases.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const MAIZE = join(ROOT, 'packages/statgen/reference/maize-mdp');

let folder: string;
const place = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-scoreboard-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function scores(...args: string[]) {
  const { code, stdout, stderr } = await heterosis('benchmark', ...args, '--out', place('scores.csv'), '--json');
  if (code !== 0) throw new Error(stderr);
  return { ...JSON.parse(stdout), table: readFileSync(place('scores.csv'), 'utf8').trim().split('\n') };
}

test('a printed analysis of a trial is the same, with source, hash and command', async () => {
  const { rows, losses, table } = await scores('--only', 'trial-alpha');
  expect(losses).toEqual([]);
  expect(rows.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['same', 'same']);
  expect(table[0]).toBe('case,quantity,theirs,ours,difference,tolerance,verdict,source,data,sha256,commands,seconds');
  expect(table[1]).toContain('packages/statgen/reference/trials/data/john.alpha.csv');
  expect(rows[0].sha256).toMatch(/^80d623865275b000[0-9a-f]{48}$/);
  expect(rows[0].commands).toBe(
    'heterosis trial --phenotype packages/statgen/reference/trials/data/john.alpha.csv --columns gen=individual,rep=replicate --trait yield --model blocks --out trial-alpha-0.csv',
  );
});

test('data of a species stand beside the table of EasyGeSe, lower or higher', async () => {
  const [head = '', ...lines] = readFileSync(join(MAIZE, 'phenotypes.csv'), 'utf8').trim().split('\n');
  expect(head).toBe('sample,EarHT,dpoll,EarDia');
  writeFileSync(place('p.csv'), ['sample,Plant.height,x,y', ...lines].join('\n'));
  const { rows } = await scores(
    ...['--species', 'Rice', '--genotype', join(MAIZE, 'genotypes.vcf.gz'), '--phenotype', place('p.csv')],
    ...['--folds', join(MAIZE, 'gp/cv_folds_EarHT.csv')],
  );
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({ theirs: 0.6265, tolerance: null, verdict: 'lower' });
  expect(rows[0].ours).toBeCloseTo(0.50904, 5);
  expect(rows[1].quantity).toContain('their RF, the best of ten methods');
});

test.each([
  [['--only', 'nothing'], 'No comparison is called "nothing"'],
  [['--genotype', join(MAIZE, 'genotypes.vcf.gz')], 'compared with a species'],
  [['--species', 'rice'], '--species needs data'],
  [
    ['--species', 'yeti', '--genotype', join(MAIZE, 'genotypes.vcf.gz'), '--phenotype', join(MAIZE, 'phenotypes.csv')],
    'EasyGeSe has no species "yeti"',
  ],
])('%j is refused', async (args, reason) => {
  const { code, stderr } = await heterosis('benchmark', ...args, '--out', place('refused.csv'));
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
});

test('the page of the help has every comparison', () => {
  const page = readFileSync(join(ROOT, 'docs/scoreboard.md'), 'utf8');
  const named = [...page.matchAll(/^### (\S+)$/gm)].map(([, name]) => name);
  expect(named).toEqual(PUBLISHED_CASES.map(({ name }) => name));
});
