import type { ContributionProblem } from './contribution-frontier.ts';
import { type OptimalContributions, optimalContributions, relationshipTimes } from './optimal-contributions.ts';

/** How often each candidate may be a parent. */
export interface UsesProblem {
  /** Value of each candidate, length n. */
  value: Float64Array;
  /** n × n, symmetric, positive semidefinite. */
  relationship: Float64Array;
  /** Least and largest number of uses of each candidate. */
  least: Int32Array;
  most: Int32Array;
  /** Number of crosses; the uses sum to twice as many. */
  crosses: number;
  /** Largest group coancestry ½c'Ac, with c = uses / (2 · crosses). */
  cap: number;
  pairing: Pairing;
  /** Ends with the improved rounding; its bound is that of the contributions. */
  unproven?: boolean;
}

/** Which crosses can be made. */
export interface Pairing {
  /** Whether there are crosses in which each candidate is used so often. */
  exists(uses: Int32Array): boolean;
  /** Whether two candidates may be crossed, beyond the crosses that must be made. */
  allows(i: number, j: number): boolean;
}

/** Whole numbers of uses, and how far they can be from the best ones. */
export interface BestUses {
  /** Length n, sum 2 · crosses. */
  uses: Int32Array;
  /** Mean value of the parents, each counted as often as it is used. */
  value: number;
  coancestry: number;
  /** No whole numbers of uses that meet the cap have a larger mean value than this. */
  bound: number;
  /** False when no whole numbers that meet the cap were found; these come near to it. */
  meetsCap: boolean;
}

/**
 * Subproblems solved to prove the optimum, and their work in squares of the number of candidates. A limit on work, not
 * on time, keeps the result independent of the machine.
 */
const MOST_NODES = 400;
const MOST_WORK = 400_000;
/** Candidates beyond this many are not worth a proof: solving for them takes as long as the whole problem. */
const MOST_IN_PROOF = 150;
/** Differences of the mean value below this share of the range of values are rounding. */
const TOLERANCE = 1e-9;

/**
 * Uses of parents that maximise their mean value under a cap on group coancestry, in whole numbers. Begins with the
 * optimal contributions rounded, moves single uses from parent to parent while that helps, then branches and bounds:
 * each subproblem is a convex program solved exactly, and candidates whose reduced value rules them out are left out.
 * The proof ends with the optimum, or with the bound reached after {@link MOST_NODES} subproblems, fewer when they are
 * large.
 *
 * Only uses for which there are crosses ({@link Pairing}) count.
 *
 * @param relaxed the optimal contributions of the same problem
 */
export function bestUses(problem: UsesProblem, relaxed: OptimalContributions): BestUses {
  const search = new UsesSearch(problem);
  search.round(relaxed.contributions);
  search.improve();
  const first = search.result();
  const unproven = { ...first, bound: Math.max(first.value, relaxed.bound) };
  if (problem.unproven === true) return unproven;
  const tolerance = TOLERANCE * rangeOf(problem.value);
  if (!relaxed.meetsCap || (first.meetsCap && relaxed.bound - first.value <= tolerance)) return unproven;
  // Moves of single uses can end above the cap although uses below it exist: any of them is then better.
  const start = first.meetsCap ? first : { ...first, value: Number.NEGATIVE_INFINITY };
  const open = worthwhile(problem, relaxed, start.value);
  if (open.length > MOST_IN_PROOF) return unproven;
  const { best, bound } = prove(problem, open, start, tolerance);
  if (!best.meetsCap) return unproven;
  return { ...best, bound: Math.min(relaxed.bound, Math.max(bound, best.value)) };
}

/**
 * Whether so many crosses of different pairs exist (Erdős & Gallai 1960): the k most used parents have at most k(k−1)
 * uses among each other and the rest with others.
 */
export function canPair(uses: Int32Array): boolean {
  const sorted = uses.filter((use) => use > 0).sort((a, b) => b - a);
  let sum = 0;
  for (let k = 1; k <= sorted.length; k++) {
    sum += sorted[k - 1];
    let most = k * (k - 1);
    for (let i = k; i < sorted.length; i++) most += Math.min(sorted[i], k);
    if (sum > most) return false;
  }
  return true;
}

/** All crosses are of different pairs, whichever these are. */
export const DIFFERENT_PAIRS: Pairing = { exists: canPair, allows: () => true };

/** Uses being improved by moving one at a time. */
class UsesSearch {
  private readonly uses: Int32Array;
  private product: Float64Array = new Float64Array(0);
  private readonly problem: UsesProblem;

  constructor(problem: UsesProblem) {
    this.problem = problem;
    this.uses = problem.least.slice();
  }

  /** Largest remainders, within the limits. */
  round(contributions: Float64Array): void {
    const { least, most, crosses } = this.problem;
    const wanted = contributions.map((c) => 2 * crosses * c);
    let rest = 2 * crosses;
    for (let i = 0; i < wanted.length; i++) {
      this.uses[i] = Math.min(most[i], Math.max(least[i], Math.floor(wanted[i] + TOLERANCE)));
      rest -= this.uses[i];
    }
    const order = Array.from(wanted.keys()).sort((i, j) => wanted[j] - this.uses[j] - (wanted[i] - this.uses[i]));
    while (rest !== 0) {
      const step = Math.sign(rest);
      const from = step > 0 ? order : order.toReversed();
      const before = rest;
      for (const i of from) {
        if (rest === 0 || this.uses[i] + step > most[i] || this.uses[i] + step < least[i]) continue;
        this.uses[i] += step;
        rest -= step;
      }
      if (rest === before) break;
    }
    this.product = relationshipTimes(this.problem.relationship, Float64Array.from(this.uses));
    this.makePairable();
  }

  /** When the rounded uses cannot be paired, begins with pairs of the best candidates instead. */
  private makePairable(): void {
    const { value, least, most, crosses, pairing } = this.problem;
    if (pairing.exists(this.uses)) return;
    const best = Array.from(value.keys()).sort((i, j) => value[j] - value[i]);
    const uses = least.slice();
    let left = crosses - uses.reduce((sum, use) => sum + use, 0) / 2;
    for (let a = 0; a < best.length && left > 0; a++) {
      for (let b = a + 1; b < best.length && left > 0; b++) {
        const [i, j] = [best[a], best[b]];
        if (uses[i] >= most[i]) break;
        if (uses[j] >= most[j] || !pairing.allows(i, j)) continue;
        uses[i]++;
        uses[j]++;
        left--;
      }
    }
    if (left > 0) return;
    this.uses.set(uses);
    this.product = relationshipTimes(this.problem.relationship, Float64Array.from(this.uses));
  }

  /** First below the cap at the least loss of value, then to a larger value. */
  improve(): void {
    for (let k = 0; k < 100 * this.problem.crosses; k++) {
      const move = this.coancestry() > this.problem.cap ? this.bestDescent() : this.bestAscent();
      if (move === null) return;
      this.move(move.from, move.to);
    }
  }

  result(): BestUses {
    const { value, crosses, cap, pairing } = this.problem;
    let sum = 0;
    for (let i = 0; i < value.length; i++) sum += this.uses[i] * value[i];
    const coancestry = this.coancestry();
    return {
      uses: this.uses.slice(),
      value: sum / (2 * crosses),
      coancestry,
      bound: Number.POSITIVE_INFINITY,
      meetsCap: coancestry <= this.problem.cap + CAP_ROUNDING * Math.abs(cap) && pairing.exists(this.uses),
    };
  }

  private coancestry(): number {
    let square = 0;
    for (let i = 0; i < this.uses.length; i++) if (this.uses[i] > 0) square += this.uses[i] * this.product[i];
    return square / (8 * this.problem.crosses ** 2);
  }

  private bestDescent(): Move | null {
    return this.bestMove((gain, change) => (change < -TOLERANCE ? (gain >= 0 ? 1e9 - change : gain / -change) : null));
  }

  private bestAscent(): Move | null {
    const room = (this.problem.cap - this.coancestry()) * 8 * this.problem.crosses ** 2;
    return this.bestMove((gain, change) => (gain > 0 && change <= room ? gain : null));
  }

  /** The move of largest merit, from the changes of Σ uses·value and of uses'A·uses, that leaves crosses pairable. */
  private bestMove(merit: (gain: number, change: number) => number | null): Move | null {
    const { value, relationship, least, most } = this.problem;
    const n = value.length;
    const moves: Move[] = [];
    for (let from = 0; from < n; from++) {
      if (this.uses[from] <= least[from]) continue;
      for (let to = 0; to < n; to++) {
        if (to === from || this.uses[to] >= most[to]) continue;
        const change =
          2 * (this.product[to] - this.product[from]) +
          relationship[to * n + to] +
          relationship[from * n + from] -
          2 * relationship[from * n + to];
        const worth = merit(value[to] - value[from], change);
        if (worth !== null) moves.push({ from, to, worth });
      }
    }
    moves.sort((a, b) => b.worth - a.worth);
    return moves.find(({ from, to }) => this.staysPairable(from, to)) ?? null;
  }

  private staysPairable(from: number, to: number): boolean {
    this.uses[from]--;
    this.uses[to]++;
    const can = this.problem.pairing.exists(this.uses);
    this.uses[from]++;
    this.uses[to]--;
    return can;
  }

  private move(from: number, to: number): void {
    const { relationship } = this.problem;
    const n = this.uses.length;
    this.uses[from]--;
    this.uses[to]++;
    for (let i = 0; i < n; i++) this.product[i] += relationship[to * n + i] - relationship[from * n + i];
  }
}

interface Move {
  from: number;
  to: number;
  worth: number;
}

/** Coancestry above the cap by less than this share of it is rounding. */
const CAP_ROUNDING = 1e-12;

/** Candidates that a solution better than the given value can use, by the reduced values of the optimum. */
function worthwhile(problem: UsesProblem, relaxed: OptimalContributions, value: number): Int32Array {
  const product = relationshipTimes(problem.relationship, relaxed.contributions);
  const reduced = problem.value.map((one, i) => one - relaxed.price * product[i]);
  // Contributions strictly between their bounds have the reduced value of the multiplier of Σc = 1.
  let multiplier = Number.POSITIVE_INFINITY;
  for (let i = 0; i < reduced.length; i++)
    if (relaxed.contributions[i] > TOLERANCE) multiplier = Math.min(multiplier, reduced[i]);
  const room = (relaxed.bound - value) * 2 * problem.crosses + TOLERANCE * rangeOf(problem.value);
  return Int32Array.from(reduced.keys()).filter(
    (i) => relaxed.contributions[i] > TOLERANCE || problem.least[i] > 0 || multiplier - reduced[i] <= room,
  );
}

interface Node {
  least: Int32Array;
  most: Int32Array;
  relaxed: OptimalContributions;
}

/** Branch and bound over the given candidates; the others are not used. */
function prove(
  problem: UsesProblem,
  open: Int32Array,
  start: BestUses,
  tolerance: number,
): { best: BestUses; bound: number } {
  const small = restricted(problem, open);
  let best = start;
  const nodes: Node[] = [];
  const push = (least: Int32Array, most: Int32Array) => {
    const relaxed = relax(small, least, most);
    if (relaxed !== null && relaxed.bound > best.value + tolerance) nodes.push({ least, most, relaxed });
  };
  push(small.least, small.most);
  const mostNodes = Math.min(MOST_NODES, MOST_WORK / open.length ** 2);
  for (let solved = 0; nodes.length > 0; solved++) {
    const at = nodes.reduce((a, node, k) => (node.relaxed.bound > (nodes[a]?.relaxed.bound ?? 0) ? k : a), 0);
    const [node] = nodes.splice(at, 1);
    if (node === undefined || node.relaxed.bound <= best.value + tolerance) break;
    if (solved >= mostNodes) return { best, bound: node.relaxed.bound };
    const search = new UsesSearch({ ...small, least: node.least, most: node.most });
    search.round(node.relaxed.contributions);
    search.improve();
    const found = search.result();
    if (found.meetsCap && found.value > best.value + tolerance) {
      best = { ...found, uses: placed(found.uses, open, problem.value.length) };
    }
    for (const { least, most } of branches(node, small)) push(least, most);
  }
  return { best, bound: best.value };
}

/** Uses of some of n candidates; the others have none. */
function placed(uses: Int32Array, open: Int32Array, n: number): Int32Array {
  const all = new Int32Array(n);
  open.forEach((i, k) => {
    all[i] = uses[k];
  });
  return all;
}

function restricted(problem: UsesProblem, open: Int32Array): UsesProblem {
  const { pairing } = problem;
  const n = problem.value.length;
  const relationship = new Float64Array(open.length ** 2);
  open.forEach((i, a) => {
    open.forEach((j, b) => {
      relationship[a * open.length + b] = problem.relationship[i * n + j];
    });
  });
  return {
    ...problem,
    value: Float64Array.from(open, (i) => problem.value[i]),
    least: Int32Array.from(open, (i) => problem.least[i]),
    most: Int32Array.from(open, (i) => problem.most[i]),
    relationship,
    pairing: {
      exists: (uses) => pairing.exists(placed(uses, open, n)),
      allows: (a, b) => pairing.allows(open[a], open[b]),
    },
  };
}

function relax(problem: UsesProblem, least: Int32Array, most: Int32Array): OptimalContributions | null {
  const total = 2 * problem.crosses;
  const sum = (uses: Int32Array) => uses.reduce((a, b) => a + b, 0);
  if (sum(least) > total || sum(most) < total) return null;
  const contributions: ContributionProblem = {
    value: problem.value,
    relationship: problem.relationship,
    lower: Float64Array.from(least, (use) => use / total),
    upper: Float64Array.from(most, (use) => use / total),
  };
  const relaxed = optimalContributions(contributions, problem.cap);
  return relaxed.meetsCap ? relaxed : null;
}

/** The most fractional use goes up or down; of whole uses that cannot be paired, the largest changes or is kept. */
function branches({ least, most, relaxed }: Node, { crosses, pairing }: UsesProblem): Pick<Node, 'least' | 'most'>[] {
  const wanted = relaxed.contributions.map((c) => 2 * crosses * c);
  let at = -1;
  let distance = 1e-6;
  for (let i = 0; i < wanted.length; i++) {
    const from = Math.abs(wanted[i] - Math.round(wanted[i]));
    if (from > distance) [at, distance] = [i, from];
  }
  const limited = (i: number, from: number, to: number) => {
    const node = { least: least.slice(), most: most.slice() };
    node.least[i] = from;
    node.most[i] = to;
    return from <= to ? [node] : [];
  };
  if (at >= 0) {
    const below = Math.floor(wanted[at]);
    return [...limited(at, below + 1, most[at]), ...limited(at, least[at], below)];
  }
  if (pairing.exists(Int32Array.from(wanted, Math.round))) return [];
  for (let i = 0; i < wanted.length; i++) if (least[i] < most[i] && (at < 0 || wanted[i] > wanted[at])) at = i;
  if (at < 0) return [];
  const use = Math.round(wanted[at]);
  return [...limited(at, use + 1, most[at]), ...limited(at, use, use), ...limited(at, least[at], use - 1)];
}

function rangeOf(values: Float64Array): number {
  return Math.max(...values) - Math.min(...values) || 1;
}
