import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { agreementOfSums, chainAgreement } from './chain-diagnostics.ts';

/** Draws with correlation ρ between neighbours. */
function autoregressive(chains: number, { length, rho, shift = 0 }: { length: number; rho: number; shift?: number }) {
  return Array.from({ length: chains }, (_, chain) => {
    const random = createRandomStream(4, chain, String(rho));
    let value = random.normal();
    return Array.from({ length }, () => {
      value = rho * value + Math.sqrt(1 - rho * rho) * random.normal();
      return value + shift * chain;
    });
  });
}

test.for([0, 0.5, 0.9])('draws with a correlation of %s tell as much as (1 − ρ)/(1 + ρ) of them', (rho) => {
  const found = chainAgreement(autoregressive(3, { length: 20_000, rho }));
  const expected = (60_000 * (1 - rho)) / (1 + rho);
  expect(Math.abs(found.effectiveSize / expected - 1)).toBeLessThan(0.1);
  expect(found.rHat).toBeLessThan(1.01);
  expect(found.sd).toBeCloseTo(1, 1);
  expect(Math.abs(found.mean)).toBeLessThan(4 * found.monteCarloError);
});

test('chains that stand apart, or drift, have not met', () => {
  expect(chainAgreement(autoregressive(2, { length: 2000, rho: 0, shift: 1 })).rHat).toBeGreaterThan(1.1);
  const [one = []] = autoregressive(1, { length: 2000, rho: 0 });
  expect(chainAgreement([one.map((value, t) => value + t / 500)]).rHat).toBeGreaterThan(1.1);
  expect(chainAgreement([[1, 1, 1, 1]])).toMatchObject({ rHat: 1, mean: 1 });
  expect(() => chainAgreement([[1, 2]])).toThrow(RangeError);
});

test('sums of whole chains tell R̂ by individual', () => {
  const chain = (mean: number) => ({
    sum: Float64Array.of(10, 10 * mean),
    square: Float64Array.of(20, 10 * (1 + mean ** 2)),
    draws: 10,
  });
  const [same, apart] = agreementOfSums([chain(0), chain(2)]);
  expect(same).toBe(1);
  expect(apart).toBeCloseTo(Math.sqrt(3), 12);
});
