import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Submission } from '../../lib/form/form.ts';
import classes from '../form/form.module.css';
import { FormFooter } from '../form/form-footer.tsx';

/** The form of a dialog that changes something with a name: without one it cannot be saved. */
export function SaveForm(props: {
  submission: Submission<{ name: string }>;
  onCancel: () => void;
  children: ReactNode;
}) {
  const { submission, onCancel } = props;
  const { t } = useTranslation();
  return (
    <form className={classes.form} onSubmit={submission.handleSubmit} noValidate>
      {props.children}
      <FormFooter
        submitLabel={t('action.saveChanges')}
        isPending={submission.isPending}
        problem={submission.problem}
        disabledReason={submission.values.name.trim() === '' ? t('form.nameRequired') : undefined}
        onCancel={onCancel}
      />
    </form>
  );
}

/** A description that grows with its text. */
export function DescriptionField({ input, rows = [2, 8] }: { input: object; rows?: readonly [number, number] }) {
  const { t } = useTranslation();
  return <Textarea label={t('form.description')} autosize minRows={rows[0]} maxRows={rows[1]} {...input} />;
}
