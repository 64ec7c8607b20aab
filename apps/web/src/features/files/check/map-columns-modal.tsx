import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SkeletonLines } from '../../../components/loading.tsx';
import { ModalFrame } from '../../../components/modal-frame.tsx';
import { useRequiredProjectId } from '../../../lib/current.ts';
import type { ModalAboutProps } from '../../../lib/modal.ts';
import { fileQuery, firstRowsQuery, useFileMutations } from '../files.api.ts';
import { isMappedTable } from './column-mapping.ts';
import { MappingForm } from './mapping-form.tsx';

/** Asks what the columns of the table `id` hold, over its first rows, and checks it again; nothing is uploaded. */
export function MapColumnsModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const { data: file, error } = useQuery(fileQuery(projectId, id));
  const fileType = file?.file_type ?? null;
  const { check } = useFileMutations(projectId);
  return (
    <ModalFrame title={t('files.mapping.title')} help="formats#columns-in-your-own-words" onClose={close} size="72rem">
      {error && <ErrorNotice error={error} />}
      {fileType !== null && isMappedTable(fileType) ? (
        <MappingForm
          table={fileType}
          firstRowsAt={(place) => firstRowsQuery(projectId, id, place)}
          check={{ ...check, mutate: (told, options) => check.mutate({ id, ...told }, options) }}
          close={close}
        />
      ) : (
        <SkeletonLines lines={8} />
      )}
    </ModalFrame>
  );
}
