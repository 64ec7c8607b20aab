import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memorySource } from '@heterosis/file-formats/byte-source';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crossAnalysis, crossesCsv, progenyRows, rankAllPairs } from './cross.ts';
import { type CrossingEffects, readEffects } from './crossing-effects.ts';
import { CONTEXT, type ImportedPanel, importText, swapAlleles } from './maize.test-data.ts';
import { readParentalHaplotypes } from './parental-haplotypes.ts';
import { openCrosses, openEffects, openLinkageMap } from './read-crossing-files.ts';

const FOLDER = fileURLToPath(new URL('../../statgen/reference/crossing-small/', import.meta.url));
const vcf = readFileSync(join(FOLDER, 'parents.vcf'), 'utf8');
let panel: ImportedPanel;
let effects: CrossingEffects;
let map: LinkageMap;

beforeAll(async () => {
  panel = await importText(vcf);
  effects = (await openEffects(join(FOLDER, 'effects.csv'), CONTEXT)).value;
  map = (await openLinkageMap(join(FOLDER, 'linkage_map.csv'), undefined, CONTEXT)).value;
});
afterAll(async () => {
  await panel[Symbol.asyncDispose]();
});

async function parentsOf(text: string, from: ImportedPanel = panel, names = from.panel.samples) {
  return readParentalHaplotypes({ panel: from.panel, original: memorySource(Buffer.from(text)), names }, CONTEXT);
}

const crosses = async () => (await openCrosses(join(FOLDER, 'crossing_table.csv'), panel.panel.samples, CONTEXT)).value;

test('the same figures come out when the parents count the other allele', async () => {
  const swappedText = swapAlleles(vcf);
  await using swapped = await importText(swappedText);
  const common = { effects, map, crosses: await crosses(), population: 'F2', simulate: false } as const;
  const plain = await crossAnalysis({ ...common, parents: await parentsOf(vcf) }, CONTEXT);
  const turned = await crossAnalysis({ ...common, parents: await parentsOf(swappedText, swapped) }, CONTEXT);
  expect(plain.report).toMatchObject({ effect_markers: 2000, shared: 2000, swapped: 0, unmapped: 0 });
  expect(turned.report).toMatchObject({ shared: 2000, swapped: 2000 });
  for (const [k, row] of plain.rows.entries()) {
    expect(turned.rows[k]!.mean).toBeCloseTo(row.mean, 10);
    expect(turned.rows[k]!.variance).toBeCloseTo(row.variance, 10);
  }
});

test('a cross has the same progeny whichever crosses stand beside it', async () => {
  const table = await crosses();
  const parents = await parentsOf(vcf);
  const progeny = async (chosen: typeof table) => {
    const values = new Map<string, Float64Array>();
    await crossAnalysis(
      {
        effects,
        map,
        parents,
        crosses: chosen,
        population: 'RIL',
        progeny: 30,
        seed: 5,
        onProgeny: (cross, simulated) => {
          values.set(cross.name, simulated);
        },
      },
      CONTEXT,
    );
    return values;
  };
  const all = await progeny(table);
  const some = await progeny([table[9]!, table[0]!]);
  expect([...some.keys()]).toEqual(['C010', 'C001']);
  expect(some.get('C010')).toEqual(all.get('C010'));
  expect(some.get('C001')).toEqual(all.get('C001'));
  expect([...progenyRows('C001', all.get('C001')!, 2)].map((row) => row[1]).at(-1)).toBe('C001-30');
});

test('markers that the map lacks are placed between their neighbours, or left out of the variance with their share', async () => {
  const keep = map.markerId.map((_, j) => j % 4 !== 1);
  const gappy: LinkageMap = {
    markerId: map.markerId.filter((_, j) => keep[j]),
    chromosome: map.chromosome.filter((_, j) => keep[j]),
    positionBp: map.positionBp.filter((_, j) => keep[j]!),
    positionCm: map.positionCm.filter((_, j) => keep[j]!),
  };
  const common = {
    effects,
    parents: await parentsOf(vcf),
    crosses: await crosses(),
    population: 'DH',
    simulate: false,
  } as const;
  const full = await crossAnalysis({ ...common, map }, CONTEXT);
  const placed = await crossAnalysis({ ...common, map: gappy }, CONTEXT);
  const dropped = await crossAnalysis({ ...common, map: gappy, missingMapMarkers: 'drop' }, CONTEXT);
  expect(placed.report).toMatchObject({ interpolated: 500, unmapped: 0 });
  expect(dropped.report).toMatchObject({ interpolated: 0, unmapped: 500 });
  expect(dropped.report.unmapped_variance_share).toBeGreaterThan(0.1);
  expect(dropped.report.unmapped_variance_share).toBeLessThan(0.5);
  for (const [k, row] of full.rows.entries()) {
    // Positions grow nearly in step with base pairs in this set.
    expect(Math.abs(placed.rows[k]!.variance / row.variance - 1)).toBeLessThan(0.02);
    expect(dropped.rows[k]!.mean).toBeCloseTo(row.mean, 10);
    expect(dropped.rows[k]!.variance).not.toBeCloseTo(row.variance, 3);
  }
});

test('low values can be the aim', async () => {
  const common = {
    effects,
    map,
    parents: await parentsOf(vcf),
    crosses: await crosses(),
    population: 'DH',
    simulate: false,
  } as const;
  const high = await crossAnalysis(common, CONTEXT);
  const low = await crossAnalysis(
    { ...common, selection: { direction: 'low', fraction: 0.1, accuracy: 0.5 } },
    CONTEXT,
  );
  for (const [k, row] of high.rows.entries()) {
    expect(low.rows[k]!.usefulness).toBeCloseTo(row.mean - 1.75498 * 0.5 * row.sd, 4);
    expect(low.rows[k]!.expected_best).toBeLessThan(row.mean);
    expect(row.expected_best).toBeCloseTo(row.mean + 3.24144 * row.sd, 4);
  }
  expect(high.correlations[0]!.values[0]).toBeCloseTo(1, 12);
  expect(Math.abs(high.correlations[0]!.values[1]!)).toBeLessThan(1);
});

test('all pairs of parents are ranked', async () => {
  const names = ['LINE001', 'LINE002', 'PLANT008'];
  const { rows } = rankAllPairs(
    { effects, map, parents: await parentsOf(vcf, panel, names), population: 'DH' },
    CONTEXT,
  );
  expect(rows.map(({ cross, trait }) => `${cross} ${trait}`)).toEqual([
    'LINE001_X_LINE002 yield',
    'LINE001_X_LINE002 height',
    'LINE001_X_PLANT008 yield',
    'LINE001_X_PLANT008 height',
    'LINE002_X_PLANT008 yield',
    'LINE002_X_PLANT008 height',
  ]);
  expect(rows[0]!.variance).toBeCloseTo(0.16889324, 7);
  expect([...crossesCsv(rows)].join('').split('\n')).toHaveLength(8);
});

test('missing calls of inbred parents take the commoner allele and are counted, too many are refused', async () => {
  const rowsOf = (calls: (marker: number) => string) =>
    `##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tA\tB\tC\n${Array.from({ length: 20 }, (_, j) => `1\t${j + 1}\tm${j}\tA\tG\t.\t.\t.\tGT\t${calls(j)}\n`).join('')}`;
  const few = rowsOf((j) => (j === 3 ? './.\t1/1\t1/1' : '0/0\t1/1\t0/0'));
  await using lines = await importText(few);
  const parents = await parentsOf(few, lines);
  expect([...parents.filledCalls]).toEqual([1, 0, 0]);
  expect([parents.parents[0]!.first[3], parents.parents[0]!.second[3], parents.parents[0]!.first[4]]).toEqual([
    1, 1, 0,
  ]);
  const many = rowsOf((j) => (j < 6 ? './.\t1/1\t1/1' : '0/0\t1/1\t0/0'));
  await using gaps = await importText(many);
  await expect(parentsOf(many, gaps)).rejects.toMatchObject({
    code: 'crossing/missing-calls',
    details: { parents: ['A'] },
  });
});

test('a table of effects is checked in one pass, with line and column', async () => {
  const read = (text: string) => readEffects(memorySource(Buffer.from(text), 'effects.csv'));
  const bad = await read('marker,effect_allele,yield_additive\nm1,G,0.5\nm2,A,high\nm1,G,1\n');
  expect(bad.effects).toBeNull();
  expect(bad.report.problems.map(({ code, line, column }) => [code, line, column])).toEqual([
    ['E-EF-NOT-NUMBER', 3, 'yield_additive (C)'],
    ['E-EF-DUP-MARKER', 4, 'marker (A)'],
  ]);
  const wrong = await read('marker,value\nm1,2\n');
  expect(wrong.report.totals.byCode).toEqual({ 'E-EF-COLUMNS': 1 });
  const good = await read('marker;effect_allele;yield_additive;yield_dominance;oil_additive\nm1;G;0,5;;1\n');
  expect(good.effects!.traits).toEqual([
    { name: 'yield', intercept: 0, additive: Float64Array.of(0.5), dominance: null },
    { name: 'oil', intercept: 0, additive: Float64Array.of(1), dominance: null },
  ]);
});

test('effects without a marker in common with the parents are refused', async () => {
  const strangers: CrossingEffects = {
    ...effects,
    markers: { ...effects.markers, id: effects.markers.id.map((id) => `other ${id}`) },
  };
  const input = {
    effects: strangers,
    map,
    parents: await parentsOf(vcf),
    crosses: await crosses(),
    population: 'DH',
  } as const;
  await expect(crossAnalysis(input, CONTEXT)).rejects.toMatchObject({ code: 'crossing/no-shared-markers' });
});
