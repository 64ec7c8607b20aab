import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hardyWeinbergTest } from './hardy-weinberg.ts';
import { plainHardyWeinberg } from './plain-hardy-weinberg.test-data.ts';

const p = (...counts: [number, number, number]): number => hardyWeinbergTest(...counts).p;

test('a published example', () => {
  // MN blood groups, Graffelman 2015 (J Stat Softw 64(3)), HWExact of the R package HardyWeinberg.
  expect(p(489, 298, 213)).toBeCloseTo(0.6556635, 6);
});

test('every table of up to 24 individuals equals the sum over all tables', () => {
  for (let n = 0; n <= 24; n++) {
    for (let het = 0; het <= n; het++) {
      for (let one = 0; one + het <= n; one++) {
        const exact = plainHardyWeinberg(het, one, n - het - one);
        expect(Math.abs(p(het, one, n - het - one) / exact - 1), `${het} ${one} ${n}`).toBeLessThan(1e-12);
      }
    }
  }
});

test('larger tables equal the sum over all tables, down to probabilities beyond the range of a double', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 700 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (n, first, second) => {
        const het = Math.round(n * first);
        const one = Math.round((n - het) * second);
        const exact = plainHardyWeinberg(het, one, n - het - one);
        const found = hardyWeinbergTest(het, one, n - het - one);
        expect(Math.abs(found.p - exact) / exact).toBeLessThan(1e-12);
        expect(Math.abs(found.negLog10P + Math.log10(exact))).toBeLessThan(1e-12 * Math.max(1, found.negLog10P));
      },
    ),
    { seed: 1, numRuns: someOf(150) },
  );
  // 3,000 inbred lines, half of each homozygote: C(3000, 1500)·3000!²…/6000!… is 10^−903.
  const inbred = hardyWeinbergTest(0, 1500, 1500);
  expect(inbred.p).toBe(0);
  let log = 0;
  // P(0) = n!/(1500!)² / [(2n)!/((n!)²)], the number of ways to share the alleles.
  for (let k = 1; k <= 1500; k++) log += Math.log10((1500 + k) / k);
  for (let k = 1; k <= 3000; k++) log -= Math.log10((3000 + k) / k);
  expect(Math.abs(inbred.negLog10P + log)).toBeLessThan(1e-9);
  // All heterozygous: 2^n n!² / (2n)!; only the outcome without heterozygotes is less probable.
  const all = hardyWeinbergTest(2000, 0, 0);
  let expected = 2000 * Math.log10(2);
  for (let k = 1; k <= 2000; k++) expected -= Math.log10((2000 + k) / k);
  let none = 1;
  for (let k = 1; k <= 1000; k++) none *= (2 * k - 1) / (2 * k);
  expect(Math.abs(all.negLog10P + expected + Math.log10(1 + none))).toBeLessThan(1e-9);
});

test('monomorphic markers and markers without calls say nothing, and exchanged alleles the same', () => {
  const counts: [number, number, number][] = [
    [0, 0, 0],
    [0, 7, 0],
    [0, 0, 9],
    [1, 0, 8],
  ];
  for (const one of counts) expect(hardyWeinbergTest(...one)).toEqual({ p: 1, negLog10P: 0 });
  expect(hardyWeinbergTest(30, 11, 90)).toEqual(hardyWeinbergTest(30, 90, 11));
});

test('counts that cannot be are refused', () => {
  expect(() => p(-1, 2, 3)).toThrow(expect.objectContaining({ code: 'bad-option' }));
  expect(() => p(0.5, 2, 3)).toThrow(expect.objectContaining({ code: 'bad-option' }));
});
