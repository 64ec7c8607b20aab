import { FileFormatError } from '../../problem.ts';
import { type CodeTexts, codeTexts } from '../../text/code-texts.ts';
import type { MarkerTable } from '../panel/genotype-panel.ts';
import { UNKNOWN_ALLELE } from '../panel/marker-columns.ts';

/** How a format writes calls by the names of their alleles. */
export interface PairSpelling {
  /** For the message when a marker has no names that fit. */
  format: string;
  isAllele(allele: string): boolean;
  call(first: string, second: string): string;
  missing: string;
}

/**
 * The texts of calls, four a marker, by the two bits of a call. A marker of which one allele only is known has only
 * calls of that one.
 *
 * @throws FileFormatError E-GT-ALLELES when the format has no two different names for a marker
 */
export function callPairs({ id, a1, a2 }: MarkerTable, spelling: PairSpelling): CodeTexts {
  const { call, missing } = spelling;
  const texts = id.flatMap((marker, j) => {
    const first = a1[j] === UNKNOWN_ALLELE ? a2[j] : a1[j];
    const second = a2[j] === UNKNOWN_ALLELE ? a1[j] : a2[j];
    if (a1[j] === a2[j] || !spelling.isAllele(first) || !spelling.isAllele(second)) {
      throw new FileFormatError('E-GT-ALLELES', {
        value: marker,
        message: `${spelling.format} cannot tell apart the alleles ${a1[j]} and ${a2[j]} of the marker ${marker}.`,
        suggestion: 'Export VCF, PLINK binary or numbers instead, or leave the marker out.',
      });
    }
    return [call(first, first), missing, call(first, second), call(second, second)];
  });
  return codeTexts(texts);
}
