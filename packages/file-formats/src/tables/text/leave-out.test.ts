import { expect, test } from 'vitest';
import { readCrossingTable } from '../crossing-table/read-crossing-table.ts';
import { readPhenotype } from '../phenotype/read-phenotype.ts';
import { renameIndividuals } from '../rename-individuals.ts';
import { linesSource } from './table-text.test-data.ts';

const TRIAL = ['line;Yield;Height', 'A;1,5;x', '', 'B;2,5;70 cm', 'Mean;broken;71', 'C;3;72'];

test('rows and cells that a person leaves out are not read, and the report names them', async () => {
  const { report: before } = await readPhenotype(linesSource(...TRIAL));
  expect(before.totals.byCode).toMatchObject({ 'E-PH-NOT-NUMBER': 3 });
  const leftOut = { lines: [5], cells: ['C2', 'C4', 'B99'] };
  const { table, report } = await readPhenotype(linesSource(...TRIAL), { mapping: { leftOut } });
  expect(table?.individuals).toEqual(['A', 'B', 'C']);
  expect(table?.values.map((values) => [...values])).toEqual([
    [1.5, 2.5, 3],
    [Number.NaN, Number.NaN, 72],
  ]);
  expect(report.problems.find(({ code }) => code === 'I-LEFT-OUT')).toMatchObject({
    severity: 'info',
    value: '5, C2, C4',
    message: 'Left out, as was chosen: 1 row (5); 2 cells (C2, C4).',
  });
});

test('a row of another width can be left out, in any table', async () => {
  const crosses = ['female,male,n', 'A,B,10', 'A,C', 'B,C,20'];
  expect((await readCrossingTable(linesSource(...crosses))).crosses).toBeNull();
  const read = await readCrossingTable(linesSource(...crosses), { mapping: { leftOut: { lines: [3] } } });
  expect(read.crosses?.map(({ female, male }) => `${female}×${male}`)).toEqual(['A×B', 'B×C']);
});

test('a copy with other names is without what was left out', async () => {
  const chunks: Uint8Array[] = [];
  const mapping = { leftOut: { lines: [5], cells: ['C2'] } };
  for await (const chunk of renameIndividuals(linesSource(...TRIAL), 'PHENOTYPE', new Map([['C', 'C-1']]), mapping))
    chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe('line,Yield,Height\nA,1.5,\nB,2.5,70 cm\nC-1,3,72\n');
});
