import { useSyncExternalStore } from 'react';

/** A sentence about what was just done, and a way back where there is one. */
export interface Toast {
  text: string;
  /** What went wrong is said to be wrong. */
  isError?: boolean;
  action?: { label: string; run: () => void };
}

let current: Toast | undefined;
const listeners = new Set<() => void>();

/** Shows a toast in place of the one before. */
export function showToast(toast: Toast | undefined): void {
  current = toast;
  for (const listener of listeners) listener();
}

export const getToast = (): Toast | undefined => current;

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useToast = (): Toast | undefined => useSyncExternalStore(subscribe, getToast);
