import { importGenotype } from '@heterosis/analysis/genotype/import-genotype';
import { openFileSource } from '@heterosis/analysis/inputs/byte-source';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { IMPORT_OPTIONS } from '@heterosis/contracts/options/genotypes';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { type Command, defineCommand, InputError, type ReportedProblem } from '../command.ts';

export const importCommand: Command = defineCommand({
  name: 'import',
  summary: 'check a genotype file and write it as PLINK .bed/.bim/.fam',
  description: [
    'Reads a genotype file of any accepted format, detected from its content and not from its name: VCF 4.0 to 4.4, HapMap, PLINK text or binary or PLINK 2 (.pgen) in a zip, numeric matrix (individuals or markers in rows), letter matrix and grids of Intertek, Agriplex and LGC, KASP tables and reports, DArT (SNPs in one or two rows, SilicoDArT), Flapjack; plain, gzip or bgzip. Calls and a list of their markers (columns marker, chrom, pos, REF, ALT) may lie in one zip.',
    'Every problem of the file is reported in one pass with its line, column and value. With an error nothing is written; warnings do not stop the import.',
    'A1 is the reference allele and A2 the alternative; every analysis counts copies of A2. As in PLINK 2, column 6 of a .bim is A1 (REF) and column 5 is A2 (ALT), in the files read and in those written.',
  ],
  options: flagsOf(IMPORT_OPTIONS),
  output: [
    'PREFIX.bed, PREFIX.bim, PREFIX.fam: PLINK 1 files, markers in natural chromosome order and by position. PREFIX.dosage: fractional dosages beside them, where the file has any; the .bed then holds the nearest calls. Of polyploids it holds all dosages, and the .bed tells no copy, some and all.',
    'PREFIX.qc.json: the figures of heterosis qc. PREFIX.samples.csv, PREFIX.contigs.csv, PREFIX.snpids.csv: lists. PREFIX.linkmaptemp.csv: a linkage-map template.',
  ],
  examples: ['heterosis import --genotype maize.vcf.gz --out maize', 'heterosis qc --genotype maize'],
  takesPolyploids: true,
  takesMixedPloidies: true,
  async run(options, io) {
    const source = await openFileSource(options.genotype);
    try {
      const imported = await importGenotype(
        { source, ...inputsOf(IMPORT_OPTIONS, optionsOfFlags(IMPORT_OPTIONS, options)) },
        io.context,
      );
      if (imported.panel === null) {
        throw new InputError(
          imported.report.problems.filter((problem) => problem.severity === 'error').map(nameOption),
          options.genotype,
        );
      }
      io.report(imported.report.problems.map(nameOption), options.genotype);
      const { samples, markers, phased, ploidies } = imported.panel;
      return {
        summary: {
          format: imported.format,
          n: samples,
          m: markers,
          phased,
          ...(ploidies === null ? {} : { ploidies }),
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
  'W-GT-PLOIDY-MIX': [
    'Read only the plants of one ploidy',
    'Read only the plants of one ploidy (--samples-of-ploidy 4)',
  ],
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
