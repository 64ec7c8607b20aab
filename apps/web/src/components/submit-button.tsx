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
  color,
  className,
  hasFocus = false,
}: {
  children: ReactNode;
  isPending: boolean;
  disabled?: boolean;
  color?: string | undefined;
  className?: string | undefined;
  /** When the dialog opens. */
  hasFocus?: boolean | undefined;
}) {
  return (
    <Button
      type="submit"
      disabled={disabled}
      aria-busy={isPending}
      {...(isPending ? { leftSection: <Loader size={14} color="currentColor" /> } : {})}
      {...(color ? { color } : {})}
      {...(hasFocus ? { 'data-autofocus': true } : {})}
      {...(className ? { className } : {})}
    >
      {children}
    </Button>
  );
}
