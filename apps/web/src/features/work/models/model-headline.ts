import type { ModelDetail } from '@heterosis/contracts/work/models';

/** Predictive abilities from which a trait counts as predicted well, and fairly. */
const WELL = 0.6;
const FAIRLY = 0.3;

type Verdict = 'well' | 'fairly' | 'poorly' | 'not';

/** Whether all individuals get about the same prediction: no additive variance, and no marker with a fixed effect. */
export const isFlat = ({ fit, provenance }: Pick<ModelDetail, 'fit' | 'provenance'>, trait: string): boolean =>
  fit[trait]?.at_boundary.includes('additive') === true && provenance.parameters.fixed_markers === undefined;

/** How well each evaluated trait is predicted, the best first. `not`: it has nothing to predict from. */
export function verdictsOf(
  model: Pick<ModelDetail, 'evaluation' | 'fit' | 'provenance'>,
  traits: readonly string[],
): { trait: string; r: number; sd: number | null; verdict: Verdict }[] {
  return traits
    .flatMap((trait) => {
      const r = model.evaluation[trait]?.pearson_r;
      if (!r || r.mean === null) return [];
      const verdict: Verdict = isFlat(model, trait)
        ? 'not'
        : r.mean >= WELL
          ? 'well'
          : r.mean >= FAIRLY
            ? 'fairly'
            : 'poorly';
      return [{ trait, r: r.mean, sd: r.sd, verdict }];
    })
    .sort((a, b) => b.r - a.r);
}
