import { boxesOption } from '@heterosis/charts/boxes';
import { chartColors } from '@heterosis/charts/chart-colors';
import type { ChartOption } from '@heterosis/charts/chart-option';
import { ellipseOption, progenyOption, spreadOption } from '@heterosis/charts/crosses/cross-charts';
import { factorialGrid } from '@heterosis/charts/crosses/factorial-grid';
import { curveOption } from '@heterosis/charts/crosses/plan-charts';
import type { Selection } from '@heterosis/charts/crosses/usefulness';
import { histogramOf } from '@heterosis/charts/distribution';
import { formatStatistic } from '@heterosis/charts/format';
import {
  type ManhattanThreshold,
  manhattanGenome,
  manhattanOption,
  sideAwayFrom,
} from '@heterosis/charts/genome/manhattan';
import { qqOption } from '@heterosis/charts/genome/qq';
import { type Heatmap, heatmapOption } from '@heterosis/charts/heatmap';
import { histogramOption } from '@heterosis/charts/histogram';
import { orderedMeansOption } from '@heterosis/charts/ordered-means';
import { type ScatterPoint, scatterOption } from '@heterosis/charts/scatter';
import { type StripGroup, stripOption } from '@heterosis/charts/strip';

/** Paper has the colours of the light scheme. */
export const PAPER = chartColors('light');
const format = formatStatistic;

interface Axes {
  x: string;
  y: string;
}

/**
 * The charts of reports: from numbers, which cross to the thread that prints, to the options that pages have too. A
 * report names one and gives its numbers.
 */
const CHARTS = {
  distribution: ({ values, ...axes }: Axes & { values: readonly number[] }) =>
    histogramOption(histogramOf(values), { ...axes, format }, PAPER),

  scatter: ({
    points,
    ...options
  }: Axes & { points: readonly ScatterPoint[]; groups?: readonly string[]; identity?: boolean }) =>
    scatterOption(points, { ...options, format }, PAPER),

  strip: ({ groups, ...axes }: Axes & { groups: readonly StripGroup[] }) =>
    stripOption(groups, { ...axes, format }, PAPER),

  boxes: ({ boxes, ...axes }: Axes & { boxes: Parameters<typeof boxesOption>[0] }) =>
    boxesOption(boxes, { ...axes, n: 'n', format }, PAPER),

  means: ({
    points,
    ...labels
  }: Axes & { plain: string; marked: string; points: Parameters<typeof orderedMeansOption>[0] }) =>
    orderedMeansOption(points, { ...labels, format }, PAPER),

  manhattan: ({
    points,
    chromosomes,
    thresholds,
    y,
  }: {
    points: Float32Array;
    chromosomes: readonly string[];
    thresholds: readonly ManhattanThreshold[];
    y: string;
  }) => {
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
      PAPER,
    );
  },

  qq: ({ points, m }: { points: readonly (readonly [number, number])[]; m: number }) =>
    qqOption(points, m, { x: 'Expected −log₁₀ p', y: 'Observed −log₁₀ p', band: '95 %' }, format, PAPER),

  heatmap: ({
    map,
    ...options
  }: { map: Heatmap } & Omit<Parameters<typeof heatmapOption>[1], 'format' | 'selected' | 'tree'>) =>
    heatmapOption(map, { ...options, format, drawsCells: true }, PAPER),

  factorial: ({
    factorial,
    which,
    isLow,
  }: {
    factorial: Parameters<typeof factorialGrid>[0];
    which: 'gebv' | 'genotypic';
    isLow: boolean;
  }) => {
    const { min, max, ...map } = factorialGrid(factorial, { which, isLow });
    const side = Math.max(map.rows.length, map.columns.length);
    return heatmapOption(
      map,
      { min, max, format, showNames: side <= NAMED_UP_TO, showValues: side <= VALUES_UP_TO, drawsCells: true },
      PAPER,
    );
  },

  tradeOff: ({
    curve,
    plan,
    value,
  }: {
    curve: Parameters<typeof curveOption>[0];
    plan: Parameters<typeof curveOption>[1];
    value: string;
  }) => {
    const all = [...curve, plan].map(({ coancestry }) => coancestry);
    return curveOption(
      curve,
      plan,
      { coancestry: 'Group coancestry', value, curve: 'Best trade-off', plan: 'This plan' },
      { colors: PAPER, least: Math.min(...all), most: Math.max(...all) },
    );
  },

  spread: ({
    crosses,
    selection,
    ...labels
  }: {
    crosses: Parameters<typeof spreadOption>[0];
    selection: Selection;
    mean: string;
    sd: string;
  }) => spreadOption(crosses, selection, { ...labels, usefulness: String }, PAPER),

  progeny: ({
    detail,
    cross,
    isLow,
    value,
  }: {
    detail: Parameters<typeof progenyOption>[0];
    cross: Parameters<typeof progenyOption>[1];
    isLow: boolean;
    value: string;
  }) =>
    progenyOption(
      detail,
      cross,
      isLow,
      {
        ...{ value, count: detail.histogram === null ? 'Density' : 'Progeny', better: 'Better than the best parent' },
        ...{ others: 'Others', expected: 'Expected' },
      },
      PAPER,
    ),

  ellipses: ({ ellipses, ...axes }: Axes & { ellipses: Parameters<typeof ellipseOption>[0] }) =>
    ellipseOption(ellipses, ellipses[0]?.name, axes, PAPER),
} satisfies Record<string, (given: never) => ChartOption>;

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

export const optionOf = ({ chart, given }: ChartFigure): ChartOption =>
  (CHARTS[chart] as (one: typeof given) => ChartOption)(given);

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
