import type { BestUses } from './best-uses.ts';
import { type FrontierCorner, frontierCorners } from './contribution-frontier.ts';
import { betweenCorners, type OptimalContributions, optimalContributions } from './optimal-contributions.ts';
import { type AboveCap, type PairedUses, pairedUses, whyAbove } from './paired-uses.ts';
import {
  contributionsOf,
  type Limits,
  limitsOf,
  type PlanConstraints,
  type PlanMaterial,
  pairPlace,
} from './plan-limits.ts';

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
  /** Why the crosses exceed the cap; null when they do not. */
  aboveCap: AboveCap | null;
  crosses: PlannedCross[];
  /** Sum over the crosses of what the pairing maximises, and the proven bound on it. */
  mateMerit: number;
  mateBound: number;
  /** True when the best uses of the parents cannot be paired, and others were taken. */
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

/**
 * Prepares plans of crosses: the frontier of value against group coancestry is traced once, exactly
 * ({@link frontierCorners}), so that a plan for another cap takes milliseconds. A plan has three steps, each with a
 * proven bound: optimal contributions, whole numbers of uses ({@link bestUses}), pairing ({@link allocateMates}).
 *
 * @throws PlanImpossible
 */
export function createPlanner(material: PlanMaterial, constraints: PlanConstraints): Planner {
  const limits = limitsOf(material, constraints);
  const problem = contributionsOf(limits);
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
      const found = pairedUses(limits, cap, relaxed);
      const plan = planOf(material, constraints, limits, { cap, relaxed, ...found });
      const meetsCap =
        found.mates === null
          ? plan.crosses.length === constraints.crosses && plan.coancestry <= cap
          : found.best.meetsCap;
      return { ...plan, aboveCap: meetsCap ? null : whyAbove(material, constraints, cap) };
    },
  };
}

function planOf(
  material: PlanMaterial,
  constraints: PlanConstraints,
  limits: Limits,
  found: { cap: number; relaxed: OptimalContributions } & PairedUses,
): Omit<CrossPlan, 'aboveCap'> {
  const { candidates, required } = constraints;
  const { cap, relaxed, best, mates } = found;
  const n = material.value.length;
  const chosen = (mates?.pairs ?? somePairs(constraints, limits, best)).map(([a, b]): [number, number] => [
    candidates[a],
    candidates[b],
  ]);
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
    crosses: pairs.map((parentsOfCross) => plannedCross(material, parentsOfCross)),
    mateMerit,
    mateBound: mates === null ? Number.POSITIVE_INFINITY : Math.max(mateMerit, mates.bound),
    isRepaired: found.isRepaired,
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
function somePairs(
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
      pairs.push([a, b]);
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
