import type { Decision } from '@heterosis/contracts/work/decisions';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Page } from '../../../components/page/page.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { StateBadge } from '../../../components/table/state-badge.tsx';
import { useModal } from '../../../lib/browser/modal.ts';
import { useMayWrite, useProjectCrumbs } from '../../people/projects/index.ts';
import { decisionsQuery } from './decisions.api.ts';

/** The decisions of a project: how many lines each is about, and how far it is. */
export function DecisionsPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const query = useQuery(decisionsQuery(projectId));
  const mayWrite = useMayWrite(projectId);
  const modal = useModal();
  const count = (
    id: string,
    header: string,
    value: (row: Decision) => number,
    hint?: string,
  ): DataColumn<Decision> => ({
    ...{ id, header, value, numeric: true, width: id === 'disagreed' ? 140 : 110 },
    ...(hint === undefined ? {} : { hint }),
    cell: (row) => <NumberCell value={value(row)} decimals={0} />,
  });
  const columns: DataColumn<Decision>[] = [
    { id: 'name', header: t('column.name'), value: (row) => row.name },
    {
      id: 'state',
      header: t('column.state'),
      value: (row) => row.state,
      cell: (row) => <DecisionState decision={row} />,
      width: 130,
      narrow: true,
    },
    count('lines', t('decisions.lines'), (row) => row.line_count),
    count('advance', t('decisions.mark.ADVANCE'), (row) => row.counts.ADVANCE),
    count('disagreed', t('decisions.disagreed'), (row) => row.counts.disagreed, t('decisions.disagreedHint')),
    count('people', t('decisions.people'), (row) => row.people),
    { id: 'chair', header: t('decisions.chair'), value: (row) => row.chair, width: 180 },
    {
      id: 'updated',
      header: t('lists.updated'),
      value: (row) => row.updated_at,
      cell: (row) => <RelativeTime date={row.updated_at} />,
      width: 130,
    },
  ];
  return (
    <Page
      title={t('nav.decisions')}
      crumbs={[...crumbs, { label: t('nav.decisions') }]}
      action={mayWrite && <Button onClick={() => modal.open('create-decision')}>{t('decisions.new')}</Button>}
    >
      <DataTable
        id="decisions"
        label={t('nav.decisions')}
        columns={columns}
        rows={query.data}
        isLoading={query.isLoading}
        error={query.error}
        onRetry={() => void query.refetch()}
        rowId={(row) => row.id}
        inAddress
        csvName={t('nav.decisions')}
        rowLink={(row) => ({
          to: '/projects/$projectId/decisions/$decisionId',
          params: { projectId, decisionId: row.id },
        })}
        empty={<EmptyState title={t('decisions.none')}>{t('decisions.noneText')}</EmptyState>}
      />
    </Page>
  );
}

export function DecisionState({ decision: { state } }: { decision: Pick<Decision, 'state'> }) {
  const { t } = useTranslation();
  return <StateBadge kind={state === 'OPEN' ? 'processing' : 'success'} label={t(`decisions.state.${state}`)} />;
}
