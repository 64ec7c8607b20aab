import { orderedMeansOption } from '@heterosis/charts/ordered-means';
import type { TrialMeanRow, TrialStrip } from '@heterosis/contracts/work/trial-analyses';
import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { formatStatistic, sharedDecimals } from '../../../lib/format/format.ts';
import { withUnit } from '../../data/files/index.ts';
import { lettersOf } from './letters.ts';
import { type TrialPlace, trialMeansQuery } from './trial-analyses.api.ts';

const HEIGHT = 300;
/** Of the normal distribution, for an interval of 95 %. */
const Z_95 = 1.96;

/** The means of a trial in their order, each with its interval; letters of groups for those who ask. */
export function TrialMeans(props: {
  place: TrialPlace;
  strip: TrialStrip;
  unit: string | null;
  checks: readonly string[];
  name: string;
  onLine: ((line: string) => void) | undefined;
}) {
  const { place, strip, unit, checks, name } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const [hasLetters, setLetters] = useState(false);
  const { data: rows, error, refetch } = useQuery(trialMeansQuery(place));
  const trait = withUnit(place.trait, unit);
  const least = strip.mean_sed === null ? undefined : Z_95 * strip.mean_sed;
  const letters = useMemo(
    () => (rows && hasLetters ? lettersByLine(rows, least) : undefined),
    [rows, hasLetters, least],
  );
  // The errors of means share that of the whole field; those of differences do not.
  const half = (se: number | null): number | null => (least === undefined ? se && Z_95 * se : least / 2);
  const option = useMemo(() => {
    const points = (rows ?? []).flatMap(({ line, mean, se }) =>
      mean === null ? [] : [{ name: line, mean, se: half(se), isMarked: checks.includes(line) }],
    );
    const labels = { x: t('trial_analyses.linesByMean'), y: trait, format: formatStatistic };
    return orderedMeansOption(
      points,
      { ...labels, plain: t('trial_analyses.entries'), marked: t('trial_analyses.checks') },
      colors,
    );
  }, [rows, checks, trait, colors, least, t]);
  const columns = useMeanColumns(rows, trait, letters);
  const title = t('trial_analyses.means');
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!rows) return <SkeletonLines lines={8} />;
  return (
    <Section
      title={title}
      note={least === undefined ? undefined : t('trial_analyses.meansNote', { lsd: formatStatistic(least) })}
      action={
        least !== undefined && (
          <Switch
            size="xs"
            label={t('trial_analyses.letters')}
            checked={hasLetters}
            onChange={(event) => setLetters(event.currentTarget.checked)}
          />
        )
      }
    >
      {hasLetters && letters === undefined && <p className="hx-muted">{t('trial_analyses.tooManyLetters')}</p>}
      <Figure
        title={t('trial_analyses.meansFigure', { trait: place.trait, trial: place.environment })}
        caption={t(least === undefined ? 'trial_analyses.meansIntervals' : 'trial_analyses.meansCaption')}
        label={title}
        option={option}
        height={HEIGHT}
        renderer="canvas"
        fileName={`${name} means`}
        table={() => ({
          head: [t('trial_analyses.line'), trait, t('trial_analyses.se')],
          rows: rows.map(({ line, mean, se }) => [line, mean, se]),
          format: formatStatistic,
        })}
      />
      <DataTable
        id="trial-means"
        label={title}
        columns={columns}
        rows={rows}
        rowId={({ line }) => line}
        {...(props.onLine ? { onOpen: ({ line }: TrialMeanRow) => props.onLine?.(line) } : {})}
        defaultSort={{ column: 'mean', descending: true }}
        csvName={`${name} means`}
        maxHeight="24rem"
      />
    </Section>
  );
}

function lettersByLine(rows: readonly TrialMeanRow[], least: number | undefined): Map<string, string> | undefined {
  const sorted = rows.flatMap(({ line, mean }) => (mean === null ? [] : [{ line, mean }]));
  sorted.sort((a, b) => b.mean - a.mean);
  const letters =
    least === undefined
      ? undefined
      : lettersOf(
          sorted.map(({ mean }) => mean),
          least,
        );
  return letters && new Map(sorted.map(({ line }, place) => [line, letters[place]?.join('') ?? '']));
}

function useMeanColumns(
  rows: readonly TrialMeanRow[] | undefined,
  trait: string,
  letters: Map<string, string> | undefined,
): DataColumn<TrialMeanRow>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const number = (
      id: 'mean' | 'se' | 'blup' | 'blup_se',
      header: string,
      hint?: string,
    ): DataColumn<TrialMeanRow> => {
      const decimals = sharedDecimals((rows ?? []).map((row) => row[id]));
      return {
        id,
        header,
        ...(hint === undefined ? {} : { hint }),
        value: (row) => row[id],
        cell: (row) => <NumberCell value={row[id]} decimals={decimals} />,
        numeric: true,
        width: 130,
        narrow: id === 'mean',
      };
    };
    return [
      { id: 'line', header: t('trial_analyses.line'), value: ({ line }) => line },
      number('mean', trait, t('trial_analyses.meanHint')),
      number('se', t('trial_analyses.se')),
      ...(letters === undefined
        ? []
        : [
            {
              id: 'letters',
              header: t('trial_analyses.letters'),
              hint: t('trial_analyses.lettersHint'),
              value: ({ line }: TrialMeanRow) => letters.get(line) ?? null,
              width: 130,
            },
          ]),
      number('blup', 'BLUP', t('trial_analyses.blupHint')),
      number('blup_se', t('trial_analyses.blupSe')),
      {
        id: 'replicates',
        header: t('trial_analyses.plots'),
        value: (row) => row.replicates,
        cell: (row) => <NumberCell value={row.replicates} kind="count" />,
        numeric: true,
        width: 90,
      },
    ];
  }, [rows, trait, letters, t]);
}
