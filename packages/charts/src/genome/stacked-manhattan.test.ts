import { expect, it } from 'vitest';
import type { ChartColors } from '../chart-colors.ts';
import { overlaidManhattanOption } from './overlaid-manhattan.ts';
import { commonGenome, reindexed, stackedManhattanOption, stackHeight } from './stacked-manhattan.ts';

const colors = {
  tones: ['#1', '#2'],
  text: '#3',
  muted: '#4',
  line: '#5',
  ground: '#6',
  threshold: '#7',
  series: ['#a', '#b', '#c', '#d', '#e', '#f'],
} as ChartColors;
const all = {
  name: 'EarHT',
  points: Float32Array.from([0, 100, 1, 1, 50, 2, 2, 10, 3]),
  chromosomes: ['1', '2', '3'],
  threshold: 4,
};
// No marker of chromosome 2 was tested here.
const fewer = {
  name: 'dpoll',
  points: Float32Array.from([0, 300, 1, 1, 20, 6]),
  chromosomes: ['1', '3'],
  threshold: 4,
};

it('puts the same chromosome of every trait at the same place, as long as its last marker in any', () => {
  const genome = commonGenome([fewer, all]);
  expect(genome.names).toEqual(['1', '2', '3']);
  expect(genome.middles[0]).toBe(150);
  expect([...reindexed(fewer, genome)]).toEqual([0, 300, 1, 2, 20, 6]);
  expect([...reindexed(all, genome)]).toEqual([...all.points]);
});

it('draws every point of every trait in the plot of its trait, each with its own scale', () => {
  const option = stackedManhattanOption([all, fewer], colors) as {
    series: { name: string; yAxisIndex: number; data: Float64Array }[];
    yAxis: { name: string; max: number }[];
  };
  const points = option.series.map(({ name, yAxisIndex, data }) => [name, yAxisIndex, data.length / 2]);
  expect(points).toEqual([
    ['EarHT', 0, 2],
    ['EarHT', 0, 1],
    ['dpoll', 1, 2],
    ['dpoll', 1, 0],
  ]);
  expect(option.yAxis.map(({ name }) => name)).toEqual(['EarHT', 'dpoll']);
  expect(option.yAxis[1]?.max).toBeGreaterThan(option.yAxis[0]?.max ?? 0);
  expect(stackHeight(2)).toBeGreaterThan(stackHeight(1));
});

it('draws two runs on the same axes: the same marker of both at the same place, on a scale that fits both', () => {
  const option = overlaidManhattanOption([all, fewer], colors) as {
    series: { name: string; symbol: string; itemStyle: { color: string }; data: Float64Array }[];
    yAxis: { max: number };
  };
  expect(option.series.map(({ name, data }) => [name, data.length / 2])).toEqual([
    ['EarHT', 3],
    ['dpoll', 2],
  ]);
  const [one, other] = option.series;
  expect(new Set([one?.itemStyle.color, other?.itemStyle.color]).size).toBe(2);
  expect(one?.symbol).not.toBe(other?.symbol);
  // Chromosome 3 begins where it begins in the other, although `fewer` lacks chromosome 2.
  expect((other?.data[2] ?? 0) - (one?.data[4] ?? 0)).toBe(10);
  expect(option.yAxis.max).toBeGreaterThanOrEqual(6);
});
