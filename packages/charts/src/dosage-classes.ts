import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, frame } from './chart-option.ts';

/** Classes of dosage by their alleles: AAAA, AAAB … of tetraploids. */
export const classNames = (ploidy: number): string[] =>
  Array.from({ length: ploidy + 1 }, (_, copies) => 'A'.repeat(ploidy - copies) + 'B'.repeat(copies));

/** A bar for each class, and a mark where it would end if `expected` were true. */
export function dosageClassesOption(
  classes: readonly { name: string; count: number; expected: number }[],
  labels: { x: string; y: string; expected: string; format: (value: number) => string },
  colors: ChartColors,
): ChartOption {
  return {
    ...frame(colors),
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const one = classes[dataIndex];
        return one === undefined
          ? ''
          : `${one.name}: ${labels.format(one.count)}<br>${labels.expected}: ${labels.format(one.expected)}`;
      },
    },
    xAxis: axis(colors, 'x', { name: labels.x, type: 'category', data: classes.map(({ name }) => name) }),
    yAxis: axis(colors, 'y', { name: labels.y, min: 0 }),
    series: [
      {
        type: 'bar',
        data: classes.map(({ count }) => count),
        itemStyle: { color: colors.mark },
        barCategoryGap: '20%',
      },
      {
        type: 'scatter',
        data: classes.map(({ expected }) => expected),
        symbol: 'rect',
        symbolSize: [28, 3],
        itemStyle: { color: colors.threshold },
      },
    ],
  };
}
