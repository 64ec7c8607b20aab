import type { ProblemCollector } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { counted, type Tally } from '../panel/tally.ts';

/** W-GT-ALLELES for markers whose reference had to be chosen by the frequency of the alleles. */
export function reportUnlistedAlleles(markers: number, problems: ProblemCollector): void {
  if (markers === 0) return;
  problems.warning('W-GT-ALLELES', {
    message: `The file does not say which allele is the reference for ${counted(markers, 'marker')}: the more frequent one was taken, and the other is counted.`,
    suggestion: 'Use VCF or HapMap if the reference allele matters to you.',
  });
}

/** W-GT-ALLELES for markers of which one allele is named twice, or beside one that no call can have. */
export function reportNamedOnce(markers: Tally, problems: ProblemCollector): void {
  if (markers.count === 0) return;
  problems.warning('W-GT-ALLELES', {
    line: markers.line,
    message: `The alleles named for ${counted(markers.count, 'marker')} have only one in common with the calls, which have another one too; that one is counted.`,
    suggestion: 'Name both alleles of these markers (A/C), or correct the calls.',
  });
}

/** W-GT-OTHER-ALLELE for calls whose allele is not one of those listed for the marker. */
export function reportOtherAlleles(calls: Tally, problems: ProblemCollector): void {
  if (calls.count === 0) return;
  problems.warning('W-GT-OTHER-ALLELE', {
    line: calls.line,
    message: `${counted(calls.count, 'call')} with an allele that the file does not list ${calls.count === 1 ? 'was' : 'were'} read as missing.`,
    suggestion: 'Name all alleles of these markers if the calls are real.',
  });
}

/** W-GT-NO-POS for markers without a place in base pairs. */
export function reportUnplaced(without: number, markers: number, problems: ProblemCollector): void {
  if (without === 0 || problems.errorCount > 0) return;
  problems.warning('W-GT-NO-POS', {
    message: `${counted(without, 'marker')} of ${groupedNumber(markers)} ${without === 1 ? 'has' : 'have'} no chromosome, or no position in base pairs, in this file.`,
    suggestion:
      'Positions can come from a linkage map file, or from a list of the markers (columns marker, chrom, pos) in one zip with this file; without them Manhattan plots and crossing simulations lack their axis.',
  });
}
