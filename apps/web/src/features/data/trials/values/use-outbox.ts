import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { OTHER_PERSON } from '../../../../lib/api/api-client.ts';
import { randomUuid } from '../../../../lib/api/http.ts';
import { asProblem, isWorthRetrying, type Problem } from '../../../../lib/api/problem.ts';
import { keys } from '../../../../lib/api/query-keys.ts';
import { useSession } from '../../../../lib/session/browser-session.ts';
import { addToOutbox, markTried, outboxKey, readOutbox, settle, type TypedValue } from './outbox.ts';
import { sendValues } from './values.api.ts';

/** Values of one request. */
const BATCH = 500;
/** Without a connection, until the next attempt. */
const RETRY_MS = 10_000;

export interface Outbox {
  /** Not stored yet, and those that the server has refused. */
  values: readonly TypedValue[];
  state: 'saved' | 'sending' | 'offline' | 'stopped';
  /** Why nothing is sent: what waiting does not mend. */
  problem: Problem | undefined;
  put: (typed: readonly Pick<TypedValue, 'plot' | 'trait' | 'value' | 'corrects'>[]) => void;
  sendAgain: () => void;
}

/**
 * Values on their way to the server. They are kept in the browser first; without a connection they wait there, also
 * over a reload, and are sent when it is back. Ids are made here, so that a lost answer stores nothing twice.
 */
export function useOutbox(projectId: string, trialId: string): Outbox {
  const client = useQueryClient();
  const session = useSession();
  const user = session.status === 'signed-in' ? session.user.uid : undefined;
  const key = outboxKey(user ?? '-', trialId);
  const [values, setValues] = useState<readonly TypedValue[]>(() => readOutbox(localStorage, key));
  const [state, setState] = useState<Outbox['state']>('saved');
  const [problem, setProblem] = useState<Problem>();
  // By the key: another person may sign in while values of the first are on their way.
  const sending = useRef<string>(undefined);
  // What is on the page; nothing once it is left.
  const shown = useRef<string>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const send = useCallback(async (): Promise<void> => {
    if (sending.current === key) return;
    sending.current = key;
    clearTimeout(timer.current);
    try {
      for (;;) {
        const batch = readOutbox(localStorage, key)
          .filter(({ refused }) => refused === undefined)
          .slice(0, BATCH);
        if (batch.length === 0) break;
        setState('sending');
        const tried = markTried(localStorage, key, new Set(batch.map(({ id }) => id)));
        const { stored, refused } = await sendValues({ projectId, id: trialId, asUser: user }, tried);
        const left = settle(localStorage, key, stored, refused);
        if (shown.current === key) setValues(left);
        setProblem(undefined);
        await client.invalidateQueries({ queryKey: keys.trials(projectId) });
      }
      setState('saved');
    } catch (error) {
      const failure = asProblem(error);
      // They wait under the name of who typed them, whose page this no longer is.
      if (failure.code === OTHER_PERSON || shown.current !== key) return;
      const mayPass = isWorthRetrying(failure);
      setState(mayPass ? 'offline' : 'stopped');
      setProblem(mayPass ? undefined : failure);
      if (mayPass) timer.current = setTimeout(() => void send(), RETRY_MS);
    } finally {
      if (sending.current === key) sending.current = undefined;
    }
  }, [client, key, projectId, trialId, user]);

  useEffect(() => {
    shown.current = key;
    setValues(readOutbox(localStorage, key));
    void send();
    const online = (): void => void send();
    // Another tab may have sent, or typed, for the same trial.
    const changed = (event: StorageEvent): void => {
      if (event.key === key) setValues(readOutbox(localStorage, key));
    };
    window.addEventListener('online', online);
    window.addEventListener('storage', changed);
    return () => {
      shown.current = undefined;
      clearTimeout(timer.current);
      window.removeEventListener('online', online);
      window.removeEventListener('storage', changed);
    };
  }, [key, send]);

  return {
    ...{ values, state, problem },
    put: (typed) => {
      const observedAt = new Date().toISOString();
      setValues(
        addToOutbox(
          localStorage,
          key,
          typed.map((one) => ({ ...one, id: randomUuid(), observedAt })),
        ),
      );
      void send();
    },
    sendAgain: () => void send(),
  };
}
