import { expect, test } from 'vitest';
import { clusterOrder } from './cluster-order.ts';

test('relatives stand side by side, whatever their order in the panel', () => {
  // Families 0-2-4 and 1-3-5: kinship 1 with itself, 0.8 within the family, 0 between.
  const n = 6;
  const kinship = Float64Array.from({ length: n * n }, (_, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    return i === j ? 1 : i % 2 === j % 2 ? 0.8 : 0;
  });
  expect(clusterOrder(kinship, n)).toEqual([0, 2, 4, 1, 3, 5]);
});

test('every individual has one place, also among equals', () => {
  expect(clusterOrder(new Float64Array(0), 0)).toEqual([]);
  expect(clusterOrder(Float64Array.of(1), 1)).toEqual([0]);
  const order = clusterOrder(new Float64Array(400).fill(1), 20);
  expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
});
