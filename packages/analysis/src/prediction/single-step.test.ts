import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { expect, test } from 'vitest';
import { panelKinship } from '../inputs/panel-kinship.ts';
import { evaluateModels } from './evaluation/evaluate-model.ts';
import { modelJson, parseModelJson } from './model-file.ts';
import { predict } from './predict.ts';
import { openSmallPanel, smallPanel } from './small-panel.test-data.ts';
import { trainModel } from './train-model.ts';

const CONTEXT = { threads: 1 };

/**
 * 70 plants of three generations: 10 founders, then crosses. Those from 30 to 59 are genotyped, and one sample is not
 * in the pedigree; every third plant has a phenotype.
 */
const names = Array.from({ length: 70 }, (_, i) => `P${i}`);
const random = createRandomStream(1, 'single-step');
const parents = names.map((_, i) =>
  i < 10 ? [-1, -1] : [random.nextInt(i < 30 ? 10 : 30), random.nextInt(i < 30 ? 10 : 30)],
);
const table: PedigreeTable = {
  names,
  maternal: Int32Array.from(parents, ([p]) => p!),
  paternal: Int32Array.from(parents, ([, q]) => q!),
  selfings: new Float64Array(70),
  collections: names.map(() => null),
  origins: names.map(() => 'row'),
};
const small = smallPanel(31, 80, 3);
small.samples = [...names.slice(30, 60), 'Stranger'];
const panel = openSmallPanel(small);
const phenotyped = names.filter((_, i) => i % 3 !== 0);
const breedingValues: number[] = [];
for (const [p, q] of parents) {
  breedingValues.push(p! < 0 ? 2 * random.normal() : (breedingValues[p!]! + breedingValues[q!]!) / 2 + random.normal());
}
const y = Float64Array.from(phenotyped, (name) => 10 + breedingValues[names.indexOf(name)]! + random.normal());
const phenotype = {
  ...{ shape: 'wide' as const, individuals: phenotyped, reductions: ['as given' as const], h2: [null] },
  traits: [{ name: 'y', unit: null, ontologyId: null, kind: 'numeric' as const }],
  values: [y],
  observations: [new Int32Array(phenotyped.length).fill(1)],
  ...{ groups: [], environments: [] },
};
const input = { panel, phenotype, traits: ['y'], pedigree: table };

type Dense = number[][];
const product = (a: Dense, b: Dense): Dense =>
  a.map((row) => b[0]!.map((_, j) => row.reduce((sum, value, k) => sum + value * b[k]![j]!, 0)));
const turned = (a: Dense): Dense => a[0]!.map((_, j) => a.map((row) => row[j]!));
const added = (a: Dense, b: Dense, factor = 1): Dense => a.map((row, i) => row.map((v, j) => v + factor * b[i]![j]!));
const chosen = (a: Dense, rows: readonly number[], columns: readonly number[]): Dense =>
  rows.map((i) => columns.map((j) => a[i]![j]!));

/** Gauss–Jordan with row exchange. */
function inverse(a: Dense): Dense {
  const n = a.length;
  const w = a.map((row, i) => [...row, ...row.map((_, j) => Number(i === j))]);
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k; i < n; i++) if (Math.abs(w[i]![k]!) > Math.abs(w[best]![k]!)) best = i;
    [w[k], w[best]] = [w[best]!, w[k]!];
    const pivot = w[k]![k]!;
    for (let j = 0; j < 2 * n; j++) w[k]![j]! /= pivot;
    for (let i = 0; i < n; i++) {
      const factor = w[i]![k]!;
      if (i !== k && factor !== 0) for (let j = 0; j < 2 * n; j++) w[i]![j]! -= factor * w[k]![j]!;
    }
  }
  return w.map((row) => row.slice(n));
}

/** A, the stranger at its end, by the tabular method: parents stand before their progeny. */
function plainA(): Dense {
  const n = names.length;
  const a: Dense = Array.from({ length: n + 1 }, () => Array.from({ length: n + 1 }, () => 0));
  a[n]![n] = 1;
  for (let i = 0; i < n; i++) {
    const [p, q] = parents[i]!;
    for (let j = 0; j < i; j++) a[i]![j] = a[j]![i] = p! < 0 ? 0 : 0.5 * (a[p!]![j]! + a[q!]![j]!);
    a[i]![i] = 1 + (p! < 0 ? 0 : 0.5 * a[p!]![q!]!);
  }
  return a;
}

const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;

/** H by its definition, through its inverse: A⁻¹ plus G*⁻¹ − A22⁻¹ among the genotyped. */
async function plainH(): Promise<{ h: Dense; g: Dense; genotyped: number[] }> {
  const a = plainA();
  const genotyped = [...Array.from({ length: 30 }, (_, i) => 30 + i), 70];
  const { kernels } = await panelKinship(
    { panel: blocksOf(panel), methods: ['vanraden1'], maf: 0.05, callRate: 0.9 },
    CONTEXT,
  );
  const raw = genotyped.map((_, i) => genotyped.map((__, j) => kernels.vanraden1!.data[i + 31 * j]!));
  const a22 = chosen(a, genotyped, genotyped);
  const diagonal = (m: Dense): number => mean(m.map((row, i) => row[i]!));
  const factor = (diagonal(a22) - mean(a22.flat())) / (diagonal(raw) - mean(raw.flat()));
  const shift = mean(a22.flat()) - factor * mean(raw.flat());
  const g = raw.map((row, i) => row.map((value, j) => 0.95 * (shift + factor * value) + 0.05 * a22[i]![j]!));
  const block = added(inverse(g), inverse(a22), -1);
  const hInverse = inverse(a);
  for (const [k, i] of genotyped.entries()) for (const [l, j] of genotyped.entries()) hInverse[i]![j]! += block[k]![l]!;
  return { h: inverse(hInverse), g: raw, genotyped };
}

test('GEBVs and reliabilities are those of the dense mixed model equations with H, to 1e-8', async () => {
  const model = await trainModel(input, CONTEXT);
  const fit = model.traits[0]!.fit!;
  expect(model.kinshipFrom).toBe('pedigree');
  expect(model.singleStep).toMatchObject({ genotyped: 31, without_pedigree: 1, left_out: 0, pedigree_weight: 0.05 });
  expect(model.individuals).toHaveLength(71);
  expect(fit.n).toBe(phenotyped.length);
  const { h } = await plainH();
  const place = (name: string): number => (name === 'Stranger' ? 70 : names.indexOf(name));
  const observed = phenotyped.map(place);
  const { additive, residual } = fit.variance;
  expect(additive).toBeGreaterThan(0.01);
  const v = chosen(h, observed, observed).map((row, i) =>
    row.map((value, j) => additive * value + (i === j ? residual : 0)),
  );
  const vInverse = inverse(v);
  const ones = observed.map(() => [1]);
  const xv = product(turned(ones), vInverse);
  const information = product(xv, ones)[0]![0]!;
  const intercept = product(xv, turned([Array.from(y)]))[0]![0]! / information;
  const p = added(vInverse, product(turned(xv), xv), -1 / information);
  const weights = product(vInverse, turned([Array.from(y, (value) => value - intercept)]));
  const everybody = chosen(h, [...h.keys()], observed);
  const u = product(everybody, weights);
  const explained = product(product(everybody, p), turned(everybody));
  for (const [i, name] of model.individuals.entries()) {
    const row = place(name);
    expect(Math.abs(fit.gebv[i]! - intercept - additive * u[row]![0]!), name).toBeLessThan(1e-8);
    expect(Math.abs(fit.reliability[i]! - (additive * explained[row]![row]!) / h[row]![row]!), name).toBeLessThan(1e-8);
  }
  // A candidate without genotype and phenotype has a value of its own.
  const candidate = model.individuals.indexOf('P69');
  expect(small.samples).not.toContain('P69');
  expect(phenotyped).not.toContain('P69');
  expect(fit.reliability[candidate]).toBeGreaterThan(0.01);
});

test('marker effects carry the part of a breeding value that markers explain, and survive the file', async () => {
  const model = parseModelJson(modelJson(await trainModel(input, CONTEXT)));
  const fit = model.traits[0]!.fit!;
  expect(model.singleStep).toBeDefined();
  const { traits } = await predict({ model, panel, training: panel }, CONTEXT);
  const byMarkers = Array.from(traits[0]!.gebv);
  const whole = Array.from(fit.gebv.subarray(0, 31));
  const centred = (values: number[]): number[] => values.map((value) => value - mean(values));
  const [a, b] = [centred(byMarkers), centred(whole)];
  const dot = (c: number[], d: number[]): number => c.reduce((sum, value, i) => sum + value * d[i]!, 0);
  expect(dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))).toBeGreaterThan(0.98);
  // The pedigree's share is missing from its value, so that the reliability of training does not belong to it.
  expect(traits[0]!.reliability[0]).toBeNaN();
});

test('neither the order of the rows nor an unrelated founder changes a value', async () => {
  const order = createRandomStream(5, 'rows').shuffle(Int32Array.from(names.keys()));
  const rowOf = new Map(Array.from(order, (i, row) => [i, row]));
  const renumbered = (parent: number): number => rowOf.get(parent) ?? -1;
  const permuted: PedigreeTable = {
    names: [...Array.from(order, (i) => names[i]!), 'Nobody'],
    maternal: Int32Array.from([...Array.from(order, (i) => renumbered(table.maternal[i]!)), -1]),
    paternal: Int32Array.from([...Array.from(order, (i) => renumbered(table.paternal[i]!)), -1]),
    selfings: new Float64Array(71),
    collections: Array.from({ length: 71 }, () => null),
    origins: Array.from({ length: 71 }, () => 'row'),
  };
  const one = await trainModel(input, CONTEXT);
  const other = await trainModel({ ...input, pedigree: permuted }, CONTEXT);
  const valueIn = (model: typeof one, name: string): number =>
    model.traits[0]!.fit!.gebv[model.individuals.indexOf(name)]!;
  for (const name of one.individuals) expect(valueIn(other, name)).toBeCloseTo(valueIn(one, name), 6);
  expect(valueIn(other, 'Nobody')).toBeCloseTo(
    other.traits[0]!.fit!.fixedEffects[0]?.estimate ?? valueIn(other, 'Nobody'),
  );
});

test('cross-validation predicts phenotyped individuals without genotype too', async () => {
  const [result] = await evaluateModels({ ...input, nFold: 4, nRepetition: 2, seed: 3 }, CONTEXT);
  expect(result!.error).toBeNull();
  expect(result!.evaluation!.n).toBe(phenotyped.length);
  expect(new Set(result!.evaluation!.points.map(({ individual }) => individual))).toEqual(new Set(phenotyped));
});

test.each([
  [{ dominance: true }, 'models/kinship-with-dominance'],
  [{ principalComponents: 2 }, 'models/pedigree-with-components'],
  [{ kinshipTable: { individuals: ['P30'], values: Float64Array.of(1) } }, 'models/kinship-with-pedigree'],
  [{ pedigree: { ...table, names: names.map((name) => `other ${name}`) } }, 'models/nothing-in-pedigree'],
])('%o is refused: %s', async (change, code) => {
  await expect(trainModel({ ...input, ...change }, CONTEXT)).rejects.toMatchObject({ code });
});
