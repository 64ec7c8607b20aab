import { describe, expect, test } from 'vitest';
import { looksLikeCode } from './looks-like-code.ts';

describe('looksLikeCode', () => {
  test('finds families that are numbered', () => {
    const families = Array.from({ length: 400 }, (_, i) => 2 + (i % 39));
    expect(looksLikeCode([...families, Number.NaN])).toEqual({ levels: 39, n: 400 });
  });

  test('passes measurements, also those rounded to whole numbers', () => {
    expect(looksLikeCode(Array.from({ length: 300 }, (_, i) => 1.5 * (i % 7)))).toBeNull();
    expect(looksLikeCode(Array.from({ length: 300 }, (_, i) => 3000 + ((i * 37) % 150)))).toBeNull();
  });

  test('passes two values, which mean the same as a number and as groups', () => {
    expect(looksLikeCode(Array.from({ length: 100 }, (_, i) => i % 2))).toBeNull();
  });

  test('passes names of individuals and columns without values', () => {
    expect(looksLikeCode(Array.from({ length: 100 }, (_, i) => i))).toBeNull();
    expect(looksLikeCode([Number.NaN, Number.NaN])).toBeNull();
    expect(looksLikeCode([])).toBeNull();
  });

  test('neither order nor the numbers of the codes matter', () => {
    const codes = Array.from({ length: 60 }, (_, i) => (i * i) % 11);
    const found = looksLikeCode(codes);
    expect(found).not.toBeNull();
    expect(looksLikeCode(codes.toReversed())).toEqual(found);
    expect(looksLikeCode(codes.map((code) => 1000 - 13 * code))).toEqual(found);
  });
});
