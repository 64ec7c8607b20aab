import * as z from 'zod';
import { meansSummary } from './adjusted-means.ts';
import { description, id, name, pageQuery, reference, timestamp } from './common.ts';
import { errorExtra, progress, runStatus } from './runs.ts';

/** The file types, each with its noun for use in a sentence. This is the only list of them. */
export const FILE_TYPES = {
  GENOTYPE: { noun: 'genotype file' },
  PHENOTYPE: { noun: 'phenotype file' },
  CROSSING_TABLE: { noun: 'crossing table' },
  LINKAGE_MAP: { noun: 'linkage map' },
} as const satisfies Record<string, { noun: string }>;

export type FileType = keyof typeof FILE_TYPES;
export const fileType = z.enum(Object.keys(FILE_TYPES) as FileType[]);

export const fileStatus = z.enum(['UPLOADED', 'CHECKING', 'READY', 'READY_WITH_WARNINGS', 'INVALID']);
export type FileStatus = z.infer<typeof fileStatus>;

export const folder = z
  .object({
    id,
    name: z.string(),
    project_id: id,
    folder_id: id.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Folder' });
export type Folder = z.infer<typeof folder>;
/** From the root down to and including the folder itself. */
export const folderDetail = folder
  .extend({ path: z.array(reference).describe('From the root down to the folder itself.') })
  .meta({ id: 'FolderDetail' });
export type FolderDetail = z.infer<typeof folderDetail>;

/** `root=true` lists the folders at the root; `folder_id` those inside a folder; neither lists all. */
export const listFoldersQuery = pageQuery.extend({
  folder_id: id.optional(),
  root: z.enum(['true', 'false']).optional().describe('true: only the root.'),
});
export const createFolderBody = z.object({ name, folder_id: id.nullable().optional() });
/** Renames and moves: `folder_id: null` moves to the root, absent leaves it. */
export const updateFolderBody = z.object({ name: name.optional(), folder_id: id.nullable().optional() });

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
        'Individuals of a genotype or phenotype file, crosses of a crossing table, markers of a map; null until checked.',
      ),
    column_count: z.number().int().nullable().describe('Markers of a genotype, traits of a phenotype file.'),
    created_by: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'File' });
export type File = z.infer<typeof file>;

/**
 * `traits`, `groups` and `codes` are empty except for phenotype files. The URLs are signed and valid for 15 minutes.
 */
export const fileMeta = z.object({
  traits: z.array(z.string()).describe('Columns of numbers.'),
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
 * Coding of a numeric matrix: copies of the counted allele, the same minus one, or absence and presence.
 */
export const numericCoding = z.enum(['0/1/2', '-1/0/1', '0/1']);
export type NumericCoding = z.infer<typeof numericCoding>;

/**
 * For a numeric matrix: how it was read (null: it could not be), how it could be, and whether a user has confirmed
 * this.
 */
const codingOfNumbers = z.object({
  coding: numericCoding.nullable(),
  fits: z.array(numericCoding),
  confirmed: z.boolean(),
});

/** The last phasing of a genotype file. */
const phasing = z.object({
  status: runStatus,
  progress: progress.nullable(),
  error_extra: errorExtra.nullable(),
  file: reference.nullable().describe('The phased file; null until it exists, and when it was deleted.'),
});

export const fileDetail = file
  .extend({
    path: z.array(reference),
    description: z.string().nullable(),
    meta: fileMeta,
    format: z
      .string()
      .nullable()
      .describe(
        'vcf, hapmap, plink-binary, plink-text, flapjack, numeric-matrix or letter-matrix; linkage-map; crossing-table; the shape of a phenotype file. Null until checked.',
      ),
    sha256: z.string().nullable(),
    content_type: z.string().nullable(),
    problem_totals: problemTotals,
    numeric_coding: codingOfNumbers.nullable(),
    progress: progress.nullable(),
    phasing: phasing.nullable().describe('Null when this file was never phased.'),
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

/** Step 1 of an upload. `content_type` must be sent again with the data. */
export const uploadLinkBody = z.object({
  folder_id: id.nullable().optional().describe('Null or absent: the root.'),
  file_type: fileType.nullable().optional(),
  content_type: z
    .string()
    .max(255)
    .regex(/^[!-~]+\/[!-~][ -~]*$/, 'Write a media type, for example text/csv')
    .default('application/octet-stream')
    .describe('Send the bytes with this `content-type`.'),
  size_bytes: z.number().int().nonnegative().optional().describe('Needed to upload in parts.'),
  name: name
    .optional()
    .describe('A name that is taken is refused here already; the name that counts is that of step 3.'),
  fingerprint: z
    .string()
    .max(200)
    .optional()
    .describe('Whatever lets the sender know the file again, to go on with an upload that broke off.'),
  replaces: id
    .nullable()
    .optional()
    .describe('An INVALID file of the same type, which goes to the bin in the moment in which this one comes to be.'),
});
export const uploadLinkResult = z
  .object({
    put_url: z
      .string()
      .describe(
        'Accepts the whole file in one PUT within 15 minutes, with the `content-type` of this step and without a token.',
      ),
    file_id: id.describe('Id of the upload, and of the file that step 3 creates.'),
  })
  .meta({ id: 'UploadLink' });

/**
 * Step 2 is one PUT to `put_url`. For large files and unreliable connections, it is parts of this many bytes (the last
 * may be shorter), each with its own PUT, in any order; parts may be repeated.
 */
export const UPLOAD_PART_BYTES = 8 * 1024 * 1024;

/** `GET …/uploads`: an unfinished multipart upload of the caller. */
export const upload = z
  .object({
    /** The `file_id` of step 1. */
    id,
    name: z.string().nullable(),
    folder_id: id.nullable(),
    file_type: fileType.nullable(),
    size_bytes: z.number(),
    part_bytes: z.number().int(),
    received_bytes: z.number(),
    fingerprint: z.string().nullable(),
    replaces: id.nullable().describe('Also null when the file to be replaced has been deleted for good.'),
    created_at: timestamp,
    expires_at: timestamp.describe('The parts are deleted at this time.'),
  })
  .meta({ id: 'Upload' });
export type Upload = z.infer<typeof upload>;

const uploadPart = z.object({ number: z.number().int().describe('From 1.'), size_bytes: z.number().int() });
/** `GET …/uploads/{id}`: the parts that have arrived. Numbers start at 1. */
export const uploadDetail = upload
  .extend({ parts: z.array(uploadPart).describe('Parts that have arrived.') })
  .meta({ id: 'UploadDetail' });
export type UploadDetail = z.infer<typeof uploadDetail>;

export const MAX_PARTS_AT_ONCE = 100;
/** `POST …/uploads/{id}/parts`: URLs for these parts. Each accepts one PUT of exactly its bytes, within 15 minutes. */
export const uploadPartsBody = z.object({
  numbers: z
    .array(z.number().int().positive())
    .min(1)
    .max(MAX_PARTS_AT_ONCE)
    .describe('Numbers of the parts, from 1. A part has the `part_bytes` of the upload; the last one may be shorter.'),
});
export const uploadPartLinks = z.object({
  data: z.array(
    uploadPart.extend({
      put_url: z
        .string()
        .describe(
          'Accepts one PUT of exactly `size_bytes` bytes within 15 minutes, with the `content-type` of step 1 and without a token.',
        ),
    }),
  ),
});

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'A SHA-256 has 64 hexadecimal digits, in lower case');

/**
 * Step 3 creates the file once its bytes have arrived, and starts its check. If their hash differs from the one given
 * here, the file becomes INVALID (E-UPLOAD-DAMAGED).
 */
export const createFileBody = z.object({
  name,
  folder_id: id.nullable().optional(),
  file_id: id.describe('The `file_id` of step 1.'),
  file_type: fileType.nullable().optional(),
  sha256: sha256.optional().describe('SHA-256 of the whole file: a file that arrived damaged is INVALID.'),
  parts_sha256: sha256
    .optional()
    .describe(
      'SHA-256 of the SHA-256s (32 bytes each) of all parts in order, for senders that have no hash of the whole file.',
    ),
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

/** `POST …/files/{id}/check`: checks the file again with these choices (after an INVALID report, for example). */
export const checkFileBody = z.object({
  file_type: fileType.optional(),
  average_repeated_rows: z
    .boolean()
    .optional()
    .describe('Rows of one individual without a design column are averaged instead of refused.'),
  missing_codes: z.array(z.string().max(50)).max(20).optional().describe('Values that mean missing, for example -999.'),
  keep_duplicate_positions: z
    .boolean()
    .optional()
    .describe(
      'Of a genotype: a variant in two rows is kept twice where each has an id of its own (two probes of one variant).',
    ),
  numeric_coding: numericCoding
    .nullable()
    .optional()
    .describe('Confirms the coding that was found, or chooses another; null lets it be found again.'),
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

const histogram = z
  .object({
    min: z.number(),
    max: z.number(),
    counts: z.array(z.number().int()).describe('In bins of equal width from min to max.'),
  })
  .meta({ id: 'Histogram' });
export type Histogram = z.infer<typeof histogram>;

const distance = z.number().nullable();
const decayCurve = {
  bins: z
    .array(
      z.object({
        from: z.number(),
        to: z.number(),
        pairs: z.number().int(),
        distance: z.number().describe('Mean distance of the pairs.'),
        r2: z.number().describe('Mean r² of the pairs.'),
      }),
    )
    .describe('Pairs of markers by distance: from ≤ distance < to.'),
  mean: z
    .object({ half_distance: distance, r2_02_distance: distance })
    .describe("Where the means fall to half of the first bin's and to 0.2; null where they do not."),
  fit: z
    .object({
      rho: z.number(),
      r2: z.array(z.number()).describe('The curve at the mean distance of each bin.'),
      half_distance: distance,
      r2_02_distance: distance,
    })
    .nullable()
    .describe('The curve of Hill & Weir (1988) through the bins; null where it cannot be fitted.'),
};

const ldDecay = z
  .object({
    unit: z.enum(['bp', 'cM']),
    individuals: z.number().int(),
    markers: z.number().int().describe('Markers whose pairs were considered.'),
    of_markers: z.number().int().describe('Markers that pass the default filter and have a position.'),
    pairs: z.number().int().describe('Pairs computed.'),
    of_pairs: z.number().describe('Pairs of these markers on the same chromosome.'),
    ...decayCurve,
    chromosomes: z
      .array(z.object({ name: z.string(), ...decayCurve }))
      .describe('The 60 chromosomes with the most markers.'),
  })
  .meta({ id: 'LdDecay' });
export type LdDecayBody = z.infer<typeof ldDecay>;

/**
 * `GET …/files/{id}/qc` of a genotype file. Shares are 0–1. Optional fields are absent from files that were checked by
 * a version that did not compute them yet.
 */
export const genotypeQc = z.object({
  kind: z.literal('genotype'),
  samples: z.number().int(),
  markers: z.number().int(),
  missing_share: z.number(),
  heterozygous_share: z.number().optional().describe('Heterozygotes among all called genotypes.'),
  mean_individual_heterozygosity: z
    .number()
    .optional()
    .describe('Mean over individuals of the share of heterozygotes among their calls.'),
  phased: z.boolean(),
  counted_allele: z.string().describe('The allele that dosages and effects count.'),
  marker_call_rate: histogram,
  marker_maf: histogram,
  marker_heterozygosity: histogram,
  hwe: z
    .object({
      tested: z.number().int().describe('Polymorphic markers.'),
      neg_log10_p: histogram.describe('−log10 p; values above the range are counted in the last bin.'),
      below_1e_6: z.number().int().describe('Markers with p < 1e-6.'),
      fewer_heterozygotes: z.number().int().describe('Of these, markers with fewer heterozygotes than expected.'),
      more_heterozygotes: z.number().int(),
      is_inbred_panel: z
        .boolean()
        .describe('Mean F above 0.5: fewer heterozygotes are expected at every marker, and say nothing against it.'),
    })
    .optional()
    .describe('Exact test of Hardy–Weinberg equilibrium (Wigginton et al. 2005).'),
  sample_call_rate: histogram,
  sample_heterozygosity: histogram,
  sample_inbreeding: histogram.optional().describe('Inbreeding coefficients F by the method of moments.'),
  mean_inbreeding: z.number().nullable().optional(),
  samples_below_call_rate: z.number().int().optional().describe('Individuals with a call rate below 0.8.'),
  markers_after_default_qc: z
    .number()
    .int()
    .describe('Markers that pass the defaults of a run: MAF ≥ 0.05, call rate ≥ 0.90.'),
  contigs: z.array(
    z.object({
      name: z.string(),
      markers: z.number().int(),
      length_bp: z.number(),
      density: z.array(z.number().int()),
    }),
  ),
  samples_table: z
    .array(
      z.object({
        name: z.string(),
        call_rate: z.number(),
        heterozygosity: z.number(),
        inbreeding: z.number().nullable().optional(),
      }),
    )
    .describe('One row a sample, at most 20,000.'),
  pca: z
    .object({
      shares: z.array(z.number()),
      points: z.array(z.object({ name: z.string(), pc: z.array(z.number()) })),
      eigenvalues: z.array(z.number()).optional(),
      markers: z.number().int().optional().describe('Markers used, for the kinship too.'),
      of_markers: z.number().int().optional().describe('Markers that pass the default filter.'),
      is_approximate: z.boolean().optional().describe('Not all of these markers were used.'),
    })
    .nullable(),
  kinship: z
    .object({ names: z.array(z.string()), values: z.array(z.number()) })
    .nullable()
    .describe('Kinship ordered by clustering, row-major, for at most 500 individuals; null for larger panels.'),
  ld_decay: ldDecay.nullable().optional().describe('Decay of LD with distance; null without positions.'),
  duplicates: z
    .array(z.object({ first: z.string(), second: z.string(), identity: z.number() }))
    .describe('Pairs with more than 99 % of equal calls, at most 1,000.'),
  duplicate_search: z
    .object({
      pairs: z.number().int().describe('All pairs found.'),
      markers: z.number().int().describe('Markers compared.'),
      unverified: z.number().int().describe('Similar pairs that were not compared at all of these markers.'),
      skipped: z
        .enum(['few-markers', 'many-samples'])
        .nullable()
        .describe('Why there was no search: fewer than 100 polymorphic markers, more than 50,000 individuals.'),
    })
    .optional(),
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
  h2: z
    .number()
    .nullable()
    .describe('H² on an entry-mean basis, 1 − MS(error)/MS(lines); null where it cannot be estimated.'),
  histogram: histogram.nullable(),
  outliers: z.array(z.object({ individual: z.string(), value: z.number(), line: z.number().int().nullable() })),
});
export type TraitSummaryBody = z.infer<typeof traitSummary>;

export const phenotypeQc = z.object({
  kind: z.literal('phenotype'),
  shape: z.enum(['wide', 'wide-design', 'long']),
  individuals: z.number().int(),
  traits: z.array(traitSummary),
  correlations: z
    .object({ names: z.array(z.string()), values: z.array(z.number().nullable()) })
    .describe('Pearson correlations of the numeric traits, row-major over `names`; null where fewer than 3 pairs.'),
  environments: z
    .array(
      z.object({ name: z.string(), observations: z.array(z.number().int()), individuals: z.array(z.number().int()) }),
    )
    .optional()
    .describe(
      'How many values of how many individuals an environment holds, by trait in the order of `traits`; absent without design columns.',
    ),
  means: z
    .array(meansSummary)
    .optional()
    .describe('One entry per numeric trait; absent when no individual has several observations of any trait.'),
});
export type PhenotypeQcBody = z.infer<typeof phenotypeQc>;

export const linkageMapQc = z.object({
  kind: z.literal('linkage_map'),
  markers: z.number().int(),
  chromosomes: z.array(z.object({ name: z.string(), markers: z.number().int(), length_cm: z.number().nullable() })),
});
/** `type` as in `CrossType` of file-formats; absent in files checked by an older version. */
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
export const fileQc = z
  .discriminatedUnion('kind', [genotypeQc, phenotypeQc, linkageMapQc, crossingTableQc])
  .meta({ id: 'FileQc' });
export type FileQc = z.infer<typeof fileQc>;

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
export const exportFileQuery = z.object({
  format: exportFormat.describe(
    'plink: .bed/.bim/.fam (ALT in column 5 of the .bim, as PLINK 2 writes it), plink_text: .ped/.map, flapjack: each in a zip; numeric: copies of A2 as CSV, one row an individual; numeric_by_marker: one row a marker.',
  ),
});

/** `GET …/files/{id}/linkage_map_template`: mode 1 divides bp by `bp_per_cm`, mode 2 leaves the position blank. */
export const linkageMapTemplateQuery = z.object({
  mode: z.enum(['1', '2']).default('1').describe('1: positions in cM from those in bp; 2: positions left blank.'),
  bp_per_cm: z.coerce.number().positive().max(1e9).default(1_000_000).describe('Base pairs in one centimorgan.'),
});

/** `POST …/files/{id}/phasing`: creates a phased genotype file without missing calls beside this one. */
export const phaseFileBody = z.object({
  name: name.optional().describe('Name of the phased file. Absent: the name of this file with `_phased`.'),
  linkage_map_id: id.nullable().optional().describe('Distances between markers; absent: 1 cM for 1,000,000 bp.'),
  seed: z.number().int().min(0).max(2_147_483_647).default(1),
});
