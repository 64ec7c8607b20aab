import type { FailedRun, OperatedWorker, QueueDepth } from '@heterosis/contracts/operation';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { rowsOf } from '../../../components/table/rows-of.ts';
import { formatDuration } from '../../../lib/format/format.ts';
import { failedRunsQuery, queueQuery, useRepeatRun, workersQuery } from './operation.api.ts';
import { OperatorPage } from './operator-page.tsx';
import { repeatColumn } from './repeat-column.tsx';

/** What workers of a cluster offer. */
const UNLIMITED_MB = 2_000_000_000;
const laneId = ({ lane }: QueueDepth): string => lane;
const runId = ({ id }: FailedRun): string => id;

/** The queue, the workers, and runs that failed for reasons of the installation: shown at once, so that none moves. */
export function WorkPage() {
  const queue = useQuery(queueQuery());
  const isPending = [queue, useQuery(workersQuery()), useQuery(failedRunsQuery())].some((one) => one.isPending);
  return (
    <OperatorPage section="work" error={queue.error}>
      {isPending ? (
        <SkeletonLines lines={8} />
      ) : (
        <>
          <Queue />
          <Workers />
          <FailedRuns />
        </>
      )}
    </OperatorPage>
  );
}

function Queue() {
  const { t } = useTranslation();
  const queue = useQuery(queueQuery());
  const lanes: DataColumn<QueueDepth>[] = [
    { id: 'lane', header: t('operator.work.lane'), value: (one) => one.lane },
    {
      id: 'waiting',
      header: t('word.waiting'),
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
  );
}

const workerId = ({ id }: OperatedWorker): string => id;
const inGb = (mb: number): string => `${(mb / 1000).toFixed(1)} GB`;

function Workers() {
  const { t } = useTranslation();
  const list = useQuery(workersQuery());
  const columns: DataColumn<OperatedWorker>[] = [
    { id: 'host', header: t('operator.work.host'), value: (one) => one.host },
    { id: 'cores', header: t('operator.work.cores'), value: (one) => one.cores, numeric: true, width: 90 },
    {
      id: 'memory',
      header: t('operator.work.memory'),
      value: (one) => one.memory_mb,
      cell: (one) => (one.memory_mb >= UNLIMITED_MB ? t('operator.work.unlimited') : inGb(one.memory_mb)),
      numeric: true,
      width: 120,
      narrow: true,
    },
    {
      id: 'disk',
      header: t('operator.work.disk'),
      value: (one) => one.disk_mb,
      cell: (one) => inGb(one.disk_mb),
      numeric: true,
      width: 120,
    },
    {
      id: 'started',
      header: t('word.started'),
      value: (one) => one.started_at,
      cell: (one) => <RelativeTime date={one.started_at} />,
      width: 130,
    },
  ];
  return (
    <Section title={t('operator.work.workers')} note={t('operator.work.workersNote')}>
      <DataTable
        id="operator-workers"
        label={t('operator.work.workers')}
        columns={columns}
        rows={list.data?.data}
        rowId={workerId}
        isLoading={list.isPending}
        error={list.error}
        onRetry={() => void list.refetch()}
        hasTools={false}
        empty={<p className="hx-muted">{t('operator.work.noWorkers')}</p>}
      />
    </Section>
  );
}

function FailedRuns() {
  const { t } = useTranslation();
  const list = useQuery(failedRunsQuery());
  const repeat = useRepeatRun();
  const columns: DataColumn<FailedRun>[] = [
    { id: 'organization', header: t('nav.organization'), value: (one) => one.organization },
    { id: 'step', header: t('word.step'), value: (one) => one.step, width: 90 },
    { id: 'code', header: t('operator.work.code'), value: (one) => one.code, width: 170 },
    { id: 'attempts', header: t('word.attempts'), value: (one) => one.attempts, numeric: true, width: 90 },
    {
      id: 'finished_at',
      header: t('word.failed'),
      value: (one) => one.finished_at,
      cell: (one) => <RelativeTime date={one.finished_at} />,
      width: 130,
    },
    {
      ...repeatColumn<FailedRun>(
        t,
        t('operator.work.again'),
        ({ organization, step }) => `${step}, ${organization}`,
        repeat,
      ),
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
        {...rowsOf(list)}
        rowId={runId}
        hasTools={(list.data?.length ?? 0) > 8}
        empty={<p className="hx-muted">{t('operator.work.noneFailed')}</p>}
      />
    </Section>
  );
}
