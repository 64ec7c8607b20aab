import { multiplyVector } from '@heterosis/linalg/products';
import { expect, test } from 'vitest';
import { createRandomStream } from '../../random/random-stream.ts';
import { prepareGwas } from '../prepare-gwas.ts';
import { NO_FILTER, smallAssociation } from '../small-association.test-data.ts';
import { createMarkerTester } from '../test-markers.ts';
import { createPermutationScan, permutationThreshold } from './permutation-scan.ts';

const WORLD = smallAssociation(90, 60, 1);
const OPTIONS = { panelSize: WORLD.n, filter: NO_FILTER, permutations: 199, seed: 5 } as const;
const TESTS = ['SCORE', 'WALD', 'LRT'] as const;
const nullOf = (y: Float64Array) => prepareGwas({ kinship: WORLD.kinship, traits: [y], principalComponents: 2 });

test('the largest statistics are those of each permuted trait analysed by itself, its variances estimated anew', () => {
  const state = nullOf(WORLD.y);
  const scan = createPermutationScan(state, { ...OPTIONS, tests: TESTS });
  scan.add(WORLD.packed, WORLD.count);
  const [found] = scan.finish();
  const [{ rotated, scoreH2 }] = state.traits;
  const deviations = state.contrastEigenvalues.map((d) => Math.sqrt(1 + scoreH2 * (d - 1)));
  const basis = { rows: WORLD.n, columns: deviations.length, data: state.basis };
  for (const b of [0, 1, 77, 198]) {
    const order = createRandomStream(5, 'permutation', b).shuffle(rotated.map((_, i) => i));
    const permuted = deviations.map((deviation, i) => (rotated[order[i]] / deviations[order[i]]) * deviation);
    const alone = nullOf(multiplyVector(basis, permuted));
    const tested = createMarkerTester(alone, { ...OPTIONS, tests: TESTS }).test(WORLD.packed, WORLD.count);
    for (const test of TESTS) {
      const largest = Math.max(...(tested.traits[0][test]?.statistic ?? []));
      expect((found[test]?.[b] ?? 0) / largest, test).toBeCloseTo(1, 8);
    }
  }
});

test('few individuals: no search that the screening leaves out would have found a larger statistic', () => {
  const small = smallAssociation(40, 60, 3);
  const state = prepareGwas({ kinship: small.kinship, traits: [small.y], principalComponents: 0 });
  const largestOf = (options: { screenedShare?: number }) => {
    const scan = createPermutationScan(state, { ...OPTIONS, panelSize: 40, tests: ['WALD', 'LRT'], ...options });
    scan.add(small.packed, small.count);
    return scan.finish()[0];
  };
  const [screened, every] = [largestOf({}), largestOf({ screenedShare: 0 })];
  for (const test of ['WALD', 'LRT'] as const) {
    for (const [b, largest] of (every[test] ?? []).entries()) {
      expect((screened[test]?.[b] ?? 0) / largest).toBeCloseTo(1, 10);
    }
  }
});

test('neither the scale of the trait nor the division of the markers into blocks changes a statistic; the seed does', () => {
  const statisticsOf = (y: Float64Array, seed: number, cut: number) => {
    const scan = createPermutationScan(nullOf(y), { ...OPTIONS, seed, tests: TESTS });
    const stride = (WORLD.n + 3) >> 2;
    scan.add(WORLD.packed.subarray(0, cut * stride), cut);
    scan.add(WORLD.packed.subarray(cut * stride), WORLD.count - cut);
    return scan.finish()[0];
  };
  const plain = statisticsOf(WORLD.y, 5, 10);
  const other = statisticsOf(
    WORLD.y.map((value) => 100 - 1000 * value),
    5,
    33,
  );
  for (const name of TESTS) {
    for (const [b, largest] of (plain[name] ?? []).entries()) expect(other[name]?.[b]).toBeCloseTo(largest, 6);
  }
  expect(statisticsOf(WORLD.y, 6, 10).LRT).not.toEqual(plain.LRT);
});

test('of 19 permutations the largest is the threshold of 5 %, of 99 the fifth, of 1,000 the fiftieth', () => {
  const rank = (count: number): number => {
    const statistics = Float64Array.from({ length: count }, (_, b) => b + 1);
    return count - permutationThreshold(statistics.reverse()) + 1;
  };
  expect([19, 99, 199, 1000].map(rank)).toEqual([1, 5, 10, 50]);
});

test('statistics of other markers with the same permutations are kept where they are larger', () => {
  const state = nullOf(WORLD.y);
  const stride = (WORLD.n + 3) >> 2;
  const options = { ...OPTIONS, tests: TESTS };
  const whole = createPermutationScan(state, options);
  whole.add(WORLD.packed, WORLD.count);
  const first = createPermutationScan(state, options);
  first.add(WORLD.packed.subarray(0, 20 * stride), 20);
  const second = createPermutationScan(state, { ...options, before: first.finish() });
  second.add(WORLD.packed.subarray(20 * stride), WORLD.count - 20);
  for (const test of TESTS) {
    for (const [b, largest] of (whole.finish()[0][test] ?? []).entries()) {
      expect((second.finish()[0][test]?.[b] ?? 0) / largest).toBeCloseTo(1, 8);
    }
  }
});

test('too few permutations are refused', () => {
  const state = nullOf(WORLD.y);
  expect(() => createPermutationScan(state, { ...OPTIONS, permutations: 18, tests: ['LRT'] })).toThrow(
    expect.objectContaining({ code: 'bad-option' }),
  );
});
