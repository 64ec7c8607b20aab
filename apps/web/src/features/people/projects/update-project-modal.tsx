import { type ProjectDetail, updateProjectBody } from '@heterosis/contracts/people/projects';
import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EditDialog } from '../../../components/dialog/edit-dialog.tsx';
import { DescriptionField, SaveForm } from '../../../components/dialog/save-form.tsx';
import type { ModalAboutProps } from '../../../lib/browser/modal.ts';
import { schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import { projectQuery, useUpdateProject } from './projects.api.ts';

export function UpdateProjectModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const query = useQuery(projectQuery(id));
  return (
    <EditDialog title={t('project.updateTitle')} close={close} query={query}>
      {(project) => <ProjectForm project={project} close={close} />}
    </EditDialog>
  );
}

function ProjectForm({ project, close }: { project: ProjectDetail; close: () => void }) {
  const { t } = useTranslation();
  const update = useUpdateProject(project.id);
  const form = useForm({
    initialValues: {
      name: project.name,
      description: project.description ?? '',
      members_read_only: project.members_read_only,
    },
    validate: (values) => schemaErrors(updateProjectBody, values),
  });
  const submission = useSubmission(
    form,
    (values) => update.mutateAsync({ ...values, description: values.description.trim() || null }),
    close,
  );
  return (
    <SaveForm submission={submission} onCancel={close}>
      <TextInput label={t('project.name')} data-autofocus autoFocus {...form.getInputProps('name')} />
      <DescriptionField input={form.getInputProps('description')} rows={[3, 10]} />
      <Checkbox
        label={t('project.membersReadOnly')}
        description={t('project.membersReadOnlyHint')}
        {...form.getInputProps('members_read_only', { type: 'checkbox' })}
      />
    </SaveForm>
  );
}
