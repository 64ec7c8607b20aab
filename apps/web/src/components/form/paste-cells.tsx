import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem, type Problem } from '../../lib/api/problem.ts';
import { usePastedText } from '../../lib/browser/pasted-text.ts';
import { ErrorNotice } from '../page/error-notice.tsx';

/**
 * A field of a dialog into which cells of a spreadsheet are pasted; it opens with a button, and by pasting anywhere in
 * the dialog outside of its fields. It stays open, with the text, when they cannot be taken.
 */
export function PasteCells(props: {
  /** On the button, and over the field: what is pasted. */
  label: string;
  /** What the columns are. */
  description: string;
  submitLabel: string;
  /** Why the text cannot be taken; undefined when it can. */
  refuse: (text: string) => string | undefined;
  onTake: (text: string) => Promise<void> | void;
}) {
  const { label, description, submitLabel, refuse, onTake } = props;
  const { t } = useTranslation();
  const [text, setText] = useState<string>();
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  usePastedText('page', text === undefined, (pasted) => {
    setText(pasted);
    return true;
  });
  if (text === undefined)
    return (
      <Button size="compact-xs" variant="subtle" style={{ alignSelf: 'flex-start' }} onClick={() => setText('')}>
        {label}
      </Button>
    );
  const reason = text.trim() === '' ? t('paste.empty') : refuse(text);
  const take = async (): Promise<void> => {
    setPending(true);
    setProblem(undefined);
    try {
      await onTake(text);
      setText(undefined);
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setPending(false);
    }
  };
  return (
    <div>
      <Textarea
        label={label}
        description={description}
        autosize
        minRows={3}
        maxRows={10}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={text.trim() === '' ? undefined : reason}
        autoFocus
      />
      {problem && <ErrorNotice error={problem} />}
      <Button
        mt="xs"
        size="compact-sm"
        variant="default"
        loading={isPending}
        disabled={reason !== undefined}
        title={reason ?? ''}
        onClick={() => void take()}
      >
        {submitLabel}
      </Button>{' '}
      <Button mt="xs" size="compact-sm" variant="subtle" disabled={isPending} onClick={() => setText(undefined)}>
        {t('action.cancel')}
      </Button>
    </div>
  );
}
