import { expect, test } from 'vitest';
import { ellipsePoints } from './cross-charts.ts';
import { directed, usefulnessOf } from './usefulness.ts';

test('the usefulness lies above the mean, or below it where low values are wanted', () => {
  const selection = { intensity: 2, accuracy: 0.5, isLow: false };
  expect(usefulnessOf({ mean: 10, sd: 3 }, selection)).toBe(13);
  expect(usefulnessOf({ mean: 10, sd: 3 }, { ...selection, isLow: true })).toBe(7);
  expect([directed(1, 2, { isLow: false }), directed(1, 2, { isLow: true })]).toEqual([2, 1]);
});

test('every point of an ellipse has the same Mahalanobis distance, also with a full correlation', () => {
  const one = { name: 'a', mean: [5, -3], sd: [2, 0.5], correlation: 0.8 } as const;
  for (const [x, y] of ellipsePoints(one)) {
    const [u, v] = [(x - 5) / 2, (y + 3) / 0.5];
    expect((u * u - 2 * 0.8 * u * v + v * v) / (1 - 0.64)).toBeCloseTo(5.9914645, 6);
  }
  for (const [x, y] of ellipsePoints({ ...one, correlation: 1 })) expect((y + 3) / 0.5).toBeCloseTo((x - 5) / 2, 12);
});
