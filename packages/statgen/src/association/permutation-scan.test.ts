import { multiplyVector } from '@heterosis/linalg/products';
import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { createPermutationScan, permutationThreshold } from './permutation-scan.ts';
import { prepareGwas } from './prepare-gwas.ts';
import { columnOf, NO_FILTER, smallAssociation } from './small-association.test-data.ts';
import { createMarkerTester } from './test-markers.ts';

const WORLD = smallAssociation(90, 60, 1);
const OPTIONS = { panelSize: WORLD.n, filter: NO_FILTER, permutations: 199, seed: 5 } as const;
const TESTS = ['SCORE', 'WALD', 'LRT'] as const;
const nullOf = (y: Float64Array) => prepareGwas({ kinship: WORLD.kinship, traits: [y], principalComponents: 2 });

test('the largest shares are those of generalised least squares on each permuted trait', () => {
  const state = nullOf(WORLD.y);
  const scan = createPermutationScan(state, { ...OPTIONS, tests: ['LRT'] });
  scan.add(WORLD.packed, WORLD.count);
  const [{ LRT: shares }] = scan.finish();
  const [model] = state.traits;
  const order = state.contrastEigenvalues.length;
  const deviation = state.contrastEigenvalues.map((d) => Math.sqrt(1 + model.mlH2 * (d - 1)));
  const residual = model.rotated.map((value, i) => value / deviation[i]);
  const basis = { rows: WORLD.n, columns: order, data: state.basis };
  for (const b of [0, 1, 77, 198]) {
    const permuted = createRandomStream(5, 'permutation', b).shuffle(residual.slice());
    let largest = 0;
    for (let j = 0; j < WORLD.count; j++) {
      const g = multiplyVector(basis, columnOf(WORLD.centred, j), { transposeA: true }).map((x, i) => x / deviation[i]);
      const dot = (a: Float64Array, c: Float64Array): number => a.reduce((sum, value, i) => sum + value * c[i], 0);
      largest = Math.max(largest, dot(g, permuted) ** 2 / (dot(g, g) * dot(permuted, permuted)));
    }
    expect(shares?.[b]).toBeCloseTo(largest, 12);
  }
});

test('neither the scale of the trait nor the division of the markers into blocks changes a share; the seed does', () => {
  const sharesOf = (y: Float64Array, seed: number, cut: number) => {
    const scan = createPermutationScan(nullOf(y), { ...OPTIONS, seed, tests: TESTS });
    const stride = (WORLD.n + 3) >> 2;
    scan.add(WORLD.packed.subarray(0, cut * stride), cut);
    scan.add(WORLD.packed.subarray(cut * stride), WORLD.count - cut);
    return scan.finish()[0];
  };
  const plain = sharesOf(WORLD.y, 5, 10);
  const other = sharesOf(
    WORLD.y.map((value) => 100 - 1000 * value),
    5,
    33,
  );
  for (const name of TESTS) {
    for (const [b, share] of (plain[name] ?? []).entries()) expect(other[name]?.[b]).toBeCloseTo(share, 7);
  }
  expect(sharesOf(WORLD.y, 6, 10).LRT).not.toEqual(plain.LRT);
});

test('the share of the trait as it is gives the statistics of the tests at the variances of the null model', () => {
  const state = nullOf(WORLD.y);
  const { SCORE: score } = createMarkerTester(state, { ...OPTIONS, tests: ['SCORE'] }).test(WORLD.packed, WORLD.count)
    .traits[0];
  if (score === undefined) throw new TypeError('no test');
  const order = state.contrastEigenvalues.length;
  // With one share the threshold is that share, converted.
  const convert = (share: number, name: (typeof TESTS)[number]): number =>
    permutationThreshold(new Float64Array(19).fill(share), name, { n: WORLD.n, order });
  for (const statistic of score.statistic.slice(0, 5)) {
    const share = statistic / order;
    expect(convert(share, 'SCORE')).toBeCloseTo(statistic, 12);
    const residual = (order - statistic) / (order - 1);
    expect(convert(share, 'WALD')).toBeCloseTo(statistic / residual, 10);
    expect(convert(share, 'LRT')).toBeCloseTo(WORLD.n * Math.log(order / (order - statistic)), 10);
  }
});

test('of 19 permutations the largest is the threshold of 5 %, of 99 the fifth, of 1,000 the fiftieth', () => {
  const rank = (count: number): number => {
    const shares = Float64Array.from({ length: count }, (_, b) => (b + 1) / (2 * count));
    const found = permutationThreshold(shares.reverse(), 'SCORE', { n: 10, order: 1 });
    return count - Math.round(found * 2 * count) + 1;
  };
  expect([19, 99, 199, 1000].map(rank)).toEqual([1, 5, 10, 50]);
});

test('without effects some 5 % of the traits have a marker beyond their threshold, with a kinship or without', () => {
  const random = createRandomStream(9, 'null traits');
  // 400 traits: 5 % is 20, with a standard deviation of 4.4.
  const traits = Array.from({ length: 400 }, (_, t) => {
    const noise = Float64Array.from({ length: WORLD.n }, () => random.normal());
    const effects = Float64Array.from({ length: WORLD.count }, () => (t % 2 === 0 ? 0 : 0.15 * random.normal()));
    return multiplyVector(WORLD.centred, effects).map((value, i) => value + noise[i]);
  });
  const state = prepareGwas({ kinship: WORLD.kinship, traits, principalComponents: 0 });
  const scan = createPermutationScan(state, { ...OPTIONS, tests: ['SCORE'] });
  scan.add(WORLD.packed, WORLD.count);
  const shares = scan.finish();
  const found = createMarkerTester(state, { ...OPTIONS, tests: ['SCORE'] }).test(WORLD.packed, WORLD.count);
  const sizes = { n: WORLD.n, order: state.contrastEigenvalues.length };
  const beyond = found.traits.filter(({ SCORE: ofTrait }, t) => {
    const threshold = permutationThreshold(shares[t].SCORE ?? new Float64Array(), 'SCORE', sizes);
    return Math.max(...(ofTrait?.statistic ?? [])) >= threshold;
  }).length;
  expect(beyond).toBeGreaterThan(5);
  expect(beyond).toBeLessThan(36);
});

test('too few permutations are refused', () => {
  const state = nullOf(WORLD.y);
  expect(() => createPermutationScan(state, { ...OPTIONS, permutations: 18, tests: ['LRT'] })).toThrow(
    expect.objectContaining({ code: 'bad-option' }),
  );
});
