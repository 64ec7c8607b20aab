import { type ContributionProblem, type FrontierCorner, frontierCorners } from './contribution-frontier.ts';

/** Contributions of the largest value under a cap on group coancestry. */
export interface OptimalContributions {
  /** Length n, sum 1. */
  contributions: Float64Array;
  value: number;
  coancestry: number;
  /** Multiplier of the cap: value lost per unit of coancestry by which the cap is lowered; 0 when it does not bind. */
  price: number;
  /** No contributions within the bounds and the cap have a larger value than this. */
  bound: number;
  /** False when even the smallest coancestry exceeds the cap; the contributions are then those of the smallest. */
  meetsCap: boolean;
}

/**
 * Optimal contributions (Meuwissen 1997, doi 10.2527/1997.754934x): maximises value'c with ½c'Ac ≤ cap, Σc = 1 and
 * bounds on each contribution. Exact: the point of the frontier with that coancestry, with a certificate
 * ({@link contributionBound}).
 *
 * @param cap largest group coancestry; Infinity for none
 * @param corners the corners of this problem's frontier when they are known; when they end early, so does the search
 * @throws StatgenError like `frontierCorners`
 */
export function optimalContributions(
  problem: ContributionProblem,
  cap: number,
  corners: Iterable<FrontierCorner> = frontierCorners(problem),
): OptimalContributions {
  let before: FrontierCorner | null = null;
  let corner: FrontierCorner | null = null;
  for (corner of corners) {
    if (corner.coancestry <= cap) break;
    before = corner;
  }
  if (corner === null) throw new RangeError('a frontier has at least one corner');
  const meetsCap = corner.coancestry <= cap;
  const end = spread(corner, problem.value.length);
  const endProduct = relationshipTimes(problem.relationship, end);
  let share = 1;
  let contributions = end;
  let product = endProduct;
  if (meetsCap && before !== null) {
    const start = spread(before, problem.value.length);
    const startProduct = relationshipTimes(problem.relationship, start);
    share = shareAt(dot(start, startProduct) / 2, dot(start, endProduct) / 2, dot(end, endProduct) / 2, cap);
    const at = share;
    contributions = end.map((c, i) => start[i] + at * (c - start[i]));
    product = endProduct.map((c, i) => startProduct[i] + at * (c - startProduct[i]));
  }
  product = completed(problem, contributions, product);
  const value = dot(contributions, problem.value);
  const coancestry = dot(contributions, product) / 2;
  if (!meetsCap) return { contributions, value, coancestry, price: Number.POSITIVE_INFINITY, bound: value, meetsCap };
  let weight = before === null ? Number.POSITIVE_INFINITY : before.weight + share * (corner.weight - before.weight);
  // At the very end of the frontier the price is infinite; a large one gives a bound as good as rounding allows.
  if (before !== null) weight = Math.max(weight, END_OF_FRONTIER * before.weight);
  const price = 1 / weight;
  const bound = contributionBound(problem, cap, price, contributions, product);
  return { contributions, value, coancestry, price, bound, meetsCap };
}

/** Share of the last corner's weight below which the weight counts as zero. */
const END_OF_FRONTIER = 1e-4;

/** Gives what rounding lacks of Σc = 1 to contributions with room for it, and returns A·c. */
function completed(
  { relationship, lower, upper }: ContributionProblem,
  contributions: Float64Array,
  product: Float64Array,
): Float64Array {
  let rest = 1 - contributions.reduce((sum, c) => sum + c, 0);
  if (rest === 0) return product;
  const isOpen = (i: number) => contributions[i] > lower[i] && contributions[i] < upper[i];
  for (const i of Array.from(contributions.keys()).filter(isOpen)) {
    const to = Math.min(upper[i], Math.max(lower[i], contributions[i] + rest));
    rest -= to - contributions[i];
    contributions[i] = to;
  }
  return relationshipTimes(relationship, contributions);
}

/**
 * Value and coancestry at a share of the way between two corners, for drawing: on the way ½c'Ac is a parabola whose
 * slope follows from t, because d(½c'Ac) = t·d(value) along the frontier.
 */
export function betweenCorners(
  from: FrontierCorner,
  to: FrontierCorner,
  share: number,
): { value: number; coancestry: number } {
  const gain = to.value - from.value;
  const linear = from.weight * gain;
  const square = to.coancestry - from.coancestry - linear;
  return { value: from.value + share * gain, coancestry: from.coancestry + share * (linear + share * square) };
}

/** The largest share of the way between two corners, from θ₀₀ to θ₁₁, at which the coancestry has fallen to the cap. */
function shareAt(from: number, across: number, to: number, cap: number): number {
  let low = 0;
  let high = 1;
  // Coancestry falls all the way, so that halving finds the root to the last bit.
  for (let k = 0; k < 60; k++) {
    const share = (low + high) / 2;
    const rest = 1 - share;
    if (rest * rest * from + 2 * rest * share * across + share * share * to > cap) low = share;
    else high = share;
  }
  return high;
}

function spread({ members, contributions }: FrontierCorner, n: number): Float64Array {
  const all = new Float64Array(n);
  members.forEach((i, k) => {
    all[i] = contributions[k];
  });
  return all;
}

/**
 * An upper bound of value'c over all c within the bounds with ½c'Ac ≤ cap, from any price s ≥ 0 of coancestry and any
 * contributions z: since A is positive semidefinite, ½c'Ac ≥ z'Ac − ½z'Az, so
 *
 *     value'c ≤ s·cap + (s/2)·z'Az + max_c (value − s·Az)'c,
 *
 * and the last maximum is filled greedily. At the optimum, with its own price and contributions, the bound equals the
 * value (weak and strong duality; Boyd & Vandenberghe 2004, section 5.5). O(n²) with the product, then O(n log n).
 */
export function contributionBound(
  problem: ContributionProblem,
  cap: number,
  price: number,
  z: Float64Array,
  product: Float64Array = relationshipTimes(problem.relationship, z),
): number {
  const { value, lower, upper } = problem;
  let bound = 0;
  if (price > 0) {
    bound = price * cap + (price / 2) * dot(z, product);
  }
  const reduced = value.map((one, i) => one - price * product[i]);
  let rest = 1;
  for (let i = 0; i < lower.length; i++) {
    rest -= lower[i];
    bound += lower[i] * reduced[i];
  }
  for (const i of Array.from(reduced.keys()).sort((a, b) => reduced[b] - reduced[a])) {
    if (rest <= 0) break;
    const more = Math.min(rest, upper[i] - lower[i]);
    bound += more * reduced[i];
    rest -= more;
  }
  return bound;
}

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
  return sum;
}

/** A·x, skipping zeros of x. */
export function relationshipTimes(relationship: Float64Array, x: Float64Array): Float64Array {
  const n = x.length;
  const product = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    const xj = x[j];
    if (xj === 0) continue;
    const at = j * n;
    for (let i = 0; i < n; i++) product[i] += relationship[at + i] * xj;
  }
  return product;
}
