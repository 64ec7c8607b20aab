import { type PanelDosages, ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import { AnalysisError } from '../context.ts';

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
