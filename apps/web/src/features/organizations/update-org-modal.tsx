import type { OrganizationDetail } from '@heterosis/contracts/organizations';
import { updateOrganizationBody } from '@heterosis/contracts/organizations';
import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EditDialog } from '../../components/edit-dialog.tsx';
import formClasses from '../../components/form.module.css';
import { FormFooter } from '../../components/form-footer.tsx';
import { schemaErrors, useSubmission } from '../../lib/form.ts';
import type { ModalProps } from '../../lib/modal.ts';
import { organizationQuery, useUpdateOrganization } from './organizations.api.ts';

export function UpdateOrgModal({ close, id = '' }: ModalProps) {
  const { t } = useTranslation();
  const query = useQuery(organizationQuery(id));
  return (
    <EditDialog title={t('organization.updateTitle')} close={close} query={query}>
      {(organization) => <OrganizationForm organization={organization} close={close} />}
    </EditDialog>
  );
}

function OrganizationForm({ organization, close }: { organization: OrganizationDetail; close: () => void }) {
  const { t } = useTranslation();
  const update = useUpdateOrganization(organization.id);
  const form = useForm({
    initialValues: { name: organization.name, description: organization.description ?? '' },
    validate: (values) => schemaErrors(updateOrganizationBody, values),
  });
  const submission = useSubmission(
    form,
    (values) => update.mutateAsync({ name: values.name, description: values.description.trim() || null }),
    close,
  );
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <TextInput label={t('organization.name')} data-autofocus autoFocus {...form.getInputProps('name')} />
      <Textarea
        label={t('form.description')}
        autosize
        minRows={3}
        maxRows={10}
        {...form.getInputProps('description')}
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
