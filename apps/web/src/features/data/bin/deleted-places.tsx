import type { DeletedPlace } from '@heterosis/contracts/data/bin';
import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { formatDay } from '../../../lib/format/format.ts';
import { deletedAtColumn, restoreColumn } from './bin-columns.tsx';
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
    deletedAtColumn(t, 130),
    {
      id: 'gone_at',
      header: t('bin.keptUntil'),
      value: (one) => one.gone_at,
      cell: (one) => formatDay(one.gone_at),
      width: 130,
    },
    restoreColumn(t, restore),
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
