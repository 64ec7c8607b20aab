import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SilenceWatch } from './silence.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A server whose answers the test gives. */
function server() {
  const probes: PromiseWithResolvers<void>[] = [];
  const watch = new SilenceWatch(() => {
    const probe = Promise.withResolvers<void>();
    probes.push(probe);
    return probe.promise;
  });
  const ask = () => {
    const answer = Promise.withResolvers<string>();
    return { answer, done: watch.watch(answer.promise) };
  };
  return { watch, probes, ask };
}

it('names a server that answers nothing for five seconds, until it answers', async () => {
  const { watch, ask } = server();
  const first = ask();
  await vi.advanceTimersByTimeAsync(4_900);
  expect(watch.isSilent()).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(watch.isSilent()).toBe(true);
  first.answer.resolve('here');
  expect(await first.done).toBe('here');
  expect(watch.isSilent()).toBe(false);
});

it('does not take one long answer for silence', async () => {
  const { watch, probes, ask } = server();
  ask();
  for (let seconds = 0; seconds < 20; seconds++) {
    await vi.advanceTimersByTimeAsync(1_000);
    for (const probe of probes.splice(0)) probe.resolve();
    expect(watch.isSilent()).toBe(false);
  }
});

it('counts from the last answer when several wait', async () => {
  const { watch, ask } = server();
  const quick = ask();
  ask();
  await vi.advanceTimersByTimeAsync(4_000);
  quick.answer.resolve('here');
  await quick.done;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(watch.isSilent()).toBe(false);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(watch.isSilent()).toBe(true);
});
