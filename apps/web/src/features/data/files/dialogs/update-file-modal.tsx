import { type FileDetail, updateFileBody } from '@heterosis/contracts/data/files';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EditDialog } from '../../../../components/dialog/edit-dialog.tsx';
import { DescriptionField, SaveForm } from '../../../../components/dialog/save-form.tsx';
import type { ModalAboutProps } from '../../../../lib/browser/modal.ts';
import { announceRenamed } from '../../../../lib/browser/undo-toast.ts';
import { schemaErrors, useSubmission } from '../../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { fileQuery, useFileMutations } from '../files.api.ts';
import { FolderSelect } from './folder-select.tsx';

export function UpdateFileModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const query = useQuery(fileQuery(projectId, id));
  return (
    <EditDialog title={t('files.updateFile')} close={close} query={query} size="sm" lines={3}>
      {(file) => <FileForm projectId={projectId} file={file} close={close} />}
    </EditDialog>
  );
}

function FileForm({ projectId, file, close }: { projectId: string; file: FileDetail; close: () => void }) {
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
    ({ name }) => {
      announceRenamed(t, { from: file.name, to: name }, (before) => update.mutateAsync({ id: file.id, name: before }));
      return close();
    },
  );
  return (
    <SaveForm submission={submission} onCancel={close}>
      <TextInput label={t('files.fileName')} data-autofocus autoFocus maxLength={255} {...form.getInputProps('name')} />
      <FolderSelect
        projectId={projectId}
        value={form.values.folder_id}
        onChange={(folderId) => form.setFieldValue('folder_id', folderId)}
      />
      <DescriptionField input={form.getInputProps('description')} />
    </SaveForm>
  );
}
