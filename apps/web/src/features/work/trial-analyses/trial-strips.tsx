import { TRIAL_ANALYSIS_OPTIONS } from '@heterosis/contracts/options/trials';
import type { TrialStrip } from '@heterosis/contracts/work/trial-analyses';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { StateBadge } from '../../../components/table/state-badge.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatDecimals, formatStatistic } from '../../../lib/format/format.ts';
import { TrendSpark } from './trend-spark.tsx';

const H2_DECIMALS = 2;

/** The trials of a trait, one a row: what was fitted, how far it can be trusted, and what looks wrong. */
export function TrialStrips(props: {
  strips: TrialStrip[];
  name: string;
  shown: string | undefined;
  onShow: (environment: string) => void;
}) {
  const { strips, name, shown, onShow } = props;
  const { t } = useTranslation();
  const columns = useStripColumns();
  return (
    <DataTable
      id="trial-strips"
      label={t('trial_analyses.trials')}
      columns={columns}
      rows={strips}
      rowId={(strip) => strip.environment}
      onOpen={(strip) => onShow(strip.environment)}
      isMarked={(strip) => strip.environment === shown}
      hasTools={strips.length > 1}
      hasSearch={strips.length > 10}
      csvName={`${name} trials`}
      maxHeight="24rem"
    />
  );
}

function useStripColumns(): DataColumn<TrialStrip>[] {
  const { t } = useTranslation();
  const textOf = useOptionText('trial_analyses', TRIAL_ANALYSIS_OPTIONS);
  return useMemo(() => {
    const h2 = (id: 'cullis' | 'piepho' | 'plot'): DataColumn<TrialStrip> => ({
      id,
      header: t(`trial_analyses.h2.${id}`),
      hint: t(`trial_analyses.h2.${id}Hint`),
      value: (strip) => strip.h2?.[id] ?? null,
      cell: (strip) => {
        const value = strip.h2?.[id] ?? null;
        const reason = strip.h2_reasons[id];
        return (
          <span className="hx-tabular" title={value === null ? reason : undefined}>
            {formatDecimals(value, H2_DECIMALS)}
          </span>
        );
      },
      numeric: true,
      width: id === 'cullis' ? 110 : 120,
      narrow: id === 'cullis',
      hidden: id === 'piepho',
    });
    return [
      { id: 'environment', header: t('trial_analyses.trial'), value: (strip) => strip.environment, minWidth: 120 },
      {
        id: 'model',
        header: textOf('model', 'label'),
        hint: t('trial_analyses.modelHint'),
        value: (strip) => (strip.model ? textOf('model', 'labels', strip.model) : t('trial_analyses.leftOut')),
        cell: (strip) =>
          strip.model ? (
            textOf('model', 'labels', strip.model)
          ) : (
            <StateBadge kind="warning" label={t('trial_analyses.leftOut')} />
          ),
        width: 225,
      },
      h2('cullis'),
      h2('piepho'),
      h2('plot'),
      {
        id: 'trend',
        header: t('trial_analyses.trend'),
        hint: t('trial_analyses.trendHint'),
        value: (strip) => (strip.trend.length === 0 ? null : Math.max(...strip.trend) - Math.min(...strip.trend)),
        cell: (strip) => <TrendSpark trend={strip.trend} along={strip.trend_along} />,
        width: 125,
      },
      {
        id: 'sed',
        header: t('trial_analyses.sed'),
        hint: t('trial_analyses.sedHint'),
        value: (strip) => strip.mean_sed,
        cell: (strip) => <NumberCell value={strip.mean_sed} />,
        numeric: true,
        width: 100,
        hidden: true,
      },
      {
        id: 'plots',
        header: t('trial_analyses.plots'),
        value: (strip) => strip.plots,
        cell: (strip) => <NumberCell value={strip.plots} kind="count" />,
        numeric: true,
        width: 90,
      },
      {
        id: 'lines',
        header: t('trial_analyses.lines'),
        value: (strip) => strip.lines,
        cell: (strip) => <NumberCell value={strip.lines} kind="count" />,
        numeric: true,
        width: 90,
      },
      {
        id: 'doubts',
        header: t('trial_analyses.doubts'),
        hint: t('trial_analyses.doubtsHint'),
        value: (strip) => strip.outliers.length + strip.suspicions.length,
        cell: (strip) => <Doubts strip={strip} />,
        startsDescending: true,
        minWidth: 170,
      },
      {
        id: 'aic',
        header: 'AIC',
        hint: t('trial_analyses.criterionHint'),
        value: (strip) => strip.aic,
        cell: (strip) => formatStatistic(strip.aic),
        numeric: true,
        width: 100,
        hidden: true,
      },
    ];
  }, [t, textOf]);
}

/** What looks wrong, in a few words. */
function Doubts({ strip }: { strip: TrialStrip }) {
  const { t } = useTranslation();
  if (strip.state === 'LEFT_OUT') return strip.reason;
  const said = [
    ...(strip.outliers.length > 0 ? [t('trial_analyses.outliers', { count: strip.outliers.length })] : []),
    ...(strip.suspicions.length > 0 ? [t('trial_analyses.suspicions', { count: strip.suspicions.length })] : []),
    ...(strip.set_aside > 0 ? [t('trial_analyses.plotsAside', { count: strip.set_aside })] : []),
  ].join(', ');
  if (said === '') return <span className="hx-muted">{t('trial_analyses.noDoubts')}</span>;
  return strip.outliers.length + strip.suspicions.length > 0 ? <StateBadge kind="warning" label={said} /> : said;
}
