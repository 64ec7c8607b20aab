import { type FileDetail, updateFileBody } from '@heterosis/contracts/files';
import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import formClasses from '../../../components/form.module.css';
import { FormFooter } from '../../../components/form-footer.tsx';
import { SkeletonLines } from '../../../components/loading.tsx';
import { ModalFrame } from '../../../components/modal-frame.tsx';
import { useProjectId } from '../../../lib/current.ts';
import { schemaErrors, useSubmission } from '../../../lib/form.ts';
import type { ModalProps } from '../../../lib/modal.ts';
import { isNotFound } from '../../../lib/problem.ts';
import { fileQuery, useFileMutations } from '../files.api.ts';
import { FolderSelect } from './folder-select.tsx';

export function UpdateFileModal({ close, id = '' }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useProjectId() ?? '';
  const { data, error } = useQuery(fileQuery(projectId, id));
  return (
    <ModalFrame title={t('files.updateFile')} onClose={close} size="sm">
      {error && <ErrorNotice error={error} />}
      {!data && !error && <SkeletonLines lines={3} />}
      {data && !isNotFound(error) && <UpdateForm projectId={projectId} file={data} close={close} />}
    </ModalFrame>
  );
}

function UpdateForm({ projectId, file, close }: { projectId: string; file: FileDetail; close: () => void }) {
  const { t } = useTranslation();
  const { update } = useFileMutations(projectId);
  const form = useForm({
    initialValues: { name: file.name, folder_id: file.folder_id, description: file.description ?? '' },
    validate: (values) => schemaErrors(updateFileBody, values),
  });
  const submission = useSubmission(
    form,
    ({ name, folder_id, description }) =>
      update.mutateAsync({ id: file.id, name, folder_id, description: description.trim() === '' ? null : description }),
    close,
  );
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <TextInput label={t('files.fileName')} data-autofocus autoFocus maxLength={255} {...form.getInputProps('name')} />
      <FolderSelect
        projectId={projectId}
        value={form.values.folder_id}
        onChange={(folderId) => form.setFieldValue('folder_id', folderId)}
      />
      <Textarea label={t('form.description')} autosize minRows={2} maxRows={8} {...form.getInputProps('description')} />
      <FormFooter
        submitLabel={t('action.saveChanges')}
        isPending={submission.isPending}
        problem={submission.problem}
        disabledReason={form.values.name.trim() === '' ? t('form.nameRequired') : undefined}
        onCancel={close}
      />
    </form>
  );
}
