import type { Matrix } from '@heterosis/statgen/linear-algebra';

/** Two groups of environments that are joined: numbers below e are environments, e + i is the i-th joining. */
export interface Joining {
  left: number;
  right: number;
  height: number;
}

/**
 * Average linkage (Sokal & Michener 1958) of environments by 1 − their genetic correlation; where that is not defined,
 * by 1. O(e³).
 *
 * @param correlations e × e
 * @returns environments in the order of the tree, so that groups stand together, and its joinings in order of height
 */
export function clusterEnvironments({ rows: e, data }: Matrix): { order: number[]; tree: Joining[] } {
  const distance = (a: number, b: number): number => {
    const correlation = data[a + b * e] ?? Number.NaN;
    return Number.isFinite(correlation) ? 1 - correlation : 1;
  };
  const tree: Joining[] = [];
  let groups = Array.from({ length: e }, (_, j) => ({ id: j, members: [j] }));
  // Mean distances between groups, kept by their ids.
  const between = new Map<number, Map<number, number>>(
    groups.map(({ id }) => [id, new Map(groups.map((other) => [other.id, distance(id, other.id)]))]),
  );
  const meanOf = (a: number, b: number): number => between.get(a)?.get(b) ?? 1;
  while (groups.length > 1) {
    let best = { height: Number.POSITIVE_INFINITY, i: 0, j: 1 };
    for (let i = 0; i < groups.length; i++) {
      for (let j = i + 1; j < groups.length; j++) {
        const height = meanOf(groups[i]?.id ?? 0, groups[j]?.id ?? 0);
        if (height < best.height) best = { height, i, j };
      }
    }
    const [left, right] = [groups[best.i], groups[best.j]];
    if (left === undefined || right === undefined) break;
    const joined = { id: e + tree.length, members: [...left.members, ...right.members] };
    tree.push({ left: left.id, right: right.id, height: best.height });
    groups = groups.filter((group) => group !== left && group !== right);
    const own = new Map<number, number>();
    for (const { id } of groups) {
      const sum = meanOf(left.id, id) * left.members.length + meanOf(right.id, id) * right.members.length;
      own.set(id, sum / joined.members.length);
      between.get(id)?.set(joined.id, own.get(id) ?? 1);
    }
    between.set(joined.id, own);
    groups.push(joined);
  }
  return { order: groups[0]?.members ?? [], tree };
}
