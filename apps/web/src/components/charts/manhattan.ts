import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, frame, thresholdLine } from './chart-option.ts';
import { chromosomeLengths, type GenomeAxis, layoutGenome, splitByTone } from './genome-axis.ts';

export interface ManhattanThreshold {
  label: string;
  /** −log10 of the p-value. */
  negLog10P: number;
}

export function manhattanGenome(points: Float32Array, chromosomes: readonly string[]): GenomeAxis {
  return layoutGenome(chromosomes, chromosomeLengths(points, chromosomes.length));
}

/** Manhattan plot: chromosomes in the order given, two tones, thresholds as dashed lines, zoom by dragging or wheel. */
export function manhattanOption(
  points: Float32Array,
  genome: GenomeAxis,
  options: {
    thresholds: readonly ManhattanThreshold[];
    /** A marker to ring: x on the genome axis and −log10 p. */
    selected?: [number, number];
    labels: { x: string; y: string };
    describe: (x: number, negLog10P: number) => string;
  },
  colors: ChartColors,
): ChartOption {
  const [even, odd] = splitByTone(points, genome);
  let largest = Math.max(0, ...options.thresholds.map((threshold) => threshold.negLog10P));
  for (let at = 2; at < points.length; at += 3) largest = Math.max(largest, points[at] ?? 0);
  const tone = (data: Float64Array, color: string, marked: boolean) => ({
    type: 'scatter',
    data,
    dimensions: ['x', 'y'],
    symbolSize: 4,
    large: data.length > 40_000,
    largeThreshold: 1,
    itemStyle: { color, opacity: 0.85 },
    ...(marked
      ? {
          markLine: {
            silent: true,
            symbol: 'none',
            data: options.thresholds.map((threshold, index) =>
              thresholdLine(colors, threshold.negLog10P, threshold.label, index === 0 ? [6, 4] : [2, 3]),
            ),
          },
        }
      : {}),
  });
  return {
    ...frame(colors, { bottom: 48 }),
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ value }: { value: ArrayLike<number> }) => options.describe(value[0] ?? 0, value[1] ?? 0),
    },
    dataZoom: [{ type: 'inside', xAxisIndex: 0, filterMode: 'none' }],
    toolbox: { show: false, feature: { dataZoom: { xAxisIndex: 0, yAxisIndex: 'none', filterMode: 'none' } } },
    xAxis: {
      ...axis(colors, 'x', { name: options.labels.x, min: 0, max: genome.total }),
      axisLabel: {
        customValues: Array.from(genome.middles),
        color: colors.muted,
        fontSize: 12,
        hideOverlap: true,
        formatter: (value: number) => genome.names[Array.from(genome.middles).indexOf(value)] ?? '',
      },
    },
    yAxis: axis(colors, 'y', { name: options.labels.y, min: 0, max: Math.ceil(largest * 1.05 * 2) / 2 }),
    series: [
      tone(even, colors.tones[0], true),
      tone(odd, colors.tones[1], false),
      ...(options.selected
        ? [
            {
              type: 'scatter',
              data: [options.selected],
              symbol: 'emptyCircle',
              symbolSize: 14,
              itemStyle: { color: colors.threshold, borderWidth: 2 },
              silent: true,
              z: 5,
            },
          ]
        : []),
    ],
  };
}
