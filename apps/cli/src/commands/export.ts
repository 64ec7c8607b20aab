import {
  exportGenotype,
  lostDosagesProblem,
  PANEL_FORMATS,
  type PanelFormat,
  selectFromPanel,
} from '@heterosis/analysis/genotype/export-genotype';
import { readNameList } from '@heterosis/analysis/inputs/name-list';
import { EXPORT_OPTIONS } from '@heterosis/contracts/options/genotypes';
import { flagsOf } from '@heterosis/contracts/options/option-flags';
import { type Command, defineCommand, InputError } from '../command.ts';
import { withGenotype } from '../options/genotype-option.ts';

export const exportCommand: Command = defineCommand({
  name: 'export',
  summary: 'write a genotype in another format, whole or in part',
  description: [
    'Writes the genotype as VCF, HapMap (TASSEL), PLINK binary or text, Flapjack, as a table of copies of allele A2 with individuals (numeric) or markers (numeric-by-marker) in rows or with one dosage a row (long-dosages), or as letters, one a copy.',
    'Calls, names, order and positions stay as they are. A1 is REF in VCF, the first allele in HapMap, column 6 of the .bim (as in PLINK 2). PLINK text and Flapjack name the alleles of each call and not which is A1; numeric and long-dosages do not hold chromosomes, positions and alleles. Phase is not kept: heterosis phase writes phased VCF.',
    '--samples and --markers take a file with one name a line (# begins a comment) and leave the rest out. Individuals are matched by exact name, else without case and punctuation if only one fits; markers by exact name.',
  ],
  options: flagsOf(EXPORT_OPTIONS),
  output: [
    'vcf: VCF 4.2 with unphased GT, and DS at markers with fractional dosages. hapmap: two letters a call. plink: .bed, .bim, .fam. plink-text: .ped, .map. flapjack: .dat (genotypes), .map. numeric: sample, then one column a marker. numeric-by-marker: marker, chrom, pos, REF, ALT, then one column an individual. letters: the same columns, with AG or AAAG as calls. long-dosages: snp, ind, geno, and postmean where dosages are fractions.',
    'Blanks in names become _ in the PLINK formats, where a blank separates columns.',
  ],
  examples: [
    'heterosis export --genotype maize --format vcf --out maize.vcf.gz',
    'heterosis export --genotype maize.vcf.gz --format hapmap --samples elite.txt --out elite.hmp.txt',
    'heterosis export --genotype maize.vcf.gz --format flapjack --out maize.zip',
  ],
  takesPolyploids: true,
  takesMixedPloidies: true,
  async run(options, io) {
    const format: PanelFormat = PANEL_FORMATS[EXPORT_OPTIONS.format.choices.indexOf(options.format)] ?? 'vcf';
    const [samples = null, markers = null] = await Promise.all(
      [options.samples, options.markers].map((path) => (path === undefined ? null : readNameList(path))),
    );
    return withGenotype(options.genotype, io, async (panel) => {
      const selection = selectFromPanel(panel, { samples, markers });
      for (const [report, file] of [
        [selection.samples, options.samples],
        [selection.markers, options.markers],
      ] as const) {
        if (report.totals.errors > 0) {
          throw new InputError(
            report.problems.filter(({ severity }) => severity === 'error'),
            file ?? '',
          );
        }
        io.report(report.problems, file ?? '');
      }
      const lost = lostDosagesProblem(selection.panel, format);
      if (lost !== null) io.report([lost], options.out);
      const files = await exportGenotype({ panel: selection.panel, format, outPath: options.out }, io.context);
      const [n, m] = [selection.panel.samples.length, selection.panel.markers.id.length];
      return {
        summary: { n, m, format, files },
        lines: [`${options.format}: ${n} individuals × ${m} markers`, `written: ${files.join(', ')}`],
      };
    });
  },
});
