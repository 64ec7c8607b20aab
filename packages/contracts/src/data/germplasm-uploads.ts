import * as z from 'zod';
import { id, page, pageQuery, timestamp } from '../common.ts';
import { progress } from '../work/runs.ts';
import { fileProblem } from './files.ts';
import { crossType, MAX_SELFING_GENERATIONS } from './germplasm.ts';
import { tableMapping } from './table-mapping.ts';

/** What an upload does to germplasm that exists. An empty cell never erases. */
export const existingRule = z.enum(['keep', 'fill', 'overwrite']);
export type ExistingRule = z.infer<typeof existingRule>;

export const uploadStatus = z.enum(['CHECKING', 'REVIEW', 'ACCEPTING', 'ACCEPTED', 'FAILED']);

/** What becomes of a row. `repeat`: an earlier row says the same. */
export const uploadRowAction = z.enum(['create', 'change', 'same', 'repeat', 'refused']);
export type UploadRowAction = z.infer<typeof uploadRowAction>;

export const uploadCounts = z.object({
  create: z.number().int(),
  change: z.number().int(),
  same: z.number().int(),
  repeat: z.number().int(),
  refused: z.number().int(),
  founders: z.number().int().describe('Parents named nowhere else, which are created.'),
  conflicts: z.number().int().describe('Rows whose values differ from stored ones.'),
});
export type UploadCounts = z.infer<typeof uploadCounts>;

/** A germplasm file under review. */
export const germplasmUpload = z
  .object({
    id,
    file_name: z.string(),
    crop: z.object({ id, name: z.string() }),
    status: uploadStatus,
    progress: progress.nullable().describe('Of CHECKING and ACCEPTING; null once they have ended.'),
    existing: existingRule,
    generate_unknown_parent: z.boolean(),
    may_change: z.boolean().describe('False: only new names may be added, and what exists is kept.'),
    has_first_rows: z.boolean().describe('Whether `…/first_rows` has something to show.'),
    mapping: tableMapping.nullable().describe('How its columns are read, as it was told; null: as they are found.'),
    is_mapping_kept: z.boolean().describe('The columns are read as those of earlier files with the same header.'),
    columns: z.record(z.string(), z.string()).describe('Which column of the file was taken for what.'),
    attributes: z.array(z.string()).describe('Columns kept as attributes.'),
    counts: uploadCounts,
    totals: z.object({ errors: z.number().int(), warnings: z.number().int(), infos: z.number().int() }),
    by_code: z.record(z.string(), z.number().int()),
    problems: z.array(fileProblem).describe('The first 1,000.'),
    created_at: timestamp,
    updated_at: timestamp.describe('Changes with every check.'),
  })
  .meta({ id: 'GermplasmUpload' });
export type GermplasmUpload = z.infer<typeof germplasmUpload>;

const rowContent = z.object({
  name: z.string().max(1000),
  collection: z.string().max(255).nullable(),
  maternal: z.string().max(1000).nullable(),
  paternal: z.string().max(1000).nullable(),
  synonyms: z.array(z.string().max(1000)).max(1000),
  cross_type: crossType.nullable(),
  selfing_generations: z.number().int().min(0).max(MAX_SELFING_GENERATIONS).nullable(),
  is_distinct: z.boolean().describe('Confirmed: another line than the one whose name looks the same.'),
});

export const germplasmUploadRow = rowContent
  .extend({
    line: z.number().int(),
    attributes: z.record(z.string(), z.string()),
    is_edited: z.boolean(),
    action: uploadRowAction,
    target: z.string().nullable().describe('The stored germplasm that the row means.'),
    changes: z.array(z.object({ field: z.string(), from: z.string().nullable(), to: z.string() })),
    severity: z.enum(['error', 'warning', 'info']).nullable(),
  })
  .meta({ id: 'GermplasmUploadRow' });
export type GermplasmUploadRow = z.infer<typeof germplasmUploadRow>;

export const uploadRowsQuery = pageQuery.extend({
  show: z
    .enum(['all', 'error', 'warning', 'create', 'change', 'same', 'conflict'])
    .default('all')
    .describe('conflict: the file and the list give different values.'),
});
export const germplasmUploadRows = page(germplasmUploadRow);

/** Rows to mend or leave out, and other choices; the upload is then checked again. */
export const updateGermplasmUploadBody = z.object({
  existing: existingRule.optional(),
  generate_unknown_parent: z.boolean().optional(),
  rows: z
    .array(rowContent.partial().extend({ line: z.number().int() }))
    .max(1000)
    .optional(),
  removed_lines: z.array(z.number().int()).max(10_000).optional(),
  mapping: tableMapping
    .optional()
    .describe('What the columns of the file hold. It is read again, and its rows are as they are written there.'),
  remember_mapping: z
    .boolean()
    .optional()
    .describe('Files of the organization with the same header are read by this mapping from now on; false forgets it.'),
});
export type UpdateGermplasmUploadBody = z.infer<typeof updateGermplasmUploadBody>;

export const acceptGermplasmUploadBody = z.object({
  confirm_warnings: z.boolean().default(false).describe('Needed when there are warnings.'),
});

/** Fields of the multipart request besides `file`. */
export const germplasmFileFields = z.object({
  crop_id: id.optional(),
  existing: existingRule.default('keep'),
  generate_unknown_parent: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
});
