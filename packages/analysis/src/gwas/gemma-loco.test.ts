import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { type GwasNull, prepareGwas } from '@heterosis/statgen/association/prepare-gwas';
import { type AssociationTest, createMarkerTester } from '@heterosis/statgen/association/test-markers';
import { createKinshipAccumulator } from '@heterosis/statgen/kinship/accumulate-kinship';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSmallPanel, type SmallPanel } from '../prediction/small-panel.test-data.ts';
import { runGwas } from './gwas-in-one-piece.test-data.ts';

const N = 240;
const CHROMOSOMES = 5;
const ON_EACH = 60;
const isInstalled = spawnSync('gemma', ['-h']).error === undefined;

/** Outbred individuals without missing calls; the trait has many effects, one of them large. */
function simulate(): { world: SmallPanel; y: Float64Array } {
  const random = createRandomStream(33, 'gemma');
  const y = Float64Array.from({ length: N }, () => 6 * random.normal());
  const columns = Array.from({ length: CHROMOSOMES * ON_EACH }, (_, j) => {
    const frequency = 0.2 + 0.6 * random.uniform();
    const effect = random.normal() * (j === 70 ? 4 : 0.5);
    return Array.from(y, (_, i) => {
      const dosage = Number(random.uniform() < frequency) + Number(random.uniform() < frequency);
      y[i] += effect * dosage;
      return dosage;
    });
  });
  const markers = columns.map((_, j) => ({
    ...{ id: `m${j}`, chromosome: String(1 + Math.floor(j / ON_EACH)), positionBp: 1000 * (1 + (j % ON_EACH)) },
    ...{ a1: 'A', a2: 'G' },
  }));
  const samples = Array.from(y, (_, i) => `I${i}`);
  return { world: { samples, markers, dosages: samples.map((_, i) => columns.map((column) => column[i])) }, y };
}

/** Upper tail of F with 1 and `df` degrees of freedom: that of t, by Simpson's rule. */
function fTail(f: number, df: number): number {
  // With t = √df·tan θ the density is a power of the cosine.
  const density = (angle: number): number => Math.cos(angle) ** (df - 1);
  const integral = (from: number, to: number): number => {
    const steps = 2000;
    const width = (to - from) / steps;
    let sum = density(from) + density(to);
    for (let k = 1; k < steps; k++) sum += (k % 2 === 1 ? 4 : 2) * density(from + k * width);
    return (sum * width) / 3;
  };
  return integral(Math.atan(Math.sqrt(f / df)), Math.PI / 2) / integral(0, Math.PI / 2);
}

/** y'Py and what one marker explains of it, at a given h². */
function formsAt(state: GwasNull, packed: Uint8Array, h2: number): { square: number; explained: number } {
  const [model] = state.traits;
  if (model === undefined) throw new TypeError('no model');
  const weights = state.contrastEigenvalues.map((value) => 1 / (1 + h2 * (value - 1)));
  const square = model.rotated.reduce((sum, value, i) => sum + value ** 2 * (weights[i] ?? 0), 0);
  const at = { ...state, traits: [{ ...model, scoreH2: h2, scoreVariance: 1 }] };
  const filter = { maf: 0, callRate: 0 };
  const columns = createMarkerTester(at, { panelSize: N, filter, tests: ['SCORE'] }).test(packed, 1);
  return { square, explained: columns.traits[0]?.SCORE?.statistic[0] ?? Number.NaN };
}

describe.skipIf(!isInstalled)(`GEMMA -loco${isInstalled ? '' : ' (not installed)'}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemma-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('with the same kinship, every chromosome has its likelihood ratios, effects and errors', async () => {
    const { world, y } = simulate();
    const genotype = openSmallPanel(world);
    const numeric = { name: 'y', unit: null, ontologyId: null, kind: 'numeric' as const };
    const input = {
      panel: blocksOf(genotype),
      phenotype: {
        shape: 'wide' as const,
        individuals: world.samples,
        traits: [numeric],
        values: [y],
        observations: [new Int32Array(N).fill(1)],
        reductions: ['as given' as const],
        h2: [null],
        groups: [],
        environments: [],
      },
      traits: ['y'],
      leaveOneChromosomeOut: true,
      engine: 'individuals' as const,
      maf: 0,
    };
    const testedWith = async (name: AssociationTest) => {
      const [run] = await runGwas({ ...input, test: name }, { threads: 1 });
      if (run?.result == null) throw new TypeError('no result');
      return run.result.columns;
    };
    const write = (name: string, lines: readonly string[]) =>
      writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
    const dosagesOf = (j: number): string => world.dosages.map((row) => row[j]).join(', ');
    write(
      'geno.txt',
      world.markers.map(({ id, a1, a2 }, j) => `${id}, ${a2}, ${a1}, ${dosagesOf(j)}`),
    );
    write('y.txt', Array.from(y, String));
    write(
      'map.txt',
      world.markers.map(({ id, positionBp, chromosome }) => `${id}, ${positionBp}, ${chromosome}`),
    );
    const stride = (N + 3) >> 2;
    const packed = await genotype.readPacked(0, world.markers.length);
    const columns = await testedWith('LRT');
    const wald = await testedWith('WALD');
    let compared = 0;
    for (let chromosome = 1; chromosome <= CHROMOSOMES; chromosome++) {
      const others = createKinshipAccumulator({
        panelSize: N,
        filter: { maf: 0, callRate: 0 },
        methods: ['standardized'],
      });
      for (const [j, marker] of world.markers.entries()) {
        if (marker.chromosome !== String(chromosome)) others.add(packed.subarray(j * stride, (j + 1) * stride), 1);
      }
      const { kernels, divisors } = others.finish();
      // On the divisor of the whole kinship, as the analysis has it: that decides only where h² ends.
      const share = (divisors.standardized ?? 0) / (world.markers.length - 1);
      const kinship = (kernels.standardized?.data ?? new Float64Array()).map((value) => value * share);
      write(
        'k.txt',
        world.samples.map((_, i) => kinship.subarray(i * N, (i + 1) * N).join('\t')),
      );
      execFileSync(
        'gemma',
        [
          '-g',
          'geno.txt',
          '-p',
          'y.txt',
          '-a',
          'map.txt',
          '-k',
          'k.txt',
          '-loco',
          String(chromosome),
          '-notsnp',
        ].concat(['-lmm', '4', '-o', 'tests']),
        { cwd: folder, env: { ...process.env, OPENBLAS_NUM_THREADS: '1' }, stdio: 'ignore' },
      );
      const state = prepareGwas({
        kinship: { rows: N, columns: N, data: kinship },
        traits: [y],
        principalComponents: 0,
      });
      const [header = '', ...rows] = readFileSync(join(folder, 'output', 'tests.assoc.txt'), 'utf8')
        .trim()
        .split('\n');
      const names = header.split('\t');
      expect(rows).toHaveLength(ON_EACH);
      for (const row of rows) {
        const cells = new Map(row.split('\t').map((value, k) => [names[k], value]));
        const number = (name: string): number => Number(cells.get(name));
        const j = world.markers.findIndex(({ id }) => id === cells.get('rs'));
        const place = columns.markerIndex.indexOf(j);
        // Beyond our bound of 0.99 the two programs maximise over different ranges.
        if (columns.atBound[place] === 1) continue;
        compared++;
        const difference = (negLog10P: number, theirs: string): number =>
          Math.abs(negLog10P + Math.log10(number(theirs)));
        expect(difference(columns.negLog10P[place] ?? 0, 'p_lrt'), `LRT ${j}`).toBeLessThan(1e-6);
        // GEMMA's score test takes the variances of the null model by maximum likelihood, and its F is not χ².
        const own = packed.subarray(j * stride, (j + 1) * stride);
        const null0 = formsAt(state, own, state.traits[0]?.mlH2 ?? 0);
        expect(difference(-Math.log10(fTail((N * null0.explained) / null0.square, N - 2)), 'p_score')).toBeLessThan(
          1e-6,
        );
        if (wald.atBound[place] === 1) continue;
        // It stops its search for the REML maximum early; at the ratio that it found the tests are equal.
        const ratio = number('l_remle');
        const found = formsAt(state, own, ratio / (1 + ratio));
        const atTheirs = fTail((found.explained * (N - 2)) / (found.square - found.explained), N - 2);
        expect(difference(-Math.log10(atTheirs), 'p_wald'), `WALD ${j}`).toBeLessThan(1e-6);
        expect(difference(-Math.log10(fTail(wald.statistic[place] ?? 0, N - 2)), 'p_wald')).toBeLessThan(1e-5);
      }
    }
    expect(compared).toBeGreaterThan(0.9 * world.markers.length);
  });
});
