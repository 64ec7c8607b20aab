const KEY = 'heterosis.single-keys';

/** Whether keys alone, without Ctrl, are shortcuts. Each browser remembers it (WCAG 2.1.4). */
export const hasSingleKeys = (): boolean => localStorage.getItem(KEY) !== 'off';

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
}
