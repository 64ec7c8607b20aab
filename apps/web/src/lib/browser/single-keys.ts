const KEY = 'heterosis.single-keys';

/** Whether keys alone, without Ctrl, are shortcuts. Each browser remembers it (WCAG 2.1.4). */
export const hasSingleKeys = (): boolean => localStorage.getItem(KEY) !== 'off';

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
}

const TYPING = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=true]';

/** Whether a key goes into a field, where it is no shortcut. */
export const isTyping = (target: EventTarget | null): boolean => target instanceof Element && target.matches(TYPING);
