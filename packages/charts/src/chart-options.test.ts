import { describe, expect, it } from 'vitest';
import { COLORS as colors } from './chart-colors.test-data.ts';
import { axis, frame, thresholdLine } from './chart-option.ts';
import { densityOption } from './density.ts';
import { manhattanGenome, manhattanOption } from './genome/manhattan.ts';
import { qqOption } from './genome/qq.ts';
import { describeCell, heatmapOption, square } from './heatmap.ts';
import { heatmapPixels } from './heatmaps/heatmap-bitmap.ts';
import { histogramOption } from './histogram.ts';
import { ringSeries } from './rings.ts';
import { scatterOption } from './scatter.ts';
import { stripOption } from './strip.ts';

/** What ECharts is given, as plain data. */
interface Plain {
  series: Record<string, unknown>[];
  xAxis: Record<string, unknown>;
  yAxis: Record<string, unknown>;
  tooltip: { formatter: (item: unknown) => string };
  visualMap: Record<string, unknown>;
  legend?: { data: string[] };
}
const plain = (option: object): Plain => option as unknown as Plain;
const dataOf = (option: object, series = 0): unknown[] => plain(option).series[series]?.data as unknown[];
const marked = '<b>Line</b> & "co"';

describe('the frame of all charts', () => {
  it('does not move, and keeps the margins it is given beside the usual ones', () => {
    const { animation, grid } = frame(colors, { left: 99 });
    expect(animation).toBe(false);
    expect(grid).toMatchObject({ left: 99, right: 16, top: 16, bottom: 44 });
  });

  it('writes numbers of an axis, and leaves names alone', () => {
    const label = (option: Record<string, unknown>) => (option.axisLabel as { formatter?: unknown }).formatter;
    expect(label(axis(colors, 'x', { name: 'x' }))).toBeTypeOf('function');
    expect(label(axis(colors, 'x', { name: 'x', type: 'category', data: ['a'] }))).toBeUndefined();
  });

  it('puts the name of a threshold where it is told to', () => {
    expect(thresholdLine(colors, 3, 'FDR', [1], 'left').label.position).not.toBe(
      thresholdLine(colors, 3, 'FDR', [1], 'right').label.position,
    );
    expect(thresholdLine(colors, 3, 'FDR').yAxis).toBe(3);
  });
});

describe('scatter', () => {
  const points = [
    { x: 1, y: 4, name: 'a', group: 0 },
    { x: 2, y: 3, name: marked, group: 1 },
  ];
  const options = { x: 'Predicted', y: 'Observed', format: (value: number) => value.toFixed(1) };

  it('has a series for each group, and tells groups apart by shape as well as by colour', () => {
    const option = scatterOption(points, { ...options, groups: ['one', 'two'] }, colors);
    const { series, legend } = plain(option);
    expect(series.map(({ data }) => (data as unknown[]).length)).toEqual([1, 1]);
    expect(new Set(series.map(({ symbol }) => symbol)).size).toBe(2);
    expect(legend?.data).toEqual(['one', 'two']);
  });

  it('draws the 1:1 line over the range of both axes', () => {
    const option = scatterOption(points, { ...options, identity: true }, colors);
    expect(dataOf(option, 1)).toEqual([
      [1, 1],
      [4, 4],
    ]);
    expect(plain(scatterOption([], { ...options, identity: true }, colors)).series).toHaveLength(1);
  });

  it('names the point in its tooltip, as text', () => {
    const { tooltip } = plain(scatterOption(points, options, colors));
    const text = tooltip.formatter({ name: marked, value: [2, 3] });
    expect(text).toContain('Predicted: 2.0');
    expect(text).toContain('Observed: 3.0');
    expect(text).not.toContain('<b>');
  });
});

describe('heat map', () => {
  const format = (value: number) => value.toFixed(2);
  const base = { min: -1, max: 1, format, showNames: true };

  it('has a cell for each pair that has a value, by column and row', () => {
    const option = heatmapOption(square(['a', 'b'], [1, 0.5, null, 1]), base, colors);
    expect(dataOf(option)).toEqual([
      [0, 0, 1],
      [1, 0, 0.5],
      [1, 1, 1],
    ]);
  });

  it('draws a large matrix as one picture, and rings what is selected', () => {
    const names = Array.from({ length: 60 }, (_, index) => `line ${index}`);
    const map = square(
      names,
      names.flatMap(() => names.map(() => 0.1)),
    );
    const selected = new Set(['line 7', 'nobody']);
    const [picture, rings] = plain(heatmapOption(map, { ...base, showNames: false, selected }, colors)).series;
    expect(picture).toMatchObject({ type: 'custom', data: [[0, 0]] });
    expect(rings?.data).toEqual([[7, 7]]);
    expect(describeCell(map, 7, 8, format)).toBe('line 8 × line 7<br>0.10');
    expect(describeCell(map, 60, 8, format)).toBeUndefined();
  });

  it('gives each pixel of the picture the colour of its value', () => {
    const scale = ['#000000', '#ff0000', '#ffffff'];
    const pixels = heatmapPixels([0, 0.5, 1, null, 7], { min: 0, max: 1, scale });
    expect([...pixels]).toEqual([
      ...[0, 0, 0, 255],
      ...[255, 0, 0, 255],
      ...[255, 255, 255, 255],
      ...[0, 0, 0, 0],
      ...[255, 255, 255, 255],
    ]);
  });

  it('parts its colours at zero where values have two signs', () => {
    const diverging = plain(heatmapOption(square(['a'], [0]), { ...base, isDiverging: true }, colors)).visualMap
      .inRange;
    expect((diverging as { color: string[] }).color[1]).toBe(colors.ground);
  });

  it('writes light text only where the cell is dark', () => {
    const inkOf = (values: number[], range: object) => {
      const map = heatmapOption(square(['a', 'b'], values), { ...base, showValues: true, ...range }, colors);
      const cells = dataOf(map) as { value: number[]; label: { color: string } }[];
      return cells.slice(0, 2).map(({ label }) => label.color);
    };
    const ofTwoSigns = [0.1, 0.9, 0.9, 0.1];
    expect(inkOf(ofTwoSigns, { min: -1, max: 1, isDiverging: true })).toEqual([colors.text, '#ffffff']);
    // The other scale goes from dark violet to yellow.
    expect(inkOf([47, 63, 63, 47], { min: 47, max: 63 })).toEqual(['#ffffff', '#111111']);
  });

  it('names row and column of a cell', () => {
    const { tooltip } = plain(heatmapOption(square(['B73', 'Mo17'], [1, 0.25, 0.25, 1]), base, colors));
    expect(tooltip.formatter({ value: [1, 0, 0.25] })).toBe('B73 × Mo17<br>0.25');
  });
});

describe('histogram and density', () => {
  it('keep the bounds of the bins on the axis', () => {
    const histogram = { min: -1, max: 3, counts: [1, 0, 5, 2] };
    const option = histogramOption(histogram, { x: 'x', y: 'n', format: String }, colors);
    expect(plain(option).xAxis).toMatchObject({ min: -1, max: 3 });
    expect(dataOf(option)).toEqual([
      [-1, 0, 1],
      [0, 1, 0],
      [1, 2, 5],
      [2, 3, 2],
    ]);
  });

  it('cut each chromosome into bins of its own width, in Mb', () => {
    const contigs = [
      { name: '1', lengthBp: 4e6, counts: [7, 1] },
      { name: '2', lengthBp: 1e6, counts: [0, 9] },
    ];
    const option = densityOption(contigs, { x: 'Mb' }, colors);
    expect(dataOf(option)).toEqual([
      [0, 0, 2, 7],
      [0, 2, 4, 1],
      [1, 0, 0.5, 0],
      [1, 0.5, 1, 9],
    ]);
    expect(plain(option).visualMap).toMatchObject({ min: 0, max: 9, text: ['9', '0'] });
    expect(plain(option).tooltip.formatter({ value: [1, 0.5, 1, 9] })).toContain('2: 0.5 – 1 Mb');
  });
});

describe('Manhattan plot', () => {
  const points = Float32Array.from([0, 1e6, 2, 0, 3e6, 8, 1, 2e6, 3]);
  const genome = manhattanGenome(points, ['1', '2']);
  const options = {
    thresholds: [{ label: 'Bonferroni', negLog10P: 6 }],
    labels: { x: 'Chromosome', y: 'p' },
    describe: () => 'described',
  };

  it('has every point, whichever tone its chromosome has', () => {
    const option = manhattanOption(points, genome, options, colors);
    const [even, odd] = plain(option).series as unknown as { data: Float64Array }[];
    expect((even?.data.length ?? 0) + (odd?.data.length ?? 0)).toBe(2 * 3);
  });

  it('has room above the highest of points and thresholds', () => {
    const top = (option: object) => plain(option).yAxis.max as number;
    expect(top(manhattanOption(points, genome, options, colors))).toBeGreaterThan(8);
    const higher = { ...options, thresholds: [{ label: 'Bonferroni', negLog10P: 20 }] };
    expect(top(manhattanOption(points, genome, higher, colors))).toBeGreaterThan(20);
  });

  it('names chromosomes along the genome, and megabases along a part of one', () => {
    const labels = (option: object) =>
      plain(option).xAxis.axisLabel as { customValues: number[]; formatter: (value: number) => string };
    const whole = labels(manhattanOption(points, genome, options, colors));
    expect(whole.customValues.map(whole.formatter)).toEqual(['1', '2']);
    const offset = genome.offsets[1] ?? 0;
    const view = { start: offset, end: offset + 2e6, chromosome: 1 };
    const part = labels(manhattanOption(points, genome, { ...options, view }, colors));
    expect(part.customValues.map(part.formatter)).toEqual(['0', '0.5', '1', '1.5', '2']);
  });

  it('rings a point at the right end with its name on the left', () => {
    const rings = [
      { x: 10, y: 5, name: 'left' },
      { x: 90, y: 5, name: 'right' },
    ];
    const series = ringSeries(rings, 50, colors) as { data: { label: { position: string; formatter: string } }[] };
    expect(series.data.map(({ label }) => [label.formatter, label.position])).toEqual([
      ['left', 'right'],
      ['right', 'left'],
    ]);
  });
});

describe('QQ plot', () => {
  it('draws points, the 1:1 line and a band whose two halves add up to its upper edge', () => {
    const points = [
      [0.5, 0.6],
      [2, 2.4],
      [1, 0.9],
    ] as const;
    const option = qqOption(points, 100, { x: 'expected', y: 'observed', band: 'band' }, String, colors);
    const [low, height, line, scatter] = plain(option).series as { data: [number, number][] }[];
    expect(scatter?.data.map(([x]) => x)).toEqual([0.5, 1, 2]);
    expect(line?.data).toEqual([
      [0, 0],
      [2, 2],
    ]);
    low?.data.forEach(([x, bottom], index) => {
      const top = bottom + (height?.data[index]?.[1] ?? 0);
      expect(bottom).toBeLessThan(x);
      expect(top).toBeGreaterThan(x);
    });
  });
});

describe('strip', () => {
  const groups = [
    { name: 'AA', values: [1, 2, 3, 4] },
    { name: 'AB', values: [] },
    { name: 'BB\nn 1', values: [9] },
  ];
  const labels = { x: 'Genotype', y: 'Yield', format: (value: number) => value.toFixed(1) };

  it('has every value as a point within the column of its group', () => {
    const points = dataOf(stripOption(groups, labels, colors), 1) as { value: [number, number]; name: string }[];
    expect(points.map(({ value }) => value[1])).toEqual([1, 2, 3, 4, 9]);
    for (const { value, name } of points) {
      const column = groups.findIndex((group) => group.name === name);
      expect(Math.abs(value[0] - column)).toBeLessThan(0.5);
    }
  });

  it('is drawn alike each time', () => {
    expect(dataOf(stripOption(groups, labels, colors), 1)).toEqual(dataOf(stripOption(groups, labels, colors), 1));
  });

  it('has a box where there are values, and an empty place where there are none', () => {
    expect(dataOf(stripOption(groups, labels, colors))).toEqual([[1, 1.75, 2.5, 3.25, 4], [], [9, 9, 9, 9, 9]]);
  });

  it('says the five numbers of a box and the value of a point', () => {
    const { tooltip } = plain(stripOption(groups, labels, colors));
    expect(tooltip.formatter({ name: 'AA', value: [0, 1, 1.75, 2.5, 3.25, 4], seriesType: 'boxplot' })).toBe(
      'AA<br>1.0 · 1.8 · 2.5 · 3.3 · 4.0',
    );
    expect(tooltip.formatter({ name: 'AA', value: [0.1, 3], seriesType: 'scatter' })).toBe('AA: 3.0');
  });
});
