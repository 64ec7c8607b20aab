import type { ChosenFileType } from '../../file-kinds.ts';
import { headerKey } from './cell-values.ts';
import type { Separator } from './delimited-text.ts';
import { HEADER_SPELLINGS, headersOf, type SpelledTable } from './header-spellings.ts';

/**
 * How a person says that a table is to be read, where its own layout does not tell. Everything left out is found from
 * the content.
 */
export interface TableMapping {
  /** Name of the sheet of a workbook; the first one by default. */
  sheet?: string;
  /** What separates the cells of a text. */
  separator?: Separator;
  /** Line of the header (row of a sheet), from 1; 0 when there is none, so that columns are called by their letters. */
  headerLine?: number;
  /** How many rows make the header together, the last of them at `headerLine`. */
  headerRows?: number;
  /** The mark of decimals; the other one of comma and point then separates thousands. */
  decimalMark?: ',' | '.';
  /** Role by the header of a column as it is written; one of its type in {@link COLUMN_ROLES}. */
  roles?: Readonly<Record<string, string>>;
  leftOut?: LeftOut;
}

/** What is not read of a table, because a person said so. */
export interface LeftOut {
  /** Lines of the file (rows of a sheet), from 1. */
  lines?: readonly number[];
  /** Cells by the letters of their column and their line, such as `D12`; they are read as empty. */
  cells?: readonly string[];
}

/** A column that a person leaves out. */
export const IGNORED_ROLE = 'ignore';
/** A column of measured values: a trait of its own. */
export const MEASURED_ROLE = 'measurement';
/** A column of numbers that is given as a covariate of the others, and is no trait itself. */
export const COVARIATE_ROLE = 'covariate';
/** Begins the key of such a column; no header has it. */
export const COVARIATE_KEY = '\u0001';
/** A column that is kept as it is, under its own header. */
export const ATTRIBUTE_ROLE = 'attribute';

export type MappedTable = Exclude<ChosenFileType, 'GENOTYPE' | 'GENES'> | 'GERMPLASM';

/** The table of the headers of each kind of table whose columns can be mapped. */
const SPELLED: Record<MappedTable, SpelledTable> = {
  PHENOTYPE: 'phenotype',
  CROSSING_TABLE: 'crossingTable',
  LINKAGE_MAP: 'linkageMap',
  PEDIGREE: 'germplasm',
  GERMPLASM: 'germplasm',
};

const rolesIn = (table: SpelledTable): string[] => Object.keys(HEADER_SPELLINGS[table]);

/** The roles of a table's columns, in the order in which they are asked. */
export const COLUMN_ROLES: Record<MappedTable, readonly string[]> = {
  PHENOTYPE: rolesIn('phenotype'),
  CROSSING_TABLE: rolesIn('crossingTable'),
  LINKAGE_MAP: rolesIn('linkageMap'),
  PEDIGREE: ['name', 'female', 'male', 'collection', 'crossType', 'generation', 'purdy'],
  GERMPLASM: rolesIn('germplasm').filter((role) => role !== 'purdy'),
};

/** Keys of the headers that a role has; the preferred first. */
export const keysOfRoleIn = (table: MappedTable, role: string): readonly string[] => headersOf(SPELLED[table], role);

/** Roles one of which every header has: they tell it from titles and notes. */
const TELLING_ROLES: Record<MappedTable, readonly string[]> = {
  PHENOTYPE: ['individual'],
  CROSSING_TABLE: ['female', 'male'],
  LINKAGE_MAP: ['chromosome'],
  PEDIGREE: ['name'],
  GERMPLASM: ['name', 'accessionNumber'],
};

/** What a reader tells of its columns, so that their header is found below titles and by the roles that people give. */
export interface TableLayout {
  table: MappedTable;
  mapping: TableMapping | undefined;
  /** Keys of headers that make a row the header. */
  known: ReadonlySet<string>;
}

export const tableLayout = (table: MappedTable, mapping: TableMapping | undefined): TableLayout => ({
  table,
  mapping,
  known: new Set(TELLING_ROLES[table].flatMap((role) => keysOfRoleIn(table, role))),
});

/** The role that a header has by itself; undefined when it is not known. */
export const roleOfHeader = (table: MappedTable, key: string): string | undefined =>
  key === '' ? undefined : COLUMN_ROLES[table].find((role) => keysOfRoleIn(table, role).includes(key));

const UNIT = /[([][^()[\]]{1,20}[)\]]$/;

/**
 * The key under which readers find a column: that of the header that stands for its role. Null for a column that is
 * left out; undefined when the person gave it no role.
 */
export function keyOfRole({ table, mapping }: TableLayout, name: string, index: number): string | null | undefined {
  const roles = mapping?.roles;
  if (roles === undefined || !Object.hasOwn(roles, name)) return undefined;
  const role = roles[name];
  if (role === IGNORED_ROLE) return null;
  // A key that no spelling has, so that the column is a trait or an attribute whatever its header says.
  if (role === MEASURED_ROLE || role === ATTRIBUTE_ROLE) return `\u0000${index}`;
  if (role === COVARIATE_ROLE && table === 'PHENOTYPE') return `${COVARIATE_KEY}${index}`;
  const header = COLUMN_ROLES[table].includes(role) ? keysOfRoleIn(table, role)[0] : undefined;
  if (header === undefined) throw new TypeError(`${table} has no column in the role "${role}"`);
  // Map positions keep the unit of their own header.
  const unit = role === 'mapPosition' ? (UNIT.exec(headerKey(name))?.[0] ?? '') : '';
  return header + unit;
}

/** The role of a column with a header of no known meaning. */
export function otherRole(table: MappedTable): string {
  return table === 'GERMPLASM' ? ATTRIBUTE_ROLE : IGNORED_ROLE;
}
