import { type FileType, fileType as fileTypeSchema } from '@heterosis/contracts/data/files';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import type { ModalAboutProps } from '../../../../lib/browser/modal.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { fileQuery, firstRowsQuery, useFileMutations } from '../files.api.ts';
import { isMappedTable } from './column-mapping.ts';
import classes from './map-columns-modal.module.css';
import { MappingForm } from './mapping-form.tsx';

/** Asks what the columns of the table `id` hold, over its first rows, and checks it again; nothing is uploaded. */
export function MapColumnsModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const { data: file, error } = useQuery(fileQuery(projectId, id));
  const [chosen, setChosen] = useState<FileType>();
  const fileType = chosen ?? file?.file_type ?? null;
  const { check } = useFileMutations(projectId);
  return (
    <ModalFrame title={t('files.mapping.title')} help="formats#columns-in-your-own-words" onClose={close} size="72rem">
      {error && <ErrorNotice error={error} />}
      {file && fileType !== null && isMappedTable(fileType) ? (
        <>
          <NativeSelect
            className={classes.type ?? ''}
            label={t('files.checkAs.label')}
            data={fileTypeSchema.options
              .filter(isMappedTable)
              .map((value) => ({ value, label: t(`files.type.${value}`) }))}
            value={fileType}
            onChange={(event) => setChosen(fileTypeSchema.parse(event.currentTarget.value))}
          />
          <MappingForm
            key={fileType}
            table={fileType}
            file={file}
            firstRowsAt={(place) => firstRowsQuery(projectId, id, { ...place, file_type: fileType })}
            check={{
              ...check,
              mutate: (told, options) => check.mutate({ id, file_type: fileType, ...told }, options),
            }}
            close={close}
          />
        </>
      ) : (
        <SkeletonLines lines={8} />
      )}
    </ModalFrame>
  );
}
