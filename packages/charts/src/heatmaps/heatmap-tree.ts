import type { ChartColors } from '../chart-colors.ts';
import { axis } from '../chart-option.ts';

/** Two groups that are joined: numbers below the count of leaves are leaves, the others earlier joinings. */
export interface Joining {
  left: number;
  right: number;
  height: number;
}

/** Width of a tree and of the gap before it. */
export const TREE_PX = 84;
const GAP_PX = 6;

/** A joining as it is drawn: from the stems of both groups to its own. */
type Fork = [height: number, top: number, topHeight: number, bottom: number, bottomHeight: number];

/** Where the forks of a tree stand whose leaves are in its order, from 0 on. */
export function forksOf(leaves: number, joinings: readonly Joining[]): Fork[] {
  const stems = Array.from({ length: leaves }, (_, at) => ({ at, height: 0 }));
  return joinings.flatMap(({ left, right, height }): Fork[] => {
    const [one, other] = [stems[left], stems[right]];
    if (one === undefined || other === undefined) return [];
    stems.push({ at: (one.at + other.at) / 2, height });
    return [[height, one.at, one.height, other.at, other.height]];
  });
}

/** The parts of a chart that draw a tree on the right of a heat map, whose rows are its leaves. */
export function treeBeside(
  tree: { joinings: readonly Joining[]; name: string; leaves: number; format: (value: number) => string },
  around: { top: number; bottom: number; right: number },
  colors: ChartColors,
) {
  const { joinings, name, leaves, format } = tree;
  const most = Math.max(...joinings.map(({ height }) => height), 0);
  const none = { show: false };
  return {
    grid: { top: around.top, bottom: around.bottom, right: around.right, width: TREE_PX - GAP_PX },
    xAxis: {
      ...axis(colors, 'x', { type: 'value', name }),
      ...{ gridIndex: 1, min: 0, max: most > 0 ? most : 1, interval: most > 0 ? most : 1, splitLine: none },
      axisLabel: { color: colors.muted, fontSize: 11, formatter: (height: number) => format(height) },
      ...{ nameLocation: 'middle', nameGap: 24, axisLine: { show: true, lineStyle: { color: colors.line } } },
    },
    // Half a row beyond the first and the last, as the cells are.
    yAxis: { type: 'value', gridIndex: 1, min: -0.5, max: leaves - 0.5, inverse: true, show: false },
    series: {
      type: 'custom',
      ...{ xAxisIndex: 1, yAxisIndex: 1, silent: true, tooltip: none, data: forksOf(leaves, joinings) },
      renderItem: (
        _params: unknown,
        api: { value: (dimension: number) => number; coord: (point: [number, number]) => [number, number] },
      ) => {
        const at = (x: number, y: number): [number, number] => api.coord([api.value(x), api.value(y)]);
        return {
          type: 'polyline',
          shape: { points: [at(2, 1), at(0, 1), at(0, 3), at(4, 3)] },
          style: { stroke: colors.muted, lineWidth: 1.25, fill: 'none' },
        };
      },
    },
  };
}
