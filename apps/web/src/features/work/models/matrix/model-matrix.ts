import type { Model } from '@heterosis/contracts/work/models';

type Figures = Pick<Model, 'evaluation'>;
type Ability = { mean: number; sd: number | null };

/** Predictive ability of a trait: within the groups where whole groups were left out; undefined where there is none. */
export function abilityOf({ evaluation }: Figures, trait: string): Ability | undefined {
  const { mean = null, sd = null } = evaluation[trait]?.within_group_r ?? evaluation[trait]?.pearson_r ?? {};
  return mean === null ? undefined : { mean, sd };
}

/** Where a value lies between the lowest and the highest of its trait, 0–1; one half where all are equal. */
export function shadesOf(models: readonly Figures[], trait: string): (value: number) => number {
  const values = models.flatMap((model) => abilityOf(model, trait)?.mean ?? []);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return (value) => (high > low ? (value - low) / (high - low) : 0.5);
}
