import type { ChartColors } from './chart-colors.ts';
import type { ChartOption } from './chart-option.ts';
import { ellipseOption, progenyOption, spreadOption } from './crosses/cross-charts.ts';
import { factorialGrid } from './crosses/factorial-grid.ts';
import { curveOption } from './crosses/plan-charts.ts';
import type { Selection } from './crosses/usefulness.ts';
import { histogramOf } from './distribution.ts';
import { amountRange, type FieldLayer } from './field/field-layers.ts';
import { formatStatistic } from './format.ts';
import { type ManhattanThreshold, manhattanGenome, manhattanOption, sideAwayFrom } from './genome/manhattan.ts';
import { qqOption } from './genome/qq.ts';
import { type Heatmap, heatmapOption } from './heatmap.ts';
import { histogramOption } from './histogram.ts';
import { orderedMeansOption } from './ordered-means.ts';
import { type ScatterPoint, scatterOption } from './scatter.ts';
import { type StripGroup, stripOption } from './strip.ts';

const format = formatStatistic;

interface Axes {
  x: string;
  y: string;
}

/**
 * The charts of reports: from numbers, which cross to a thread or to a browser, to the options that pages have too. A
 * report names one and gives its numbers.
 */
const CHARTS = {
  distribution: ({ values, ...axes }: Axes & { values: readonly number[] }, colors: ChartColors) =>
    histogramOption(histogramOf(values), { ...axes, format }, colors),

  scatter: (
    { points, ...options }: Axes & { points: readonly ScatterPoint[]; groups?: readonly string[]; identity?: boolean },
    colors: ChartColors,
  ) => scatterOption(points, { ...options, format }, colors),

  strip: ({ groups, ...axes }: Axes & { groups: readonly StripGroup[] }, colors: ChartColors) =>
    stripOption(groups, { ...axes, format }, colors),

  means: (
    { points, ...labels }: Axes & { plain: string; marked: string; points: Parameters<typeof orderedMeansOption>[0] },
    colors: ChartColors,
  ) => orderedMeansOption(points, { ...labels, format }, colors),

  manhattan: (
    {
      points,
      chromosomes,
      thresholds,
      y,
    }: {
      points: Float32Array;
      chromosomes: readonly string[];
      thresholds: readonly ManhattanThreshold[];
      y: string;
    },
    colors: ChartColors,
  ) => {
    const genome = manhattanGenome(points, chromosomes);
    const side = sideAwayFrom(strongestOf(points, genome.offsets), genome, undefined);
    return manhattanOption(
      points,
      genome,
      {
        thresholds: thresholds.map((one, k) => (k === 0 ? one : { ...one, side })),
        labels: { x: 'Chromosome', y },
        describe: () => '',
      },
      colors,
    );
  },

  qq: ({ points, m }: { points: readonly (readonly [number, number])[]; m: number }, colors: ChartColors) =>
    qqOption(points, m, { x: 'Expected −log₁₀ p', y: 'Observed −log₁₀ p', band: '95 %' }, format, colors),

  heatmap: (
    { map, ...options }: { map: Heatmap } & Omit<Parameters<typeof heatmapOption>[1], 'format' | 'selected' | 'tree'>,
    colors: ChartColors,
  ) => heatmapOption(map, { ...options, format, drawsCells: true }, colors),

  factorial: (
    {
      factorial,
      which,
      isLow,
    }: {
      factorial: Parameters<typeof factorialGrid>[0];
      which: 'gebv' | 'genotypic';
      isLow: boolean;
    },
    colors: ChartColors,
  ) => {
    const { min, max, ...map } = factorialGrid(factorial, { which, isLow });
    const side = Math.max(map.rows.length, map.columns.length);
    return heatmapOption(
      map,
      { min, max, format, showNames: side <= NAMED_UP_TO, showValues: side <= VALUES_UP_TO, drawsCells: true },
      colors,
    );
  },

  tradeOff: (
    {
      curve,
      plan,
      value,
    }: {
      curve: Parameters<typeof curveOption>[0];
      plan: Parameters<typeof curveOption>[1];
      value: string;
    },
    colors: ChartColors,
  ) => {
    const all = [...curve, plan].map(({ coancestry }) => coancestry);
    return curveOption(
      curve,
      plan,
      { coancestry: 'Group coancestry', value, curve: 'Best trade-off', plan: 'This plan' },
      { colors: colors, least: Math.min(...all), most: Math.max(...all) },
    );
  },

  spread: (
    {
      crosses,
      selection,
      ...labels
    }: {
      crosses: Parameters<typeof spreadOption>[0];
      selection: Selection;
      mean: string;
      sd: string;
    },
    colors: ChartColors,
  ) => spreadOption(crosses, selection, { ...labels, usefulness: String }, colors),

  progeny: (
    {
      detail,
      cross,
      isLow,
      value,
    }: {
      detail: Parameters<typeof progenyOption>[0];
      cross: Parameters<typeof progenyOption>[1];
      isLow: boolean;
      value: string;
    },
    colors: ChartColors,
  ) =>
    progenyOption(
      detail,
      cross,
      isLow,
      {
        ...{ value, count: detail.histogram === null ? 'Density' : 'Progeny', better: 'Better than the best parent' },
        ...{ others: 'Others', expected: 'Expected' },
      },
      colors,
    ),

  ellipses: ({ ellipses, ...axes }: Axes & { ellipses: Parameters<typeof ellipseOption>[0] }, colors: ChartColors) =>
    ellipseOption(ellipses, ellipses[0]?.name, axes, colors),
} satisfies Record<string, (given: never, colors: ChartColors) => ChartOption>;

/** Of the sides of a heat map; more names would overlap, and values not fit. */
const NAMED_UP_TO = 40;
const VALUES_UP_TO = 8;

type Charts = typeof CHARTS;
type ChartFigure = { [Chart in keyof Charts]: { chart: Chart; given: Parameters<Charts[Chart]>[0] } }[keyof Charts];

/** What a map of a field shows of its plots. */
export type MapLayer =
  | { title: string; values: readonly (number | null)[]; isDiverging: boolean }
  | { title: string; groups: readonly (string | null)[]; colors?: Readonly<Record<string, string>> };

/** Maps of one field, side by side. */
export interface MapsFigure {
  chart: 'field';
  given: {
    row: readonly number[];
    column: readonly number[];
    plotShape?: number | undefined;
    layers: readonly MapLayer[];
    /** Edges are drawn between plots of different ones. */
    groups?: readonly unknown[];
    /** Places of plots with a ring, and with a cross. */
    marked?: readonly number[];
    crossed?: readonly number[];
    /** Written on plots that have room for it. */
    labels?: readonly string[];
  };
}

export type ReportFigure = ChartFigure | MapsFigure;

export const optionOf = ({ chart, given }: ChartFigure, colors: ChartColors): ChartOption =>
  (CHARTS[chart] as (one: typeof given, colors: ChartColors) => ChartOption)(given, colors);

/** A layer as maps take it. */
export function layerOf(layer: MapLayer, id: string): FieldLayer {
  if ('groups' in layer) {
    const { colors = {} } = layer;
    return { kind: 'group', id, title: layer.title, groups: layer.groups, colorOf: (group) => colors[group] };
  }
  const range = amountRange(layer.values, layer.isDiverging);
  return { kind: 'amount', id, title: layer.title, values: layer.values, range, format: formatStatistic };
}

/** Along the genome. */
function strongestOf(points: Float32Array, offsets: Float64Array): number | undefined {
  let most = Number.NEGATIVE_INFINITY;
  let at: number | undefined;
  for (let k = 0; k + 2 < points.length; k += 3)
    if ((points[k + 2] ?? 0) > most) {
      most = points[k + 2] ?? 0;
      at = (offsets[points[k] ?? 0] ?? 0) + (points[k + 1] ?? 0);
    }
  return at;
}
