import { describe, expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { expectedGains, type IndexInformation, indexWeights, informationOf } from './selection-index.ts';

/** P = G + E of three traits, of phenotypes as the information. */
const INFORMATION: IndexInformation = {
  covariance: Float64Array.of(10, 3, -1, 3, 8, 2, -1, 2, 6),
  withTraits: Float64Array.of(4, 1.5, -0.8, 1.5, 3, 0.5, -0.8, 0.5, 2),
};

describe('a selection index', () => {
  test('of two traits has the weights worked out by hand', () => {
    // P = [4 1; 1 2], G = [2 0.5; 0.5 1], a = (1, 2): Ga = (3, 2.5), P⁻¹ = [2 −1; −1 4]/7, b = (3.5, 7)/7.
    const two = { covariance: Float64Array.of(4, 1, 1, 2), withTraits: Float64Array.of(2, 0.5, 0.5, 1) };
    const b = indexWeights(two, { method: 'smith_hazel', weights: Float64Array.of(1, 2) });
    expect(b[0]).toBeCloseTo(0.5, 12);
    expect(b[1]).toBeCloseTo(1, 12);
    // b'Pb = 1 + 1 + 2 = 4, G'b = (1.5, 1.25): gains (0.75, 0.625) per unit of intensity.
    const { gains, sd } = expectedGains(two, b);
    expect(sd).toBeCloseTo(2, 12);
    expect(gains[0]).toBeCloseTo(0.75, 12);
    expect(gains[1]).toBeCloseTo(0.625, 12);
    expect([...indexWeights(two, { method: 'base', weights: Float64Array.of(1, 2) })]).toEqual([1, 2]);
  });

  test('by Smith and Hazel gains more of the aggregate than any other weights', () => {
    const weights = Float64Array.of(1, 0.5, 2);
    const gainOf = (b: Float64Array) =>
      expectedGains(INFORMATION, b).gains.reduce((sum, gain, t) => sum + gain * weights[t], 0);
    const best = gainOf(indexWeights(INFORMATION, { method: 'smith_hazel', weights }));
    const random = createRandomStream(1);
    for (let k = 0; k < 300; k++)
      expect(gainOf(Float64Array.from({ length: 3 }, () => random.normal()))).toBeLessThanOrEqual(best + 1e-12);
  });

  test('of desired gains changes the traits in their proportion', () => {
    const wanted = Float64Array.of(1, -0.5, 0.25);
    const b = indexWeights(INFORMATION, { method: 'desired_gains', weights: wanted });
    const { gains } = expectedGains(INFORMATION, b);
    expect(gains[1] / gains[0]).toBeCloseTo(-0.5, 10);
    expect(gains[2] / gains[0]).toBeCloseTo(0.25, 10);
    expect(gains[0]).toBeGreaterThan(0);
  });

  test('that is restricted keeps a trait, and gains more than other indices that keep it', () => {
    const weights = Float64Array.of(1, 1, 1);
    const isKept = Uint8Array.of(0, 1, 0);
    const b = indexWeights(INFORMATION, { method: 'restricted', weights, isKept });
    const best = expectedGains(INFORMATION, b).gains;
    expect(best[1]).toBeCloseTo(0, 12);
    const gainOf = (gains: Float64Array) => gains[0] + gains[1] + gains[2];
    const random = createRandomStream(2);
    for (let k = 0; k < 300; k++) {
      // Weights orthogonal to the column of G of the trait.
      const [x, z] = [random.normal(), random.normal()];
      const other = Float64Array.of(x, -(1.5 * x + 0.5 * z) / 3, z);
      const { gains } = expectedGains(INFORMATION, other);
      expect(gains[1]).toBeCloseTo(0, 12);
      expect(gainOf(gains)).toBeLessThanOrEqual(gainOf(best) + 1e-12);
    }
  });

  test('does not depend on the unit of a trait', () => {
    const units = [1, 1000, 0.01];
    const scaled: IndexInformation = {
      covariance: INFORMATION.covariance.map((one, at) => one * units[Math.floor(at / 3)] * units[at % 3]),
      withTraits: INFORMATION.withTraits.map((one, at) => one * units[Math.floor(at / 3)] * units[at % 3]),
    };
    for (const method of ['base', 'smith_hazel', 'restricted'] as const) {
      const isKept = Uint8Array.of(0, 0, 1);
      const one = indexWeights(INFORMATION, { method, weights: Float64Array.of(1, 2, 3), isKept });
      const weights = Float64Array.from([1, 2, 3], (a, t) => a / units[t]);
      const other = indexWeights(scaled, { method, weights, isKept });
      const gains = expectedGains(scaled, other).gains.map((gain, t) => gain / units[t]);
      expectedGains(INFORMATION, one).gains.forEach((gain, t) => {
        expect(gains[t]).toBeCloseTo(gain, 9);
      });
    }
  });

  test('refuses traits that say the same', () => {
    const same = { covariance: Float64Array.of(2, 2, 2, 2), withTraits: Float64Array.of(1, 1, 1, 1) };
    expect(() => indexWeights(same, { method: 'smith_hazel', weights: Float64Array.of(1, 1) })).toThrow('say the same');
  });

  test('of equally accurate breeding values is the base index, and trusts the more accurate trait more', () => {
    const random = createRandomStream(3);
    const predicted = new Float64Array(400);
    for (let i = 0; i < 200; i++) {
      const shared = random.normal();
      predicted[2 * i] = shared + random.normal();
      predicted[2 * i + 1] = shared + random.normal();
    }
    const weights = Float64Array.of(1, 1);
    const equal = informationOf(predicted, 2, Float64Array.of(0.7, 0.7));
    for (const b of indexWeights(equal, { method: 'smith_hazel', weights })) expect(b).toBeCloseTo(1, 10);
    const unequal = informationOf(predicted, 2, Float64Array.of(0.9, 0.3));
    const b = indexWeights(unequal, { method: 'smith_hazel', weights });
    expect(b[0]).toBeGreaterThan(b[1]);
  });
});
