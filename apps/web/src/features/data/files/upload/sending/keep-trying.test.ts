import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { networkProblem, Problem } from '../../../../../lib/api/problem.ts';
import { keepTrying, tryNow } from './keep-trying.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const answer = (status: number) => new Problem({ code: 'x', status, title: 't', detail: 'd' });

/** Fails with each of `failures` in turn, then succeeds. */
function flaky(...failures: unknown[]) {
  const calls = { count: 0 };
  const work = async () => {
    calls.count++;
    if (failures.length > 0) throw failures.shift();
    return 'done';
  };
  return { work, calls };
}

test('a lost connection is waited for, however long it lasts', async () => {
  const { work, calls } = flaky(...Array.from({ length: 200 }, () => networkProblem(undefined)));
  const pauses: (Problem | undefined)[] = [];
  const result = keepTrying(work, { signal: new AbortController().signal, onPause: (problem) => pauses.push(problem) });
  await vi.advanceTimersByTimeAsync(3 * 3_600_000);
  expect(await result).toBe('done');
  expect(calls.count).toBe(201);
  expect(pauses.filter((one) => one !== undefined)).toHaveLength(200);
  expect(pauses.at(-1)).toBeUndefined();
});

test('when the line is back nobody waits any longer', async () => {
  const { work, calls } = flaky(networkProblem(undefined), networkProblem(undefined));
  const result = keepTrying(work, { signal: new AbortController().signal, onPause: () => {} });
  await vi.advanceTimersByTimeAsync(0);
  tryNow();
  await vi.advanceTimersByTimeAsync(0);
  tryNow();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls.count).toBe(3);
  expect(await result).toBe('done');
});

test.each([400, 403, 404, 409, 413, 507])('an answer of %i is final', async (status) => {
  const { work, calls } = flaky(answer(status));
  const options = { signal: new AbortController().signal, onPause: () => {} };
  await expect(keepTrying(work, options)).rejects.toMatchObject({ status });
  expect(calls.count).toBe(1);
});

test('a fault of the server that stays ends the work after some tries', async () => {
  const { work, calls } = flaky(...Array.from({ length: 20 }, () => answer(500)));
  const result = keepTrying(work, { signal: new AbortController().signal, onPause: () => {} });
  const outcome = expect(result).rejects.toMatchObject({ status: 500 });
  await vi.advanceTimersByTimeAsync(600_000);
  await outcome;
  expect(calls.count).toBe(5);
});

test('cancelling ends a wait at once', async () => {
  const { work, calls } = flaky(networkProblem(undefined));
  const stop = new AbortController();
  const result = keepTrying(work, { signal: stop.signal, onPause: () => {} });
  const outcome = expect(result).rejects.toThrow('no more');
  await vi.advanceTimersByTimeAsync(0);
  stop.abort(new Error('no more'));
  await outcome;
  expect(calls.count).toBe(1);
});
