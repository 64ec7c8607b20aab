import * as z from 'zod';
import { description, givenDay, id, name, pageQuery, reference, timestamp } from '../common.ts';
import { PHASE_OPTIONS } from '../options/genotypes.ts';
import { bodyShape } from '../options/option-schemas.ts';
import { runKinds } from '../work/run-kinds.ts';
import { errorExtra, progress, runStatus } from '../work/runs.ts';
import {
  exportFormat,
  fileFormat,
  genotypeField,
  matrixRows,
  numericCoding,
  ploidy,
  ploidyCount,
} from './file-formats.ts';
import { fileType } from './file-types.ts';
import { tableMapping } from './table-mapping.ts';

export { FILE_TYPES, type FileType, fileType } from './file-types.ts';

export const fileStatus = z.enum(['UPLOADED', 'CHECKING', 'READY', 'READY_WITH_WARNINGS', 'INVALID']);
export type FileStatus = z.infer<typeof fileStatus>;

export const file = z
  .object({
    id,
    name: z.string(),
    project_id: id,
    folder_id: id.nullable(),
    file_type: fileType.nullable(),
    status: fileStatus.describe(
      'UPLOADED and CHECKING are temporary. Runs accept files that are READY or READY_WITH_WARNINGS.',
    ),
    size_bytes: z.number(),
    row_count: z
      .number()
      .int()
      .nullable()
      .describe(
        'Individuals of a genotype, phenotype or pedigree file, crosses of a crossing table, markers of a map; null until checked.',
      ),
    column_count: z.number().int().nullable().describe('Markers of a genotype, traits of a phenotype file.'),
    format: fileFormat
      .nullable()
      .describe(
        'Of a genotype file, the format of its content; of a phenotype file, its shape. Null until checked, and when the content is none of these.',
      ),
    ploidy: ploidy
      .nullable()
      .describe(
        'Copies of each chromosome in the plants of a genotype file, the most where plants differ; null until checked, and of other files.',
      ),
    ploidies: z
      .array(ploidyCount)
      .nullable()
      .describe('Plants of a genotype file by ploidy where they differ; null where they do not, and of other files.'),
    created_by: z.string().nullable(),
    created_by_id: id.nullable().describe('Id of the user; null once the account is deleted.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'File' });
export type File = z.infer<typeof file>;

/**
 * `traits`, `groups` and `codes` are empty except for phenotype files. The URLs are signed and work for 10 to 15
 * minutes.
 */
export const fileMeta = z.object({
  traits: z.array(z.string()).describe('Columns of numbers.'),
  covariates: z
    .array(z.string())
    .describe('Columns of numbers that the file gives as covariates of its traits, and that are no traits.'),
  groups: z.array(z.string()).describe('Columns of words or of the design, which a GWAS can take as covariates.'),
  codes: z
    .array(z.string())
    .describe('Columns of numbers that look like codes for groups: few different whole numbers.'),
  file_url: z.string().nullable().describe('The file as it was uploaded.'),
  samples_url: z.string().nullable().describe('The individuals, as CSV.'),
  contigs_url: z.string().nullable().describe('The chromosomes, as CSV.'),
  linkmaptemp_url: z.string().nullable().describe('Linkage map with positions from bp, 1,000,000 bp per cM.'),
  snpids_url: z.string().nullable().describe('The markers, as CSV.'),
  marker_qc_url: z
    .string()
    .nullable()
    .describe('Figures of every marker, as CSV; null for files that were checked by an older version.'),
  sample_qc_url: z
    .string()
    .nullable()
    .describe('Figures of every individual, as CSV; null for files that were checked by an older version.'),
  qc_url: z.string().nullable().describe('Signed URL of what `…/qc` returns.'),
});

const problemTotals = z.object({ errors: z.number().int(), warnings: z.number().int(), infos: z.number().int() });

/**
 * For a numeric matrix: how it was read (null: it could not be), how it could be, and whether a user has confirmed
 * this.
 */
const codingOfNumbers = z.object({
  coding: numericCoding.nullable(),
  fits: z.array(numericCoding),
  confirmed: z.boolean(),
});

/** Individuals in a pool of parents. */
const MAX_POOL = 2000;
/** F1 hybrids in a file. */
export const MAX_HYBRIDS = 20_000;

/** Ways to make a new file from another. */
export const derivationStep = z.enum(['phase', 'hybrids', 'convert']);
export type DerivationStep = z.infer<typeof derivationStep>;

const nameChange = z.object({ from: z.string(), to: z.string() });

/** Most renames of a conversion that the page of its file lists. */
export const MAX_LISTED_RENAMES = 1000;

const derivation = z.object({
  step: derivationStep,
  status: runStatus,
  progress: progress.nullable(),
  error_extra: errorExtra.nullable(),
  file: reference.nullable().describe('The new file; null until it exists, and when it was deleted.'),
  renames: z
    .array(nameChange)
    .nullable()
    .describe(`Of a conversion: the first ${MAX_LISTED_RENAMES} names that it replaced; null for the other steps.`),
});
export type Derivation = z.infer<typeof derivation>;

/** A phenotype file and what BrAPI clients collected for it, a new file each time. */
const fileVersions = z.array(
  z.object({
    file: reference,
    version: z.number().int().describe('0: the file as it was uploaded.'),
    created_at: timestamp,
  }),
);
export type FileVersions = z.infer<typeof fileVersions>;

/** What a phenotype file that was made of the means of a trial analysis brings along. */
const meanCovariance = z.object({
  environment: z.string().nullable().describe('Null: the means of all environments, joined.'),
  traits: z.array(
    z.object({
      trait: z.string(),
      lines: z.number().int().describe('Lines with a mean, and with covariances.'),
      standard_errors: z
        .string()
        .describe('The column that a weight by standard errors takes: 1/√(Ω⁻¹)ᵢᵢ, not the standard error of the mean.'),
    }),
  ),
  size_bytes: z.number(),
  sha256: z.string(),
});
export type MeanCovarianceOfFile = z.infer<typeof meanCovariance>;

/** How the dates of a phenotype file become numbers. */
const dateChoice = z.object({
  as: z.enum(['days_after_sowing', 'day_of_year']),
  sowing_date: givenDay.optional().describe('Of all rows; absent when the file has a column with it.'),
  order: z
    .enum(['day_first', 'month_first'])
    .optional()
    .describe('Of dates such as 01/02/2025; needed when no date of the file tells.'),
});
export type DateChoice = z.infer<typeof dateChoice>;

/** Most rows, and most cells, that are left out of one table. */
export const MAX_LEFT_OUT = 10_000;

/** What is not read of a table, because a person said so. */
const leftOut = z.object({
  lines: z
    .array(z.number().int().min(1))
    .max(MAX_LEFT_OUT)
    .describe('Rows, by their line in the file or their row in the sheet, from 1.'),
  cells: z
    .array(z.string().regex(/^[A-Z]{1,3}[1-9]\d{0,6}$/, 'The letters of a column and a line, such as D12'))
    .max(MAX_LEFT_OUT)
    .describe('Cells, which are then read as empty: letters of the column and line, such as `D12`.'),
});
export type LeftOut = z.infer<typeof leftOut>;

export const fileDetail = file
  .extend({
    path: z.array(reference),
    description: z.string().nullable(),
    meta: fileMeta,
    sha256: z.string().nullable(),
    content_type: z.string().nullable(),
    problem_totals: problemTotals,
    numeric_coding: codingOfNumbers.nullable(),
    mapping: tableMapping.nullable().describe('How a person said that the columns of the table are to be read.'),
    missing_codes: z.array(z.string()).describe('Values of the table that were read as missing by choice.'),
    measured_values: z
      .array(z.string())
      .describe('Values of the table that look like a code for "missing" and were said to be values.'),
    left_out: leftOut.nullable().describe('Rows and cells of the table that were left out by choice.'),
    dates: dateChoice.nullable().describe('How the dates of the table became numbers; null when they did not.'),
    has_first_rows: z.boolean().describe('Whether `…/first_rows` has something to show.'),
    genotype_field: genotypeField
      .nullable()
      .describe('The field of a VCF that was chosen to be read; null where none was: calls, and dosages without them.'),
    samples_of_ploidy: ploidy
      .nullable()
      .describe('The ploidy whose plants alone were read by choice; null where all were.'),
    fractional_dosages: z
      .object({ calls: z.number().int(), markers: z.number().int().describe('Markers with such calls.') })
      .nullable()
      .describe('Calls of a genotype file with a dosage between whole numbers; null when there are none.'),
    covariance: meanCovariance
      .nullable()
      .describe('Covariance of the means that the file was made of, by which models and GWAS can weigh them (`full`).'),
    progress: progress.nullable(),
    versions: fileVersions
      .nullable()
      .describe('This file and others of which one collects what BrAPI clients wrote for another, the newest first.'),
    derivations: z.array(derivation).describe('What was last made from this file, at the most one of each step.'),
  })
  .meta({ id: 'FileDetail' });
export type FileDetail = z.infer<typeof fileDetail>;

/** `folder_id` lists one folder, `root=true` the root; without either, all files of the project. */
export const listFilesQuery = pageQuery.extend({
  folder_id: id.optional(),
  root: z.enum(['true', 'false']).optional().describe('true: only the root.'),
  file_type: z
    .union([fileType, z.array(fileType).max(fileType.options.length)])
    .optional()
    .describe('Repeat the key for several types.'),
  search: z.string().max(255).optional().describe('Only files whose name contains this.'),
});

/** Most files of one archive; their addresses fit a request. */
export const MAX_ARCHIVED_FILES = 100;
/** An archive without Zip64 holds 4 GiB, and the browser keeps it until it is saved. */
export const MAX_ARCHIVE_BYTES = 2 * 1024 ** 3;

export const archiveFilesQuery = z.object({
  file_id: z.union([id, z.array(id).max(MAX_ARCHIVED_FILES)]).describe('Repeat the key for several files.'),
});

export const updateFileBody = z.object({
  name: name.optional(),
  folder_id: id.nullable().optional(),
  description: description.nullable().optional(),
});
/** Files used by a run are refused (409 `files/in-use` with `details.dependants`) unless `cascade=true`. */
export const deleteFileQuery = z.object({
  cascade: z.enum(['true', 'false']).optional().describe('true: also when runs use it; their results stay.'),
});

/** `GET …/files/{id}/usage`: runs outside the bin that use the file. */
export const fileUsage = z
  .object({
    data: z.array(z.object({ kind: z.enum([...runKinds]), id, name: z.string() })),
  })
  .meta({ id: 'FileUsage' });
export type FileUsage = z.infer<typeof fileUsage>;

/** How a genotype is read where it does not tell so itself. */
export const genotypeReading = {
  ploidy: ploidy
    .nullable()
    .optional()
    .describe(
      'Copies of each chromosome, where a genotype does not tell them: in a table of numbers, or a VCF of dosages or reads without calls. Null: the file tells it.',
    ),
  samples_of_ploidy: ploidy
    .nullable()
    .optional()
    .describe('Of a VCF whose plants differ in ploidy: only those of this one are read. Null: all.'),
  genotype_field: genotypeField
    .nullable()
    .optional()
    .describe(
      'Of a VCF, a report of DArT or a table of updog: calls (GT), dosages (DS, else GP), or reads of each allele, whose share times the ploidy is the dosage (AD) or which are called (AD-called). Null: calls, and dosages where there are none.',
    ),
};

/** `POST …/files/{id}/check`: checks the file again with these choices (after an INVALID report, for example). */
export const checkFileBody = z.object({
  file_type: fileType.optional(),
  average_repeated_rows: z
    .boolean()
    .optional()
    .describe('Rows of one individual without a design column are averaged instead of refused.'),
  missing_codes: z.array(z.string().max(50)).max(20).optional().describe('Values that mean missing, for example -999.'),
  measured_values: z
    .array(z.string().max(50))
    .max(20)
    .optional()
    .describe('Values that look like a code for missing (E-PH-MISSING-CODE) and are values.'),
  left_out: leftOut
    .nullable()
    .optional()
    .describe('All rows and cells of a table that are not read; null reads them again. Not for genotypes and genes.'),
  dates: dateChoice
    .nullable()
    .optional()
    .describe('How traits of dates (W-PH-DATE) become numbers; null leaves them as they are.'),
  keep_duplicate_positions: z
    .boolean()
    .optional()
    .describe(
      'Of a genotype: a variant in two rows is kept twice where each has an id of its own (two probes of one variant).',
    ),
  prefer_dosages: z
    .boolean()
    .optional()
    .describe('Of a VCF: true says what `genotype_field: DS` says, where that is absent or null.'),
  ...genotypeReading,
  haploid_as_homozygous: z
    .boolean()
    .optional()
    .describe(
      'Of a VCF: calls of one allele are read as homozygous in lines whose other calls have two. Otherwise such lines are errors.',
    ),
  numeric_coding: numericCoding
    .nullable()
    .optional()
    .describe('Confirms the coding that was found, or chooses another; null lets it be found again.'),
  matrix_rows: matrixRows
    .optional()
    .describe('Of a matrix of calls whose header does not tell it. The first column then has their names.'),
  mapping: tableMapping
    .nullable()
    .optional()
    .describe('Of a table: what its columns hold, where that is not recognised; null lets it be found again.'),
  remember_mapping: z
    .boolean()
    .optional()
    .describe('Files of the organization with the same header are read by this mapping from now on; false forgets it.'),
});

export const fileProblem = z
  .object({
    severity: z.enum(['error', 'warning', 'info']),
    code: z.string(),
    line: z.number().int().nullable().describe('From 1, the header included.'),
    column: z.string().nullable(),
    value: z.string().nullable(),
    message: z.string(),
    suggestion: z.string().nullable().describe('What to do.'),
  })
  .meta({ id: 'FileProblem' });
export type FileProblemRecord = z.infer<typeof fileProblem>;

export const listProblemsQuery = pageQuery.extend({
  severity: z.enum(['error', 'warning', 'info']).optional(),
  code: z.string().max(60).optional(),
});
/**
 * `GET …/files/{id}/problems`; with the suffix `.csv`, as a table. At most 1,000 are kept; the totals count all.
 */
export const fileProblems = z
  .object({
    data: z.array(fileProblem),
    next_cursor: z.string().nullable(),
    totals: problemTotals.describe('Of all problems; at most 1,000 are kept and listed.'),
    by_code: z.record(z.string(), z.number().int()),
  })
  .meta({ id: 'FileProblems' });
export type FileProblems = z.infer<typeof fileProblems>;

/** `GET …/files/{id}/rows` of a phenotype file: the table itself, missing values null. */
export const phenotypeRowsQuery = pageQuery.extend({
  sort: z.string().max(256).optional(),
  search: z.string().max(255).optional(),
});
export const phenotypeRow = z.object({
  individual: z.string(),
  values: z.array(z.number().nullable()).describe('In the order of `traits`; null where missing.'),
  observations: z
    .array(z.number().int())
    .optional()
    .describe('How many observations each value is the mean of; absent when no individual has more than one.'),
});
export const phenotypeRows = z
  .object({
    traits: z.array(z.string()),
    data: z.array(phenotypeRow),
    next_cursor: z.string().nullable(),
    total: z.number().int(),
  })
  .meta({ id: 'PhenotypeRows' });
export type PhenotypeRows = z.infer<typeof phenotypeRows>;

/** `GET …/files/{id}/export?format=`: the imported genotypes in another format. */
export const exportFileQuery = z.object({
  format: exportFormat.describe(
    'plink: .bed/.bim/.fam (ALT in column 5 of the .bim, as PLINK 2 writes it), plink_text: .ped/.map, flapjack: each in a zip; numeric: copies of A2 as CSV, one row an individual; numeric_by_marker: one row a marker; letters: one row a marker, a letter a copy; long_dosages: one row a marker and individual.',
  ),
});

/** `GET …/files/{id}/linkage_map_template`: mode 1 divides bp by `bp_per_cm`, mode 2 leaves the position blank. */
export const linkageMapTemplateQuery = z.object({
  mode: z.enum(['1', '2']).default('1').describe('1: positions in cM from those in bp; 2: positions left blank.'),
  bp_per_cm: z.coerce.number().positive().max(1e9).default(1_000_000).describe('Base pairs in one centimorgan.'),
});

/** `GET …/files/{id}/synonyms`: what a conversion to the names of the germplasm list would rename. */
export const canonicalNames = z
  .object({
    renames: z.array(z.object({ from: z.string(), to: z.string(), how: z.enum(['exact', 'synonym', 'folded']) })),
    canonical: z.number().int().describe('Names that are written as in the germplasm list.'),
    ambiguous: z
      .array(z.object({ name: z.string(), candidates: z.array(z.string()) }))
      .describe('Names that may mean several germplasm; they stay as written.'),
    unknown: z.array(z.string()).describe('Names that are not in the list; they stay as written.'),
    clashes: z
      .array(z.object({ to: z.string(), from: z.array(z.string()) }))
      .describe('Individuals that would get the same name; while there are any, nothing is converted.'),
  })
  .meta({ id: 'CanonicalNames' });
export type CanonicalNamesReport = z.infer<typeof canonicalNames>;

/** `POST …/files/{id}/synonyms`: starts the making of a file beside this one with the names of the germplasm list. */
export const convertFileBody = z.object({
  name: name
    .optional()
    .describe('Name of the new file, or the first free one like it. Absent: the name of this file with `_renamed`.'),
});
export const convertedFile = z
  .object({ file: fileDetail.describe('The file, whose derivations say how it goes.'), names: canonicalNames })
  .meta({ id: 'ConvertedFile' });

/** `POST …/files/{id}/hybrids`: creates a genotype file of F1 hybrids of the individuals of this one. */
export const makeHybridsBody = z
  .object({
    name: name.optional().describe('Name of the new file. Absent: the name of this file with `_F1`.'),
    crossing_table_id: id.optional(),
    females: z.array(name).min(1).max(MAX_POOL).optional().describe('A pool to cross with `males`, each with each.'),
    males: z.array(name).min(1).max(MAX_POOL).optional(),
  })
  .refine(
    ({ crossing_table_id, females, males }) =>
      (crossing_table_id === undefined) === (females !== undefined && males !== undefined) &&
      (females === undefined) === (males === undefined),
    'Give either crossing_table_id, or females and males',
  );

/** `POST …/files/{id}/phasing`: creates a phased genotype file without missing calls beside this one. */
export const phaseFileBody = z.object({
  name: name.optional().describe('Name of the phased file. Absent: the name of this file with `_phased`.'),
  linkage_map_id: id.nullable().optional().describe('Distances between markers; absent: 1 cM for 1,000,000 bp.'),
  ...bodyShape({ seed: PHASE_OPTIONS.seed }, {}),
});
