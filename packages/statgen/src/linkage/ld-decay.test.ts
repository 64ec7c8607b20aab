import { expect, test } from 'vitest';
import { linkageDisequilibrium } from '../association/linkage-disequilibrium.ts';
import { createRandomStream } from '../random/random-stream.ts';
import {
  binsOf,
  countPairs,
  type DecayBin,
  decayEdges,
  distanceAtCurve,
  distanceAtMean,
  fitHillWeir,
  hillWeir,
  sumPairs,
} from './ld-decay.ts';
import { createMarkerPlanes, pairwiseR2, setMarkerPlanes } from './pairwise-r2.ts';

/** Random calls, of which `missing` percent are missing. */
function randomPanel(n: number, markers: number, missing: number) {
  const random = createRandomStream(n, 'ld', markers);
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(markers * stride);
  const dosages = Array.from({ length: markers }, (_, j) =>
    Array.from({ length: n }, (_, i) => {
      const dosage = random.nextInt(100) < missing ? -1 : random.nextInt(3);
      packed[j * stride + (i >> 2)] |= (dosage < 0 ? 1 : dosage === 0 ? 0 : dosage + 1) << (2 * (i & 3));
      return dosage;
    }),
  );
  const planes = createMarkerPlanes(n, markers);
  for (let j = 0; j < markers; j++) setMarkerPlanes(planes, j, packed, j * stride, n);
  return { packed, planes, dosages };
}

/** The squared correlation by its definition. */
function plainR2(x: number[], y: number[]): number {
  const both = x.flatMap((value, i) => (value < 0 || y[i] < 0 ? [] : [[value, y[i]] as const]));
  const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const mx = mean(both.map(([a]) => a));
  const my = mean(both.map(([, b]) => b));
  const sum = (of: (a: number, b: number) => number): number =>
    both.reduce((total, [a, b]) => total + of(a - mx, b - my), 0);
  return sum((a, b) => a * b) ** 2 / (sum((a) => a * a) * sum((_, b) => b * b));
}

test('r² of packed calls equals the squared correlation, with and without missing calls, at every edge of the words', () => {
  for (const [n, missing] of [
    [7, 0],
    [31, 20],
    [32, 0],
    [33, 20],
    [64, 40],
    [103, 5],
  ]) {
    const { packed, planes, dosages } = randomPanel(n, 9, missing);
    for (let a = 0; a < 9; a++) {
      const other = linkageDisequilibrium({ packed, dosages: undefined }, 9, { panelSize: n }, a);
      for (let b = 0; b < 9; b++) {
        const found = pairwiseR2(planes, a, b, n);
        expect(found).toBe(other[b]);
        if (!Number.isNaN(found)) expect(found).toBeCloseTo(plainR2(dosages[a], dosages[b]), 12);
      }
    }
  }
});

test('bins hold the means of all pairs, and samples of them the same ones every time', () => {
  const { planes, dosages } = randomPanel(40, 60, 10);
  const positions = Float64Array.from({ length: 60 }, (_, j) => 10 + Math.floor(j ** 2.7));
  const one = { places: Int32Array.from({ length: 60 }, (_, j) => j), positions };
  const edges = decayEdges(100, positions[59]);
  expect(edges.slice(0, 5)).toEqual([0, 100, 200, 500, 1000]);
  expect(edges[edges.length - 1]).toBeGreaterThan(positions[59]);
  const counts = countPairs(one, edges);
  const bins = binsOf(
    [sumPairs((a, b) => pairwiseR2(planes, a, b, 40), one, edges, counts, Number.POSITIVE_INFINITY)],
    edges,
  );
  expect(bins.reduce((sum, bin) => sum + bin.pairs, 0)).toBe((60 * 59) / 2);
  for (const bin of bins) {
    const pairs: [number, number][] = [];
    for (let i = 0; i < 60; i++) {
      for (let j = i + 1; j < 60; j++) {
        const distance = positions[j] - positions[i];
        if (distance >= bin.from && distance < bin.to) pairs.push([distance, plainR2(dosages[i], dosages[j])]);
      }
    }
    expect(bin.pairs).toBe(pairs.length);
    expect(bin.distance).toBeCloseTo(pairs.reduce((sum, [distance]) => sum + distance, 0) / pairs.length, 6);
    expect(bin.r2).toBeCloseTo(pairs.reduce((sum, [, r2]) => sum + r2, 0) / pairs.length, 12);
  }
  const sampled = binsOf([sumPairs((a, b) => pairwiseR2(planes, a, b, 40), one, edges, counts, 50)], edges);
  expect(Math.max(...sampled.map((bin) => bin.pairs))).toBeLessThanOrEqual(50);
  expect(sampled).toEqual(binsOf([sumPairs((a, b) => pairwiseR2(planes, a, b, 40), one, edges, counts, 50)], edges));
});

test('the curve begins and ends where Hill and Weir say, and its parameter and distances are found again', () => {
  // (10/22)(1 + 36/(22n)) at distance 0 and 1/n at the far end.
  expect(hillWeir(0, 50)).toBeCloseTo((10 / 22) * (1 + 36 / 1100), 14);
  expect(hillWeir(1e12, 50)).toBeCloseTo(1 / 50, 10);
  const n = 200;
  const rho = 3.7e-5;
  const bins = [80, 300, 1500, 9000, 40_000, 250_000, 1_800_000].map(
    (distance, k): DecayBin => ({ from: 0, to: 0, pairs: 10 + k, distance, r2: hillWeir(rho * distance, n) }),
  );
  const found = fitHillWeir(bins, n);
  expect((found ?? 0) / rho).toBeCloseTo(1, 6);
  const at = distanceAtCurve(rho, n, 0.2) ?? 0;
  expect(hillWeir(rho * at, n)).toBeCloseTo(0.2, 12);
  expect(distanceAtCurve(rho, n, 0.6)).toBeNull();
  expect(distanceAtCurve(rho, n, 1 / n)).toBeNull();
});

test('a unit of distance changes nothing but the unit', () => {
  const r2 = [0.5, 0.41, 0.3, 0.12, 0.05];
  const bins = (unit: number): DecayBin[] =>
    r2.map((value, k) => ({ from: 0, to: 0, pairs: 5, distance: unit * 10 ** k, r2: value }));
  expect((fitHillWeir(bins(1), 90) ?? 0) / (fitHillWeir(bins(1e-6), 90) ?? 1)).toBeCloseTo(1e-6, 12);
  expect(distanceAtMean(bins(1000), 0.2)).toBeCloseTo(1000 * (distanceAtMean(bins(1), 0.2) ?? 0), 6);
  // Between 100 (0.3) and 1,000 (0.12): 5/9 of the way.
  expect(distanceAtMean(bins(1), 0.2)).toBeCloseTo(600, 9);
});

test('LD that does not decay, or never was, has no curve and no distance', () => {
  const flat = (r2: number): DecayBin[] =>
    [1, 10, 100, 1000].map((distance) => ({ from: 0, to: 0, pairs: 5, distance, r2 }));
  expect(fitHillWeir(flat(0.9), 100)).toBeNull();
  expect(distanceAtMean(flat(0.9), 0.2)).toBeNull();
  expect(distanceAtMean(flat(0.01), 0.2)).toBeNull();
  expect(fitHillWeir(flat(0.01), 100)).toBeNull();
  expect(fitHillWeir(flat(0.3).slice(0, 2), 100)).toBeNull();
});
