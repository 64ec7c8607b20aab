import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { memorySource } from '../../byte-source.ts';
import { gzipSource, textSource } from '../text/table-text.test-data.ts';
import type { PhenotypeTable } from './phenotype-table.ts';
import { readPhenotype } from './read-phenotype.ts';

/** A trial of 22 lines with two traits, plots missing here and there. */
const header = ['line', 'site', 'year', 'rep', 'Yield', 'Height'];
const rows: string[][] = Array.from({ length: 176 }, (_, plot) => {
  const [line, site, year, rep] = [
    plot % 22,
    Math.floor(plot / 22) % 2,
    Math.floor(plot / 44) % 2,
    Math.floor(plot / 88),
  ];
  const noise = ((plot * 29) % 23) / 10;
  const height = plot % 13 === 3 ? '' : String(80 + line + ((plot * 7) % 9));
  return [
    `L${line}`,
    `S${site}`,
    `${2020 + year}`,
    `${rep + 1}`,
    (40 + line / 3 + 4 * site + noise).toFixed(2),
    height,
  ];
}).filter((_, plot) => plot % 7 !== 4);

const csv = (cells: string[][], separator = ',') => `${cells.map((row) => row.join(separator)).join('\n')}\n`;

/** Words as inline strings, numbers as numbers. */
function xlsx(cells: string[][]): Uint8Array {
  const sheet = cells
    .map((row, r) => {
      const inRow = row.map((text, c) => {
        const place = `${String.fromCharCode(65 + c)}${r + 1}`;
        if (text === '') return '';
        return Number.isNaN(Number(text))
          ? `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
          : `<c r="${place}"><v>${text}</v></c>`;
      });
      return `<row r="${r + 1}">${inRow.join('')}</row>`;
    })
    .join('');
  const parts = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
}

const long = [
  ['trait', 'value', 'line', 'rep', 'site', 'year'],
  ...rows.flatMap(([line = '', site = '', year = '', rep = '', ...values]) =>
    ['Yield', 'Height'].map((trait, t) => [trait, values[t] ?? '', line, rep, site, year]),
  ),
];
const turned = (order: number[]) => [header, ...rows].map((row) => order.map((column) => row[column] ?? ''));

const SHAPES: [string, ReturnType<typeof textSource>][] = [
  ['tab separated', textSource(csv([header, ...rows], '\t'), 'trial.tsv')],
  [
    'semicolons and decimal commas',
    textSource(
      csv(
        [header, ...rows].map((row) => row.map((cell) => cell.replace('.', ','))),
        ';',
      ),
    ),
  ],
  ['gzipped', gzipSource(csv([header, ...rows]))],
  ['other column order', textSource(csv(turned([5, 3, 0, 2, 4, 1])))],
  ['long', textSource(csv(long))],
  ['xlsx', memorySource(xlsx([header, ...rows]), 'trial.xlsx')],
  ['long xlsx', memorySource(xlsx(long), 'trial.xlsx')],
];

async function tableOf(source: ReturnType<typeof textSource>): Promise<PhenotypeTable> {
  const { table, report } = await readPhenotype(source);
  if (table === null) throw new Error(JSON.stringify(report.problems));
  return table;
}

test.each(SHAPES)('%s: the same values give the same means, to the last digits', async (_, source) => {
  const base = await tableOf(textSource(csv([header, ...rows])));
  const found = await tableOf(source);
  for (const trait of ['Yield', 'Height']) {
    const of = (table: PhenotypeTable) => table.traits.findIndex(({ name }) => name === trait);
    const [a, b] = [of(base), of(found)];
    expect(b).toBeGreaterThanOrEqual(0);
    expect(found.h2[b]).toBeCloseTo(base.h2[a]!, 10);
    base.individuals.forEach((name, i) => {
      const row = found.individuals.indexOf(name);
      expect(found.values[b]![row]).toBeCloseTo(base.values[a]![i]!, 10);
      expect(found.observations[b]![row]).toBe(base.observations[a]![i]);
    });
  }
});
