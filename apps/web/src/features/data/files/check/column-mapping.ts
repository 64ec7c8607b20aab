import type { FileType } from '@heterosis/contracts/data/files';
import {
  COLUMN_ROLES,
  type ColumnRole,
  columnRole,
  type FirstRows,
  type MappedTable,
  REPEATED_ROLES,
  type TableMapping,
} from '@heterosis/contracts/data/table-mapping';

/** Where the table stands in the file. */
export interface Place {
  sheet?: string;
  separator?: NonNullable<TableMapping['separator']>;
  header_line?: number;
  header_rows?: number;
}

export const SEPARATORS = [
  { value: ',', name: 'comma' },
  { value: ';', name: 'semicolon' },
  { value: '\t', name: 'tab' },
  { value: '|', name: 'bar' },
  { value: ' ', name: 'blanks' },
] as const;
export const DECIMAL_MARKS = [
  { value: '', name: 'both' },
  { value: '.', name: 'point' },
  { value: ',', name: 'comma' },
] as const;
/** Rows among which the header is chosen. */
export const HEADER_ROWS = 20;

export type MappedColumn = FirstRows['columns'][number];

/** What the columns hold: as the person says, else as the server found it. */
export const rolesOf = (found: readonly MappedColumn[], told: Readonly<Record<string, string>>): MappedColumn[] =>
  found.map(({ name, role }) => ({ name, role: columnRole.safeParse(told[name]).data ?? role }));

/** The choices of a column of such a table. */
export const rolesFor = (fileType: MappedTable): readonly ColumnRole[] =>
  fileType === 'PHENOTYPE'
    ? ['individual', 'measurement', ...COLUMN_ROLES.PHENOTYPE.filter((role) => role !== 'individual'), 'ignore']
    : [...COLUMN_ROLES[fileType], ...REPEATED_ROLES[fileType]];

/** The roles after a choice: a role that only one column has leaves the column that had it. */
export function withRole(
  fileType: MappedTable,
  columns: readonly MappedColumn[],
  name: string,
  role: ColumnRole,
): Record<string, ColumnRole> {
  const repeated: readonly ColumnRole[] = REPEATED_ROLES[fileType];
  const freed = repeated[0] ?? 'ignore';
  return Object.fromEntries(
    columns.map((column) => {
      if (column.name === name) return [name, role];
      return [column.name, column.role === role && !repeated.includes(role) ? freed : column.role];
    }),
  );
}

const REQUIRED = {
  PHENOTYPE: ['individual'],
  CROSSING_TABLE: ['female', 'male'],
  LINKAGE_MAP: ['chromosome', 'mapPosition'],
  PEDIGREE: ['name'],
  GERMPLASM: ['name'],
} as const satisfies Record<MappedTable, readonly ColumnRole[]>;
type RequiredRole = (typeof REQUIRED)[MappedTable][number] | 'measurement';

/** The first role that a table cannot do without and that no column has. */
export function missingRole(fileType: MappedTable, columns: readonly MappedColumn[]): RequiredRole | undefined {
  const has = (role: ColumnRole) => columns.some((column) => column.role === role);
  const required: readonly RequiredRole[] = REQUIRED[fileType];
  const lacking = required.find((role) => !has(role));
  if (fileType === 'GERMPLASM' && has('accessionNumber')) return undefined;
  if (lacking !== undefined || fileType !== 'PHENOTYPE') return lacking;
  return has('measurement') || (has('trait') && has('value')) ? undefined : 'measurement';
}

/** The mapping that is sent: as it is seen, so that nothing has to be recognized again. */
export function mappingOf(first: FirstRows, columns: readonly MappedColumn[], decimalMark: string): TableMapping {
  return {
    ...(first.sheets.length > 1 && first.sheet !== null ? { sheet: first.sheet } : {}),
    ...(first.separator === null ? {} : { separator: first.separator }),
    header_line: first.header_line,
    ...(first.header_rows > 1 ? { header_rows: first.header_rows } : {}),
    ...(decimalMark === '.' || decimalMark === ',' ? { decimal_mark: decimalMark } : {}),
    columns: [...columns],
  };
}

/** `-999, n.v.` as single codes. */
export const missingCodesOf = (text: string): string[] =>
  text
    .split(/[,\s]+/)
    .map((code) => code.trim())
    .filter((code) => code !== '');

export const isMappedTable = (type: FileType | null): type is MappedTable & FileType =>
  type !== null && Object.hasOwn(COLUMN_ROLES, type);
