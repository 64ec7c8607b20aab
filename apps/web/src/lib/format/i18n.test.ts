import i18next from 'i18next';
import { afterEach, expect, it, vi } from 'vitest';
import { type Answer, installServer, json, noConnection } from '../../testing/browser.ts';
import { loadTranslations } from './i18n.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** How often the texts are asked for while the server answers the same, and when. */
async function timesOf(answer: () => Answer): Promise<number[]> {
  vi.useFakeTimers();
  const times: number[] = [];
  const begin = Date.now();
  installServer(() => {
    times.push(Date.now() - begin);
    return answer();
  });
  const loading = i18next.isInitialized ? i18next.reloadResources(['en'], ['common']) : loadTranslations();
  await vi.runAllTimersAsync();
  await loading;
  return times;
}

const AGAIN_FIVE_TIMES = [0, 350, 1050, 2450, 5250, 10_850];

it('asks again for texts that the server could not give, five times and ever later', async () => {
  expect(await timesOf(() => new Response('busy', { status: 503 }))).toEqual(AGAIN_FIVE_TIMES);
  expect(await timesOf(noConnection)).toEqual(AGAIN_FIVE_TIMES);
});

it('does not ask again for texts that are not there, or are none', async () => {
  expect(await timesOf(() => new Response('none', { status: 404 }))).toEqual([0]);
  expect(await timesOf(() => new Response('<html>'))).toEqual([0]);
});

it('takes the texts', async () => {
  await timesOf(() => json({ error: { retry: 'Once more' } }));
  expect(i18next.t('error.retry')).toBe('Once more');
});
