import { expect, test } from 'vitest';
import { aside } from './aside.ts';

const THREAD = new URL('./aside.thread.test-data.ts', import.meta.url);
const OTHER = new URL('./aside.thread.test-data.ts?other', import.meta.url);
const tell = (thread = THREAD) => aside<number>(thread, 'tell');

test('a thread is kept for the next task of its module', async () => {
  const first = await tell();
  expect(await tell()).toBe(first);
  expect(await tell(OTHER)).not.toBe(first);
  expect(await tell()).toBe(first);
});

test('two threads work at one time, and further tasks are done by them', async () => {
  const threads = await Promise.all(Array.from({ length: 8 }, () => tell()));
  expect(new Set(threads).size).toBe(2);
});

test('a thread that fails ends with its task and says why; the next task has another', async () => {
  const first = await tell();
  await expect(aside(THREAD, 'fail')).rejects.toThrow(new RangeError('The task cannot be done.'));
  await expect(aside(THREAD, 'end')).rejects.toThrow('The thread ended without a result.');
  const next = await tell();
  expect(next).not.toBe(first);
});

test('what cannot be sent to a thread is an error of its task alone', async () => {
  await expect(aside(THREAD, () => 1)).rejects.toThrow('could not be cloned');
  expect(await tell()).toBeGreaterThan(0);
});
