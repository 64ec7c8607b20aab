import { type PanelDosages, ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import { ploidiesInWords } from '@heterosis/file-formats/genotype/ploidies';
import { AnalysisError } from '../context.ts';

/**
 * For what compares plants of one ploidy.
 *
 * @param what begins the sentence
 * @throws AnalysisError `analysis/one-ploidy`
 */
export function requireOnePloidy({ dosages }: { dosages?: PanelDosages | undefined }, what: string): void {
  if (dosages?.ploidies === undefined) return;
  throw new AnalysisError(
    'analysis/one-ploidy',
    `${what} takes plants of one ploidy, and these differ: ${ploidiesInWords(dosages.ploidies)}.`,
    'Leave it out, or take only the plants of one ploidy.',
  );
}

/**
 * For what reads two-bit calls.
 *
 * @param what begins the sentence
 * @throws AnalysisError `analysis/diploids-only`
 */
export function requireDiploids(panel: { dosages?: PanelDosages | undefined }, what: string): void {
  const ploidy = ploidyOf(panel);
  if (ploidy === 2) return;
  throw new AnalysisError(
    'analysis/diploids-only',
    `${what} takes diploids, and the plants have ${ploidy} copies of each chromosome.`,
    'Leave it out.',
    { ploidy },
  );
}
