import * as z from 'zod';
import { description, id, name, pageQuery, reference, timestamp } from './common.ts';
import { progress } from './runs.ts';

export const fileType = z.enum(['GENOTYPE', 'PHENOTYPE', 'CROSSING_TABLE', 'LINKAGE_MAP']);
export type FileType = z.infer<typeof fileType>;

export const fileStatus = z.enum(['UPLOADED', 'CHECKING', 'READY', 'READY_WITH_WARNINGS', 'INVALID']);
export type FileStatus = z.infer<typeof fileStatus>;

export const folder = z.object({
  id,
  name: z.string(),
  project_id: id,
  folder_id: id.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Folder = z.infer<typeof folder>;
/** From the root down to and including the folder itself. */
export const folderDetail = folder.extend({ path: z.array(reference) });
export type FolderDetail = z.infer<typeof folderDetail>;

/** `root=true` lists the folders at the root; `folder_id` those inside a folder; neither lists all. */
export const listFoldersQuery = pageQuery.extend({
  folder_id: id.optional(),
  root: z.enum(['true', 'false']).optional(),
});
export const createFolderBody = z.object({ name, folder_id: id.nullable().optional() });
/** Renames and moves: `folder_id: null` moves to the root, absent leaves it. */
export const updateFolderBody = z.object({ name: name.optional(), folder_id: id.nullable().optional() });

export const file = z.object({
  id,
  name: z.string(),
  project_id: id,
  folder_id: id.nullable(),
  file_type: fileType.nullable(),
  status: fileStatus,
  size_bytes: z.number(),
  /** Individuals × markers (genotype), individuals × traits (phenotype), crosses, markers of a map; null until checked. */
  row_count: z.number().int().nullable(),
  column_count: z.number().int().nullable(),
  created_by: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type File = z.infer<typeof file>;

/**
 * Signed urls, 15 minutes. `traits` (columns of numbers) and `groups` (columns of words or of the design that put individuals into
 * groups) are empty for all but phenotype files.
 */
export const fileMeta = z.object({
  traits: z.array(z.string()),
  groups: z.array(z.string()),
  file_url: z.string().nullable(),
  samples_url: z.string().nullable(),
  contigs_url: z.string().nullable(),
  linkmaptemp_url: z.string().nullable(),
  snpids_url: z.string().nullable(),
  qc_url: z.string().nullable(),
});

const problemTotals = z.object({ errors: z.number().int(), warnings: z.number().int(), infos: z.number().int() });

/** How the numbers of a numeric matrix are read: copies of the counted allele, the same minus one, or absent and present. */
export const numericCoding = z.enum(['0/1/2', '-1/0/1', '0/1']);
export type NumericCoding = z.infer<typeof numericCoding>;

/** Of a numeric matrix: how it was read (null: in no way), how it could be, and whether somebody has said that this is right. */
const codingOfNumbers = z.object({
  coding: numericCoding.nullable(),
  fits: z.array(numericCoding),
  confirmed: z.boolean(),
});

export const fileDetail = file.extend({
  path: z.array(reference),
  description: z.string().nullable(),
  meta: fileMeta,
  /** vcf, hapmap, plink, ped, numeric, letters, flapjack; shape of a phenotype file; null until checked. */
  format: z.string().nullable(),
  sha256: z.string().nullable(),
  content_type: z.string().nullable(),
  problem_totals: problemTotals,
  numeric_coding: codingOfNumbers.nullable(),
  progress: progress.nullable(),
});
export type FileDetail = z.infer<typeof fileDetail>;

/** `folder_id` lists one folder, `root=true` the root, neither all files of the project. */
export const listFilesQuery = pageQuery.extend({
  folder_id: id.optional(),
  root: z.enum(['true', 'false']).optional(),
  file_type: z.union([fileType, z.array(fileType).max(fileType.options.length)]).optional(),
  search: z.string().max(255).optional(),
});

/** Step 1 of an upload. `content_type` must be sent again with the bytes. */
export const uploadLinkBody = z.object({
  folder_id: id.nullable().optional(),
  file_type: fileType.nullable().optional(),
  content_type: z
    .string()
    .max(255)
    .regex(/^[!-~]+\/[!-~][ -~]*$/, 'Write a media type, for example text/csv')
    .default('application/octet-stream'),
  size_bytes: z.number().int().nonnegative().optional(),
  /** A name that is taken is refused here already; the name that counts is that of step 3. */
  name: name.optional(),
  /** Whatever lets the sender know the file again, to go on with an upload that broke off. */
  fingerprint: z.string().max(200).optional(),
  /** An INVALID file of the same type, which goes to the bin in the moment in which this one comes to be. */
  replaces: id.nullable().optional(),
});
export const uploadLinkResult = z.object({ put_url: z.string(), file_id: id });

/**
 * Step 2 is one PUT to `put_url`, or, for files that are sent on lines that break, parts of this many bytes (the last one
 * may be shorter), each with a PUT of its own, in any order and as often as one likes.
 */
export const UPLOAD_PART_BYTES = 8 * 1024 * 1024;

/** An upload of the caller's that has parts and is no file yet: `GET …/uploads`. */
export const upload = z.object({
  /** The `file_id` of step 1. */
  id,
  name: z.string().nullable(),
  folder_id: id.nullable(),
  file_type: fileType.nullable(),
  size_bytes: z.number(),
  part_bytes: z.number().int(),
  received_bytes: z.number(),
  fingerprint: z.string().nullable(),
  /** Null too once the file to be replaced is gone for good. */
  replaces: id.nullable(),
  created_at: timestamp,
  /** Then what was sent is swept away. */
  expires_at: timestamp,
});
export type Upload = z.infer<typeof upload>;

const uploadPart = z.object({ number: z.number().int(), size_bytes: z.number().int() });
/** `GET …/uploads/{id}`: which parts have arrived. Numbers start at 1. */
export const uploadDetail = upload.extend({ parts: z.array(uploadPart) });
export type UploadDetail = z.infer<typeof uploadDetail>;

export const MAX_PARTS_AT_ONCE = 100;
/** `POST …/uploads/{id}/parts`: addresses for these parts; each takes one PUT of exactly its bytes, within 15 minutes. */
export const uploadPartsBody = z.object({
  numbers: z.array(z.number().int().positive()).min(1).max(MAX_PARTS_AT_ONCE),
});
export const uploadPartLinks = z.object({ data: z.array(uploadPart.extend({ put_url: z.string() })) });

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'A SHA-256 has 64 hexadecimal digits, in lower case');

/**
 * Step 3: the file row comes to be, once its bytes are there; checking starts at once. Bytes with another hash than the one
 * named here make the file INVALID (E-UPLOAD-DAMAGED).
 */
export const createFileBody = z.object({
  name,
  folder_id: id.nullable().optional(),
  file_id: id,
  file_type: fileType.nullable().optional(),
  sha256: sha256.optional(),
  /** SHA-256 of the SHA-256s (32 bytes each) of all parts in order, for senders who have no hash of the whole. */
  parts_sha256: sha256.optional(),
});
export const updateFileBody = z.object({
  name: name.optional(),
  folder_id: id.nullable().optional(),
  description: description.nullable().optional(),
});
/** Files that a run uses are refused (409 `files/in-use` with `details.dependants`) unless `cascade=true`. */
export const deleteFileQuery = z.object({ cascade: z.enum(['true', 'false']).optional() });

/** `POST …/files/{id}/check`: checks the file again with these choices (after an INVALID report, for example). */
export const checkFileBody = z.object({
  file_type: fileType.optional(),
  average_repeated_rows: z.boolean().optional(),
  missing_codes: z.array(z.string().max(50)).max(20).optional(),
  /** Of a genotype: a variant in two rows is kept twice where each has an id of its own (two probes of one variant). */
  keep_duplicate_positions: z.boolean().optional(),
  /** Confirms the coding that was found, or chooses another; null lets it be found again. */
  numeric_coding: numericCoding.nullable().optional(),
});

export const fileProblem = z.object({
  severity: z.enum(['error', 'warning', 'info']),
  code: z.string(),
  line: z.number().int().nullable(),
  column: z.string().nullable(),
  value: z.string().nullable(),
  message: z.string(),
  suggestion: z.string().nullable(),
});
export type FileProblemRecord = z.infer<typeof fileProblem>;

export const listProblemsQuery = pageQuery.extend({
  severity: z.enum(['error', 'warning', 'info']).optional(),
  code: z.string().max(60).optional(),
});
/** `GET …/files/{id}/problems`; `.csv` of the same address is the table. At most 1,000 are kept, the totals count all. */
export const fileProblems = z.object({
  data: z.array(fileProblem),
  next_cursor: z.string().nullable(),
  totals: problemTotals,
  by_code: z.record(z.string(), z.number().int()),
});
export type FileProblems = z.infer<typeof fileProblems>;

const histogram = z.object({ min: z.number(), max: z.number(), counts: z.array(z.number().int()) });
export type Histogram = z.infer<typeof histogram>;

/** `GET …/files/{id}/qc` of a genotype file. Shares are 0–1. */
export const genotypeQc = z.object({
  kind: z.literal('genotype'),
  samples: z.number().int(),
  markers: z.number().int(),
  missing_share: z.number(),
  phased: z.boolean(),
  /** The allele that dosages and effects count. */
  counted_allele: z.string(),
  marker_call_rate: histogram,
  marker_maf: histogram,
  marker_heterozygosity: histogram,
  sample_call_rate: histogram,
  sample_heterozygosity: histogram,
  /** Markers that pass the defaults of a run: MAF ≥ 0.05, call rate ≥ 0.90. */
  markers_after_default_qc: z.number().int(),
  contigs: z.array(
    z.object({
      name: z.string(),
      markers: z.number().int(),
      length_bp: z.number(),
      density: z.array(z.number().int()),
    }),
  ),
  /** One row a sample, at most 20,000. */
  samples_table: z.array(z.object({ name: z.string(), call_rate: z.number(), heterozygosity: z.number() })),
  pca: z
    .object({ shares: z.array(z.number()), points: z.array(z.object({ name: z.string(), pc: z.array(z.number()) })) })
    .nullable(),
  /** Kinship ordered by clustering, row-major, for at most 500 individuals; null for larger panels. */
  kinship: z.object({ names: z.array(z.string()), values: z.array(z.number()) }).nullable(),
  duplicates: z.array(z.object({ first: z.string(), second: z.string(), identity: z.number() })),
});
export type GenotypeQcBody = z.infer<typeof genotypeQc>;

export const traitSummary = z.object({
  name: z.string(),
  unit: z.string().nullable(),
  kind: z.enum(['numeric', 'categorical']),
  n: z.number().int(),
  mean: z.number().nullable(),
  sd: z.number().nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  h2: z.number().nullable(),
  histogram: histogram.nullable(),
  outliers: z.array(z.object({ individual: z.string(), value: z.number(), line: z.number().int().nullable() })),
});
export type TraitSummaryBody = z.infer<typeof traitSummary>;

export const phenotypeQc = z.object({
  kind: z.literal('phenotype'),
  shape: z.enum(['wide', 'wide-design', 'long']),
  individuals: z.number().int(),
  traits: z.array(traitSummary),
  /** Pearson correlations of the numeric traits, row-major over `names`; null where fewer than 3 pairs. */
  correlations: z.object({ names: z.array(z.string()), values: z.array(z.number().nullable()) }),
  /** How many values of how many individuals an environment holds, by trait in the order of `traits`; absent without design columns. */
  environments: z
    .array(
      z.object({ name: z.string(), observations: z.array(z.number().int()), individuals: z.array(z.number().int()) }),
    )
    .optional(),
});
export type PhenotypeQcBody = z.infer<typeof phenotypeQc>;

export const linkageMapQc = z.object({
  kind: z.literal('linkage_map'),
  markers: z.number().int(),
  chromosomes: z.array(z.object({ name: z.string(), markers: z.number().int(), length_cm: z.number().nullable() })),
});
/** `type` as `CrossType` of file-formats names it; absent in files that were checked before it was kept. */
export const crossingTableQc = z.object({
  kind: z.literal('crossing_table'),
  crosses: z.array(
    z.object({
      name: z.string(),
      female: z.string(),
      male: z.string(),
      progeny_count: z.number().int().nullable(),
      type: z.string().optional(),
    }),
  ),
});
export const fileQc = z.discriminatedUnion('kind', [genotypeQc, phenotypeQc, linkageMapQc, crossingTableQc]);
export type FileQc = z.infer<typeof fileQc>;

/** `GET …/files/{id}/rows` of a phenotype file: the table itself, missing values null. */
export const phenotypeRowsQuery = pageQuery.extend({
  sort: z.string().max(256).optional(),
  search: z.string().max(255).optional(),
});
export const phenotypeRow = z.object({
  individual: z.string(),
  values: z.array(z.number().nullable()),
  /** How many observations each value is the mean of; absent where no individual has more than one. */
  observations: z.array(z.number().int()).optional(),
});
export const phenotypeRows = z.object({
  traits: z.array(z.string()),
  data: z.array(phenotypeRow),
  next_cursor: z.string().nullable(),
  total: z.number().int(),
});
export type PhenotypeRows = z.infer<typeof phenotypeRows>;

/** `GET …/files/{id}/export?format=`: the imported genotypes in another format. */
export const exportFormat = z.enum([
  'vcf',
  'hapmap',
  'plink',
  'plink_text',
  'flapjack',
  'numeric',
  'numeric_by_marker',
]);
export type ExportFormat = z.infer<typeof exportFormat>;
export const exportFileQuery = z.object({ format: exportFormat });

/** `GET …/files/{id}/linkage_map_template`: mode 1 divides bp by `bp_per_cm`, mode 2 leaves the position blank. */
export const linkageMapTemplateQuery = z.object({
  mode: z.enum(['1', '2']).default('1'),
  bp_per_cm: z.coerce.number().positive().max(1e9).default(1_000_000),
});
