import { expect, test } from 'vitest';
import type { ByteSource } from '../byte-source.ts';
import { readCrossingTable } from './crossing-table/read-crossing-table.ts';
import { readPhenotype } from './phenotype/read-phenotype.ts';
import { renameIndividuals } from './rename-individuals.ts';
import type { TableMapping } from './text/table-mapping.ts';
import { gzipSource, linesSource, textSource } from './text/table-text.test-data.ts';

const RENAMES = new Map([
  ['b-73', 'B73'],
  ['mo', 'Mo17, new'],
]);

async function rewritten(
  source: ByteSource,
  kind: 'PHENOTYPE' | 'CROSSING_TABLE',
  mapping?: TableMapping,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of renameIndividuals(source, kind, RENAMES, mapping)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('only the names of individuals change, and every value reads as before', async () => {
  const lines = ['# trial 7', 'line;Yield;note', ' b-73 ;-1,5;mo', 'mo;2;=a', 'Ki3;NA;"x ""y"", z"'];
  const text = await rewritten(linesSource(...lines), 'PHENOTYPE');
  expect(text).toBe('# trial 7\nline,Yield,note\nB73,-1.5,mo\n"Mo17, new",2,\'=a\nKi3,NA,"x ""y"", z"\n');
  const [before, after] = [await readPhenotype(linesSource(...lines)), await readPhenotype(textSource(text))];
  expect(after.table).toEqual({ ...before.table, individuals: ['B73', 'Mo17, new', 'Ki3'] });
});

test('TASSEL and R tables keep their shape, gzip is read', async () => {
  const tassel = '<Phenotype>\ntaxa\tdata\nTaxa\tEarHT\nb-73\t59.5\n';
  expect(await rewritten(gzipSource(tassel), 'PHENOTYPE')).toBe('<Phenotype>\ntaxa,data\nTaxa,EarHT\nB73,59.5\n');
  expect(await rewritten(linesSource('Yield', 'b-73,1'), 'PHENOTYPE')).toBe(',Yield\nB73,1\n');
});

test('a table is read as a person said: header below titles, roles, mark of decimals, what is left out', async () => {
  const lines = [
    ...['Trial of 2026;;;', 'Ort;Korn;Sorte;Ertrag', 'L1;b-73;b-73;1.234,5', 'L2;b-73;mo;2', ';;Mittel;618'],
    'L3;x;Ki3;-0,5',
  ];
  const mapping = {
    headerLine: 2,
    decimalMark: ',' as const,
    roles: { Sorte: 'individual', Ertrag: 'measurement', Ort: 'ignore', Korn: 'ignore' },
    leftOut: { lines: [5], cells: ['D4'] },
  };
  const text = await rewritten(linesSource(...lines), 'PHENOTYPE', mapping);
  expect(text).toBe('Sorte,Ertrag\nB73,1234.5\n"Mo17, new",\nKi3,-0.5\n');
  const before = await readPhenotype(linesSource(...lines), { mapping });
  const roles = { Sorte: 'individual', Ertrag: 'measurement' };
  const after = await readPhenotype(textSource(text), { mapping: { roles } });
  expect(after.table).toEqual({ ...before.table, individuals: ['B73', 'Mo17, new', 'Ki3'] });

  const crosses = { roles: { Mutter: 'female', Vater: 'male' } };
  expect(await rewritten(linesSource('Vater,Mutter,n', 'mo,b-73,b-73'), 'CROSSING_TABLE', crosses)).toBe(
    'Vater,Mutter,n\n"Mo17, new",B73,b-73\n',
  );
});

test('all parents of a cross are renamed, its name is not', async () => {
  const text = await rewritten(linesSource('cross,p1,p2,parent3', 'mo,mo,b-73,', 'C2,b-73,Ki3,mo'), 'CROSSING_TABLE');
  const { crosses } = await readCrossingTable(textSource(text));
  expect(crosses).toMatchObject([
    { name: 'mo', female: 'Mo17, new', male: 'B73' },
    { name: 'C2', female: 'B73', male: 'Ki3', parent3: 'Mo17, new' },
  ]);
  // By position: the second and third column.
  expect(await rewritten(linesSource('a,b,c', 'mo,mo,b-73'), 'CROSSING_TABLE')).toContain('mo,"Mo17, new",B73');
});
