import { decisionsApi } from '@heterosis/contracts/endpoints/work/decisions';
import type { DecisionMark, DecisionMarkValue } from '@heterosis/contracts/work/decisions';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../../lib/api/api-client.ts';
import { randomUuid } from '../../../lib/api/http.ts';
import { asProblem, type Problem } from '../../../lib/api/problem.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { showToast } from '../../../lib/browser/toast.ts';
import { profileQuery } from '../../people/accounts/index.ts';
import { marksQuery } from './decisions.api.ts';

interface Pending {
  id: string;
  line: number;
  mark: DecisionMarkValue;
  reason: string;
  settles: boolean;
  marked_at: string;
}

/** What is not stored yet, by decision: it is sent also after the page was left and opened again. */
const unsent = new Map<string, readonly Pending[]>();
const AGAIN_MS = 2_000;
/** A mark that is not stored yet comes after all that are. */
const LAST = Number.MAX_SAFE_INTEGER;

export interface MarkQueue {
  /** What is stored, and what is on its way. */
  marks: readonly DecisionMark[] | undefined;
  myId: string | undefined;
  /** Marks that the server has not acknowledged yet. */
  waiting: number;
  /** The server does not answer; the marks are sent again until it does. */
  isStuck: boolean;
  error: unknown;
  mark: (lines: readonly number[], mark: DecisionMarkValue, more?: { reason?: string; settles?: boolean }) => void;
}

/**
 * Marks are seen at once and sent until the server says that it has them, under ids of their own: sent twice they are
 * stored once. What it refuses is taken back with the reason.
 */
export function useMarkQueue(projectId: string, id: string, version: number): MarkQueue {
  const client = useQueryClient();
  const stored = useQuery(marksQuery(projectId, id));
  const { data: me } = useQuery(profileQuery());
  const [pending, setPending] = useState<readonly Pending[]>(() => unsent.get(id) ?? []);
  const [tries, setTries] = useState(0);
  const known = new Set(stored.data?.map((one) => one.id));
  const open = pending.filter((one) => !known.has(one.id));
  const first = open[0];
  const batch = first === undefined ? [] : open.filter(({ settles }) => settles === first.settles);
  const batchKey = batch.map((one) => one.id).join();

  useEffect(() => {
    unsent.set(id, pending);
  }, [id, pending]);

  useEffect(() => {
    if (batchKey === '') return;
    let isGone = false;
    const ids = new Set(batchKey.split(','));
    const sent = pending.filter((one) => ids.has(one.id));
    const forget = (): void => {
      const others = (now: readonly Pending[]) => now.filter((one) => !ids.has(one.id));
      unsent.set(id, others(unsent.get(id) ?? []));
      setPending(others);
    };
    const send = async (): Promise<void> => {
      try {
        await call(decisionsApi.recordMarks, {
          project_id: projectId,
          id,
          body: {
            version,
            settles: sent[0]?.settles ?? false,
            marks: sent.map(({ settles: _settles, ...one }) => one),
          },
        });
        // Counts and the set with them: the page does not wait for its own event.
        await client.invalidateQueries({ queryKey: keys.decisions(projectId) });
        forget();
        setTries(0);
      } catch (error) {
        const problem = asProblem(error);
        if (isFinal(problem)) {
          forget();
          showToast({ text: problem.detail });
        } else if (!isGone) setTimeout(() => setTries((count) => count + 1), AGAIN_MS);
      }
    };
    void send();
    return () => {
      isGone = true;
    };
    // What is pending is named by the key of the batch; another try sends the same again.
  }, [batchKey, tries, version]);

  useEffect(() => {
    if (batchKey === '') return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [batchKey]);

  const mine = { person_id: me?.id ?? null, person: me?.name ?? me?.email ?? null };
  return {
    marks: stored.data && [...stored.data, ...open.map((one) => ({ ...one, ...mine, place: LAST }))],
    myId: me?.id,
    waiting: open.length,
    isStuck: tries > 0 && open.length > 0,
    error: stored.error,
    mark: (lines, mark, { reason = '', settles = false } = {}) => {
      const now = new Date().toISOString();
      const made = lines.map((line) => ({ id: randomUuid(), line, mark, reason, settles, marked_at: now }));
      setPending((before) => [...before, ...made]);
    },
  };
}

/** The server has read it and will not take it, however often it is sent. */
const isFinal = ({ status }: Problem): boolean => status >= 400 && status < 500 && status !== 401 && status !== 429;
