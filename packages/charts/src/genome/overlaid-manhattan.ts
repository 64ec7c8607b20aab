import type { ChartColors } from '../chart-colors.ts';
import { axis, type ChartOption, escapeHtml, frame, thresholdLine } from '../chart-option.ts';
import { formatTick } from '../format.ts';
import { axisToRoundEnd } from '../round-ticks.ts';
import { type GenomeAxis, locate, PLOT_FIELDS } from './genome-axis.ts';
import { commonGenome, reindexed, type StackedPlot } from './stacked-manhattan.ts';

export const OVERLAY_HEIGHT = 340;

const LARGE = 20_000;
/** Blue and vermilion of the palette: apart for every kind of colour vision, and dark enough for small points. */
const COLOR_OF_RUN = [0, 5];
const SYMBOLS = ['circle', 'triangle'];

/** Two Manhattan plots on the same axes, a colour and a shape for each, with lines between chromosomes. */
export function overlaidManhattanOption(plots: readonly StackedPlot[], colors: ChartColors): ChartOption {
  const genome = commonGenome(plots);
  const middles = Array.from(genome.middles);
  const edge = genome.total * 0.006;
  const base = frame(colors, { top: 36 });
  let largest = 0;
  for (const { points, threshold = 0 } of plots) {
    largest = Math.max(largest, threshold);
    for (let at = 2; at < points.length; at += PLOT_FIELDS) largest = Math.max(largest, points[at] ?? 0);
  }
  return {
    ...base,
    legend: {
      top: 0,
      left: 52,
      right: 16,
      type: 'scroll',
      itemWidth: 10,
      itemHeight: 10,
      textStyle: { color: colors.text, fontSize: 12 },
    },
    tooltip: {
      ...base.tooltip,
      formatter: ({ value, seriesName }: { value: ArrayLike<number>; seriesName: string }) => {
        const { chromosome, positionBp } = locate(genome, value[0] ?? 0);
        const place = `${genome.names[chromosome] ?? ''}: ${formatTick(Number((positionBp / 1e6).toFixed(3)))} Mb`;
        return `<b>${escapeHtml(seriesName)}</b><br>${escapeHtml(place)}<br>−log₁₀ p ${(value[1] ?? 0).toFixed(2)}`;
      },
    },
    xAxis: {
      ...axis(colors, 'x', { name: '', min: -edge, max: genome.total + edge }),
      axisLabel: {
        color: colors.muted,
        fontSize: 12,
        hideOverlap: true,
        customValues: middles,
        formatter: (value: number) => genome.names[middles.indexOf(value)] ?? '',
      },
    },
    yAxis: { ...axis(colors, 'y', { name: '−log₁₀ p', min: 0, ...axisToRoundEnd(largest) }) },
    series: plots.map((plot, place) => {
      const color = colors.series[COLOR_OF_RUN[place] ?? place] ?? colors.mark;
      const points = reindexed(plot, genome);
      const data = new Float64Array((points.length / PLOT_FIELDS) * 2);
      for (let at = 0, to = 0; at + 2 < points.length; at += PLOT_FIELDS, to += 2) {
        data[to] = (genome.offsets[points[at] ?? 0] ?? 0) + (points[at + 1] ?? 0);
        data[to + 1] = points[at + 2] ?? 0;
      }
      return {
        type: 'scatter',
        name: plot.name,
        data,
        dimensions: ['x', 'y'],
        symbol: SYMBOLS[place] ?? 'circle',
        symbolSize: 4,
        large: plot.points.length > LARGE * PLOT_FIELDS,
        largeThreshold: 1,
        itemStyle: { color, opacity: 0.7 },
        markLine: {
          silent: true,
          symbol: 'none',
          data: [
            ...(place === 0 ? borders(genome, colors) : []),
            ...(plot.threshold === undefined
              ? []
              : [
                  {
                    ...thresholdLine(colors, plot.threshold, ''),
                    // Equal thresholds: the dashes of one show in the gaps of the other.
                    lineStyle: { color, type: [6, 6], dashOffset: place * 6, width: 1 },
                  },
                ]),
          ],
        },
      };
    }),
  };
}

/** Thin lines halfway between two chromosomes. */
function borders({ offsets, middles }: GenomeAxis, colors: ChartColors) {
  return Array.from(offsets.subarray(1), (start, index) => {
    const end = 2 * (middles[index] ?? 0) - (offsets[index] ?? 0);
    return {
      xAxis: (start + end) / 2,
      lineStyle: { color: colors.line, type: 'solid', width: 1 },
      label: { show: false },
    };
  });
}
