import { type FolderDetail, updateFolderBody } from '@heterosis/contracts/data/folders';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EditDialog } from '../../../../components/dialog/edit-dialog.tsx';
import { SaveForm } from '../../../../components/dialog/save-form.tsx';
import type { ModalAboutProps } from '../../../../lib/browser/modal.ts';
import { announceRenamed } from '../../../../lib/browser/undo-toast.ts';
import { schemaErrors, useSubmission } from '../../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { folderQuery, useFolderMutations } from '../files.api.ts';
import { FolderSelect } from './folder-select.tsx';

export function UpdateFolderModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const query = useQuery(folderQuery(projectId, id));
  return (
    <EditDialog title={t('files.updateFolder')} close={close} query={query} size="sm" lines={2}>
      {(folder) => <FolderForm projectId={projectId} folder={folder} close={close} />}
    </EditDialog>
  );
}

function FolderForm({ projectId, folder, close }: { projectId: string; folder: FolderDetail; close: () => void }) {
  const { t } = useTranslation();
  const { update } = useFolderMutations(projectId);
  const form = useForm({
    initialValues: { name: folder.name, folder_id: folder.folder_id },
    validate: (values) => schemaErrors(updateFolderBody, values),
  });
  const submission = useSubmission(
    form,
    (values) => update.mutateAsync({ id: folder.id, ...values }),
    ({ name }) => {
      announceRenamed(t, { from: folder.name, to: name }, (before) =>
        update.mutateAsync({ id: folder.id, name: before }),
      );
      return close();
    },
  );
  return (
    <SaveForm submission={submission} onCancel={close}>
      <TextInput
        label={t('files.folderName')}
        data-autofocus
        autoFocus
        maxLength={255}
        {...form.getInputProps('name')}
      />
      <FolderSelect
        projectId={projectId}
        value={form.values.folder_id}
        without={folder.id}
        onChange={(folderId) => form.setFieldValue('folder_id', folderId)}
      />
    </SaveForm>
  );
}
