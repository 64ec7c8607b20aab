import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import { createPlanner } from '@heterosis/statgen/mating/plan-crosses';
import { indexMaterial } from '@heterosis/statgen/mating/plan-tables';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { expect, test } from 'vitest';
import type { TrainedModel } from '../prediction/trained-model.ts';
import { candidatesOfModel, planTablesOfModel, relationshipByPedigree } from './pedigree-tables.ts';

/** Crosses, selfings, doubled haploids and progeny of one known parent; the youngest first. */
function grownPedigree(n: number, seed: number): PedigreeTable {
  const random = createRandomStream(seed, 'plan');
  const founders = 6;
  const last = n - 1;
  const table: PedigreeTable = {
    names: Array.from({ length: n }, (_, i) => `Line-${last - i}`),
    maternal: new Int32Array(n).fill(-1),
    paternal: new Int32Array(n).fill(-1),
    selfings: new Float64Array(n),
    collections: Array.from({ length: n }, () => null),
    origins: Array.from({ length: n }, () => 'row'),
  };
  for (let i = founders; i < n; i++) {
    table.maternal[last - i] = last - random.nextInt(i);
    if (random.nextInt(8) > 0) table.paternal[last - i] = last - random.nextInt(i);
    table.selfings[last - i] = [0, 0, 3, Number.POSITIVE_INFINITY][random.nextInt(4)]!;
  }
  return table;
}

/** Coancestries by their definition, individual after individual from the oldest (Emik & Terrill 1949). */
function denseCoancestries({ names, maternal, paternal, selfings }: PedigreeTable): number[][] {
  const n = names.length;
  const f = Array.from({ length: n }, () => Array.from({ length: n }, () => 0));
  const of = (i: number, j: number): number => (i < 0 || j < 0 ? 0 : f[i]![j]!);
  for (let i = n - 1; i >= 0; i--) {
    const [p, q] = [maternal[i]!, paternal[i]!];
    for (let j = n - 1; j > i; j--) f[i]![j] = f[j]![i] = (of(p, j) + of(q, j)) / 2;
    let inbreeding = of(p, q);
    const generations = Math.min(selfings[i]!, 60);
    for (let generation = 0; generation < generations; generation++) inbreeding = (1 + inbreeding) / 2;
    f[i]![i] = (1 + inbreeding) / 2;
  }
  return f;
}

const INDEX = { method: 'base' as const, weights: [1], isLow: [false], isKept: [false], accuracy: [1] };
const gebvOf = (name: string): number => ((Number(name.slice(5)) * 37) % 101) / 10;

/** A model as training leaves it, without what a plan does not look at. */
const modelOf = (individuals: string[], gebv: Float64Array): TrainedModel =>
  ({ individuals, markers: {}, traits: [{ name: 'yield', fit: { gebv } }] }) as unknown as TrainedModel;

test.each([1, 2, 3])('relationships of candidates are twice their coancestries by definition, seed %d', (seed) => {
  const table = grownPedigree(80, seed);
  const dense = denseCoancestries(table);
  const rows = [3, 70, 12, 0, 41, 79];
  const triangle = relationshipByPedigree(
    { table },
    rows.map((row) => table.names[row]!.toUpperCase().replace('-', ' ')),
  );
  const expected = rows.flatMap((i, a) => rows.slice(0, a + 1).map((j) => 2 * dense[i]![j]!));
  expect(triangle.length).toBe(expected.length);
  for (const [at, value] of expected.entries()) expect(triangle[at]).toBeCloseTo(value, 12);
});

test('a plan for candidates without markers has their GEBVs, and the group coancestry of the definition', () => {
  const table = grownPedigree(80, 4);
  const dense = denseCoancestries(table);
  const individuals = [...table.names.toReversed(), 'Stranger'];
  const values = Float64Array.from(individuals, (name) => (name === 'Stranger' ? Number.NaN : gebvOf(name)));
  const model = modelOf(individuals, values);
  expect(candidatesOfModel(model, ['yield'])).not.toContain('Stranger');
  const tables = planTablesOfModel(model, ['yield'], { table }, null);
  expect(tables.candidates).toEqual(individuals.slice(0, -1));
  expect([...tables.values]).toEqual(tables.candidates.map(gebvOf));
  expect(tables.covariances).toBeNull();
  const n = tables.candidates.length;
  const planner = createPlanner(indexMaterial(tables, INDEX), {
    ...{ candidates: Int32Array.from({ length: n }, (_, i) => i), crosses: 8, mostUses: 3 },
    ...{ required: [], forbidden: [], mates: 'usefulness' as const },
  });
  const plan = planner.plan(planner.balancedCap);
  const share = (place: number) => plan.uses[place]! / 16;
  const rowOf = (place: number) => table.names.indexOf(tables.candidates[place]!);
  let coancestry = 0;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) coancestry += share(i) * share(j) * dense[rowOf(i)]![rowOf(j)]!;
  expect(plan.coancestry).toBeCloseTo(coancestry, 5);
  expect(plan.crosses).toHaveLength(8);
  for (const { parents, spread, inbreeding } of plan.crosses) {
    expect(spread).toBeNull();
    expect(inbreeding).toBeCloseTo(dense[rowOf(parents[0])]![rowOf(parents[1])]!, 12);
  }
});

test('a candidate that the pedigree lacks is named rather than taken as unrelated', () => {
  const table = grownPedigree(20, 5);
  expect(() => relationshipByPedigree({ table }, ['Line-3', 'Nobody'])).toThrow(
    'The pedigree lacks a candidate: Nobody.',
  );
  const strangers = Array.from({ length: 8 }, (_, i) => `Stranger ${i}`);
  expect(() => relationshipByPedigree({ table }, strangers)).toThrow(/Stranger 4 and 3 more/);
});

/**
 * Coancestries of tetraploids as the share of equal genes of founders in gene drops: a gamete has two of the four
 * genes, or with the probability of double reduction one of them twice.
 */
function droppedCoancestries({ names, maternal, paternal }: PedigreeTable, reduction: number, drops: number) {
  const random = createRandomStream(7, 'drops');
  const n = names.length;
  const shared = new Float64Array(n * n);
  const genes = new Int32Array(4 * n);
  for (let drop = 0; drop < drops; drop++) {
    for (let i = n - 1; i >= 0; i--)
      for (const [half, parent] of [maternal[i]!, paternal[i]!].entries()) {
        const first = random.nextInt(4);
        const second = random.uint32() / 2 ** 32 < reduction ? first : (first + 1 + random.nextInt(3)) % 4;
        for (const [k, gene] of [first, second].entries()) {
          const at = 4 * i + 2 * half + k;
          // Genes of founders are numbers of their own.
          genes[at] = parent < 0 ? at : genes[4 * parent + gene]!;
        }
      }
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        for (let k = 0; k < 16; k++)
          shared[i * n + j]! += Number(genes[4 * i + (k >> 2)] === genes[4 * j + (k & 3)]) / 16 / drops;
  }
  return shared;
}

test.each([0, 0.15])('tetraploids are related as gene drops with a double reduction of %d say', (doubleReduction) => {
  const [a, b, c] = [9, 8, 7];
  // Three founders, their F1s, a selfing, a cross of half sibs, and a backcross of that.
  const parents = [
    ...[
      [1, 9],
      [2, 4],
      [3, 3],
      [5, 6],
    ],
    ...[
      [b, c],
      [a, c],
      [a, b],
    ],
    ...[
      [-1, -1],
      [-1, -1],
      [-1, -1],
    ],
  ];
  const table: PedigreeTable = {
    names: parents.map((_, i) => `T${i}`),
    maternal: Int32Array.from(parents, ([mother = -1]) => mother),
    paternal: Int32Array.from(parents, ([, father = -1]) => father),
    selfings: new Float64Array(parents.length),
    collections: parents.map(() => null),
    origins: parents.map(() => 'row'),
  };
  const dropped = droppedCoancestries(table, doubleReduction, 20_000);
  const triangle = relationshipByPedigree({ table, doubleReduction }, table.names, 4);
  for (let i = 0, at = 0; i < parents.length; i++)
    for (let j = 0; j <= i; j++, at++)
      // Four standard errors of a share among 20,000 drops.
      expect(Math.abs(triangle[at]! / 2 - dropped[i * parents.length + j]!)).toBeLessThan(0.014);
});

test('a model of tetraploids has its candidates related as tetraploids', () => {
  const table = grownPedigree(12, 6);
  const model = modelOf(table.names, Float64Array.from(table.names, gebvOf));
  const founder = table.names.at(-1)!;
  const of = (pedigree: Parameters<typeof planTablesOfModel>[2], ploidy?: number) =>
    planTablesOfModel({ ...model, markers: { ploidy } } as unknown as TrainedModel, ['yield'], pedigree, [founder])
      .relationship[0];
  // Two genes of a founder, drawn with replacement, are one in 1 of k cases.
  expect(of({ table })).toBe(1);
  expect(of({ table }, 4)).toBe(0.5);
  expect(of({ table, doubleReduction: 0.1, founders: 'equilibrium' }, 4)).toBeCloseTo(
    (2 * (1 + (3 * 0.1) / 2.1)) / 4,
    12,
  );
  expect(() => of({ table, doubleReduction: 0.1 })).toThrow(/no double reduction/);
});
