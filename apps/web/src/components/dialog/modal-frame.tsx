import { Button, Modal } from '@mantine/core';
import { type ReactNode, use, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { controlInFocus } from '../../lib/browser/control-in-focus.ts';
import { HelpLink } from '../page/help-link.tsx';
import { CloseDialog, IsNamedByAddress, useIsTopDialog } from './dialog-stack.ts';
import classes from './modal-frame.module.css';

/** What a dialog would lose when it is closed. */
export interface Unsaved {
  isDirty: boolean;
  /** Forgets what was kept. */
  discard?: () => void;
  /** It is kept for the next time: closing can leave it as it is. */
  isKept?: boolean;
}

/**
 * Looks and behaviour that all modals share. Escape, the cross and a click outside close the topmost one; `busy` keeps
 * it open, and where something was typed it asks first. When it goes the focus returns to its opener; for the modal
 * that the address names the modal host sees to that.
 */
export function ModalFrame({
  title,
  onClose,
  size = 'md',
  busy = false,
  help,
  unsaved,
  children,
}: {
  title: string;
  onClose: () => void;
  size?: 'sm' | 'md' | 'lg' | 'xl' | string;
  busy?: boolean;
  /** Where the help explains this dialog, for example `prediction#train-a-model`. */
  help?: string | undefined;
  /** Absent: whatever was typed counts. */
  unsaved?: Unsaved | undefined;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const isTop = useIsTopDialog();
  const isNamedByAddress = use(IsNamedByAddress);
  const hasTyped = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const requestClose = (): void => {
    if (unsaved ? unsaved.isDirty : hasTyped.current) setAsking(true);
    else onClose();
  };
  useEffect(() => {
    const opener = controlInFocus();
    if (isNamedByAddress) return;
    return () => {
      // After the focus trap has been released, and unless another dialog has come in its place.
      setTimeout(() => document.activeElement === document.body && opener?.focus());
    };
  }, [isNamedByAddress]);
  return (
    <Modal
      opened
      onClose={requestClose}
      title={
        help === undefined ? (
          title
        ) : (
          <>
            {title} <HelpLink topic={help}>{t('help.title')}</HelpLink>
          </>
        )
      }
      size={size}
      closeOnClickOutside={!busy && isTop}
      closeOnEscape={!busy && isTop}
      closeButtonProps={{ 'aria-label': t('action.close'), disabled: busy }}
      // The modal host returns the focus, also for modals that are open when the page loads.
      returnFocus={false}
      // Mantine's header element would count as a second page header.
      // The dialog is named without the link to the help, which its heading contains.
      attributes={{ header: { role: 'presentation' }, title: help === undefined ? {} : { 'aria-label': title } }}
    >
      <IsNamedByAddress value={false}>
        <CloseDialog value={requestClose}>
          <div
            ref={takeFirstFocus}
            onInput={({ target }) => {
              // A search is no work that could be lost.
              if (!(target instanceof HTMLInputElement && target.type === 'search')) hasTyped.current = true;
            }}
          >
            {children}
          </div>
        </CloseDialog>
        {isAsking && <AskBeforeClosing unsaved={unsaved} onStay={() => setAsking(false)} onClose={onClose} />}
      </IsNamedByAddress>
    </Modal>
  );
}

/** Of radio buttons only the chosen one is reached by Tab. */
const FIELDS =
  'input:not([type=hidden], [type=radio]:not(:checked), :disabled), textarea:not(:disabled), select:not(:disabled)';

/**
 * Where nothing says otherwise the focus begins on the first field, not on the link to the help or on the cross; where
 * the fields come later it waits for them, unless somebody has done something by then.
 */
function takeFirstFocus(body: HTMLElement | null): (() => void) | undefined {
  if (!body || body.querySelector('[data-autofocus]')) return undefined;
  const first = body.querySelector(FIELDS) ?? body.querySelector('button:not(:disabled, [tabindex="-1"]), a[href]');
  first?.setAttribute('data-autofocus', '');
  return first ? undefined : focusWhenItComes(body);
}

/** Returns how to stop waiting. */
function focusWhenItComes(body: HTMLElement): () => void {
  const arrivals = new MutationObserver(() => {
    const field = body.querySelector<HTMLElement>(`[data-autofocus], ${FIELDS}`);
    if (!field) return;
    stop();
    field.focus();
  });
  const stop = (): void => {
    arrivals.disconnect();
    for (const event of DEEDS) document.removeEventListener(event, stop, true);
  };
  arrivals.observe(body, { childList: true, subtree: true });
  for (const event of DEEDS) document.addEventListener(event, stop, true);
  return stop;
}

const DEEDS = ['keydown', 'pointerdown'] as const;

/** Asks whether what was typed may be lost, or is kept for the next time. */
function AskBeforeClosing(props: { unsaved: Unsaved | undefined; onStay: () => void; onClose: () => void }) {
  const { unsaved, onStay, onClose } = props;
  const { t } = useTranslation();
  return (
    <ModalFrame title={t('unsaved.title')} onClose={onStay} size="md">
      <p>{t(unsaved?.isKept ? 'unsaved.textKept' : 'unsaved.text')}</p>
      <div className={classes.answers}>
        <Button
          variant="subtle"
          color="red"
          className="hx-danger"
          onClick={() => {
            unsaved?.discard?.();
            onClose();
          }}
        >
          {t('word.discard')}
        </Button>
        {unsaved?.isKept && (
          <Button variant="default" onClick={onClose}>
            {t('unsaved.keep')}
          </Button>
        )}
        <Button onClick={onStay} data-autofocus>
          {t('unsaved.stay')}
        </Button>
      </div>
    </ModalFrame>
  );
}
