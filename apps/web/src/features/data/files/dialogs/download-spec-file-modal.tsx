import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { Radio, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { NumberField } from '../../../../components/form/number-field.tsx';
import { call } from '../../../../lib/api/api-client.ts';
import { downloadText } from '../../../../lib/browser/download.ts';
import type { ModalAboutProps } from '../../../../lib/browser/modal.ts';
import { type FieldNumber, numberOf } from '../../../../lib/form/field-number.ts';
import { numberError, useSubmission } from '../../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';

const DEFAULT_BP_PER_CM = 1_000_000;
const BP_PER_CM = { min: 1, max: 1e9 };

/** The linkage-map template of a genotype file. `id` is the file. */
export function DownloadSpecFileModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const form = useForm({
    initialValues: {
      mode: '1',
      bp_per_cm: DEFAULT_BP_PER_CM as FieldNumber,
      name: `${today()}_linkageMap_template`,
    },
    // Blank positions need no rate.
    validate: {
      bp_per_cm: (rate, { mode }) => (mode === '1' ? numberError(t, rate, BP_PER_CM) : undefined),
    },
    validateInputOnChange: true,
  });
  const submission = useSubmission(
    form,
    async ({ mode, bp_per_cm, name }) => {
      const query = mode === '1' ? ({ mode, bp_per_cm: numberOf(bp_per_cm) } as const) : ({ mode: '2' } as const);
      const template = await call(filesApi.getLinkageMapTemplate, { project_id: projectId, file_id: id, query });
      downloadText(`${name.trim()}.csv`, await template.text());
    },
    close,
  );
  const reason =
    form.values.name.trim() === '' ? t('form.nameRequired') : form.isValid() ? undefined : t('form.correctNumbers');
  return (
    <ModalFrame title={t('files.template.title')} help="formats#linkage-maps" onClose={close} size="md">
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <Radio.Group label={t('files.template.positions')} {...form.getInputProps('mode')}>
          <Radio value="1" label={t('files.template.divide')} mt="xs" />
          <Radio value="2" label={t('files.template.blank')} mt="xs" />
        </Radio.Group>
        {form.values.mode === '1' && (
          <NumberField
            label={t('files.template.bpPerCm')}
            limits={BP_PER_CM}
            step={100_000}
            {...form.getInputProps('bp_per_cm')}
          />
        )}
        <TextInput
          label={t('files.fileName')}
          rightSection=".csv"
          rightSectionWidth={44}
          {...form.getInputProps('name')}
        />
        <FormFooter
          submitLabel={t('files.template.download')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={reason}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}

function today(): string {
  const now = new Date();
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
