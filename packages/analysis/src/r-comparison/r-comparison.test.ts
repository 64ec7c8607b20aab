// Adjusted means, variance components, H², REML and tests of Hardy-Weinberg proportions beside those of R. What is not
// installed is skipped, and the name of its test says so.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { hardyWeinbergTest } from '@heterosis/statgen/marker-quality/hardy-weinberg';
import { interceptOnly } from '@heterosis/statgen/mixed-model/error-contrasts';
import { fitReml, reduceKernel } from '@heterosis/statgen/mixed-model/fit-reml';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPhenotype } from '../inputs/read-phenotype.ts';
import { type TraitMeans, traitMeans } from '../means/trait-means.ts';

const SCRIPT = fileURLToPath(new URL('figures.R', import.meta.url));
const asked = spawnSync('Rscript', ['-e', 'cat(nzchar(system.file(package = "lme4")))'], { encoding: 'utf8' });
const hasR = asked.status === 0;
const hasLme4 = hasR && asked.stdout === 'TRUE';
const note = (isThere: boolean) => (isThere ? '' : ' (not installed)');

interface Plot {
  line: string;
  env: string;
  rep: string;
  check: 0 | 1;
  yield: number;
}

const random = createRandomStream(31, 'r-comparison');

/** 20 lines × 3 environments × 2 replicates; `share` of the plots are kept. */
function trial(share: number): Plot[] {
  const environments = [0, 1, 2].map(() => 5 * random.normal());
  return Array.from({ length: 20 }, (_, line) => {
    const effect = 2 * random.normal();
    return environments.flatMap((level, env) => {
      const interaction = 1.5 * random.normal();
      return [1, 2].map((rep): Plot => {
        const value = 50 + effect + level + interaction + rep + random.normal();
        return { line: `L${line}`, env: `E${env}`, rep: `${rep}`, check: 0, yield: value };
      });
    });
  })
    .flat()
    .filter(() => random.uniform() < share);
}

/** Six blocks of eight new lines and three strong checks. */
function augmented(): Plot[] {
  return Array.from({ length: 6 }, (_, block): Plot[] => {
    const level = 3 * random.normal();
    const plot = (line: string, check: 0 | 1, value: number): Plot => ({
      ...{ line, check, env: 'E', rep: `B${block}` },
      yield: value + level + random.normal(),
    });
    return [
      ...[1, 2, 3].map((check) => plot(`Check${check}`, 1, 6 * check)),
      ...Array.from({ length: 8 }, (__, entry) => plot(`N${block}_${entry}`, 0, 2 * random.normal())),
    ];
  }).flat();
}

const TRIALS = { balanced: trial(1), unbalanced: trial(0.7), augmented: augmented() };
type Trial = keyof typeof TRIALS;
const NAMES = Object.keys(TRIALS) as Trial[];

/** A kinship of 40 individuals by 60 markers, and a trait of it. */
function population() {
  const n = 40;
  const markers = Array.from({ length: 60 }, () => {
    const p = 0.2 + 0.6 * random.uniform();
    const dosages = Array.from(
      { length: n },
      () => Number(random.uniform() < p) + Number(random.uniform() < p) - 2 * p,
    );
    return { dosages, effect: random.normal(), variance: 2 * p * (1 - p) };
  });
  const divisor = markers.reduce((sum, { variance }) => sum + variance, 0);
  const kinship = { rows: n, columns: n, data: new Float64Array(n * n) };
  const y = Float64Array.from({ length: n }, (_, i) => 5 * random.normal() + 100 + i / 10);
  for (let i = 0; i < n; i++) {
    for (const { dosages, effect } of markers) y[i] += effect * dosages[i];
    for (let j = 0; j < n; j++)
      kinship.data[i * n + j] =
        markers.reduce((sum, { dosages }) => sum + dosages[i] * dosages[j], 0) / divisor + (i === j ? 0.01 : 0);
  }
  return { n, kinship, y };
}

const { n, kinship, y } = population();
const GENOTYPES = [
  ...[
    [0, 0, 10],
    [1, 0, 0],
    [100, 0, 0],
    [57, 14, 50],
    [0, 300, 700],
  ],
  ...Array.from({ length: 40 }, () => [0, 0, 0].map(() => Math.floor(300 * random.uniform() ** 2))),
];

/** A CSV file that R wrote, by columns. */
function columnsOf(text: string): Record<string, string[]> {
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll('"', '').split(','));
  return Object.fromEntries((rows[0] ?? []).map((name, c) => [name, rows.slice(1).map((row) => row[c] ?? '')]));
}

async function meansOf(plots: readonly Plot[]): Promise<TraitMeans> {
  const rows = plots.map(({ line, env, rep, check, yield: value }) =>
    [line, check === 1 ? 'check' : 'new', env, rep, value].join(),
  );
  const text = `line,entryType,env,rep,yield\n${rows.join('\n')}\n`;
  const reading = await readPhenotype(memorySource(Buffer.from(text), 'trial.csv'), { threads: 1 });
  const [trait] = traitMeans(reading, { threads: 1 });
  if (trait === undefined) throw new Error(JSON.stringify(reading.report.problems));
  return trait;
}

describe.skipIf(!hasR)(`R${note(hasR)}`, () => {
  let folder: string;
  const fromR = (name: string) => columnsOf(readFileSync(join(folder, name), 'utf8'));
  const figure = (table: Record<string, string[]>, name: string) => Number(table[name]?.[0] ?? Number.NaN);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'heterosis-r-'));
    const write = (name: string, rows: readonly (string | number)[][]) =>
      writeFileSync(join(folder, name), rows.map((row) => `${row.join()}\n`).join(''));
    for (const name of NAMES) {
      const plots = TRIALS[name].map(({ line, env, rep, check, yield: value }) => [line, env, rep, check, value]);
      write(`${name}.csv`, [['line', 'env', 'rep', 'check', 'yield'], ...plots]);
    }
    write('trait.csv', [['y'], ...Array.from(y, (value) => [value])]);
    write(
      'kinship.csv',
      Array.from({ length: n }, (_, i) => [...kinship.data.subarray(i * n, (i + 1) * n)]),
    );
    write('genotypes.csv', [['het', 'hom1', 'hom2'], ...GENOTYPES]);
    const { status, stderr } = spawnSync('Rscript', [SCRIPT, folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(NAMES)('adjusted means of the %s trial and their errors are those of lm', async (name) => {
    const means = await meansOf(TRIALS[name]);
    expect(means.model).toContain('replicate');
    const { line = [], mean = [], se = [] } = fromR(`${name}-means.csv`);
    expect(line).toHaveLength(means.individuals.length);
    // R writes 15 digits.
    for (const [i, one] of line.entries()) {
      const at = means.individuals.indexOf(one);
      expect(Math.abs(means.means[at] - Number(mean[i]))).toBeLessThan(1e-10);
      expect(Math.abs(means.standardErrors[at] - Number(se[i]))).toBeLessThan(1e-10);
    }
  });

  test('H² of a balanced trial is that of the analysis of variance', async () => {
    const { h2EntryMean, h2Cullis } = await meansOf(TRIALS.balanced);
    const expected = figure(fromR('balanced-h2.csv'), 'h2');
    expect(h2EntryMean).toBeCloseTo(expected, 10);
    expect(h2Cullis).toBeCloseTo(expected, 7);
  });

  test.skipIf(!hasLme4).each(NAMES)(
    `components, likelihood and H² of the %s trial are those of lme4${note(hasLme4)}`,
    async (name) => {
      const { components, h2Cullis } = await meansOf(TRIALS[name]);
      const expected = fromR(`${name}-components.csv`);
      // lme4 finds the ratio of standard deviations to about 1e-6.
      const close = (found: number | undefined, column: string) =>
        expect(Math.abs((found ?? 0) / figure(expected, column) - 1), column).toBeLessThan(1e-5);
      close(components?.line.variance, 'line');
      if (name === 'augmented') expect(components?.lineByEnvironment).toBeNull();
      else close(components?.lineByEnvironment?.variance, 'interaction');
      close(components?.residual.variance, 'residual');
      close(h2Cullis ?? undefined, 'cullis');
      expect(components?.logLikelihood).toBeCloseTo(figure(expected, 'logLikelihood'), 7);
    },
  );

  test('REML with a kinship has the variances, likelihood and values of dense matrices in R', () => {
    const fit = fitReml(reduceKernel(kinship, interceptOnly(n)), y);
    const expected = fromR('reml.csv');
    expect(fit.boundary).toBe('none');
    // The likelihood is flat at its maximum: R's search ends within 1e-7 of it.
    expect(Math.abs(fit.varianceGenetic / figure(expected, 'genetic') - 1)).toBeLessThan(1e-6);
    expect(Math.abs(fit.varianceResidual / figure(expected, 'residual') - 1)).toBeLessThan(1e-6);
    expect(fit.logLikelihood).toBeCloseTo(figure(expected, 'logLikelihood'), 9);
    const { blup = [] } = fromR('blup.csv');
    for (let i = 0; i < n; i++) {
      let value = 0;
      for (let j = 0; j < n; j++) value += fit.varianceGenetic * kinship.data[i * n + j] * fit.weights[j];
      expect(Math.abs(value - Number(blup[i]))).toBeLessThan(1e-5);
    }
  });

  test('exact tests of Hardy-Weinberg proportions are sums over all tables', () => {
    const { p = [] } = fromR('hwe.csv');
    for (const [k, [het = 0, hom1 = 0, hom2 = 0]] of GENOTYPES.entries()) {
      const expected = Number(p[k]);
      expect(Math.abs(hardyWeinbergTest(het, hom1, hom2).p - expected)).toBeLessThan(1e-10 * expected + 1e-300);
    }
  });
});
