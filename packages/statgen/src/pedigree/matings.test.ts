import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matingsOf } from './matings.ts';
import { createPedigree } from './pedigree.ts';

/** One child of each pair of founders. */
function matingsOfPairs(founders: number, pairs: readonly (readonly [number, number])[]) {
  const parents = (side: 0 | 1) =>
    Int32Array.from([...Array.from({ length: founders }, () => -1), ...pairs.map((pair) => pair[side])]);
  return matingsOf(createPedigree({ maternal: parents(0), paternal: parents(1) }));
}

/** From how many parents walks go. */
const keysOf = ({ parents, starts }: ReturnType<typeof matingsOf>): number =>
  Array.from(parents.keys()).filter((k) => starts[k]! < starts[k + 1]!).length;

test('every pair of parents is walked to once, from one of the two', () => {
  const founders = 12;
  const parent = fc.nat(founders - 1);
  fc.assert(
    fc.property(fc.array(fc.tuple(parent, parent), { maxLength: 40 }), (given) => {
      const { parents, starts, mates } = matingsOfPairs(founders, given);
      const walked = Array.from(parents.keys()).flatMap((k) =>
        Array.from(mates.subarray(starts[k]!, starts[k + 1]!), (mate) => [parents[k]!, parents[mate]!]),
      );
      const named = (pairs: readonly (readonly number[])[]) =>
        pairs.map((pair) => [...pair].sort((a, b) => a - b).join(' × ')).sort();
      const different = given.filter(([a, b]) => a !== b);
      expect(named(walked)).toEqual([...new Set(named(different))].sort());
    }),
  );
});

test('walks go from the fewest parents where pairs form no circle', () => {
  const chain = Array.from({ length: 9 }, (_, k): [number, number] => [k, k + 1]);
  expect(keysOf(matingsOfPairs(10, chain))).toBe(5);
  const topcross = Array.from({ length: 9 }, (_, k): [number, number] => [k + 1, 0]);
  expect(keysOf(matingsOfPairs(10, topcross))).toBe(1);
  // Two testers that have a mate in common.
  const testers = Array.from({ length: 8 }, (_, k): [number, number] => [k + 2, k < 4 ? 0 : 1]);
  expect(keysOf(matingsOfPairs(10, [...testers, [2, 1]]))).toBe(2);
});
