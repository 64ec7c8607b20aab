import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { heterosis as start } from '../main.test-data.ts';

const PHASED = fileURLToPath(
  new URL('../../../server/src/features/operation/demo/data/genotypes_phased.vcf.gz', import.meta.url),
);
const PHENOTYPES = fileURLToPath(
  new URL('../../../server/src/features/operation/demo/data/phenotypes.csv', import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), 'heterosis-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const heterosis = async (...args: string[]): Promise<void> =>
  expect(await start(...args)).toMatchObject({ code: 0, stderr: expect.any(String) });
const out = (name: string) => join(folder, name);

test('candidates without markers are planned with a single-step model, and coancestries of the pedigree', async () => {
  const lines = [
    'B73,,,DH',
    'MO17,,,DH',
    'A632,,,DH',
    'F1,B73,MO17,',
    'G1,A632,MO17,',
    'H1,F1,,DH',
    'H2,F1,,DH',
    'K1,G1,,DH',
  ];
  writeFileSync(out('pedigree.csv'), `name,female,male,cross_type\n${lines.join('\n')}\n`);
  await heterosis(
    ...[
      'train',
      '--genotype',
      PHASED,
      '--phenotype',
      PHENOTYPES,
      '--trait',
      'EarHT',
      '--pedigree',
      out('pedigree.csv'),
    ],
    ...['--out', out('step.json')],
  );
  writeFileSync(out('names.txt'), 'H1\nH2\nK1\n');
  const plan = (...more: string[]) =>
    start(
      ...['plan', '--model', out('step.json'), '--pedigree', out('pedigree.csv'), '--candidates', out('names.txt')],
      ...['--crosses', '1', '--max-uses', '1', '--out', out('step.csv'), '--json', ...more],
    );
  writeFileSync(out('pair.csv'), 'female,male\nH1,K1\n');
  const made = await plan('--required', out('pair.csv'));
  expect(made.code, made.stderr).toBe(0);
  const summary = JSON.parse(made.stdout);
  // Doubled haploids of B73 × MO17 and A632 × MO17 share MO17: a quarter. Each with itself: 1.
  expect(summary).toMatchObject({ n: 3, m: null, coancestry_from: 'pedigree', crosses: 1, parents: 2 });
  expect(summary.coancestry).toBeCloseTo((1 + 1 + 2 * 0.25) / 4, 5);
  const [, row = ''] = readFileSync(out('step.csv'), 'utf8').split('\n');
  const [, , name, , sd, , inbreeding] = row.split(',');
  expect([name, sd, Number(inbreeding)]).toEqual(['H1_X_K1', '', 0.25]);
  const without = await start('plan', '--model', out('step.json'), '--out', out('none.csv'));
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('--model and --pedigree')]);
});

test('a plan has the same bytes with one thread and with four, and without the pairs that were made', {
  tags: 'whole',
}, async () => {
  await heterosis(
    ...['train', '--genotype', PHASED, '--phenotype', PHENOTYPES, '--trait', 'EarHT,dpoll'],
    ...['--threads', '1', '--out', out('model.json')],
  );
  const plan = async (name: string, ...more: string[]): Promise<string[]> => {
    const files = ['', 'candidates-', 'pairs-', 'curve-'].map((kind) => [`--${kind}out`, out(`${name}.${kind}csv`)]);
    await heterosis(
      ...['plan', '--model', out('model.json'), '--genotype', PHASED, '--crosses', '12', '--low-traits', 'EarHT,dpoll'],
      ...files.flat(),
      ...more,
    );
    return files.map(([, path = '']) => readFileSync(path, 'utf8'));
  };
  const one = await plan('one', '--threads', '1');
  expect(await plan('four', '--threads', '4')).toEqual(one);
  const pairsOf = ([csv = '']: string[]) =>
    csv
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((row) => row.split(',').slice(0, 2).sort().join(' × '));
  expect(pairsOf(one)).toHaveLength(12);

  // In the other direction too.
  const made = pairsOf(one).slice(0, 3);
  writeFileSync(
    out('made.csv'),
    `female,male\n${made.map((pair) => pair.split(' × ').reverse().join(',')).join('\n')}\n`,
  );
  const left = pairsOf(await plan('left', '--threads', '4', '--forbidden', out('made.csv')));
  expect(left).toHaveLength(12);
  expect(left.filter((pair) => made.includes(pair))).toEqual([]);
});
