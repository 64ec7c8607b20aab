// What commands do with genotypes.
import { EXPORT_FORMATS, GENOTYPE_FORMATS, NUMERIC_CODINGS } from '../data/format-names.ts';
import { defineOptions } from './define-options.ts';
import { EXCLUSION_OPTIONS } from './exclusions.ts';
import { CSV, GENOTYPE_OPTION, OUT, WRITTEN } from './inputs.ts';
import { KINSHIP_PRECISION_OPTION, MAP_OPTIONS, MARKER_OPTIONS, SEED } from './shared.ts';

/** A VCF that is written. */
const VCF = { ...OUT, about: 'The VCF to write, compressed (bgzip) when its name ends in .gz.' } as const;

/** In the order of `heterosis phase`. */
export const PHASE_OPTIONS = defineOptions({
  ...GENOTYPE_OPTION,
  ...MAP_OPTIONS,
  seed: { ...SEED, about: 'Seed of the phasing.', cli: {} },
  memory: {
    kind: 'integer',
    min: 64,
    unit: 'MB',
    about:
      'Memory for Beagle, shared by as many processes as there are threads, each with at least 1,024 MB. Default: half of the machine.',
    input: 'memoryMb',
    only: { place: 'cli', why: 'A server gives it what its worker has.' },
    cli: { placeholder: 'MB' },
  },
  out: VCF,
});

/** In the order of `heterosis hybrids`. */
export const HYBRID_OPTIONS = defineOptions({
  ...GENOTYPE_OPTION,
  crosses: {
    kind: 'text',
    about: 'The crossing table: female and male, optionally name.',
    input: false,
    cli: { path: 'read', placeholder: 'FILE', required: true },
  },
  out: VCF,
});

const A_FILE = { path: 'read', placeholder: 'FILE' } as const;

/** In the order of `heterosis import`. */
export const IMPORT_OPTIONS = defineOptions({
  genotype: { ...GENOTYPE_OPTION.genotype, about: 'The file to read.', cli: { ...A_FILE, required: true } },
  format: {
    kind: 'choice',
    choices: GENOTYPE_FORMATS,
    about: 'Refuse the file unless it is in this format. Without it any accepted format is read.',
    cli: { placeholder: 'NAME' },
  },
  multiallelic: {
    kind: 'choice',
    choices: ['split', 'drop'],
    default: 'split',
    about: 'Markers with more than two alleles: one marker for each alternative allele, or left out.',
  },
  duplicate_positions: {
    kind: 'choice',
    choices: ['error', 'keep'],
    default: 'error',
    about:
      'The same variant (chromosome, position and alleles) in two rows: refuse the file, or keep both rows if each has its own id. Analyses of such a file keep both, with a warning.',
  },
  dosages: {
    kind: 'flag',
    about:
      'VCF: read the dosages (DS, else GP) where they stand beside GT. Without it GT is read, and dosages only where there is no GT.',
    input: 'prefersDosages',
  },
  haploid_calls: {
    kind: 'choice',
    choices: ['refuse', 'homozygous'],
    default: 'refuse',
    about: 'VCF: calls of one allele in a row whose other calls have two: refuse the file, or read them as homozygous.',
  },
  coding: {
    kind: 'choice',
    choices: NUMERIC_CODINGS,
    about:
      'Meaning of the numbers of a numeric matrix: copies of the counted allele (0/1/2), the same minus one (-1/0/1), or absent and present (0/1). Without it the coding is detected from the values, and a warning names it.',
    input: 'numericCoding',
  },
  out: {
    kind: 'text',
    about: 'Prefix of the files written.',
    input: 'outPrefix',
    cli: { path: 'prefix', placeholder: 'PREFIX', required: true },
  },
});

/** In the order of `heterosis export`. */
export const EXPORT_OPTIONS = defineOptions({
  ...GENOTYPE_OPTION,
  format: {
    kind: 'choice',
    // With hyphens, as flags have them.
    choices: EXPORT_FORMATS.map((format) => format.replaceAll('_', '-')),
    about: 'The format to write.',
    input: false,
    cli: { placeholder: 'NAME', required: true },
  },
  samples: { kind: 'text', about: 'Names of the individuals to keep.', input: false, cli: A_FILE },
  markers: { kind: 'text', about: 'Names of the markers to keep.', input: false, cli: A_FILE },
  out: {
    ...OUT,
    about:
      'The file to write, compressed (bgzip) when its name ends in .gz. For plink, plink-text and flapjack a name that ends in .zip gives one archive, any other is the prefix of the files.',
  },
});

// There is no kinship of another file here.
const { not: _, ...OWN_PRECISION } = KINSHIP_PRECISION_OPTION.kinship_precision;

/** In the order of `heterosis kinship`. */
export const KINSHIP_OPTIONS = defineOptions({
  ...GENOTYPE_OPTION,
  method: {
    kind: 'choice',
    choices: ['standardized', 'vanraden1', 'dominance', 'digenic', 'slater', 'gaussian'],
    default: 'standardized',
    about: 'The matrix to compute.',
  },
  bandwidth: {
    kind: 'text',
    default: '1',
    about:
      'h of the Gaussian kernel exp(−h·D²/median of D²): a number above 0, or reml, that of the largest REML likelihood of a trait (--phenotype, --trait).',
    input: false,
    needs: { method: { message: '--bandwidth is about --method gaussian.', action: 'Leave it out.' } },
    cli: { placeholder: 'h|reml' },
  },
  phenotype: {
    kind: 'text',
    about: 'Phenotypes for --bandwidth reml.',
    input: false,
    needs: { bandwidth: { message: '--phenotype is about --bandwidth reml.', action: 'Leave it out.' } },
    cli: { path: 'read', placeholder: 'P' },
  },
  trait: {
    kind: 'text',
    about: 'The trait of --bandwidth reml.',
    input: false,
    needs: { phenotype: { message: '--trait is about --phenotype.', action: 'Give the phenotype file too.' } },
    cli: { placeholder: 'NAME' },
  },
  ...MARKER_OPTIONS,
  ...EXCLUSION_OPTIONS,
  kinship_precision: { ...OWN_PRECISION, input: 'precision' },
  out: CSV,
});

/** In the order of `heterosis qc`. */
export const QC_OPTIONS = defineOptions({
  ...GENOTYPE_OPTION,
  ...MAP_OPTIONS,
  ...EXCLUSION_OPTIONS,
  structure_markers: {
    kind: 'choice',
    choices: ['auto', 'all'],
    default: 'auto',
    about: 'Markers for principal components and kinship: all up to the limit above, or all of any panel.',
  },
  frequencies: { ...WRITTEN, about: 'Write the frequency of A2 at every marker to this file as CSV.' },
  out: { ...WRITTEN, about: 'Write all figures to this file as JSON.' },
  markers_out: { ...WRITTEN, about: 'Write a table of all markers to this file as CSV.' },
  samples_out: { ...WRITTEN, about: 'Write a table of all individuals to this file as CSV.' },
  ld_out: { ...WRITTEN, about: 'Write the decay of LD to this file as CSV.' },
});
