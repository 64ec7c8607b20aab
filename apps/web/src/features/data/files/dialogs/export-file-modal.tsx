import {
  DOSAGE_FORMATS,
  type ExportFormat,
  exportFormat,
  MIXED_FORMATS,
  POLYPLOID_FORMATS,
} from '@heterosis/contracts/data/file-formats';
import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { Radio } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { call } from '../../../../lib/api/api-client.ts';
import { downloadAnswer } from '../../../../lib/browser/download.ts';
import type { ModalAboutProps } from '../../../../lib/browser/modal.ts';
import { useSubmission } from '../../../../lib/form/form.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { fileQuery } from '../files.api.ts';

/** The imported genotypes in a format of choice. `id` is the file. */
export function ExportFileModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const form = useForm<{ format: ExportFormat }>({ initialValues: { format: 'vcf' } });
  const { data: file } = useQuery(fileQuery(projectId, id));
  // The others hold calls of two alleles.
  const isPolyploid = (file?.ploidy ?? 2) > 2;
  const held = file?.ploidies ? MIXED_FORMATS : isPolyploid ? POLYPLOID_FORMATS : exportFormat.options;
  const formats = exportFormat.options.filter((format) => held.includes(format));
  const fractional = file?.fractional_dosages;
  const submission = useSubmission(
    form,
    async ({ format }) => {
      const answer = await call(filesApi.exportGenotypes, { project_id: projectId, file_id: id, query: { format } });
      await downloadAnswer(answer, `genotypes.${format}`);
    },
    close,
  );
  return (
    <ModalFrame
      title={t('files.export.title')}
      help="formats#genotypes"
      onClose={close}
      size="md"
      busy={submission.isPending}
    >
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <Radio.Group label={t('files.export.format')} {...form.getInputProps('format')}>
          {formats.map((format) => (
            <Radio
              key={format}
              value={format}
              label={t(`files.export.${format}`)}
              description={t(`files.export.${format}Hint`)}
              {...(format === formats[0] ? { 'data-autofocus': true } : {})}
              mt="xs"
            />
          ))}
        </Radio.Group>
        {fractional && !DOSAGE_FORMATS.includes(form.values.format) && (
          <Notice kind="warning">
            {t('files.export.losesDosages', {
              count: fractional.calls,
              calls: formatCount(fractional.calls),
              markers: formatCount(fractional.markers),
            })}
          </Notice>
        )}
        <p className="hx-muted">{t('files.export.note')}</p>
        <FormFooter
          submitLabel={t('files.export.download')}
          isPending={submission.isPending}
          problem={submission.problem}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}
