import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { expect, test } from 'vitest';
import { openSmallPanel, type SmallPanel, smallPanel, smallPhenotype } from '../prediction/small-panel.test-data.ts';
import { nameMarkersOf, stepwiseCsv } from './describe-stepwise.ts';
import { gwasStateFromBytes, gwasStateToBytes } from './gwas-columns.ts';
import { runGwas } from './gwas-in-one-piece.test-data.ts';
import type { GwasInput, StepwiseSearch } from './gwas-state.ts';
import { prepareGwas } from './prepare-gwas.ts';

const CONTEXT = { threads: 1 };
const WORLD = smallPanel(160, 90, 50);
const CAUSAL = ['m12', 'm47', 'm80'];

/** A trait with three large effects beside those of `smallPhenotype`. */
function phenotypeOf(world: SmallPanel): GwasInput['phenotype'] {
  const phenotype = smallPhenotype(WORLD, 6);
  const [values = new Float64Array()] = phenotype.values;
  for (const [k, id] of CAUSAL.entries()) {
    const j = WORLD.markers.findIndex((marker) => marker.id === id);
    for (const [i, row] of WORLD.dosages.entries()) values[i] = (values[i] ?? 0) + [9, -8, 7][k] * (row[j] ?? 1);
  }
  return { ...phenotype, individuals: world.samples };
}

const inputOf = (world: SmallPanel): Omit<GwasInput, 'test'> => ({
  panel: blocksOf(openSmallPanel(world)),
  phenotype: phenotypeOf(world),
  traits: ['y'],
  fixed: 1,
  covariates: ['origin'],
  callRate: 0.9,
});
const INPUT = inputOf(WORLD);

async function searched(input: Partial<GwasInput> = {}): Promise<StepwiseSearch> {
  const { states } = await prepareGwas({ ...INPUT, test: 'WALD', stepwise: 6, ...input }, CONTEXT);
  const search = states[0]?.stepwise?.[0];
  if (search === undefined) throw new TypeError('no search');
  return search;
}

test('a stepwise search finds the markers with effects, and its file has every model', async () => {
  const search = await searched();
  expect(search.models.map(({ direction }) => direction)).toEqual([
    ...Array.from({ length: 7 }, () => 'forward'),
    ...Array.from({ length: 5 }, () => 'backward'),
  ]);
  const named = await nameMarkersOf(search, INPUT.panel);
  const chosen = named.models[named.chosen];
  expect(chosen?.markers.map(({ id }) => id).sort()).toEqual(CAUSAL);
  expect(named.models.every(({ mbic }) => mbic >= (chosen?.mbic ?? 0))).toBe(true);
  expect(chosen?.pve).toBeGreaterThan(Math.max(...(chosen?.markers ?? []).map(({ pve }) => pve)));
  for (const { id, effect, effect_se } of chosen?.markers ?? []) {
    expect(Math.abs(effect - [9, -8, 7][CAUSAL.indexOf(id)])).toBeLessThan(4 * effect_se);
  }
  const lines = [...stepwiseCsv(named)].join('').trim().split('\n');
  expect(lines).toHaveLength(1 + 1 + (1 + 2 + 3 + 4 + 5 + 6) + (5 + 4 + 3 + 2 + 1));
  expect(lines[1]).toMatch(/^0,forward,0,.*,,,,,,,$/);
});

test('neither the order of the markers, nor that of the individuals, nor exchanged alleles change the models', async () => {
  const plain = await searched();
  const names = (search: StepwiseSearch, { markers }: SmallPanel) =>
    search.models.map(({ cofactors }) => cofactors.map(({ marker }) => markers[marker]?.id));
  const changes: [SmallPanel, number][] = [
    [{ ...WORLD, markers: WORLD.markers.toReversed(), dosages: WORLD.dosages.map((row) => row.toReversed()) }, 1],
    [{ ...WORLD, dosages: WORLD.dosages.map((row) => row.map((g) => (g === null ? null : 2 - g))) }, -1],
  ];
  for (const [world, sign] of changes) {
    const panel = blocksOf(openSmallPanel(world));
    const found = await searched({ panel });
    expect(found.chosen).toBe(plain.chosen);
    expect(names(found, world)).toEqual(names(plain, WORLD));
    for (const [k, model] of plain.models.entries()) {
      expect(found.models[k]?.mbic).toBeCloseTo(model.mbic, 6);
      for (const [c, { effect }] of model.cofactors.entries()) {
        expect(found.models[k]?.cofactors[c]?.effect).toBeCloseTo(sign * effect, 5);
      }
    }
  }
  const order = WORLD.samples.map((_, i) => (i * 7) % WORLD.samples.length);
  const turned: SmallPanel = {
    ...WORLD,
    samples: order.map((i) => WORLD.samples[i] ?? ''),
    dosages: order.map((i) => WORLD.dosages[i] ?? []),
  };
  const found = await searched({ panel: blocksOf(openSmallPanel(turned)) });
  expect(names(found, WORLD)).toEqual(names(plain, WORLD));
});

test('a trait in other units has the same models, and each of two traits those that it has alone', async () => {
  const plain = await searched();
  const { phenotype } = INPUT;
  const scaled = { ...phenotype, values: phenotype.values.map((values) => values.map((value) => 1000 * value - 5)) };
  const found = await searched({ phenotype: scaled });
  for (const [k, { h2, pve, cofactors }] of plain.models.entries()) {
    expect(found.models[k]?.h2).toBeCloseTo(h2, 5);
    expect(found.models[k]?.pve).toBeCloseTo(pve, 6);
    expect(found.models[k]?.cofactors.map(({ marker }) => marker)).toEqual(cofactors.map(({ marker }) => marker));
  }
  const numeric = { name: 'z', unit: null, ontologyId: null, kind: 'numeric' as const };
  const two = {
    ...phenotype,
    traits: [...phenotype.traits, numeric],
    values: [...phenotype.values, (phenotype.values[0] ?? new Float64Array()).map((value, i) => value + (i % 5))],
    observations: [...phenotype.observations, phenotype.observations[0] ?? new Int32Array()],
    reductions: [...phenotype.reductions, 'as given' as const],
    h2: [null, null, null],
  };
  const both = await prepareGwas({ ...INPUT, phenotype: two, traits: ['y', 'z'], test: 'LRT', stepwise: 3 }, CONTEXT);
  const alone = await prepareGwas({ ...INPUT, phenotype: two, traits: ['z'], test: 'LRT', stepwise: 3 }, CONTEXT);
  expect(both.states[0]?.stepwise).toHaveLength(2);
  expect(both.states[0]?.stepwise?.[1]).toEqual(alone.states[0]?.stepwise?.[0]);
});

for (const leaveOneChromosomeOut of [false, true]) {
  test(`permutations give a threshold for each test${leaveOneChromosomeOut ? ', with a chromosome left out too' : ''}`, {
    tags: 'whole',
  }, async () => {
    const input = { ...INPUT, leaveOneChromosomeOut, permutations: 199, seed: 3 };
    for (const name of ['SCORE', 'WALD', 'LRT'] as const) {
      const [run] = await runGwas({ ...input, test: name }, CONTEXT);
      if (run?.result == null) throw new TypeError('no result');
      const { state, summary, columns } = run.result;
      expect(state.engine.name).toBe('individuals');
      const p = summary.permutations?.p ?? Number.NaN;
      // Bonferroni takes all markers as independent; they are not, and no fewer than some.
      expect(p).toBeGreaterThan(0.2 * summary.bonferroni);
      expect(p).toBeLessThan(20 * summary.bonferroni);
      expect(summary.permutations?.hits).toBe(columns.p.filter((value) => value <= p).length);
      if (name === 'SCORE') {
        const [again] = await runGwas({ ...input, test: name, seed: 4 }, CONTEXT);
        expect(again?.result?.summary.permutations?.p).not.toBe(p);
      }
      expect(gwasStateFromBytes(gwasStateToBytes(state)).permutations).toEqual(state.permutations);
    }
  });
}

test('a multi-locus model is refused with a chromosome left out', async () => {
  const { errors } = await prepareGwas({ ...INPUT, test: 'LRT', stepwise: 2, leaveOneChromosomeOut: true }, CONTEXT);
  expect(errors[0]?.error.code).toBe('gwas/stepwise-by-chromosome');
});
