import type { CrossRow } from '@heterosis/contracts/work/crossing-simulations';
import { describe, expect, it } from 'vitest';
import { COLORS as colors } from '../chart-colors.test-data.ts';
import { ellipseOption, ellipsePoints, progenyOption, spreadOption } from './cross-charts.ts';
import { pedigreeOf } from './cross-parents.ts';
import { usefulnessOf } from './usefulness.ts';

/** What the plots read of a cross. */
const cross = (name: string, mean: number, sd: number, parents: [number, number] = [mean - 1, mean + 1]): CrossRow =>
  ({
    cross: name,
    mean,
    sd,
    parent1: 'A',
    parent2: 'B',
    parent1_value: parents[0],
    parent2_value: parents[1],
  }) as CrossRow;

const seriesOf = (option: object) => (option as { series: Record<string, unknown>[] }).series;
const labels = { mean: 'Mean', sd: 'SD', usefulness: (value: string) => `usefulness ${value}` };

describe('mean against spread', () => {
  const crosses = [cross('A×B', 10, 1), cross('A×C', 9, 3), cross('B×C', 11, 0.5)];

  it.each([
    ['high', false],
    ['low', true],
  ])('draws lines on which the usefulness is the same, where %s values are wanted', (_, isLow) => {
    const selection = { intensity: 2, accuracy: 0.5, isLow };
    const lines = seriesOf(spreadOption(crosses, selection, labels, colors)).filter(({ type }) => type === 'line');
    expect(lines.length).toBeGreaterThan(1);
    for (const { data } of lines) {
      const [left, right] = (data as [number, number][]).map(([sd, mean]) => usefulnessOf({ mean, sd }, selection));
      expect(left).toBeCloseTo(right ?? Number.NaN, 10);
    }
  });

  it('leads the first line through the most useful cross', () => {
    const selection = { intensity: 2, accuracy: 0.5, isLow: false };
    const best = Math.max(...crosses.map((row) => usefulnessOf(row, selection)));
    const [line] = seriesOf(spreadOption(crosses, selection, labels, colors));
    const [[sd, mean] = [0, 0]] = (line?.data ?? []) as [number, number][];
    expect(usefulnessOf({ mean, sd }, selection)).toBeCloseTo(best, 10);
  });

  it('has a point for each cross, with its usefulness', () => {
    const selection = { intensity: 1, accuracy: 1, isLow: false };
    const points = seriesOf(spreadOption(crosses, selection, labels, colors)).find(({ type }) => type === 'scatter');
    expect(points?.data).toEqual([
      { name: 'A×B', value: [1, 10], usefulness: 11 },
      { name: 'A×C', value: [3, 9], usefulness: 12 },
      { name: 'B×C', value: [0.5, 11], usefulness: 11.5 },
    ]);
  });

  it('can be drawn of no cross and of crosses without spread', () => {
    const selection = { intensity: 1, accuracy: 1, isLow: false };
    expect(seriesOf(spreadOption([], selection, labels, colors)).at(-1)?.data).toEqual([]);
    expect(seriesOf(spreadOption([cross('A×A', 5, 0)], selection, labels, colors)).at(-1)?.data).toHaveLength(1);
  });
});

describe('progeny of a cross', () => {
  const detail = (counts: number[]) =>
    ({ histogram: { from: 0, to: counts.length, counts } }) as Parameters<typeof progenyOption>[0];
  const words = { value: 'v', count: 'n', better: 'better', others: 'others', expected: 'expected' };
  const bars = (option: object, name: string) =>
    seriesOf(option).find((series) => series.name === name)?.data as [number, number, number][];

  it('marks the plant of a selfing once, and names no cross', () => {
    const selfed = { ...cross('A selfed', 10, 1, [11, 11]), parent2: 'A', parent3: null, parent4: null };
    const option = progenyOption(
      { histogram: null } as Parameters<typeof progenyOption>[0],
      selfed,
      false,
      words,
      colors,
    );
    const marked = seriesOf(option).flatMap(({ markLine }) => (markLine as { data: object[] } | undefined)?.data ?? []);
    expect(marked).toMatchObject([{ xAxis: 11, label: { formatter: 'A' } }]);
    expect(pedigreeOf(selfed)).toBe('A');
    expect(pedigreeOf({ ...selfed, parent2: 'B' })).toBe('A × B');
  });

  it('colours those beyond the better parent: above it, or below where low values are wanted', () => {
    const row = cross('A×B', 2, 1, [1, 3]);
    const high = progenyOption(detail([5, 6, 7, 8]), row, false, words, colors);
    expect(bars(high, 'better')).toEqual([[3, 4, 8]]);
    expect(bars(high, 'others')).toHaveLength(3);
    const low = progenyOption(detail([5, 6, 7, 8]), row, true, words, colors);
    expect(bars(low, 'better')).toEqual([[0, 1, 5]]);
  });

  it('draws the expected curve over as many progeny as the bars hold', () => {
    const counts = Array.from({ length: 40 }, () => 25);
    const curve = seriesOf(progenyOption(detail(counts), cross('A×B', 20, 3), false, words, colors)).find(
      ({ name }) => name === 'expected',
    )?.data as [number, number][];
    // Area under the curve by the trapezium rule; a bar is 1 wide.
    const area = curve.slice(1).reduce((sum, [x, y], index) => {
      const [before = 0, height = 0] = curve[index] ?? [];
      return sum + ((x - before) * (y + height)) / 2;
    }, 0);
    expect(area / 1000).toBeCloseTo(1, 3);
  });

  it('has no curve where nothing varies', () => {
    const option = progenyOption(detail([100]), cross('A×A', 0.5, 0), false, words, colors);
    expect(seriesOf(option).find(({ name }) => name === 'expected')?.data).toEqual([]);
  });
});

describe('ellipses', () => {
  it('lie where 95 % of the progeny are: at the same distance from the mean, by Mahalanobis', () => {
    const ellipse = { name: 'A×B', mean: [10, -2], sd: [2, 5], correlation: -0.6 } as const;
    for (const [x, y] of ellipsePoints(ellipse)) {
      const [u, v] = [(x - 10) / 2, (y + 2) / 5];
      const distance = (u * u - 2 * -0.6 * u * v + v * v) / (1 - 0.36);
      expect(distance).toBeCloseTo(5.991464547107979, 8);
    }
  });

  it('become a line, and no wrong number, when both traits are the same', () => {
    for (const [x, y] of ellipsePoints({ name: 'x', mean: [0, 0], sd: [1, 1], correlation: 1 }))
      expect(y).toBeCloseTo(x, 10);
  });

  it('let the chosen cross stand out above the others', () => {
    const all = ['a', 'b'].map((name) => ({ name, mean: [0, 0] as const, sd: [1, 1] as const, correlation: 0 }));
    const series = seriesOf(ellipseOption(all, 'b', { x: 'x', y: 'y' }, colors)) as { name: string; z: number }[];
    const z = (name: string) => series.find((one) => one.name === name)?.z ?? Number.NaN;
    expect(z('b')).toBeGreaterThan(z('a'));
  });
});
