import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, escapeHtml, frame } from './chart-option.ts';
import { formatCount, formatTick } from './format.ts';

export interface ContigDensity {
  name: string;
  lengthBp: number;
  /** Markers in equal parts of this contig. */
  counts: readonly number[];
}

/** One row a bin: index of the contig, start and end in Mb, count. */
function densityCells(contigs: readonly ContigDensity[]): [number, number, number, number][] {
  return contigs.flatMap((contig, row) => {
    const widthMb = contig.lengthBp / 1e6 / Math.max(1, contig.counts.length);
    return contig.counts.map((count, bin): [number, number, number, number] => [
      row,
      bin * widthMb,
      (bin + 1) * widthMb,
      count,
    ]);
  });
}

/** Marker density along every chromosome, each as long as it is. */
export function densityOption(
  contigs: readonly ContigDensity[],
  labels: { x: string },
  colors: ChartColors,
): ChartOption {
  const cells = densityCells(contigs);
  return {
    ...frame(colors, { left: 72, right: 64 }),
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ value }: { value: [number, number, number, number] }) =>
        `${escapeHtml(contigs[value[0]]?.name ?? '')}: ${formatTick(Number(value[1].toFixed(1)))} – ${formatTick(Number(value[2].toFixed(1)))} Mb<br>${formatCount(value[3])}`,
    },
    xAxis: { ...axis(colors, 'x', { name: labels.x }), min: 0, splitLine: { show: false } },
    yAxis: {
      ...axis(colors, 'y', { name: '', type: 'category', data: contigs.map((contig) => contig.name) }),
      inverse: true,
      splitLine: { show: false },
      axisLabel: { color: colors.muted, fontSize: 11, width: 64, overflow: 'truncate' },
    },
    visualMap: {
      dimension: 3,
      min: 0,
      max: Math.max(1, ...cells.map((cell) => cell[3])),
      orient: 'vertical',
      right: 0,
      top: 'middle',
      itemHeight: 80,
      itemWidth: 12,
      text: [formatCount(Math.max(1, ...cells.map((cell) => cell[3]))), '0'],
      textGap: 4,
      textStyle: { color: colors.muted, fontSize: 11 },
      inRange: { color: [colors.dark ? '#272726' : '#f4f4f3', colors.mark] },
    },
    series: [
      {
        type: 'custom',
        data: cells,
        encode: { x: [1, 2], y: 0 },
        renderItem: (
          _params: unknown,
          api: {
            value: (dimension: number) => number;
            coord: (point: [number, number]) => [number, number];
            size: (extent: [number, number]) => [number, number];
            visual: (name: 'color') => string;
          },
        ) => {
          const [left, middle] = api.coord([api.value(1), api.value(0)]);
          const [right] = api.coord([api.value(2), api.value(0)]);
          const height = api.size([0, 1])[1] * 0.82;
          return {
            type: 'rect',
            // Bins touch: half a pixel more hides the seams between them.
            shape: { x: left, y: middle - height / 2, width: right - left + 0.5, height },
            style: { fill: api.visual('color') },
          };
        },
      },
    ],
  };
}
