// Metamorphic tests: each change of the input leaves every marker's results unchanged, or transforms them in a known
// way.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memorySource } from '@heterosis/file-formats/byte-source';
import type { KinshipTable } from '@heterosis/file-formats/tables/kinship/read-kinship-table';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGenotype } from '../genotype/import-genotype.ts';
import { openPanelBlocks } from '../inputs/open-panel.ts';
import { panelKinship } from '../inputs/panel-kinship.ts';
import { readPhenotype } from '../inputs/read-phenotype.ts';
import { CONTEXT } from '../maize.test-data.ts';
import { type GwasRun, runGwas } from './gwas-in-one-piece.test-data.ts';
import type { GwasInput } from './gwas-state.ts';

interface Marker {
  id: string;
  chromosome: string;
  position: number;
  alleles: [string, string];
  /** Copies of the second allele; null is missing. */
  dosages: (number | null)[];
}

/** A panel and its phenotypes, as they appear in files. */
interface World {
  individuals: string[];
  markers: Marker[];
  /** Lines of the phenotype file without the header. */
  phenotypes: string[];
}

const HEADER = 'id,yield,age,family';

/** Two families of plants, with missing values everywhere. */
function world(): World {
  const random = createRandomStream(2026, 'gwas-metamorphic');
  const n = 44;
  const individuals = Array.from({ length: n }, (_, i) => `line ${i + 1}`);
  const y = individuals.map((_, i) => (i % 3) + 2 * random.normal());
  const markers = Array.from({ length: 60 }, (_, j): Marker => {
    const p = 0.25 + 0.5 * random.uniform();
    const effect = j % 9 === 0 ? 1.2 : 0.2 * random.normal();
    const dosages = individuals.map((_name, i) => {
      const frequency = Math.min(0.9, Math.max(0.1, p + (i % 2 === 0 ? 0.12 : -0.12)));
      const dosage = Number(random.uniform() < frequency) + Number(random.uniform() < frequency);
      y[i] = (y[i] ?? 0) + effect * dosage + (j === 18 && dosage === 1 ? 1.5 : 0);
      return random.uniform() < 0.03 ? null : dosage;
    });
    return {
      id: `m${j}`,
      chromosome: String(1 + Math.floor(j / 20)),
      position: 1000 * (j + 1),
      alleles: ['A', 'C'],
      dosages,
    };
  });
  const phenotypes = individuals.map((name, i) => {
    const cell = i === 7 ? 'NA' : y[i]?.toFixed(6);
    return `${name},${cell},${i === 11 ? 'NA' : (20 + 5 * random.uniform()).toFixed(3)},${['north', 'south', 'east'][i % 3]}`;
  });
  return { individuals, markers, phenotypes };
}

const tabbed = (rows: (string | number)[][]): string => rows.map((row) => `${row.join('\t')}\n`).join('');

function vcf({ individuals, markers }: World): string {
  const calls = ['0/0', '0/1', '1/1'];
  const head = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...individuals];
  const rows = markers.map(({ id, chromosome, position, alleles, dosages }) => [
    ...[chromosome, position, id, ...alleles, '.', '.', '.', 'GT'],
    ...dosages.map((dosage) => (dosage === null ? './.' : (calls[dosage] ?? ''))),
  ]);
  return `##fileformat=VCFv4.3\n${tabbed([head, ...rows])}`;
}

function hapMap({ individuals, markers }: World): string {
  const head = 'rs# alleles chrom pos strand assembly# center protLSID assayLSID panelLSID QCcode'.split(' ');
  const rows = markers.map(({ id, chromosome, position, alleles: [a, b], dosages }) => [
    ...[id, `${a}/${b}`, chromosome, position, '+', ...Array.from({ length: 6 }, () => 'NA')],
    ...dosages.map((dosage) => (dosage === null ? 'NN' : ([a + a, a + b, b + b][dosage] ?? ''))),
  ]);
  return tabbed([[...head, ...individuals], ...rows]);
}

function matrix({ individuals, markers }: World): string {
  const rows = individuals.map((name, i) => [name, ...markers.map(({ dosages }) => dosages[i] ?? 'NA')]);
  return [['id', ...markers.map(({ id }) => id)], ...rows].map((row) => `${row.join(',')}\n`).join('');
}

let folder: string;
let panels = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gwas-metamorphic-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Settings extends Partial<Omit<GwasInput, 'panel' | 'phenotype'>> {
  name?: string;
  text?: string;
  header?: string;
}

/** Imports a panel from the text of a file, and runs the GWAS on its phenotypes. */
async function run(
  data: World,
  { name = 'panel.vcf', text = vcf(data), header = HEADER, ...input }: Settings,
): Promise<GwasRun & { ids: string[] }> {
  const outPrefix = join(folder, `panel-${panels++}`);
  const imported = await importGenotype(
    { source: memorySource(Buffer.from(text), name), outPrefix, withQc: false },
    CONTEXT,
  );
  if (imported.panel === null) throw new Error(imported.report.problems.map(({ message }) => message).join('; '));
  const panel = await openPanelBlocks(outPrefix);
  try {
    const csv = `${[header, ...data.phenotypes].join('\n')}\n`;
    const { table } = await readPhenotype(memorySource(Buffer.from(csv), 'phenotypes.csv'), CONTEXT);
    const [found] = await runGwas(
      {
        ...{
          panel,
          phenotype: table!,
          traits: ['yield'],
          test: 'WALD',
          fixed: 2,
          dominance: true,
          countEffective: true,
        },
        ...{ covariates: ['age', 'family'], ...input },
      },
      CONTEXT,
    );
    return { ...found!, ids: (await panel.readMarkers(0, panel.markerCount)).id };
  } finally {
    await panel.close();
  }
}

/** Effect of a change on the figures of a marker. */
interface Turn {
  /** Factor of effects, additive and dominance, and of their standard errors. */
  effect?: number;
  dominance?: number;
  frequency?: (p: number) => number;
}

const TOLERANCE = 1e-7;

/** Asserts that each marker of `before` has the expected transformed results in `after`. */
function expectTurned(
  after: Awaited<ReturnType<typeof run>>,
  before: Awaited<ReturnType<typeof run>>,
  turn: Turn = {},
): void {
  const { effect = 1, dominance = Math.abs(effect), frequency = (p: number) => p } = turn;
  const [a, b] = [after.result!.columns, before.result!.columns];
  const placeOf = new Map(Array.from(a.markerIndex, (place, j) => [after.ids[place], j]));
  let worst = 0;
  const compare = (actual: number, expected: number, scale: number): void => {
    if (Number.isNaN(expected) && Number.isNaN(actual)) return;
    const difference = Math.abs(actual - expected) / Math.max(scale, Math.abs(expected));
    if (!(difference <= worst)) worst = difference;
  };
  expect(b.p.length).toBeGreaterThan(50);
  for (let j = 0; j < b.p.length; j++) {
    const k = placeOf.get(before.ids[b.markerIndex[j]!]) ?? -1;
    compare(a.freqA2[k]!, frequency(b.freqA2[j]!), 1);
    compare(a.statistic[k]!, b.statistic[j]!, 1);
    compare(a.negLog10P[k]!, b.negLog10P[j]!, 1);
    compare(a.h2[k]!, b.h2[j]!, 1);
    compare(a.beta[k]! / a.sd[k]!, (Math.sign(effect) * b.beta[j]!) / b.sd[j]!, 1);
    compare(a.sd[k]!, Math.abs(effect) * b.sd[j]!, 0);
    compare(a.domEffect[k]! / a.domSe[k]!, (Math.sign(dominance) * b.domEffect[j]!) / b.domSe[j]!, 1);
    compare(a.domSe[k]!, Math.abs(dominance) * b.domSe[j]!, 0);
    compare(a.domP[k]!, b.domP[j]!, 1);
    expect(a.atBound[k]).toBe(b.atBound[j]);
  }
  expect(worst).toBeLessThan(TOLERANCE);
  const [s, t] = [after.result!.summary, before.result!.summary];
  for (const key of ['lambda', 'h2', 'h2Se', 'kinshipPve', 'kinshipPveSe'] as const) {
    expect(Math.abs((s[key] ?? -1) - (t[key] ?? -1)), key).toBeLessThan(1e-6);
  }
  expect([s.n, s.withoutCovariate, s.atBound]).toEqual([t.n, t.withoutCovariate, t.atBound]);
}

describe.each(['SCORE', 'WALD', 'LRT'] as const)('%s', (kind) => {
  const data = world();
  const shuffle = <T>(items: readonly T[], seed: number): T[] => {
    const order = createRandomStream(seed).shuffle(Int32Array.from(items.keys()));
    return Array.from(order, (i) => items[i]!);
  };
  let before: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    before = await run(data, { test: kind });
  });

  test('individuals in another order', async () => {
    const order = shuffle([...data.individuals.keys()], 1);
    const markers = data.markers.map((marker) => ({ ...marker, dosages: order.map((i) => marker.dosages[i] ?? null) }));
    const turned = {
      individuals: order.map((i) => data.individuals[i]!),
      markers,
      phenotypes: shuffle(data.phenotypes, 2),
    };
    expectTurned(await run(turned, { test: kind }), before);
  });

  test('markers in another order, and chromosomes under other names', async () => {
    const names = new Map([
      ['1', 'chr7B'],
      ['2', 'scaffold_12'],
      ['3', 'X'],
    ]);
    const renamed = data.markers.map((marker) => ({ ...marker, chromosome: names.get(marker.chromosome) ?? '' }));
    const after = await run({ ...data, markers: shuffle(renamed, 3) }, { test: kind });
    expectTurned(after, before);
    expect(after.result!.summary.effectiveTests!.tests).toBeCloseTo(before.result!.summary.effectiveTests!.tests, 7);
  });

  test('alleles exchanged: the effect turns round, the dominance deviation does not', async () => {
    const markers = data.markers.map((marker) => ({
      ...marker,
      alleles: [marker.alleles[1], marker.alleles[0]] as [string, string],
      dosages: marker.dosages.map((dosage) => (dosage === null ? null : 2 - dosage)),
    }));
    const after = await run({ ...data, markers }, { test: kind });
    expectTurned(after, before, { effect: -1, frequency: (p) => 1 - p });
  });

  test.each([
    [1000, 0],
    [-0.01, 5e4],
  ])('the trait times %d plus %d', async (factor, shift) => {
    const phenotypes = data.phenotypes.map((line) => {
      const [name, value, ...rest] = line.split(',');
      return [name, value === 'NA' ? value : String(factor * Number(value) + shift), ...rest].join(',');
    });
    expectTurned(await run({ ...data, phenotypes }, { test: kind }), before, { effect: factor, dominance: factor });
  });

  test('an individual without phenotype, one without covariate, and a monomorphic marker more', async () => {
    const random = createRandomStream(4);
    const markers = data.markers.map((marker) => ({
      ...marker,
      dosages: [...marker.dosages, Math.floor(3 * random.uniform()), Math.floor(3 * random.uniform())],
    }));
    const extra: Marker = { ...markers[0]!, id: 'same', position: 500, dosages: markers[0]!.dosages.map(() => 0) };
    const individuals = [...data.individuals, 'stranger', 'ageless'];
    const phenotypes = [...data.phenotypes, 'ageless,3,NA,north'];
    const after = await run({ individuals, markers: [extra, ...markers], phenotypes }, { test: kind });
    const { summary } = after.result!;
    expect(summary.withoutCovariate).toBe(before.result!.summary.withoutCovariate + 1);
    summary.withoutCovariate--;
    expectTurned(after, before);
    expect(summary.effectiveTests!.tests).toBeCloseTo(before.result!.summary.effectiveTests!.tests, 7);
  });

  test('with a kinship of its own, a copy of a marker is the same marker and changes no other', async () => {
    const kinship = await kinshipOf(data);
    const copy = { ...data.markers[30]!, id: 'copy', position: data.markers[30]!.position + 1 };
    const one = await run(data, { test: kind, kinship });
    const two = await run({ ...data, markers: data.markers.toSpliced(31, 0, copy) }, { test: kind, kinship });
    const { markerIndex, statistic, atBound } = two.result!.columns;
    const [original, added] = ['m30', 'copy'].map((id) => markerIndex.indexOf(two.ids.indexOf(id)));
    expect(statistic[added!]).toBeCloseTo(statistic[original!]!, 9);
    two.result!.summary.atBound -= atBound[added!]!;
    two.result!.summary.lambda = one.result!.summary.lambda;
    expectTurned(two, one);
  });

  test('the same calls from HapMap and from a matrix of numbers', async () => {
    expectTurned(await run(data, { test: kind, name: 'panel.hmp.txt', text: hapMap(data) }), before);
    expectTurned(await run(data, { test: kind, name: 'panel.csv', text: matrix(data) }), before);
  });

  test('groups in other words, and a covariate in other units', async () => {
    const words = new Map([
      ['north', 'c'],
      ['south', 'a'],
      ['east', 'b'],
    ]);
    const phenotypes = data.phenotypes.map((line) => {
      const [name, value, age, family = ''] = line.split(',');
      return [name, value, age === 'NA' ? age : -100 * Number(age) + 7, words.get(family)].join(',');
    });
    expectTurned(await run({ ...data, phenotypes }, { test: kind }), before);
  });
});

/** The standardized kinship of all individuals, as a table. */
async function kinshipOf(data: World): Promise<KinshipTable> {
  const outPrefix = join(folder, `panel-${panels++}`);
  await importGenotype(
    { source: memorySource(Buffer.from(vcf(data)), 'panel.vcf'), outPrefix, withQc: false },
    CONTEXT,
  );
  const panel = await openPanelBlocks(outPrefix);
  try {
    const { kernels } = await panelKinship({ panel, methods: ['standardized'], maf: 0.05, callRate: 0.9 }, CONTEXT);
    return { individuals: data.individuals, values: kernels.standardized!.data };
  } finally {
    await panel.close();
  }
}
