import { memorySource } from '@heterosis/file-formats/byte-source';
import { type KinshipTable, readKinshipTable } from '@heterosis/file-formats/tables/kinship/read-kinship-table';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kinshipCsv, panelKinship } from '../inputs/panel-kinship.ts';
import { CONTEXT, type ImportedPanel, importText, maizePhenotype, maizeVcf } from '../maize.test-data.ts';
import type { GwasColumns } from './gwas-columns.ts';
import { type GwasRun, runGwas } from './gwas-in-one-piece.test-data.ts';
import type { GwasInput } from './gwas-state.ts';

let maize: ImportedPanel;
let phenotype: PhenotypeTable;
/** The kinship of the individuals with EarHT, in file form. */
let file: KinshipTable;

beforeAll(async () => {
  // A tenth of the markers is enough here.
  const lines = maizeVcf().trimEnd().split('\n');
  maize = await importText(`${lines.filter((line, i) => line.startsWith('#') || i % 10 === 0).join('\n')}\n`);
  phenotype = await maizePhenotype();
  const { individuals } = (await run({})).result!.state;
  const { kernels } = await panelKinship(
    { panel: maize.blocks, methods: ['standardized'], maf: 0.05, callRate: 0.9, individuals },
    CONTEXT,
  );
  const names = Array.from(individuals, (i) => maize.blocks.samples[i]!);
  const text = Buffer.concat([...kinshipCsv(names, kernels.standardized!.data)]);
  file = (await readKinshipTable(memorySource(text, 'k.csv'))).table!;
});
afterAll(async () => {
  await maize[Symbol.asyncDispose]();
});

async function run(change: Partial<GwasInput>): Promise<GwasRun> {
  const [first] = await runGwas(
    { panel: maize.blocks, phenotype, traits: ['EarHT'], test: 'WALD', ...change },
    CONTEXT,
  );
  return first!;
}

/** The same table with its individuals in another order. */
function reordered({ individuals, values }: KinshipTable, order: readonly number[]): KinshipTable {
  const n = individuals.length;
  return {
    individuals: order.map((i) => individuals[i]!),
    values: Float64Array.from({ length: order.length ** 2 }, (_, k) => {
      const [i, j] = [order[Math.floor(k / order.length)]!, order[k % order.length]!];
      return values[i * n + j]!;
    }),
  };
}

function expectSame(actual: GwasColumns, expected: GwasColumns, tolerance: number): void {
  expect(actual.markerIndex).toEqual(expected.markerIndex);
  for (const [j, value] of actual.negLog10P.entries()) {
    expect(Math.abs(value - expected.negLog10P[j]!)).toBeLessThan(tolerance * (1 + value));
  }
}

test('the kinship of the markers gives the same tests from a file, in whatever order and spelling it names individuals', async () => {
  const turned = reordered(file, [...file.individuals.keys()].reverse());
  turned.individuals = turned.individuals.map((name) => ` ${name.toLowerCase()}`);
  for (const test of ['SCORE', 'WALD', 'LRT'] as const) {
    const [markers, own] = [await run({ test, fixed: 2 }), await run({ test, fixed: 2, kinship: turned })];
    expectSame(own.result!.columns, markers.result!.columns, 1e-8);
    expect(own.result!.state.ownKinship).toEqual({ without: [0], addedToDiagonal: 0 });
    expect(own.result!.state.m).toBe(markers.result!.state.m);
  }
});

test('individuals without kinship are left out as if they had no value of the trait', async () => {
  const order = [...file.individuals.keys()].filter((i) => i % 7 !== 0);
  const few = reordered(file, order);
  const cut = {
    ...phenotype,
    values: phenotype.values.map((column) =>
      column.map((value, i) => (few.individuals.includes(phenotype.individuals[i]!) ? value : Number.NaN)),
    ),
  };
  const own = (await run({ kinship: few })).result!;
  expect(own.state.ownKinship?.without).toEqual([file.individuals.length - order.length]);
  expect(own.state.model.n).toBe(order.length);
  expectSame(own.columns, (await run({ kinship: file, phenotype: cut })).result!.columns, 1e-12);
});

test('another kinship gives other tests, and its scale changes none', async () => {
  const squared = {
    ...file,
    values: file.values.map((value, k) => (k % (file.individuals.length + 1) === 0 ? value + 1 : value)),
  };
  const identity = { ...file, values: file.values.map((_, k) => Number(k % (file.individuals.length + 1) === 0)) };
  const one = (await run({ kinship: file })).result!.columns;
  const doubled = (await run({ kinship: { ...file, values: file.values.map((value) => 2 * value) } })).result!.columns;
  expectSame(doubled, one, 1e-6);
  // K + I only moves variance from σ²g to σ²e.
  expectSame(
    (await run({ kinship: squared, test: 'SCORE' })).result!.columns,
    (await run({ kinship: file, test: 'SCORE' })).result!.columns,
    1e-6,
  );
  const plain = (await run({ kinship: identity })).result!.columns;
  expect(plain.negLog10P).not.toEqual(one.negLog10P);
});

test('a matrix that is no covariance and one of other material are refused', async () => {
  const values = file.values.map((value, k) => (k % (file.individuals.length + 1) === 0 ? 0 : value));
  expect((await run({ kinship: { ...file, values } })).error).toMatchObject({
    code: 'analysis/not-positive-semidefinite',
  });
  const strangers = { ...file, individuals: file.individuals.map((_, i) => `x${i}x`) };
  await expect(run({ kinship: strangers })).rejects.toMatchObject({ code: 'match/nothing-in-common' });
  const few = reordered(file, [0, 1, 2]);
  expect((await run({ kinship: few })).error).toMatchObject({ code: 'analysis/too-few-individuals' });
});
