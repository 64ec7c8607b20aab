import { Button } from '@mantine/core';
import { use, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Problem } from '../../lib/api/problem.ts';
import { CloseDialog } from '../dialog/dialog-stack.ts';
import { ErrorNotice } from '../page/error-notice.tsx';
import classes from './form-footer.module.css';
import { SubmitButton } from './submit-button.tsx';

interface FormFooterProps {
  /** Says what happens: `Train model`. */
  submitLabel: string;
  isPending: boolean;
  problem?: Problem | undefined;
  /** Why it cannot be sent yet; the button is disabled and shows the sentence. */
  disabledReason?: string | undefined;
  /** To the step before this one. */
  onBack?: (() => void) | undefined;
  onCancel?: (() => void) | undefined;
  cancelLabel?: string;
  color?: string | undefined;
  /** For a dialog that only asks: the action has the focus. */
  hasFocus?: boolean;
}

/** End of every form: the failure that no field could show, Cancel, and the action. */
export function FormFooter(props: FormFooterProps) {
  const { submitLabel, isPending, problem, disabledReason, onBack, cancelLabel, color, hasFocus } = props;
  const { t } = useTranslation();
  // In a dialog Cancel is its cross, which asks before something typed is lost.
  const close = use(CloseDialog);
  const onCancel = props.onCancel && (close ?? props.onCancel);
  const isDisabled = disabledReason !== undefined;
  const reasonId = useId();
  return (
    <div className={classes.footer}>
      {problem && <ErrorNotice error={problem} />}
      <div className={classes.buttons}>
        {onBack && (
          <Button className={classes.back} variant="default" onClick={onBack} disabled={isPending}>
            {t('action.back')}
          </Button>
        )}
        <span id={reasonId} className={classes.reason} role="status">
          {disabledReason}
        </span>
        {onCancel && (
          <Button variant="default" onClick={onCancel} disabled={isPending}>
            {cancelLabel ?? t('action.cancel')}
          </Button>
        )}
        <SubmitButton
          isPending={isPending}
          disabled={isDisabled}
          describedBy={isDisabled ? reasonId : undefined}
          color={color}
          hasFocus={hasFocus}
        >
          {submitLabel}
        </SubmitButton>
      </div>
    </div>
  );
}
