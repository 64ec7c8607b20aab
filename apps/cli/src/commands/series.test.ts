import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';

/** 120 lines, 60 to 95 of them in each of six environments, and their kinship; effects by an independent program. */
const REFERENCE = join(import.meta.dirname, '../../../../packages/statgen/reference/trial-series/sim.met');

let folder: string;
const place = (name: string): string => join(folder, name);
const rowsOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(',').map((cell) => cell.replaceAll('"', '').trim()));
const reference = (name: string): string[][] => rowsOf(readFileSync(join(REFERENCE, name), 'utf8'));
const write = (name: string, rows: readonly (readonly (string | number | undefined)[])[]): string => {
  writeFileSync(place(name), `${rows.map((row) => row.join(',')).join('\n')}\n`);
  return place(name);
};

let means: string;
let covariance: string;
let kinship: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-series-'));
  const blues = reference('stage1-blues.csv').slice(1);
  const environments = [...new Set(blues.map(([environment]) => environment ?? ''))];
  means = write('means.csv', [
    ['environment', 'trait', 'line', 'mean', 'se', 'replicates'],
    ...blues.map(([environment, line, mean, se]) => [environment, 'Yield', line, mean, se, 2]),
    // A line that has a BLUP and no mean.
    ['E1', 'Yield', 'M999', '', '', 1],
  ]);
  covariance = write('covariance.csv', [
    ['environment', 'trait', 'line1', 'line2', 'covariance'],
    ...environments.flatMap((environment) => {
      const [names = [], ...lower] = reference(`omega-${environment}.csv`);
      return lower.flatMap((row, i) =>
        row.slice(0, i + 1).map((value, j) => [environment, 'Yield', names[i], names[j], value]),
      );
    }),
  ]);
  const [header = [], ...rows] = reference('kinship.csv');
  const names = header.filter((name) => /^M\d+$/.test(name));
  kinship = write('kinship.csv', [['id', ...names], ...rows.map((row, i) => [names[i], ...row.slice(-names.length)])]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...options: string[]) =>
  heterosis('series', '--trait', 'Yield', '--out', place('series.csv'), '--report', place('series.json'), ...options);

test('predicts every line in every environment and over all, as the reference does', async () => {
  const given = ['--means', means, '--covariance', covariance, '--kinship-file', kinship];
  const { code, stdout, stderr } = await run(...given, '--structure', 'fa1');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toContain('Yield: fa1 over 6 environments');
  const [header, ...rows] = rowsOf(readFileSync(place('series.csv'), 'utf8'));
  expect(header).toEqual(['trait', 'line', 'environment', 'value', 'se', 'reliability']);
  expect(rows).toHaveLength(120 * 7);
  const found = new Map(rows.map(([, line, environment, value, se]) => [`${line} ${environment}`, [value, se]]));
  for (const [model, environment, line, , blup, se] of reference('blups-by-env.csv')) {
    if (model !== 'fa1') continue;
    const [value, error] = found.get(`${line} ${environment}`) ?? [];
    expect(Math.abs(Number(value) - Number(blup))).toBeLessThan(1e-5);
    expect(Math.abs(Number(error) / Number(se) - 1)).toBeLessThan(1e-5);
  }
  for (const [model, line, blup, se] of reference('blups-overall.csv')) {
    if (model !== 'fa1') continue;
    const [value, error] = found.get(`${line} overall`) ?? [];
    expect(Math.abs(Number(value) - Number(blup))).toBeLessThan(1e-5);
    expect(Math.abs(Number(error) / Number(se) - 1)).toBeLessThan(1e-5);
  }
  const [series] = JSON.parse(readFileSync(place('series.json'), 'utf8')).series;
  expect(series.log_likelihood).toBeCloseTo(-757.020612, 5);
  expect(series.specific[0].at_bound).toBe(true);
  expect(series.genetic_covariance[0][1]).toBeCloseTo(1.244058957, 4);
  expect(series.stability).toHaveLength(120);
});

test('plots in one stage have the variances of the reference', async () => {
  const plots = reference('plots.csv');
  const file = write('plots.csv', [
    ['line', 'environment', 'block', 'Yield'],
    ...plots.slice(1).map((row) => {
      const cell = (name: string): string => row[plots[0]?.indexOf(name) ?? -1] ?? '';
      return [cell('gen'), cell('env'), `${cell('rep')}-${cell('block')}`, cell('yield')];
    }),
  ]);
  const options = ['--one-stage', '--phenotype', file, '--kinship-file', kinship, '--structure', 'cs', '--json'];
  const { code, stdout, stderr } = await run(...options);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { errors, series } = JSON.parse(stdout);
  expect(errors).toBe('plots');
  expect(Object.keys(series[0].plot_variances[0])).toEqual(['blocks', 'residual']);
  // Without the variance of replicates, which the reference has, the common variance is nearly the same.
  expect(series[0].genetic_covariance[0][1] / 1.188567605).toBeCloseTo(1, 1);
  const both = await run('--one-stage', '--means', means, '--phenotype', file);
  expect(both.stderr).toContain('--one-stage takes --phenotype, and no --means');
  const neither = await run('--structure', 'cs');
  expect(neither.stderr).toContain('--means is missing');
});

test('without a covariance the standard errors count, and without a kinship lines are unrelated', async () => {
  const { code, stdout } = await run('--means', means, '--structure', 'cs', '--json');
  expect(code).toBe(0);
  const { errors, series } = JSON.parse(stdout);
  expect(errors).toBe('standard errors');
  expect(series[0]).toMatchObject({ structure: 'cs', relationships: 'identity', lines: [71, 77, 89, 69, 81, 90] });
  const whole = await run('--means', means, '--covariance', covariance, '--structure', 'cs', '--json');
  expect(JSON.parse(whole.stdout).series[0].log_likelihood).not.toBe(series[0].log_likelihood);
});

test('a variance of lines beside their relationships is estimated on request', async () => {
  const given = [
    '--means',
    means,
    '--covariance',
    covariance,
    '--kinship-file',
    kinship,
    '--structure',
    'cs',
    '--json',
  ];
  const alone = JSON.parse((await run(...given)).stdout).series[0];
  const beside = JSON.parse((await run(...given, '--residual-lines')).stdout).series[0];
  expect(beside.residual_lines).toHaveLength(6);
  expect(beside.log_likelihood).toBeGreaterThanOrEqual(alone.log_likelihood - 1e-6);
});

test.each([
  ['a structure of another kind', ['--structure', 'fa'], '--structure takes cs, diag, fa1'],
  ['more factors than environments', ['--structure', 'fa6'], '6 environments do not carry 6 factors'],
  ['residual lines of unrelated lines', ['--residual-lines'], 'would be the same variance twice'],
])('refuses %s', async (_, options, message) => {
  const { code, stderr } = await run('--means', means, '--covariance', covariance, ...options);
  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
});

test('names the place of what is wrong in its files', async () => {
  const head = ['environment', 'trait', 'line', 'mean', 'se'];
  const bad = write('bad.csv', [
    head,
    ['A', 'Yield', 'X', 'high', 1],
    ['A', 'Yield', 'Y', 2, 0],
    ['A', 'Yield', 'Z', 3, 1],
    ['A', 'Yield', 'z', 4, 1],
  ]);
  const { stderr } = await run('--means', bad);
  expect(stderr).toContain('E-MN-VALUE');
  expect(stderr).toContain('E-MN-SE');
  const apart = write('apart.csv', [
    head,
    ...['A', 'B'].flatMap((environment) =>
      [1, 2, 3].map((k) => [environment, 'Yield', `${environment}${k}`, k * k, 1]),
    ),
  ]);
  expect((await run('--means', apart)).stderr).toContain('No line links these groups of environments: A; B');
  const other = await heterosis('series', '--means', means, '--trait', 'Height', '--out', place('series.csv'));
  expect(other.stderr).toContain('There are no values of "Height"');
  const [title = [], variance = [], ...pairs] = rowsOf(readFileSync(covariance, 'utf8'));
  // The first pair of two lines is missing.
  const gap = write('gap.csv', [title, variance, ...pairs.slice(1)]);
  expect((await run('--means', means, '--covariance', gap)).stderr).toContain('E-CV-GAP');
  const alone = write('alone.csv', [title, variance]);
  expect((await run('--means', means, '--covariance', alone)).stderr).toContain('E-CV-LINES');
  const without = write('without.csv', [head.slice(0, 4), ['A', 'Yield', 'X', 1], ['B', 'Yield', 'X', 2]]);
  expect((await run('--means', without)).stderr).toContain('has no standard error');
  const few = write('few.csv', [
    head,
    ...['A', 'B'].flatMap((environment) =>
      ['M001', 'X1', 'X2', 'X3'].map((line, k) => [environment, 'Yield', line, k * k, 1]),
    ),
  ]);
  expect((await run('--means', few, '--kinship-file', kinship)).stderr).toContain('Only 1 of 4 lines');
});
