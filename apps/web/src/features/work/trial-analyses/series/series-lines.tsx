import { scatterOption } from '@heterosis/charts/scatter';
import type { TrialSeries } from '@heterosis/contracts/work/trial-analyses';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { Section } from '../../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { NumberCell } from '../../../../components/table/number-cell.tsx';
import { formatStatistic, sharedDecimals } from '../../../../lib/format/format.ts';
import { withUnit } from '../../../data/files/index.ts';

const HEIGHT = 400;

interface Props {
  series: TrialSeries;
  name: string;
  line: string | undefined;
  onLine: (line: string) => void;
}

/** Performance over all against stability: the lines to look at are on the right and low. */
function LineFigure({ series, name, checks, line, onLine }: Props & { checks: readonly string[] }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const { lines, unit } = series;
  // With a single factor no line strays from it.
  const hasFactors = lines.rmsd.some((value) => value !== null && value > 0);
  const side = {
    x: withUnit(t(`trial_analyses.${hasFactors ? 'performance' : 'overall'}`), unit),
    y: withUnit(t(hasFactors ? 'trial_analyses.rmsd' : 'trial_analyses.seOverall'), unit),
  };
  const [xs, ys] = hasFactors ? [lines.performance, lines.rmsd] : [lines.overall, lines.overall_se];
  const points = useMemo(
    () =>
      lines.line.flatMap((one, place) => {
        const [x, y] = [xs[place] ?? null, ys[place] ?? null];
        return x === null || y === null ? [] : [{ name: one, x, y, group: checks.includes(one) ? 1 : 0 }];
      }),
    [lines, xs, ys, checks],
  );
  const option = useMemo(
    () =>
      scatterOption(
        points,
        {
          ...side,
          format: formatStatistic,
          selected: new Set(line === undefined ? [] : [line]),
          ...(points.some(({ group }) => group === 1)
            ? { groups: [t('trial_analyses.entries'), t('trial_analyses.checks')] }
            : {}),
        },
        colors,
      ),
    [points, colors, line, side.x, side.y],
  );
  const title = t(hasFactors ? 'trial_analyses.stability' : 'trial_analyses.overallFigure');
  return (
    <Figure
      title={title}
      caption={t(hasFactors ? 'trial_analyses.stabilityCaption' : 'trial_analyses.overallCaption')}
      {...(hasFactors ? { meaning: t('trial_analyses.stabilityMeaning') } : {})}
      label={title}
      option={option}
      height={HEIGHT}
      renderer="canvas"
      onPoint={([x = 0, y = 0]) => {
        const chosen = points.find((point) => point.x === x && point.y === y);
        if (chosen) onLine(chosen.name);
      }}
      fileName={`${name} performance and stability`}
      table={{
        head: [t('trial_analyses.line'), side.x, side.y],
        rows: points.map((point) => [point.name, point.x, point.y]),
        format: formatStatistic,
      }}
    />
  );
}

type Measure = Exclude<keyof TrialSeries['lines'], 'line'>;
/** Beside what the model says, for those who expect them. */
const CLASSICAL: readonly Measure[] = [
  'mean',
  'slope',
  'deviations',
  'superiority',
  'variance',
  'ecovalence',
  'shukla',
];

function LineTable({ series, name, line, onLine }: Props) {
  const { t } = useTranslation();
  const { lines } = series;
  const columns = useMemo(() => {
    const measure = (id: Measure): DataColumn<number>[] => {
      const values = lines[id];
      if (values.every((value) => value === null || (id === 'rmsd' && value === 0))) return [];
      const decimals = sharedDecimals(values);
      return [
        {
          id,
          header: t(`trial_analyses.measure.${id}`),
          hint: t(`trial_analyses.measureHint.${id}`),
          value: (place) => values[place] ?? null,
          cell: (place) => <NumberCell value={values[place]} decimals={decimals} />,
          numeric: true,
          width: 125,
          hidden: CLASSICAL.includes(id) && id !== 'mean' && id !== 'slope',
          narrow: id === 'overall',
        },
      ];
    };
    const all: readonly Measure[] = ['overall', 'overall_se', 'reliability', 'performance', 'rmsd', ...CLASSICAL];
    return [
      {
        id: 'line',
        header: t('trial_analyses.line'),
        value: (place: number) => lines.line[place] ?? '',
      } satisfies DataColumn<number>,
      ...all.flatMap(measure),
    ];
  }, [lines, t]);
  return (
    <Section title={t('trial_analyses.linesOverAll')} note={t('trial_analyses.linesOverAllNote')}>
      <DataTable
        id="trial-series-lines"
        label={t('trial_analyses.linesOverAll')}
        columns={columns}
        rows={lines.line.map((_, place) => place)}
        rowId={(place) => lines.line[place] ?? ''}
        onOpen={(place) => onLine(lines.line[place] ?? '')}
        isMarked={(place) => lines.line[place] === line}
        defaultSort={{ column: 'overall', descending: true }}
        csvName={`${name} lines over all trials`}
        maxHeight="26rem"
      />
    </Section>
  );
}

/** The lines of a series: as points, and as a table. */
export const SeriesLines = { Figure: LineFigure, Table: LineTable };
