import { symmetricEigenInPlace } from '@heterosis/linalg/symmetric-eigen';
import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { entriesOf, requestOf } from './design-request.test-data.ts';
import type { DesignRequest } from './design-types.ts';
import { averageEfficiency, concurrencesOf } from './efficiency.ts';
import { resolvableBound, rowColumnBound } from './efficiency-bounds.ts';
import { makeDesign } from './make-design.ts';

/** mean(1/r)·(v − 1)/tr(C⁺) by eigenvalues of C = X′(I − Z(Z′Z)⁺Z′)X; null where C has more than one that is 0. */
function denseEfficiency(lines: number, lineOf: Int32Array, factors: readonly Int32Array[]): number | null {
  const n = lineOf.length;
  const columns = [new Float64Array(n).fill(1)];
  for (const factor of factors)
    for (const level of new Set(factor)) columns.push(Float64Array.from(factor, (own) => (own === level ? 1 : 0)));
  const gram = (left: Float64Array[], right: Float64Array[]) =>
    left.map((x) => right.map((y) => x.reduce((sum, value, k) => sum + value * (y[k] ?? 0), 0)));
  const indicators = Array.from({ length: lines }, (_, line) =>
    Float64Array.from(lineOf, (own) => (own === line ? 1 : 0)),
  );
  const inverse = pseudoInverse(gram(columns, columns));
  const incidence = gram(indicators, columns);
  const information = gram(indicators, indicators).map((row, i) =>
    row.map((value, j) => {
      let loss = 0;
      incidence[i]?.forEach((x, k) => {
        incidence[j]?.forEach((y, l) => {
          loss += x * (inverse[k]?.[l] ?? 0) * y;
        });
      });
      return value - loss;
    }),
  );
  const { values } = eigen(information);
  const kept = values.filter((value) => value > 1e-9);
  if (kept.length < lines - 1) return null;
  const trace = kept.reduce((sum, value) => sum + 1 / value, 0);
  const inverses = indicators.reduce((sum, x) => sum + 1 / x.reduce((a, b) => a + b, 0), 0);
  return ((inverses / lines) * (lines - 1)) / trace;
}

function eigen(matrix: number[][]): { values: number[]; vectors: number[][] } {
  const n = matrix.length;
  const { values, vectors } = symmetricEigenInPlace({ rows: n, columns: n, data: Float64Array.from(matrix.flat()) });
  return {
    values: [...values],
    vectors: Array.from({ length: n }, (_, k) => [...vectors.data.subarray(k * n, (k + 1) * n)]),
  };
}

function pseudoInverse(matrix: number[][]): number[][] {
  const { values, vectors } = eigen(matrix);
  return matrix.map((row, i) =>
    row.map((_, j) =>
      values.reduce((sum, value, k) => {
        const [x = 0, y = 0] = [vectors[k]?.[i], vectors[k]?.[j]];
        return value > 1e-9 ? sum + (x * y) / value : sum;
      }, 0),
    ),
  );
}

test('the average efficiency is that of the pseudo-inverse of the information, or null where lines are not connected', () => {
  let compared = 0;
  fc.assert(
    fc.property(
      fc.nat(10_000),
      fc.integer({ min: 3, max: 9 }),
      fc.integer({ min: 2, max: 6 }),
      (seed, lines, levels) => {
        const random = createRandomStream(seed, 'efficiency');
        const n = 2 * lines + random.nextInt(lines);
        const lineOf = Int32Array.from(random.shuffle(Array.from({ length: n }, (_, i) => i % lines)));
        const factors = [
          Int32Array.from(lineOf, (_, plot) => plot % levels),
          Int32Array.from(lineOf, () => random.nextInt(3)),
        ];
        const dense = denseEfficiency(lines, lineOf, factors);
        const found = averageEfficiency(lines, lineOf, factors);
        if (dense === null) {
          expect(found).toBeNull();
        } else {
          compared++;
          // The dense definition forgets eigenvalues below 1e-9 and adds the others up: a few more digits than that.
          expect(found).toBeCloseTo(dense, 9);
        }
      },
    ),
    { numRuns: someOf(60), seed: 3 },
  );
  expect(compared).toBeGreaterThan(someOf(30));
  // Two lines in one plot of each of two blocks: nothing says how the pairs compare.
  expect(averageEfficiency(4, Int32Array.of(0, 1, 2, 3), [Int32Array.of(0, 0, 1, 1)])).toBeNull();
});

test('a balanced incomplete block design has the efficiency vλ/(rk), and pairs meet λ = r(k − 1)/(v − 1) times', () => {
  // The Fano plane: v = b = 7, r = k = 3, λ = 1.
  const lineOf = Int32Array.from([0, 1, 2, 3, 4, 5, 6].flatMap((i) => [i, (i + 1) % 7, (i + 3) % 7]));
  const blocks = Int32Array.from(lineOf, (_, plot) => Math.floor(plot / 3));
  expect(concurrencesOf(7, lineOf, blocks)).toEqual({ min: 1, max: 1, mean: 1, counts: [0, 21] });
  expect(averageEfficiency(7, lineOf, [blocks])).toBeCloseTo(7 / 9, 12);
});

test('bounds are attained by lattices, and are those printed for resolvable designs at most', () => {
  // Balanced lattice of 9 lines: r = 4 replicates of 3 blocks of 3; λ = 1, so E = 9/12.
  expect(resolvableBound(9, 3, 4)).toBeCloseTo(0.75, 12);
  // Square lattices have (k + 1)(r − 1)/((k + 1)(r − 1) + r) (Cochran & Cox 1957, chapter 10).
  for (const [k, r] of [
    [10, 2],
    [10, 3],
    [6, 3],
    [5, 4],
  ] as const) {
    expect(resolvableBound(k * k, k, r)).toBeCloseTo(((k + 1) * (r - 1)) / ((k + 1) * (r - 1) + r), 12);
  }
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 12 }),
      fc.integer({ min: 2, max: 12 }),
      fc.integer({ min: 2, max: 6 }),
      (k, s, r) => {
        const printed = ((k * s - 1) * (r - 1)) / ((k * s - 1) * (r - 1) + r * (s - 1));
        expect(resolvableBound(k * s, k, r)).toBeLessThanOrEqual(printed + 1e-12);
        expect(resolvableBound(k * s, k, r)).toBeGreaterThan(0);
      },
    ),
    { seed: 5 },
  );
  // A lattice square of 10 × 10 in two replicates loses rows and columns of both: 99/(99 + 36).
  expect(rowColumnBound(10, 10, 2)).toBeCloseTo(99 / 135, 12);
});

test('no design exceeds its bound, which is near what the search finds', { tags: 'whole' }, () => {
  const share = (request: DesignRequest): number => {
    const { efficiency, upperBound } = makeDesign(request).places[0] ?? { efficiency: null, upperBound: null };
    return (efficiency ?? Number.NaN) / (upperBound ?? Number.NaN);
  };
  const shares: number[] = [];
  for (const [v, blockSize] of [
    ...[
      [6, 2],
      [6, 3],
      [8, 2],
      [8, 4],
      [9, 3],
      [10, 2],
      [12, 3],
      [12, 4],
      [15, 3],
      [15, 5],
      [16, 4],
      [20, 4],
    ],
  ] as const)
    for (const replicates of [2, 3, 4])
      shares.push(share(requestOf({ design: 'alpha', entries: entriesOf(v), blockSize, replicates, effort: 0.1 })));
  for (const v of [9, 12, 15, 16, 20, 24])
    for (const replicates of [2, 3])
      shares.push(share(requestOf({ design: 'row-column', entries: entriesOf(v), replicates, effort: 0.1 })));
  for (const one of shares) expect(one).toBeLessThanOrEqual(1 + 1e-9);
  // Half of them reach 99 %.
  expect(shares.toSorted((a, b) => a - b)[Math.floor(shares.length / 2)]).toBeGreaterThan(0.99);
});

test('bounds of hand-worked cases: triangles of three replicates, and rows and columns of two', () => {
  // v = 60, k = 4, r = 3: λ of 42 factors have the squares 45·8 − 96 = 264 and the cubes 360 − 384 = −24; Gauss's
  // places are 2.4621 and −2.5530 with the weights 0.5091 and 0.4909, and 1/e = 12/(8 − λ).
  const inverse = 42 * ((0.5091 * 12) / (8 - 2.4621) + (0.4909 * 12) / (8 + 2.553));
  expect(resolvableBound(60, 4, 3)).toBeCloseTo(59 / (17 + inverse), 4);
  // 4 × 6: rows share 1 or 2 lines (8·1 + 8·4 = 40, over 36), columns 0 or 1 (24 over 16): Σc² = 1/9 + 1/2.
  expect(rowColumnBound(4, 6, 2)).toBeCloseTo(23 / (7 + 32 / (1 - (1 / 9 + 1 / 2) / 8)), 12);
});
