import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heterosis } from './main.test-data.ts';

const WHEAT = fileURLToPath(new URL('../../../packages/statgen/reference/wheat-cimmyt/', import.meta.url));
const GENOTYPE = join(WHEAT, 'genotypes.vcf.gz');
const PHENOTYPE = join(WHEAT, 'multi-trait/wheat2_missing.phenotypes.csv');
/** One thread beside other tests. */
const TRAITS = ['--trait', 'GY_env1,GY_env2', '--multi-trait', '--threads', '1'];

let folder: string;
const place = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-multi-trait-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rowsOf = (file: string): string[][] =>
  readFileSync(place(file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));

/** The rows of a file of phenotypes for which a rule holds, with one trait. */
function someRecords(name: string, source: string, trait: string, isMeant: (row: string[]) => boolean): string {
  const [head = [], ...rows] = readFileSync(source, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const column = head.indexOf(trait);
  const lines = rows.filter(isMeant).map((row) => `${row[0]},${row[column]}`);
  writeFileSync(place(name), [`${head[0]},${trait}`, ...lines, ''].join('\n'));
  return place(name);
}

test('several traits are trained together, and known records of one of them move the values of both', async () => {
  const model = place('model.json');
  const trained = await heterosis(
    'train',
    '--genotype',
    GENOTYPE,
    '--phenotype',
    PHENOTYPE,
    ...TRAITS,
    '--out',
    model,
    '--json',
  );
  expect(trained.code).toBe(0);
  const { multi_trait: found } = JSON.parse(trained.stdout);
  expect(found.traits).toEqual(['GY_env1', 'GY_env2']);
  // The reference's numbers, see packages/statgen/reference/wheat-cimmyt/multi-trait.
  expect(found.log_likelihood).toBeCloseTo(-1109.04714393, 6);
  expect(found.genetic_covariance[0][1] / -0.12939446358).toBeCloseTo(1, 5.3);
  expect(found.residual_covariance[1][1] / 0.612442925946).toBeCloseTo(1, 5.3);
  expect(found.genetic_correlation[1][0].value / -0.577149243294).toBeCloseTo(1, 5.3);
  expect(found.genetic_correlation[1][0].se / 0.146182647253).toBeCloseTo(1, 5.3);
  expect(found.information).toBe('average');

  const predictTo = async (name: string, ...more: string[]) => {
    const { code } = await heterosis(
      'predict',
      '--model',
      model,
      '--genotype',
      GENOTYPE,
      ...more,
      '--out',
      place(name),
    );
    expect(code).toBe(0);
    return rowsOf(name);
  };
  const plain = await predictTo('plain.csv');
  expect(plain[0]).toEqual(['id', 'gebv_GY_env1', 'reliability_GY_env1', 'gebv_GY_env2', 'reliability_GY_env2']);
  // Line 775 has no record of either trait in the training.
  const known = someRecords('known.csv', join(WHEAT, 'phenotypes.csv'), 'GY_env1', ([name]) => name === '775');
  const later = await predictTo('later.csv', '--known', known);
  const [before = [], after = []] = [plain, later].map((rows) => rows.find(([name]) => name === '775'));
  expect(Number(after[1])).toBeGreaterThan(Number(before[1]) + 0.1);
  expect(Number(after[2])).toBeGreaterThan(Number(before[2]));
  expect(Number(after[3])).toBeLessThan(Number(before[3]));
  expect(Number(after[4])).toBeGreaterThan(Number(before[4]));
});

test('the evaluation has the folds of both models, and says what the traits win together', {
  tags: 'whole',
}, async () => {
  const out = place('evaluation.csv');
  const source = ['--genotype', GENOTYPE, '--phenotype', PHENOTYPE, ...TRAITS];
  const evaluated = await heterosis(
    ...['evaluate', ...source, '--scheme', 'cv1', '--n-fold', '3', '--n-repetition', '1'],
    ...['--folds-out', place('folds.csv'), '--out', out, '--json'],
  );
  expect(evaluated.code).toBe(0);
  const [head, ...rows] = rowsOf('evaluation.csv');
  expect(head).toEqual(['model', 'trait', 'environment', 'repetition', 'fold', 'n', 'r']);
  expect(rows.map(([model, trait]) => `${model} ${trait}`)).toEqual([
    ...Array.from({ length: 3 }, () => 'multi-trait GY_env1'),
    ...Array.from({ length: 3 }, () => 'multi-trait GY_env2'),
    ...Array.from({ length: 3 }, () => 'rrblup GY_env1'),
    ...Array.from({ length: 3 }, () => 'rrblup GY_env2'),
  ]);
  const { traits, scheme } = JSON.parse(evaluated.stdout);
  expect(scheme).toBe('cv1');
  for (const [t, trait] of traits.entries()) {
    const own = rows.slice(3 * t, 3 * t + 3).map((row) => Number(row[6]));
    const alone = rows.slice(6 + 3 * t, 9 + 3 * t).map((row) => Number(row[6]));
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / 3;
    expect(trait.mean_fold_r.mean).toBeCloseTo(mean(own), 12);
    expect(trait.difference).toBeCloseTo(mean(own) - mean(alone), 12);
  }
  const given = await heterosis('evaluate', ...source, '--folds', place('folds.csv'), '--out', place('given.csv'));
  expect(given.code).toBe(0);
  expect(rowsOf('given.csv')).toEqual(rowsOf('evaluation.csv'));
});

test('models with other kernels are compared on the same folds, and a kernel is written', async () => {
  const source = [
    '--genotype',
    GENOTYPE,
    '--phenotype',
    join(WHEAT, 'phenotypes.csv'),
    '--trait',
    'GY_env1',
    '--threads',
    '1',
  ];
  const files = ['--comparison', place('comparison.csv'), '--out', place('models.csv')];
  const folds = ['--n-fold', '3', '--n-repetition', '1'];
  const evaluated = await heterosis(
    'evaluate',
    ...source,
    ...folds,
    '--model',
    'rrblup,kernel-average',
    ...files,
    '--json',
  );
  expect(evaluated.code).toBe(0);
  const [head, ...rows] = rowsOf('models.csv');
  expect(head).toEqual(['model', 'trait', 'environment', 'repetition', 'fold', 'n', 'r']);
  expect(rows.map(([model]) => model)).toEqual([...Array(3).fill('rrblup'), ...Array(3).fill('kernel-average')]);
  const [columns, difference = []] = rowsOf('comparison.csv');
  expect(columns).toEqual(['model1', 'model2', 'trait', 'difference', 'se', 'p']);
  expect(difference.slice(0, 3)).toEqual(['kernel-average', 'rrblup', 'GY_env1']);
  const mean = (model: string) =>
    rows.filter(([name]) => name === model).reduce((sum, row) => sum + Number(row[6]) / 3, 0);
  expect(Number(difference[3])).toBeCloseTo(mean('kernel-average') - mean('rrblup'), 12);

  const kernel = await heterosis(
    'kinship',
    '--genotype',
    GENOTYPE,
    '--method',
    'gaussian',
    '--bandwidth',
    '0.5',
    '--out',
    place('kernel.csv'),
  );
  expect(kernel.code).toBe(0);
  const matrix = rowsOf('kernel.csv');
  expect(matrix).toHaveLength(600);
  expect(matrix[5]?.[5]).toBe('1');
});

test.each([
  [['evaluate', '--model', 'forest', '--out', 'e.csv'], '--model cannot be "forest"'],
  [['evaluate', '--model', 'gaussian', '--fixed', '2', '--out', 'e.csv'], 'only fixed effect is the mean'],
  [['evaluate', '--comparison', 'c.csv', '--out', 'e.csv'], '--comparison is about --model'],
])('%s is refused', async ([command = '', ...more], reason) => {
  const source = ['--genotype', GENOTYPE, '--phenotype', PHENOTYPE, '--trait', 'GY_env1'];
  const { code, stderr } = await heterosis(command, ...source, ...more);
  expect(code).not.toBe(0);
  expect(stderr).toContain(reason);
});

test.each([
  [['--bandwidth', '2'], 'about --method gaussian'],
  [['--method', 'gaussian', '--bandwidth', 'reml'], 'needs a trait'],
  [['--method', 'gaussian', '--bandwidth', 'wide'], 'number above 0'],
])('kinship %s is refused', async (more, reason) => {
  const { code, stderr } = await heterosis('kinship', '--genotype', GENOTYPE, ...more, '--out', place('none.csv'));
  expect(code).not.toBe(0);
  expect(stderr).toContain(reason);
});

test.each([
  [['train', '--dominance', '--out', 'm.json'], 'additive effects only'],
  [['evaluate', '--scheme', 'cv0', '--out', 'e.csv'], 'hides environments'],
  [['evaluate', '--leave-out', 'environment', '--out', 'e.csv'], 'random folds'],
])('%s is refused with several traits together', async ([command = '', ...more], reason) => {
  const { code, stderr } = await heterosis(
    command,
    '--genotype',
    GENOTYPE,
    '--phenotype',
    PHENOTYPE,
    ...TRAITS,
    ...more,
  );
  expect(code).not.toBe(0);
  expect(stderr).toContain(reason);
});

test('one trait is refused, and a scheme needs several', async () => {
  const source = ['--genotype', GENOTYPE, '--phenotype', PHENOTYPE, '--trait', 'GY_env1'];
  const one = await heterosis('train', ...source, '--multi-trait', '--out', place('one.json'));
  expect(one.stderr).toContain('models/multi-trait');
  const scheme = await heterosis('evaluate', ...source, '--scheme', 'cv2', '--out', place('one.csv'));
  expect(scheme.stderr).toContain('--means, --multi-trait or --model');
});
