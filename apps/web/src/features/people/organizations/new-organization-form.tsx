import { createOrganizationBody } from '@heterosis/contracts/people/organizations';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import { useCreateOrganization } from './organizations.api.ts';

export function NewOrganizationForm({
  onCreated,
  onCancel,
}: {
  onCreated: (organizationId: string) => Promise<void>;
  onCancel?: () => void;
}) {
  const { t } = useTranslation();
  const create = useCreateOrganization();
  const form = useForm({
    initialValues: { name: '' },
    validate: (values) => schemaErrors(createOrganizationBody, values),
  });
  const submission = useSubmission(form, create.mutateAsync, (organization) => onCreated(organization.id));
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <TextInput
        label={t('organization.name')}
        description={t('organization.nameHint')}
        autoComplete="organization"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <FormFooter
        submitLabel={t('organization.create')}
        isPending={submission.isPending}
        problem={submission.problem}
        disabledReason={form.values.name.trim() === '' ? t('organization.nameNeeded') : undefined}
        onCancel={onCancel}
      />
    </form>
  );
}
