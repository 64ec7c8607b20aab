import type { TrialCompleteness } from '@heterosis/contracts/data/trial-observations';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { NumberCell } from '../../../../components/table/number-cell.tsx';
import { RelativeTime } from '../../../../components/table/relative-time.tsx';
import { formatDay, formatShare } from '../../../../lib/format/format.ts';
import { completenessQuery } from './values.api.ts';

type OfTrait = TrialCompleteness['traits'][number];
type OfDay = TrialCompleteness['days'][number];

/** How far a trial is collected: by trait, and who collected how much on which day. */
export function Completeness({ projectId, trialId }: { projectId: string; trialId: string }) {
  const { t } = useTranslation();
  const query = useQuery(completenessQuery(projectId, trialId));
  const { planted = 0, traits, days } = query.data ?? {};
  const count = <Row,>(id: string, header: string, value: (row: Row) => number): DataColumn<Row> => ({
    ...{ id, header, value, numeric: true, width: 110 },
    cell: (row) => <NumberCell value={value(row)} decimals={0} />,
  });
  const ofTraits: DataColumn<OfTrait>[] = [
    { id: 'trait', header: t('trials.trait'), value: (row) => row.trait },
    {
      ...{ id: 'share', header: t('trials.collected'), numeric: true, width: 110, narrow: true },
      value: (row) => (planted === 0 ? null : row.values / planted),
      cell: (row) => formatShare(planted === 0 ? null : row.values / planted),
    },
    count('values', t('trials.values'), (row) => row.values),
    count('missing', t('trials.notObserved'), (row) => row.missing),
    count('aside', t('trials.setAside'), (row) => row.set_aside),
    count('conflicts', t('trials.questions'), (row) => row.conflicts),
    count('waiting', t('trials.waiting'), (row) => row.waiting),
    {
      ...{ id: 'last', header: t('trials.lastValue'), width: 140 },
      value: (row) => row.last_at,
      cell: (row) => row.last_at && <RelativeTime date={row.last_at} />,
    },
  ];
  const ofDays: DataColumn<OfDay>[] = [
    { id: 'day', header: t('trials.day'), value: (row) => row.day, cell: (row) => formatDay(row.day) },
    { id: 'trait', header: t('trials.trait'), value: (row) => row.trait, width: 160, narrow: true },
    { id: 'by', header: t('trials.collector'), value: (row) => row.collector, width: 200 },
    count('values', t('trials.values'), (row) => row.values),
  ];
  return (
    <Section title={t('trials.completeness')}>
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      <DataTable
        id="trial-completeness"
        label={t('trials.completeness')}
        columns={ofTraits}
        rows={traits}
        isLoading={query.isLoading}
        rowId={(row) => row.trait}
        hasTools={false}
      />
      {days && days.length > 0 && (
        <DataTable
          id="trial-days"
          label={t('trials.byDay')}
          columns={ofDays}
          rows={days}
          rowId={(row) => `${row.day} ${row.trait} ${row.collector ?? ''}`}
          maxHeight="18rem"
          csvName={t('trials.byDay')}
        />
      )}
    </Section>
  );
}
