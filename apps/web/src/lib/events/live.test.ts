import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeWindow, installBrowser } from '../../testing/browser.ts';
import { isLive, isLost, pollWhile, setLive, stopLive, tryAgainNow, waitForTry } from './live.ts';

let browser: FakeWindow;

beforeEach(() => {
  browser = installBrowser();
  vi.useFakeTimers();
});

afterEach(() => {
  stopLive();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the state of the event stream', () => {
  it('is not called lost before it was ever open', () => {
    setLive(false);
    expect(isLost()).toBe(false);
    setLive(true);
    expect(isLive()).toBe(true);
    setLive(false);
    expect(isLive()).toBe(false);
    expect(isLost()).toBe(true);
  });

  it('is lost no more once nobody listens', () => {
    setLive(true);
    setLive(false);
    stopLive();
    expect(isLost()).toBe(false);
    setLive(false);
    expect(isLost()).toBe(false);
  });
});

describe('pollWhile', () => {
  it('never polls for what has ended, seldom beside a live stream, often without one', () => {
    expect(pollWhile(false)).toBe(false);
    const without = pollWhile(true);
    setLive(true);
    const beside = pollWhile(true);
    expect(pollWhile(false)).toBe(false);
    expect(without).toBeGreaterThan(0);
    expect(beside).toBeGreaterThan(Number(without));
    setLive(false);
    expect(pollWhile(true)).toBe(without);
  });
});

describe('waitForTry', () => {
  /** Tells whether the wait is over, without waiting for it. */
  const watch = (wait: Promise<void>) => {
    const state = { isOver: false };
    void wait.then(() => {
      state.isOver = true;
    });
    return state;
  };

  it('waits as long as it is told', async () => {
    const state = watch(waitForTry(1_000));
    await vi.advanceTimersByTimeAsync(999);
    expect(state.isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(state.isOver).toBe(true);
  });

  it('ends at once when somebody does not want to wait, for all that wait', async () => {
    const states = [watch(waitForTry(60_000)), watch(waitForTry(90_000))];
    tryAgainNow();
    await vi.advanceTimersByTimeAsync(0);
    expect(states.map(({ isOver }) => isOver)).toEqual([true, true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends at once when the computer is back in a network', async () => {
    const state = watch(waitForTry(60_000));
    browser.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(state.isOver).toBe(true);
    // The next wait is not cut short by what has happened before.
    const next = watch(waitForTry(60_000));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(next.isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(next.isOver).toBe(true);
  });
});
