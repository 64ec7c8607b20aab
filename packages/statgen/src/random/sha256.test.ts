import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256Words } from './sha256.ts';

test('equals the digest of Node for texts of every length around its blocks, and beyond ASCII', () => {
  const texts = [
    ...Array.from({ length: 200 }, (_, length) => 'heterosis '.repeat(20).slice(0, length)),
    'Weizen für Köln 😀',
    '\ud800',
    'x'.repeat(100_000),
  ];
  for (const text of texts) {
    const digest = createHash('sha256').update(text).digest();
    expect([...sha256Words(text)], text.slice(0, 20)).toEqual(
      Array.from({ length: 8 }, (_, k) => digest.readInt32BE(4 * k)),
    );
  }
});
