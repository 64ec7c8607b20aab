import { countsIn, histogramOption, histogramRows } from '@heterosis/charts/histogram';
import type { Histogram } from '@heterosis/contracts/data/files-qc';
import { type ReactNode, useMemo } from 'react';
import { Figure } from '../../../../components/charts/figure.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { formatStatistic } from '../../../../lib/format/format.ts';

const SMALL = 220;

export function HistogramFigure(props: {
  title: string;
  caption?: ReactNode;
  height?: number;
  x: string;
  y: string;
  histogram: Histogram;
  fileName: string;
  /** The values of those that are selected on the page. */
  selected?: readonly number[];
  onBrush?: (from: number, to: number) => void;
}) {
  const colors = useChartColors();
  const { histogram, x, y, selected } = props;
  const option = useMemo(
    () =>
      histogramOption(
        histogram,
        { x, y, format: formatStatistic },
        colors,
        selected && countsIn(histogram, histogram.counts.length, selected),
      ),
    [histogram, x, y, colors, selected],
  );
  return (
    <Figure
      title={props.title}
      caption={props.caption}
      label={props.title}
      option={option}
      height={props.height ?? SMALL}
      {...(props.onBrush ? { onBrush: props.onBrush } : {})}
      fileName={props.fileName}
      table={{ head: [`${x} ≥`, `${x} <`, y], rows: histogramRows(histogram), format: formatStatistic }}
    />
  );
}
