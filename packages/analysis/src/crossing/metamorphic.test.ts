import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { CROSS_TYPES, parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { readCrossingTable } from '@heterosis/file-formats/tables/crossing-table/read-crossing-table';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import { readLinkageMap } from '@heterosis/file-formats/tables/linkage-map/read-linkage-map';
import type { MapFunction } from '@heterosis/statgen/crossing/map-function';
import { POPULATIONS, type Population } from '@heterosis/statgen/crossing/population';
import { describe, expect, test } from 'vitest';
import { CONTEXT, importBytes, importText, mapMarkers, swapAlleles } from '../maize.test-data.ts';
import { predict } from '../prediction/predict.ts';
import { modelSettings } from '../prediction/train-model.ts';
import type { TrainedModel } from '../prediction/trained-model.ts';
import type { CrossRow, Selection } from './cross-figures.ts';
import { type CrossingEffects, effectsOfModel, readEffects } from './crossing-effects.ts';
import { evaluateCrosses } from './evaluate-crosses.ts';
import { readParentalHaplotypes } from './parental-haplotypes.ts';

/*
 * Changes of the input that must leave the figures of crosses unchanged, or change them in a known way. The base is
 * every 12th marker of the crossing-small reference: ten chromosomes, inbred and heterozygous parents, one trait with
 * dominance and one without.
 */

const FOLDER = fileURLToPath(new URL('../../../statgen/reference/crossing-small/', import.meta.url));
const EVERY = 12;

interface Scene {
  vcf: string;
  /** Lines without a header: marker,allele,yield_additive,yield_dominance,height_additive. */
  effects: string[];
  /** Lines without a header: marker,chromosome,cM. */
  map: string[];
  crosses: string;
  population: Population;
  mapFunction: MapFunction;
  selection: Partial<Selection>;
  /** A genotype in a format other than VCF. */
  source: { bytes: string; name: string } | null;
}

const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8').trimEnd().split('\n');
const thinned = (lines: string[]) => lines.slice(1).filter((_, j) => j % EVERY === 0);
const BASE: Scene = {
  vcf: mapMarkers(`${read('parents.vcf').join('\n')}\n`, (fields, j) => (j % EVERY === 0 ? fields : null)),
  effects: thinned(read('effects.csv')).map((line) => line.split(',').slice(0, 5).join(',')),
  map: thinned(read('linkage_map.csv')),
  crosses: 'cross,female,male\nI,LINE001,LINE002\nM,LINE003,PLANT003\nH,PLANT003,PLANT008\n',
  population: 'F3',
  mapFunction: 'haldane',
  selection: {},
  source: null,
};

async function effectsOf(lines: readonly string[]): Promise<CrossingEffects> {
  const text = ['marker,effect_allele,yield_additive,yield_dominance,height_additive', ...lines].join('\n');
  const { effects, report } = await readEffects(memorySource(Buffer.from(text), 'effects.csv'));
  if (effects === null) throw new Error(report.problems[0]?.message);
  return effects;
}

async function mapOf(lines: readonly string[], header = 'marker,chromosome,position_cM'): Promise<LinkageMap> {
  const text = `${header}\n${lines.join('\n')}\n`;
  const { map, report } = await readLinkageMap(memorySource(Buffer.from(text), 'map.csv'), { unit: 'cM' });
  if (map === null) throw new Error(report.problems[0]?.message);
  return map;
}

/** Rows by cross and trait. */
async function figures(change: Partial<Scene> = {}, given?: LinkageMap, effects?: CrossingEffects) {
  const scene = { ...BASE, ...change };
  await using genotype = await (scene.source === null
    ? importText(scene.vcf)
    : importBytes(scene.source.bytes, scene.source.name));
  const table = memorySource(Buffer.from(scene.crosses), 'crosses.csv');
  const { crosses, report } = await readCrossingTable(table);
  if (crosses === null) throw new Error(report.problems[0]?.message);
  const names = [...new Set(crosses.flatMap(parentsOfCross))];
  const original = scene.source === null ? memorySource(Buffer.from(scene.vcf), 'parents.vcf') : null;
  const result = await evaluateCrosses(
    {
      effects: effects ?? (await effectsOf(scene.effects)),
      parents: await readParentalHaplotypes({ panel: genotype.panel, original, names }, CONTEXT),
      map: given ?? (await mapOf(scene.map)),
      crosses,
      population: scene.population,
      mapFunction: scene.mapFunction,
      selection: scene.selection,
      progeny: 200,
      simulate: false,
    },
    CONTEXT,
  );
  return { ...result, byKey: new Map(result.rows.map((row) => [`${row.cross} ${row.trait}`, row])) };
}

const FIGURES = [
  'kinship',
  'segregatingMarkers',
  'mean',
  'variance',
  'sd',
  'usefulness',
  'pTransgress',
  'expectedBest',
] as const;

/** Tolerance for another order of summation: 1e-11 relative to the size of the figures. */
function expectSame(
  rows: ReadonlyMap<string, CrossRow>,
  reference: ReadonlyMap<string, CrossRow>,
  figures: readonly (typeof FIGURES)[number][] = FIGURES,
): void {
  for (const [key, row] of reference) {
    const found = rows.get(key);
    for (const figure of figures) {
      const expected = row[figure] ?? Number.NaN;
      const difference = Math.abs((found?.[figure] ?? Number.NaN) - expected);
      expect(difference, `${key} ${figure}`).toBeLessThan(1e-11 * (1 + Math.abs(expected)));
    }
  }
}

const base = figures();

describe('where markers lie', () => {
  test('a genotype without chromosomes gives the same figures by the map alone', async () => {
    const unlocated = await figures({
      vcf: mapMarkers(BASE.vcf, ([, , ...rest], j) => ['UN', String(1 + ((j * 37) % 167)), ...rest]),
    });
    expect(unlocated.report.unmapped).toBe(0);
    expectSame(unlocated.byKey, (await base).byKey);
  });

  test('chromosomes may be called otherwise in the genotype, and all be renamed in both files', async () => {
    const renamed = await figures({
      vcf: mapMarkers(BASE.vcf, ([chromosome, ...rest]) => [`Chr0${chromosome}`, ...rest]),
    });
    expectSame(renamed.byKey, (await base).byKey);
    const other = (name: string | undefined) => `LG${(Number(name) * 7) % 11}`;
    const permuted = await figures({
      vcf: mapMarkers(BASE.vcf, ([chromosome, ...rest]) => [other(chromosome), ...rest]),
      map: BASE.map.map((line) => {
        const [id, chromosome, cm] = line.split(',');
        return [id, other(chromosome), cm].join(',');
      }),
    });
    expectSame(permuted.byKey, (await base).byKey);
  });

  test('a located genotype that contradicts the map ends the run with every line of the map', async () => {
    const moved = (marker: number, change: (fields: string[]) => string[]) =>
      mapMarkers(BASE.vcf, (fields, j) => (j === marker ? change(fields) : fields));
    await expect(figures({ vcf: moved(5, ([, ...rest]) => ['9', ...rest]) })).rejects.toMatchObject({
      code: 'linkage-map/mismatch',
      problems: [{ code: 'E-LM-CHR-MISMATCH', line: 7 }],
    });
    const positions = BASE.vcf
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split('\t').slice(0, 3));
    const lines = positions.map(
      ([, bp, id], j) => `${BASE.map[j]},${j === 7 || j === 9 ? Number(bp) + 500 : bp},${id}`,
    );
    const physical = await mapOf(lines, 'marker,chromosome,position_cM,physPos,again');
    await expect(figures({}, physical)).rejects.toMatchObject({
      problems: [
        { code: 'E-LM-PHYS-MISMATCH', line: 9 },
        { code: 'E-LM-PHYS-MISMATCH', line: 11 },
      ],
    });
  });

  test('rows of the map in another order, and rows of other markers, change nothing', async () => {
    const shuffled = [...BASE.map].sort((a, b) => (a.slice(-1) < b.slice(-1) ? -1 : 1));
    expectSame((await figures({ map: shuffled })).byKey, (await base).byKey);
    const extra = [...BASE.map, 'unseen,3,17.5', 'unseen2,newChromosome,4'];
    expectSame((await figures({ map: extra })).byKey, (await base).byKey);
  });
});

describe('what a marker is', () => {
  /** Every fifth marker gets a third allele, carried by every third haplotype that had the reference allele. */
  const ALTERNATIVES = ['A', 'C', 'G', 'T'];
  const isMulti = (j: number) => j % 5 === 2;
  const third = (ref: string, alt: string) => ALTERNATIVES.find((base) => base !== ref && base !== alt) ?? '';
  const multi = mapMarkers(BASE.vcf, ([chromosome = '', bp = '', id, ref = '', alt = '', ...rest], j) => {
    if (!isMulti(j)) return [chromosome, bp, id, ref, alt, ...rest];
    let seen = 0;
    const calls = rest.slice(4).map((call) => call.replaceAll('0', (allele) => (seen++ % 3 === 0 ? '2' : allele)));
    return [chromosome, bp, id, ref, `${alt},${third(ref, alt)}`, ...rest.slice(0, 4), ...calls];
  });
  /** The ids of split rows consist of position and alleles; each alternative has its own effect. */
  const split = BASE.vcf
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line, j) => {
      const [chromosome = '', bp = '', id = '', ref = '', alt = ''] = line.split('\t');
      const [, allele, ...values] = BASE.effects[j]!.split(',');
      const cm = BASE.map[j]!.split(',')[2];
      if (!isMulti(j)) return [{ effect: BASE.effects[j]!, map: BASE.map[j]! }];
      const ids = [alt, third(ref, alt)].map((other) => `${chromosome}_${bp}_${ref}_${other}`);
      expect([id !== '', allele === alt || allele === ref]).toEqual([true, true]);
      return ids.map((name, k) => ({
        effect: [name, k === 0 ? alt : third(ref, alt), ...values.map((value) => Number(value) * (1 + 3 * k))].join(
          ',',
        ),
        map: [name, chromosome, cm].join(','),
      }));
    });
  const scene = { vcf: multi, effects: split.map(({ effect }) => effect), map: split.map(({ map }) => map) };

  test('a heterozygous parent in the table changes no other cross, where rows have several alternatives', async () => {
    const alone = await figures({ ...scene, crosses: 'cross,female,male\nI,LINE001,LINE002\n' });
    expect(alone.report).toMatchObject({ shared: split.length, unmapped: 0 });
    const beside = await figures(scene);
    expect(beside.report.shared).toBe(split.length);
    expectSame(beside.byKey, alone.byKey);
    expect(alone.byKey.get('I yield')!.variance).not.toBeCloseTo((await base).byKey.get('I yield')!.variance, 6);
  });

  test('rows with several alternatives give the figures of the rows that they are split into', async () => {
    const rows: string[] = [];
    for (const line of multi.trimEnd().split('\n')) {
      const [chromosome, bp, id, ref, alt = '', ...rest] = line.split('\t');
      if (line.startsWith('#') || !alt.includes(',')) rows.push(line);
      else {
        for (const [k, other] of alt.split(',').entries()) {
          const mine = rest
            .slice(4)
            .map((call) => call.replaceAll(/\d/g, (allele) => (Number(allele) === k + 1 ? '1' : '0')));
          expect(id).not.toBe('');
          rows.push(
            [chromosome, bp, `${chromosome}_${bp}_${ref}_${other}`, ref, other, ...rest.slice(0, 4), ...mine].join(
              '\t',
            ),
          );
        }
      }
    }
    expectSame((await figures({ ...scene, vcf: `${rows.join('\n')}\n` })).byKey, (await figures(scene)).byKey);
  });

  test('names with double blanks and decomposed accents are the same names everywhere', async () => {
    const rename = (name: string) => name.replace('PLANT003', 'Plánt \u00a0 3').replace('LINE003', ' Line\u2002é3');
    const header = BASE.vcf.split('\n').find((line) => line.startsWith('#CHROM')) ?? '';
    const odd = header
      .split('\t')
      .map((name) => rename(name).normalize('NFD'))
      .join('\t');
    const renamed = await figures({
      vcf: BASE.vcf.replace(header, odd),
      crosses: BASE.crosses
        .split('\n')
        .map((line) => line.split(',').map(rename).join(','))
        .join('\n'),
    });
    expectSame(renamed.byKey, (await base).byKey);
  });
});

/** A model with these effects; only the fields read by predictions and crosses are meaningful. */
function modelOf(effects: CrossingEffects, freqA2: Float64Array, heterozygosity: Float64Array): TrainedModel {
  const { id, chromosome, positionBp, a1, a2 } = effects.markers;
  return {
    format: 'heterosis-model',
    version: 2,
    settings: modelSettings({ dominance: true, maf: 0, callRate: 0 }),
    markers: {
      ...{ id: [...id], chromosome: [...chromosome], positionBp, a1: [...a1], a2: [...a2] },
      ...{ freqA2, heterozygosity },
    },
    individuals: [],
    kinshipFrom: 'markers',
    markersRead: id.length,
    imputedCalls: 0,
    traits: effects.traits.map(({ name, intercept, additive, dominance }) => {
      const none = { gebv: new Float64Array(0), reliability: new Float64Array(0), observed: new Float64Array(0) };
      const variance = { additive: 1, dominance: 0, residual: 1, h2: 0.5, kinship_pve: 0.5, dominance_pve: 0 };
      return {
        ...{ name, unit: null, error: null },
        fit: {
          ...{ n: 0, m: id.length, intercept, additive, dominance, ...none },
          ...{ frequencyA2: dominance === null ? null : freqA2 },
          genotypic: dominance === null ? null : { value: none.gebv, reliability: none.reliability },
          ...{
            fixedEffects: [],
            design: [],
            withoutCovariate: 0,
            variance: { ...variance, standard_errors: null },
            H2: 0.5,
            logLikelihood: 0,
          },
          ...{ iterations: 0, converged: true, atBoundary: [], seconds: 0 },
        },
      };
    }),
  };
}

describe('markers that the genotype lacks', () => {
  test('a line has the value that prediction gives it, with dominance and heterozygosity off Hardy-Weinberg', async () => {
    const full = await effectsOf(BASE.effects);
    const count = full.markers.id.length;
    const model = modelOf(
      full,
      Float64Array.from({ length: count }, (_, j) => 0.1 + ((j * 7) % 80) / 100),
      Float64Array.from({ length: count }, (_, j) => ((j * 11) % 30) / 100),
    );
    const vcf = mapMarkers(BASE.vcf, (fields, j) => (j % 3 === 1 ? null : fields));
    const crosses = 'cross,female,male,type\nS,LINE001,,self\nD,LINE003,,DH\n';
    const { byKey, report } = await figures({ vcf, crosses }, undefined, effectsOfModel(model));
    expect(report.shared).toBe(count - Math.floor((count + 1) / 3));
    await using genotype = await importText(vcf);
    const predicted = await predict({ model, panel: genotype.panel, minMarkerShare: 0.1 }, CONTEXT);
    for (const [key, name] of [
      ['S', 'LINE001'],
      ['D', 'LINE003'],
    ] as const) {
      for (const { name: trait, gebv, genotypic } of predicted.traits) {
        const value = (genotypic?.value ?? gebv)[predicted.individuals.indexOf(name)]!;
        expect(Math.abs(byKey.get(`${key} ${trait}`)!.mean - value)).toBeLessThan(1e-11 * (1 + Math.abs(value)));
      }
    }
  });

  test('a marker left out of the genotype counts as one whose training mean was added to the intercept', async () => {
    const full = await effectsOf(BASE.effects);
    const count = full.markers.id.length;
    const freqA2 = Float64Array.from({ length: count }, (_, j) => 0.2 + ((j * 3) % 50) / 100);
    const heterozygosity = Float64Array.from({ length: count }, (_, j) => ((j * 5) % 40) / 100);
    const isLeftOut = (j: number) => j % 4 === 2;
    const vcf = mapMarkers(BASE.vcf, (fields, j) => (isLeftOut(j) ? null : fields));
    const lacking = await figures({ vcf }, undefined, { ...full, trainingMeans: { freqA2, heterozygosity } });
    const moved: CrossingEffects = {
      ...full,
      traits: full.traits.map((trait) => {
        let { intercept } = trait;
        for (let j = 0; j < count; j++)
          if (isLeftOut(j))
            intercept += 2 * freqA2[j]! * trait.additive[j]! + heterozygosity[j]! * (trait.dominance?.[j] ?? 0);
        const without = (values: Float64Array) => values.map((value, j) => (isLeftOut(j) ? 0 : value));
        return {
          ...trait,
          intercept,
          additive: without(trait.additive),
          dominance: trait.dominance === null ? null : without(trait.dominance),
        };
      }),
    };
    // The genotypes have different markers, and therefore different relationships.
    const ofProgeny = FIGURES.slice(2);
    expectSame(lacking.byKey, (await figures({}, undefined, moved)).byKey, ofProgeny);
  });
});

describe('parents, alleles, effects and other markers', () => {
  const rowsOf = (vcf: string) => vcf.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  test('neither the order of the individuals nor that of the markers matters', async () => {
    const reversed = (line: string) => {
      const cells = line.split('\t');
      return [...cells.slice(0, 9), ...cells.slice(9).reverse()].join('\t');
    };
    const lines = BASE.vcf.trimEnd().split('\n');
    const turned = lines.map((line) => (line.startsWith('##') ? line : reversed(line)));
    expectSame((await figures({ vcf: `${turned.join('\n')}\n` })).byKey, (await base).byKey);
    const head = lines.filter((line) => line.startsWith('#'));
    const shuffled = rowsOf(BASE.vcf).sort((a, b) => (a.slice(-60) < b.slice(-60) ? -1 : 1));
    expectSame((await figures({ vcf: `${[...head, ...shuffled].join('\n')}\n` })).byKey, (await base).byKey);
    expectSame((await figures({ effects: [...BASE.effects].reverse() })).byKey, (await base).byKey);
  });

  test('REF and ALT may change places', async () => {
    expectSame((await figures({ vcf: swapAlleles(BASE.vcf) })).byKey, (await base).byKey);
  });

  test('effects times k and plus a constant scale and shift the figures', async () => {
    const effects = await effectsOf(BASE.effects);
    const [k, c] = [-3.5, 100];
    const traits = effects.traits.map((trait) => ({
      ...trait,
      intercept: k * trait.intercept + c,
      additive: trait.additive.map((value) => k * value),
      dominance: trait.dominance?.map((value) => k * value) ?? null,
    }));
    // A negative factor swaps high and low.
    const scaled = await figures({ selection: { direction: 'low' } }, undefined, { ...effects, traits });
    const expected = [...(await base).byKey].map(([key, row]): [string, CrossRow] => [
      key,
      {
        ...row,
        ...{ mean: k * row.mean + c, variance: k * k * row.variance, sd: -k * row.sd },
        ...{ usefulness: k * row.usefulness + c, expectedBest: k * row.expectedBest + c },
      },
    ]);
    expectSame(scaled.byKey, new Map(expected));
  });

  test('a monomorphic marker, and a second one at the place of another without effect, change no figure of the progeny', async () => {
    const [first = ''] = rowsOf(BASE.vcf);
    const [chromosome, bp, id, , , ...rest] = first.split('\t');
    const constant = [chromosome, Number(bp) + 1, 'constant', 'A', 'C', ...rest]
      .join('\t')
      .replaceAll(/[01]\|[01]/g, '1|1');
    const twin = [chromosome, bp, 'twin', 'G', 'T', ...rest].join('\t');
    const cm = BASE.map[0]?.split(',')[2];
    const more = await figures({
      vcf: `${BASE.vcf}${constant}\n${twin}\n`,
      effects: [...BASE.effects, 'constant,C,5,0,0', 'twin,T,0,0,0'],
      map: [...BASE.map, `constant,${chromosome},${cm}`, `twin,${chromosome},${cm}`],
    });
    expect(id).not.toBe('');
    for (const [key, row] of (await base).byKey) {
      const found = more.byKey.get(key)!;
      expect(found.mean).toBeCloseTo(row.mean + (row.trait === 'yield' ? 10 : 0), 10);
      expect(found.variance).toBeCloseTo(row.variance, 11);
      expect(found.segregatingMarkers - row.segregatingMarkers).toBeLessThanOrEqual(1);
    }
  });

  test('a cross more in the table changes no other, nor its simulation', async () => {
    const more = await figures({ crosses: `${BASE.crosses}N,LINE004,PLANT005\nO,LINE003,LINE001\n` });
    expectSame(more.byKey, (await base).byKey);
  });

  test('inbred parents may come as VCF, HapMap or numbers', async () => {
    const crosses = 'cross,female,male\nI,LINE001,LINE002\nJ,LINE003,LINE004\n';
    const inbred = (await figures({ crosses })).byKey;
    const names =
      BASE.vcf
        .split('\n')
        .find((line) => line.startsWith('#CHROM'))
        ?.split('\t')
        .slice(9) ?? [];
    const rows = rowsOf(BASE.vcf).map((line) => line.split('\t'));
    const hapmap = [
      'rs# alleles chrom pos strand assembly# center protLSID assayLSID panelLSID QCcode'.split(' '),
      ...rows.map(([chromosome, bp, id, ref, alt]) => [
        id,
        `${ref}/${alt}`,
        chromosome,
        bp,
        '+',
        ...'......'.split(''),
      ]),
    ].map((head, j) => {
      const [, , , ref, alt, , , , , ...calls] = rows[j - 1] ?? [];
      const letters = calls.map((call) =>
        call
          .replaceAll('0', ref ?? '')
          .replaceAll('1', alt ?? '')
          .replace('|', ''),
      );
      return [...head, ...(j === 0 ? names : letters)].join('\t');
    });
    expectSame(
      (await figures({ crosses, source: { bytes: `${hapmap.join('\n')}\n`, name: 'a.hmp.txt' } })).byKey,
      inbred,
    );
    const matrix = [
      ['id', ...rows.map(([, , id]) => id)],
      ...names.map((name, i) => [name, ...rows.map((row) => (row[9 + i]?.match(/1/g) ?? []).length)]),
    ].map((cells) => cells.join(','));
    // Without allele names, the effects refer to the counted allele.
    const counted = BASE.effects.map((line, j) => {
      const [id, allele, ...values] = line.split(',');
      return [
        id,
        '.',
        ...values.map((value, v) => (allele === rows[j]?.[4] || v === 1 ? value : String(-Number(value)))),
      ].join(',');
    });
    const numeric = await figures({
      crosses,
      effects: counted,
      source: { bytes: `${matrix.join('\n')}\n`, name: 'a.csv' },
    });
    for (const [key, row] of inbred) expect(numeric.byKey.get(key)!.variance).toBeCloseTo(row.variance, 11);
  });
});

describe('schemes of crosses', () => {
  const crosses = (lines: string[]) => ['cross,parent1,parent2,parent3,parent4', ...lines, ''].join('\n');

  test('crosses of more parents become simple crosses where parents are the same lines', async () => {
    for (const population of ['F1', 'F3', 'DH', 'F3_DH', 'RIL'] as const) {
      const simple = await figures({ population, crosses: crosses(['I,LINE001,LINE002,,', 'M,LINE003,PLANT003,,']) });
      const more = await figures({
        population,
        crosses: crosses(['I,LINE001,LINE001,LINE002,LINE002', 'M,LINE003,LINE003,PLANT003,']),
      });
      expectSame(more.byKey, simple.byKey);
    }
  });

  test('the parents of each side, and the sides, may change places', async () => {
    const one = await figures({ crosses: crosses(['Q,LINE001,PLANT003,LINE002,PLANT008']) });
    const other = await figures({ crosses: crosses(['Q,PLANT008,LINE002,PLANT003,LINE001']) });
    expectSame(other.byKey, one.byKey);
    expect(one.rows[0]).toMatchObject({ parent3: 'LINE002', parent4: 'PLANT008' });
    expect(one.rows[0]!.parentValues).toHaveLength(4);
    // The F1 of two lines backcrossed to one of them is a three-way cross.
    const backcross = await figures({ population: 'BC1_female', crosses: crosses(['B,LINE001,LINE002,,']) });
    const threeWay = await figures({ population: 'F1', crosses: crosses(['B,LINE001,LINE002,LINE001,']) });
    for (const [key, row] of backcross.byKey) {
      expect(threeWay.byKey.get(key)!.mean).toBeCloseTo(row.mean, 11);
      expect(threeWay.byKey.get(key)!.variance).toBeCloseTo(row.variance, 11);
    }
  });

  test('both map functions agree where loci are unlinked or at one place, and only there', async () => {
    const spread = BASE.map.map((line, j) => `${line.split(',')[0]},LG${j},1`);
    const together = BASE.map.map((line) => `${line.split(',').slice(0, 2).join(',')},7`);
    const vcf = mapMarkers(BASE.vcf, ([, ...rest]) => ['UN', ...rest]);
    for (const map of [spread, together]) {
      const haldane = await figures({ vcf, map });
      expectSame((await figures({ vcf, map, mapFunction: 'kosambi' })).byKey, haldane.byKey);
    }
    const kosambi = await figures({ mapFunction: 'kosambi' });
    expect(kosambi.byKey.get('I yield')!.mean).toBeCloseTo((await base).byKey.get('I yield')!.mean, 11);
    expect(
      Math.abs(kosambi.byKey.get('I yield')!.variance / (await base).byKey.get('I yield')!.variance - 1),
    ).toBeGreaterThan(1e-3);
  });

  test('the relationship of the parents is that of the definition', async () => {
    const rows = rowsAsDosages(BASE.vcf);
    const names =
      BASE.vcf
        .split('\n')
        .find((line) => line.startsWith('#CHROM'))
        ?.split('\t')
        .slice(9) ?? [];
    const p = rows.map((row) => row.reduce((sum, value) => sum + value, 0) / (2 * row.length));
    const divisor = p.reduce((sum, value) => sum + 2 * value * (1 - value), 0);
    const relationship = (a: string, b: string) =>
      rows.reduce(
        (sum, row, j) => sum + (row[names.indexOf(a)]! - 2 * p[j]!) * (row[names.indexOf(b)]! - 2 * p[j]!),
        0,
      ) / divisor;
    const { byKey } = await figures({ crosses: crosses(['A,LINE001,PLANT003,,', 'B,LINE001,LINE002,PLANT003,']) });
    expect(byKey.get('A yield')!.kinship).toBeCloseTo(relationship('LINE001', 'PLANT003'), 11);
    expect(byKey.get('B yield')!.kinship).toBeCloseTo(
      (relationship('LINE001', 'PLANT003') + relationship('LINE002', 'PLANT003')) / 2,
      11,
    );
  });

  test('progeny are not simulated by a map function that does not say how crossovers lie', async () => {
    const input = { crosses: [], population: 'DH', mapFunction: 'kosambi' } as const;
    await using genotype = await importText(BASE.vcf);
    const parents = await readParentalHaplotypes({ panel: genotype.panel, original: null, names: [] }, CONTEXT);
    const material = { parents, effects: await effectsOf(BASE.effects), map: await mapOf(BASE.map) };
    await expect(evaluateCrosses({ ...input, ...material }, CONTEXT)).rejects.toMatchObject({
      code: 'crossing/map-function',
    });
  });

  test('the types of a crossing table are the populations', () => {
    expect(CROSS_TYPES).toEqual(['biparental', 'self', ...POPULATIONS]);
  });
});

/** Copies of ALT by marker and individual. */
function rowsAsDosages(vcf: string): number[][] {
  return vcf
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) =>
      line
        .split('\t')
        .slice(9)
        .map((call) => Number(call[0]) + Number(call[2])),
    );
}
