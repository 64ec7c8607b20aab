import { expect, test } from 'vitest';
import { importText, maizeVcf } from '../maize.test-data.ts';
import { NOMINAL_RATES } from './machine-rates.ts';
import { type EngineTask, planEngine } from './plan-engine.ts';
import { wholeShare } from './whole-share.ts';

const HEAD = '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tA\tB\tC\n';
const vcfOf = (markers: number, callsOf: (j: number) => string): string =>
  HEAD + Array.from({ length: markers }, (_, j) => `1\t${j + 1}\tm${j}\tA\tC\t.\t.\t.\tGT\t${callsOf(j)}\n`).join('');

test('the share of markers called in everybody is that of the file, and of a real panel between none and all', async () => {
  await using half = await importText(vcfOf(200, (j) => (j % 2 === 0 ? './.\t0/1\t1/1' : '0/0\t0/1\t1/1')));
  await using few = await importText(vcfOf(3, () => '0/0\t0/1\t1/1'));
  await using maize = await importText(maizeVcf());
  expect(await wholeShare(half.panel)).toBe(0.5);
  expect(await wholeShare(few.panel)).toBe(1);
  expect(await wholeShare(maize.panel)).toBeGreaterThan(0);
  expect(await wholeShare(maize.panel)).toBeLessThan(0.5);
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
