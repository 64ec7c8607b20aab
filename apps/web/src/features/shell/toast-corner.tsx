import { Button, CloseButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isTyping } from '../../lib/browser/single-keys.ts';
import { showToast, useToast } from '../../lib/browser/toast.ts';
import classes from './toast-corner.module.css';

/** Long enough to read it and to reach Undo; the bin keeps what was deleted for 30 days. */
const SHOWN_MS = 10_000;

/** Where toasts appear. They stay as long as the pointer or the focus is on them. */
export function ToastCorner() {
  const { t } = useTranslation();
  const toast = useToast();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (!toast || isHeld) return undefined;
    const timer = setTimeout(() => showToast(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  useEffect(() => {
    if (!toast) setHeld(false);
  }, [toast]);
  // The focus was on a button that goes with the toast.
  const leave = (then: () => void): void => {
    document.getElementById('main')?.focus({ preventScroll: true });
    then();
  };
  const { action } = toast ?? {};
  useEffect(() => {
    if (!action) return undefined;
    // Tab comes to the button last, after every row of a long list.
    const undo = (event: KeyboardEvent): void => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z';
      if (!isUndo || isTyping(event.target)) return;
      event.preventDefault();
      action.run();
    };
    document.addEventListener('keydown', undo);
    return () => document.removeEventListener('keydown', undo);
  }, [action]);
  return (
    // Always there: a live region is heard only when its content changes.
    <div role="status" className={classes.corner}>
      {toast && (
        <div
          className={classes.toast}
          data-kind={toast.isError ? 'error' : 'done'}
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
        >
          <span className={classes.text}>{toast.text}</span>
          {action && (
            <>
              <Button
                size="compact-sm"
                variant="default"
                aria-keyshortcuts="Control+Z"
                onClick={() => leave(action.run)}
              >
                {action.label}
              </Button>
              <kbd className={classes.keys}>Ctrl Z</kbd>
            </>
          )}
          <CloseButton size="sm" aria-label={t('toast.close')} onClick={() => leave(() => showToast(undefined))} />
        </div>
      )}
    </div>
  );
}
