import { paper } from '@heterosis/contracts/common';
import type { FieldBookQuery } from '@heterosis/contracts/data/field-books';
import { fieldBooksApi } from '@heterosis/contracts/endpoints/data/field-books';
import { NativeSelect, Radio } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { call } from '../../../../lib/api/api-client.ts';
import { downloadAnswer } from '../../../../lib/browser/download.ts';
import { firstPaper } from '../../../../lib/browser/first-paper.ts';
import { useSubmission } from '../../../../lib/form/form.ts';
import type { PrintProps } from './print-props.ts';
import { FIRST_WALK, WalkFields } from './walk-fields.tsx';

/** The field book of a trial, as PDF to print or as CSV for Field Book and spreadsheets. */
export function FieldBookDialog({ projectId, trial, plots, close }: PrintProps & { close: () => void }) {
  const { t } = useTranslation();
  const form = useForm<FieldBookQuery>({ initialValues: { format: 'pdf', page: firstPaper(), ...FIRST_WALK } });
  const { format } = form.values;
  const submission = useSubmission(
    form,
    async (query) => {
      const answer = await call(fieldBooksApi.getFieldBook, {
        ...{ project_id: projectId, id: trial.id },
        query: { ...query, all_plots: String(query.all_plots) },
      });
      await downloadAnswer(answer, `${trial.name}.${query.format}`);
    },
    close,
  );
  return (
    <ModalFrame title={t('print.bookTitle')} onClose={close} size="md" busy={submission.isPending}>
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <Radio.Group label={t('print.format')} {...form.getInputProps('format')}>
          <Radio mt="xs" value="pdf" label="PDF" description={t('print.pdfHint')} data-autofocus />
          <Radio mt="xs" value="csv" label="CSV" description={t('print.csvHint')} />
        </Radio.Group>
        {format === 'pdf' && (
          <NativeSelect
            label={t('print.paper')}
            data={paper.options.map((value) => ({ value, label: t(`print.papers.${value}`) }))}
            {...form.getInputProps('page')}
          />
        )}
        <WalkFields form={form} plots={plots} />
        {trial.traits.length === 0 && <Notice kind="info">{t('print.noTraits')}</Notice>}
        <FormFooter
          submitLabel={t('print.download')}
          isPending={submission.isPending}
          problem={submission.problem}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}
