import { scatterOption } from '@heterosis/charts/scatter';
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatStatistic } from '../../lib/format/format.ts';
import type { PageSelection } from '../table/use-selection.ts';
import { Figure } from './figure.tsx';
import { useChartColors } from './use-chart-colors.ts';

/** The names whose value lies between two ends, both included. */
export const namesBetween = (
  names: readonly string[],
  values: readonly (number | null | undefined)[],
  from: number,
  to: number,
): string[] =>
  names.filter((_, i) => {
    const value = values[i];
    return value !== null && value !== undefined && value >= from && value <= to;
  });

interface Side {
  /** With its unit. */
  label: string;
  values: readonly (number | null | undefined)[];
}

/** Two values of the same individuals against each other; dragging selects, and what is selected stands out. */
export function LinkedScatter(props: {
  title: string;
  caption?: ReactNode;
  names: readonly string[];
  x: Side;
  y: Side;
  height: number;
  fileName: string;
  pictureNote?: string;
  selection: PageSelection;
  tools?: ReactNode;
}) {
  const { title, names, x, y, height, fileName, selection } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const option = useMemo(
    () =>
      scatterOption(
        names.flatMap((name, i) => {
          const [right, up] = [x.values[i] ?? Number.NaN, y.values[i] ?? Number.NaN];
          return Number.isNaN(right) || Number.isNaN(up) ? [] : [{ name, x: right, y: up }];
        }),
        { x: x.label, y: y.label, format: formatStatistic, selected: selection.ids },
        colors,
      ),
    [names, x.values, y.values, x.label, y.label, colors, selection.ids],
  );
  return (
    <Figure
      title={title}
      caption={props.caption}
      label={title}
      option={option}
      height={height}
      onBrush={(from, to) => selection.select(namesBetween(names, x.values, from, to))}
      fileName={fileName}
      pictureNote={props.pictureNote}
      tools={props.tools}
      table={{
        head: [t('word.individual'), x.label, y.label],
        rows: names.map((name, i) => [name, x.values[i] ?? null, y.values[i] ?? null]),
        format: formatStatistic,
      }}
    />
  );
}
