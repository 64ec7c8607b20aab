import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype-table';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishGwas, summarized } from './finish-gwas.ts';
import type { GwasInput } from './gwas.ts';
import { runGwas } from './gwas-in-one-piece.test-data.ts';
import { CONTEXT, type ImportedPanel, importText, maizePhenotype, maizeVcf } from './maize.test-data.ts';

let maize: ImportedPanel;
let phenotype: PhenotypeTable;

beforeAll(async () => {
  maize = await importText(maizeVcf());
  phenotype = await maizePhenotype();
});
afterAll(async () => {
  await maize[Symbol.asyncDispose]();
});

const columnOf = (name: string): Float64Array => phenotype.values[phenotype.traits.findIndex((t) => t.name === name)]!;

/** The maize phenotypes with further columns. */
function withColumns(columns: Record<string, Float64Array>): PhenotypeTable {
  const names = Object.keys(columns);
  const numeric = { unit: null, ontologyId: null, kind: 'numeric' as const };
  return {
    ...phenotype,
    traits: [...phenotype.traits, ...names.map((name) => ({ name, ...numeric }))],
    values: [...phenotype.values, ...Object.values(columns)],
    observations: [...phenotype.observations, ...names.map(() => new Int32Array(phenotype.individuals.length))],
    reductions: [...phenotype.reductions, ...names.map(() => 'as given' as const)],
    h2: [...phenotype.h2, ...names.map(() => null)],
  };
}

async function run(change: Partial<GwasInput>) {
  const [first] = await runGwas({ panel: maize.blocks, phenotype, traits: ['EarHT'], test: 'LRT', ...change }, CONTEXT);
  return first!;
}

test('individuals without a covariate are left out and counted, as if they had no value of the trait', async () => {
  const lacking = columnOf('dpoll').map((value, i) => (i % 9 === 0 ? Number.NaN : value));
  const covered = await run({ phenotype: withColumns({ lacking }), covariates: ['lacking'] });
  const trait = columnOf('EarHT');
  const both = [...trait.keys()].filter((i) => !Number.isNaN(trait[i]!) && !Number.isNaN(lacking[i]!));
  const summary = covered.result!.summary;
  expect(summary.covariates).toEqual([{ name: 'lacking', use: 'used' }]);
  expect(summary.n).toBeLessThanOrEqual(both.length);
  expect(summary.n + summary.withoutCovariate).toBe(279);
  expect(summary.withoutCovariate).toBeGreaterThan(20);

  const cut = trait.map((value, i) => (Number.isNaN(lacking[i]!) ? Number.NaN : value));
  const alone = await run({ phenotype: withColumns({ cut, lacking }), traits: ['cut'], covariates: ['LACKING'] });
  expect(alone.result!.summary.withoutCovariate).toBe(0);
  expect(alone.result!.columns.statistic).toEqual(covered.result!.columns.statistic);
});

test('covariates that add nothing are named and change no test', async () => {
  const dpoll = columnOf('dpoll');
  const year = new Float64Array(dpoll.length).fill(2024);
  const table = withColumns({ year, double: dpoll.map((value) => 2 * value + 1) });
  const few = await run({ covariates: ['dpoll'] });
  const more = await run({ phenotype: table, covariates: ['year', 'dpoll', 'double', 'dpoll'] });
  expect(more.result!.summary.covariates).toEqual([
    { name: 'year', use: 'constant' },
    { name: 'dpoll', use: 'used' },
    { name: 'double', use: 'explained' },
  ]);
  expect(more.result!.columns.statistic).toEqual(few.result!.columns.statistic);
  expect(more.result!.columns.statistic).not.toEqual((await run({})).result!.columns.statistic);
});

test('several traits share their covariates, each with its own individuals', async () => {
  const half = columnOf('dpoll').map((value, i) => (i % 2 === 0 ? Number.NaN : value));
  const input = { panel: maize.blocks, test: 'SCORE', covariates: ['dpoll'] } as const;
  const table = withColumns({ half });
  const runs = await runGwas({ ...input, phenotype: table, traits: ['EarHT', 'EarDia'] }, CONTEXT);
  for (const { trait, result } of runs) {
    const alone = await run({ phenotype: table, traits: [trait], test: 'SCORE', covariates: ['dpoll'] });
    expect(result!.columns).toEqual(alone.result!.columns);
    expect(finishGwas(summarized(result!.columns), result!.state).withoutCovariate).toBe(
      result!.summary.withoutCovariate,
    );
  }
});

test.each([
  [['dpol'], 'gwas/unknown-covariate', 'Did you mean "dpoll"?'],
  [['soil'], 'gwas/unknown-covariate', 'EarHT, dpoll, EarDia'],
  [['earht'], 'gwas/covariate-is-trait', 'Leave it out'],
  [['sex'], 'gwas/text-covariate', '0 and 1'],
])('covariates %j are refused with %s', async (covariates, code, suggestion) => {
  const table = withColumns({ sex: new Float64Array(phenotype.individuals.length).fill(Number.NaN) });
  table.traits.at(-1)!.kind = 'categorical';
  await expect(run({ phenotype: table, covariates })).rejects.toMatchObject({
    code,
    suggestion: expect.stringContaining(suggestion),
  });
});

test('a covariate that leaves too few individuals is the named reason', async () => {
  const rare = columnOf('dpoll').map((value, i) => (i < 8 ? value : Number.NaN));
  const { error } = await run({ phenotype: withColumns({ rare }), covariates: ['rare'] });
  expect(error).toMatchObject({ code: 'analysis/too-few-individuals', message: expect.stringContaining('"rare"') });
});

test('a covariate that explains the trait completely is an error of that trait', async () => {
  const copy = columnOf('EarHT').map((value) => 5 - 2 * value);
  const { error } = await run({ phenotype: withColumns({ copy }), covariates: ['copy'] });
  expect(error).toMatchObject({ code: 'analysis/constant-trait', action: expect.stringContaining('covariate') });
});
