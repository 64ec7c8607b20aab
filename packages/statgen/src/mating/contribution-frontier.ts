import { StatgenError } from '../statgen-error.ts';
import { GrowingCholesky } from './growing-cholesky.ts';

/** Who may contribute how much to the next generation. */
export interface ContributionProblem {
  /** Value of each candidate, length n. */
  value: Float64Array;
  /** Relationship of the candidates (twice the coancestry), n × n, symmetric and positive semidefinite. */
  relationship: Float64Array;
  /** Least and largest contribution of each candidate, 0..1; Σ lower ≤ 1 ≤ Σ upper. */
  lower: Float64Array;
  upper: Float64Array;
}

/** A corner of the frontier: between two corners the contributions change linearly. */
export interface FrontierCorner {
  /** Weight t of the value in t·value'c − ½c'Ac, which this corner maximises; falls to 0 along the frontier. */
  weight: number;
  /** Mean value of the contributions, value'c. */
  value: number;
  /** Group coancestry, ½c'Ac. */
  coancestry: number;
  /** Candidates with a contribution, ascending, and their contributions (they sum to 1). */
  members: Int32Array;
  contributions: Float64Array;
}

/** Added to the diagonal, as a share of its mean: makes the matrix of clones and duplicates definite. */
const RIDGE = 1e-6;
/** Spread of what is added to the values so that no two candidates tie, as a share of the range of values. */
const TIE_BREAK = 1e-10;
/** Steps between two computations of A·c from its definition. */
const REFRESH = 64;
const AT_LOWER = -1;
const FREE = 0;
const AT_UPPER = 1;

/**
 * The corners of the whole frontier of value against group coancestry, from the largest value to the smallest
 * coancestry: the maximiser c(t) of t·value'c − ½c'Ac with Σc = 1 and bounds, for every t ≥ 0. It is piecewise linear
 * in t, and the corners are where a contribution reaches or leaves a bound (the critical line algorithm: Markowitz
 * 1956, doi 10.1002/nav.3800030110; with bounds Niedermayer & Niedermayer 2010, doi 10.1007/978-0-387-77439-8_12). A
 * maximum of value under a cap on group coancestry (Meuwissen 1997, doi 10.2527/1997.754934x) lies on it.
 *
 * Each step costs O(nf + f²) with f contributions between their bounds. To be definite for clones, A has a ridge of
 * 1e−6 of its mean diagonal; to have no ties, values differ by up to 1e−10 of their range from those given.
 * {@link contributionBound} proves how near to the optimum of the problem as given a solution is.
 *
 * @throws StatgenError `shape-mismatch`; `bad-option` when the bounds leave no solution; `not-positive-semidefinite`
 */
export function* frontierCorners(problem: ContributionProblem): Generator<FrontierCorner, void> {
  requireShapes(problem);
  const path = new FrontierPath(problem);
  path.start();
  let corner = path.corner();
  yield corner;
  // As t falls, contributions may wait at a corner. They move on from the t at which the wait ends: a corner too.
  let waitedUntil: FrontierCorner | null = null;
  while (path.step()) {
    if (!path.hasMoved) {
      waitedUntil = { ...corner, weight: path.weight };
      continue;
    }
    if (waitedUntil !== null && waitedUntil.weight < corner.weight) yield waitedUntil;
    waitedUntil = null;
    corner = path.corner();
    yield corner;
  }
}

/** Where the trace stands: contributions, which of them are at a bound, and the factor of the rest. */
class FrontierPath {
  /** Whether the last step changed the contributions. */
  hasMoved = false;
  private readonly n: number;
  private readonly value: Float64Array;
  private readonly ridge: number;
  private readonly c: Float64Array;
  /** (A + ridge·I)·c. */
  private product: Float64Array;
  private readonly state: Int8Array;
  private free: number[] = [];
  private readonly factor = new GrowingCholesky();
  private t = 0;
  /** Candidates that became free and left again at this t: with clones, rounding would let them do so for ever. */
  private readonly left = new Set<number>();
  private steps = 0;
  private readonly problem: ContributionProblem;

  constructor(problem: ContributionProblem) {
    this.problem = problem;
    const { value, relationship, lower } = problem;
    this.n = value.length;
    let trace = 0;
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < this.n; i++) {
      trace += relationship[i * this.n + i];
      least = Math.min(least, value[i]);
      most = Math.max(most, value[i]);
    }
    this.ridge = (RIDGE * trace) / this.n || RIDGE;
    const jitter = TIE_BREAK * (most - least || 1);
    this.value = value.map((one, i) => one + jitter * scattered(i));
    this.c = lower.slice();
    this.state = new Int8Array(this.n).fill(AT_LOWER);
    this.product = new Float64Array(this.n);
  }

  /** Begins at the largest value: best candidates first, each up to its bound. */
  start(): void {
    const { lower, upper } = this.problem;
    let rest = 1;
    for (let i = 0; i < this.n; i++) rest -= lower[i];
    const order = Array.from(this.c.keys()).sort((i, j) => this.value[j] - this.value[i]);
    let last = -1;
    for (const i of order) {
      if (rest <= ROUNDING) break;
      const more = Math.min(rest, upper[i] - lower[i]);
      if (more <= 0) continue;
      this.c[i] += more;
      this.state[i] = AT_UPPER;
      rest -= more;
      last = i;
    }
    this.refresh();
    if (last < 0) return;
    this.state[last] = FREE;
    this.free = [last];
    this.factor.append(new Float64Array(0), this.element(last, last));
    // With a single free contribution nothing moves until the first other one becomes free.
    let first = -1;
    for (let i = 0; i < this.n; i++) {
      if (i === last || lower[i] === upper[i]) continue;
      const t = (this.product[i] - this.product[last]) / (this.value[i] - this.value[last]);
      if (t > this.t && Number.isFinite(t)) {
        this.t = t;
        first = i;
      }
    }
    if (first >= 0) this.setFree(first);
  }

  get weight(): number {
    return this.t;
  }

  corner(): FrontierCorner {
    const members: number[] = [];
    let value = 0;
    let coancestry = 0;
    for (let i = 0; i < this.n; i++) {
      if (this.c[i] <= ROUNDING) continue;
      members.push(i);
      value += this.c[i] * this.problem.value[i];
      coancestry += 0.5 * this.c[i] * (this.product[i] - this.ridge * this.c[i]);
    }
    return {
      weight: this.t,
      value,
      coancestry,
      members: Int32Array.from(members),
      contributions: Float64Array.from(members, (i) => this.c[i]),
    };
  }

  /** Goes on to the next corner. False once the smallest coancestry has been passed. */
  step(): boolean {
    if (this.t <= 0) return false;
    if (++this.steps > 50 * this.n + 1000)
      throw new StatgenError('not-positive-semidefinite', 'the relationship matrix is not positive semidefinite');
    const { lower, upper } = this.problem;
    const { slope, reference, multiplier, multiplierSlope } = this.direction();
    const change = this.times(slope);
    let length = this.t;
    let event = -1;
    let side = AT_LOWER;
    for (const [k, i] of this.free.entries()) {
      const isFalling = slope[k] > 0;
      const room = isFalling ? this.c[i] - lower[i] : upper[i] - this.c[i];
      // One that rounding has put beyond a bound, as it became free, comes back by itself when it moves inwards.
      const until = Math.max(0, room) / Math.abs(slope[k]);
      if (until < length) {
        length = until;
        event = i;
        side = isFalling ? AT_LOWER : AT_UPPER;
      }
    }
    for (let i = 0; i < this.n; i++) {
      if (this.state[i] === FREE || lower[i] === upper[i] || this.left.has(i)) continue;
      const rate = change[i] - (this.value[i] - reference) - multiplierSlope;
      // At a lower bound the reduced gradient is positive and may fall; at an upper bound it is negative and may rise.
      if (this.state[i] === AT_LOWER ? rate <= 0 : rate >= 0) continue;
      const gradient = this.product[i] - this.t * (this.value[i] - reference) - multiplier;
      const until = Math.max(0, gradient / rate);
      if (until < length) {
        length = until;
        event = i;
      }
    }
    this.hasMoved = false;
    for (const [k, i] of this.free.entries()) {
      const moved = length * slope[k];
      if (Math.abs(moved) > ROUNDING) this.hasMoved = true;
      this.c[i] -= moved;
    }
    for (let i = 0; i < this.n; i++) this.product[i] -= length * change[i];
    this.t = event < 0 ? 0 : this.t - length;
    if (length > 0) this.left.clear();
    if (event >= 0) {
      if (this.state[event] !== FREE) this.setFree(event);
      else {
        this.setBound(event, side);
        this.left.add(event);
      }
    }
    if (this.steps % REFRESH === 0) this.refresh();
    // The end of the frontier is a corner, moved to or not.
    if (this.t <= 0) this.hasMoved = true;
    return true;
  }

  /**
   * dc/dt of the free contributions, and the multiplier of Σc = 1 at t with its derivative, for values less a
   * reference. Sets the free contributions to the solution itself, so that rounding does not add up.
   */
  private direction(): { slope: Float64Array; reference: number; multiplier: number; multiplierSlope: number } {
    const { relationship } = this.problem;
    const f = this.free.length;
    // Far out, where t is huge, values differ little: the difference to one of them keeps their digits.
    const reference = this.value[this.free[0]];
    const ones = new Float64Array(f).fill(1);
    const slope = Float64Array.from(this.free, (i) => this.value[i] - reference);
    const bound = new Float64Array(f);
    let rest = 1;
    for (let j = 0; j < this.n; j++) {
      if (this.state[j] === FREE || this.c[j] === 0) continue;
      rest -= this.c[j];
      for (let k = 0; k < f; k++) bound[k] += relationship[j * this.n + this.free[k]] * this.c[j];
    }
    this.solve(ones);
    this.solve(slope);
    this.solve(bound);
    const sum = total(ones);
    const multiplierSlope = -total(slope) / sum;
    const constant = (rest + total(bound)) / sum;
    for (let k = 0; k < f; k++) {
      const i = this.free[k];
      slope[k] += multiplierSlope * ones[k];
      this.c[i] = this.t * slope[k] + constant * ones[k] - bound[k];
    }
    return { slope, reference, multiplier: constant + this.t * multiplierSlope, multiplierSlope };
  }

  /** Solves for the free candidates, in place, and corrects the solution once: clones make it inexact. */
  private solve(b: Float64Array): void {
    const { n } = this;
    const { relationship } = this.problem;
    const rest = b.slice();
    this.factor.solve(b);
    for (const [k, i] of this.free.entries()) {
      let sum = this.ridge * b[k];
      for (const [l, j] of this.free.entries()) sum += relationship[i * n + j] * b[l];
      rest[k] -= sum;
    }
    this.factor.solve(rest);
    for (let k = 0; k < b.length; k++) b[k] += rest[k];
  }

  /** (A + ridge·I)·x for an x that is zero except at the free candidates. */
  private times(x: Float64Array): Float64Array {
    const { n } = this;
    const { relationship } = this.problem;
    const y = new Float64Array(n);
    for (const [k, j] of this.free.entries()) {
      const xk = x[k];
      if (xk === 0) continue;
      const at = j * n;
      for (let i = 0; i < n; i++) y[i] += relationship[at + i] * xk;
      y[j] += this.ridge * xk;
    }
    return y;
  }

  private refresh(): void {
    this.product = new Float64Array(this.n);
    const { relationship } = this.problem;
    for (let j = 0; j < this.n; j++) {
      const cj = this.c[j];
      if (cj === 0) continue;
      for (let i = 0; i < this.n; i++) this.product[i] += relationship[j * this.n + i] * cj;
      this.product[j] += this.ridge * cj;
    }
  }

  private element(i: number, j: number): number {
    return this.problem.relationship[i * this.n + j] + (i === j ? this.ridge : 0);
  }

  private setFree(i: number): void {
    const against = Float64Array.from(this.free, (j) => this.element(i, j));
    this.factor.append(against, this.element(i, i));
    this.free.push(i);
    this.state[i] = FREE;
  }

  private setBound(i: number, side: number): void {
    const place = this.free.indexOf(i);
    this.c[i] = side === AT_LOWER ? this.problem.lower[i] : this.problem.upper[i];
    this.state[i] = side;
    this.factor.remove(place);
    this.free.splice(place, 1);
  }
}

/** Contributions below this are zero but for rounding. */
const ROUNDING = 1e-12;

function total(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
}

/** A number from −½ to ½ for each index, without pattern (the fractional part of multiples of the golden ratio). */
function scattered(i: number): number {
  return (((i + 1) * 0.618_033_988_749_894_9) % 1) - 0.5;
}

function requireShapes({ value, relationship, lower, upper }: ContributionProblem): void {
  const n = value.length;
  if (n === 0 || relationship.length !== n * n || lower.length !== n || upper.length !== n)
    throw new StatgenError(
      'shape-mismatch',
      `${n} candidates need ${n * n} relationships and ${n} bounds, not ${relationship.length} and ${lower.length}`,
    );
  if (total(lower) > 1 + 1e-9 || total(upper) < 1 - 1e-9 || lower.some((least, i) => least > upper[i]))
    throw new StatgenError('bad-option', 'no contributions between their bounds sum to 1', {
      lower: total(lower),
      upper: total(upper),
    });
}
