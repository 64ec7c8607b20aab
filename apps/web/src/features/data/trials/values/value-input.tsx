import type { TraitScale } from '@heterosis/contracts/people/traits';
import { type ChangeEvent, type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import classes from './values.module.css';

/** What a cell shows: stored, on its way, not taken, or set aside. */
export type CellState = 'empty' | 'stored' | 'waiting' | 'refused' | 'aside';

/**
 * The value of a trait on a plot. What a trait takes is said while one types; what it does not take stays in the field,
 * and is not stored.
 */
export function ValueInput(props: {
  id: string;
  label: string;
  text: string;
  state: CellState;
  scale: TraitScale | null;
  isReadOnly: boolean;
  misfit: (text: string) => string | undefined;
  /** Only of what fits, and differs from before. */
  onCommit: (text: string) => void;
  /** Told of a misfit, and of its end. */
  onComplaint: (sentence: string | undefined) => void;
  onMove?: (down: number) => void;
  onPasteTable?: (text: string) => void;
}) {
  const { id, label, text, state, scale, isReadOnly, misfit, onCommit, onComplaint, onMove } = props;
  const [typed, setShown] = useState<string>();
  // What is typed counts at once: a key may move on, and a row scroll away, before the next rendering.
  const current = useRef<string>(undefined);
  const setTyped = (next: string | undefined): void => {
    current.current = next;
    setShown(next);
  };
  const shown = typed ?? text;
  const complaint = typed === undefined ? undefined : misfit(typed);
  const commit = (): boolean => {
    const now = current.current;
    if (now === undefined) return true;
    if (misfit(now) !== undefined) return false;
    setTyped(undefined);
    if (now.trim() !== text) onCommit(now.trim());
    return true;
  };
  const latest = useRef(commit);
  latest.current = commit;
  useEffect(() => () => void latest.current(), []);
  const change = (event: ChangeEvent<HTMLInputElement>): void => {
    setTyped(event.currentTarget.value);
    onComplaint(misfit(event.currentTarget.value));
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && typed !== undefined) {
      setTyped(undefined);
      onComplaint(undefined);
      event.stopPropagation();
      return;
    }
    const down = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (down === undefined) return;
    event.preventDefault();
    if (commit()) onMove?.(event.key === 'Enter' && event.shiftKey ? -1 : down);
  };
  const paste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.getData('text/plain');
    if (!props.onPasteTable || !/[\t\n\r]/.test(pasted.replace(/(\r\n|\r|\n)$/, ''))) return;
    event.preventDefault();
    setTyped(undefined);
    props.onPasteTable(pasted);
  };
  return (
    <input
      id={id}
      className={classes.value}
      aria-label={label}
      aria-invalid={complaint !== undefined}
      title={complaint}
      data-state={complaint === undefined ? state : 'refused'}
      // A keypad where the trait is a number; the text itself is checked by its scale.
      inputMode={scale?.kind === 'numeric' || scale?.kind === 'integer' ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      readOnly={isReadOnly}
      value={shown}
      onChange={change}
      onKeyDown={press}
      onPaste={paste}
      onFocus={(event) => {
        event.currentTarget.select();
        onComplaint(complaint);
      }}
      onBlur={() => {
        if (commit()) onComplaint(undefined);
      }}
    />
  );
}
