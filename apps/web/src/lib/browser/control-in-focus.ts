let last: HTMLElement | null = null;

const remember = ({ target }: FocusEvent): void => {
  const menu = target instanceof Element ? target.closest('[role=menu]') : null;
  const control = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : target;
  last = control instanceof HTMLElement ? control : null;
};

/** Keeps in mind which control has the focus, for {@link controlInFocus}. Returns how to stop. */
export function followFocus(): () => void {
  document.addEventListener('focusin', remember);
  return () => document.removeEventListener('focusin', remember);
}

/**
 * The control that has the focus or, where that has just gone, had it: what opens a dialog. The entry of a menu goes
 * with the menu; for it, the button of the menu.
 */
export const controlInFocus = (): HTMLElement | null => (last?.isConnected ? last : null);
