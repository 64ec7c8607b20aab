import { expect, it } from 'vitest';
import { plotPoints, qqPoints, qqRanks } from './plot-points.ts';

it('keeps every marker with a small p and thins what lies on top of each other', () => {
  const n = 100_000;
  const chromosome = new Int32Array(n);
  const position = Float64Array.from({ length: n }, (_, index) => 1000 + (index % 10));
  const negLog10P = Float64Array.from({ length: n }, (_, index) => (index < 50 ? 5 + index / 100 : 0.5));
  const points = plotPoints(chromosome, position, negLog10P);
  const values = Array.from({ length: points.length / 3 }, (_, index) => points[index * 3 + 2] ?? 0);
  expect(values.filter((value) => value >= 5)).toHaveLength(50);
  expect(values.filter((value) => value < 3).length).toBeLessThanOrEqual(10);
});

it('keeps every marker of a panel that can be drawn whole', () => {
  const n = 5000;
  const same = new Float64Array(n).fill(0.5);
  expect(plotPoints(new Int32Array(n), same, same)).toHaveLength(3 * n);
});

it('leaves a plot of a million markers small enough to send and to draw', () => {
  const n = 1_000_000;
  const chromosome = Int32Array.from({ length: n }, (_, index) => Math.floor(index / 100_000));
  const position = Float64Array.from({ length: n }, (_, index) => (index % 100_000) * 2000);
  // −log10 of evenly spaced p, in an order without pattern along the genome.
  const negLog10P = Float64Array.from(
    { length: n },
    (_, index) => -Math.log10((((index * 618_033) % n) + 1) / (n + 1)),
  );
  const points = plotPoints(chromosome, position, negLog10P).length / 3;
  expect(points).toBeGreaterThan(50_000);
  expect(points).toBeLessThan(120_000);
});

it('keeps the last marker of each chromosome, which says how long it is', () => {
  const each = 60_000;
  const chromosome = Int32Array.from({ length: 2 * each }, (_, index) => Math.floor(index / each));
  const position = Float64Array.from(chromosome, (_, index) => 1000 * (1 + (index % each)));
  const points = plotPoints(chromosome, position, new Float64Array(2 * each).fill(0.5));
  for (const index of [0, 1]) {
    const places = Array.from({ length: points.length / 3 }, (_, at) =>
      points[at * 3] === index ? (points[at * 3 + 1] ?? 0) : 0,
    );
    expect(Math.max(...places)).toBe(1000 * each);
  }
});

it('orders points by chromosome and position and leaves out markers without a p-value', () => {
  const points = plotPoints(Int32Array.of(1, 0, 0), Float64Array.of(5, 9, 3), Float64Array.of(4, 4, Number.NaN));
  expect([...points]).toEqual([0, 9, 4, 1, 5, 4]);
});

it('puts the smallest p first in the QQ plot, against 1/(m + 1)', () => {
  expect(qqRanks(2)).toEqual([0, 1]);
  const [first, second] = qqPoints(2, Float64Array.of(1, 3));
  expect(first?.[0]).toBeCloseTo(-Math.log10(1 / 3));
  expect(first?.[1]).toBe(3);
  expect(second?.[1]).toBe(1);
});
