// Files that commands read and write, and how they are read. A server has files of its own.
import { GENOTYPE_FIELDS, PLOIDY_CHOICES } from '../data/format-names.ts';
import { defineOptions } from './define-options.ts';

/** A file that a command writes. */
export const WRITTEN = { kind: 'text', input: false, cli: { path: 'write', placeholder: 'FILE' } } as const;

/** The one file of a command that it always writes. */
export const OUT = { ...WRITTEN, cli: { ...WRITTEN.cli, required: true } } as const;

/** As {@link OUT}, a table. */
export const CSV = { ...OUT, about: 'The CSV file to write.' } as const;

/** Where marker effects come from, for commands that predict crosses. */
export const EFFECT_OPTIONS = defineOptions({
  model: {
    kind: 'text',
    about: 'The model.json of heterosis train. This or --effects is required.',
    input: false,
    cli: { path: 'read', placeholder: 'FILE' },
  },
  effects: {
    kind: 'text',
    about: 'A table of marker effects: marker,effect_allele,T_additive[,T_dominance] for each trait T.',
    input: false,
    cli: { path: 'read', placeholder: 'FILE' },
  },
});

export const GENOTYPE_OPTION = defineOptions({
  genotype: {
    kind: 'text',
    about:
      'Genotypes: a PLINK .bed prefix, or a VCF, HapMap, zipped PLINK, KASP, DArT, updog, fitPoly, numeric or letter matrix file, plain or gzipped.',
    input: false,
    cli: { placeholder: 'G', path: 'genotype', required: true },
  },
});

/** How genotype files are read, in every command that reads one. */
export const GENOTYPE_READING_OPTIONS = defineOptions({
  ploidy: {
    kind: 'choice',
    choices: PLOIDY_CHOICES,
    about:
      'Copies of each chromosome, where the genotype file does not tell them: in a table of numbers, or a VCF of dosages or reads without calls.',
    input: false,
  },
  samples_of_ploidy: {
    kind: 'choice',
    choices: PLOIDY_CHOICES,
    about:
      'Take only the plants with so many copies of each chromosome, of a VCF (or what was imported from one) whose plants differ.',
    input: false,
  },
  genotype_field: {
    kind: 'choice',
    choices: GENOTYPE_FIELDS,
    about:
      'VCF: the field that genotypes are read from: calls (GT), dosages (DS, else GP), or reads of each allele, whose share times the ploidy is the dosage (AD) or which are called (AD-called): the class of the largest binomial probability, missing where none reaches 0.8. Reports of reads (DArT) and tables of dosages by call (updog, fitPoly) have the same fields. Default: GT, and dosages where there is none.',
    input: false,
  },
});

export const PHENOTYPE_OPTIONS = defineOptions({
  phenotype: {
    kind: 'text',
    about:
      'Phenotypes: CSV, TSV or XLSX, one row per individual, or with design columns (environment, replicate …), or long. Repeated observations are reduced to adjusted means.',
    input: false,
    cli: { placeholder: 'P', path: 'read', required: true },
  },
  average_repeated_rows: {
    kind: 'flag',
    about: 'Average rows of one individual that no design column tells apart. Without it they are errors (E-PH-DUP).',
  },
  missing_codes: {
    kind: 'list',
    about: 'Values of the phenotype file that mean "missing", for example -9,999.',
    cli: { placeholder: 'CODE,CODE' },
  },
  measured_values: {
    kind: 'list',
    about: 'Values of the phenotype file that look like a code for "missing" (E-PH-MISSING-CODE) and are values.',
    cli: { placeholder: 'VALUE,VALUE' },
  },
  dates: {
    kind: 'choice',
    choices: ['days-after-sowing', 'day-of-year'],
    about:
      'Make numbers of traits that hold dates (W-PH-DATE). Days after sowing need --sowing-date or a column of the dates of sowing.',
    input: false,
  },
  sowing_date: {
    kind: 'text',
    about: 'Date of sowing of all rows of the phenotype file, for --dates days-after-sowing.',
    input: false,
    cli: { placeholder: 'YYYY-MM-DD' },
  },
  date_order: {
    kind: 'choice',
    choices: ['day-first', 'month-first'],
    about: 'Whether 01/02/2025 is in February or in January, where no date of the file tells (E-PH-DATE-ORDER).',
    input: false,
  },
  columns: {
    kind: 'list',
    about:
      'What the columns of the phenotype file hold, where their headers do not tell: Sorte=individual,Ort=location,Ertrag=measurement.',
    input: false,
    cli: { placeholder: 'HEADER=ROLE,…' },
  },
  sheet: {
    kind: 'text',
    about: 'Sheet of a phenotype workbook. Default: the first.',
    input: false,
    cli: { placeholder: 'NAME' },
  },
  header_line: {
    kind: 'integer',
    min: 0,
    max: 1000,
    about:
      'Line of the header of the phenotype file; 0 when there is none, and the columns are called "Column A" and so on. Default: found below titles.',
    input: false,
  },
  decimal_mark: {
    kind: 'choice',
    choices: ['point', 'comma'],
    about:
      'Mark of decimals of the phenotype file; the other one then separates thousands. Default: both are read as decimals where that is clear.',
    input: false,
  },
  left_out_rows: {
    kind: 'list',
    about: 'Rows of the phenotype file that are not read, by their line in the file or row in the sheet: 62,63.',
    input: false,
    cli: { placeholder: 'LINE,LINE' },
  },
  left_out_cells: {
    kind: 'list',
    about:
      'Cells of the phenotype file that are read as empty, by the letters of their column and their line: D12,D14.',
    input: false,
    cli: { placeholder: 'CELL,CELL' },
  },
});

export const TRAITS_OPTION = defineOptions({
  trait: {
    kind: 'list',
    about: 'Traits of the phenotype file, separated by commas; a name that holds a comma stands in double quotes.',
    input: 'traits',
    cli: { placeholder: 'T[,T2]', required: true },
  },
});

export const PEDIGREE_FILE_OPTIONS = defineOptions({
  pedigree: {
    kind: 'text',
    about:
      'Pedigree: CSV, TSV or XLSX with columns name, female, male (and cross_type, generation), one row a parent as Helium writes it, or a column pedigree with Purdy strings (A/B//C/3/D*2).',
    input: false,
    cli: { placeholder: 'P', path: 'read' },
  },
  pedigree_columns: {
    kind: 'list',
    about:
      'What the columns of the pedigree hold, where their headers do not tell (E-COL-FEMALE, E-COL-MALE): Samenspender=female,Bestäuber=male.',
    input: false,
    cli: { placeholder: 'HEADER=ROLE,…' },
  },
});
