import type { ChartColors } from '../chart-colors.ts';
import { axis, type ChartOption, frame, thresholdLine } from '../chart-option.ts';
import { formatTick } from '../format.ts';
import type { PlotPlace } from '../plot-place.ts';
import { axisToRoundEnd, roundTicks } from '../round-ticks.ts';
import {
  chromosomeLengths,
  type GenomeAxis,
  type GenomeView,
  layoutGenome,
  PLOT_FIELDS,
  splitByTone,
} from './genome-axis.ts';

export interface ManhattanThreshold {
  label: string;
  /** −log10 of the p-value. */
  negLog10P: number;
  /** Where along the line its name stands, so that two close lines do not write over each other. */
  side?: 'left' | 'middle' | 'right';
}

/** Where the name of a line stands away from a point of what is shown; without one at the left. */
export function sideAwayFrom(
  x: number | undefined,
  genome: GenomeAxis,
  view: GenomeView | undefined,
): 'left' | 'middle' {
  const { start, end } = view ?? { start: 0, end: genome.total };
  return x !== undefined && x >= start && x < start + (end - start) / 3 ? 'middle' : 'left';
}

/** The genome that is shown: chromosomes in the order given, as long as their last marker. */
export function manhattanGenome(points: Float32Array, chromosomes: readonly string[]): GenomeAxis {
  return layoutGenome(chromosomes, chromosomeLengths(points, chromosomes.length));
}

const DASHES = [
  [6, 4],
  [2, 3],
  [1, 5],
];
/** Share of the genome left free at both ends, so that the first and the last marker are not cut. */
const EDGE_SHARE = 0.006;
/** Above this many points they are drawn in one go, without an object for each. */
const LARGE = 20_000;

/** ECharts draws a large number of points of less than 4 px as rectangles, far faster than as circles. */
const pointsOfSize = (count: number): { symbolSize: number; large: boolean; largeThreshold: number } => ({
  symbolSize: count > LARGE ? 3.5 : 4,
  large: count > LARGE,
  largeThreshold: 1,
});

/**
 * Manhattan plot: chromosomes in the order given, two tones, thresholds as dashed lines; the whole genome or a part of
 * it.
 */
export function manhattanOption(
  points: Float32Array,
  genome: GenomeAxis,
  options: {
    thresholds: readonly ManhattanThreshold[];
    view?: GenomeView | undefined;
    labels: { x: string; y: string };
    /** HTML of the tooltip of a point; `replace` takes a fuller one that comes later. */
    describe: (x: number, negLog10P: number, replace: (html: string) => void) => string;
  },
  colors: ChartColors,
): ChartOption {
  const [even, odd] = splitByTone(points, genome);
  const edge = genome.total * EDGE_SHARE;
  const { view = { start: -edge, end: genome.total + edge } } = options;
  let largest = Math.max(0, ...options.thresholds.map((threshold) => threshold.negLog10P));
  for (let at = 2; at < points.length; at += PLOT_FIELDS) largest = Math.max(largest, points[at] ?? 0);
  const tone = (data: Float64Array, color: string, marked: boolean) => ({
    type: 'scatter',
    data,
    dimensions: ['x', 'y'],
    ...pointsOfSize(points.length / PLOT_FIELDS),
    itemStyle: { color, opacity: 0.85 },
    ...(marked
      ? {
          markLine: {
            silent: true,
            symbol: 'none',
            data: options.thresholds.map((threshold, index) =>
              thresholdLine(colors, threshold.negLog10P, threshold.label, DASHES[index], threshold.side),
            ),
          },
        }
      : {}),
  });
  return {
    ...frame(colors, { bottom: 48 }),
    tooltip: {
      ...frame(colors).tooltip,
      // ECharts drops what comes for a point that is no longer under the pointer: the ticket tells.
      formatter: (
        { value }: { value: ArrayLike<number> },
        ticket: string,
        replace: (ticket: string, html: string) => void,
      ) => options.describe(value[0] ?? 0, value[1] ?? 0, (html) => replace(ticket, html)),
    },
    xAxis: {
      ...axis(colors, 'x', { name: options.labels.x, min: view.start, max: view.end }),
      axisLabel: {
        color: colors.muted,
        fontSize: 12,
        hideOverlap: true,
        ...(view.chromosome === undefined
          ? chromosomeMarks(genome)
          : megabaseMarks(view, genome.offsets[view.chromosome] ?? 0)),
      },
    },
    yAxis: axis(colors, 'y', { name: options.labels.y, min: 0, ...axisToRoundEnd(largest) }),
    series: [tone(even, colors.tones[0], true), tone(odd, colors.tones[1], false)],
  };
}

function chromosomeMarks(genome: GenomeAxis) {
  const middles = Array.from(genome.middles);
  return {
    customValues: middles,
    formatter: (value: number) => genome.names[middles.indexOf(value)] ?? '',
  };
}

function megabaseMarks(view: GenomeView, offset: number) {
  return {
    customValues: roundTicks(view.start - offset, view.end - offset).map((positionBp) => positionBp + offset),
    formatter: (value: number) => formatTick(Number(((value - offset) / 1e6).toFixed(6))),
  };
}

/** The point nearest to a click and within its reach: the index of its first field, or undefined. */
export function nearestPoint(points: Float32Array, genome: GenomeAxis, place: PlotPlace): number | undefined {
  let nearest: number | undefined;
  let least = place.reachPx ** 2;
  for (let at = 0; at + 2 < points.length; at += PLOT_FIELDS) {
    const right = ((genome.offsets[points[at] ?? 0] ?? 0) + (points[at + 1] ?? 0) - place.x) / place.xPerPixel;
    const up = ((points[at + 2] ?? 0) - place.y) / place.yPerPixel;
    const distance = right * right + up * up;
    if (distance <= least) {
      least = distance;
      nearest = at;
    }
  }
  return nearest;
}
