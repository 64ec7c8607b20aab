import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
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
  const key = outboxKey(session.status === 'signed-in' ? session.user.uid : '-', trialId);
  const [values, setValues] = useState<readonly TypedValue[]>(() => readOutbox(localStorage, key));
  const [state, setState] = useState<Outbox['state']>('saved');
  const [problem, setProblem] = useState<Problem>();
  const isSending = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const send = useCallback(async (): Promise<void> => {
    if (isSending.current) return;
    isSending.current = true;
    clearTimeout(timer.current);
    try {
      for (;;) {
        const batch = readOutbox(localStorage, key)
          .filter(({ refused }) => refused === undefined)
          .slice(0, BATCH);
        if (batch.length === 0) break;
        setState('sending');
        const tried = markTried(localStorage, key, new Set(batch.map(({ id }) => id)));
        const { stored, refused } = await sendValues(projectId, trialId, tried);
        setValues(settle(localStorage, key, stored, refused));
        setProblem(undefined);
        await client.invalidateQueries({ queryKey: keys.trials(projectId) });
      }
      setState('saved');
    } catch (error) {
      const failure = asProblem(error);
      const mayPass = isWorthRetrying(failure);
      setState(mayPass ? 'offline' : 'stopped');
      setProblem(mayPass ? undefined : failure);
      if (mayPass) timer.current = setTimeout(() => void send(), RETRY_MS);
    } finally {
      isSending.current = false;
    }
  }, [client, key, projectId, trialId]);

  useEffect(() => {
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
