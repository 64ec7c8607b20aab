import type { FailedRun, QueueDepth } from '@heterosis/contracts/operation';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type DataColumn, DataTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { formatDuration } from '../../lib/format.ts';
import { failedRunsQuery, queueQuery, useRepeatRun } from './operation.api.ts';
import { OperatorPage } from './operator-page.tsx';

const laneId = ({ lane }: QueueDepth): string => lane;
const runId = ({ id }: FailedRun): string => id;

/** The queue, and runs that failed for reasons of the installation. */
export function WorkPage() {
  const { t } = useTranslation();
  const queue = useQuery(queueQuery());
  const lanes: DataColumn<QueueDepth>[] = [
    { id: 'lane', header: t('operator.work.lane'), value: (one) => one.lane },
    {
      id: 'waiting',
      header: t('operator.work.waiting'),
      value: (one) => one.waiting,
      numeric: true,
      width: 110,
      narrow: true,
    },
    { id: 'running', header: t('operator.work.running'), value: (one) => one.running, numeric: true, width: 110 },
    {
      id: 'oldest',
      header: t('operator.work.oldest'),
      value: (one) => one.oldest_waiting_seconds,
      cell: (one) => (one.oldest_waiting_seconds === null ? '–' : formatDuration(one.oldest_waiting_seconds)),
      numeric: true,
      width: 170,
    },
  ];
  return (
    <OperatorPage section="work" error={queue.error}>
      <Section title={t('operator.work.queue')}>
        <DataTable
          id="operator-queue"
          label={t('operator.work.queue')}
          columns={lanes}
          rows={queue.data?.data}
          rowId={laneId}
          isLoading={queue.isPending}
          error={queue.error}
          onRetry={() => void queue.refetch()}
          hasTools={false}
          empty={<p className="hx-muted">{t('operator.work.idle')}</p>}
        />
      </Section>
      <FailedRuns />
    </OperatorPage>
  );
}

function FailedRuns() {
  const { t } = useTranslation();
  const list = useQuery(failedRunsQuery());
  const repeat = useRepeatRun();
  const columns: DataColumn<FailedRun>[] = [
    { id: 'organization', header: t('column.organization'), value: (one) => one.organization },
    { id: 'step', header: t('operator.work.step'), value: (one) => one.step, width: 110 },
    { id: 'code', header: t('operator.work.code'), value: (one) => one.code, width: 200 },
    { id: 'attempts', header: t('operator.attempts'), value: (one) => one.attempts, numeric: true, width: 100 },
    {
      id: 'finished_at',
      header: t('operator.work.failed'),
      value: (one) => one.finished_at,
      cell: (one) => <RelativeTime date={one.finished_at} />,
      width: 130,
    },
    {
      id: 'repeat',
      header: t('operator.repeat'),
      value: () => '',
      cell: (one) =>
        one.is_retryable && (
          <Button
            size="compact-xs"
            variant="default"
            loading={repeat.isPending && repeat.variables === one.id}
            onClick={() => repeat.mutate(one.id)}
          >
            {t('operator.work.again')}
          </Button>
        ),
      sortable: false,
      width: 110,
      narrow: true,
    },
  ];
  return (
    <Section title={t('operator.work.failedRuns')} note={t('operator.work.failedNote')}>
      {repeat.error && <ErrorNotice error={repeat.error} />}
      <DataTable
        id="operator-failed-runs"
        label={t('operator.work.failedRuns')}
        columns={columns}
        rows={list.data}
        rowId={runId}
        isLoading={list.isPending}
        error={list.error}
        onRetry={() => void list.refetch()}
        hasTools={(list.data?.length ?? 0) > 8}
        empty={<p className="hx-muted">{t('operator.work.noneFailed')}</p>}
      />
    </Section>
  );
}
