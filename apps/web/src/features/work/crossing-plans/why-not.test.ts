import { expect, test } from 'vitest';
import { mateFor, relationshipOf, whyNot } from './why-not.ts';

// A and B are parents; C is better than B but close to A, D is worse than both, E has a share below one cross.
const tables = {
  candidates: ['A', 'B', 'C', 'D', 'E', 'F'],
  traits: ['yield'],
  values: new Float64Array(6),
  relationship: Float64Array.of(2, 0.1, 2, 1.2, 0.3, 2, 0, 0, 0, 2, 0.1, 0.2, 0, 0, 2, 0, 0, 0, 0, 0, 2),
  covariances: null,
};
const plan = { uses: Int32Array.of(1, 1, 0, 0, 0, 0), contributions: Float64Array.of(0.5, 0.4, 0, 0, 0.1, 0) };
const value = Float64Array.of(5, 3, 4, 1, 3.5, 6);

test('a candidate that is no parent says why', () => {
  const why = whyNot(tables, { value, plan: plan as unknown as Parameters<typeof whyNot>[1]['plan'] }, new Set(['F']));
  expect([0, 1].map(why)).toEqual([undefined, undefined]);
  expect(why(2)).toEqual({ reason: 'related', with: 'A' });
  expect(why(3)).toEqual({ reason: 'low-index' });
  expect(why(4)).toEqual({ reason: 'small-share' });
  expect(why(5)).toEqual({ reason: 'excluded' });
});

test('who is brought in is crossed with the parent least related to it', () => {
  expect(relationshipOf(tables, 0, 2)).toBe(1.2);
  expect(relationshipOf(tables, 2, 0)).toBe(1.2);
  expect(mateFor(tables, 2, [0, 1])).toBe(1);
  expect(mateFor(tables, 0, [0])).toBeUndefined();
});
