import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, escapeHtml, frame } from './chart-option.ts';

export interface MeanPoint {
  name: string;
  mean: number;
  /** Half the length of its bar; null draws none. */
  se: number | null;
  /** Drawn in another colour: a check. */
  isMarked: boolean;
}

/** Up to this many means there is room for large points and strong bars. */
const FEW = 150;

/** Means in ascending order, each with a bar of ± its standard error. */
export function orderedMeansOption(
  points: readonly MeanPoint[],
  labels: { x: string; y: string; plain: string; marked: string; format: (value: number) => string },
  colors: ChartColors,
): ChartOption {
  const ordered = [...points].sort((a, b) => a.mean - b.mean);
  const isFew = ordered.length <= FEW;
  const hasMarked = ordered.some((point) => point.isMarked);
  const seriesOf = (isMarked: boolean, name: string, color: string) => {
    const chosen = ordered.flatMap((point, rank) =>
      point.isMarked === isMarked ? [{ ...point, rank: rank + 1 }] : [],
    );
    return [
      {
        type: 'custom',
        name,
        silent: true,
        // For the legend.
        itemStyle: { color },
        data: chosen.flatMap(({ rank, mean, se }) => (se === null ? [] : [[rank, mean - se, mean + se]])),
        encode: { x: 0, y: [1, 2] },
        renderItem: (
          _params: unknown,
          api: { value: (dimension: number) => number; coord: (point: [number, number]) => [number, number] },
        ) => {
          const [x, low] = api.coord([api.value(0), api.value(1)]);
          const [, high] = api.coord([api.value(0), api.value(2)]);
          return {
            type: 'line',
            shape: { x1: x, y1: low, x2: x, y2: high },
            style: { stroke: color, lineWidth: isFew ? 1.5 : 1, opacity: isFew ? 0.7 : 0.35 },
          };
        },
      },
      {
        type: 'scatter',
        name,
        data: chosen.map(({ rank, mean, se, name: id }) => ({ value: [rank, mean], name: id, se })),
        symbolSize: isMarked ? 8 : isFew ? 5 : 3,
        itemStyle: { color },
      },
    ];
  };
  return {
    ...frame(colors, { bottom: hasMarked ? 72 : 44 }),
    ...(hasMarked
      ? { legend: { bottom: 0, textStyle: { color: colors.text, fontSize: 12 }, itemWidth: 12, itemHeight: 10 } }
      : {}),
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ name, value, data }: { name: string; value: number[]; data: { se: number | null } }) =>
        `${escapeHtml(name)}<br>${labels.format(value[1] ?? 0)}${data.se === null ? '' : ` ± ${labels.format(data.se)}`}`,
    },
    xAxis: {
      ...axis(colors, 'x', { name: labels.x, min: 0, max: ordered.length + 1 }),
      axisLabel: { show: false },
      nameGap: 12,
    },
    yAxis: axis(colors, 'y', { name: labels.y }),
    series: [
      ...seriesOf(false, labels.plain, colors.mark),
      ...(hasMarked ? seriesOf(true, labels.marked, colors.threshold) : []),
    ],
  };
}
