import { type Crop, cropBody } from '@heterosis/contracts/people/crops';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EditDialog } from '../../../components/dialog/edit-dialog.tsx';
import { SaveForm } from '../../../components/dialog/save-form.tsx';
import type { ModalAboutProps } from '../../../lib/browser/modal.ts';
import { schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import { useOrganizationId } from '../../../lib/session/current.ts';
import { cropsQuery, useUpdateCrop } from './crops.api.ts';

/** Opened on the crops page of an organization; `id` is the crop. */
export function UpdateCropModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const organizationId = useOrganizationId() ?? '';
  const query = useQuery(cropsQuery(organizationId));
  return (
    <EditDialog title={t('crop.renameTitle')} close={close} query={query} size="sm" lines={2}>
      {(crops) => {
        const crop = crops.find((one) => one.id === id);
        if (!crop) return <p>{t('crop.gone')}</p>;
        return <CropForm organizationId={organizationId} crop={crop} close={close} />;
      }}
    </EditDialog>
  );
}

function CropForm({ organizationId, crop, close }: { organizationId: string; crop: Crop; close: () => void }) {
  const { t } = useTranslation();
  const update = useUpdateCrop(organizationId);
  const form = useForm({ initialValues: { name: crop.name }, validate: (values) => schemaErrors(cropBody, values) });
  const submission = useSubmission(form, (values) => update.mutateAsync({ id: crop.id, ...values }), close);
  return (
    <SaveForm submission={submission} onCancel={close}>
      <TextInput label={t('crop.name')} data-autofocus autoFocus {...form.getInputProps('name')} />
    </SaveForm>
  );
}
