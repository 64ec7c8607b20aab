import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { expect, test } from 'vitest';
import { importText, maizeVcf } from '../maize.test-data.ts';
import type { EngineTask } from './engine-task.ts';
import { NOMINAL_RATES } from './machine-rates.ts';
import { planEngine } from './plan-engine.ts';
import { wholeShare } from './whole-share.ts';

const HEAD = '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tA\tB\tC\n';
const vcfOf = (markers: number, callsOf: (j: number) => string): string =>
  HEAD + Array.from({ length: markers }, (_, j) => `1\t${j + 1}\tm${j}\tA\tC\t.\t.\t.\tGT\t${callsOf(j)}\n`).join('');

test('the share of markers called in everybody is that of the file, and of a real panel between none and all', async () => {
  await using half = await importText(vcfOf(200, (j) => (j % 2 === 0 ? './.\t0/1\t1/1' : '0/0\t0/1\t1/1')));
  await using few = await importText(vcfOf(3, () => '0/0\t0/1\t1/1'));
  await using maize = await importText(maizeVcf());
  expect(await wholeShare(blocksOf(half.panel))).toBe(0.5);
  expect(await wholeShare(blocksOf(few.panel))).toBe(1);
  expect(await wholeShare(blocksOf(maize.panel))).toBeGreaterThan(0);
  expect(await wholeShare(blocksOf(maize.panel))).toBeLessThan(0.5);
});

test.each(['train', 'evaluate'] as const)(
  'to %s, products of whole dosages count as those of single precision',
  (analysis) => {
    const task: EngineTask = {
      ...{ analysis, individuals: 2000, observed: 1500, markers: 40_000, traits: 1, groups: 1 },
      ...{ needsIndividuals: 'A test.', needsMarkers: null },
    };
    const machine = { threads: 1, memoryMb: 16_000 };
    const [double, mixed, single] = [0, 0.25, 1].map(
      (share) => planEngine({ ...task, wholeShare: share }, machine).estimate,
    );
    const products = 2000 * 2000 * 40_000;
    expect(mixed!.operations.single).toBe(0.25 * products);
    expect(double!.operations.double - single!.operations.double).toBe(products);
    expect(double!.seconds - single!.seconds).toBeCloseTo(
      products / NOMINAL_RATES.double - products / NOMINAL_RATES.single,
      9,
    );
  },
);

test('equations of the markers count as single precision where every dosage is whole, and as double otherwise', () => {
  const task: EngineTask = {
    ...{ analysis: 'train', individuals: 20_000, observed: 20_000, markers: 2000, traits: 1, groups: 1 },
    ...{ needsIndividuals: null, needsMarkers: 'A test.' },
  };
  const machine = { threads: 1, memoryMb: 16_000 };
  const [double, single] = [0.99, 1].map((share) => planEngine({ ...task, wholeShare: share }, machine).estimate);
  const products = 20_000 * 2000 * 2000;
  expect([double?.operations.single, single?.operations.single]).toEqual([0, products]);
  expect(double!.operations.double - single!.operations.double).toBe(products);
  expect(double!.memoryMb - single!.memoryMb).toBeCloseTo((4 * 2000 * 2000) / 1e6, 9);
});

test('a model with dominance goes to the markers where twice as many of them are fewer than the individuals', () => {
  const task: EngineTask = {
    ...{ analysis: 'train', individuals: 5000, observed: 5000, markers: 1000, traits: 1, groups: 1, wholeShare: 1 },
    ...{ needsIndividuals: null, needsMarkers: null, dominance: true },
  };
  const machine = { threads: 1, memoryMb: 16_000 };
  const few = planEngine(task, machine);
  expect(few.engine).toBe('markers');
  expect(few.reason).toMatch(/^with 5,000 individuals and 1,000 markers the equations of the markers/);
  expect(planEngine({ ...task, markers: 4000 }, machine).engine).toBe('individuals');
  const large = planEngine({ ...task, individuals: 20_000, observed: 20_000, markers: 10_000 }, machine);
  expect(large.engine).toBe('markers');
  expect(large.reason).toMatch(/^the kinship of the individuals \(n × n\) cannot be used: it needs \d+ GB of memory/);
});

test('the reason says what share of the time of the other engine it takes', () => {
  const task: EngineTask = {
    ...{ analysis: 'train', individuals: 50_000, observed: 50_000, markers: 0, traits: 1, groups: 1, wholeShare: 1 },
    ...{ needsIndividuals: null, needsMarkers: null },
  };
  const shares = Array.from({ length: 40 }, (_, i) => {
    const { reason, estimate, other } = planEngine({ ...task, markers: 5000 * (i + 1) }, { threads: 1, memoryMb: 1e6 });
    const [, percent, part] = /takes about (?:(\d+) %|1\/(\d+)) of the time/.exec(reason) ?? [];
    const said = part === undefined ? Number(percent) / 100 : 1 / Number(part);
    expect(said).toBeCloseTo(estimate.seconds / other.seconds, 1);
    return said;
  });
  expect(Math.min(...shares)).toBeLessThan(0.1);
  expect(shares.some((share) => share > 0.6 && share < 0.8)).toBe(true);
});
