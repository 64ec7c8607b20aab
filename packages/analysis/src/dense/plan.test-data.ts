// Plans of crosses from their definitions: indices by inverses, contributions by small steps, whole numbers and mates
// by trying all of them.
import { tabularRelationships } from '@heterosis/statgen/pedigree/plain-pedigree.test-data';
import { dot, invert, type Rows, times, transposed } from './mixed-model.test-data.ts';
import { intensityOf } from './normal.test-data.ts';
import { indexes } from './world.test-data.ts';

/** Candidates and what is asked of a plan. */
export interface DensePlan {
  /** n × T. */
  values: Rows;
  relationship: Rows;
  /** T × T within the progeny of a pair; null when it is not known. */
  covariance: ((i: number, j: number) => Rows) | null;
  method: 'base' | 'smith_hazel' | 'desired_gains' | 'restricted';
  /** By trait; null for 1 over the standard deviation. */
  weights: number[] | null;
  isLow: boolean[];
  isKept: boolean[];
  traitAccuracy: number[];
  crosses: number;
  mostUses: number;
  /** Null for the point where gain and diversity have given up the same share. */
  cap: number | null;
  required: [number, number][];
  forbidden: [number, number][];
  mates: 'usefulness' | 'inbreeding';
  fraction: number;
  accuracy: number;
}

export interface DenseIndex {
  value: number[];
  gains: number[];
  /** Null when it is not known. */
  spread: (i: number, j: number) => number | null;
}

const DIGITS = 3;

export function denseIndex(plan: DensePlan): DenseIndex {
  const { values, covariance, isLow } = plan;
  const n = values.length;
  const traits = indexes(values[0].length);
  const means = traits.map((t) => values.reduce((sum, row) => sum + row[t], 0) / n);
  const deviations = values.map((row) => row.map((value, t) => value - means[t]));
  const p = times(transposed(deviations), deviations).map((row) => row.map((value) => value / (n - 1)));
  const g = p.map((row, s) => row.map((value, t) => (value * plan.traitAccuracy[s]) / plan.traitAccuracy[t]));
  const given =
    plan.weights ?? traits.map((t) => Number((1 / (Math.sqrt((p[t][t] * (n - 1)) / n) || 1)).toPrecision(DIGITS)));
  const wanted = given.map((weight, t) => (isLow[t] ? -weight : weight));
  const isAlone = traits.length === 1;
  const b = isAlone ? [isLow[0] ? -1 : 1] : weightsOf(plan, p, g, wanted);
  const sd = Math.sqrt(
    dot(
      b,
      p.map((row) => dot(row, b)),
    ),
  );
  return {
    value: (isAlone ? values : deviations).map((row) => dot(row, b)),
    gains: transposed(g).map((row) => (sd > 0 ? dot(row, b) / sd : 0)),
    spread(i, j) {
      if (covariance === null) return null;
      const variance = dot(
        b,
        covariance(i, j).map((row) => dot(row, b)),
      );
      return Math.sqrt(Math.max(0, variance));
    },
  };
}

function weightsOf({ method, isKept }: DensePlan, p: Rows, g: Rows, wanted: readonly number[]): number[] {
  if (method === 'base') return [...wanted];
  const { inverse } = invert(p);
  const from = (columns: Rows): Rows => times(inverse, columns);
  const hazel = from(g.map((row) => [dot(row, wanted)])).map(([value]) => value);
  if (method === 'smith_hazel') return hazel;
  const columns = g.map((row) => row.filter((_, t) => method === 'desired_gains' || isKept[t]));
  if (columns[0].length === 0) return hazel;
  const solved = from(columns);
  const inner = invert(times(transposed(columns), solved)).inverse;
  const right = method === 'desired_gains' ? wanted : transposed(columns).map((values) => dot(values, hazel));
  const part = solved.map((row) =>
    dot(
      row,
      inner.map((line) => dot(line, right)),
    ),
  );
  return method === 'desired_gains' ? part : hazel.map((value, s) => value - part[s]);
}

/** Uses that each candidate must have, and may have. */
export function useLimits({ values, required, forbidden, mostUses }: DensePlan): { least: number[]; most: number[] } {
  const n = values.length;
  const least = indexes(n).map((i) => required.filter((pair) => pair.includes(i)).length);
  const most = indexes(n).map((i) => {
    const partners = indexes(n).filter((j) => j !== i && !hasPair(forbidden, i, j) && !hasPair(required, i, j));
    return Math.max(least[i], Math.min(mostUses, partners.length + least[i]));
  });
  return { least, most };
}

const hasPair = (pairs: readonly (readonly [number, number])[], i: number, j: number): boolean =>
  pairs.some(([a, b]) => (a === i && b === j) || (a === j && b === i));

export const coancestryOf = (relationship: Rows, c: readonly number[]): number =>
  0.5 *
  dot(
    c,
    relationship.map((row) => dot(row, c)),
  );

/** A point of the curve of value against group coancestry. */
export interface DensePoint {
  contributions: number[];
  value: number;
  coancestry: number;
}

const STEPS = 200_000;
const SAME = 1e-13;

/** Contributions of the largest value − price·coancestry, moved between the two that gain most until none gains. */
function atPrice(plan: DensePlan, value: readonly number[], price: number): DensePoint {
  const { relationship, crosses } = plan;
  const { least, most } = useLimits(plan);
  const [lower, upper] = [least, most].map((uses) => uses.map((use) => use / (2 * crosses)));
  const c = [...lower];
  for (let left = 1 - c.reduce((sum, one) => sum + one, 0), i = 0; left > 0; i++) {
    const more = Math.min(left, upper[i] - lower[i]);
    c[i] += more;
    left -= more;
  }
  const scale = Math.max(...value.map(Math.abs), price) || 1;
  for (let step = 0; step < STEPS; step++) {
    const slope = value.map((one, i) => one - price * dot(relationship[i], c));
    const up = best(slope, (i) => c[i] < upper[i] - SAME);
    const down = best(
      slope.map((one) => -one),
      (i) => c[i] > lower[i] + SAME,
    );
    if (up < 0 || down < 0 || slope[up] - slope[down] <= SAME * scale) break;
    const curvature = price * (relationship[up][up] + relationship[down][down] - 2 * relationship[up][down]);
    const whole = curvature > 0 ? (slope[up] - slope[down]) / curvature : Number.POSITIVE_INFINITY;
    const moved = Math.min(whole, upper[up] - c[up], c[down] - lower[down]);
    c[up] += moved;
    c[down] -= moved;
  }
  return { contributions: c, value: dot(value, c), coancestry: coancestryOf(relationship, c) };
}

function best(values: readonly number[], isAllowed: (i: number) => boolean): number {
  return values.reduce((found, value, i) => (isAllowed(i) && (found < 0 || value > values[found]) ? i : found), -1);
}

const HALVINGS = 70;

/**
 * The point of the curve where a condition begins to hold as the price of coancestry rises, between the two prices
 * that enclose it. Along an edge of the curve many prices have one point, and many points one price.
 */
function whereHolds(
  plan: DensePlan,
  value: readonly number[],
  holds: (point: DensePoint) => boolean,
): [DensePoint, DensePoint] {
  const range = Math.max(...value) - Math.min(...value) || 1;
  let [low, high] = [Math.log(range) - 25, Math.log(range) + 25];
  let [before, after] = [low, high].map((price) => atPrice(plan, value, Math.exp(price)));
  for (let step = 0; step < HALVINGS; step++) {
    const middle = 0.5 * (low + high);
    const point = atPrice(plan, value, Math.exp(middle));
    if (holds(point)) [high, after] = [middle, point];
    else [low, before] = [middle, point];
  }
  return [before, after];
}

/**
 * The first point of the curve where a condition holds: at a price, or between the two points of one price, where
 * contributions change linearly.
 */
function pointWhere(plan: DensePlan, value: readonly number[], holds: (point: DensePoint) => boolean): DensePoint {
  const [before, after] = whereHolds(plan, value, holds);
  if (holds(before) || !holds(after)) return holds(before) ? before : after;
  const between = (share: number): DensePoint => {
    const contributions = after.contributions.map((c, i) => share * before.contributions[i] + (1 - share) * c);
    const coancestry = coancestryOf(plan.relationship, contributions);
    return { contributions, value: dot(value, contributions), coancestry };
  };
  let [low, high] = [0, 1];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = 0.5 * (low + high);
    if (holds(between(middle))) low = middle;
    else high = middle;
  }
  return between(low);
}

/** The largest value with a group coancestry up to a cap. */
export const optimumAt = (plan: DensePlan, value: readonly number[], cap: number): DensePoint =>
  pointWhere(plan, value, ({ coancestry }) => coancestry <= cap);

/** The ends of the curve, and where it has given up the same share of gain and of diversity. */
export function curveEnds(
  plan: DensePlan,
  value: readonly number[],
): { first: DensePoint; last: DensePoint; balanced: number } {
  const range = Math.max(...value) - Math.min(...value) || 1;
  const [first, last] = [-25, 25].map((price) => atPrice(plan, value, range * Math.exp(price)));
  const [width, height] = [first.coancestry - last.coancestry, first.value - last.value];
  if (!(width > 0 && height > 0)) return { first, last, balanced: first.coancestry };
  const isBalanced = (point: DensePoint): boolean =>
    (first.coancestry - point.coancestry) / width >= (point.value - last.value) / height;
  return { first, last, balanced: pointWhere(plan, value, isBalanced).coancestry };
}

/** Sets of uses in whole numbers, with their mean value and group coancestry. */
export function* allUses(plan: DensePlan, value: readonly number[]): Generator<DensePoint & { uses: number[] }> {
  const { least, most } = useLimits(plan);
  const total = 2 * plan.crosses;
  const uses: number[] = [];
  function* from(left: number): Generator<number[]> {
    const i = uses.length;
    if (i === most.length) {
      if (left === 0) yield [...uses];
      return;
    }
    for (let use = least[i]; use <= Math.min(most[i], left); use++) {
      uses.push(use);
      yield* from(left - use);
      uses.pop();
    }
  }
  for (const found of from(total)) {
    const contributions = found.map((use) => use / total);
    yield {
      ...{ uses: found, contributions, value: dot(value, contributions) },
      coancestry: coancestryOf(plan.relationship, contributions),
    };
  }
}

/** The pairing of the largest merit beside the required pairs; null when these uses have none. */
export function bestPairing(
  { required, forbidden }: Pick<DensePlan, 'required' | 'forbidden'>,
  uses: readonly number[],
  merit: (i: number, j: number) => number,
): number | null {
  const left = uses.map((use, i) => use - required.filter((pair) => pair.includes(i)).length);
  const made: [number, number][] = [];
  let found: number | null = null;
  const pairUp = (sum: number): void => {
    const i = left.findIndex((use) => use > 0);
    if (i < 0) {
      if (found === null || sum > found) found = sum;
      return;
    }
    for (let j = i + 1; j < left.length; j++) {
      if (left[j] === 0 || hasPair(made, i, j) || hasPair(required, i, j) || hasPair(forbidden, i, j)) continue;
      left[i]--;
      left[j]--;
      made.push([i, j]);
      pairUp(sum + merit(i, j));
      made.pop();
      left[i]++;
      left[j]++;
    }
  };
  pairUp(0);
  return found;
}

/** All pairs with mean, spread and usefulness, the most useful first. */
export function rankedPairs(
  plan: DensePlan,
  { value, spread }: DenseIndex,
): { pair: [number, number]; usefulness: number }[] {
  if (plan.covariance === null) return [];
  const factor = intensityOf(plan.fraction) * plan.accuracy;
  return indexes(value.length)
    .flatMap((i) =>
      indexes(value.length)
        .filter((j) => j > i)
        .map((j) => ({
          pair: [i, j] as [number, number],
          usefulness: (value[i] + value[j]) / 2 + factor * (spread(i, j) ?? Number.NaN),
        })),
    )
    .sort((a, b) => b.usefulness - a.usefulness);
}

/** Relationships by a pedigree of name, female and male, parents first. */
export function pedigreeRelationships(pedigree: readonly (readonly [string, string, string])[]): Rows {
  const rowOf = (parent: string): number => pedigree.findIndex(([name]) => name === parent);
  return tabularRelationships({
    maternal: Int32Array.from(pedigree, ([, female]) => rowOf(female)),
    paternal: Int32Array.from(pedigree, ([, , male]) => rowOf(male)),
  });
}
