import { expect, test } from 'vitest';
import type { Layout } from './layout.ts';
import { centredOn, fitted, isWholeInSight, zoomed } from './view.ts';

const SIZE = { width: 800, height: 600, ratio: 2 };
const layoutOf = (width: number, height: number) => ({ width, height }) as Layout;

test('a graph is fitted whole into the canvas, around its middle, and a small one is not blown up', () => {
  const view = fitted(layoutOf(8000, 1000), SIZE);
  expect(view.scale).toBeCloseTo(0.095);
  expect(view.x + view.scale * 4000).toBeCloseTo(400);
  expect(view.y + view.scale * 500).toBeCloseTo(300);
  expect(isWholeInSight(layoutOf(8000, 1000), view, SIZE)).toBe(true);
  expect(isWholeInSight(layoutOf(8000, 1000), { ...view, x: -1 }, SIZE)).toBe(false);
  expect(isWholeInSight(layoutOf(8000, 1000), { ...view, scale: 0.11 }, SIZE)).toBe(false);
  expect(fitted(layoutOf(100, 100), SIZE).scale).toBeCloseTo(0.9 * 0.95);
});

test('zooming keeps the point under the pointer, and stops at the whole graph and where boxes would be huge', () => {
  const layout = layoutOf(8000, 1000);
  const view = centredOn(0.5, SIZE, 1000, 500);
  const at = { x: 200, y: 100 };
  const shown = ({ scale, x, y }: typeof view) => [(at.x - x) / scale, (at.y - y) / scale];
  const larger = zoomed(view, layout, SIZE, 2, at);
  expect(larger.scale).toBe(1);
  for (const [i, value] of shown(larger).entries()) expect(value).toBeCloseTo(shown(view)[i] ?? Number.NaN);
  expect(zoomed(view, layout, SIZE, 100, at).scale).toBe(2.5);
  expect(zoomed(view, layout, SIZE, 0.001, at).scale).toBeCloseTo(fitted(layout, SIZE).scale);
});
