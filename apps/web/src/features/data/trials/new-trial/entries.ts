import type { EntriesReading } from '@heterosis/contracts/data/trials';
import type { DesignEntry } from '@heterosis/statgen/designs/design-types';

/** What stands in the field of entries: lines, and what is wrong with some of them. */
export interface ReadEntries {
  entries: DesignEntry[];
  /** Names that stand twice. */
  repeated: string[];
  /** Numbers of lines whose replicates are no whole number from 1. */
  wrong: number[];
}

const HEADERS = {
  name: ['name', 'entry', 'line', 'genotype', 'germplasm', 'germplasmname', 'variety', 'accession'],
  replicates: ['replicates', 'replicate', 'reps', 'rep'],
  family: ['family', 'cross', 'pedigree'],
} as const;

const fold = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]/g, '');

/**
 * Reads pasted names, one a line, or rows of a table: a name, optionally replicates and a family. A first row of
 * headers says which columns they are; without it the columns follow in that order.
 */
export function readEntries(text: string): ReadEntries {
  const separator = separatorOf(text);
  const rows = text.split(/\r\n|\r|\n/).map((line, at) => ({ at: at + 1, cells: cellsOf(line, separator) }));
  const [first] = rows;
  const at = columnsOf(first?.cells ?? []);
  const read: ReadEntries = { entries: [], repeated: [], wrong: [] };
  const seen = new Set<string>();
  for (const row of at === undefined ? rows : rows.slice(1)) {
    const columns = at ?? { name: 0, replicates: 1, family: 2 };
    const cell = (column: number): string => row.cells[column] ?? '';
    const name = cell(columns.name);
    if (name === '' || name.startsWith('#')) continue;
    if (seen.has(name)) {
      read.repeated.push(name);
      continue;
    }
    seen.add(name);
    const [replicates, family] = [cell(columns.replicates), cell(columns.family)];
    const count = Number(replicates);
    if (replicates !== '' && !(Number.isInteger(count) && count >= 1)) read.wrong.push(row.at);
    read.entries.push({
      name,
      ...(replicates !== '' && Number.isInteger(count) && count >= 1 ? { replicates: count } : {}),
      ...(family === '' ? {} : { family }),
    });
  }
  return read;
}

/** Whether the first line says what columns follow. */
export const hasHeader = (text: string): boolean =>
  columnsOf(cellsOf(text.split(/\r\n|\r|\n/, 1)[0] ?? '', separatorOf(text))) !== undefined;

/** Names of lines may contain commas; tables of spreadsheets come with tabs. */
function separatorOf(text: string): string | undefined {
  if (text.includes('\t')) return '\t';
  const [first = ''] = text.split(/\r\n|\r|\n/, 1);
  return [';', ','].find((separator) => columnsOf(cellsOf(first, separator)) !== undefined);
}

const cellsOf = (line: string, separator: string | undefined): string[] =>
  (separator === undefined ? [line] : line.split(separator)).map((cell) => cell.trim().replaceAll(/^"|"$/g, ''));

function columnsOf(cells: readonly string[]): Record<keyof typeof HEADERS, number> | undefined {
  const find = (names: readonly string[]): number => cells.findIndex((cell) => names.includes(fold(cell)));
  const name = find(HEADERS.name);
  if (name < 0) return undefined;
  return { name, replicates: find(HEADERS.replicates), family: find(HEADERS.family) };
}

/** As it may be pasted: names, with further columns where an entry has more. */
export function textOfEntries(entries: EntriesReading['entries']): string {
  const hasReplicates = entries.some(({ replicates }) => replicates !== null);
  const hasFamilies = entries.some(({ family }) => family !== null);
  if (!hasReplicates && !hasFamilies) return entries.map(({ name }) => name).join('\n');
  const rows = entries.map(({ name, replicates, family }) => [
    name,
    ...(hasReplicates ? [replicates ?? ''] : []),
    ...(hasFamilies ? [family ?? ''] : []),
  ]);
  const header = ['name', ...(hasReplicates ? ['replicates'] : []), ...(hasFamilies ? ['family'] : [])];
  return [header, ...rows].map((cells) => cells.join('\t')).join('\n');
}
