import type { ChartColors } from '../chart-colors.ts';
import { axis, type ChartOption, escapeHtml, frame, thresholdLine } from '../chart-option.ts';
import { formatTick } from '../format.ts';
import { axisToRoundEnd } from '../round-ticks.ts';
import { type GenomeAxis, layoutGenome, locate, PLOT_FIELDS, splitByTone } from './genome-axis.ts';

/** One plot of the stack. */
export interface StackedPlot {
  name: string;
  /** Index into `chromosomes`, position in bp, −log10 p. */
  points: Float32Array;
  chromosomes: readonly string[];
  /** −log10 p; undefined for none. */
  threshold: number | undefined;
}

const PLOT_PX = 128;
const GAP_PX = 24;
const TOP_PX = 12;
const BOTTOM_PX = 44;
const LARGE = 20_000;

export const stackHeight = (plots: number): number => TOP_PX + plots * (PLOT_PX + GAP_PX) - GAP_PX + BOTTOM_PX;

/**
 * The genome under all plots: chromosomes in the order of the plot that has most of them, each as long as its last
 * marker in any plot; chromosomes that only others have come after them.
 */
export function commonGenome(plots: readonly StackedPlot[]): GenomeAxis {
  const byCount = [...plots].sort((a, b) => b.chromosomes.length - a.chromosomes.length);
  const names = [...new Set(byCount.flatMap(({ chromosomes }) => chromosomes))];
  const lengths = new Map<string, number>();
  for (const { points, chromosomes } of plots)
    for (let at = 0; at + 2 < points.length; at += PLOT_FIELDS) {
      const name = chromosomes[points[at] ?? 0] ?? '';
      lengths.set(name, Math.max(lengths.get(name) ?? 0, points[at + 1] ?? 0));
    }
  return layoutGenome(
    names,
    names.map((name) => lengths.get(name) ?? 0),
  );
}

/** The points with the indices of another list of chromosomes. */
export function reindexed({ points, chromosomes }: StackedPlot, genome: GenomeAxis): Float32Array {
  const index = chromosomes.map((name) => genome.names.indexOf(name));
  const copy = Float32Array.from(points);
  for (let at = 0; at + 2 < copy.length; at += PLOT_FIELDS) copy[at] = index[copy[at] ?? 0] ?? 0;
  return copy;
}

/** Manhattan plots under each other over one genome axis, each with its own scale of −log10 p. */
export function stackedManhattanOption(plots: readonly StackedPlot[], colors: ChartColors): ChartOption {
  const genome = commonGenome(plots);
  const middles = Array.from(genome.middles);
  const edge = genome.total * 0.006;
  const base = frame(colors);
  const isLast = (row: number): boolean => row === plots.length - 1;
  return {
    ...base,
    grid: plots.map((_, row) => ({ left: 58, right: 16, top: TOP_PX + row * (PLOT_PX + GAP_PX), height: PLOT_PX })),
    tooltip: {
      ...base.tooltip,
      formatter: ({ value, seriesName }: { value: ArrayLike<number>; seriesName: string }) => {
        const { chromosome, positionBp } = locate(genome, value[0] ?? 0);
        const place = `${genome.names[chromosome] ?? ''}: ${formatTick(Number((positionBp / 1e6).toFixed(3)))} Mb`;
        return `<b>${escapeHtml(seriesName)}</b><br>${escapeHtml(place)}<br>−log₁₀ p ${(value[1] ?? 0).toFixed(2)}`;
      },
    },
    xAxis: plots.map((_, row) => ({
      ...axis(colors, 'x', { name: '', min: -edge, max: genome.total + edge }),
      gridIndex: row,
      axisLabel: {
        show: isLast(row),
        color: colors.muted,
        fontSize: 12,
        hideOverlap: true,
        customValues: middles,
        formatter: (value: number) => genome.names[middles.indexOf(value)] ?? '',
      },
    })),
    yAxis: plots.map((plot, row) => {
      let largest = plot.threshold ?? 0;
      for (let at = 2; at < plot.points.length; at += PLOT_FIELDS) largest = Math.max(largest, plot.points[at] ?? 0);
      return {
        ...axis(colors, 'y', { name: plot.name, min: 0, ...axisToRoundEnd(largest) }),
        gridIndex: row,
        splitNumber: 3,
        nameTextStyle: { color: colors.text, fontSize: 12, fontWeight: 600 },
        // A longer name would run into the plot above.
        nameTruncate: { maxWidth: PLOT_PX, ellipsis: '…' },
      };
    }),
    series: plots.flatMap((plot, row) =>
      splitByTone(reindexed(plot, genome), genome).map((data, tone) => ({
        type: 'scatter',
        name: plot.name,
        xAxisIndex: row,
        yAxisIndex: row,
        data,
        dimensions: ['x', 'y'],
        symbolSize: 3,
        large: plot.points.length > LARGE * PLOT_FIELDS,
        largeThreshold: 1,
        itemStyle: { color: colors.tones[tone === 0 ? 0 : 1], opacity: 0.85 },
        ...(tone === 0 && plot.threshold !== undefined
          ? {
              markLine: {
                silent: true,
                symbol: 'none',
                data: [thresholdLine(colors, plot.threshold, '', [6, 4])],
              },
            }
          : {}),
      })),
    ),
  };
}
