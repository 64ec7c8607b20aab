import type { TrialObservation } from '@heterosis/contracts/data/trial-observations';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { formatDateTime } from '../../../../lib/format/format.ts';
import { NOTHING } from './value-table.ts';
import { plotHistoryQuery } from './values.api.ts';

const withReason = (state: string, reason: string | null): string => (reason === null ? state : `${state}: ${reason}`);

/** All that was ever observed on a plot: what counts, what was replaced, what was set aside and why. */
export function PlotHistory(props: { projectId: string; trialId: string; plot: number }) {
  const { projectId, trialId, plot } = props;
  const { t } = useTranslation();
  const history = useQuery(plotHistoryQuery(projectId, trialId, plot));
  const stateOf = (row: TrialObservation): string => {
    if (row.state === 'STAGED') return t('trials.staged.waits');
    if (row.state === 'DECLINED') return withReason(t('trials.staged.declined'), row.reason);
    if (!row.is_current) return t('trials.replaced');
    if (row.state === 'KEPT') return t('trials.counts');
    return withReason(t('trials.setAside'), row.reason);
  };
  const columns: DataColumn<TrialObservation>[] = [
    { id: 'trait', header: t('trials.trait'), value: (row) => row.trait },
    { id: 'value', header: t('trials.value'), value: (row) => row.value ?? NOTHING, numeric: true, width: 110 },
    { id: 'state', header: t('column.state'), value: stateOf, wrap: true },
    { id: 'by', header: t('trials.collector'), value: (row) => row.collector ?? row.created_by, width: 180 },
    {
      ...{ id: 'at', header: t('trials.when'), width: 200 },
      value: (row) => row.observed_at,
      cell: (row) => formatDateTime(row.observed_at),
    },
  ];
  if (history.data?.data.length === 0) return null;
  return (
    <Section title={t('trials.plotHistory', { number: plot })}>
      <DataTable
        id="trial-plot-history"
        label={t('trials.plotHistory', { number: plot })}
        columns={columns}
        rows={history.data?.data}
        isLoading={history.isLoading}
        error={history.error}
        onRetry={() => void history.refetch()}
        rowId={(row) => row.id}
        hasTools={false}
      />
    </Section>
  );
}
