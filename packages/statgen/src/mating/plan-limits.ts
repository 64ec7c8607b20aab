import type { ContributionProblem } from './contribution-frontier.ts';

/** Candidates and what their crosses promise. Pairs (i, j), i < j, are at index i(2n − i − 1)/2 + j − i − 1. */
export interface PlanMaterial {
  /** Value (of one trait or of an index) of each candidate, high is good; length n. */
  value: Float64Array;
  /** Relationship of the candidates (twice the coancestry), n × n. */
  relationship: Float64Array;
  /** Standard deviation of the value within the progeny of each pair, n(n − 1)/2; null when it is not known. */
  spread: Float64Array | null;
}

/** What the breeder asks for. */
export interface PlanConstraints {
  /** Candidates taken part, by index in the material, ascending. */
  candidates: Int32Array;
  crosses: number;
  /** Most crosses that a parent may be in. */
  mostUses: number;
  /** Pairs that must be made, and pairs that must not (or have been), by index in the material. */
  required: readonly (readonly [number, number])[];
  forbidden: readonly (readonly [number, number])[];
  /** Which pairing of the chosen parents is best: the largest spread within crosses, or the least inbred progeny. */
  mates: 'usefulness' | 'inbreeding';
  /** Leaves out the proof of the uses, whose bound is then that of the contributions. */
  unproven?: true;
}

/** Why no plan exists. */
export class PlanImpossible extends Error {
  readonly reason: 'too-few-candidates' | 'required-not-possible' | 'too-few-uses' | 'no-index';

  constructor(reason: PlanImpossible['reason'], message: string) {
    super(message);
    this.name = 'PlanImpossible';
    this.reason = reason;
  }
}

/** Index of the pair (i, j) in the arrays of pairs. */
export function pairPlace(i: number, j: number, n: number): number {
  const [low, high] = i < j ? [i, j] : [j, i];
  return (low * (2 * n - low - 1)) / 2 + (high - low - 1);
}

/** The candidates taken part, and the limits of their uses. */
export interface Limits {
  crosses: number;
  value: Float64Array;
  relationship: Float64Array;
  least: Int32Array;
  most: Int32Array;
  /** Merit of pairs, −Infinity where forbidden or required (those are made anyway). */
  merit: Float64Array;
  unproven: boolean;
}

export function limitsOf(material: PlanMaterial, constraints: PlanConstraints): Limits {
  const { candidates, crosses, mostUses, required, forbidden } = constraints;
  const n = material.value.length;
  const p = candidates.length;
  const placeOf = new Map(Array.from(candidates, (i, place) => [i, place]));
  const relationship = new Float64Array(p * p);
  const merit = new Float64Array(p * p);
  for (let a = 0; a < p; a++) {
    for (let b = 0; b < p; b++) {
      const related = material.relationship[candidates[a] * n + candidates[b]];
      relationship[a * p + b] = related;
      merit[a * p + b] =
        a === b
          ? Number.NEGATIVE_INFINITY
          : constraints.mates === 'usefulness' && material.spread !== null
            ? material.spread[pairPlace(candidates[a], candidates[b], n)]
            : -related / 2;
    }
  }
  const least = new Int32Array(p);
  const partners = new Int32Array(p).fill(p - 1);
  const remove = (i: number, j: number) => {
    const [a, b] = [placeOf.get(i), placeOf.get(j)];
    if (a === undefined || b === undefined || merit[a * p + b] === Number.NEGATIVE_INFINITY) return;
    merit[a * p + b] = Number.NEGATIVE_INFINITY;
    merit[b * p + a] = Number.NEGATIVE_INFINITY;
    partners[a]--;
    partners[b]--;
  };
  for (const [i, j] of required) {
    const [a, b] = [placeOf.get(i), placeOf.get(j)];
    if (a === undefined || b === undefined || a === b)
      throw new PlanImpossible('required-not-possible', 'a required cross has a parent that takes no part');
    least[a]++;
    least[b]++;
  }
  for (const [i, j] of forbidden) remove(i, j);
  for (const [i, j] of required) remove(i, j);
  const most = Int32Array.from(partners, (count, a) => Math.max(least[a], Math.min(mostUses, count + least[a])));
  if (required.length > crosses || least.some((use) => use > mostUses))
    throw new PlanImpossible('required-not-possible', 'the required crosses exceed the number of crosses or of uses');
  if (p < 2) throw new PlanImpossible('too-few-candidates', 'a cross needs two candidates');
  if (most.reduce((a, b) => a + b, 0) < 2 * crosses || (p * (p - 1)) / 2 < crosses)
    throw new PlanImpossible('too-few-uses', `the candidates cannot be used ${2 * crosses} times`);
  const value = Float64Array.from(candidates, (i) => material.value[i]);
  const unproven = constraints.unproven === true;
  return { crosses, value, relationship, least, most, merit, unproven };
}

export const contributionsOf = ({ value, relationship, least, most, crosses }: Limits): ContributionProblem => ({
  value,
  relationship,
  lower: Float64Array.from(least, (use) => use / (2 * crosses)),
  upper: Float64Array.from(most, (use) => use / (2 * crosses)),
});
