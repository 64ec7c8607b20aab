import { createFolderBody } from '@heterosis/contracts/data/folders';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import type { ModalProps } from '../../../../lib/browser/modal.ts';
import { schemaErrors, useSubmission } from '../../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { useFolderMutations } from '../files.api.ts';

/** Saving leads to the page of the new folder. `id` is the parent; absent for the root. */
export function AddFolderModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useRequiredProjectId();
  const { create } = useFolderMutations(projectId);
  const form = useForm({ initialValues: { name: '' }, validate: (values) => schemaErrors(createFolderBody, values) });
  const submission = useSubmission(
    form,
    ({ name }) => create.mutateAsync({ name, folder_id: id ?? null }),
    (folder) =>
      navigate({
        to: '/projects/$projectId/storage/$folderId',
        params: { projectId, folderId: folder.id },
        // Back leads to where the folder was made, not to the dialog.
        replace: true,
      }),
  );
  return (
    <ModalFrame title={t('files.addFolder')} onClose={close} size="sm">
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <TextInput label={t('files.folderName')} data-autofocus maxLength={255} {...form.getInputProps('name')} />
        <FormFooter
          submitLabel={t('files.addFolder')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={form.values.name.trim() === '' ? t('form.nameRequired') : undefined}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}
