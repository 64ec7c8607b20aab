import { createContext, useEffect, useState, useSyncExternalStore } from 'react';

/** Open dialogs, the last one on top. */
let stack: readonly symbol[] = [];
const listeners = new Set<() => void>();

function change(next: readonly symbol[]): void {
  stack = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True for the dialog that lies above all others: it alone answers Escape. */
export function useIsTopDialog(): boolean {
  const [own] = useState(() => Symbol('dialog'));
  useEffect(() => {
    change([...stack, own]);
    return () => change(stack.filter((one) => one !== own));
  }, [own]);
  return useSyncExternalStore(subscribe, () => stack.at(-1) === own);
}

/** How a part of a dialog closes it: as its cross does. Undefined outside of a dialog. */
export const CloseDialog = createContext<(() => void) | undefined>(undefined);

/** Whether a dialog is the one that the address names, whose opener the modal host knows. */
export const IsNamedByAddress = createContext(false);
