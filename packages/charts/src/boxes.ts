import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, escapeHtml, frame } from './chart-option.ts';

/** Minimum, lower quartile, median, upper quartile, maximum. */
export type FiveNumbers = readonly [number, number, number, number, number];

export interface Box {
  name: string;
  n: number;
  numbers: FiveNumbers;
}

/** Beyond this many the names under the boxes are turned. */
const LEVEL_NAMES = 8;
const TURNED_NAMES_PX = 64;

/** Boxes from the smallest to the largest value, the quartiles and the median between them. */
export function boxesOption(
  boxes: readonly Box[],
  labels: { x: string; y: string; n: string; format: (value: number) => string },
  colors: ChartColors,
): ChartOption {
  const isTurned = boxes.length > LEVEL_NAMES;
  const more = isTurned ? TURNED_NAMES_PX : 0;
  return {
    ...frame(colors, { bottom: 44 + more }),
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const box = boxes[dataIndex];
        return box === undefined
          ? ''
          : `${escapeHtml(box.name)}: ${labels.n} ${box.n}<br>${box.numbers.map(labels.format).join(' · ')}`;
      },
    },
    xAxis: {
      ...axis(colors, 'x', { name: labels.x, type: 'category', data: boxes.map(({ name }) => name) }),
      nameGap: 28 + more,
      axisLabel: {
        color: colors.muted,
        fontSize: 12,
        hideOverlap: true,
        ...(isTurned ? { rotate: 45, width: 84, overflow: 'truncate' } : {}),
      },
    },
    yAxis: axis(colors, 'y', { name: labels.y }),
    series: [
      {
        type: 'boxplot',
        data: boxes.map(({ numbers }) => [...numbers]),
        itemStyle: { color: 'transparent', borderColor: colors.mark, borderWidth: 1.5 },
        boxWidth: [6, 44],
      },
    ],
  };
}
