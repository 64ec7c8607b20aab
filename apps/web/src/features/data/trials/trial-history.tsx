import type { Trial, TrialEvent } from '@heterosis/contracts/data/trials';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { trialEventsQuery, useTrialMutations } from './trials.api.ts';

/** What happened to a trial besides its values; a swap can be taken back. */
export function TrialHistory(props: { projectId: string; trial: Trial; mayChange: boolean }) {
  const { projectId, trial, mayChange } = props;
  const { t } = useTranslation();
  const events = useQuery(trialEventsQuery(projectId, trial.id));
  const { swap } = useTrialMutations(projectId);
  const columns: DataColumn<TrialEvent>[] = [
    {
      id: 'what',
      header: t('trials.what'),
      value: (row) => t(`trials.event.${row.type}`),
      cell: (row) => (
        <>
          {t(`trials.event.${row.type}`)}
          {row.plots.length > 0 && `: ${t('trials.plotsOf', { plots: row.plots.join(' ↔ ') })}`}
          {row.undone && ` (${t('trials.takenBack')})`}
        </>
      ),
    },
    { id: 'note', header: t('trials.note'), value: (row) => row.note, wrap: true },
    { id: 'by', header: t('lists.createdBy'), value: (row) => row.created_by ?? t('person.deleted'), width: 180 },
    {
      id: 'when',
      header: t('trials.when'),
      value: (row) => row.created_at,
      cell: (row) => <RelativeTime date={row.created_at} />,
      width: 140,
      narrow: true,
    },
    {
      id: 'undo',
      header: t('word.undo'),
      value: () => null,
      exported: [],
      sortable: false,
      width: 120,
      cell: (row) =>
        mayChange &&
        row.type === 'SWAPPED' &&
        !row.undone &&
        trial.state !== 'CLOSED' && (
          <Button
            size="compact-xs"
            variant="default"
            loading={swap.isPending && swap.variables?.undoes === row.id}
            onClick={() => swap.mutate({ id: trial.id, undoes: row.id })}
          >
            {t('trials.takeBack')}
          </Button>
        ),
    },
  ];
  return (
    <>
      {swap.error && <ErrorNotice error={swap.error} />}
      <DataTable
        id="trial-history"
        label={t('trials.history')}
        columns={columns}
        rows={events.data}
        isLoading={events.isLoading}
        error={events.error}
        onRetry={() => void events.refetch()}
        rowId={(row) => row.id}
      />
    </>
  );
}
