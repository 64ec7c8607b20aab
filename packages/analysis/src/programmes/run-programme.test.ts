import { availableParallelism } from 'node:os';
import type { Stage } from '@heterosis/statgen/programmes/scheme';
import { expect, test } from 'vitest';
import { agreementWith, referenceMaterial, schemesOfHelp } from './reference-programmes.test-data.ts';
import { runProgramme, runReplicates } from './run-programme.ts';

const schemes = schemesOfHelp();
const OPEN = ['A', 'A0', 'B', 'C', 'D', 'F'] as const;

// The seed is fixed. Rows of a scheme are strongly correlated, so that a scheme is judged as a whole.
test.for(OPEN.map((scheme) => [scheme] as const))(
  'scheme %s agrees with two independent simulators in its first cycles',
  async ([name]) => {
    const scheme = { ...schemes[name], cycles: 2, end: [] };
    const task = { material: await referenceMaterial(), scheme, seed: 1 };
    const { rows } = await runProgramme(task, name === 'F' ? 8 : 30, { threads: 1 });
    const found = agreementWith(name, rows, (scheme.first_cycle ?? 1) + 1);
    expect(found.missing).toEqual([]);
    expect(found.rmsZ).toBeLessThan(1.6);
    expect(Math.abs(found.largest.z)).toBeLessThan(4.5);
  },
);

test.for(OPEN.map((scheme) => [scheme] as const))(
  'scheme %s agrees with two independent simulators in all cycles',
  { tags: 'whole', timeout: 600_000 },
  async ([name]) => {
    const task = { material: await referenceMaterial(), scheme: schemes[name], seed: 1 };
    const { rows } = await runProgramme(task, 240, { threads: availableParallelism() });
    const found = agreementWith(name, rows);
    expect(found.missing).toEqual([]);
    expect(found.rmsZ).toBeLessThan(1.6);
    expect(Math.abs(found.largest.z)).toBeLessThan(4.5);
    expect(found.beyondTwo).toBeLessThan(0.1);
  },
);

test('the number of threads changes no byte', async () => {
  const task = { material: await referenceMaterial(), scheme: { ...schemes.C, cycles: 2 }, seed: 7 };
  const { rows: one } = await runProgramme(task, 5, { threads: 1 });
  expect((await runProgramme(task, 5, { threads: 4 })).rows).toEqual(one);
  expect((await runProgramme({ ...task, seed: 8 }, 5, { threads: 1 })).rows).not.toEqual(one);
});

test('some of the replicates are those of all', async () => {
  const task = { material: await referenceMaterial(), scheme: { ...schemes.B, cycles: 1 }, seed: 7 };
  const { values } = await runProgramme(task, 5, { threads: 1 });
  const some = await runReplicates(task, { first: 2, count: 2 }, { threads: 2 });
  expect(some.values).toEqual(values.slice(2, 4));
});

test('costs and years of the schemes are those of their definitions', async () => {
  const costs: Record<string, [cost: number, years: number]> = {
    A: [9000, 1],
    B: [17_200, 4],
    C: [14_200, 3],
    D: [10_400, 1],
    F: [48_300, 5],
  };
  for (const [name, expected] of Object.entries(costs)) {
    const scheme = { ...schemes[name as 'A'], cycles: 2, end: [] };
    const { rows } = await runProgramme({ material: await referenceMaterial(), scheme, seed: 1 }, 1, {
      threads: 1,
    });
    const of = (quantity: string) => {
      const found = rows.filter((row) => row.stage === 'programme' && row.quantity === quantity && row.cycle >= 0);
      return found.at(-1)?.mean ?? Number.NaN;
    };
    const first = rows.find((row) => row.quantity === 'year' && row.cycle === (scheme.first_cycle ?? 1));
    expect([name, of('cost'), of('year') - (first?.mean ?? 0)]).toEqual([name, ...expected]);
  }
});

test('a second trait of the same plots costs nothing, and an index has the accuracy of the true index', async () => {
  const second: Stage[] = [
    {
      ...{ do: 'phenotype', population: 'dh', trait: 'trait2', environments: 1, replicates: 1, as: 'z1' },
      same_plots: true,
    },
    { do: 'index', population: 'dh', weights: { y1: 1, z1: 1 }, as: 'both' },
    { do: 'measure', stage: 'both', population: 'dh', criterion: 'both' },
  ];
  const cycle = schemes.B.cycle.flatMap((stage) =>
    stage.do === 'phenotype' && stage.as === 'y1' ? [stage, ...second] : [stage],
  );
  const scheme = { ...schemes.B, cycles: 1, index: { trait1: 1, trait2: 1 }, cycle };
  const { rows } = await runProgramme({ material: await referenceMaterial(), scheme, seed: 1 }, 10, { threads: 1 });
  const of = (stage: string, quantity: string) =>
    rows.find((row) => row.cycle === 1 && row.stage === stage && row.quantity === quantity)?.mean ?? Number.NaN;
  expect(of('programme', 'cost')).toBe(17_200);
  expect(of('both', 'mean_index')).toBeCloseTo(of('dh', 'mean_gv1') + of('dh', 'mean_gv2'), 9);
  // Both traits have a heritability of 0.3 and the sum has about that too.
  expect(of('both', 'accuracy')).toBeGreaterThan(0.4);
  expect(of('both', 'accuracy')).toBeLessThan(0.7);
});

test('a stage that asks for what is not there is told with its cycle and name, also from a thread', async () => {
  const scheme = { ...schemes.A, cycle: schemes.A.cycle.slice(2) };
  const task = { material: await referenceMaterial(), scheme, seed: 1 };
  for (const threads of [1, 2]) {
    await expect(runProgramme(task, 2, { threads })).rejects.toThrow(
      'cycle 0, stage "select selected": the population has no column "y"; it has none',
    );
  }
});
