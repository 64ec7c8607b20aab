import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heterosis } from './main.test-data.ts';

const LINES = 40;
const MARKERS = 60;
const names = Array.from({ length: LINES }, (_, i) => `L${i + 1}`);
/** 0 to 1, the same at every run. */
const uniform = (seed: number): number => Math.abs((Math.sin(12.9898 * seed) * 43_758.5453) % 1);

let folder: string;
let genotype: string;
const place = (name: string): string => join(folder, name);

type Cell = string | number;
function write(name: string, rows: readonly (readonly Cell[])[], separator = ','): string {
  writeFileSync(place(name), `${rows.map((row) => row.join(separator)).join('\n')}\n`);
  return place(name);
}

interface Mean {
  environment: string;
  line: string;
  mean: number;
  se: number;
}

const writeMeans = (name: string, means: readonly Mean[]): string =>
  write(name, [
    ['environment', 'trait', 'line', 'mean', 'se', 'blup', 'blup_se', 'replicates'],
    ...means.map(({ environment, line, mean, se }) => [environment, 'y', line, mean, se, '', '', 2]),
  ]);

/** Means of an environment have the correlation `correlation`. */
const writeCovariance = (name: string, means: readonly Mean[], correlation: number): string =>
  write(name, [
    ['environment', 'trait', 'line1', 'line2', 'covariance'],
    ...means.flatMap((a, i) =>
      means
        .slice(0, i + 1)
        .filter(({ environment }) => environment === a.environment)
        .map((b) => [a.environment, 'y', a.line, b.line, a.se * b.se * (a === b ? 1 : correlation)]),
    ),
  ]);

/** Of one environment, or of two that share most lines. */
function simulatedMeans(environments: number, seOf: (i: number) => number): Mean[] {
  return Array.from({ length: environments }, (_, j) =>
    names.slice(5 * j, LINES - 5 * (environments - 1 - j)).map((line) => {
      const i = names.indexOf(line);
      const genetic = Array.from({ length: 12 }, (__, k) => dosage(i, 5 * k)).reduce((sum, value) => sum + value, 0);
      return { environment: `E${j}`, line, mean: genetic + 10 * j + 3 * uniform(i + 100 * j + 7), se: seOf(i) };
    }),
  ).flat();
}

const dosage = (i: number, j: number): number => Math.floor(3 * uniform(i * 131 + j * 17 + 1));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-errors-'));
  const calls = ['0/0', '0/1', '1/1'];
  genotype = write(
    'lines.vcf',
    [
      ['##fileformat=VCFv4.2'],
      ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names],
      ...Array.from({ length: MARKERS }, (_, j) => [
        ...[1 + (j % 2), 100 + j, `m${j}`, 'A', 'G', '.', '.', '.', 'GT'],
        ...names.map((__, i) => calls[dosage(i, j)] ?? './.'),
      ]),
    ],
    '\t',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function train(...options: string[]) {
  const result = await heterosis(
    'train',
    '--genotype',
    genotype,
    '--trait',
    'y',
    '--out',
    place('model.json'),
    ...options,
  );
  expect(result).toMatchObject({ code: 0 });
  return JSON.parse(readFileSync(place('model.json'), 'utf8')).traits[0].fit;
}

test('equal errors of the size of the residual, or smaller with residual lines, give the model without weights', async () => {
  const plain = await train(
    '--means',
    writeMeans(
      'plain.csv',
      simulatedMeans(1, () => 1),
    ),
    '--weights',
    'none',
  );
  expect(plain.errors).toBeUndefined();
  const { residual } = plain.variance;
  const known = await train(
    '--means',
    writeMeans(
      'known.csv',
      simulatedMeans(1, () => Math.sqrt(residual)),
    ),
  );
  const less = writeMeans(
    'less.csv',
    simulatedMeans(1, () => Math.sqrt(0.3 * residual)),
  );
  const withLines = await train('--means', less, '--residual-lines');
  expect(withLines.errors.residual_lines.value / (0.7 * residual)).toBeCloseTo(1, 8);
  for (const fit of [known, withLines]) {
    expect(fit.errors.from).toBe('standard errors');
    expect(fit.logLikelihood).toBeCloseTo(plain.logLikelihood, 9);
    for (const name of ['additive', 'residual', 'h2', 'kinship_pve']) {
      expect(fit.variance[name] / plain.variance[name]).toBeCloseTo(1, 9);
    }
    for (const [i, value] of fit.gebv.entries()) expect(value).toBeCloseTo(plain.gebv[i], 9);
    for (const [i, value] of fit.reliability.entries()) expect(value).toBeCloseTo(plain.reliability[i], 9);
  }
});

test('standard errors of means, of a column, and a diagonal covariance are one model', async () => {
  const means = simulatedMeans(1, (i) => 0.6 + (i % 4));
  const file = writeMeans('se.csv', means);
  const ofMeans = await train('--means', file, '--residual-lines');
  const phenotype = write('wide.csv', [['id', 'y', 'y_se'], ...means.map(({ line, mean, se }) => [line, mean, se])]);
  const ofColumn = await train('--phenotype', phenotype, '--standard-errors', 'y_se', '--residual-lines');
  const diagonal = writeCovariance('diagonal.csv', means, 0);
  const ofCovariance = await train('--means', file, '--covariance', diagonal, '--residual-lines');
  expect(ofColumn).toEqual(ofMeans);
  expect(ofCovariance.errors.from).toBe('covariance');
  for (const [i, value] of ofCovariance.gebv.entries()) expect(value).toBeCloseTo(ofMeans.gebv[i], 10);
});

test('new individuals get the reliability of trained ones with the same genotype', async () => {
  const means = simulatedMeans(2, (i) => 0.6 + (i % 4)).filter(({ line }) => line !== 'L7');
  const file = writeMeans('two.csv', means);
  const fit = await train('--means', file, '--covariance', writeCovariance('two-cov.csv', means, 0.2));
  const renamed = write('new.vcf', [[readFileSync(genotype, 'utf8').replaceAll('\tL', '\tN').trimEnd()]]);
  const to = ['--model', place('model.json'), '--genotype', renamed, '--genotype-train', genotype];
  const { code } = await heterosis('predict', ...to, '--out', place('new.csv'));
  expect(code).toBe(0);
  const rows = readFileSync(place('new.csv'), 'utf8').trim().split('\n').slice(1);
  for (const [i, row] of rows.entries()) {
    const [, gebv, reliability] = row.split(',').map(Number);
    expect(gebv).toBeCloseTo(fit.gebv[i], 8);
    expect(reliability).toBeCloseTo(fit.reliability[i], 8);
  }
});

test('a GWAS with equal errors is the one without; unequal errors change it, with LOCO and permutations too', {
  tags: 'whole',
}, async () => {
  const gwas = async (...options: string[]) => {
    const common = ['--genotype', genotype, '--trait', 'y', '--test', 'ALL', '--out', place('gwas.csv'), '--json'];
    const { code, stdout } = await heterosis('gwas', ...common, ...options);
    expect(code).toBe(0);
    return { table: readFileSync(place('gwas.csv'), 'utf8'), summary: JSON.parse(stdout) };
  };
  const equal = writeMeans(
    'equal.csv',
    simulatedMeans(1, () => 3),
  );
  const plain = await gwas('--means', equal, '--weights', 'none', '--permutations', '19');
  const weighed = await gwas('--means', equal, '--permutations', '19');
  expect(weighed.table).toBe(plain.table);
  expect(weighed.summary.errors).toBe('standard errors');
  const unequal = writeMeans(
    'unequal.csv',
    simulatedMeans(1, (i) => 0.6 + (i % 4)),
  );
  const loco = await gwas('--means', unequal, '--loco', '--residual-lines');
  expect(loco.summary.residual_lines).toBeGreaterThanOrEqual(0);
  const stepwise = await gwas('--means', unequal, '--stepwise', '2', '--dominance');
  expect(stepwise.table).not.toBe(plain.table);
});

test.each([
  ['full weights without a covariance', ['--weights', 'full'], 'errors/no-covariance', '--covariance'],
  [
    'residual lines from the markers',
    ['--engine', 'markers', '--residual-lines'],
    'errors/engine',
    'or --residual-lines',
  ],
  ['a covariance of other lines', ['--covariance', 'other'], 'E-CV-LINES', 'L1'],
  ['a covariance that is not positive definite', ['--covariance', 'singular'], 'errors/not-positive-definite', 'L2'],
  ['a variance of 0', ['--covariance', 'zero'], 'E-CV-VARIANCE', 'above 0'],
  ['two sources of errors', ['--standard-errors', 'se'], 'E-CLI-OPTION', 'Leave out --standard-errors'],
])('%s is refused, and says what to do', async (_, options, code, words) => {
  const means = simulatedMeans(1, () => 1);
  const files: Record<string, string> = {
    other: writeCovariance(
      'other.csv',
      means.map((mean) => ({ ...mean, line: `X${mean.line}` })),
      0,
    ),
    singular: writeCovariance('singular.csv', means, 1),
    zero: writeCovariance(
      'zero.csv',
      means.map((mean, i) => ({ ...mean, se: i === 3 ? 0 : 1 })),
      0,
    ),
  };
  const given = options.map((option) => files[option] ?? option);
  const common = ['--genotype', genotype, '--means', writeMeans('m.csv', means), '--trait', 'y'];
  const result = await heterosis('train', ...common, '--out', place('x.json'), ...given);
  expect(result.code).toBe(2);
  expect(result.stderr).toContain(code);
  expect(result.stderr).toContain(words);
});

test.each([
  ['a missing standard error', '', 'errors/missing'],
  ['a negative standard error', -1, 'errors/not-positive'],
])('%s in a column is refused with the name of the line', async (_, se, code) => {
  const rows = names.map((name, i) => [name, uniform(i), i === 4 ? se : 1]);
  const phenotype = write('bad.csv', [['id', 'y', 'se'], ...rows]);
  const common = ['--genotype', genotype, '--phenotype', phenotype, '--trait', 'y', '--standard-errors', 'se'];
  const result = await heterosis('train', ...common, '--out', place('x.json'));
  expect(result).toMatchObject({ code: 2 });
  expect(result.stderr).toContain(code);
  expect(result.stderr).toContain('L5');
});

test('lines, cells and environments are hidden as the schemes say, and two models compared on the same folds', {
  tags: 'whole',
}, async () => {
  const means = simulatedMeans(2, (i) => 0.6 + (i % 4));
  const given = ['--genotype', genotype, '--means', writeMeans('series.csv', means), '--trait', 'y'];
  const covariance = ['--covariance', writeCovariance('series-cov.csv', means, 0.2)];
  const evaluate = async (...options: string[]) => {
    const common = ['--n-fold', '3', '--n-repetition', '1', '--out', place('cv.csv'), '--json'];
    const { code, stdout, stderr } = await heterosis('evaluate', ...given, ...covariance, ...common, ...options);
    return { code, stderr, ...(code === 0 ? { summary: JSON.parse(stdout) } : {}) };
  };
  const rows = () =>
    readFileSync(place('cv.csv'), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(','));
  const tested = () => rows().reduce((sum, row) => sum + Number(row[3]), 0);
  for (const [scheme, folds, cells] of [
    ['cv1', 3 * 2, 70],
    ['cv2', 3 * 2, 70],
    // The 30 lines of both environments.
    ['cv0', 2, 60],
    ['cv00', 3 * 2, 70],
  ] as const) {
    const { summary } = await evaluate('--scheme', scheme);
    expect(summary.traits[0]).toMatchObject({ scheme, structure: 'cs', n: 70 });
    expect([rows().length, tested()]).toEqual([folds, cells]);
  }
  await evaluate('--scheme', 'cv2');
  const earlier = write('earlier.csv', [[readFileSync(place('cv.csv'), 'utf8').trimEnd()]]);
  const same = await evaluate('--scheme', 'cv2', '--compare', earlier);
  expect(same.summary.comparison).toEqual([{ trait: 'y', folds: 3, difference: 0, se: 0, t: 0, degrees: 2, p: 1 }]);
  const other = await evaluate('--scheme', 'cv2', '--structure', 'diag', '--compare', earlier);
  expect(other.summary.comparison[0].p).toBeGreaterThan(0);
  expect(await evaluate('--scheme', 'cv1', '--seed', '2', '--compare', earlier)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('evaluate/other-folds'),
  });
  expect(await evaluate('--scheme', 'cv1', '--fixed', '2')).toMatchObject({ code: 2 });
});

test('the means of heterosis means are taken with their standard errors', async () => {
  const plots = names.flatMap((name, i) => [0, 1, 2].map((r) => [name, r + 1, i + 5 * uniform(3 * i + r)]));
  const phenotype = write('plots.csv', [['id', 'replicate', 'y'], ...plots]);
  const { code } = await heterosis('means', '--phenotype', phenotype, '--out', place('own-means.csv'));
  expect(code).toBe(0);
  const fit = await train('--means', place('own-means.csv'), '--residual-lines');
  expect(fit).toMatchObject({ n: LINES, errors: { from: 'standard errors' } });
});
