import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, escapeHtml, frame } from './chart-option.ts';

export interface Interval {
  name: string;
  value: number;
  /** Half the length of its bar; null draws none. */
  error: number | null;
  /** Drawn in another colour. */
  isMarked: boolean;
}

const NAME_PX = 130;
const CAP_PX = 4;

/** One value a row with a bar around it, the first row on top; a dashed line at `from`, which all are compared with. */
export function intervalsOption(
  rows: readonly Interval[],
  labels: { x: string; from?: number | undefined; format: (value: number) => string },
  colors: ChartColors,
): ChartOption {
  const colorOf = ({ isMarked }: Interval): string => (isMarked ? colors.threshold : colors.mark);
  return {
    ...frame(colors, { left: NAME_PX, bottom: 44, right: 16 }),
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const { name, value, error } = rows[dataIndex] ?? { name: '', value: Number.NaN, error: null };
        return `${escapeHtml(name)}<br>${labels.format(value)}${error === null ? '' : ` ± ${labels.format(error)}`}`;
      },
    },
    xAxis: axis(colors, 'x', { name: labels.x }),
    yAxis: {
      ...axis(colors, 'y', { name: '', type: 'category', data: rows.map(({ name }) => name) }),
      inverse: true,
      axisLabel: { color: colors.muted, fontSize: 12, lineHeight: 14, width: NAME_PX - 12, overflow: 'break' },
    },
    series: [
      {
        type: 'custom',
        silent: true,
        data: rows.map(({ value, error }, row) => [value - (error ?? 0), value + (error ?? 0), row]),
        encode: { x: [0, 1], y: 2 },
        renderItem: (
          { dataIndex }: { dataIndex: number },
          api: { value: (dimension: number) => number; coord: (point: [number, number]) => [number, number] },
        ) => {
          const row = rows[dataIndex];
          if (row?.error == null) return null;
          const [from, y] = api.coord([api.value(0), api.value(2)]);
          const [to] = api.coord([api.value(1), api.value(2)]);
          const style = { stroke: colorOf(row), lineWidth: 1.5 };
          const line = (x1: number, y1: number, x2: number, y2: number) => ({
            type: 'line',
            shape: { x1, y1, x2, y2 },
            style,
          });
          return {
            type: 'group',
            children: [
              line(from, y, to, y),
              line(from, y - CAP_PX, from, y + CAP_PX),
              line(to, y - CAP_PX, to, y + CAP_PX),
            ],
          };
        },
      },
      {
        type: 'scatter',
        data: rows.map((row, place) => ({ value: [row.value, place], itemStyle: { color: colorOf(row) } })),
        symbolSize: 10,
        ...(labels.from === undefined
          ? {}
          : {
              markLine: {
                silent: true,
                symbol: 'none',
                // Otherwise the line is drawn at the value rounded to two decimals.
                precision: 10,
                data: [{ xAxis: labels.from }],
                lineStyle: { color: colors.muted, type: [5, 4], width: 1 },
                label: { show: false },
              },
            }),
      },
    ],
  };
}
