import * as z from 'zod';
import { type FileType, fileType } from './file-types.ts';

/** What a column may hold, by the type of the table; the server compares it with the readers. */
export const COLUMN_ROLES = {
  PHENOTYPE: [
    'individual',
    'environment',
    'location',
    'year',
    'treatment',
    'replicate',
    'block',
    'row',
    'column',
    'plot',
    'plant',
    'sowing',
    'check',
    'trait',
    'value',
    'timestamp',
  ],
  CROSSING_TABLE: ['female', 'male', 'parent3', 'parent4', 'name', 'progeny', 'type'],
  LINKAGE_MAP: ['marker', 'chromosome', 'basePairs', 'mapPosition'],
  PEDIGREE: ['name', 'female', 'male', 'collection', 'crossType', 'generation', 'purdy'],
  GERMPLASM: [
    'name',
    'accessionNumber',
    'collection',
    'female',
    'male',
    'synonyms',
    'otherNumbers',
    'crossType',
    'generation',
    'crop',
    'entryNo',
    'femaleEntry',
    'maleEntry',
    'parent',
    'parentKind',
  ],
} as const satisfies Partial<Record<FileType | 'GERMPLASM', readonly string[]>>;
export type MappedTable = keyof typeof COLUMN_ROLES;

/** A trait of its own, a covariate of the traits, what is kept under its own header, and a column that is left out. */
const OTHER_ROLES = ['measurement', 'covariate', 'attribute', 'ignore'] as const;

/** The roles that any number of columns may have. */
export const REPEATED_ROLES: Record<MappedTable, readonly (typeof OTHER_ROLES)[number][]> = {
  PHENOTYPE: ['measurement', 'covariate', 'ignore'],
  CROSSING_TABLE: ['ignore'],
  LINKAGE_MAP: ['ignore'],
  PEDIGREE: ['ignore'],
  GERMPLASM: ['attribute', 'ignore'],
};

export const columnRole = z.enum([...new Set([...Object.values(COLUMN_ROLES).flat(), ...OTHER_ROLES])]);
export type ColumnRole = z.infer<typeof columnRole>;

const separator = z.enum([',', ';', '\t', '|', ' ']);
const column = z.object({ name: z.string().max(1000), role: columnRole });

/** How a person says that a table is to be read. What is left out is found from the content. */
export const tableMapping = z
  .object({
    sheet: z.string().max(255).optional().describe('Of a workbook, by name; absent: the first.'),
    separator: separator.optional().describe('Of a text.'),
    header_line: z.number().int().min(0).max(1000).optional().describe('From 1; 0 when the table has no header.'),
    header_rows: z.number().int().min(1).max(3).optional().describe('Rows that make the header together.'),
    decimal_mark: z.enum(['.', ',']).optional().describe('The other one then separates thousands.'),
    columns: z.array(column).max(1000).optional().describe('By their header as it is written.'),
  })
  .meta({ id: 'TableMapping' });
export type TableMapping = z.infer<typeof tableMapping>;

/** `GET …/files/{id}/first_rows`: the start of a table, read in this way. */
export const firstRowsQuery = z.object({
  sheet: z.string().max(255).optional(),
  separator: separator.optional(),
  header_line: z.coerce.number().int().min(0).max(1000).optional(),
  header_rows: z.coerce.number().int().min(1).max(3).optional(),
});
export const fileFirstRowsQuery = firstRowsQuery.extend({
  file_type: fileType.optional().describe('As a table of this type; absent: of the type of the file.'),
});
export const firstRows = z
  .object({
    sheets: z.array(z.string()).describe('Of a workbook.'),
    sheet: z.string().nullable(),
    separator: separator.nullable().describe('Null for a workbook.'),
    header_line: z.number().int().describe('Where the header was found; 0 when there is none.'),
    header_rows: z.number().int(),
    rows: z.array(z.object({ line: z.number().int(), cells: z.array(z.string()) })),
    columns: z.array(column).describe('What each column holds: as it was told, or as it probably does.'),
    decimal_mark: z.enum(['.', ',']).nullable().describe('As it was told; null when both are read.'),
    missing_codes: z.array(z.string()),
    remembered: z.boolean().describe('The organization reads files with this header by a mapping that it keeps.'),
  })
  .meta({ id: 'FirstRows' });
export type FirstRows = z.infer<typeof firstRows>;
