import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const BIN = fileURLToPath(new URL('../bin/heterosis.mjs', import.meta.url));
const MAIZE = fileURLToPath(new URL('../../../packages/statgen/reference/maize-mdp/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heterosis-pedigree-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const out = (name: string) => join(folder, name);
const run = (...args: string[]) =>
  JSON.parse(execFileSync(process.execPath, [BIN, ...args, '--json', '--threads', '1'], { encoding: 'utf8' }));

test('writes inbreeding, relationships and the sparse inverse of a pedigree, and trains with it', () => {
  const pedigree = out('pedigree.csv');
  // B73 and MO17 as unrelated inbred lines, their F1, a doubled haploid of it that nobody has genotyped, and A632.
  writeFileSync(
    pedigree,
    'name,female,male,cross_type\nB73,,,DH\nMO17,,,DH\nF1,B73,MO17,\nH1,F1,,DH\nA632,,,DH\nBC,H1,B73,\n',
  );
  const summary = run(
    ...['pedigree', '--pedigree', pedigree, '--out', out('f.csv'), '--out-inverse', out('inverse.csv')],
    ...['--individuals', 'B73,H1', '--coancestry', '--out-relationships', out('a.csv')],
  );
  expect(summary).toMatchObject({ individuals: 6, founders_without_row: 0, without_row_in_inverse: 2 });
  expect(readFileSync(out('f.csv'), 'utf8')).toContain('H1,F1,F1,inbred,2,1,');
  expect(readFileSync(out('a.csv'), 'utf8')).toBe('id,B73,H1\nB73,1,0.5\nH1,0.5,1\n');
  expect(readFileSync(out('inverse.csv'), 'utf8')).toMatch(/^row,column,value\n/);

  const trained = run(
    ...['train', '--genotype', join(MAIZE, 'genotypes.vcf.gz'), '--phenotype', join(MAIZE, 'phenotypes.csv')],
    ...['--trait', 'EarHT', '--pedigree', pedigree, '--out', out('model.json')],
  );
  expect(trained.single_step).toMatchObject({ pedigree_weight: 0.05 });
  const model = JSON.parse(readFileSync(out('model.json'), 'utf8'));
  const fit = model.traits[0].fit;
  const value = (name: string): number => fit.gebv[model.individuals.indexOf(name)];
  // An untested doubled haploid is expected to be the average of its grandparents.
  expect(value('H1')).toBeCloseTo((value('B73') + value('MO17')) / 2, 6);
  expect(fit.reliability[model.individuals.indexOf('H1')]).toBeGreaterThan(0.05);
});
