import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';

const MAIZE = fileURLToPath(new URL('../../../../packages/statgen/reference/maize-mdp/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heterosis-pedigree-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const out = (name: string) => join(folder, name);
const run = async (...args: string[]) => JSON.parse((await heterosis(...args, '--json', '--threads', '1')).stdout);

test('writes inbreeding, relationships and the sparse inverse of a pedigree, and trains with it', async () => {
  const pedigree = out('pedigree.csv');
  // B73 and MO17 as unrelated inbred lines, their F1, a doubled haploid of it that nobody has genotyped, and A632.
  writeFileSync(
    pedigree,
    'name,female,male,cross_type\nB73,,,DH\nMO17,,,DH\nF1,B73,MO17,\nH1,F1,,DH\nA632,,,DH\nBC,H1,B73,\n',
  );
  const summary = await run(
    ...['pedigree', '--pedigree', pedigree, '--out', out('f.csv'), '--out-inverse', out('inverse.csv')],
    ...['--individuals', 'B73,H1', '--coancestry', '--out-relationships', out('a.csv')],
  );
  expect(summary).toMatchObject({ individuals: 6, founders_without_row: 0, without_row_in_inverse: 2 });
  expect(readFileSync(out('f.csv'), 'utf8')).toContain('H1,F1,F1,inbred,2,1,');
  expect(readFileSync(out('a.csv'), 'utf8')).toBe('id,B73,H1\nB73,1,0.5\nH1,0.5,1\n');
  expect(readFileSync(out('inverse.csv'), 'utf8')).toMatch(/^row,column,value\n/);

  const trained = await run(
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

test('asks which columns hold the parents, and takes the answer', async () => {
  const pedigree = out('spender.csv');
  writeFileSync(pedigree, 'name,Samenspenderin (Mutter),Bestäuber / Vater\nB73,,\nMO17,,\nF1,B73,MO17\n');
  const args = ['pedigree', '--pedigree', pedigree, '--out', out('spender.f.csv')];
  const asked = await heterosis(...args);
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringMatching(/E-COL-FEMALE.*\n.*E-COL-MALE/)]);
  const told = ['--pedigree-columns', 'Samenspenderin (Mutter)=female,Bestäuber / Vater=male'];
  expect(await run(...args, ...told)).toMatchObject({ individuals: 3 });
  expect(readFileSync(out('spender.f.csv'), 'utf8')).toContain('F1,B73,MO17,');
  const wrong = await heterosis(...args, '--pedigree-columns', 'Bestäuber / Vater=father');
  expect(wrong.stderr).toContain(
    '--pedigree-columns: "Bestäuber / Vater=father" does not give a column one of the roles',
  );
});

test('writes H of pedigree and markers, as a single-step model uses it', async () => {
  const pedigree = out('h.pedigree.csv');
  writeFileSync(pedigree, 'name,female,male,cross_type\nB73,,,DH\nMO17,,,DH\nF1,B73,MO17,\nH1,F1,,DH\nOld,,,DH\n');
  const files = ['--pedigree', pedigree, '--genotype', join(MAIZE, 'genotypes.vcf.gz')];
  const summary = await run('pedigree', ...files, '--out-relationships', out('h.csv'));
  expect(summary.single_step).toMatchObject({ genotyped: 281, without_pedigree: 279, pedigree_weight: 0.05 });
  const [header = '', ...rows] = readFileSync(out('h.csv'), 'utf8').trimEnd().split('\n');
  const names = header.split(',').slice(1);
  expect(names).toHaveLength(281 + 3);
  const cells = new Map(rows.map((row) => [row.split(',')[0], row.split(',').slice(1).map(Number)]));
  const h = (a: string, b: string): number => cells.get(a)![names.indexOf(b)]!;
  // The regression of the pedigree: the F1 is the average of its parents, and the doubled haploid that of the F1.
  for (const other of ['A632', 'B73', 'MO17'])
    for (const child of ['F1', 'H1']) expect(h(child, other)).toBeCloseTo((h('B73', other) + h('MO17', other)) / 2, 9);
  // A doubled haploid adds its Mendelian sampling, half of what two unrelated inbred lines differ in.
  expect(h('H1', 'H1') - h('F1', 'F1')).toBeCloseTo(1, 9);
  expect(h('Old', 'Old')).toBe(2);
  expect(h('Old', 'H1')).toBe(0);

  const chosen = ['--individuals', 'H1,B73', '--out-relationships', out('part.csv')];
  await run('pedigree', ...files, ...chosen);
  expect(readFileSync(out('part.csv'), 'utf8')).toBe(
    `id,H1,B73\nH1,${h('H1', 'H1')},${h('H1', 'B73')}\nB73,${h('B73', 'H1')},${h('B73', 'B73')}\n`,
  );
});
