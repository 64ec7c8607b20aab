import { expect, test } from 'vitest';
import { createTrigramIndex, trigramSimilarity } from './trigram-index.ts';

test('a name is suggested from a similarity of 0.57 on', () => {
  // 4 of 7 trigrams, and 5 of 9.
  expect(trigramSimilarity('abcd', 'abcde')).toBeCloseTo(4 / 7, 12);
  expect(trigramSimilarity('abcdef', 'abcdeg')).toBeCloseTo(5 / 9, 12);
  const index = createTrigramIndex(['abcde', 'abcdeg']);
  expect(index.nearest('abcd', 5)).toEqual([{ name: 'abcde', similarity: 4 / 7 }]);
  expect(createTrigramIndex(['abcdeg']).nearest('abcdef', 5)).toEqual([]);
});
