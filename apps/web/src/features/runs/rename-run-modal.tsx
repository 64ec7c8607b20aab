import { name as nameSchema } from '@heterosis/contracts/common';
import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { ErrorNotice } from '../../components/error-notice.tsx';
import formClasses from '../../components/form.module.css';
import { FormFooter } from '../../components/form-footer.tsx';
import { SkeletonLines } from '../../components/loading.tsx';
import { ModalFrame } from '../../components/modal-frame.tsx';
import { schemaErrors, useSubmission } from '../../lib/form.ts';

interface RenameModalProps {
  title: string;
  close: () => void;
  /** Undefined while loading. */
  current: { name: string; description: string | null } | undefined;
  error: unknown;
  save: (values: { name: string; description: string | null }) => Promise<unknown>;
}

const schema = z.object({ name: nameSchema });

/** Name and description of a model, a prediction or a GWAS (SPEC: UpdateModel, UpdatePrediction, UpdateGWAS). */
export function RenameRunModal({ title, close, current, error, save }: RenameModalProps) {
  return (
    <ModalFrame title={title} onClose={close} size="sm">
      {error ? <ErrorNotice error={error} /> : null}
      {!current && !error && <SkeletonLines lines={3} />}
      {current && <RenameForm current={current} close={close} save={save} />}
    </ModalFrame>
  );
}

function RenameForm({
  current,
  close,
  save,
}: Required<Pick<RenameModalProps, 'close' | 'save'>> & { current: NonNullable<RenameModalProps['current']> }) {
  const { t } = useTranslation();
  const form = useForm({
    initialValues: { name: current.name, description: current.description ?? '' },
    validate: (values) => schemaErrors(schema, values),
  });
  const submission = useSubmission(
    form,
    ({ name, description }) => save({ name, description: description.trim() === '' ? null : description }),
    close,
  );
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <TextInput label={t('column.name')} data-autofocus autoFocus maxLength={255} {...form.getInputProps('name')} />
      <Textarea label={t('form.description')} autosize minRows={2} maxRows={8} {...form.getInputProps('description')} />
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
