import type { BinEntry } from '@heterosis/contracts/data/bin';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { useProjectRights } from '../../people/projects/index.ts';
import { binQuery, useRestore } from './bin.api.ts';

/** What was deleted in the last 30 days and can be restored. */
export function BinModal({ close }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const { mayChange } = useProjectRights(projectId);
  const bin = useQuery(binQuery(projectId));
  const restore = useRestore(projectId);
  const columns: DataColumn<BinEntry>[] = [
    { id: 'name', header: t('column.name'), value: (one) => one.name },
    { id: 'kind', header: t('word.kind'), value: (one) => t(`kind.${one.kind}`), width: 110 },
    {
      id: 'deleted_at',
      header: t('bin.deleted'),
      value: (one) => one.deleted_at,
      cell: (one) => <RelativeTime date={one.deleted_at} />,
      width: 110,
    },
    {
      id: 'restore',
      header: t('bin.restore'),
      value: () => '',
      cell: (one) =>
        mayChange(one) && (
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
  return (
    <ModalFrame title={t('bin.title')} onClose={close} size="lg">
      <p className="hx-muted">{t('bin.text')}</p>
      {restore.error && <ErrorNotice error={restore.error} />}
      <DataTable
        id="bin"
        label={t('bin.title')}
        columns={columns}
        rows={bin.data}
        rowId={(one) => one.id}
        isLoading={bin.isPending}
        error={bin.error}
        onRetry={() => void bin.refetch()}
        hasTools={(bin.data?.length ?? 0) > 8}
        empty={<p>{t('bin.empty')}</p>}
        maxHeight="24rem"
      />
    </ModalFrame>
  );
}
