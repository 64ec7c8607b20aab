import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { readCrossingTable } from '@heterosis/file-formats/tables/crossing-table/read-crossing-table';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import { transgressionProbability } from '@heterosis/statgen/crossing/cross-criteria';
import { POPULATIONS, type Population } from '@heterosis/statgen/crossing/population';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONTEXT, type ImportedPanel, importText, swapAlleles } from '../maize.test-data.ts';
import { crossesCsv, progenyRows } from './crosses-csv.ts';
import { type CrossingEffects, readEffects } from './crossing-effects.ts';
import { evaluateCrosses } from './evaluate-crosses.ts';
import { readParentalHaplotypes } from './parental-haplotypes.ts';
import { progenyVcf } from './progeny-vcf.ts';
import { rankAllPairs } from './rank-all-pairs.ts';
import { openCrosses, openEffects, openLinkageMap } from './read-crossing-files.ts';

const FOLDER = fileURLToPath(new URL('../../../statgen/reference/crossing-small/', import.meta.url));
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
  const plain = await evaluateCrosses({ ...common, parents: await parentsOf(vcf) }, CONTEXT);
  const turned = await evaluateCrosses({ ...common, parents: await parentsOf(swappedText, swapped) }, CONTEXT);
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
    await evaluateCrosses(
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
  const full = await evaluateCrosses({ ...common, map }, CONTEXT);
  const placed = await evaluateCrosses({ ...common, map: gappy }, CONTEXT);
  const dropped = await evaluateCrosses({ ...common, map: gappy, missingMapMarkers: 'drop' }, CONTEXT);
  expect(placed.report).toMatchObject({ interpolated: 500, unmapped: 0 });
  expect(dropped.report).toMatchObject({ interpolated: 0, unmapped: 500 });
  expect(dropped.report.unmapped_variance_share).toBeGreaterThan(0.1);
  expect(dropped.report.unmapped_variance_share).toBeLessThan(0.5);
  for (const [k, row] of full.rows.entries()) {
    // In this set, map positions are almost proportional to base pairs.
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
  const high = await evaluateCrosses(common, CONTEXT);
  const low = await evaluateCrosses(
    { ...common, selection: { direction: 'low', fraction: 0.1, accuracy: 0.5 } },
    CONTEXT,
  );
  for (const [k, row] of high.rows.entries()) {
    expect(low.rows[k]!.usefulness).toBeCloseTo(row.mean - 1.75498 * 0.5 * row.sd, 4);
    expect(low.rows[k]!.expectedBest).toBeLessThan(row.mean);
    expect(row.expectedBest).toBeCloseTo(row.mean + 3.24144 * row.sd, 4);
  }
  const [lowTrait] = low.traits;
  const mixed = await evaluateCrosses({ ...common, lowTraits: [lowTrait!] }, CONTEXT);
  for (const [k, row] of mixed.rows.entries()) {
    const { mean, sd, parentValues, pTransgress } = high.rows[k]!;
    expect(Math.sign(row.usefulness - mean)).toBe(row.trait === lowTrait ? -1 : 1);
    expect(pTransgress).toBe(transgressionProbability(mean, sd, parentValues));
  }
  expect(high.correlations[0]!.values[0]).toBeCloseTo(1, 12);
  expect(Math.abs(high.correlations[0]!.values[1]!)).toBeLessThan(1);
});

/** Rows of the reference by cross, trait and population. */
function exactRows(): Map<string, { mean: number; variance: number; female: string; male: string }> {
  const [header = '', ...lines] = readFileSync(join(FOLDER, 'exact.csv'), 'utf8').trimEnd().split('\n');
  const names = header.split(',');
  const rows = lines.map((line) => line.split(','));
  const cell = (row: string[], name: string) => row[names.indexOf(name)]!;
  return new Map(
    rows.map((row) => [
      `${cell(row, 'cross')} ${cell(row, 'trait')} ${cell(row, 'population')}`,
      {
        mean: Number(cell(row, 'mean')),
        variance: Number(cell(row, 'variance')),
        female: cell(row, 'female'),
        male: cell(row, 'male'),
      },
    ]),
  );
}

/** Asserts agreement within 1e-6 with a reference printed to 8 decimals. */
function expectNear(value: number, reference: number, where: string) {
  expect(Math.abs(value - reference), where).toBeLessThan(1e-6 * Math.abs(reference) + 5.1e-9);
}

test('every row of a crossing table is evaluated as its own type, all types of the exact reference in one table', async () => {
  const exact = exactRows();
  const populations = [...new Set([...exact.keys()].map((key) => key.split(' ')[2]!))];
  expect(populations).toHaveLength(11);
  const table = await crosses();
  const lines = table.flatMap(({ name, female, male }) =>
    populations.map((population) => `${name}-${population},${female},${male},${population}`),
  );
  const { crosses: typed } = await readCrossingTable(
    memorySource(Buffer.from(`cross,female,male,type\n${lines.join('\n')}\n`), 'crosses.csv'),
  );
  const { rows } = await evaluateCrosses(
    { effects, map, parents: await parentsOf(vcf), crosses: typed!, population: 'F5', simulate: false },
    CONTEXT,
  );
  expect(rows).toHaveLength(exact.size);
  for (const row of rows) {
    const [name, population] = row.cross.split('-');
    expect(row.population).toBe(population);
    const reference = exact.get(`${name} ${row.trait} ${population}`)!;
    expectNear(row.mean, reference.mean, `${row.cross} ${row.trait} mean`);
    expectNear(row.variance, reference.variance, `${row.cross} ${row.trait} variance`);
  }
});

test('a plant is selfed, or doubled without another generation, and simulated so', async () => {
  const { crosses: typed } = await readCrossingTable(
    memorySource(
      Buffer.from('cross,female,male,type\nS,PLANT003,,self\nD,PLANT003,,DH\nP,LINE001,LINE002,\n'),
      'crosses.csv',
    ),
  );
  const parents = await parentsOf(vcf);
  const { rows } = await evaluateCrosses(
    { effects, map, parents, crosses: typed!, population: 'F2', progeny: 20_000, seed: 4 },
    CONTEXT,
  );
  const plant = parents.parents[parents.names.indexOf('PLANT003')]!;
  // A plant equals the F1 of two lines that carry its haplotypes: its selfed progeny are their F2, its doubled
  // haploids their DH.
  const lines = await evaluateCrosses(
    {
      effects,
      map,
      parents: {
        ...parents,
        names: ['first', 'second'],
        parents: [
          { first: plant.first, second: plant.first },
          { first: plant.second, second: plant.second },
        ],
      },
      crosses: [
        { name: 'S', female: 'first', male: 'second', progenyCount: null, type: 'F2', line: 1 },
        { name: 'D', female: 'first', male: 'second', progenyCount: null, type: 'DH', line: 2 },
      ],
      population: 'F1',
      simulate: false,
    },
    CONTEXT,
  );
  expect(rows.map(({ cross, population }) => `${cross} ${population}`)).toEqual([
    'S F1',
    'S F1',
    'D DH',
    'D DH',
    'P F2',
    'P F2',
  ]);
  for (const [k, line] of lines.rows.entries()) {
    expect(rows[k]!.mean).toBeCloseTo(line.mean, 10);
    expect(rows[k]!.variance).toBeCloseTo(line.variance, 10);
    // Four standard errors at 20,000 progeny.
    expect(Math.abs(rows[k]!.simMean! - line.mean)).toBeLessThan(4 * Math.sqrt(line.variance / 20_000));
    expect(Math.abs(rows[k]!.simVariance! / line.variance - 1)).toBeLessThan(4 * Math.sqrt(2 / 20_000));
  }
});

test('simulated progeny go into a phased VCF that is read again, with the values of the table and their seed and parents', async () => {
  const swappedText = swapAlleles(vcf);
  await using swapped = await importText(swappedText);
  const table = (await crosses()).filter(({ name }) => ['C001', 'C011'].includes(name));
  const run = async (keepProgeny: boolean) => {
    const values = new Map<string, Float64Array>();
    const result = await evaluateCrosses(
      {
        ...{ effects, map, parents: await parentsOf(swappedText, swapped), crosses: table },
        ...{ population: 'F2', progeny: 12, seed: 9, keepProgeny },
        onProgeny: (cross, simulated) => {
          values.set(cross.name, simulated);
        },
      },
      CONTEXT,
    );
    return { ...result, values };
  };
  const simulated = await run(true);
  const written = async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of progenyVcf(simulated.progeny!, true, CONTEXT)) chunks.push(chunk.slice());
    return Buffer.concat(chunks);
  };
  const bytes = await written();
  expect((await written()).equals(bytes)).toBe(true);
  // Requesting genotypes changes no value.
  expect((await run(false)).values).toEqual(simulated.values);

  const text = gunzipSync(bytes).toString();
  const [c001 = '', c011 = ''] = table.map(
    ({ name, female, male }) => `ID="${name}",Female="${female}",Male="${male}"`,
  );
  expect(text).toContain('##simulation=<Model=Haldane,Seed=9>\n');
  expect(text).toContain(`##cross=<${c001},Population=F2,Progeny=12>\n`);
  expect(text).toContain(`##cross=<${c011},Population=F2,Progeny=12>\n`);
  await using progeny = await importText(text);
  expect(progeny.panel.samples.at(0)).toBe('C001-1');
  expect(progeny.panel.samples.at(-1)).toBe('C011-12');
  expect(progeny.panel.markers).toEqual(swapped.panel.markers);
  // Read like parents, with the program's own readers; the effects then reproduce the values of the table.
  const read = await parentsOf(text, progeny);
  const itself = await evaluateCrosses(
    {
      ...{ effects, map, parents: read, population: 'F1', simulate: false },
      crosses: read.names.map((name) => {
        return { name, female: name, male: name, progenyCount: null, type: 'biparental' as const, line: 1 };
      }),
    },
    CONTEXT,
  );
  const additive = itself.rows.filter(({ trait }) => trait === 'height');
  const expected = [...simulated.values.values()].flatMap((values) => [...values].filter((_, k) => k % 2 === 1));
  expect(additive).toHaveLength(24);
  // Without dominance, the selfed progeny of a plant have its own value as their mean.
  for (const [i, row] of additive.entries()) expect(row.mean).toBeCloseTo(expected[i]!, 8);
});

test('all pairs of parents are ranked in every population, as cross by cross', async () => {
  const names = ['LINE001', 'LINE002', 'PLANT008'];
  const parents = await parentsOf(vcf, panel, names);
  for (const population of POPULATIONS) {
    const { rows } = await rankAllPairs({ effects, map, parents, population }, CONTEXT);
    const pairs = [...new Set(rows.map(({ cross }) => cross))];
    const ordered = population.startsWith('BC');
    expect(pairs).toEqual(
      ordered
        ? names.flatMap((female) => names.filter((male) => male !== female).map((male) => `${female}_X_${male}`))
        : ['LINE001_X_LINE002', 'LINE001_X_PLANT008', 'LINE002_X_PLANT008'],
    );
    const single = await evaluateCrosses(
      {
        effects,
        map,
        parents,
        crosses: pairs.map((name, k) => {
          const [female = '', male = ''] = name.split('_X_');
          return { name, female, male, progenyCount: null, type: 'biparental', line: k + 2 };
        }),
        population,
        simulate: false,
      },
      CONTEXT,
    );
    expect(rows).toHaveLength(single.rows.length);
    for (const [k, row] of single.rows.entries()) {
      expect(rows[k]).toMatchObject({ cross: row.cross, trait: row.trait, population });
      expect(rows[k]!.mean).toBeCloseTo(row.mean, 9);
      expect(rows[k]!.variance).toBeCloseTo(row.variance, 9);
    }
  }
});

test('ranking all pairs equals the exact reference where the reference has the pair, in every population', async () => {
  const exact = exactRows();
  // Inbred × inbred, inbred × heterozygous, and heterozygous × heterozygous.
  const chosen = (await crosses()).filter(({ name }) => ['C001', 'C009', 'C011', 'C012'].includes(name));
  const names = [...new Set(chosen.flatMap(({ female, male }) => [female, male]))];
  const parents = await parentsOf(vcf, panel, names);
  for (const population of new Set([...exact.keys()].map((key) => key.split(' ')[2]!))) {
    const { rows } = await rankAllPairs({ effects, map, parents, population: population as Population }, CONTEXT);
    const found = new Map(rows.map((row) => [`${row.cross} ${row.trait}`, row]));
    for (const [key, { female, male, mean, variance }] of exact) {
      const [cross, trait, grown] = key.split(' ');
      if (grown !== population || !chosen.some(({ name }) => name === cross)) continue;
      const row = found.get(`${female}_X_${male} ${trait}`) ?? found.get(`${male}_X_${female} ${trait}`)!;
      expectNear(row.mean, mean, `${key} mean`);
      expectNear(row.variance, variance, `${key} variance`);
    }
  }
});

test('the table of crosses has a row a cross and trait, and says what was grown', async () => {
  const { rows } = await rankAllPairs(
    { effects, map, parents: await parentsOf(vcf, panel, ['LINE001', 'LINE002']), population: 'RIL' },
    CONTEXT,
  );
  const lines = [...crossesCsv(rows)].join('').trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(
    /^cross,parent1,parent2,trait,mean,.*,sim_mean,sim_variance,population,parent3,parent4,kinship,segregating_markers$/,
  );
  expect(lines[1]).toMatch(/^LINE001_X_LINE002,LINE001,LINE002,yield,.*,,,RIL,,,-?\d+\.\d+,573$/);
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
  await expect(evaluateCrosses(input, CONTEXT)).rejects.toMatchObject({ code: 'crossing/no-shared-markers' });
});
