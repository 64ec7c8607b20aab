/** Types of file that the readers check, as the API spells them; a test of the server compares the two lists. */
export const CHOSEN_FILE_TYPES = [
  'GENOTYPE',
  'PHENOTYPE',
  'LINKAGE_MAP',
  'CROSSING_TABLE',
  'PEDIGREE',
  'GENES',
] as const;
export type ChosenFileType = (typeof CHOSEN_FILE_TYPES)[number];

/** What people call the types, as the pages do. */
export const CHOSEN_FILE_TYPE_NAMES: Record<ChosenFileType, string> = {
  GENOTYPE: 'Genotype',
  PHENOTYPE: 'Phenotype',
  LINKAGE_MAP: 'Linkage map',
  CROSSING_TABLE: 'Crossing table',
  PEDIGREE: 'Pedigree',
  GENES: 'Gene annotation',
};

/** Formats in which genotypes are read. */
export const GENOTYPE_FORMATS = [
  'vcf',
  'hapmap',
  'plink-binary',
  'plink-text',
  'plink2',
  'flapjack',
  'numeric-matrix',
  'letter-matrix',
  'kasp',
  'dart',
  'long-dosages',
] as const;
export type GenotypeFormat = (typeof GENOTYPE_FORMATS)[number];

export const isGenotypeFormat = (format: string): format is GenotypeFormat =>
  GENOTYPE_FORMATS.some((one) => one === format);

/** Shapes of a phenotype file: one row per individual, repeated rows with design columns, one row per observation. */
export const PHENOTYPE_SHAPES = ['wide', 'wide-design', 'long'] as const;
export type PhenotypeShape = (typeof PHENOTYPE_SHAPES)[number];

/** Every format that a file of the product can have. */
export type FileFormat = GenotypeFormat | PhenotypeShape | 'linkage-map' | 'crossing-table' | 'pedigree' | 'genes';
