// What was typed into a dialog and not sent, kept in this browser: it survives a reload, a closed tab, a new sign-in.

import { isFieldText } from '../form/field-number.ts';

const PREFIX = 'heterosis.draft.';
const KEPT_MS = 30 * 24 * 3600 * 1000;

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface StoredDraft {
  at: number;
  values: Record<string, unknown>;
}

/**
 * The draft of a dialog over the values it begins with; undefined where there is none. A value that is not of the kind
 * that the dialog has now (the draft of another version) is left out.
 */
export function readDraft<Values extends object>(
  store: Store,
  key: string,
  initial: Values,
  now: number,
): Values | undefined {
  const stored = parse(store.getItem(PREFIX + key));
  if (!stored || now - stored.at > KEPT_MS) return undefined;
  const known = Object.entries(stored.values).filter(
    ([name, value]) => name in initial && isLike(value, initial[name as keyof Values]),
  );
  return { ...initial, ...Object.fromEntries(known) };
}

export function keepDraft(store: Store, key: string, values: object, now: number): void {
  try {
    store.setItem(PREFIX + key, JSON.stringify({ at: now, values }));
  } catch (error) {
    // A full or forbidden storage loses the draft at a reload, and nothing else.
    if (!(error instanceof DOMException)) throw error;
  }
}

export function dropDraft(store: Store, key: string): void {
  store.removeItem(PREFIX + key);
}

/** Chosen files are undefined at first, numbers are texts while they are none. */
function isLike(value: unknown, initial: unknown): boolean {
  if (initial === undefined || initial === null) return value === null || typeof value !== 'function';
  if (typeof initial === 'number' || typeof initial === 'string')
    return typeof value === 'number' || typeof value === 'string' || isFieldText(value);
  return typeof value === typeof initial && Array.isArray(value) === Array.isArray(initial) && value !== null;
}

function parse(text: string | null): StoredDraft | undefined {
  if (text === null) return undefined;
  try {
    const value = JSON.parse(text) as Partial<StoredDraft> | null;
    return typeof value?.at === 'number' && typeof value.values === 'object' && value.values !== null
      ? (value as StoredDraft)
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
