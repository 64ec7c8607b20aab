import type { Crop } from '@heterosis/contracts/people/crops';
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { IconPencil, IconTrash } from '../../../components/icons.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Page } from '../../../components/page/page.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { rowsOf } from '../../../components/table/rows-of.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { organizationQuery, useOrganizationRights } from '../organizations/index.ts';
import { cropsQuery, useDeleteCrop } from './crops.api.ts';

const rowId = (crop: Crop): string => crop.id;

export function CropsPage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const modal = useModal();
  const { data: organization } = useQuery(organizationQuery(organizationId));
  const list = useQuery(cropsQuery(organizationId));
  const [deleting, setDeleting] = useState<Crop>();
  const remove = useDeleteCrop(organizationId);
  const may = useOrganizationRights(organizationId);
  const columns: DataColumn<Crop>[] = [
    { id: 'name', header: t('column.name'), value: (crop) => crop.name },
    {
      id: 'created_at',
      header: t('column.created'),
      value: (crop) => crop.created_at,
      cell: (crop) => <RelativeTime date={crop.created_at} />,
      width: 160,
    },
  ];
  const add = may('change_crops') && (
    <Button onClick={() => modal.open('add-crop', organizationId)}>{t('crop.add')}</Button>
  );
  return (
    <Page
      title={t('nav.crops')}
      action={add}
      crumbs={[
        {
          label: organization?.name ?? '…',
          link: { to: '/organizations/$organizationId', params: { organizationId } },
        },
        { label: t('nav.crops') },
      ]}
    >
      <DataTable
        id="crops"
        label={t('nav.crops')}
        inAddress
        columns={columns}
        {...rowsOf(list)}
        rowId={rowId}
        defaultSort={{ column: 'name', descending: false }}
        empty={<EmptyState title={t('crop.emptyTitle')}>{t('crop.emptyText')}</EmptyState>}
        {...(may('delete_crops')
          ? {
              rowMenu: (crop: Crop) => (
                <>
                  {may('change_crops') && (
                    <Menu.Item
                      leftSection={<IconPencil size={16} />}
                      onClick={() => modal.open('update-crop', crop.id)}
                    >
                      {t('action.rename')}
                    </Menu.Item>
                  )}
                  <Menu.Item
                    leftSection={<IconTrash size={16} />}
                    className="hx-danger"
                    onClick={() => setDeleting(crop)}
                  >
                    {t('action.delete')}
                  </Menu.Item>
                </>
              ),
            }
          : {})}
      />
      {deleting && (
        <ConfirmDialog
          title={t('action.deleteTitle', { name: deleting.name })}
          confirmLabel={t('crop.delete')}
          onConfirm={() => remove.mutateAsync(deleting.id)}
          onClose={() => setDeleting(undefined)}
        >
          {t('crop.deleteText')}
        </ConfirmDialog>
      )}
    </Page>
  );
}
