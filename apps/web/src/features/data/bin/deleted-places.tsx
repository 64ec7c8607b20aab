import type { DeletedPlace } from '@heterosis/contracts/data/bin';
import { Button } from '@mantine/core';
import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { formatDay } from '../../../lib/format/format.ts';
import {
  deletedOrganizationsQuery,
  deletedProjectsQuery,
  useRestoreOrganization,
  useRestoreProject,
} from './deleted-places.api.ts';

/** Deleted projects of an organization; nothing while there are none. Only its managers and owners may ask. */
export function DeletedProjects({ organizationId }: { organizationId: string }) {
  const { data } = useQuery(deletedProjectsQuery(organizationId));
  return <DeletedPlaces kind="projects" places={data} restore={useRestoreProject(organizationId)} />;
}

/** Deleted organizations that I own; nothing while there are none. */
export function DeletedOrganizations() {
  const { data } = useQuery(deletedOrganizationsQuery());
  return <DeletedPlaces kind="organizations" places={data} restore={useRestoreOrganization()} />;
}

interface DeletedPlacesProps {
  kind: 'projects' | 'organizations';
  places: DeletedPlace[] | undefined;
  restore: UseMutationResult<{ name: string }, unknown, string>;
}

function DeletedPlaces({ kind, places = [], restore }: DeletedPlacesProps) {
  const { t } = useTranslation();
  if (places.length === 0 && restore.isIdle) return null;
  const columns: DataColumn<DeletedPlace>[] = [
    { id: 'name', header: t('column.name'), value: (one) => one.name },
    { id: 'deleted_by', header: t('bin.deletedBy'), value: (one) => one.deleted_by, width: 200 },
    {
      id: 'deleted_at',
      header: t('bin.deleted'),
      value: (one) => one.deleted_at,
      cell: (one) => <RelativeTime date={one.deleted_at} />,
      width: 130,
    },
    {
      id: 'gone_at',
      header: t('bin.keptUntil'),
      value: (one) => one.gone_at,
      cell: (one) => formatDay(one.gone_at),
      width: 130,
    },
    {
      id: 'restore',
      header: t('bin.restore'),
      value: () => '',
      cell: (one) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('bin.restoreNamed', { name: one.name })}
          loading={restore.isPending && restore.variables === one.id}
          onClick={() => restore.mutate(one.id)}
        >
          {t('bin.restore')}
        </Button>
      ),
      sortable: false,
      width: 100,
      narrow: true,
    },
  ];
  const title = t(`bin.${kind}Title`);
  return (
    <Section title={title} note={t(`bin.${kind}Text`)}>
      {restore.error ? <ErrorNotice error={restore.error} /> : null}
      {restore.data && <Notice kind="success">{t('word.wasRestored', { name: restore.data.name })}</Notice>}
      {places.length > 0 && (
        <DataTable
          id={`deleted-${kind}`}
          label={title}
          columns={columns}
          rows={places}
          rowId={(one) => one.id}
          isLoading={false}
          hasTools={places.length > 8}
        />
      )}
    </Section>
  );
}
