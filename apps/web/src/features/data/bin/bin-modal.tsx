import type { BinEntry } from '@heterosis/contracts/data/bin';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { rowsOf } from '../../../components/table/rows-of.ts';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { useProjectRights } from '../../people/projects/index.ts';
import { binQuery, useRestore } from './bin.api.ts';
import { deletedAtColumn, restoreColumn } from './bin-columns.tsx';

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
    deletedAtColumn(t, 110),
    restoreColumn<BinEntry>(t, restore, mayChange),
  ];
  return (
    <ModalFrame title={t('bin.title')} onClose={close} size="lg">
      <p className="hx-muted">{t('bin.text')}</p>
      {restore.error && <ErrorNotice error={restore.error} />}
      <DataTable
        id="bin"
        label={t('bin.title')}
        columns={columns}
        {...rowsOf(bin)}
        rowId={(one) => one.id}
        hasTools={(bin.data?.length ?? 0) > 8}
        empty={<p>{t('bin.empty')}</p>}
        maxHeight="24rem"
      />
    </ModalFrame>
  );
}
