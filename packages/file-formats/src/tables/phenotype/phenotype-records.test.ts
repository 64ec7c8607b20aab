import { expect, test } from 'vitest';
import { memorySource } from '../../byte-source.ts';
import { type PhenotypeRecords, readPhenotypeRecords } from './phenotype-records.ts';

const read = async (text: string): Promise<PhenotypeRecords> => {
  const records = await readPhenotypeRecords(memorySource(new TextEncoder().encode(text), 'trials.csv'));
  if (records === null) throw new Error('no header');
  return records;
};

/** Each observation as one line: individual, environment, trait, value. */
const listed = ({ traits, environments, units, unit, trait, value }: PhenotypeRecords): string[] =>
  Array.from(unit, (u, i) => {
    const { individual, environment } = units[u]!;
    return [individual, environments[environment]?.name, traits[trait[i]!]?.name, value[i]].join(' | ');
  });

test('a wide file has one unit a row and leaves missing values out', async () => {
  const records = await read('line,Yield (t/ha),colour\nA,5.10,red\nB,NA,blue\nC,7,\n');
  expect(listed(records)).toEqual([
    'A |  | Yield | 5.1',
    'A |  | colour | red',
    'B |  | colour | blue',
    'C |  | Yield | 7',
  ]);
  expect(records.units).toHaveLength(3);
  expect(records.traits).toMatchObject([
    { name: 'Yield', unit: 't/ha', kind: 'numeric' },
    { name: 'colour', unit: null, kind: 'categorical' },
  ]);
  expect(records.environments).toEqual([{ name: null, design: {} }]);
});

test('design columns make environments, and say where a plot lies', async () => {
  const records = await read(
    'line,location,year,rep,row,col,Yield\nA,Hai Duong,2021,1,1,2,5\nB,Hai Duong,2021,1,1,3,6\nA,Hue,2022,1,4,4,7\n',
  );
  expect(records.environments).toMatchObject([
    { name: 'Hai Duong / 2021', design: { location: 'Hai Duong', year: '2021' } },
    { name: 'Hue / 2022', design: { location: 'Hue', year: '2022' } },
  ]);
  expect(records.units[2]).toEqual({
    line: 4,
    individual: 'A',
    environment: 1,
    design: { location: 'Hue', year: '2022', replicate: '1', row: '4', column: '4' },
  });
});

test('a long file has one unit for all traits of a plot', async () => {
  const records = await read(
    'line,plot,trait,value,timestamp\nA,1,Yield,5,2021-07-01T10:00:00Z\nB,2,Yield,6,\nA,1,Height,90,2021-07-02T10:00:00Z\n',
  );
  expect(records.units.map(({ individual, design }) => [individual, design.plot])).toEqual([
    ['A', '1'],
    ['B', '2'],
  ]);
  expect(listed(records)).toEqual(['A |  | Yield | 5', 'A |  | Height | 90', 'B |  | Yield | 6']);
  expect(records.time[0]).toBe(Date.UTC(2021, 6, 1, 10));
});
