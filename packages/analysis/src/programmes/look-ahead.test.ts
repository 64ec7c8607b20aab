import type { Scheme, Stage } from '@heterosis/statgen/programmes/scheme';
import { expect, test } from 'vitest';
import { referenceMaterial, schemesOfHelp } from './reference-programmes.test-data.ts';
import { runProgramme } from './run-programme.ts';

const { C } = schemesOfHelp();

/** What the model that chose the crosses says of their lines and of the families, whose means the F1 are. */
const ESTIMATES: Stage[] = (['dh', 'F1'] as const).flatMap((population): Stage[] => [
  { do: 'genotype', population },
  { do: 'predict', model: 'gs', population, as: 'estimate' },
  { do: 'measure', stage: `estimated_${population}`, population, report: { var_estimate: { variance: 'estimate' } } },
]);

/** Scheme C whose parents are the best 40 by GEBV, crossed by a plan. */
const crossedBy = (cross: Partial<Stage>, cycles: number): Scheme => ({
  ...C,
  cycles,
  start: [
    { do: 'phenotype', population: 'founders', trait: 'trait1', environments: 3, replicates: 2, as: 'gebv' },
    { do: 'train', model: 'gs', population: 'founders', column: 'gebv', window: 3 },
    { do: 'select', from: 'founders', by: 'gebv', count: 60, into: 'parents' },
  ],
  cycle: [
    { do: 'measure', stage: 'candidates', population: 'parents' },
    ...C.cycle
      .flatMap((stage): Stage[] => (stage.do === 'train' ? [...ESTIMATES, stage] : [stage]))
      .map((stage): Stage => {
        if (stage.do === 'cross') return { ...stage, plan: 'useful', ...cross } as Stage;
        return stage.do === 'select' ? { ...stage, count: 40, per_family: 20 } : stage;
      }),
  ],
});
const run = async (scheme: Scheme, replicates: number) => {
  const { rows } = await runProgramme({ material: await referenceMaterial(), scheme, seed: 3 }, replicates, {
    threads: 1,
  });
  return (cycle: number, stage: string, quantity: string) =>
    rows.find((row) => row.cycle === cycle && row.stage === stage && row.quantity === quantity) ?? {
      mean: NaN,
      se: NaN,
    };
};

test('a cap of coancestry holds, and a wider one gives more gain', async () => {
  const lost: number[] = [];
  const gains: number[] = [];
  for (const rate of [0.02, 0.2]) {
    const scheme = crossedBy({ plan: 'optimal', crosses: 10, by: 'gebv', rate }, 2);
    const of = await run(scheme, 10);
    const before = of(1, 'candidates', 'he_neutral').mean;
    lost.push(1 - of(1, 'dh', 'he_neutral').mean / before);
    gains.push(of(1, 'dh', 'mean_gv1').mean);
  }
  // Ten crosses have whole numbers of parents, and neutral loci are others than those of the cap.
  expect(lost[0]).toBeLessThan(0.05);
  expect(lost[1]).toBeGreaterThan(0.1);
  expect(lost[1]).toBeLessThan(0.25);
  expect(gains[1]).toBeGreaterThan((gains[0] ?? 0) + 0.3);
});

test('usefulness takes crosses of more variance when fewer lines will be selected', async () => {
  const chosen = async (selected: number) =>
    run(crossedBy({ plan: 'useful', model: 'gs', crosses: 10, most_uses: 2, selected }, 1), 6);
  const [few, all] = [await chosen(0.001), await chosen(1)];
  expect(few(1, 'programme', 'cost').mean).toBe(14_200 + 10 * 15);
  expect(within(few)).toBeGreaterThan(1.5 * within(all));
});

/** Estimated variance within the families. */
const within = (of: Awaited<ReturnType<typeof run>>): number =>
  of(1, 'estimated_dh', 'var_estimate').mean - of(1, 'estimated_F1', 'var_estimate').mean;

test('the optimal haploid value of a line is its GEBV, and that of a plant exceeds it', async () => {
  const scheme: Scheme = {
    ...C,
    cycles: 1,
    cycle: [
      ...C.cycle.slice(0, 5),
      { do: 'genotype', population: 'F1' },
      ...(['dh', 'F1'] as const).flatMap((population): Stage[] => [
        { do: 'predict', model: 'gs', population, as: 'gebv' },
        { do: 'score', kind: 'ohv', model: 'gs', population, as: 'ohv' },
        {
          do: 'measure',
          stage: population,
          population,
          report: { ohv: { mean: 'ohv' }, gebv: { mean: 'gebv' }, agree: { correlation: ['ohv', 'gebv'] } },
        },
      ]),
    ],
  };
  const of = await run(scheme, 2);
  expect(of(1, 'dh', 'ohv').mean).toBeCloseTo(of(1, 'dh', 'gebv').mean, 9);
  expect(of(1, 'dh', 'agree').mean).toBeCloseTo(1, 9);
  expect(of(1, 'F1', 'ohv').mean).toBeGreaterThan(of(1, 'F1', 'gebv').mean);
});
