import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * The button of a form. While sending it stays where it is and keeps the focus (a disabled button would lose it);
 * sending twice is blocked by the form.
 */
export function SubmitButton({
  children,
  isPending,
  disabled = false,
  describedBy,
  color,
  className,
  size,
  hasFocus = false,
}: {
  children: ReactNode;
  isPending: boolean;
  disabled?: boolean;
  /** Id of the sentence that says why it is disabled. */
  describedBy?: string | undefined;
  color?: string | undefined;
  className?: string | undefined;
  size?: string | undefined;
  /** When the dialog opens. */
  hasFocus?: boolean | undefined;
}) {
  return (
    <Button
      type="submit"
      disabled={disabled}
      aria-busy={isPending}
      aria-describedby={describedBy}
      {...(isPending ? { leftSection: <Loader size={14} color="currentColor" /> } : {})}
      {...(color ? { color } : {})}
      {...(hasFocus ? { 'data-autofocus': true } : {})}
      {...(className ? { className } : {})}
      {...(size ? { size } : {})}
    >
      {children}
    </Button>
  );
}
