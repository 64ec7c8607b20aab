import { useEffect, useRef, useState } from 'react';
import type { FromPlanWorker, ToPlanWorker } from './plan.worker.ts';
import type { PlanAnswer, PlanQuestion } from './plan-answer.ts';

/** The newest answer, kept while the next is computed; why there is none to the last question. */
export interface PlanState {
  answer: PlanAnswer | undefined;
  reason: string | undefined;
  isPending: boolean;
}

/**
 * Plans in a worker of the browser, so that the page stays fluent: one question at a time, and after it the newest one
 * of those asked meanwhile.
 */
export function usePlanAnswer(tables: ArrayBuffer | undefined, question: PlanQuestion): PlanState {
  const [state, setState] = useState<PlanState>({ answer: undefined, reason: undefined, isPending: true });
  const worker = useRef<Worker>(null);
  const asked = useRef({ number: 0, isBusy: false, next: undefined as PlanQuestion | undefined });
  const key = JSON.stringify(question);

  useEffect(() => {
    if (tables === undefined) return;
    const made = new Worker(new URL('./plan.worker.ts', import.meta.url), { type: 'module' });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    const send = (message: ToPlanWorker): void => made.postMessage(message);
    send({ tables });
    asked.current = { ...asked.current, isBusy: false };
    const askNext = (): void => {
      const { next, isBusy } = asked.current;
      if (next === undefined || isBusy) return;
      asked.current = { number: asked.current.number + 1, isBusy: true, next: undefined };
      send({ number: asked.current.number, question: next });
    };
    made.addEventListener('message', ({ data }: MessageEvent<FromPlanWorker>) => {
      asked.current.isBusy = false;
      setState((before) => ({
        answer: 'answer' in data ? data.answer : before.answer,
        reason: 'reason' in data ? data.reason : undefined,
        isPending: asked.current.next !== undefined,
      }));
      askNext();
    });
    made.addEventListener('plan-asked', askNext);
    worker.current = made;
    askNext();
    return () => {
      worker.current = null;
      made.terminate();
    };
  }, [tables]);

  useEffect(() => {
    asked.current.next = JSON.parse(key) as PlanQuestion;
    setState((before) => ({ ...before, isPending: true }));
    worker.current?.dispatchEvent(new Event('plan-asked'));
  }, [key]);

  return state;
}
