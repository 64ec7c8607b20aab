import { useEffect, useEffectEvent } from 'react';

/** Takes what was pasted, or leaves it (false) to the next. */
type Taker = (text: string) => boolean;

/** Pages have it before the frame around them, which takes it on every page. */
const takers: Record<'page' | 'frame', Set<Taker>> = { page: new Set(), frame: new Set() };

const EDITABLE = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';

function hear(event: ClipboardEvent): void {
  const { target, clipboardData, defaultPrevented } = event;
  if (defaultPrevented || (target instanceof Element && target.closest(EDITABLE) !== null)) return;
  const text = clipboardData?.getData('text/plain') ?? '';
  if (text.trim() === '') return;
  for (const take of [...takers.page, ...takers.frame])
    if (take(text)) {
      event.preventDefault();
      return;
    }
}

/**
 * Hears of text that is pasted outside of fields: cells of a spreadsheet. A dialog has fields of its own, so `isOpen`
 * is false while there is one.
 */
export function usePastedText(where: keyof typeof takers, isOpen: boolean, take: Taker): void {
  const taken = useEffectEvent(take);
  useEffect(() => {
    if (!isOpen) return undefined;
    const taker: Taker = (text) => taken(text);
    takers[where].add(taker);
    // Adding it a second time does nothing.
    window.addEventListener('paste', hear);
    return () => {
      takers[where].delete(taker);
      if (takers.page.size + takers.frame.size === 0) window.removeEventListener('paste', hear);
    };
  }, [where, isOpen]);
}

/** Cells in rows and columns, as spreadsheets put them on the clipboard: at least a header and a row, with tabs. */
export function isTable(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.length >= 2 && lines.every((line) => line.includes('\t'));
}

/** The table as a file, which is checked like one that is uploaded. */
export function fileOfTable(text: string, name: string): File {
  return new File([text.replaceAll(/\r?\n/g, '\n')], name, { type: 'text/tab-separated-values' });
}
