import type { MiappeFormat, Trial } from '@heterosis/contracts/data/trials';
import { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import { Button, Menu } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { IconChevronDown } from '../../../components/icons.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Page } from '../../../components/page/page.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { call } from '../../../lib/api/api-client.ts';
import { downloadAnswer } from '../../../lib/browser/download.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { formatShare } from '../../../lib/format/format.ts';
import { useMayWrite, useProjectCrumbs } from '../../people/projects/index.ts';
import { TrialStateBadge } from './trial-state-badge.tsx';
import { TrialThumbnail } from './trial-thumbnail.tsx';
import { trialsQuery } from './trials.api.ts';

/** The trials of a project by season, each with its map in small and how far its values have come in. */
export function TrialsPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const trials = useQuery(trialsQuery(projectId));
  const mayWrite = useMayWrite(projectId);
  const modal = useModal();
  const columns: DataColumn<Trial>[] = [
    { id: 'name', header: t('column.name'), value: (row) => row.name },
    {
      id: 'map',
      header: t('trials.map'),
      value: () => null,
      cell: (row) => <TrialThumbnail thumbnail={row.thumbnail} />,
      exported: [],
      sortable: false,
      width: 120,
    },
    {
      id: 'state',
      header: t('column.state'),
      value: (row) => row.state,
      cell: (row) => <TrialStateBadge state={row.state} />,
      width: 120,
      narrow: true,
    },
    { id: 'place', header: t('trials.place'), value: (row) => row.location_name, width: 150 },
    { id: 'season', header: t('trials.season'), value: (row) => row.season, width: 110, hidden: true },
    count('entries', t('trials.entries')),
    count('plots', t('trials.plots')),
    {
      id: 'collected',
      header: t('trials.collected'),
      hint: t('trials.collectedHint'),
      value: (row) => shareOf(row),
      cell: (row) => formatShare(shareOf(row)),
      numeric: true,
      width: 120,
    },
    {
      id: 'updated',
      header: t('lists.updated'),
      value: (row) => row.updated_at,
      cell: (row) => <RelativeTime date={row.updated_at} />,
      width: 130,
    },
  ];
  const miappe = useMutation({
    mutationFn: async (format: MiappeFormat) =>
      downloadAnswer(
        await call(trialsApi.exportMiappe, { project_id: projectId, query: { format } }),
        t(format === 'workbook' ? 'trials.miappeFile' : 'trials.isaTabFile'),
      ),
  });
  const action = (
    <>
      {trials.data?.length !== 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              variant="default"
              disabled={trials.data === undefined}
              loading={miappe.isPending}
              rightSection={<IconChevronDown size={16} aria-hidden="true" />}
            >
              {t('word.export')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => miappe.mutate('workbook')}>{t('trials.miappe')}</Menu.Item>
            <Menu.Item onClick={() => miappe.mutate('isa-tab')}>{t('trials.isaTab')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {mayWrite && (
        <>
          <Button variant="default" onClick={() => modal.open('open-trials')}>
            {t('trials.openFile')}
          </Button>
          <Button component={Link} to="/projects/$projectId/trials/new" params={{ projectId } as never}>
            {t('trials.new')}
          </Button>
        </>
      )}
    </>
  );
  return (
    <Page title={t('nav.trials')} crumbs={[...crumbs, { label: t('nav.trials') }]} action={action}>
      {miappe.error && <ErrorNotice error={miappe.error} />}
      <DataTable
        id="trials"
        label={t('nav.trials')}
        columns={columns}
        rows={trials.data}
        isLoading={trials.isLoading}
        error={trials.error}
        onRetry={() => void trials.refetch()}
        rowId={(row) => row.id}
        groupings={[
          {
            id: 'season',
            label: t('trials.season'),
            key: (row) => row.season,
            title: (row) => row.season,
          },
        ]}
        inAddress
        csvName={t('nav.trials')}
        rowLink={(row) => ({ to: '/projects/$projectId/trials/$trialId', params: { projectId, trialId: row.id } })}
        empty={<EmptyState title={t('trials.none')}>{t('trials.noneText')}</EmptyState>}
      />
    </Page>
  );

  function count(id: 'entries' | 'plots', header: string): DataColumn<Trial> {
    return {
      ...{ id, header, numeric: true, width: 100 },
      value: (row) => row[id],
      cell: (row) => <NumberCell value={row[id]} decimals={0} />,
    };
  }
}

/** Null while no trait is to be measured. */
const shareOf = ({ collected, expected }: Trial): number | null => (expected === 0 ? null : collected / expected);
