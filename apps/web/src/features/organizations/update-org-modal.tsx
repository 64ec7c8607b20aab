import type { OrganizationDetail } from '@heterosis/contracts/organizations';
import { updateOrganizationBody } from '@heterosis/contracts/organizations';
import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice.tsx';
import formClasses from '../../components/form.module.css';
import { FormFooter } from '../../components/form-footer.tsx';
import { SkeletonLines } from '../../components/loading.tsx';
import { ModalFrame } from '../../components/modal-frame.tsx';
import { schemaErrors, useSubmission } from '../../lib/form.ts';
import type { ModalProps } from '../../lib/modal.ts';
import { organizationQuery, useUpdateOrganization } from './organizations.api.ts';

export function UpdateOrgModal({ close, id = '' }: ModalProps) {
  const { t } = useTranslation();
  const { data: organization, error } = useQuery(organizationQuery(id));
  return (
    <ModalFrame title={t('organization.updateTitle')} onClose={close}>
      {error && <ErrorNotice error={error} />}
      {!organization && !error && <SkeletonLines />}
      {organization && <UpdateForm organization={organization} close={close} />}
    </ModalFrame>
  );
}

function UpdateForm({ organization, close }: { organization: OrganizationDetail; close: () => void }) {
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
