import { useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { dropDraft, keepDraft, readDraft } from '../../../lib/browser/drafts.ts';
import { useSession } from '../../../lib/session/browser-session.ts';

/** For `RunDialog`: whether closing it would lose something, and how to throw that away. */
export interface Draft {
  isDirty: boolean;
  /** What the dialog shows was kept from an earlier time. */
  isRestored: boolean;
  /** Forgets what was typed; the fields are what they are in a new dialog. */
  startAfresh: () => void;
  /** For the end of the dialog: after it was sent, or thrown away. */
  drop: () => void;
}

/**
 * A form whose values are kept in the browser from the first change until it is sent or thrown away. `proposed` fills
 * in what the dialog knows by itself, which is no change: closing the dialog loses nothing by it.
 */
export function useDraftForm<Values extends Record<string, unknown>>(
  options: Omit<NonNullable<Parameters<typeof useForm<Values>>[0]>, 'initialValues'> & {
    /** Names the dialog and what it is about. */
    draftKey: string;
    initialValues: Values;
  },
) {
  const { draftKey, initialValues, ...others } = options;
  const state = useSession();
  const key = `${state.status === 'signed-in' ? state.user.uid : '-'} ${draftKey}`;
  const [restored, setRestored] = useState(() => readDraft(localStorage, key, initialValues, Date.now()));
  const baseline = useRef(initialValues);
  const form = useForm<Values>({ initialValues: restored ?? initialValues, ...others });
  const isDirty = JSON.stringify(form.values) !== JSON.stringify(baseline.current);
  const isDropped = useRef(false);
  const { values } = form;

  useEffect(() => {
    if (isDropped.current) return;
    if (isDirty) keepDraft(localStorage, key, values, Date.now());
    else dropDraft(localStorage, key);
  }, [key, values, isDirty]);

  const drop = (): void => {
    isDropped.current = true;
    dropDraft(localStorage, key);
  };
  const draft: Draft = {
    isDirty,
    isRestored: restored !== undefined,
    startAfresh: () => {
      setRestored(undefined);
      form.setValues(baseline.current);
    },
    drop,
  };
  const propose = (proposed: Partial<Values>): void => {
    baseline.current = { ...baseline.current, ...proposed };
    form.setValues(proposed);
  };
  return { form, draft, propose };
}
