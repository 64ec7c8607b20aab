import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { formatCount } from '../../../lib/format/format.ts';

/** Below the title of a saved figure: the trait, the run, its test, individuals, markers and λ. */
export function pictureNoteOf(gwas: GwasDetail, trait: string): string | undefined {
  const summary = gwas.summary[trait];
  if (!summary) return undefined;
  const { n, m, lambda } = summary;
  return [
    trait,
    gwas.name,
    gwas.test,
    `n = ${formatCount(n)}`,
    `${formatCount(m)} markers`,
    `λ = ${lambda.toFixed(3)}`,
  ].join(' · ');
}
