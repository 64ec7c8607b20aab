import { cropBody } from '@heterosis/contracts/people/crops';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import type { ModalAboutProps } from '../../../lib/browser/modal.ts';
import { schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import { organizationQuery } from '../organizations/index.ts';
import { useCreateCrop } from './crops.api.ts';

/** `id` is the organization. */
export function AddCropModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const { data: organization } = useQuery(organizationQuery(id));
  const create = useCreateCrop(id);
  const form = useForm({ initialValues: { name: '' }, validate: (values) => schemaErrors(cropBody, values) });
  const submission = useSubmission(form, create.mutateAsync, close);
  return (
    <ModalFrame title={t('crop.addTitle', { organization: organization?.name ?? '' })} onClose={close} size="sm">
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <TextInput
          label={t('crop.name')}
          description={t('crop.nameHint')}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <FormFooter
          submitLabel={t('crop.add')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={form.values.name.trim() === '' ? t('form.nameRequired') : undefined}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}
