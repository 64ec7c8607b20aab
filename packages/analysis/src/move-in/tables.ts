import { type Layout, REASONS, reasonToLeave } from '@heterosis/file-formats/move-in/layouts';
import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import { columnLetters } from '@heterosis/file-formats/problem';
import { headerKey, isMissing } from '@heterosis/file-formats/tables/text/cell-values';
import type { KnownSheet, Sheet } from './sheets.ts';

/** A table of ours, made of a table of another program. */
export interface Table {
  header: string[];
  rows: string[][];
}

/** What of a file does not come in, and why. */
export interface LeftBehind {
  what: string;
  why: string;
  /** Cells or rows with content; null where none are counted. */
  count: number | null;
}

/** A table of plots or lines with the columns that go on. */
export interface Mapped extends Table {
  left: LeftBehind[];
  /** Headers of columns that are neither ours nor left behind: traits or attributes, as they are written. */
  others: string[];
  /** How the plot of each row is called in the other program; empty where the table does not say. */
  plotNames: string[];
}

interface Column {
  index: number;
  ours: string;
}

/** A value with the moment of its observation, as Breedbase writes both into one cell. */
const WITH_TIME = /^([^,]*),\s*(?:\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*)?$/;
/** Columns of ours whose cells are changed on the way. */
const REWRITTEN: Readonly<Record<string, (cell: string) => string>> = { kind: kindOf, sowing_date: dayOf };

/**
 * The rows of a table of plots under our headers. A column that means nothing here stays behind with its reason; times
 * of observation are parted from their values. Rows whose trial is not named get `environment`.
 */
export function plotsOf(sheet: KnownSheet, environment: string): Mapped {
  const { layout } = sheet;
  const names = sheet.rows[sheet.header] ?? [];
  const rows = rowsBelow(sheet);
  const taken = columnsFor(layout.columns, names, rows);
  const afterNotes = names.findIndex((name) => headerKey(name) === 'notes');
  const left = unnamedColumns(names, rows);
  const others: Column[] = [];
  const plotName = names.findIndex((name) => PLOT_NAMES.includes(headerKey(name)));
  // Values of plots find their lines by it.
  const used = new Set([...taken.map(({ index }) => index), ...(layout.becomes === 'plot values' ? [plotName] : [])]);
  const known = new Set(layout.columns.map(([theirs]) => headerKey(theirs)));
  // They come with the list of lines.
  const ofLines = new Set((layout.lines ?? []).map(([theirs]) => headerKey(theirs)));
  for (const [index, name] of names.entries()) {
    if (name === '' || used.has(index) || (ofLines.has(headerKey(name)) && !known.has(headerKey(name)))) continue;
    const isTreatment = layout.program === 'Breedbase' && afterNotes >= 0 && index > afterNotes;
    const reason = isTreatment ? 'treatment' : reasonToLeave(layout, name);
    if (reason === undefined && layout.others === 'traits' && !known.has(headerKey(name))) {
      others.push({ index, ours: name });
      continue;
    }
    const why = reason === undefined ? 'another column says the same' : REASONS[reason];
    noteLeft(left, name, why, countFilled(rows, index));
  }
  const isNamed = taken.some(({ ours }) => ours === 'environment');
  let times = 0;
  const valueOf = (cell: string): string => {
    const value = layout.program === 'Breedbase' ? WITH_TIME.exec(cell)?.[1] : undefined;
    if (value === undefined) return cell;
    // Of an empty value only the comma is left.
    if (value !== '') times++;
    return value;
  };
  const table = {
    header: [...(isNamed ? [] : ['environment']), ...taken.map(({ ours }) => ours), ...headersOf(sheet, others)],
    rows: rows.map((cells) => [
      ...(isNamed ? [] : [environment]),
      ...taken.map(({ index, ours }) => {
        const cell = cells[index] ?? '';
        if (ours === 'environment' && layout.program === 'BMS') return `${environment}-${cell}`;
        return REWRITTEN[ours]?.(cell) ?? cell;
      }),
      ...others.map(({ index }) => valueOf(cells[index] ?? '')),
    ]),
  };
  if (times > 0) noteLeft(left, 'times of observation', 'values of a phenotype file have no time', times);
  return {
    ...table,
    left: [...left.values()],
    others: others.map(({ ours }) => ours),
    plotNames: plotName < 0 ? [] : rows.map((cells) => cells[plotName] ?? ''),
  };
}

const PLOT_NAMES = ['observation_unit_name', 'plot_name', 'observationUnitName'].map(headerKey);

/** The lines that a table of plots tells, each once; null for a layout that tells none. */
export function linesOf(sheet: KnownSheet): Table | null {
  const { layout } = sheet;
  if (layout.lines === undefined) return null;
  const names = sheet.rows[sheet.header] ?? [];
  const columns = columnsFor(layout.lines, names, rowsBelow(sheet));
  if (columns[0]?.ours !== 'name') return null;
  const seen = new Set<string>();
  const rows: string[][] = [];
  for (const cells of rowsBelow(sheet)) {
    const row = columns.map(({ index, ours }) => listOf(ours, cells[index] ?? ''));
    const key = row.join('\u0000');
    if (row[0] === '' || isMissing(row[0] ?? '') || seen.has(key)) continue;
    seen.add(key);
    rows.push(row);
  }
  return rows.length === 0 ? null : { header: columns.map(({ ours }) => ours), rows };
}

/**
 * The rows of a list of lines, pedigree or crosses under our headers. `further` are the sheets with more attributes of
 * the same lines.
 */
export function listTable(sheet: KnownSheet, further: readonly KnownSheet[] = []): Mapped {
  const { layout } = sheet;
  const names = sheet.rows[sheet.header] ?? [];
  const rows = rowsBelow(sheet);
  const taken = [...preferredName(sheet), ...columnsFor(layout.columns, names, rows)];
  const left = unnamedColumns(names, rows);
  const used = new Set(taken.map(({ index }) => index));
  const others: Column[] = [];
  for (const [index, name] of names.entries()) {
    if (name === '' || used.has(index)) continue;
    const reason = reasonToLeave(layout, name);
    if (reason === undefined && layout.others === 'attributes') others.push({ index, ours: name });
    else noteLeft(left, name, reason === undefined ? NO_PLACE : REASONS[reason], countFilled(rows, index));
  }
  const nameAt = taken.find(({ ours }) => ours === 'name')?.index ?? 0;
  const more = further.map((one) => attributesBy(one));
  const header = [...taken.map(({ ours }) => ours), ...headersOf(sheet, others), ...more.flatMap((one) => one.header)];
  const uniqueSynonyms = repeatedCells(rows, taken);
  const dropped = { count: 0 };
  const table = rows.map((cells) => [
    ...taken.map(({ index, ours }) => {
      const cell = ours === 'type' ? typeOf(cells[index] ?? '') : listOf(ours, cells[index] ?? '');
      if (ours !== 'synonyms' || layout.program !== 'Germinate' || uniqueSynonyms(cell)) return cell;
      if (cell !== '' && cell !== cells[nameAt]) dropped.count++;
      return '';
    }),
    ...others.map(({ index }) => cells[index] ?? ''),
    ...more.flatMap((one) => one.of(cells[nameAt] ?? '')),
  ]);
  if (dropped.count > 0)
    noteLeft(left, 'ACCENAME', 'several accessions have this name, so that it is no synonym of one', dropped.count);
  return { header, rows: table, left: [...left.values()], others: others.map(({ ours }) => ours), plotNames: [] };
}

const NO_PLACE = 'the product has no place for it';

/** A column that was taken for another, because the same thing stands in it: BMS names the column of the name. */
function preferredName(sheet: KnownSheet): Column[] {
  const names = sheet.rows[sheet.header] ?? [];
  const at = names.findIndex((name) => headerKey(name) === headerKey('PREFERRED NAME'));
  if (at < 0) return [];
  const told = rowsBelow(sheet)
    .map((cells) => headerKey(cells[at] ?? ''))
    .find((key) => key !== '');
  const index = [told, 'lname', 'drvnm'].reduce<number>(
    (found, key) => (found >= 0 || key === undefined ? found : names.findIndex((name) => headerKey(name) === key)),
    -1,
  );
  return index < 0 ? [] : [{ index, ours: 'name' }];
}

/** Whether a synonym stands in one row only, and is the name of no other. */
function repeatedCells(rows: readonly string[][], taken: readonly Column[]): (cell: string) => boolean {
  const at = (ours: string): number => taken.find((column) => column.ours === ours)?.index ?? -1;
  const counts = new Map<string, number>();
  for (const cells of rows) {
    const cell = normalizeName(cells[at('synonyms')] ?? '');
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  const names = new Set(rows.map((cells) => normalizeName(cells[at('name')] ?? '')));
  return (cell) => counts.get(normalizeName(cell)) === 1 && !names.has(normalizeName(cell));
}

function attributesBy(sheet: KnownSheet): { header: string[]; of(name: string): string[] } {
  const [, ...header] = sheet.rows[sheet.header] ?? [];
  const byName = new Map(rowsBelow(sheet).map(([name = '', ...cells]) => [normalizeName(name), cells]));
  return {
    header: header.filter((name) => name !== ''),
    of: (name) => {
      const cells = byName.get(normalizeName(name)) ?? [];
      return header.flatMap((one, k) => (one === '' ? [] : [cells[k] ?? '']));
    },
  };
}

/** Chromosome, position and calls of a sheet of Germinate, markers in rows, whichever way it lies. */
export function callsOf(sheet: KnownSheet): Table {
  const { rows, header } = sheet;
  const first = rows[header] ?? [];
  const corner = first.findIndex((name) => headerKey(name) === headerKey('Lines/Markers'));
  if (corner > 0) {
    const lines = first.slice(corner + 1);
    return {
      header: ['marker', 'chrom', 'pos', ...lines],
      rows: rowsBelow(sheet).map((cells) => [
        ...[cells[corner] ?? '', cells[0] ?? '', cells[1] ?? ''],
        ...lines.map((_, k) => callOf(cells[corner + 1 + k] ?? '')),
      ]),
    };
  }
  const above = (word: string): string[] =>
    rows.slice(0, header).find((cells) => headerKey(cells[0] ?? '').startsWith(word)) ?? [];
  const [chromosomes, positions] = [above('linkagegroup'), above('position')];
  const lines = rowsBelow(sheet);
  return {
    header: ['marker', 'chrom', 'pos', ...lines.map(([name = '']) => name)],
    rows: first.flatMap((marker, k) =>
      k === 0 || marker === ''
        ? []
        : [[marker, chromosomes[k] ?? '', positions[k] ?? '', ...lines.map((cells) => callOf(cells[k] ?? ''))]],
    ),
  };
}

/** `G/A` is a call of two letters; an empty cell is a missing one. */
const callOf = (cell: string): string => (isMissing(cell) ? 'NN' : cell.replace(/^([A-Z])[/|:]([A-Z])$/i, '$1$2'));

export function rowsBelow(sheet: Sheet & { header: number }): string[][] {
  return sheet.rows.slice(sheet.header + 1).filter((cells) => cells.some((cell) => cell !== ''));
}

/** Which columns go on under which header; of several for one of ours the first that is not empty. */
function columnsFor(wanted: Layout['columns'], names: readonly string[], rows: readonly string[][]): Column[] {
  const columns = new Map<string, Column>();
  for (const [theirs, ours] of wanted) {
    const index = names.findIndex((name) => headerKey(name) === headerKey(theirs));
    if (index < 0 || columns.has(ours) || countFilled(rows, index) === 0) continue;
    columns.set(ours, { index, ours });
  }
  return [...columns.values()];
}

/** Headers of other columns, told apart from ours. */
function headersOf(sheet: KnownSheet, others: readonly Column[]): string[] {
  const ours = new Set(sheet.layout.columns.map(([, name]) => headerKey(name)));
  if (sheet.layout.others === 'attributes') ours.add('name');
  return others.map((column) =>
    ours.has(headerKey(column.ours)) ? `${column.ours} (${sheet.layout.program})` : column.ours,
  );
}

/** Breedbase parts synonyms by commas, which a cell may hold besides. */
const listOf = (ours: string, cell: string): string =>
  ours === 'synonyms' && !/[;|]/.test(cell) ? cell.replaceAll(/\s*,\s*/g, ';') : cell;

/** Types of crosses that a crossing table knows; all others are crosses of two parents. */
function typeOf(cell: string): string {
  if (/^self$/i.test(cell)) return 'self';
  return /^(?:doubled[ _]haploid|dh)$/i.test(cell) ? 'DH' : '';
}

/** What the words for a check are here. */
function kindOf(cell: string): string {
  if (cell === '' || isMissing(cell)) return '';
  return /^(?:c|d|s|1|true|yes|.*check.*|.*control.*)$/i.test(cell) ? 'check' : 'entry';
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Breedbase writes 2026-April-03. */
function dayOf(cell: string): string {
  const [, year, month = '', day = ''] = /^(\d{4})-([A-Za-z]{3,})-(\d{1,2})$/.exec(cell) ?? [];
  const number = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return year === undefined || number === 0
    ? cell
    : `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Columns with content and without a header: nobody knows what they hold. */
function unnamedColumns(names: readonly string[], rows: readonly string[][]): Map<string, LeftBehind> {
  const left = new Map<string, LeftBehind>();
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), names.length);
  for (let index = 0; index < width; index++) {
    if ((names[index] ?? '') !== '') continue;
    noteLeft(left, `column ${columnLetters(index)}`, 'the column has no header', countFilled(rows, index));
  }
  return left;
}

function countFilled(rows: readonly string[][], index: number): number {
  return rows.reduce((count, cells) => count + (isMissing(cells[index] ?? '') ? 0 : 1), 0);
}

function noteLeft(left: Map<string, LeftBehind>, what: string, why: string, count: number): void {
  // A column without content is no loss.
  if (count > 0) left.set(what, { what, why, count });
}
