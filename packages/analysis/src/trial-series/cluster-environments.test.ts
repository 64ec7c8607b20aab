import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { expect, test } from 'vitest';
import { clusterEnvironments } from './cluster-environments.ts';

/** Symmetric, with ones on the diagonal; some correlations are not defined. */
function correlations(e: number, name: string): Float64Array {
  const random = createRandomStream(17, name);
  const data = new Float64Array(e * e).fill(1);
  for (let i = 0; i < e; i++)
    for (let j = 0; j < i; j++) {
      const value = random.uniform() < 0.1 ? Number.NaN : 2 * random.uniform() - 1;
      data[i + j * e] = value;
      data[j + i * e] = value;
    }
  return data;
}

/** By the definition: in each step all groups are compared by the mean distance of all pairs of their members. */
function byDefinition(e: number, data: Float64Array): { members: number[][]; heights: number[] } {
  const distance = (a: number, b: number): number => {
    const correlation = data[a + b * e] ?? Number.NaN;
    return Number.isNaN(correlation) ? 1 : 1 - correlation;
  };
  let groups = Array.from({ length: e }, (_, j) => [j]);
  const members: number[][] = [];
  const heights: number[] = [];
  while (groups.length > 1) {
    const pairs = groups.flatMap((one, i) => groups.slice(i + 1).map((other) => [one, other] as const));
    const meanOf = ([one, other]: readonly [number[], number[]]): number =>
      one.reduce((sum, a) => sum + other.reduce((inner, b) => inner + distance(a, b), 0), 0) /
      (one.length * other.length);
    const [nearest] = pairs.toSorted((one, other) => meanOf(one) - meanOf(other));
    if (nearest === undefined) break;
    heights.push(meanOf(nearest));
    const joined = [...nearest[0], ...nearest[1]];
    members.push(joined.toSorted((a, b) => a - b));
    groups = [...groups.filter((group) => !nearest.includes(group)), joined];
  }
  return { members, heights };
}

test.each([1, 2, 3, 5, 9, 16])('%i environments are joined as the definition of average linkage says', (e) => {
  const data = correlations(e, `environments ${e}`);
  const { order, tree } = clusterEnvironments({ rows: e, columns: e, data });
  const expected = byDefinition(e, data);
  expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: e }, (_, j) => j));
  const groups: number[][] = Array.from({ length: e }, (_, j) => [j]);
  for (const [step, { left, right, height }] of tree.entries()) {
    const joined = [...(groups[left] ?? []), ...(groups[right] ?? [])];
    groups.push(joined);
    expect(joined.toSorted((a, b) => a - b)).toEqual(expected.members[step]);
    // Sums of the same distances in another order.
    expect(height).toBeCloseTo(expected.heights[step] ?? Number.NaN, 12);
    // A group stands together, so that no branches cross.
    const places = joined.map((member) => order.indexOf(member));
    expect(Math.max(...places) - Math.min(...places)).toBe(joined.length - 1);
  }
  expect(tree).toHaveLength(Math.max(0, e - 1));
});

test('heights never fall: a group is joined after those in it', () => {
  for (let seed = 0; seed < 20; seed++) {
    const { tree } = clusterEnvironments({ rows: 12, columns: 12, data: correlations(12, `tree ${seed}`) });
    for (const [step, { height }] of tree.entries())
      expect(height).toBeGreaterThanOrEqual((tree[step - 1]?.height ?? Number.NEGATIVE_INFINITY) - 1e-12);
  }
});
