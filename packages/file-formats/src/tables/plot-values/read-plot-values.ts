import type { ByteSource } from '../../byte-source.ts';
import { FileFormatError, type FileProblem, ProblemCollector } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { parseTraitHeader } from '../phenotype/phenotype-header.ts';
import { isMissing } from '../text/cell-values.ts';
import { headerKeys, headersOf } from '../text/header-spellings.ts';
import { findColumn, openTable, type Table, type TableColumn } from '../text/read-table.ts';
import type { PlotValues, ValueColumnRole, WrittenPlot, WrittenTrait } from './plot-values.ts';

/** Most values of one file. */
const MAX_FILE_VALUES = 100_000;
const SAMPLES = 3;

const NAMES_OF_PLOTS = [
  ...headersOf('plotValues', 'plotId'),
  ...headersOf('plotValues', 'plotName'),
  ...headersOf('plotValues', 'plotNumber'),
];
const ROWS = [...headersOf('phenotype', 'row'), ...headerKeys('plot_row row_number')];
const COLUMNS = [...headersOf('phenotype', 'column'), ...headerKeys('plot_column column_number')];
const KNOWN = new Set([...NAMES_OF_PLOTS, ...ROWS, ...COLUMNS]);

/** What Field Book, Breedbase and our own books say of a plot besides; never traits. */
const DESCRIPTIVE = new Set([
  ...['replicate', 'block', 'treatment', 'plant', 'check', 'sowing'].flatMap((role) => headersOf('phenotype', role)),
  ...headerKeys(
    'pedigree notes whole_plot plot_length plot_width entry_no entryNumber gid observationLevel germplasmSynonyms',
    'seed_id seed_name tray_row tray_id geo_coordinates primary_id secondary_id',
    'number device_name attached_photo attached_video attached_audio',
    'germplasmDbId studyDbId locationDbId programDbId programName studyDescription',
    'observationDbId observationVariableDbId',
  ),
]);

/** Columns that Field Book writes after the attributes of the plot: there `location` is where the phone was. */
const FIELD_BOOK_TAIL = headerKeys('trait value timestamp person location number');

export type PlotValuesReading =
  | { values: PlotValues; problems: FileProblem[] }
  | { values: null; problem: FileProblem };

/**
 * Reads values of plots: the table and the database export of Field Book, and long and wide tables of other programs
 * (CSV, TSV, XLSX). Empty cells are no values. Bad content never throws; rejects when the source cannot be read.
 */
export async function readPlotValues(source: ByteSource, signal?: AbortSignal): Promise<PlotValuesReading> {
  const problems = new ProblemCollector();
  try {
    const layout = { table: 'PHENOTYPE', mapping: undefined, known: KNOWN } as const;
    const table = await openTable(source, { problems, expected: 'a file of values of plots', layout, signal });
    const values = await readValues(table, problems);
    const first = problems.report().problems.find(({ severity }) => severity === 'error');
    return first === undefined ? { values, problems: problems.report().problems } : { values: null, problem: first };
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    return { values: null, problem: error.problem };
  }
}

interface Roles {
  plots: TableColumn[];
  one: Partial<Record<Exclude<ValueColumnRole, 'plot' | 'description' | 'trait' | 'value'>, TableColumn>>;
  long: { trait: TableColumn; value: TableColumn } | null;
  isFieldBook: boolean;
  described: TableColumn[];
  rest: TableColumn[];
}

function rolesOf(table: Table): Roles {
  const named = table.columns.filter(({ name }) => name !== '');
  const taken = new Set<TableColumn>();
  const take = (keys: readonly string[], among: readonly TableColumn[] = named): TableColumn | undefined => {
    const column = findColumn(
      among.filter((candidate) => !taken.has(candidate)),
      keys,
    );
    if (column !== undefined) taken.add(column);
    return column;
  };
  const trait = findColumn(named, headersOf('phenotype', 'trait'));
  const value = findColumn(named, headersOf('phenotype', 'value'));
  const long = trait !== undefined && value !== undefined && trait !== value ? { trait, value } : null;
  if (long !== null) taken.add(long.trait).add(long.value);
  const tail = long === null ? [] : named.filter(({ index }) => index >= long.trait.index);
  const isFieldBook = FIELD_BOOK_TAIL.every((key) => tail.some((column) => column.key === key));
  const described = isFieldBook ? tail.filter(({ key }) => key === 'location' || DESCRIPTIVE.has(key)) : [];
  for (const column of described) taken.add(column);
  const plots: TableColumn[] = [];
  for (let one = take(NAMES_OF_PLOTS); one !== undefined; one = take(NAMES_OF_PLOTS)) plots.push(one);
  const one: Roles['one'] = {};
  const set = (role: keyof Roles['one'], keys: readonly string[]): void => {
    const column = take(keys);
    if (column !== undefined) one[role] = column;
  };
  set('row', ROWS);
  set('column', COLUMNS);
  set('trial', headersOf('phenotype', 'environment'));
  set('location', headersOf('phenotype', 'location'));
  set('season', headersOf('phenotype', 'year'));
  set('time', headersOf('phenotype', 'timestamp'));
  set('person', headersOf('plotValues', 'person'));
  set('line', headersOf('phenotype', 'individual'));
  const rest = named.filter((column) => !taken.has(column));
  described.push(...rest.filter(({ key }) => DESCRIPTIVE.has(key)));
  return { ...{ plots, one, long, isFieldBook, described }, rest: rest.filter(({ key }) => !DESCRIPTIVE.has(key)) };
}

async function readValues(table: Table, problems: ProblemCollector): Promise<PlotValues> {
  const roles = rolesOf(table);
  const { plots, one, long, isFieldBook, rest } = roles;
  if (plots.length === 0 && (one.row === undefined || one.column === undefined))
    throw new FileFormatError('E-PV-PLOT', {
      line: table.headerLine,
      value: table.columns.map(({ name }) => name).join(', '),
      message: 'No column says of which plot a value is.',
      suggestion: 'Name a column "plot" (number or name), "plot_id", or two columns "row" and "column".',
    });
  if (long === null && rest.length === 0)
    throw new FileFormatError('E-PV-TRAIT', {
      line: table.headerLine,
      value: table.columns.map(({ name }) => name).join(', '),
      message: 'The file has no column of values.',
      suggestion: 'Add a column for each trait, or two columns "trait" and "value".',
    });
  const read: PlotValues = {
    shape: long === null ? 'wide' : 'long',
    isFieldBook,
    columns: [],
    traits: [],
    rows: [],
    values: [],
  };
  const places = new Map<string, number>();
  const traitAt = (header: string): number => {
    const known = places.get(header);
    if (known !== undefined) return known;
    const { name, ontologyId } = parseTraitHeader(header);
    places.set(header, read.traits.length);
    return read.traits.push({ header, name, ontologyId, values: 0, numbers: 0, samples: [] }) - 1;
  };
  const wide = long === null ? rest.map((column) => ({ index: column.index, trait: traitAt(column.name) })) : [];
  repeatedHeaders(rest, long === null, table, problems);
  await table.forEachRow(({ line, cells }) => {
    const row = plotOf(roles, line, cells);
    const add = (trait: number, text: string): void => {
      if (text === '') return;
      if (read.values.length >= MAX_FILE_VALUES)
        throw new FileFormatError('E-TOO-LARGE', {
          line,
          message: `The file has more than ${groupedNumber(MAX_FILE_VALUES)} values.`,
          suggestion: 'Divide it.',
        });
      const number = table.numberOf(text);
      count(read.traits[trait], text, number);
      read.values.push({ row: read.rows.length, trait, text, number: Number.isNaN(number) ? null : number });
    };
    if (long === null) for (const { index, trait } of wide) add(trait, cells[index] ?? '');
    else if ((cells[long.trait.index] ?? '') !== '')
      add(traitAt(cells[long.trait.index] ?? ''), cells[long.value.index] ?? '');
    read.rows.push(row);
  });
  read.columns = table.columns.map((column) => ({ name: column.name, role: roleOf(column, roles) }));
  return read;
}

function plotOf({ plots, one }: Roles, line: number, cells: readonly string[]): WrittenPlot {
  const cell = (column: TableColumn | undefined): string => (column === undefined ? '' : (cells[column.index] ?? ''));
  const row: WrittenPlot = { line, plots: plots.map(cell).filter((text) => !isMissing(text)) };
  const set = (key: Exclude<keyof WrittenPlot, 'line' | 'plots'>, column: TableColumn | undefined): void => {
    const text = cell(column);
    if (!isMissing(text)) row[key] = text;
  };
  set('row', one.row);
  set('column', one.column);
  set('trial', one.trial);
  set('location', one.location);
  set('season', one.season);
  set('entry', one.line);
  set('time', one.time);
  set('person', one.person);
  return row;
}

function count(trait: WrittenTrait | undefined, text: string, number: number): void {
  if (trait === undefined || isMissing(text)) return;
  trait.values++;
  if (!Number.isNaN(number)) trait.numbers++;
  if (trait.samples.length < SAMPLES && !trait.samples.includes(text)) trait.samples.push(text);
}

function roleOf(column: TableColumn, { plots, one, long, described }: Roles): ValueColumnRole | null {
  if (plots.includes(column)) return 'plot';
  if (column === long?.trait) return 'trait';
  if (column === long?.value) return 'value';
  if (described.includes(column)) return 'description';
  for (const [role, own] of Object.entries(one)) if (own === column) return role as ValueColumnRole;
  return long === null && column.name !== '' ? 'trait' : null;
}

function repeatedHeaders(
  columns: readonly TableColumn[],
  isWide: boolean,
  table: Table,
  problems: ProblemCollector,
): void {
  if (!isWide) return;
  const first = new Map<string, TableColumn>();
  for (const column of columns) {
    const earlier = first.get(column.name);
    if (earlier === undefined) first.set(column.name, column);
    else
      problems.error('E-COL-DUP', {
        ...{ line: table.headerLine, column: column.label, value: column.name },
        message: `The columns ${earlier.label} and ${column.label} have the same header.`,
        suggestion: 'Rename or remove one of them.',
      });
  }
}
