import { allocateMates } from './allocate-mates.ts';
import { type BestUses, bestUses } from './best-uses.ts';
import { type ContributionProblem, type FrontierCorner, frontierCorners } from './contribution-frontier.ts';
import { betweenCorners, type OptimalContributions, optimalContributions } from './optimal-contributions.ts';

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
}

/** A point on the curve of value against group coancestry. */
export interface CurvePoint {
  coancestry: number;
  value: number;
}

/** One cross of a plan. */
export interface PlannedCross {
  parents: [number, number];
  /** Mean value of the progeny, and their standard deviation (null when not known). */
  mean: number;
  spread: number | null;
  /** Inbreeding expected in the progeny: the coancestry of the parents. */
  inbreeding: number;
}

/** The crosses chosen, and how far they can be from the best possible. */
export interface CrossPlan {
  cap: number;
  /** Optimal contributions as fractions, by candidate of the material (0 for the others), and their mean value. */
  contributions: Float64Array;
  optimalValue: number;
  /** Crosses that each candidate of the material is in. */
  uses: Int32Array;
  /** Mean value of the parents, weighted by uses; no whole numbers of uses under the cap give more than the bound. */
  value: number;
  valueBound: number;
  coancestry: number;
  /** False when the crosses exceed the cap, which is then too low for so many crosses. */
  meetsCap: boolean;
  crosses: PlannedCross[];
  /** Sum over the crosses of what the pairing maximises, and the proven bound on it. */
  mateMerit: number;
  mateBound: number;
  /** True when the parents' uses could not be paired as optimal (forbidden pairs), and others were taken. */
  isRepaired: boolean;
}

/** Plans for given constraints; only the cap changes from call to call. */
export interface Planner {
  /** From the largest value to small coancestry, descending in both. */
  curve: CurvePoint[];
  /** Cap at which gain and diversity have given up the same share of what the curve offers (45°; Kinghorn 2011). */
  balancedCap: number;
  /** The best plan with a group coancestry of at most `cap`. */
  plan(cap: number): CrossPlan;
}

/** Points of the drawn curve. */
const CURVE_POINTS = 120;
/**
 * Beyond this many contributors per cross the curve ends: so many parents cannot be used, and tracing on until all
 * candidates contribute takes long.
 */
const CONTRIBUTORS_PER_CROSS = 4;
const LEAST_CONTRIBUTORS = 60;

/** Why no plan exists. */
export class PlanImpossible extends Error {
  readonly reason: 'too-few-candidates' | 'required-not-possible' | 'too-few-uses' | 'no-index';

  constructor(reason: PlanImpossible['reason'], message: string) {
    super(message);
    this.name = 'PlanImpossible';
    this.reason = reason;
  }
}

/**
 * Prepares plans of crosses: the frontier of value against group coancestry is traced once, exactly
 * ({@link frontierCorners}), so that a plan for another cap takes milliseconds. A plan has three steps, each with a
 * proven bound: optimal contributions, whole numbers of uses ({@link bestUses}), pairing ({@link allocateMates}).
 *
 * @throws PlanImpossible
 */
export function createPlanner(material: PlanMaterial, constraints: PlanConstraints): Planner {
  const limits = limitsOf(material, constraints);
  const problem: ContributionProblem = {
    value: limits.value,
    relationship: limits.relationship,
    lower: Float64Array.from(limits.least, (use) => use / (2 * constraints.crosses)),
    upper: Float64Array.from(limits.most, (use) => use / (2 * constraints.crosses)),
  };
  const corners: FrontierCorner[] = [];
  const mostContributors = Math.max(LEAST_CONTRIBUTORS, CONTRIBUTORS_PER_CROSS * constraints.crosses);
  for (const corner of frontierCorners(problem)) {
    corners.push(corner);
    if (corner.members.length > mostContributors) break;
  }
  const curve = drawnCurve(corners);
  return {
    curve,
    balancedCap: balancedCap(curve),
    plan(cap) {
      const relaxed = optimalContributions(problem, cap, corners);
      const best = bestUses({ ...limits, crosses: constraints.crosses, cap }, relaxed);
      return pairUp(material, constraints, limits, { cap, relaxed, best });
    },
  };
}

/** Index of the pair (i, j) in the arrays of pairs. */
export function pairPlace(i: number, j: number, n: number): number {
  const [low, high] = i < j ? [i, j] : [j, i];
  return (low * (2 * n - low - 1)) / 2 + (high - low - 1);
}

/** The candidates taken part, and the limits of their uses. */
interface Limits {
  value: Float64Array;
  relationship: Float64Array;
  least: Int32Array;
  most: Int32Array;
  /** Merit of pairs, −Infinity where forbidden or required (those are made anyway). */
  merit: Float64Array;
}

function limitsOf(material: PlanMaterial, constraints: PlanConstraints): Limits {
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
  return { value: Float64Array.from(candidates, (i) => material.value[i]), relationship, least, most, merit };
}

function pairUp(
  material: PlanMaterial,
  constraints: PlanConstraints,
  limits: Limits,
  found: { cap: number; relaxed: OptimalContributions; best: BestUses },
): CrossPlan {
  const { candidates, required } = constraints;
  const { cap, relaxed, best } = found;
  const n = material.value.length;
  const p = candidates.length;
  const parents = Int32Array.from(best.uses.keys()).filter((a) => best.uses[a] > 0);
  const merit = new Float64Array(parents.length ** 2);
  parents.forEach((a, x) => {
    parents.forEach((b, y) => {
      merit[x * parents.length + y] = limits.merit[a * p + b];
    });
  });
  const left = Int32Array.from(parents, (a) => best.uses[a] - limits.least[a]);
  const allocated = allocateMates({ uses: left, merit });
  const chosen = (allocated?.pairs ?? []).map(([x, y]): [number, number] => [
    candidates[parents[x]],
    candidates[parents[y]],
  ]);
  if (allocated === null) chosen.push(...repaired(constraints, limits, best));
  const pairs = [...required.map(([i, j]): [number, number] => (i < j ? [i, j] : [j, i])), ...chosen];
  pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const uses = new Int32Array(n);
  for (const [i, j] of pairs) {
    uses[i]++;
    uses[j]++;
  }
  const contributions = new Float64Array(n);
  candidates.forEach((i, a) => {
    contributions[i] = relaxed.contributions[a];
  });
  const { value, coancestry } = figuresOf(material, uses, pairs.length);
  const mateMerit = chosen.reduce((sum, pair) => sum + meritOf(material, constraints, pair), 0);
  return {
    cap,
    contributions,
    optimalValue: relaxed.value,
    uses,
    value,
    valueBound: Math.max(value, best.bound),
    coancestry,
    meetsCap: allocated === null ? coancestry <= cap : best.meetsCap,
    crosses: pairs.map((parentsOfCross) => plannedCross(material, parentsOfCross)),
    mateMerit,
    mateBound: allocated === null ? Number.POSITIVE_INFINITY : Math.max(mateMerit, allocated.bound),
    isRepaired: allocated === null,
  };
}

function meritOf(material: PlanMaterial, { mates }: PlanConstraints, [i, j]: [number, number]): number {
  const { spread, inbreeding } = plannedCross(material, [i, j]);
  return mates === 'usefulness' && spread !== null ? spread : -inbreeding;
}

function plannedCross({ value, relationship, spread }: PlanMaterial, [i, j]: [number, number]): PlannedCross {
  const n = value.length;
  return {
    parents: [i, j],
    mean: (value[i] + value[j]) / 2,
    spread: spread === null ? null : spread[pairPlace(i, j, n)],
    inbreeding: relationship[i * n + j] / 2,
  };
}

/** Mean value and group coancestry of parents used so often. */
function figuresOf(
  { value, relationship }: PlanMaterial,
  uses: Int32Array,
  crosses: number,
): { value: number; coancestry: number } {
  const used = Array.from(uses.keys()).filter((i) => uses[i] > 0);
  const total = 2 * crosses || 1;
  let mean = 0;
  let square = 0;
  for (const i of used) {
    mean += (uses[i] * value[i]) / total;
    for (const j of used) square += uses[i] * uses[j] * relationship[i * value.length + j];
  }
  return { value: mean, coancestry: square / (2 * total * total) };
}

/** Crosses in place of a pairing that does not exist: pairs of the chosen parents by merit, then of any candidates. */
function repaired(
  { candidates, crosses, required }: PlanConstraints,
  { value, least, most, merit }: Limits,
  best: BestUses,
): [number, number][] {
  const p = candidates.length;
  const pairs: [number, number][] = [];
  const uses = least.slice();
  const made = new Set<number>();
  const make = (allowed: Int32Array, order: (a: number, b: number) => number) => {
    const possible: [number, number][] = [];
    for (let a = 0; a < p; a++)
      for (let b = a + 1; b < p; b++)
        if (allowed[a] > 0 && allowed[b] > 0 && merit[a * p + b] > Number.NEGATIVE_INFINITY) possible.push([a, b]);
    possible.sort((x, y) => order(y[0], y[1]) - order(x[0], x[1]));
    for (const [a, b] of possible) {
      if (pairs.length + required.length >= crosses) return;
      if (uses[a] >= allowed[a] || uses[b] >= allowed[b] || made.has(a * p + b)) continue;
      made.add(a * p + b);
      uses[a]++;
      uses[b]++;
      pairs.push([candidates[a], candidates[b]]);
    }
  };
  make(best.uses, (a, b) => merit[a * p + b]);
  make(most, (a, b) => value[a] + value[b]);
  return pairs;
}

function drawnCurve(corners: readonly FrontierCorner[]): CurvePoint[] {
  const first = corners[0];
  const last = corners.at(-1) ?? first;
  const step = (first.coancestry - last.coancestry) / CURVE_POINTS;
  const curve: CurvePoint[] = [{ coancestry: first.coancestry, value: first.value }];
  for (let k = 1; k < corners.length; k++) {
    // Two corners with the same contributions are one point.
    if (corners[k].contributions === corners[k - 1].contributions) continue;
    const pieces = Math.max(1, Math.ceil((corners[k - 1].coancestry - corners[k].coancestry) / (step || 1)));
    for (let piece = 1; piece < pieces; piece++) curve.push(betweenCorners(corners[k - 1], corners[k], piece / pieces));
    curve.push({ coancestry: corners[k].coancestry, value: corners[k].value });
  }
  return curve;
}

function balancedCap(curve: readonly CurvePoint[]): number {
  const first = curve[0];
  const last = curve.at(-1) ?? first;
  const width = first.coancestry - last.coancestry;
  const height = first.value - last.value;
  if (!(width > 0 && height > 0)) return first.coancestry;
  const found = curve.find(
    (point) => (first.coancestry - point.coancestry) / width >= (point.value - last.value) / height,
  );
  return (found ?? last).coancestry;
}
