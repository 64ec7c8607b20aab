import { describe, expect, test } from 'vitest';
import { readFileOf } from '../../genotype/genotype-file.test-data.ts';
import { readCrossingTable } from '../crossing-table/read-crossing-table.ts';
import { settledFile as readGermplasm } from '../germplasm/germplasm-file.test-data.ts';
import { readLinkageMap } from '../linkage-map/read-linkage-map.ts';
import { readPedigree } from '../pedigree/read-pedigree.ts';
import { readPhenotype } from '../phenotype/read-phenotype.ts';
import { linesSource } from './table-text.test-data.ts';
import { tableTypeOf } from './table-type.ts';

// Every header that Breedbase, DeltaBreed, BMS, Germinate, GAPIT, TASSEL, R/qtl2, AlphaSimR, Flapjack, Helium,
// Intercross and
// Field Book write, one by one: a spelling that drops out of a list would otherwise be missed only by the users of that
// program.

const spellings = (list: string): string[] => list.split(',').map((spelling) => spelling.trim());

/** Spellings in other case, and with other signs between their words. */
const variants = (spelling: string): string[] => [
  spelling,
  spelling.toUpperCase(),
  spelling.replaceAll(' ', '_'),
  spelling.replaceAll(/[ _]/g, '-'),
];

describe('phenotypes', () => {
  const names =
    spellings(`individual, ind, id, name, line, lineName, taxa, taxon, <Trait>, germplasm, germplasmName, accession,
    accession_name, genotype, entry, designation, sample, sampleName, variety, cultivar, clone, seed_name,
    Linie, Sorte, Genotyp, Prüfglied, lignée, variété, línea, variedad, genotipo`);

  test.each([...names, ''])('the individuals stand under "%s"', async (spelling) => {
    for (const name of variants(spelling)) {
      const { table } = await readPhenotype(linesSource(`${name},Yield`, 'A,1', 'B,2'));
      expect(table, name).toMatchObject({ shape: 'wide', individuals: ['A', 'B'] });
      expect(table?.traits.map((trait) => trait.name)).toEqual(['Yield']);
    }
  });

  const design =
    spellings(`env, environment, study, trial, experiment, trial_instance, location, loc, site, env location, year, season,
    env year, studyYear, rep, replicate, exp replicate #, block, blk, exp block #, row, column, col, range, plot, plot_name,
    observationunit_name, plotid, ObsUnitID, treatment, Ort, Jahr, Wiederholung, Wdh, Parzelle, lieu, année, bloc, localidad,
    año, bloque`);

  test.each(design)('"%s" is a part of the design', async (spelling) => {
    for (const name of variants(spelling)) {
      const { table } = await readPhenotype(linesSource(`line,${name},Yield`, 'A,x,1', 'A,y,2', 'B,x,3', 'B,y,4'));
      expect(table, name).toMatchObject({ shape: 'wide-design', individuals: ['A', 'B'] });
      expect(table?.traits.map((trait) => trait.name)).toEqual(['Yield']);
    }
  });

  test.each(spellings('trait, variable, observationVariableName, variableName'))(
    'a long table has its traits under "%s"',
    async (spelling) => {
      const { table } = await readPhenotype(linesSource(`germplasmName,${spelling},value`, 'A,Yield,1', 'B,Yield,2'));
      expect(table).toMatchObject({ shape: 'long', traits: [{ name: 'Yield' }] });
    },
  );
});

describe('linkage maps', () => {
  test.each(
    spellings('SNPid, snpid, snp, marker, markerName, marker name, id, rs, rs#, variant, variantName, locus, name'),
  )('markers stand under "%s"', async (spelling) => {
    for (const name of variants(spelling)) {
      const { map } = await readLinkageMap(linesSource(`${name},chr,cM`, 'm1,1,0', 'm2,1,20'));
      expect(map?.markerId, name).toEqual(['m1', 'm2']);
    }
  });

  test.each(spellings('chr, chrom, chromosome, #CHROM, linkageGroup, linkageGroupName, lg, group'))(
    'chromosomes stand under "%s"',
    async (spelling) => {
      for (const name of variants(spelling)) {
        const { map } = await readLinkageMap(linesSource(`${name},snp,cM`, '1A,m1,0', '1A,m2,20'));
        expect(map?.chromosome, name).toEqual(['1A', '1A']);
      }
    },
  );

  test.each(spellings('pos, position_bp, bp, physical position, physpos, physPos'))(
    'base pairs stand under "%s"',
    async (spelling) => {
      for (const name of variants(spelling)) {
        const { map } = await readLinkageMap(linesSource(`snp,chr,${name},cM`, 'm1,1,100,0', 'm2,1,20000,20'));
        expect([...(map?.positionBp ?? [])], name).toEqual([100, 20_000]);
        expect([...(map?.positionCm ?? [])], name).toEqual([0, 20]);
      }
    },
  );

  const genetic =
    spellings(`linkmappos, linkMapPos, cM, cm, genetic position, gmap, map position, genetic_distance, pos, position,
    linkMapPos (cM), Position(cM)`);

  test.each(genetic)('centimorgans stand under "%s"', async (spelling) => {
    for (const name of variants(spelling)) {
      const { map } = await readLinkageMap(linesSource(`snp,chr,${name}`, 'm1,1,0', 'm2,1,20'));
      expect([...(map?.positionCm ?? [])], name).toEqual([0, 20]);
    }
  });

  test.each([
    ...['morgan', 'Morgans', 'linkMapPos (M)', 'linkMapPos_M', 'position_M', 'pos_M', 'pos (M)', 'Position [Morgan]'],
    ...['genetic_position_M', 'map position (Morgans)', 'gmap_morgan'],
  ])('Morgan stand under "%s"', async (name) => {
    const { map, report } = await readLinkageMap(linesSource(`snp,chr,${name}`, 'm1,1,0', 'm2,1,0.5'));
    expect([...(map?.positionCm ?? [])]).toEqual([0, 50]);
    expect(report.problems).toEqual([]);
    const agreed = await readLinkageMap(linesSource(`snp,chr,${name}`, 'm1,1,0', 'm2,1,0.5'), { unit: 'M' });
    expect([...(agreed.map?.positionCm ?? [])]).toEqual([0, 50]);
    const other = await readLinkageMap(linesSource(`snp,chr,${name}`, 'm1,1,0', 'm2,1,0.5'), { unit: 'cM' });
    expect([other.map, other.report.totals.byCode]).toEqual([null, { 'E-LM-UNIT': 1 }]);
  });

  test.each(['centimorgan', 'position_cM', 'pos_centiMorgans', 'gmap (cM)', 'linkMapPos_cM'])(
    '"%s" tells its unit too, and another one told beside it is refused',
    async (name) => {
      const text = [`snp,chr,${name}`, 'm1,1,0', 'm2,1,20'];
      for (const options of [{}, { unit: 'cM' }] as const) {
        const { map, report } = await readLinkageMap(linesSource(...text), options);
        expect([...(map?.positionCm ?? [])]).toEqual([0, 20]);
        expect(report.problems).toEqual([]);
      }
      const { report } = await readLinkageMap(linesSource(...text), { unit: 'M' });
      expect(report.problems.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
        'E-LM-UNIT',
      ]);
    },
  );
});

describe('crossing tables', () => {
  const females =
    spellings(`ind1, parent1, parent 1, p1, female, femaleParent, female_parent, female parent accession, mother, dam,
    maternal, seed parent, femaleName, femaleDbId, femaleObsUnitDbId`);
  const males =
    spellings(`ind2, parent2, parent 2, p2, male, maleParent, male_parent, male parent accession, father, sire, paternal,
    pollen parent, maleName, maleDbId, maleObsUnitDbId`);

  test.each([
    ...females.map((name): [string, string] => [name, 'male']),
    ...males.map((name): [string, string] => ['female', name]),
  ])('the parents stand under "%s" and "%s"', async (female, male) => {
    for (const [i, name] of variants(female).entries()) {
      // The male first: so the columns are not found by their order.
      const header = `${variants(male)[i]},${name}`;
      const { crosses, report } = await readCrossingTable(linesSource(header, 'B,A'));
      expect(crosses, header).toMatchObject([{ female: 'A', male: 'B' }]);
      expect(report.totals.warnings, header).toBe(0);
    }
  });

  test.each(spellings('name, cross, crossName, cross_unique_id, offspring, progeny, family'))(
    'the name stands under "%s"',
    async (name) => {
      const { crosses } = await readCrossingTable(linesSource(`female,male,${name}`, 'A,B,C1'));
      expect(crosses).toMatchObject([{ name: 'C1' }]);
    },
  );

  test.each(spellings('n, nProgeny, progeny number, count, wishMin'))('the number stands under "%s"', async (name) => {
    const { crosses } = await readCrossingTable(linesSource(`female,male,${name}`, 'A,B,12'));
    expect(crosses).toMatchObject([{ progenyCount: 12 }]);
  });

  test.each(spellings('type, cross_type, wishType'))('the type stands under "%s"', async (name) => {
    const { crosses } = await readCrossingTable(linesSource(`female,male,${name}`, 'A,B,DH', 'A,C,'));
    expect(crosses?.map(({ type }) => type)).toEqual(['DH', 'biparental']);
  });
});

describe('germplasm', () => {
  const names =
    spellings(`name, germplasm, germplasmName, Germplasm Name, accession, accession_name, accessionName, ACCENAME, designation,
    line, lineName, ind, individual, progeny, progeny name, entry name`);
  const females =
    spellings(`maternal, maternal parent, mother, dam, female, female_parent, female parent, female parent accession,
    femaleName, parent1, parent 1, p1`);
  const males = spellings(
    `paternal, father, sire, male, male_parent, male parent accession, maleName, parent2, parent 2, p2`,
  );

  test.each(names)('names stand under "%s"', async (name) => {
    const { entries } = await readGermplasm(linesSource(`${name},mother`, 'A,', 'B,A'));
    expect(entries).toMatchObject([{ name: 'A' }, { name: 'B', maternal: 'A' }]);
  });

  test.each(females)('the female parent stands under "%s"', async (name) => {
    const { entries } = await readGermplasm(linesSource(`germplasmName,${name}`, 'A,', 'B,A'));
    expect(entries?.[1]).toMatchObject({ maternal: 'A', paternal: null });
  });

  test.each(males)('the male parent stands under "%s"', async (name) => {
    const { entries } = await readGermplasm(linesSource(`germplasmName,${name}`, 'A,', 'B,A'));
    expect(entries?.[1]).toMatchObject({ maternal: null, paternal: 'A' });
  });

  test.each(spellings('collection, population, populationName, family, family name, panel, group'))(
    'the collection stands under "%s"',
    async (name) => {
      const { entries } = await readGermplasm(linesSource(`germplasmName,${name}`, 'A,NAM'));
      expect(entries).toMatchObject([{ collection: 'NAM' }]);
    },
  );

  test.each(spellings('synonym, synonyms, synonym(s), aliases, other names, OTHERNUMB'))(
    'synonyms stand under "%s"',
    async (name) => {
      const { entries } = await readGermplasm(linesSource(`germplasmName,${name}`, 'A,x;y'));
      expect(entries).toMatchObject([{ synonyms: ['x', 'y'] }]);
    },
  );

  test.each(['', 'NA', '0', 'unknown', '?', '.', '-', '-1', 'blank'])('a parent "%s" is unknown', async (parent) => {
    const { entries } = await readGermplasm(linesSource('name,mother,father', `A,${parent},${parent}`));
    expect(entries).toMatchObject([{ maternal: null, paternal: null }]);
  });
});

describe('parents, in every table', () => {
  // Of Breedbase, BMS, Helium, Intercross, Germinate, and in the languages of breeders.
  const pairs = [
    ['female parent accession', 'male parent accession(s)'],
    ['female parent', 'male parent'],
    ['FEMALE DESIGNATION', 'MALE DESIGNATION'],
    ['Maternal parent name', 'Paternal parent name'],
    ['Parent 1', 'Parent 2'],
    ['Mother line', 'Father line'],
    ['Mutter', 'Vater'],
    ['Mutterlinie', 'Vaterlinie'],
    ['weiblicher Elter', 'männlicher Elter'],
    ['Elter 1', 'Elter 2'],
    ['Samenelter', 'Pollenelter'],
    ['Mère', 'Père'],
    ['parent femelle', 'parent mâle'],
    ['nom de la mère', 'nom du père'],
    ['Madre', 'Padre'],
    ['progenitor femenino', 'progenitor masculino'],
    ['línea madre', 'línea padre'],
    ['mãe', 'pai'],
  ] as const;

  test.each(pairs)('"%s" and "%s"', async (female, male) => {
    // The father first, and with a name that stands between: no column is found by its place.
    const crosses = await readCrossingTable(linesSource(`${male};${female};Anzahl`, 'B;A;20'));
    expect(crosses.crosses).toMatchObject([{ female: 'A', male: 'B', progenyCount: 20 }]);
    const { entries } = await readGermplasm(
      linesSource(`${male};Name;${female};Synonyme;Sammlung`, 'B;C;A;x|y;NAM', ';A;;;', ';B;;;'),
    );
    expect(entries?.[0]).toMatchObject({ name: 'C', maternal: 'A', paternal: 'B', synonyms: ['x', 'y'] });
    expect(entries?.[0]).toMatchObject({ collection: 'NAM' });
    const { table } = await readPedigree(linesSource(`Linie;${female};${male}`, 'C;A;B'));
    expect(table?.names.slice(0, 3)).toEqual(['C', 'A', 'B']);
    expect([table?.maternal[0], table?.paternal[0]]).toEqual([1, 2]);
    expect(tableTypeOf(['Linie', female, male])?.type).toBe('PEDIGREE');
    expect(tableTypeOf([female, male, 'Anzahl'])?.type).toBe('CROSSING_TABLE');
  });

  test('a lost parent is asked about: one is known, and another column speaks of one', async () => {
    const asked = await readPedigree(linesSource('Name,Mutter,Bestäuber/Elternteil', 'C,A,B', 'D,A,E'));
    expect(asked.table).toBeNull();
    expect(asked.report.problems).toMatchObject([
      { code: 'E-COL-MALE', line: 1, column: 'Bestäuber/Elternteil (C)', value: 'Bestäuber/Elternteil' },
    ]);
    const roles = { 'Bestäuber/Elternteil': 'male' };
    const told = await readPedigree(linesSource('Name,Mutter,Bestäuber/Elternteil', 'C,A,B', 'D,A,E'), {
      mapping: { roles },
    });
    expect([...(told.table?.paternal.slice(0, 2) ?? [])].every((parent) => parent >= 0)).toBe(true);
    const none = { 'Bestäuber/Elternteil': 'ignore' };
    const without = await readPedigree(linesSource('Name,Mutter,Bestäuber/Elternteil', 'C,A,B', 'D,A,E'), {
      mapping: { roles: none },
    });
    expect([...(without.table?.paternal ?? [])].every((parent) => parent < 0)).toBe(true);
    expect(without.report.totals.errors).toBe(0);
    const crosses = await readCrossingTable(linesSource('female,pollen source (parent),n', 'A,B,3'));
    expect(crosses.report.problems).toMatchObject([{ code: 'E-COL-MALE', value: 'pollen source (parent)' }]);
    const germplasm = await readGermplasm(linesSource('name,Mother tree,Father tree', 'C,A,B'));
    expect(germplasm.report.problems.map(({ code }) => code)).toEqual(['E-COL-FEMALE', 'E-COL-MALE']);
  });

  test('what is only about one sex is no parent', async () => {
    const list = await readGermplasm(linesSource('name,male sterility,origin', 'A,cms-C,FR', 'B,normal,DE'));
    expect(list.report.problems).toEqual([]);
    const both = await readGermplasm(
      linesSource('name,female,male,female flowers,parental generation', 'A,,,12,', 'B,A,,14,'),
    );
    expect(both.report.totals.errors).toBe(0);
    expect(tableTypeOf(['line', 'male fertility', 'female fertility', 'yield'])).toBeNull();
    expect(tableTypeOf(['hybrid', 'female', 'male', 'plot', 'yield'])).toBeNull();
  });
});

describe('genotype matrices', () => {
  test.each(spellings('sample, taxa, id, name, ind'))('rows are samples under "%s"', async (name) => {
    for (const header of variants(name)) {
      const { panel } = await readFileOf(`${header},m1,m2\nA,0,2\nB,1,0\n`);
      expect(panel.samples, header).toEqual(['A', 'B']);
    }
  });

  test.each([
    'marker,chrom,pos,REF,ALT',
    'Marker,Chrom,Position,REF,ALT',
    'rs#,chr,bp,ref,alt',
    'SNP,Chromosome,Position,allele1,allele2',
    'SNPid,#CHROM,physPos,Ref_Allele,Alt_Allele',
    'locus,linkageGroup,position_bp,a1,a2',
  ])('rows are markers under %s', async (header) => {
    const { panel } = await readFileOf(`${header},A,B\nm1,2,7,G,T,0,2\nm2,2,9,A,C,1,0\n`);
    expect(panel).toMatchObject({ samples: ['A', 'B'] });
    expect(panel.markers[0]).toMatchObject({ id: 'm1', chromosome: '2', positionBp: 7, a1: 'G', a2: 'T' });
  });
});
