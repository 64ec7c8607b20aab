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

/** Codings of a numeric matrix: copies of the counted allele, the same minus one, or absence and presence. */
export const NUMERIC_CODINGS = ['0/1/2', '-1/0/1', '0/1'] as const;

/** Copies of each chromosome that plants of a genotype can have. */
export const PLOIDIES = [2, 4, 6, 8] as const;
/** The same as choices of an option. */
export const PLOIDY_CHOICES = ['2', '4', '6', '8'] as const;

/**
 * What genotypes are read from: calls, dosages (else probabilities), reads of each allele, whose share is the dosage or
 * which are called.
 */
export const GENOTYPE_FIELDS = ['GT', 'DS', 'AD', 'AD-called'] as const;

/** Formats in which the genotypes of a file can be exported. */
export const EXPORT_FORMATS = [
  'vcf',
  'hapmap',
  'plink',
  'plink_text',
  'flapjack',
  'numeric',
  'numeric_by_marker',
  'letters',
  'long_dosages',
] as const;
