import type { TrialSeries } from '@heterosis/contracts/work/trial-analyses';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { NumberCell } from '../../../../components/table/number-cell.tsx';
import { formatDecimals, formatShare, formatStatistic } from '../../../../lib/format/format.ts';

const H2_DECIMALS = 2;

/** Each environment in the model of the series: its mean, heritability, loadings, and what is its own. */
export function SeriesFactors({ series, name }: { series: TrialSeries; name: string }) {
  const { t } = useTranslation();
  const columns = useMemo((): DataColumn<number>[] => {
    const { environments, means, mean_se: errors, h2, loadings, explained, specific, line_counts: counts } = series;
    const factors = loadings?.[0]?.length ?? 0;
    return [
      { id: 'environment', header: t('trial_analyses.trial'), value: (place) => environments[place] ?? '' },
      {
        id: 'lines',
        header: t('trial_analyses.lines'),
        value: (place) => counts[place] ?? null,
        numeric: true,
        width: 90,
      },
      {
        id: 'mean',
        header: t('trial_analyses.measure.mean'),
        value: (place) => means[place] ?? null,
        cell: (place) => {
          const error = errors[place] ?? null;
          return `${formatStatistic(means[place])}${error === null ? '' : ` ± ${formatStatistic(error)}`}`;
        },
        numeric: true,
        width: 160,
      },
      {
        id: 'h2',
        header: 'H²',
        hint: t('trial_analyses.seriesH2Hint'),
        value: (place) => h2[place] ?? null,
        cell: (place) => formatDecimals(h2[place] ?? null, H2_DECIMALS),
        numeric: true,
        width: 90,
        narrow: true,
      },
      ...Array.from({ length: factors }, (_, factor): DataColumn<number>[] => [
        {
          id: `loading-${factor}`,
          header: t('trial_analyses.loading', { factor: factor + 1 }),
          hint: t('trial_analyses.loadingHint'),
          value: (place) => loadings?.[place]?.[factor] ?? null,
          cell: (place) => <NumberCell value={loadings?.[place]?.[factor]} />,
          numeric: true,
          width: 120,
        },
        {
          id: `explained-${factor}`,
          header: t('trial_analyses.explained', { factor: factor + 1 }),
          hint: t('trial_analyses.explainedHint'),
          value: (place) => explained?.[place]?.[factor] ?? null,
          cell: (place) => formatShare(explained?.[place]?.[factor]),
          numeric: true,
          width: 130,
        },
      ]).flat(),
      {
        id: 'specific',
        header: t('trial_analyses.specific'),
        hint: t('trial_analyses.specificHint'),
        value: (place) => specific[place]?.value ?? null,
        cell: (place) => {
          const { value, at_bound: isAtBound } = specific[place] ?? { value: null, at_bound: false };
          return isAtBound ? t('trial_analyses.atBound', { value: formatStatistic(value) }) : formatStatistic(value);
        },
        numeric: true,
        width: 140,
      },
    ];
  }, [series, t]);
  return (
    <Section title={t('trial_analyses.environmentsTitle')} note={t('trial_analyses.environmentsNote')}>
      <DataTable
        id="trial-series-environments"
        label={t('trial_analyses.environmentsTitle')}
        columns={columns}
        rows={series.environments.map((_, place) => place)}
        rowId={(place) => series.environments[place] ?? ''}
        hasSearch={series.environments.length > 10}
        csvName={`${name} environments`}
        maxHeight="24rem"
      />
    </Section>
  );
}
