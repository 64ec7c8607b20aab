import {
  DEFAULT_LABEL_FIELDS,
  LABEL_FIELDS,
  LABEL_SHEETS,
  type LabelField,
  type LabelSheetName,
  type LabelsQuery,
  labelLines,
  MAX_LABELS,
  plotIdOf,
  walked,
} from '@heterosis/contracts/data/field-books';
import type { TrialPlots } from '@heterosis/contracts/data/trials';
import { fieldBooksApi } from '@heterosis/contracts/endpoints/data/field-books';
import { Checkbox, NativeSelect, SegmentedControl } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import columns from '../../../../components/form/form-columns.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { NumberField } from '../../../../components/form/number-field.tsx';
import { call } from '../../../../lib/api/api-client.ts';
import { downloadAnswer } from '../../../../lib/browser/download.ts';
import { firstPaper } from '../../../../lib/browser/first-paper.ts';
import { type FieldNumber, numberOf } from '../../../../lib/form/field-number.ts';
import { numberError, useSubmission } from '../../../../lib/form/form.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import { LabelPreview } from './label-preview.tsx';
import classes from './labels-dialog.module.css';
import type { PrintProps } from './print-props.ts';
import { FIRST_WALK, WalkFields } from './walk-fields.tsx';

type Values = Omit<LabelsQuery, 'start' | 'copies'> & { start: FieldNumber; copies: FieldNumber };

const COPIES = { min: 1, max: 20, isWhole: true };

/** Labels for the plots of a trial, with a preview of one and of the first sheet. */
export function LabelsDialog({ projectId, trial, plots, close }: PrintProps & { close: () => void }) {
  const { t } = useTranslation();
  const form = useForm<Values>({
    initialValues: {
      sheet: firstPaper() === 'A4' ? 'L7160' : '5160',
      ...{ start: 1, copies: 1, fields: [...DEFAULT_LABEL_FIELDS], code: 'id', ...FIRST_WALK },
    },
  });
  const { values } = form;
  const sheet = LABEL_SHEETS[values.sheet];
  const perSheet = sheet.columns * sheet.rows;
  const starts = { min: 1, max: perSheet, isWhole: true };
  const walk = useMemo(
    () => walked(plotsOf(plots), { order: values.order, corner: values.corner, all_plots: values.all_plots }),
    [plots, values.order, values.corner, values.all_plots],
  );
  const [first] = walk;
  const [start, copies] = [numberOf(values.start), numberOf(values.copies)];
  const isNumbered =
    numberError(t, values.start, starts) === undefined && numberError(t, values.copies, COPIES) === undefined;
  const count = isNumbered ? walk.length * copies : 0;
  const sheets = Math.ceil((count + start - 1) / perSheet);
  const submission = useSubmission(
    form,
    async ({ fields, all_plots, ...query }) => {
      const answer = await call(fieldBooksApi.getLabels, {
        ...{ project_id: projectId, id: trial.id },
        query: { ...query, start, copies, fields: fields.join(), all_plots: String(all_plots) },
      });
      await downloadAnswer(answer, `${trial.name}.pdf`);
    },
    close,
  );
  return (
    <ModalFrame title={t('print.labelsTitle')} onClose={close} size="52rem" busy={submission.isPending}>
      <form onSubmit={submission.handleSubmit} noValidate>
        <div className={columns.columns}>
          <div className={columns.fields}>
            <NativeSelect
              label={t('print.sheet')}
              data-autofocus
              data={Object.entries(LABEL_SHEETS).map(([value, one]) => ({
                value,
                label: t('print.sheetOption', {
                  ...{ name: value, paper: t(`print.papers.${one.page}`) },
                  ...{ count: one.columns * one.rows, size: sizeOf(one) },
                }),
              }))}
              {...form.getInputProps('sheet')}
              onChange={({ currentTarget }) =>
                form.setValues({ sheet: currentTarget.value as LabelSheetName, start: 1 })
              }
            />
            <div className={columns.pair}>
              <NumberField label={t('print.start')} limits={starts} {...form.getInputProps('start')} />
              <NumberField label={t('print.copies')} limits={COPIES} {...form.getInputProps('copies')} />
            </div>
            <Checkbox.Group label={t('print.fields')} {...form.getInputProps('fields')}>
              <div className={classes.fields}>
                {LABEL_FIELDS.map((field) => (
                  <Checkbox key={field} value={field} label={t(`print.field.${field}`)} />
                ))}
              </div>
            </Checkbox.Group>
            <div>
              <p className={classes.label} id="print-code">
                {t('print.code')}
              </p>
              <SegmentedControl
                aria-labelledby="print-code"
                data={(['id', 'name'] as const).map((value) => ({ value, label: t(`print.codes.${value}`) }))}
                {...form.getInputProps('code')}
              />
              <p className="hx-muted">{t(`print.codeHints.${values.code}`)}</p>
            </div>
            <WalkFields form={form} plots={plots} />
          </div>
          <div className={columns.match}>
            {first && (
              <LabelPreview
                sheet={sheet}
                lines={labelLines(values.fields as LabelField[], { plot: first, trial })}
                code={values.code === 'id' ? plotIdOf(trial.id, first.place) : first.name}
                start={start}
                count={count}
                onStart={(place) => form.setFieldValue('start', place)}
              />
            )}
          </div>
        </div>
        <p className="hx-muted">
          {isNumbered && t('print.sheets', { count: sheets, labels: formatCount(count), sheets: formatCount(sheets) })}
        </p>
        <FormFooter
          submitLabel={t('print.download')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={
            walk.length === 0
              ? t('print.noPlots')
              : !isNumbered
                ? t('form.correctNumbers')
                : count > MAX_LABELS
                  ? t('print.tooMany', { max: formatCount(MAX_LABELS) })
                  : undefined
          }
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}

const sizeOf = ({ width, height }: { width: number; height: number }): string =>
  `${Math.round(width * 10) / 10} × ${Math.round(height * 10) / 10} mm`;

const plotsOf = ({ entries, ...columnsOf }: TrialPlots) =>
  columnsOf.number.map((number, plot) => ({
    // They stand by number.
    place: plot,
    ...{ number, name: columnsOf.name[plot] ?? '' },
    ...{ row: columnsOf.row[plot] ?? null, column: columnsOf.column[plot] ?? null },
    ...{ replicate: columnsOf.replicate[plot] ?? null, block: columnsOf.block[plot] ?? null },
    entry: entries[columnsOf.entry[plot] ?? -1]?.name ?? null,
  }));
