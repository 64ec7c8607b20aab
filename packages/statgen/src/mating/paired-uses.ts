import { allocateMates, type MateAllocation } from './allocate-mates.ts';
import { type BestUses, bestUses, canPair, DIFFERENT_PAIRS, type Pairing } from './best-uses.ts';
import { type OptimalContributions, optimalContributions } from './optimal-contributions.ts';
import { contributionsOf, type Limits, limitsOf, type PlanConstraints, type PlanMaterial } from './plan-limits.ts';

/**
 * Why crosses exceed the cap, in the order in which it is tried: without the required crosses, without the forbidden
 * ones, without both, or with any pair made more than once there are crosses under it; or the cap is too low for so
 * many crosses of any kind.
 */
export type AboveCap = 'required' | 'forbidden' | 'required-and-forbidden' | 'same-pairs' | 'cap';

/** The best uses, and their pairs; null when no uses are found that can be paired. */
export interface PairedUses {
  best: BestUses;
  mates: MateAllocation | null;
  /** Whether the best uses of different pairs cannot be paired because of those required or forbidden. */
  isRepaired: boolean;
}

export function pairedUses(limits: Limits, cap: number, relaxed: OptimalContributions): PairedUses {
  const best = bestUses({ ...limits, cap, pairing: DIFFERENT_PAIRS }, relaxed);
  const mates = matesOf(limits, best.uses);
  if (mates !== null) return { best, mates, isRepaired: false };
  const others = bestUses({ ...limits, cap, pairing: allowedPairs(limits) }, relaxed);
  return {
    best: { ...others, bound: Math.min(best.bound, others.bound) },
    mates: matesOf(limits, others.uses),
    isRepaired: true,
  };
}

export function whyAbove(material: PlanMaterial, constraints: PlanConstraints, cap: number): AboveCap {
  const { required, forbidden } = constraints;
  const free: [AboveCap, Partial<PlanConstraints>, boolean][] = [
    ['required', { required: [] }, required.length > 0],
    ['forbidden', { forbidden: [] }, forbidden.length > 0],
    ['required-and-forbidden', { required: [], forbidden: [] }, required.length > 0 && forbidden.length > 0],
  ];
  const meets = (limits: Limits, pairing?: Pairing): boolean => {
    const relaxed = optimalContributions(contributionsOf(limits), cap);
    if (pairing !== undefined) return bestUses({ ...limits, cap, pairing }, relaxed).meetsCap;
    const { best, mates } = pairedUses(limits, cap, relaxed);
    return best.meetsCap && mates !== null;
  };
  for (const [reason, without, isAsked] of free)
    if (isAsked && meets(limitsOf(material, { ...constraints, ...without }))) return reason;
  const anyPairs: Pairing = { exists: () => true, allows: () => true };
  return meets(limitsOf(material, { ...constraints, required: [], forbidden: [] }), anyPairs) ? 'same-pairs' : 'cap';
}

/** The best pairing of uses beside the required crosses, as places of candidates; null when there is none. */
function matesOf({ value, least, merit }: Limits, uses: Int32Array): MateAllocation | null {
  const p = value.length;
  const parents = Int32Array.from(uses.keys()).filter((a) => uses[a] > 0);
  const ofParents = new Float64Array(parents.length ** 2);
  parents.forEach((a, x) => {
    parents.forEach((b, y) => {
      ofParents[x * parents.length + y] = merit[a * p + b];
    });
  });
  const left = Int32Array.from(parents, (a) => uses[a] - least[a]);
  const allocated = allocateMates({ uses: left, merit: ofParents });
  return (
    allocated && { ...allocated, pairs: allocated.pairs.map(([x, y]): [number, number] => [parents[x], parents[y]]) }
  );
}

/** Crosses with the required pairs and without the forbidden ones. */
function allowedPairs(limits: Limits): Pairing {
  const { value, merit } = limits;
  const allows = (i: number, j: number): boolean => merit[i * value.length + j] > Number.NEGATIVE_INFINITY;
  // Any pairing will do.
  const equal = { ...limits, merit: merit.map((one) => (one > Number.NEGATIVE_INFINITY ? 0 : one)) };
  const known = new Map<string, boolean>();
  return {
    allows,
    exists(uses) {
      if (!canPair(uses)) return false;
      const key = uses.join();
      const exists = known.get(key) ?? matesOf(equal, uses) !== null;
      known.set(key, exists);
      return exists;
    },
  };
}
