import type { GroupColumn, PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alignCovariates, codeLikeColumns, codeLikeCovariates, requireCovariates } from '../inputs/covariates.ts';
import { CONTEXT, type ImportedPanel, importText, maizePhenotype, maizeVcf, mapMarkers } from '../maize.test-data.ts';
import { runGwas, summarized } from './gwas-in-one-piece.test-data.ts';
import type { GwasInput } from './gwas-state.ts';
import { summaryOf } from './summarize-gwas.ts';

let maize: ImportedPanel;
let phenotype: PhenotypeTable;

beforeAll(async () => {
  // Runs are compared with each other: a third of the markers shows it.
  maize = await importText(mapMarkers(maizeVcf(), (fields, j) => (j % 3 === 0 ? fields : null)));
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

/** The maize phenotypes with categorical columns. */
function withGroups(columns: Record<string, (string | null)[]>): PhenotypeTable {
  const groups = Object.entries(columns).map(([name, cells]): GroupColumn => {
    const words = [...new Set(cells)].flatMap((cell) => (cell === null ? [] : [cell])).sort();
    const codes = Int32Array.from(cells, (cell) => (cell === null ? -1 : words.indexOf(cell)));
    return { name, origin: 'trait', groups: words, codes, conflict: null, hasTooMany: false };
  });
  return { ...phenotype, groups };
}

const byRow = (word: (i: number) => string | null): (string | null)[] => phenotype.individuals.map((_, i) => word(i));

function expectClose(actual: Float64Array, expected: Float64Array): void {
  expect(actual.length).toBe(expected.length);
  for (const [j, value] of actual.entries()) {
    expect(Math.abs(value - expected[j]!)).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(expected[j]!)));
  }
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

test('tests given a marker are those with its dosages as a covariate, and it has none of its own', async () => {
  const plain = await run({});
  const name = (await maize.blocks.readMarkers(plain.result!.summary.top!, 1)).id[0]!;
  const dosages = new Float64Array(phenotype.individuals.length).fill(Number.NaN);
  const packed = await maize.blocks.readPacked(plain.result!.summary.top!, 1);
  const rows = new Map(phenotype.individuals.map((individual, i) => [individual, i]));
  for (const [k, sample] of maize.blocks.samples.entries()) {
    const row = rows.get(sample);
    const copies = [0, Number.NaN, 1, 2][(packed[k >> 2]! >> (2 * (k & 3))) & 3]!;
    if (row !== undefined) dosages[row] = copies;
  }
  const analysed = plain.result!.state.individuals;
  const called = [...analysed]
    .map((i) => dosages[rows.get(maize.blocks.samples[i]!)!]!)
    .filter((d) => !Number.isNaN(d));
  const mean = called.reduce((sum, one) => sum + one, 0) / called.length;
  const imputed = dosages.map((value) => (Number.isNaN(value) ? mean : value));
  // LRT fits each marker again: SCORE shows the same null models.
  const test = 'SCORE';
  for (const change of [{}, { leaveOneChromosomeOut: true, test }, { engine: 'markers', test }] as const) {
    const given = await run({ ...change, conditionOn: [name] });
    const covered = await run({ ...change, phenotype: withColumns({ imputed }), covariates: ['imputed'] });
    expectClose(given.result!.columns.statistic, covered.result!.columns.statistic);
    expect(given.result!.columns.markerIndex).toEqual(covered.result!.columns.markerIndex);
    expect(given.result!.columns.markerIndex).not.toContain(plain.result!.summary.top);
    expect(given.result!.summary).toMatchObject({ covariates: [], conditionedOn: [{ name, use: 'used' }] });
  }
  const twice = await run({ phenotype: withColumns({ imputed }), covariates: ['imputed'], conditionOn: [name] });
  expect(twice.result!.summary.conditionedOn).toEqual([{ name, use: 'explained' }]);
  await expect(run({ conditionOn: ['nowhere'] })).resolves.toMatchObject({ error: { code: 'gwas/unknown-condition' } });
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
    expect(summaryOf(summarized(result!.columns), result!.state).withoutCovariate).toBe(
      result!.summary.withoutCovariate,
    );
  }
});

test.each([
  [['dpol'], 'gwas/unknown-covariate', 'Did you mean "dpoll"?'],
  [['soil'], 'gwas/unknown-covariate', 'EarHT, dpoll, EarDia, origin'],
  [['earht'], 'gwas/covariate-is-trait', 'Leave it out'],
  [['Twice'], 'gwas/covariate-varies', 'Give all rows of an individual the same group'],
  [['year'], 'gwas/covariate-varies', 'adjusted for their environment'],
  [['notes'], 'gwas/too-many-groups', 'few groups'],
])('covariates %j are refused with %s', async (covariates, code, suggestion) => {
  const table = withGroups({ origin: byRow((i) => `g${i % 3}`) });
  const none = { groups: [], codes: new Int32Array(), conflict: null, hasTooMany: false };
  const conflict: GroupColumn['conflict'] = { individual: 'B73', groups: ['a', 'b'] };
  table.groups.push({ ...none, name: 'twice', origin: 'trait', conflict });
  table.groups.push({ ...none, name: 'Year', origin: 'design', conflict });
  table.groups.push({ ...none, name: 'notes', origin: 'trait', hasTooMany: true });
  await expect(run({ phenotype: table, covariates })).rejects.toMatchObject({
    code,
    suggestion: expect.stringContaining(suggestion),
  });
});

describe('groups', () => {
  const FOUR = ['flint', 'dent', 'sweet', 'pop'];
  const four = (i: number): string => FOUR[(i * i + (i >> 2)) % 4]!;

  test.each(['LRT', 'WALD', 'SCORE'] as const)(
    'are the columns of 0 and 1 that one would write by hand: %s',
    async (kind) => {
      const covariates = ['dpoll', 'group'];
      const grouped = await run({ phenotype: withGroups({ group: byRow(four) }), covariates, test: kind, fixed: 2 });
      const dummy = (word: string) => Float64Array.from(phenotype.individuals, (_, i) => Number(four(i) === word));
      const byHand = await run({
        phenotype: withColumns({ flint: dummy('flint'), pop: dummy('pop'), sweet: dummy('sweet') }),
        covariates: ['dpoll', 'flint', 'pop', 'sweet'],
        test: kind,
        fixed: 2,
      });
      expect(grouped.result!.columns).toEqual(byHand.result!.columns);
      expect(grouped.result!.state.model.fixed).toBe(1 + 2 + 1 + 3);
      expect(grouped.result!.summary.covariates[1]).toEqual({
        name: 'group',
        use: 'used',
        groups: { count: 4, reference: 'dent', alone: [], explained: [] },
      });
    },
  );

  test.each(['LRT', 'WALD', 'SCORE'] as const)(
    'give the same statistics whichever is the reference: %s',
    async (kind) => {
      const first = await run({ phenotype: withGroups({ group: byRow(four) }), covariates: ['group'], test: kind });
      for (const reference of ['flint', 'sweet', 'pop']) {
        const renamed = byRow((i) => (four(i) === reference ? `a ${reference}` : `b ${four(i)}`));
        const other = await run({ phenotype: withGroups({ group: renamed }), covariates: ['group'], test: kind });
        expect(other.result!.summary.covariates[0]!.groups!.reference).toBe(`a ${reference}`);
        expectClose(other.result!.columns.statistic, first.result!.columns.statistic);
        expectClose(other.result!.columns.beta, first.result!.columns.beta);
        expectClose(other.result!.columns.h2, first.result!.columns.h2);
      }
    },
  );

  test('individuals without a group are left out and counted, and so are groups that nobody analysed is in', async () => {
    const trait = columnOf('EarHT');
    const cells = byRow((i) => (i % 10 === 0 ? null : Number.isNaN(trait[i]!) ? 'unmeasured' : four(i)));
    const { result } = await run({ phenotype: withGroups({ cells }), covariates: ['cells'] });
    const { summary } = result!;
    expect(summary.n + summary.withoutCovariate).toBe(279);
    expect(summary.withoutCovariate).toBeGreaterThan(20);
    expect(summary.covariates[0]).toMatchObject({ use: 'used', groups: { count: 4 } });
  });

  test('of one individual are named', async () => {
    const at = phenotype.individuals.indexOf('B73');
    const group = byRow((i) => (i === at ? 'only' : four(i)));
    const { result } = await run({ phenotype: withGroups({ group }), covariates: ['group'], test: 'SCORE' });
    expect(result!.summary.covariates[0]!.groups).toMatchObject({ count: 5, alone: ['only'] });
  });

  test('that follow from other groups are named and change nothing', async () => {
    const continent = byRow((i) => (['flint', 'dent'].includes(four(i)) ? 'north' : 'south'));
    const table = withGroups({ group: byRow(four), continent, same: byRow(() => 'x') });
    const few = await run({ phenotype: table, covariates: ['group'] });
    const more = await run({ phenotype: table, covariates: ['group', 'continent', 'same'] });
    const summary = more.result!.summary.covariates;
    expect(summary.map(({ name, use }) => [name, use])).toEqual([
      ['group', 'used'],
      ['continent', 'explained'],
      ['same', 'constant'],
    ]);
    expect(more.result!.columns.statistic).toEqual(few.result!.columns.statistic);
    const turned = await run({ phenotype: table, covariates: ['continent', 'group'] });
    expect(turned.result!.summary.covariates[1]).toMatchObject({ use: 'used', groups: { explained: ['sweet'] } });
    expectClose(turned.result!.columns.statistic, few.result!.columns.statistic);
  });

  test('too many for the individuals are the named reason, for the trait concerned only', async () => {
    const half = columnOf('dpoll').map((value, i) => (i % 9 === 0 ? value : Number.NaN));
    const table = { ...withColumns({ half }), groups: withGroups({ set: byRow((i) => `s${i % 40}`) }).groups };
    const input = { panel: maize.blocks, phenotype: table, test: 'SCORE', covariates: ['set'] } as const;
    const [whole, few] = await runGwas({ ...input, traits: ['EarHT', 'half'] }, CONTEXT);
    expect(whole!.result!.summary.covariates[0]!.groups!.count).toBe(40);
    expect(few!.error).toMatchObject({
      code: 'gwas/too-many-groups',
      message: expect.stringMatching(/"set" \(\d+ groups\).*fixed effects for \d+ individuals/),
      action: expect.stringContaining('put small groups together'),
    });
  });
});

test('a covariate that leaves too few individuals is the named reason', async () => {
  const rare = columnOf('dpoll').map((value, i) => (i < 8 ? value : Number.NaN));
  const { error } = await run({ phenotype: withColumns({ rare }), covariates: ['rare'] });
  expect(error).toMatchObject({ code: 'analysis/too-few-individuals', message: expect.stringContaining('"rare"') });
});

test.each([0, 9])(
  'a trait of %i individuals is refused with their number, before a kinship is computed',
  async (few) => {
    const rare = columnOf('EarHT').map((value, i) => (i < few ? value : Number.NaN));
    const { error } = await run({ phenotype: withColumns({ rare }), traits: ['rare'] });
    expect(error).toMatchObject({
      code: 'analysis/too-few-individuals',
      message: expect.stringMatching(/association test needs at least 10 individuals.*there are \d/),
    });
  },
);

test('a covariate that explains the trait completely is an error of that trait', async () => {
  const copy = columnOf('EarHT').map((value) => 5 - 2 * value);
  const { error } = await run({ phenotype: withColumns({ copy }), covariates: ['copy'] });
  expect(error).toMatchObject({ code: 'analysis/constant-trait', action: expect.stringContaining('covariate') });
});

describe('numbers that are codes', () => {
  const family = () => Float64Array.from(phenotype.individuals, (_, i) => 1 + ((7 * i) % 12));

  test('are a factor when that is asked for, the same as words', async () => {
    const words = await run({
      phenotype: withGroups({ family: byRow((i) => `f${1 + ((7 * i) % 12)}`) }),
      covariates: ['family'],
    });
    const codes = await run({
      phenotype: withColumns({ family: family() }),
      covariates: [{ name: 'Family', kind: 'factor' }],
    });
    expectClose(codes.result!.columns.statistic, words.result!.columns.statistic);
    expect(codes.result!.summary.covariates).toMatchObject([{ name: 'family', groups: { count: 12, reference: '1' } }]);
    const slope = await run({ phenotype: withColumns({ family: family() }), covariates: ['family'] });
    expect(slope.result!.summary.covariates).toEqual([{ name: 'family', use: 'used' }]);
    expect(slope.result!.columns.statistic).not.toEqual(codes.result!.columns.statistic);
  });

  test('are named while nobody has said what they are', () => {
    const table = withColumns({ family: family(), height: columnOf('EarHT') });
    expect(codeLikeColumns(table)).toContain('family');
    expect(codeLikeColumns(table)).not.toContain('height');
    expect(codeLikeCovariates(table, ['height', 'FAMILY'])).toEqual([
      { name: 'family', levels: 12, n: phenotype.individuals.length },
    ]);
    for (const kind of ['numeric', 'factor'] as const) {
      expect(codeLikeCovariates(table, [{ name: 'family', kind }])).toEqual([]);
    }
  });

  test('that are means of several rows are rounded, and refused where the rows differ', () => {
    const table = withColumns({ family: family().map((value) => value * (1 + 1e-15)) });
    table.reductions = table.reductions.map(() => 'adjusted mean' as const);
    const choices = [{ name: 'family', kind: 'factor' as const }];
    expect(alignCovariates(maize.blocks.samples, table, choices)[0]!.groups).toHaveLength(12);
    table.values.at(-1)![3] = 2.5;
    expect(() => requireCovariates(table, choices, [])).toThrow(
      expect.objectContaining({ code: 'gwas/covariate-varies' }),
    );
    const measured = withColumns({ dose: family().map((value) => 0.5 * value) });
    expect(requireCovariates(measured, [{ name: 'dose', kind: 'factor' }], [])).toEqual([
      { name: 'dose', kind: 'factor' },
    ]);
  });

  test('words are no numbers', () => {
    const table = withGroups({ origin: byRow((i) => `g${i % 3}`) });
    expect(() => requireCovariates(table, [{ name: 'origin', kind: 'numeric' }], [])).toThrow(
      expect.objectContaining({ code: 'gwas/covariate-not-numeric' }),
    );
    expect(requireCovariates(table, ['Origin', 'dpoll'], [])).toEqual([
      { name: 'origin', kind: 'factor' },
      { name: 'dpoll', kind: 'numeric' },
    ]);
  });
});
