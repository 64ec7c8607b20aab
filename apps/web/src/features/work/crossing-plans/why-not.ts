import type { PlanTables } from '@heterosis/statgen/mating/plan-tables';
import type { PlanAnswer } from './plan-answer.ts';

/** Why a candidate is no parent of a plan. */
export type WhyNot =
  | { reason: 'excluded' | 'low-index' | 'small-share' }
  /** A parent could give way to it by its index, but not by its coancestries, the largest of which is with `with`. */
  | { reason: 'related'; with: string };

/** Relationship of two candidates, from the lower triangle. */
export const relationshipOf = ({ relationship }: Pick<PlanTables, 'relationship'>, i: number, j: number): number => {
  const [low, high] = i < j ? [i, j] : [j, i];
  return relationship[(high * (high + 1)) / 2 + low] ?? 0;
};

/** Says of each candidate why it is no parent; undefined for parents. */
export function whyNot(
  tables: PlanTables,
  { value, plan }: Pick<PlanAnswer, 'value' | 'plan'>,
  excluded: ReadonlySet<string>,
): (place: number) => WhyNot | undefined {
  const parents = [...plan.uses.keys()].filter((place) => (plan.uses[place] ?? 0) > 0);
  const least = parents.reduce((low, place) => Math.min(low, value[place] ?? 0), Number.POSITIVE_INFINITY);
  return (place) => {
    if ((plan.uses[place] ?? 0) > 0) return undefined;
    if (excluded.has(tables.candidates[place] ?? '')) return { reason: 'excluded' };
    if ((value[place] ?? 0) < least) return { reason: 'low-index' };
    if ((plan.contributions[place] ?? 0) > 0) return { reason: 'small-share' };
    return { reason: 'related', with: tables.candidates[closest(tables, place, parents)] ?? '' };
  };
}

/** The parent with which a candidate is most related. */
const closest = (tables: PlanTables, place: number, parents: readonly number[]): number =>
  parents.reduce(
    (best, one) => (best < 0 || relationshipOf(tables, place, one) > relationshipOf(tables, place, best) ? one : best),
    -1,
  );

/** The parent least related with a candidate: the mate with which a new cross costs least coancestry. */
export const mateFor = (tables: PlanTables, place: number, parents: readonly number[]): number | undefined =>
  parents
    .filter((one) => one !== place)
    .toSorted((a, b) => relationshipOf(tables, place, a) - relationshipOf(tables, place, b))[0];
