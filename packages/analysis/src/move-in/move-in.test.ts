import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { xlsxChunks } from '@heterosis/file-formats/tables/text/xlsx-writer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveIn } from './move-in.ts';
import { moveInReport } from './move-in-report.ts';
import type { MovedFile } from './moved-file.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'move-in-'));
});
afterAll(() => rm(root, { recursive: true }));

type Cells = string[][];

/** A workbook with these sheets. */
async function workbook(sheets: Record<string, Cells>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const named = Object.entries(sheets).map(([name, rows]) => ({ name, rows }));
  for await (const chunk of xlsxChunks(named)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Moves a folder with these files in; gives what became of each, and the text of a file that was made. */
async function moved(name: string, files: Record<string, string | string[] | Buffer>) {
  const folder = join(root, name);
  const out = join(root, `${name}-out`);
  await mkdir(folder);
  for (const [file, content] of Object.entries(files))
    await writeFile(join(folder, file), Array.isArray(content) ? `${content.join('\n')}\n` : content);
  const all = await moveIn({ folder, out }, { threads: 1 });
  const of = (file: string): MovedFile => all.find((one) => one.file === file)!;
  const made = async (file: string): Promise<string[]> => (await readFile(join(out, file), 'utf8')).trim().split('\n');
  return { all, of, made, report: moveInReport(all, { folder, out }), written: await readdir(out) };
}

const counts = ({ made }: MovedFile) => made.map(({ type, counts: of }) => [type, of]);
const leftOf = ({ left }: MovedFile) => Object.fromEntries(left.map(({ what, count }) => [what, count]));

test('the phenotypes that Breedbase downloads come in with their lines; keys of its database stay behind', async () => {
  const header =
    'studyYear,programDbId,programName,studyDbId,studyName,plantingDate,locationDbId,locationName,germplasmDbId,germplasmName,germplasmSynonyms,observationLevel,observationUnitDbId,observationUnitName,replicate,blockNumber,plotNumber,rowNumber,colNumber,entryType,plantNumber,germplasmPedigreeFemaleParentName,dry matter content percentage|CO_334:0000092,fresh root weight|CO_334:0000012,notes,fertilized';
  const { of, made, report } = await moved('breedbase', {
    'trial.csv': [
      header,
      '2025,1,Cassava,7,"Ibadan, AYT",2025-April-03,3,Ibadan,11,TMS1,"I1,I2",plot,901,AYT-1,1,1,101,1,1,test,,P1,"35.5,2025-09-01 10:11:12-0500","-1.2",,1',
      '2025,1,Cassava,7,"Ibadan, AYT",2025-April-03,3,Ibadan,12,TMS2,,plot,902,AYT-2,1,1,102,1,2,check,,,"30,2025-09-01 10:12:12-0500",,eaten,',
    ],
  });
  const trial = of('trial.csv');
  expect(trial.takenFor).toBe('Breedbase: the download of phenotypes of trials');
  expect(await made('trial.phenotypes.csv')).toEqual([
    'environment,location,year,individual,kind,rep,block,plot,row,col,sowing_date,dry matter content percentage|CO_334:0000092,fresh root weight|CO_334:0000012',
    '"Ibadan, AYT",Ibadan,2025,TMS1,entry,1,1,101,1,1,2025-04-03,35.5,-1.2',
    '"Ibadan, AYT",Ibadan,2025,TMS2,check,1,1,102,1,2,2025-04-03,30,',
  ]);
  expect(await made('trial.germplasm.csv')).toEqual(['name,synonyms,female', 'TMS1,I1;I2,P1', 'TMS2,,']);
  expect(counts(trial)).toEqual([
    ['GERMPLASM', { lines: 2, 'with parents': 1, 'parents without a row': 1 }],
    ['PHENOTYPE', { lines: 2, traits: 2, environments: 1, values: 3 }],
  ]);
  expect(leftOf(trial)).toEqual({
    ...{ programDbId: 2, programName: 2, studyDbId: 2, locationDbId: 2, germplasmDbId: 2, observationLevel: 2 },
    ...{ observationUnitDbId: 2, observationUnitName: 2, notes: 1, fertilized: 1, 'times of observation': 2 },
  });
  expect(report).toContain(
    '- programDbId (2), studyDbId (2), locationDbId (2), germplasmDbId (2), observationUnitDbId (2): ',
  );
  expect(report).toContain('- trial.phenotypes.csv, as PHENOTYPE: lines 2, traits 2, environments 1, values 3');
});

test('values of plots take their lines from the layout; plots that no layout has are counted', async () => {
  const { of, made } = await moved('spreadsheets', {
    'layout.csv': [
      'plot_name,accession_name,plot_number,block_number,is_a_control,rep_number,row_number,col_number,seedlot_name',
      'p1,A,1,1,0,1,1,1,s1',
      'p2,B,2,1,1,1,1,2,',
    ],
    'values.xlsx': await workbook({
      Sheet1: [
        ['observationunit_name', 'height|CO_334:0000018'],
        ['p2', '12.5'],
        ['p9', '3'],
        ['p1', '0'],
      ],
    }),
  });
  expect(await made('values.phenotypes.csv')).toEqual([
    'environment,individual,kind,rep,block,plot,row,col,height|CO_334:0000018',
    'layout,B,check,1,1,2,1,2,12.5',
    'layout,A,entry,1,1,1,1,1,0',
  ]);
  expect(leftOf(of('values.xlsx'))).toEqual({ 'values of plots': 1 });
  expect(leftOf(of('layout.csv'))).toEqual({ plot_name: 2, seedlot_name: 1 });
  expect(of('layout.csv')).toMatchObject({ cameWith: 'values.xlsx', advice: [] });
});

test('values of plots without a layout, and a layout without values, stay behind and say so', async () => {
  const { all } = await moved('alone', {
    'a.csv': ['plot_name,accession_name,plot_number', 'p1,A,1'],
    'b.csv': ['plot_name,height', 'q1,2'],
  });
  expect(all.flatMap(({ left }) => left.map(({ what, count }) => [what, count]))).toEqual([
    ['plot_name', 1],
    ['the layout of plots', 1],
    ['values of plots', 1],
  ]);
});

test('the study book of BMS comes in; an old workbook says what to do', async () => {
  const { of, made } = await moved('bms', {
    'Hybrids.csv': [
      'TRIAL_INSTANCE,LOCATION_ID,LOCATION_ABBR,ENTRY_TYPE,GID,DESIGNATION,ENTRY_NO,OBS_UNIT_ID,REP_NO,PLOT_NO,FIELDMAP RANGE,FIELDMAP COLUMN,CROSS,PH_M_cm',
      '1,90,AGU,Test entry,501,Hyb1,1,abc,1,1,1,1,A/B,181',
      '2,91,IND,Check entry,502,Hyb2,2,abd,1,1,1,1,C/D,202.5',
    ],
    'list.csv': ['ENTRY_NO,GID,DESIGNATION,CROSS,NAME', '1,501,Hyb1,A/B,alias,late'],
    'old.xls': Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
  });
  expect(await made('Hybrids.phenotypes.csv')).toEqual([
    'environment,location,individual,kind,rep,plot,row,col,PH_M_cm',
    'Hybrids-1,AGU,Hyb1,entry,1,1,1,1,181',
    'Hybrids-2,IND,Hyb2,check,1,1,1,1,202.5',
  ]);
  expect(await made('Hybrids.germplasm.csv')).toEqual(['name,GID,CROSS', 'Hyb1,501,A/B', 'Hyb2,502,C/D']);
  // A column of theirs is not taken for one of ours of the same name.
  expect(await made('list.germplasm.csv')).toEqual(['name,GID,CROSS,NAME (BMS)', 'Hyb1,501,A/B,alias']);
  expect(leftOf(of('list.csv'))).toMatchObject({ ENTRY_NO: 1, 'column F': 1 });
  expect(of('old.xls')).toMatchObject({ made: [], takenFor: expect.stringContaining('.xls') });
  expect(of('old.xls').left[0]?.why).toContain('.xlsx');
});

test('decimal commas are kept as they are written, and read as decimals', async () => {
  const { of, made } = await moved('commas', {
    'a.csv': ['TRIAL_INSTANCE;DESIGNATION;PLOT_NO;GY', '1;A;1;5,25', '1;B;2;-0,5'],
  });
  expect((await made('a.phenotypes.csv')).slice(1)).toEqual(['a-1,A,1,"5,25"', `a-1,B,2,"'-0,5"`]);
  const [phenotypes] = of('a.csv').made.filter(({ type }) => type === 'PHENOTYPE');
  expect(phenotypes?.counts).toMatchObject({ values: 2 });
  expect(phenotypes?.problems.map(({ code }) => code)).toContain('I-DECIMAL-COMMA');
});

test('workbooks of Germinate come in by the numbers of accessions, with units and further attributes', async () => {
  const METADATA = [
    ['LABEL', 'DEFINITION', 'VALUE'],
    ['Title', 'A name', 'Ours'],
  ];
  const { of, made } = await moved('germinate', {
    'germplasm.xlsx': await workbook({
      METADATA,
      DATA: [
        ['PUID', 'INSTCODE', 'ACCENUMB', 'GENUS', 'ACCENAME', 'ANCEST'],
        ['', 'GBR251', 'C-1', 'Hordeum', 'Heris', ''],
        ['', 'GBR251', 'C-2', 'Hordeum', 'Twice', ''],
        ['', 'GBR251', 'C-3', 'Hordeum', 'Twice', 'C-1/C-2'],
      ],
      ADDITIONAL_ATTRIBUTES: [
        ['ACCENUMB/ATTRIBUTES', 'Barcode'],
        ['C-2', 'X7'],
      ],
      DATA_EXAMPLE: [
        ['ACCENUMB', 'ACCENAME', 'INSTCODE'],
        ['EXAMPLE', 'x', 'y'],
      ],
    }),
    'trials.xlsx': await workbook({
      METADATA,
      PHENOTYPES: [
        ['Name', 'Short Name', 'Description', 'Data Type', 'Unit Name', 'Unit Abbreviation'],
        ['Height', '', '', 'numeric', 'Centimeters', 'cm'],
        ['Type', '', '', 'categorical', '', ''],
      ],
      DATA: [
        ['Line/Phenotype', 'Rep', 'Row', 'Column', 'Treatment', 'Location', 'Latitude', 'Height', 'Type'],
        ['C-1', '1', '1', '1', '', 'Site A', '56.46', '84.5', '2'],
        ['C-2', '1', '1', '2', '', 'Site A', '56.47', '80', '6'],
      ],
      RECORDING_DATES: [
        ['Line/Phenotype', 'Height'],
        ['C-1', '20200820'],
      ],
    }),
    'calls.xlsx': await workbook({
      METADATA,
      DATA: [
        ['Linkage Group / Chromosome', '1H', '1H'],
        ['Position', '10', '25'],
        ['Lines/Markers', 'm1', 'm2'],
        ['C-1', 'A', 'G/T'],
        ['C-2', 'C', ''],
      ],
    }),
  });
  expect(await made('germplasm.germplasm.csv')).toEqual([
    'name,synonyms,PUID,INSTCODE,GENUS,ANCEST,Barcode',
    'C-1,Heris,,GBR251,Hordeum,,',
    'C-2,,,GBR251,Hordeum,,X7',
    'C-3,,,GBR251,Hordeum,C-1/C-2,',
  ]);
  expect(counts(of('germplasm.xlsx'))).toEqual([['GERMPLASM', { lines: 3, 'with parents': 1 }]]);
  expect(leftOf(of('germplasm.xlsx'))).toEqual({ 'the sheet METADATA': 1, ACCENAME: 2 });
  expect(await made('trials.phenotypes.csv')).toEqual([
    'environment,individual,location,rep,row,col,Height (cm),Type_#CAT',
    'trials,C-1,Site A,1,1,1,84.5,2',
    'trials,C-2,Site A,1,1,2,80,6',
  ]);
  expect(leftOf(of('trials.xlsx'))).toMatchObject({ 'the sheet RECORDING_DATES': 1, Latitude: 2 });
  expect(await made('calls.calls.csv')).toEqual(['marker,chrom,pos,C-1,C-2', 'm1,1H,10,A,C', 'm2,1H,25,GT,NN']);
  expect(counts(of('calls.xlsx'))).toEqual([['GENOTYPE', { samples: 2, markers: 2 }]]);
});

test('inputs of R scripts are read as they are, or packed into what our readers take', async () => {
  const lines = ['L1', 'L2', 'L3', 'L4', 'L5'];
  const markers = Array.from({ length: 24 }, (_, k) => `s${k + 1}`);
  const { of, report, written } = await moved('r', {
    'myGD.txt': [
      ['taxa', ...markers].join('\t'),
      ...lines.map((line, i) => [line, ...markers.map((_, k) => String((i + k) % 3))].join('\t')),
    ],
    'myGM.txt': ['Name\tChromosome\tPosition', ...markers.map((id, k) => `${id}\t1\t${100 * (k + 1)}`)],
    'myY.txt': ['Taxa\tYield', ...lines.map((line, k) => `${line}\t${5 + k / 4}`)],
    'myKI.csv': lines.map((line, i) => [line, ...lines.map((_, k) => (i === k ? '1.1' : '0.2'))].join(',')),
    'scores.csv': ['name,rust,notes', ...lines.map((line, k) => `${line},${k},x`)],
    'set.ped': lines.map((line) => `F ${line} 0 0 0 -9 A A`),
    'set.map': ['1\tm1\t0\t17'],
    'fit.R': ['library(rrBLUP)'],
    'model.rds': Buffer.from([0x1f, 0x8b, 8]),
  });
  expect(counts(of('myGD.txt'))).toEqual([['GENOTYPE', { samples: 5, markers: 24 }]]);
  expect(of('myGM.txt')).toMatchObject({ cameWith: 'myGD.txt', left: [] });
  expect(counts(of('myY.txt'))).toEqual([['PHENOTYPE', { lines: 5, traits: 1, environments: 0, values: 5 }]]);
  expect(of('myY.txt').made[0]).toMatchObject({ isSure: true, path: join(root, 'r', 'myY.txt') });
  expect(of('scores.csv').made[0]?.isSure).toBe(false);
  expect(of('myKI.csv')).toMatchObject({ made: [], takenFor: 'a matrix of relationships' });
  expect(counts(of('set.ped'))).toEqual([['GENOTYPE', { samples: 5, markers: 1 }]]);
  expect(of('set.map').cameWith).toBe('set.ped');
  expect(of('fit.R').made).toEqual([]);
  expect(of('model.rds').left[0]?.why).toContain('write.csv');
  expect(written.sort()).toEqual(['myGD.zip', 'set.zip']);
  expect(report).toContain('not read: notes');
  // Every file has its section.
  expect(report.match(/^## /gm)).toHaveLength(9);
});
