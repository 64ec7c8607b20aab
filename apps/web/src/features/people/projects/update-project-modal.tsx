import { type ProjectDetail, updateProjectBody } from '@heterosis/contracts/people/projects';
import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EditDialog } from '../../../components/dialog/edit-dialog.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
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
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <TextInput label={t('project.name')} data-autofocus autoFocus {...form.getInputProps('name')} />
      <Textarea
        label={t('form.description')}
        autosize
        minRows={3}
        maxRows={10}
        {...form.getInputProps('description')}
      />
      <Checkbox
        label={t('project.membersReadOnly')}
        description={t('project.membersReadOnlyHint')}
        {...form.getInputProps('members_read_only', { type: 'checkbox' })}
      />
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
