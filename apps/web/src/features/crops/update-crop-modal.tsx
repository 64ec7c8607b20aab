import { type Crop, cropBody } from '@heterosis/contracts/crops';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice.tsx';
import formClasses from '../../components/form.module.css';
import { FormFooter } from '../../components/form-footer.tsx';
import { SkeletonLines } from '../../components/loading.tsx';
import { ModalFrame } from '../../components/modal-frame.tsx';
import { useOrganizationId } from '../../lib/current.ts';
import { schemaErrors, useSubmission } from '../../lib/form.ts';
import type { ModalProps } from '../../lib/modal.ts';
import { cropsQuery, useUpdateCrop } from './crops.api.ts';

/** Opened on the crops page of an organization; `id` is the crop. */
export function UpdateCropModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const organizationId = useOrganizationId() ?? '';
  const { data: crops, error } = useQuery(cropsQuery(organizationId));
  const crop = crops?.find((one) => one.id === id);
  return (
    <ModalFrame title={t('crop.renameTitle')} onClose={close} size="sm">
      {error && <ErrorNotice error={error} />}
      {!crops && !error && <SkeletonLines lines={2} />}
      {crops && !crop && <p>{t('crop.gone')}</p>}
      {crop && <UpdateForm organizationId={organizationId} crop={crop} close={close} />}
    </ModalFrame>
  );
}

function UpdateForm({ organizationId, crop, close }: { organizationId: string; crop: Crop; close: () => void }) {
  const { t } = useTranslation();
  const update = useUpdateCrop(organizationId);
  const form = useForm({ initialValues: { name: crop.name }, validate: (values) => schemaErrors(cropBody, values) });
  const submission = useSubmission(form, (values) => update.mutateAsync({ id: crop.id, ...values }), close);
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <TextInput label={t('crop.name')} data-autofocus autoFocus {...form.getInputProps('name')} />
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
