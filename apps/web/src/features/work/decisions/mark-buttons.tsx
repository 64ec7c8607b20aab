import type { DecisionMarkValue } from '@heterosis/contracts/work/decisions';
import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './decisions.module.css';

export const MARKS: readonly DecisionMarkValue[] = ['ADVANCE', 'HOLD', 'DROP', 'UNDECIDED'];
/** The key of each mark; it stands on its button. */
export const MARK_KEYS: Record<string, DecisionMarkValue> = { a: 'ADVANCE', h: 'HOLD', d: 'DROP', u: 'UNDECIDED' };

/** One's own mark of a line: a letter each, which is also its key. */
export function MarkButtons(props: {
  label: string;
  value: DecisionMarkValue | undefined;
  isDisabled: boolean;
  onMark: (mark: DecisionMarkValue) => void;
}) {
  const { label, value, isDisabled, onMark } = props;
  const { t } = useTranslation();
  return (
    <span className={classes.marks} role="group" aria-label={label}>
      {Object.entries(MARK_KEYS).map(([key, mark]) => (
        <Tooltip key={mark} label={t(`decisions.mark.${mark}`)} openDelay={500}>
          <button
            type="button"
            className={classes.markButton}
            data-mark={mark}
            aria-pressed={value === mark}
            aria-label={t(`decisions.mark.${mark}`)}
            disabled={isDisabled}
            onClick={() => onMark(mark)}
          >
            {key.toUpperCase()}
          </button>
        </Tooltip>
      ))}
    </span>
  );
}

/** A mark as shape, colour and word. */
export function MarkWord({ mark, isDisagreed = false }: { mark: DecisionMarkValue; isDisagreed?: boolean }) {
  const { t } = useTranslation();
  const kind = isDisagreed ? 'DISAGREED' : mark;
  return (
    <span className={classes.markWord} data-mark={kind}>
      <svg viewBox="0 0 12 12" aria-hidden="true" className={classes.shape}>
        {kind === 'ADVANCE' && <path d="M6 1 11 8H8v3H4V8H1Z" fill="currentColor" />}
        {kind === 'HOLD' && <path d="M2 2h3v8H2zm5 0h3v8H7z" fill="currentColor" />}
        {kind === 'DROP' && <path d="m2 2 8 8m0-8-8 8" fill="none" stroke="currentColor" strokeWidth="2.2" />}
        {kind === 'UNDECIDED' && <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />}
        {kind === 'DISAGREED' && <path d="M6 1 11.5 11H.5Z" fill="currentColor" />}
      </svg>
      {isDisagreed ? t('decisions.disagreed') : t(`decisions.mark.${mark}`)}
    </span>
  );
}
