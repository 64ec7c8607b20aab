import { TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem, type Problem } from '../../lib/api/problem.ts';
import formClasses from '../form/form.module.css';
import { FormFooter } from '../form/form-footer.tsx';
import { ModalFrame } from './modal-frame.tsx';

interface ConfirmDialogProps {
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  confirmLabel: string;
  /** Where “Cancel” could be taken for the thing itself. */
  cancelLabel?: string;
  /** For what cannot be undone: this text has to be typed first. */
  typeToConfirm?: string;
  /** Why it cannot be done yet. */
  disabledReason?: string | undefined;
  /** Red unless nothing is lost. */
  isHarmless?: boolean;
  onConfirm: () => Promise<unknown>;
  /** After success, and on Cancel. */
  onClose: (confirmed: boolean) => void;
}

const NOTHING_TO_LOSE = { isDirty: false };

/** Asks before something is deleted or stopped. It stays open when the action fails and shows why. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  cancelLabel,
  typeToConfirm,
  disabledReason,
  isHarmless = false,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { t } = useTranslation();
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [typed, setTyped] = useState('');
  const isMissing = typeToConfirm !== undefined && typed.trim() !== typeToConfirm;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isPending || isMissing || disabledReason !== undefined) return;
    setPending(true);
    setProblem(undefined);
    try {
      await onConfirm();
      onClose(true);
    } catch (error) {
      setProblem(asProblem(error));
      setPending(false);
    }
  };

  return (
    <ModalFrame title={title} onClose={() => onClose(false)} busy={isPending} size="md" unsaved={NOTHING_TO_LOSE}>
      <form className={formClasses.form} onSubmit={(event) => void submit(event)}>
        <div>{children}</div>
        {typeToConfirm !== undefined && (
          <TextInput
            label={t('confirm.type', { text: typeToConfirm })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <FormFooter
          submitLabel={confirmLabel}
          color={isHarmless ? undefined : 'red'}
          isPending={isPending}
          problem={problem}
          disabledReason={isMissing ? t('confirm.typeFirst') : disabledReason}
          onCancel={() => onClose(false)}
          {...(cancelLabel === undefined ? {} : { cancelLabel })}
        />
      </form>
    </ModalFrame>
  );
}
