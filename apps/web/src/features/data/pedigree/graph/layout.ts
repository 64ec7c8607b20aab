import type { PedigreeIndividual } from '@heterosis/contracts/data/pedigree';
import { type Kin, parentsOf } from './kin.ts';

/** Pixels between neighbours of a row and between rows, at scale 1. */
export const STEP_X = 104;
export const STEP_Y = 96;
/** Size of a box at scale 1. */
export const BOX = { width: 92, height: 26 };

export interface Layout {
  /** Positions of the individuals shown, row after row, from left to right. */
  order: Int32Array;
  /** By place in `order`, in pixels: the middle of the box. */
  x: Float64Array;
  y: Float64Array;
  /** Where each row begins in `order`, and the end. */
  rows: Int32Array;
  /** Place in `order` of each individual; −1 for those not shown. */
  placeOf: Int32Array;
  width: number;
  height: number;
}

/** Sweeps down and up that bring relatives close to each other. */
const SWEEPS = 6;
/** How far a female is drawn to the left of the middle of a couple, and a male to the right, in steps. */
const COUPLE = 0.5;

/**
 * A layered layout: one row a generation, founders on top. The order within rows follows the mean of the neighbours
 * (Sugiyama, Tagawa & Toda 1981), where females are drawn to the left of their progeny and males to the right.
 * Given the order, the places of a row are those closest to the wanted ones in squares with one step between neighbours
 * (pooling of adjacent violators). Parts without a common relative stand side by side, and below each other where the
 * picture would become a ribbon. O(sweeps · n log n).
 */
export function layoutPedigree(kin: Kin, shown: ReadonlySet<number>): Layout {
  const graph = graphOf(kin, shown);
  stackParts(graph);
  const x = startingPlaces(graph);
  const rows = rowsOf(graph);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const row of rows) settleRow(row, x, graph, (i) => wantedBelow(graph, x, i));
    for (const row of rows.toReversed()) settleRow(row, x, graph, (i) => wantedAbove(graph, x, i));
  }
  return placed(graph, rows, x);
}

interface Graph {
  members: Int32Array;
  mother: Int32Array;
  father: Int32Array;
  children: number[][];
  generation: Int32Array;
  /** Number of the connected part of each member. */
  part: Int32Array;
  size: number;
  /** Where a member would like to stand: scratch of a sweep. */
  wanted: Float64Array;
}

/** Members are numbered 0 … n − 1 by generation. */
function graphOf(kin: Kin, shown: ReadonlySet<number>): Graph {
  const chosen = [...shown];
  const depth = generationsAmong(kin, shown);
  const members = Int32Array.from(chosen.sort((a, b) => (depth.get(a) ?? 0) - (depth.get(b) ?? 0) || a - b));
  const numberOf = new Map(Array.from(members, (i, number) => [i, number]));
  const place = (i: number | null | undefined): number => (i == null ? -1 : (numberOf.get(i) ?? -1));
  const one = (i: number): PedigreeIndividual | undefined => kin.individuals[i];
  const mother = members.map((i) => place(one(i)?.maternal));
  const father = members.map((i) => place(one(i)?.paternal));
  const children: number[][] = Array.from(members, () => []);
  for (let i = 0; i < members.length; i++) {
    const [p = -1, q = -1] = [mother[i], father[i]];
    if (p >= 0) children[p]?.push(i);
    if (q >= 0 && q !== p) children[q]?.push(i);
  }
  const graph = {
    ...{ members, mother, father, children, size: members.length },
    generation: Int32Array.from(members, (i) => depth.get(i) ?? 0),
    part: new Int32Array(members.length).fill(-1),
    wanted: new Float64Array(members.length),
  };
  numberParts(graph);
  return graph;
}

/** Longest way down among the individuals shown. */
function generationsAmong(kin: Kin, shown: ReadonlySet<number>): Map<number, number> {
  const depth = new Map<number, number>();
  const ordered = [...shown].sort(
    (a, b) => (kin.individuals[a]?.generation ?? 0) - (kin.individuals[b]?.generation ?? 0),
  );
  for (const i of ordered) {
    let deepest = -1;
    for (const parent of parentsOf(kin, i)) {
      if (shown.has(parent)) deepest = Math.max(deepest, depth.get(parent) ?? 0);
    }
    depth.set(i, deepest + 1);
  }
  return depth;
}

function numberParts({ size, mother, father, children, part }: Graph): void {
  let parts = 0;
  for (let start = 0; start < size; start++) {
    if ((part[start] ?? 0) >= 0) continue;
    const open = [start];
    part[start] = parts;
    while (open.length > 0) {
      const i = open.pop() ?? 0;
      for (const j of [mother[i] ?? -1, father[i] ?? -1, ...(children[i] ?? [])]) {
        if (j < 0 || (part[j] ?? 0) >= 0) continue;
        part[j] = parts;
        open.push(j);
      }
    }
    parts++;
  }
}

/** Width of the picture over its height, in steps, that many small parts are given. */
const SHAPE = 1.3;

/**
 * Moves parts down into bands, by raising the generations of their members, so that the picture gets about the shape of
 * its frame. A band begins with the largest of the parts that are left.
 */
function stackParts({ size, part, generation }: Graph): void {
  const sizes: { number: number; width: number; height: number }[] = [];
  const inRow = new Map<number, number>();
  for (let i = 0; i < size; i++) {
    const number = part[i] ?? 0;
    const row = generation[i] ?? 0;
    const count = (inRow.get(number * size + row) ?? 0) + 1;
    inRow.set(number * size + row, count);
    const one = (sizes[number] ??= { number, width: 0, height: 0 });
    one.width = Math.max(one.width, count);
    one.height = Math.max(one.height, row + 1);
  }
  const area = sizes.reduce((sum, { width, height }) => sum + width * (height + 1), 0);
  const widest = sizes.reduce((most, { width }) => Math.max(most, width), 0);
  const limit = Math.max(widest, Math.ceil(Math.sqrt(area * SHAPE)));
  const offsets = new Int32Array(sizes.length);
  let [filled, top, height] = [0, 0, 0];
  for (const one of sizes.toSorted((a, b) => b.height - a.height || b.width - a.width || a.number - b.number)) {
    if (filled > 0 && filled + one.width > limit) {
      top += height;
      [filled, height] = [0, 0];
    }
    offsets[one.number] = top;
    filled += one.width;
    height = Math.max(height, one.height);
  }
  for (let i = 0; i < size; i++) generation[i] = (generation[i] ?? 0) + (offsets[part[i] ?? 0] ?? 0);
}

function rowsOf({ size, generation }: Graph): number[][] {
  const rows: number[][] = [];
  for (let i = 0; i < size; i++) (rows[generation[i] ?? 0] ??= []).push(i);
  return rows;
}

/** The parts of a band side by side, each as wide as its widest row. */
function startingPlaces(graph: Graph): Float64Array {
  const { size, part, generation } = graph;
  const widths = new Map<number, number>();
  const filled = new Map<number, number>();
  const inRow = new Int32Array(size);
  for (let i = 0; i < size; i++) {
    const key = (part[i] ?? 0) * size + (generation[i] ?? 0);
    inRow[i] = filled.get(key) ?? 0;
    filled.set(key, (inRow[i] ?? 0) + 1);
    widths.set(part[i] ?? 0, Math.max(widths.get(part[i] ?? 0) ?? 0, (inRow[i] ?? 0) + 1));
  }
  const tops = new Map<number, number>();
  for (let i = size - 1; i >= 0; i--) tops.set(part[i] ?? 0, generation[i] ?? 0);
  const offsets = new Map<number, number>();
  const filledTo = new Map<number, number>();
  for (const [number, width] of [...widths].sort(([a], [b]) => a - b)) {
    const top = tops.get(number) ?? 0;
    const offset = filledTo.get(top) ?? 0;
    offsets.set(number, offset);
    filledTo.set(top, offset + width);
  }
  const x = new Float64Array(size);
  for (let i = 0; i < size; i++) x[i] = (offsets.get(part[i] ?? 0) ?? 0) + (inRow[i] ?? 0);
  return x;
}

/** The middle of the parents; where it stands for founders. */
function wantedBelow({ mother, father }: Graph, x: Float64Array, i: number): number {
  const [p = -1, q = -1] = [mother[i], father[i]];
  if (p < 0 && q < 0) return x[i] ?? 0;
  if (p < 0) return x[q] ?? 0;
  if (q < 0) return x[p] ?? 0;
  return ((x[p] ?? 0) + (x[q] ?? 0)) / 2;
}

/** The middle of the progeny, shifted to the side of its sex. */
function wantedAbove({ mother, father, children }: Graph, x: Float64Array, i: number): number {
  const own = children[i] ?? [];
  if (own.length === 0) return x[i] ?? 0;
  let sum = 0;
  for (const child of own) {
    const side = mother[child] === father[child] ? 0 : mother[child] === i ? -COUPLE : COUPLE;
    sum += (x[child] ?? 0) + side;
  }
  return sum / own.length;
}

/** Orders a row by the wanted places and gives it the nearest ones that keep a step between neighbours. */
function settleRow(row: number[], x: Float64Array, graph: Graph, wantedOf: (i: number) => number): void {
  const { wanted, part } = graph;
  for (const i of row) wanted[i] = wantedOf(i);
  row.sort(
    (a, b) => (part[a] ?? 0) - (part[b] ?? 0) || (wanted[a] ?? 0) - (wanted[b] ?? 0) || (x[a] ?? 0) - (x[b] ?? 0),
  );
  // With z_k = wanted_k − k the condition is z ascending: blocks of violators take their mean.
  const sums: number[] = [];
  const counts: number[] = [];
  for (const [k, i] of row.entries()) {
    sums.push((wanted[i] ?? 0) - k);
    counts.push(1);
    while (sums.length > 1) {
      const last = sums.length - 1;
      const mean = (at: number): number => (sums[at] ?? 0) / (counts[at] ?? 1);
      if (mean(last - 1) <= mean(last)) break;
      sums[last - 1] = (sums[last - 1] ?? 0) + (sums.pop() ?? 0);
      counts[last - 1] = (counts[last - 1] ?? 0) + (counts.pop() ?? 0);
    }
  }
  let k = 0;
  for (const [block, count] of counts.entries()) {
    const base = (sums[block] ?? 0) / count;
    const end = k + count;
    for (; k < end; k++) x[row[k] ?? 0] = base + k;
  }
}

function placed({ members, size }: Graph, rows: readonly number[][], x: Float64Array): Layout {
  const order = new Int32Array(size);
  const outX = new Float64Array(size);
  const outY = new Float64Array(size);
  const starts = new Int32Array(rows.length + 1);
  const placeOf = new Int32Array(members.reduce((most, i) => Math.max(most, i + 1), 0)).fill(-1);
  const left = x.reduce((least, value) => Math.min(least, value), Infinity);
  const right = x.reduce((most, value) => Math.max(most, value), -Infinity);
  let at = 0;
  for (const [row, members_] of rows.entries()) {
    starts[row] = at;
    for (const number of members_) {
      order[at] = members[number] ?? 0;
      placeOf[order[at] ?? 0] = at;
      outX[at] = ((x[number] ?? 0) - left + 0.5) * STEP_X;
      outY[at] = (row + 0.5) * STEP_Y;
      at++;
    }
  }
  starts[rows.length] = at;
  return {
    ...{ order, x: outX, y: outY, rows: starts, placeOf },
    width: size === 0 ? 0 : (right - left + 1) * STEP_X,
    height: rows.length * STEP_Y,
  };
}

/** The place in `order` whose box contains a point, or −1. O(log n). */
export function placeAt({ rows, x }: Layout, pointX: number, pointY: number): number {
  const row = Math.floor(pointY / STEP_Y);
  if (row < 0 || row >= rows.length - 1 || Math.abs(pointY - (row + 0.5) * STEP_Y) > BOX.height / 2 + 4) return -1;
  const at = firstAfter(x, rows[row] ?? 0, rows[row + 1] ?? 0, pointX - BOX.width / 2 - 4);
  return at < (rows[row + 1] ?? 0) && Math.abs((x[at] ?? 0) - pointX) <= BOX.width / 2 + 4 ? at : -1;
}

/** First place of a row, `from` … `to` − 1, that is not left of `value`; `to` when there is none. */
export function firstAfter(x: Float64Array, from: number, to: number, value: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((x[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
