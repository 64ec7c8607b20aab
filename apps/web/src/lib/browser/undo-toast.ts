import type { TFunction } from 'i18next';
import { asProblem } from '../api/problem.ts';
import { showToast } from './toast.ts';

/** Says what was done, with Undo; and then that it was undone, or why it could not be. */
export function showUndoToast(
  t: TFunction,
  { text, undone, undo }: { text: string; undone: string; undo: () => Promise<unknown> },
): void {
  const run = async (): Promise<void> => {
    showToast(undefined);
    try {
      await undo();
      showToast({ text: undone });
    } catch (error) {
      showToast({ text: asProblem(error).message, isError: true });
    }
  };
  showToast({ text, action: { label: t('word.undo'), run: () => void run() } });
}

/** Says that something has a new name, and offers the old one. Nothing is said where the name stayed. */
export function announceRenamed(
  t: TFunction,
  { from, to }: { from: string; to: string },
  renameTo: (name: string) => Promise<unknown>,
): void {
  if (from === to) return;
  const textOf = (name: string): string => t('toast.renamed', { name });
  showUndoToast(t, { text: textOf(to), undone: textOf(from), undo: () => renameTo(from) });
}
