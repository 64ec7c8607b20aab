import { GENOTYPE_FORMATS, importGenotype, NUMERIC_CODINGS } from '@heterosis/analysis/genotype/import-genotype';
import { openFileSource } from '@heterosis/analysis/inputs/byte-source';
import { type Command, defineCommand, InputError, type ReportedProblem } from '../command.ts';

export const importCommand: Command = defineCommand({
  name: 'import',
  summary: 'check a genotype file and write it as PLINK .bed/.bim/.fam',
  description: [
    'Reads a genotype file of any accepted format, detected from its content and not from its name: VCF 4.0 to 4.4, HapMap, PLINK text or binary or PLINK 2 (.pgen) in a zip, numeric matrix (individuals or markers in rows), letter matrix and grids of Intertek, Agriplex and LGC, KASP tables and reports, DArT (SNPs in one or two rows, SilicoDArT), Flapjack; plain, gzip or bgzip. Calls and a list of their markers (columns marker, chrom, pos, REF, ALT) may lie in one zip.',
    'Every problem of the file is reported in one pass with its line, column and value. With an error nothing is written; warnings do not stop the import.',
    'A1 is the reference allele and A2 the alternative; every analysis counts copies of A2. As in PLINK 2, column 6 of a .bim is A1 (REF) and column 5 is A2 (ALT), in the files read and in those written.',
  ],
  options: {
    genotype: { kind: 'text', path: 'read', placeholder: 'FILE', required: true, help: 'The file to read.' },
    format: {
      kind: 'choice',
      choices: GENOTYPE_FORMATS,
      placeholder: 'NAME',
      help: 'Refuse the file unless it is in this format. Without it any accepted format is read.',
    },
    multiallelic: {
      kind: 'choice',
      choices: ['split', 'drop'],
      fallback: 'split',
      help: 'Markers with more than two alleles: one marker for each alternative allele, or left out.',
    },
    'duplicate-positions': {
      kind: 'choice',
      choices: ['error', 'keep'],
      fallback: 'error',
      help: 'The same variant (chromosome, position and alleles) in two rows: refuse the file, or keep both rows if each has its own id. Analyses of such a file keep both, with a warning.',
    },
    dosages: {
      kind: 'flag',
      help: 'VCF: read the dosages (DS, else GP) where they stand beside GT. Without it GT is read, and dosages only where there is no GT.',
    },
    'haploid-calls': {
      kind: 'choice',
      choices: ['refuse', 'homozygous'],
      fallback: 'refuse',
      help: 'VCF: calls of one allele in a row whose other calls have two: refuse the file, or read them as homozygous.',
    },
    coding: {
      kind: 'choice',
      choices: NUMERIC_CODINGS,
      help: 'Meaning of the numbers of a numeric matrix: copies of the counted allele (0/1/2), the same minus one (-1/0/1), or absent and present (0/1). Without it the coding is detected from the values, and a warning names it.',
    },
    out: { kind: 'text', path: 'prefix', placeholder: 'PREFIX', required: true, help: 'Prefix of the files written.' },
  },
  output: [
    'PREFIX.bed, PREFIX.bim, PREFIX.fam: PLINK 1 files, markers in natural chromosome order and by position. PREFIX.dosage: fractional dosages beside them, where the file has any; the .bed then holds the nearest calls.',
    'PREFIX.qc.json: the figures of heterosis qc. PREFIX.samples.csv, PREFIX.contigs.csv, PREFIX.snpids.csv: lists. PREFIX.linkmaptemp.csv: a linkage-map template.',
  ],
  examples: ['heterosis import --genotype maize.vcf.gz --out maize', 'heterosis qc --genotype maize'],
  async run(options, io) {
    const coding = NUMERIC_CODINGS.find((one) => one === options.coding);
    const format = GENOTYPE_FORMATS.find((name) => name === options.format);
    const source = await openFileSource(options.genotype);
    try {
      const imported = await importGenotype(
        {
          source,
          outPrefix: options.out,
          multiallelic: options.multiallelic === 'drop' ? 'drop' : 'split',
          duplicatePositions: options['duplicate-positions'] === 'keep' ? 'keep' : 'error',
          prefersDosages: options.dosages,
          haploidCalls: options['haploid-calls'] === 'homozygous' ? 'homozygous' : 'refuse',
          ...(format === undefined ? {} : { format }),
          ...(coding === undefined ? {} : { numericCoding: coding }),
        },
        io.context,
      );
      if (imported.panel === null) {
        throw new InputError(
          imported.report.problems.filter((problem) => problem.severity === 'error').map(nameOption),
          options.genotype,
        );
      }
      io.report(imported.report.problems, options.genotype);
      const { samples, markers, phased } = imported.panel;
      return {
        summary: {
          format: imported.format,
          n: samples,
          m: markers,
          phased,
          ...(imported.numericCoding === null ? {} : { coding: imported.numericCoding.coding }),
          missing_share: imported.qc?.missing_share ?? null,
          problems: imported.report.totals,
          files: imported.files,
        },
        lines: [
          `${imported.format}: ${samples} individuals × ${markers} markers${phased ? ', phased' : ''}`,
          `written: ${options.out}.bed/.bim/.fam, .qc.json and lists`,
        ],
      };
    } finally {
      await source.close();
    }
  },
});

/** Choices of the web application that the readers' advice names, and the options that they are here. */
const CHOICES: Readonly<Record<string, readonly [choice: string, option: string]>> = {
  'E-GT-DUP-POS': ['choose to keep both', 'keep both with --duplicate-positions keep'],
  'E-GT-PLOIDY-MIX': [
    'Choose to read calls of one allele as homozygous',
    'Read calls of one allele as homozygous with --haploid-calls homozygous',
  ],
};

function nameOption(problem: ReportedProblem): ReportedProblem {
  const named = CHOICES[problem.code];
  if (named === undefined || problem.suggestion === null) return problem;
  return { ...problem, suggestion: problem.suggestion.replace(...named) };
}
