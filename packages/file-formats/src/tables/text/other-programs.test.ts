import { describe, expect, test } from 'vitest';
import { type ByteSource, memorySource } from '../../byte-source.ts';
import { readCrossingTable } from '../crossing-table/read-crossing-table.ts';
import { readGermplasm } from '../germplasm/read-germplasm.ts';
import { readLinkageMap } from '../linkage-map/read-linkage-map.ts';
import { readPhenotype } from '../phenotype/read-phenotype.ts';
import { linesSource, problemOf } from './table-text.test-data.ts';
import { xlsxChunks } from './xlsx-writer.ts';

// Tables as other programs write them, each cut to a few rows.

async function workbook(sheets: Record<string, string[][]>): Promise<ByteSource> {
  const chunks: Uint8Array[] = [];
  const named = Object.entries(sheets).map(([name, rows]) => ({ name, rows }));
  for await (const chunk of xlsxChunks(named)) chunks.push(chunk);
  return memorySource(Buffer.concat(chunks));
}

const traitsOf = async (...lines: string[]): Promise<Record<string, number[]>> => {
  const { table, report } = await readPhenotype(linesSource(...lines));
  expect(report.totals.errors, JSON.stringify(report.problems)).toBe(0);
  return Object.fromEntries((table?.traits ?? []).map(({ name }, i) => [name, [...(table?.values[i] ?? [])]]));
};

describe('phenotypes of', () => {
  test('Breedbase: the keys of its database and its descriptions are no traits', async () => {
    const header = [
      'studyYear,programDbId,programName,programDescription,studyDbId,studyName,studyDescription,studyDesign,plotWidth,plotLength',
      'fieldSize,fieldTrialIsPlannedToBeGenotyped,fieldTrialIsPlannedToCross,plantingDate,harvestDate,locationDbId,locationName',
      'germplasmDbId,germplasmName,germplasmSynonyms,observationLevel,observationUnitDbId,observationUnitName,replicate',
      'blockNumber,plotNumber,rowNumber,colNumber,entryType,plantNumber,dry matter content percentage|CO_334:0000092,notes',
    ].join(',');
    const row = (name: string, plot: number, value: number) =>
      `2014,132,test,test,137,Kasese trial,"A trial, loaded",CRD,,,,,,2014-January-01,,23,Kasese,38878,${name},,plot,${plot},KASESE_${plot},1,1,${plot},,,test,,${value},`;
    const lines = [header, row('UG120001', 1000, 29.5), row('UG120002', 1001, 31.5)];
    expect(await traitsOf(...lines)).toEqual({ 'dry matter content percentage': [29.5, 31.5] });
    const { report } = await readPhenotype(linesSource(...lines));
    expect(report.problems.filter(({ code }) => code === 'W-COL-IGNORED').map(({ value }) => value)).toContain(
      'plotNumber',
    );
  });

  test('BMS', async () => {
    const lines = ['TRIAL_INSTANCE,ENTRY_TYPE,GID,DESIGNATION,ENTRY_NO,OBS_UNIT_ID,REP_NO,PLOT_NO,BLOCK_NO,GY_t_ha'];
    expect(await traitsOf(...lines, '1,T,10,B73,1,a,1,1,1,5.5', '1,T,11,Mo17,2,b,1,2,1,6.5')).toEqual({
      GY_t_ha: [5.5, 6.5],
    });
  });

  test('a layout with values of Breedbase: stocks of seed and numbers of ranges are no traits', async () => {
    const lines = [
      'plot_name,accession_name,plot_number,block_number,is_a_control,rep_number,range_number,row_number,col_number,seedlot_name,num_seed_per_plot,weight_gram_seed_per_plot,height|CO_334:0000018',
      'p1,A,1,1,,1,1,1,1,s,12,4,20',
      'p2,A,2,1,,2,1,2,1,s,12,4,22',
      'p3,B,3,1,1,1,1,3,1,s,12,4,30',
      'p4,B,4,1,1,2,1,4,1,s,12,4,34',
    ];
    expect(await traitsOf(...lines)).toEqual({ height: [21, 32] });
    const { report, design } = await readPhenotype(linesSource(...lines));
    expect(design.replicates).toContain('rep');
    expect(problemOf(report, 'I-PROGRAM').message).toContain('seedlot_name, num_seed_per_plot');
  });

  test('workbooks of Germinate and BMS are read from the sheet with the table', async () => {
    const germinate = await workbook({
      METADATA: [['LABEL', 'DEFINITION', 'VALUE']],
      DATA: [
        ['Line/Phenotype', 'Rep', 'Row', 'Column', 'Location', 'Latitude', 'Longitude', 'Elevation', 'Height'],
        ['C-1', '1', '1', '1', 'Site A', '56.46', '-3.11', '38.9', '84.5'],
        ['C-2', '1', '1', '2', 'Site A', '56.47', '-3.12', '39.9', '80'],
      ],
    });
    const bms = await workbook({
      Description: [['STUDY', 'Hybrids']],
      Observation: [
        ['TRIAL_INSTANCE', 'DESIGNATION', 'PLOT_NO', 'FIELDMAP COLUMN', 'FIELDMAP RANGE', 'PH_M_cm'],
        ['1', 'Hyb1', '1', '1', '1', '181'],
        ['1', 'Hyb2', '2', '2', '1', '202.5'],
      ],
    });
    for (const [source, trait, values] of [
      [germinate, 'Height', [84.5, 80]],
      [bms, 'PH_M_cm', [181, 202.5]],
    ] as const) {
      const { table, report } = await readPhenotype(source);
      expect(report.totals.errors, JSON.stringify(report.problems)).toBe(0);
      expect(table?.traits.map(({ name }) => name)).toEqual([trait]);
      expect([...(table?.values[0] ?? [])]).toEqual(values);
    }
  });

  test('DeltaBreed', async () => {
    const lines = [
      'Germplasm Name,Germplasm GID,Test (T) or Check (C ),Exp Title,Exp Unit,Exp Unit ID,Exp Type,Env,Env Location,Env Year,Exp Replicate #,Exp Block #,Row,Column,Treatment Factors,ObsUnitID,Plant Height',
      'B73,1,T,E1,Plot,1,Phenotyping,New York Study,New York,2023,1,1,1,1,,u1,100',
      'Mo17,2,T,E1,Plot,2,Phenotyping,New York Study,New York,2023,1,1,1,2,,u2,110',
    ];
    expect(await traitsOf(...lines)).toEqual({ 'Plant Height': [100, 110] });
  });

  test('Field Book, as table and as database', async () => {
    const table = ['"plot_id","range","plot","seed_name","pedigree","height"', '"P1","1","1","B73","x/y","180"'];
    expect(await traitsOf(...table, '"P2","1","2","Mo17","x/y","175"')).toEqual({ height: [180, 175] });
    const header =
      '"plot_id","range","plot","tray_row","tray_id","seed_id","seed_name","pedigree","trait","value","timestamp","person","location","number"';
    const row = (plot: string, name: string, value: number) =>
      `"${plot}","1","${plot}","1","13","A1","${name}","x/y","height","${value}","2026-06-01 10:00:00-0500","T","44.15,-93.21","1"`;
    expect(await traitsOf(header, row('1', 'B73', 180), row('2', 'Mo17', 175))).toEqual({ height: [180, 175] });
  });

  test('BrAPI, one row an observation', async () => {
    const header =
      'germplasmName,germplasmDbId,observationUnitName,observationVariableName,observationVariableDbId,value,observationTimeStamp,studyName,locationName,season';
    const row = (name: string, value: number) =>
      `${name},1,p${name},Plant height,CO_322:1,${value},2026-06-01T10:00:00Z,S1,L1,2026`;
    expect(await traitsOf(header, row('B73', 100), row('Mo17', 110))).toEqual({ 'Plant height': [100, 110] });
  });

  test('TASSEL, with the kinds of its columns', async () => {
    expect(
      await traitsOf('<Phenotype>', 'taxa\tdata\tdata', 'Taxa\tEarHT\tdpoll', '811\t59.5\tNaN', '33-16\t64.75\t64.5'),
    ).toEqual({ EarHT: [59.5, 64.75], dpoll: [Number.NaN, 64.5] });
  });

  test('Flapjack, whose experiments may be years', async () => {
    for (const experiments of ['\t2019\t2020', '\tspring\tautumn'])
      expect(await traitsOf('# fjFile = PHENOTYPE', '\tYield\tHeight', experiments, 'B73\t5\t6')).toEqual({
        Yield: [5],
        Height: [6],
      });
  });

  test('R, whose rows have names and their column none', async () => {
    const expected = { EarHT: [59.5, 64.75] };
    expect(await traitsOf('"","EarHT"', '"811",59.5', '"33-16",64.75')).toEqual(expected);
    expect(await traitsOf('"EarHT"\t"dpoll"', '"811"\t59.5\tNA', '"33-16"\t64.75\tNA')).toMatchObject(expected);
    const { report } = await readPhenotype(linesSource('"EarHT" "dpoll"', '"811" 59.5 NA'));
    expect(problemOf(report, 'E-COL-MISSING').suggestion).toContain('separates its columns');
  });
});

test('germplasm of Germinate goes by the numbers of accessions; passport data of others by their names', async () => {
  const DATA = [
    ['INSTCODE', 'ACCENUMB', 'ACCENAME'],
    ['GBR251', 'C-1', 'Heris'],
  ];
  const named = async (sheets: Record<string, string[][]>) =>
    (await readGermplasm(await workbook(sheets))).rows?.map(({ name, synonyms }) => [name, synonyms]);
  expect(await named({ METADATA: [['LABEL', 'DEFINITION', 'VALUE']], DATA })).toEqual([['C-1', ['Heris']]]);
  expect(await named({ Passport: DATA })).toEqual([['Heris', []]]);
});

test('a map of GAPIT has base pairs alone, and the message says what to do', async () => {
  const { map, report } = await readLinkageMap(
    linesSource('Name\tChromosome\tPosition', 'PZB00859.1\t1\t157104', 'PZA01271.1\t1\t1947984'),
  );
  expect(map).toBeNull();
  expect(report.problems.map(({ code }) => code)).toEqual(['E-LM-NO-POS-COL']);
  expect(problemOf(report, 'E-LM-NO-POS-COL').suggestion).toContain('template');
});

test('a map of MapChart has its chromosomes under Group', async () => {
  const { map } = await readLinkageMap(linesSource('Locus\tGroup\tPosition', 'm1\tLG1\t0', 'm2\tLG1\t10'));
  expect(map).toMatchObject({ markerId: ['m1', 'm2'], chromosome: ['LG1', 'LG1'] });
});

test('a wish list of Intercross names its parents first and their keys as fallback', async () => {
  const { crosses } = await readCrossingTable(
    linesSource(
      'femaleDbId,maleDbId,femaleName,maleName,wishType,wishMin,wishMax',
      '1,2,A,B,fruit,10,20',
      '3,4,,D,seed,5,9',
    ),
  );
  expect(crosses).toMatchObject([
    { female: 'A', male: 'B', progenyCount: 10, type: 'biparental' },
    { female: '3', male: 'D', progenyCount: 5 },
  ]);
});
