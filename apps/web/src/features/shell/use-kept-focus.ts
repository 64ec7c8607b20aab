import { useEffect } from 'react';
import { followFocus } from '../../lib/browser/control-in-focus.ts';

/** Until then whoever removes a control with the focus may say where the focus goes. */
const GRACE_MS = 100;

/**
 * Gives the focus to the dialog or the page around a control that had it and was removed or disabled: a row that
 * vanishes, or a button that has done its work. Otherwise a reader would begin at the top of the page again.
 */
export function useKeptFocus(): void {
  useEffect(followFocus, []);
  useEffect(() => {
    let last: Element | undefined;
    let around: HTMLElement | null = null;
    let timer: ReturnType<typeof setTimeout>;
    const remember = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? target : undefined;
      around = last?.closest<HTMLElement>('[role=dialog]') ?? null;
    };
    const restore = (): void => {
      if (document.activeElement !== document.body) return;
      last = undefined;
      (around?.isConnected ? around : document.getElementById('main'))?.focus({ preventScroll: true });
    };
    const changes = new MutationObserver(() => {
      if (last === undefined || (last.isConnected && !last.matches(':disabled'))) return;
      clearTimeout(timer);
      timer = setTimeout(restore, GRACE_MS);
    });
    document.addEventListener('focusin', remember);
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => {
      clearTimeout(timer);
      changes.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, []);
}
