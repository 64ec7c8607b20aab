import type { ByteSource } from '../../byte-source.ts';
import { normalizeName } from '../../names/normalize-name.ts';
import { FileFormatError, ProblemCollector, type ProblemReport } from '../../problem.ts';
import { askForParents } from '../text/ask-for-parents.ts';
import { isMissing } from '../text/cell-values.ts';
import { headersOf } from '../text/header-spellings.ts';
import {
  findColumn,
  openTable,
  reportDuplicateColumns,
  reportIgnoredColumns,
  type Table,
  type TableColumn,
} from '../text/read-table.ts';
import { type TableMapping, tableLayout } from '../text/table-mapping.ts';
import { DescentCells } from './descent-cells.ts';
import type { GermplasmColumns, GermplasmRow } from './germplasm-table.ts';

export interface GermplasmReading {
  /** Rows in file order; null when the file cannot be read as a table of germplasm. */
  rows: GermplasmRow[] | null;
  columns: GermplasmColumns;
  /** Columns kept as attributes, as written. */
  attributes: string[];
  /** Line of the header, and the names in it; null when none was found. */
  header: { line: number; names: string } | null;
  /** Findings about the file itself; those about its content come from `settleGermplasm`. */
  report: ProblemReport;
}

export interface GermplasmReadOptions {
  signal?: AbortSignal;
  mapping?: TableMapping;
  /** Whose roles the mapping gives; default `GERMPLASM`. */
  table?: 'GERMPLASM' | 'PEDIGREE';
}

const UNKNOWN_PARENTS = new Set(['0', 'unknown', '?', '-1', 'blank']);

/**
 * Reads a germplasm table: name, collection, parents, synonyms, cross type and generation in many spellings, passport
 * data (MCPD), and Helium's one row per parent (child, parent). All other columns are kept as attributes. Rows are
 * given as written; `settleGermplasm` checks them. Bad content never throws. Rejects when the source cannot be read or
 * `signal` aborts.
 */
export async function readGermplasm(
  source: ByteSource,
  { signal, mapping, table: kind = 'GERMPLASM' }: GermplasmReadOptions = {},
): Promise<GermplasmReading> {
  const problems = new ProblemCollector();
  const nothing = { rows: null, columns: {}, attributes: [], header: null };
  try {
    const table = await openTable(source, {
      problems,
      expected: 'a germplasm table',
      layout: tableLayout(kind, mapping),
      byProgram: true,
      signal,
    });
    reportDuplicateColumns(table.columns, table.headerLine, problems);
    const roles = columnRoles(table, problems);
    if (roles === null) return { ...nothing, report: problems.report() };
    const rows = await readRows(table, roles, problems);
    return {
      rows: problems.errorCount > 0 ? null : rows,
      columns: labelsOf(roles),
      attributes: roles.attributes.map(({ name }) => name),
      header: { line: table.headerLine, names: namesOfHeader(table) },
      report: problems.report(),
    };
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    problems.add(error.problem);
    return { ...nothing, report: problems.report() };
  }
}

const namesOfHeader = ({ columns }: Table): string => columns.map(({ name }) => name).join(', ');

interface Roles {
  name: TableColumn;
  accessionNumber: TableColumn | undefined;
  collection: TableColumn | undefined;
  maternal: TableColumn | undefined;
  paternal: TableColumn | undefined;
  synonyms: TableColumn | undefined;
  otherNumbers: TableColumn | undefined;
  crossType: TableColumn | undefined;
  generation: TableColumn | undefined;
  crop: TableColumn | undefined;
  entryNo: TableColumn | undefined;
  femaleEntry: TableColumn | undefined;
  maleEntry: TableColumn | undefined;
  /** Helium: one row per parent. */
  parent: TableColumn | undefined;
  parentKind: TableColumn | undefined;
  attributes: TableColumn[];
}

function columnRoles(table: Table, problems: ProblemCollector): Roles | null {
  const pick = (role: string) => findColumn(table.columns, headersOf('germplasm', role));
  const name = pick('name') ?? pick('accessionNumber');
  if (name === undefined) {
    problems.error('E-COL-MISSING', {
      line: table.headerLine,
      value: namesOfHeader(table),
      message: 'The table has no column with the names of the germplasm.',
      suggestion: 'Name it "name", or say what the columns hold. If the first row holds data, put a header above it.',
    });
    return null;
  }
  const roles = {
    name,
    accessionNumber: pick('accessionNumber'),
    collection: pick('collection'),
    maternal: pick('female'),
    paternal: pick('male'),
    synonyms: pick('synonyms'),
    otherNumbers: pick('otherNumbers'),
    crossType: pick('crossType'),
    generation: pick('generation'),
    crop: pick('crop'),
    entryNo: pick('entryNo'),
    femaleEntry: pick('femaleEntry'),
    maleEntry: pick('maleEntry'),
    parent: pick('parent'),
    parentKind: pick('parentKind'),
  };
  // The numbers are worth keeping besides their use.
  const used = new Set<TableColumn | undefined>(Object.values(roles));
  if (roles.accessionNumber !== name) used.delete(roles.accessionNumber);
  used.delete(roles.entryNo);
  const others = table.columns.filter((column) => !used.has(column));
  const has = {
    female: roles.maternal !== undefined || roles.femaleEntry !== undefined,
    male: roles.paternal !== undefined || roles.maleEntry !== undefined,
  };
  // A column with one parent a row, or with pedigree strings, tells both.
  const tellsBoth = roles.parent ?? findColumn(table.columns, headersOf('germplasm', 'purdy'));
  if (has.female || has.male || tellsBoth === undefined) askForParents(table, has, others, problems);
  reportIgnoredColumns(
    others.filter((column) => column.name === ''),
    table.headerLine,
    problems,
  );
  return { ...roles, attributes: others.filter((column) => column.name !== '') };
}

const labelsOf = (roles: Roles): GermplasmColumns => {
  const { name, collection, crop, maternal, paternal, parent, synonyms, otherNumbers } = roles;
  const columns = {
    name,
    collection,
    crop,
    maternal: maternal ?? parent,
    paternal: paternal ?? parent,
    synonyms: synonyms ?? otherNumbers,
  };
  return Object.fromEntries(
    Object.entries(columns).flatMap(([role, column]) => (column === undefined ? [] : [[role, column.label]])),
  );
};

async function readRows(table: Table, roles: Roles, problems: ProblemCollector): Promise<GermplasmRow[]> {
  const rows: GermplasmRow[] = [];
  const hasOneParentARow = roles.parent !== undefined && roles.maternal === undefined && roles.paternal === undefined;
  const rowOf = new Map<string, GermplasmRow>();
  const byEntry = entryNumbers(roles);
  const once = sharedTexts();
  const descents = new DescentCells(roles, problems);
  await table.forEachRow(({ line, cells }) => {
    const row = rowFrom(line, cells, roles, { splitsAtCommas: !table.decimalComma, once, descents });
    if (!hasOneParentARow) {
      byEntry?.note(row, cells);
      rows.push(row);
      return;
    }
    const parent = parentName(cellOf(cells, roles.parent));
    const isMale = /^(?:m|male|paternal|father|sire)$/i.test(cellOf(cells, roles.parentKind));
    const earlier = rowOf.get(row.name);
    if (earlier === undefined) {
      rows.push(row);
      rowOf.set(row.name, row);
    }
    const child = earlier ?? row;
    if (isMale || (child.maternal !== null && child.paternal === null)) child.paternal = parent;
    else if (child.maternal === null) child.maternal = parent;
    // A third parent: a row of its own, which then contradicts the first.
    else if (parent !== null) rows.push({ ...row, maternal: parent });
  });
  byEntry?.resolve();
  descents.finish();
  return rows;
}

/** Different texts of which one string is kept for all rows: collections, origins and years repeat, numbers do not. */
const MOST_SHARED = 50_000;

/** Equal texts as one string: a text that was cut from a line keeps the whole line in memory. */
function sharedTexts(): RowReading['once'] {
  const known = new Map<string, string>();
  return <Text extends string | null>(text: Text): Text => {
    if (text === null) return text;
    const same = known.get(text);
    if (same !== undefined) return same as Text;
    if (known.size < MOST_SHARED) known.set(text, text);
    return text;
  };
}

const cellOf = (cells: readonly string[], column: TableColumn | undefined): string =>
  column === undefined ? '' : normalizeName(cells[column.index] ?? '');

interface RowReading {
  splitsAtCommas: boolean;
  descents: DescentCells;
  /** Gives equal texts as one string. */
  once<Text extends string | null>(text: Text): Text;
}

function rowFrom(
  line: number,
  cells: readonly string[],
  roles: Roles,
  { splitsAtCommas, once, descents }: RowReading,
): GermplasmRow {
  const text = (column: TableColumn | undefined): string | null => {
    const cell = cellOf(cells, column);
    // PostgreSQL cannot store NUL, which damaged files contain.
    return isMissing(cell) ? null : cell.replaceAll('\0', '');
  };
  const attributes: Record<string, string> = {};
  for (const column of roles.attributes) {
    const value = text(column);
    if (value !== null) attributes[column.name] = once(value);
  }
  const [name, furtherNames] = namesOf(cells, roles);
  // MCPD asks for a number of every accession; that of a line which has none is its name.
  const number = roles.accessionNumber?.name;
  if (number !== undefined && attributes[number] === name) delete attributes[number];
  const descent = descents.read(line, text(roles.crossType), text(roles.generation));
  Object.assign(attributes, descent.attributes);
  return {
    line,
    name,
    collection: once(text(roles.collection)),
    maternal: once(parentName(cellOf(cells, roles.maternal))),
    paternal: once(parentName(cellOf(cells, roles.paternal))),
    synonyms: distinct(
      furtherNames.concat(
        synonymsOf(cellOf(cells, roles.synonyms), splitsAtCommas),
        synonymsOf(cellOf(cells, roles.otherNumbers), splitsAtCommas).map(withoutInstitute),
      ),
    ),
    crossType: descent.crossType,
    selfingGenerations: descent.selfingGenerations,
    attributes,
    crop: text(roles.crop),
    isDistinct: false,
  };
}

/** Each name once. Most rows have one or none, for which an array of its own would have room for sixteen more. */
const distinct = (names: string[]): string[] => (names.length < 2 ? names : [...new Set(names)].slice());

/** MCPD's ACCENAME may hold several names separated by `;`: the first is the name, the others are synonyms. */
function namesOf(cells: readonly string[], roles: Roles): [name: string, further: string[]] {
  const cell = cellOf(cells, roles.name);
  if (isMissing(cell)) {
    const number = cellOf(cells, roles.accessionNumber);
    return [isMissing(number) ? '' : number, []];
  }
  if (roles.name.key !== 'accename' || !cell.includes(';')) return [cell, []];
  const [first = '', ...further] = cell.split(';').map(normalizeName).filter(Boolean);
  return [first, further];
}

/** MCPD writes other numbers as `institute:number`. */
const withoutInstitute = (text: string): string => normalizeName(text.replace(/^[A-Z]{3}\d{3,4}:/, ''));

/** Parents by entry number (DeltaBreed), resolved when all rows are read. */
function entryNumbers(roles: Roles) {
  const { entryNo, femaleEntry, maleEntry } = roles;
  if (entryNo === undefined || (femaleEntry === undefined && maleEntry === undefined)) return undefined;
  const nameOf = new Map<string, string>();
  const open: { row: GermplasmRow; female: string; male: string }[] = [];
  return {
    note(row: GermplasmRow, cells: readonly string[]): void {
      const entry = cellOf(cells, entryNo);
      if (!isMissing(entry)) nameOf.set(entry, row.name);
      open.push({ row, female: cellOf(cells, femaleEntry), male: cellOf(cells, maleEntry) });
    },
    resolve(): void {
      for (const { row, female, male } of open) {
        row.maternal ??= nameOf.get(female) ?? null;
        row.paternal ??= nameOf.get(male) ?? null;
      }
    },
  };
}

/** The name of a parent; null for the spellings of an unknown one. */
export function parentName(cell: string): string | null {
  return isMissing(cell) || UNKNOWN_PARENTS.has(cell.toLowerCase()) ? null : cell;
}

/** Synonyms are separated by `;` or `|`; by commas only if the cell was quoted and contains no `;`. */
function synonymsOf(cell: string, splitsAtCommas: boolean): string[] {
  if (isMissing(cell)) return [];
  const separator = /[;|]/.test(cell) ? /[;|]/ : splitsAtCommas ? /,/ : /[;|]/;
  return cell
    .split(separator)
    .map(normalizeName)
    .filter((synonym) => !isMissing(synonym));
}
