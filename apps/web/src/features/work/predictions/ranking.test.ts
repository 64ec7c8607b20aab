import { expect, test } from 'vitest';
import { inRanges, kinshipTo, meanReliability, type ResultRow, wantedPercentile } from './ranking.ts';

const line = (individual: string, gebv: number[], more: Partial<ResultRow> = {}): ResultRow => ({
  individual,
  gebv,
  reliability: gebv.map(() => null),
  se: gebv.map(() => null),
  genotypic: gebv.map(() => null),
  genotypic_reliability: gebv.map(() => null),
  percentile: gebv.map(() => 0),
  observed: null,
  index: null,
  index_se: null,
  ...more,
});

test('ranges of several values narrow the lines together, and a strip shows what the others leave', () => {
  const rows = [
    line('A', [1, 10], { index: 0.1 }),
    line('B', [2, 20], { index: 0.2 }),
    line('C', [3, 10], { index: null }),
  ];
  const traits = ['EarHT', 'dpoll'];
  const names = (ranges: Parameters<typeof inRanges>[2], except?: string) =>
    inRanges(rows, traits, ranges, except).map(({ individual }) => individual);
  expect(names({})).toEqual(['A', 'B', 'C']);
  expect(names({ EarHT: [2, 3] })).toEqual(['B', 'C']);
  expect(names({ EarHT: [2, 3], dpoll: [10, 15] })).toEqual(['C']);
  expect(names({ EarHT: [2, 3], dpoll: [10, 15] }, 'EarHT')).toEqual(['A', 'C']);
  // A line without index is in no range of it; a trait may have the name of the index.
  expect(names({ index: [0, 1] })).toEqual(['A', 'B']);
  expect(inRanges(rows, ['index', 'dpoll'], { index: [3, 3] }).map(({ individual }) => individual)).toEqual(['C']);
});

test('the best in the wanted direction is at 1, and one reliability is the mean of those known', () => {
  expect([wantedPercentile(0.2, false), wantedPercentile(0.2, true)]).toEqual([0.2, 0.8]);
  expect(meanReliability(line('A', [1, 2], { reliability: [0.5, 0.9] }))).toBeCloseTo(0.7, 12);
  expect(meanReliability(line('A', [1, 2], { reliability: [0.5, null] }))).toBe(0.5);
  expect(meanReliability(line('A', [1]))).toBeNull();
});

test('kinship to the chosen leaves out the line itself and names without genotype', () => {
  const kinship = { names: ['A', 'B', 'C'], values: [1, 0.2, 0.4, 0.2, 1, 0.6, 0.4, 0.6, 1] };
  const to = kinshipTo(kinship, new Set(['A', 'B', 'unknown']));
  expect(to('C')).toBeCloseTo(0.5, 12);
  expect(to('A')).toBeCloseTo(0.2, 12);
  expect(to('D')).toBeUndefined();
  expect(kinshipTo(kinship, new Set(['A']))('A')).toBeUndefined();
});
