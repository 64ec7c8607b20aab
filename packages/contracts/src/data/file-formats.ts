import * as z from 'zod';
import { EXPORT_FORMATS, GENOTYPE_FIELDS, GENOTYPE_FORMATS, NUMERIC_CODINGS, PLOIDIES } from './format-names.ts';

/** Formats in which genotypes are read. */
export const genotypeFormat = z.enum(GENOTYPE_FORMATS);

/** Shapes of a phenotype file: one row per individual, repeated rows with design columns, one row per observation. */
export const phenotypeShape = z.enum(['wide', 'wide-design', 'long']);

/** What the check of a file finds it to be. A test of the server compares these lists with those of the readers. */
export const fileFormat = z.enum([
  ...genotypeFormat.options,
  ...phenotypeShape.options,
  'linkage-map',
  'crossing-table',
  'pedigree',
  'genes',
]);
export type FileFormat = z.infer<typeof fileFormat>;

/**
 * Coding of a numeric matrix: copies of the counted allele, the same minus one, or absence and presence.
 */
export const numericCoding = z.enum(NUMERIC_CODINGS);
export type NumericCoding = z.infer<typeof numericCoding>;

/** Copies of each chromosome. */
export const ploidy = z.literal(PLOIDIES);
export type Ploidy = z.infer<typeof ploidy>;

/** How many plants of a file have a ploidy. */
export const ploidyCount = z.object({ ploidy, samples: z.number().int() });
export type PloidyCount = z.infer<typeof ploidyCount>;

/** The field of a VCF that genotypes are read from. */
export const genotypeField = z.enum(GENOTYPE_FIELDS);
export type GenotypeField = z.infer<typeof genotypeField>;

/** What the rows of a matrix of genotype calls are. */
export const matrixRows = z.enum(['samples', 'markers']);
export type MatrixRows = z.infer<typeof matrixRows>;

/** Formats in which the genotypes of a file can be exported. */
export const exportFormat = z.enum(EXPORT_FORMATS);
export type ExportFormat = z.infer<typeof exportFormat>;

/** Export formats that hold fractional dosages; the others round them to whole copies. */
export const DOSAGE_FORMATS: readonly ExportFormat[] = ['vcf', 'numeric', 'numeric_by_marker', 'long_dosages'];

/** Export formats that hold polyploids; the others have two alleles a call. */
export const POLYPLOID_FORMATS: readonly ExportFormat[] = [...DOSAGE_FORMATS, 'letters'];

/** Export formats that tell the ploidy of each plant. */
export const MIXED_FORMATS: readonly ExportFormat[] = ['vcf'];

/** Endings of the names of files that are uploaded, without those of compression. */
const GENOTYPE_ENDINGS = 'vcf|hmp|hapmap|ped|bed|pgen|zip';
const TABLE_ENDINGS = 'dat|csv|tsv|txt|xlsx';
const COMPRESSED = 'gz|bgz';

const ALL_ENDINGS = new RegExp(`(?:\\.(?:${GENOTYPE_ENDINGS}|${TABLE_ENDINGS}|${COMPRESSED}))+$`, 'i');
const GENOTYPE_NAME = new RegExp(`\\.(?:${GENOTYPE_ENDINGS})(?:\\.txt)?(?:\\.(?:${COMPRESSED}))?$`, 'i');

/** The name of a file without its endings: `panel` of `panel.hmp.txt.gz`. Empty when it consists of endings. */
export const withoutEndings = (name: string): string => name.replace(ALL_ENDINGS, '');

/** The name of a file ends like that of genotypes and of nothing else. */
export const hasGenotypeEnding = (name: string): boolean => GENOTYPE_NAME.test(name);
