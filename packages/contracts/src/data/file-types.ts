import * as z from 'zod';

interface FileTypeRow {
  noun: string;
  /** What `row_count` and `column_count` count, for one and for several. */
  rows: readonly [string, string];
  columns: readonly [string, string];
}

/** The file types, each with its noun for use in a sentence. This is the only list of them. */
export const FILE_TYPES = {
  GENOTYPE: { noun: 'genotype file', rows: ['individual', 'individuals'], columns: ['marker', 'markers'] },
  PHENOTYPE: { noun: 'phenotype file', rows: ['individual', 'individuals'], columns: ['trait', 'traits'] },
  CROSSING_TABLE: { noun: 'crossing table', rows: ['cross', 'crosses'], columns: ['parent', 'parents'] },
  LINKAGE_MAP: { noun: 'linkage map', rows: ['marker', 'markers'], columns: ['chromosome', 'chromosomes'] },
  PEDIGREE: { noun: 'pedigree', rows: ['individual', 'individuals'], columns: ['founder', 'founders'] },
  GENES: { noun: 'gene annotation', rows: ['gene', 'genes'], columns: ['chromosome', 'chromosomes'] },
} as const satisfies Record<string, FileTypeRow>;

export type FileType = keyof typeof FILE_TYPES;
export const fileType = z.enum(Object.keys(FILE_TYPES) as FileType[]);
