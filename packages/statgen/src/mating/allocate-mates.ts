/** Which parents to pair. */
export interface MateProblem {
  /** Number of uses of each of p parents; their sum is even. */
  uses: Int32Array;
  /** Merit of the pair (i, j), p × p, symmetric, row by row; −Infinity for a pair that may not be made. */
  merit: Float64Array;
}

/** A pairing, and how far it can be from the best one. */
export interface MateAllocation {
  /** Pairs of parents, i < j, in ascending order. */
  pairs: [number, number][];
  /** Σ merit of the pairs. */
  merit: number;
  /** No pairing has a larger sum than this; equal to `merit` when the optimum is proven. */
  bound: number;
}

/** Elementary steps spent on the proof. A limit on work, not on time, keeps the result independent of the machine. */
const MOST_WORK = 4e8;
/** Merits nearer than this share of their range are equal. */
const TOLERANCE = 1e-9;

/**
 * The pairing of parents with the largest sum of merits in which each parent is used as often as given and no pair is
 * made twice: a b-matching of largest weight in a graph without parallel edges.
 *
 * Its linear relaxation is half-integral and is solved exactly as a minimum-cost flow on the bipartite double cover
 * (Schrijver 2003, Combinatorial Optimization, sections 31.2 and 30.2; successive shortest paths). Where cycles of
 * halves remain, branch and bound on their edges goes on to integers, with the best relaxation as the bound.
 *
 * @returns null when no such pairing exists, or none is found within the limit of work
 */
export function allocateMates(problem: MateProblem): MateAllocation | null {
  const p = problem.uses.length;
  const range = rangeOf(problem.merit);
  const tolerance = TOLERANCE * range;
  const flowWork = Math.max(1, 4 * p * p * problem.uses.reduce((sum, use) => sum + use, 0));
  const mostNodes = Math.max(8, MOST_WORK / flowWork);
  let best: MateAllocation | null = null;
  const nodes: Node[] = [];
  const push = (made: [number, number][], merit: Float64Array) => {
    const uses = problem.uses.slice();
    let sum = 0;
    for (const [i, j] of made) {
      uses[i]--;
      uses[j]--;
      sum += problem.merit[i * p + j];
    }
    const halves = relax(uses, merit);
    if (halves === null) return;
    const node: Node = { made, merit, uses, halves, bound: sum + halves.merit };
    if (best === null || node.bound > best.merit + tolerance) nodes.push(node);
  };
  push([], problem.merit);
  for (let solved = 0; nodes.length > 0; solved++) {
    const at = nodes.reduce((a, node, k) => (node.bound > (nodes[a]?.bound ?? 0) ? k : a), 0);
    const [node] = nodes.splice(at, 1);
    if (node === undefined || (best !== null && node.bound <= best.merit + tolerance)) break;
    const found = rounded(node, problem);
    if (found !== null && (best === null || found.merit > best.merit)) best = found;
    if (best !== null && node.bound <= best.merit + tolerance) break;
    if (solved >= mostNodes) return best === null ? null : { ...best, bound: node.bound };
    const [edge] = node.halves.odd[0] ?? [];
    if (edge === undefined) continue;
    const [i, j] = edge;
    const without = node.merit.slice();
    without[i * p + j] = Number.NEGATIVE_INFINITY;
    without[j * p + i] = Number.NEGATIVE_INFINITY;
    push([...node.made, [i, j]], without);
    push(node.made, without);
  }
  return best === null ? null : { ...best, bound: best.merit };
}

interface Node {
  /** Pairs decided on; their merits are −Infinity in `merit`, and they are taken off `uses`. */
  made: [number, number][];
  merit: Float64Array;
  uses: Int32Array;
  halves: HalfIntegral;
  bound: number;
}

/** A solution of the linear relaxation. */
interface HalfIntegral {
  /** Edges made: those with the value 1, and every other edge of closed trails of halves with an even length. */
  whole: [number, number][];
  /** Closed trails of halves with an odd length, as their edges in order. */
  odd: [number, number][][];
  merit: number;
}

/**
 * The linear relaxation: 0 ≤ x ≤ 1 for each pair, Σ x at a parent = its uses. Null without a solution, or when it has
 * no solution in whole numbers because a group of parents that can only be paired with each other has an odd sum of
 * uses. Without that test, two such groups (crosses between heterotic groups forbidden) are searched in vain, in time
 * exponential in their size.
 */
function relax(uses: Int32Array, merit: Float64Array): HalfIntegral | null {
  const p = uses.length;
  if (hasOddGroup(uses, merit)) return null;
  const flow = bipartiteFlow(uses, merit);
  if (flow === null) return null;
  const whole: [number, number][] = [];
  const half: Set<number>[] = Array.from({ length: p }, () => new Set());
  let sum = 0;
  for (let i = 0; i < p; i++) {
    for (let j = i + 1; j < p; j++) {
      const twice = flow[i * p + j] + flow[j * p + i];
      if (twice === 0) continue;
      sum += (twice / 2) * merit[i * p + j];
      if (twice === 2) whole.push([i, j]);
      else {
        half[i].add(j);
        half[j].add(i);
      }
    }
  }
  const odd: [number, number][][] = [];
  for (const trail of closedTrails(half)) {
    if (trail.length % 2 === 1) odd.push(trail);
    else whole.push(...betterAlternation(trail, merit, p));
  }
  return { whole, odd, merit: sum };
}

/** Whether the uses of some connected component of the parents still to pair, by allowed pairs, have an odd sum. */
function hasOddGroup(uses: Int32Array, merit: Float64Array): boolean {
  const p = uses.length;
  const isSeen = Uint8Array.from(uses, (use) => (use > 0 ? 0 : 1));
  for (let start = 0; start < p; start++) {
    if (isSeen[start] === 1) continue;
    isSeen[start] = 1;
    let sum = 0;
    const group = [start];
    for (let i = group.pop(); i !== undefined; i = group.pop()) {
      sum += uses[i];
      for (let j = 0; j < p; j++) {
        if (isSeen[j] === 1 || merit[i * p + j] === Number.NEGATIVE_INFINITY) continue;
        isSeen[j] = 1;
        group.push(j);
      }
    }
    if (sum % 2 === 1) return true;
  }
  return false;
}

/** Every parent has an even number of halves, so that they are closed trails (Hierholzer 1873), one per component. */
function closedTrails(half: readonly Set<number>[]): [number, number][][] {
  const trails: [number, number][][] = [];
  for (const [start, at] of half.entries()) {
    if (at.size === 0) continue;
    const stack = [start];
    const circuit: number[] = [];
    for (let here = start; stack.length > 0; here = stack.at(-1) ?? start) {
      const [next] = half[here];
      if (next === undefined) {
        circuit.push(here);
        stack.pop();
      } else {
        half[here].delete(next);
        half[next].delete(here);
        stack.push(next);
      }
    }
    trails.push(circuit.slice(1).map((to, k) => [circuit[k], to]));
  }
  return trails;
}

function betterAlternation(trail: [number, number][], merit: Float64Array, p: number): [number, number][] {
  const sums = [0, 0];
  for (const [k, [i, j]] of trail.entries()) sums[k % 2] += merit[i * p + j];
  const from = sums[0] >= sums[1] ? 0 : 1;
  return trail.filter((_, k) => k % 2 === from);
}

/**
 * A pairing near the relaxation: odd trails lose one use at one parent each, two such parents become a pair, and
 * exchanging mates between pairs improves the rest. Null when that is not possible.
 */
function rounded({ made, merit, halves }: Node, problem: MateProblem): MateAllocation | null {
  const p = problem.uses.length;
  const pairs = [...made, ...halves.whole];
  const taken = new Set(pairs.map(([i, j]) => keyOf(i, j, p)));
  const odd = [...halves.odd];
  while (odd.length > 0) {
    const first = odd.shift() ?? [];
    const second = odd.shift() ?? [];
    let best = { sum: Number.NEGATIVE_INFINITY, a: 0, b: 0 };
    for (let a = 0; a < first.length; a++) {
      for (let b = 0; b < second.length; b++) {
        const [i, j] = [first[a][0], second[b][0]];
        if (i === j || taken.has(keyOf(i, j, p))) continue;
        const sum = merit[i * p + j] + alternateSum(first, a, merit, p) + alternateSum(second, b, merit, p);
        if (sum > best.sum) best = { sum, a, b };
      }
    }
    if (best.sum === Number.NEGATIVE_INFINITY) return null;
    const more: [number, number][] = [
      ...withoutStart(first, best.a),
      ...withoutStart(second, best.b),
      [first[best.a][0], second[best.b][0]],
    ];
    for (const [i, j] of more) taken.add(keyOf(i, j, p));
    pairs.push(...more);
  }
  exchangeMates(pairs, taken, problem.merit, p);
  const ordered = pairs.map(([i, j]): [number, number] => (i < j ? [i, j] : [j, i]));
  ordered.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let sum = 0;
  for (const [i, j] of ordered) sum += problem.merit[i * p + j];
  return { pairs: ordered, merit: sum, bound: sum };
}

/** Every other edge of an odd closed trail from the parent where edge k begins, which is left with one use to spare. */
function withoutStart(trail: [number, number][], k: number): [number, number][] {
  const turned = [...trail.slice(k), ...trail.slice(0, k)];
  return turned.filter((_, place) => place % 2 === 1);
}

function alternateSum(trail: [number, number][], k: number, merit: Float64Array, p: number): number {
  let sum = 0;
  for (const [i, j] of withoutStart(trail, k)) sum += merit[i * p + j];
  return sum;
}

const keyOf = (i: number, j: number, p: number): number => Math.min(i, j) * p + Math.max(i, j);

/** Exchanges mates between two pairs as long as that adds merit. */
function exchangeMates(pairs: [number, number][], taken: Set<number>, merit: Float64Array, p: number): void {
  const tolerance = TOLERANCE * rangeOf(merit);
  const tryExchange = (x: number, y: number): boolean => {
    const [a, b] = pairs[x];
    for (const [c, d] of [pairs[y], [pairs[y][1], pairs[y][0]] as const]) {
      if (a === c || b === d || taken.has(keyOf(a, c, p)) || taken.has(keyOf(b, d, p))) continue;
      const gain = merit[a * p + c] + merit[b * p + d] - merit[a * p + b] - merit[c * p + d];
      if (!(gain > tolerance)) continue;
      taken.delete(keyOf(a, b, p));
      taken.delete(keyOf(c, d, p));
      taken.add(keyOf(a, c, p));
      taken.add(keyOf(b, d, p));
      pairs[x] = [a, c];
      pairs[y] = [b, d];
      return true;
    }
    return false;
  };
  for (let improved = true; improved; ) {
    improved = false;
    for (let x = 0; x < pairs.length; x++)
      for (let y = x + 1; y < pairs.length; y++) if (tryExchange(x, y)) improved = true;
  }
}

/**
 * Flow of largest merit from a copy of each parent to a second copy of each, `uses` out of and into each, at most 1 per
 * arc: p × p zeros and ones. Successive shortest paths with potentials and Dijkstra's algorithm on a dense graph,
 * O(p²) per unit of flow. Null when there is none.
 */
function bipartiteFlow(uses: Int32Array, merit: Float64Array): Uint8Array | null {
  const p = uses.length;
  const largest = merit.reduce((most, one) => (one > most ? one : most), 0);
  const flow = new Uint8Array(p * p);
  const supply = uses.slice();
  const demand = uses.slice();
  const potential = new Float64Array(2 * p);
  const distance = new Float64Array(2 * p);
  const from = new Int32Array(2 * p);
  const isDone = new Uint8Array(2 * p);
  const units = uses.reduce((sum, use) => sum + use, 0);
  for (let unit = 0; unit < units; unit++) {
    distance.fill(Number.POSITIVE_INFINITY);
    from.fill(-1);
    isDone.fill(0);
    for (let i = 0; i < p; i++) if (supply[i] > 0) distance[i] = 0;
    let end = -1;
    for (;;) {
      let here = -1;
      for (let v = 0; v < 2 * p; v++) {
        if (isDone[v] === 0 && distance[v] < Number.POSITIVE_INFINITY && (here < 0 || distance[v] < distance[here]))
          here = v;
      }
      if (here < 0) return null;
      isDone[here] = 1;
      if (here >= p && demand[here - p] > 0) {
        end = here;
        break;
      }
      for (let k = 0; k < p; k++) {
        const next = here < p ? p + k : k;
        if (isDone[next] === 1) continue;
        const arc = here < p ? here * p + k : k * p + (here - p);
        if (merit[arc] === Number.NEGATIVE_INFINITY || flow[arc] === (here < p ? 1 : 0)) continue;
        const cost = here < p ? largest - merit[arc] : merit[arc] - largest;
        // Reduced costs are not negative but for rounding.
        const through = distance[here] + Math.max(0, cost + potential[here] - potential[next]);
        if (through < distance[next]) {
          distance[next] = through;
          from[next] = here;
        }
      }
    }
    for (let v = 0; v < 2 * p; v++) potential[v] += Math.min(distance[v], distance[end]);
    demand[end - p]--;
    let v = end;
    for (let u = from[v]; u >= 0; v = u, u = from[v]) {
      if (u < p) flow[u * p + (v - p)] = 1;
      else flow[v * p + (u - p)] = 0;
    }
    supply[v]--;
  }
  return flow;
}

function rangeOf(merit: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const one of merit) {
    if (one === Number.NEGATIVE_INFINITY) continue;
    least = Math.min(least, one);
    most = Math.max(most, one);
  }
  return most > least ? most - least : 1;
}
