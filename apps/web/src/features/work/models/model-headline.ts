import type { ModelDetail } from '@heterosis/contracts/work/models';

/** Predictive abilities from which a trait counts as predicted well, and fairly. */
const WELL = 0.6;
const FAIRLY = 0.3;

type Verdict = 'well' | 'fairly' | 'poorly' | 'not';

/**
 * How well each evaluated trait is predicted, the best first. `not`: the additive variance ended at zero, so every
 * individual gets about the same prediction.
 */
export function verdictsOf(
  model: Pick<ModelDetail, 'evaluation' | 'fit'>,
  traits: readonly string[],
): { trait: string; r: number; sd: number | null; verdict: Verdict }[] {
  return traits
    .flatMap((trait) => {
      const r = model.evaluation[trait]?.pearson_r;
      if (!r || r.mean === null) return [];
      const hasVariance = !model.fit[trait]?.at_boundary.includes('additive');
      const verdict: Verdict = !hasVariance ? 'not' : r.mean >= WELL ? 'well' : r.mean >= FAIRLY ? 'fairly' : 'poorly';
      return [{ trait, r: r.mean, sd: r.sd, verdict }];
    })
    .sort((a, b) => b.r - a.r);
}
