import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installBrowser, installUploadLine } from '../../../../../testing/browser.ts';
import { putBytes } from './send-bytes.ts';

beforeEach(() => {
  installBrowser();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const bytes = new Uint8Array(64).buffer;

function put(signal = new AbortController().signal) {
  const told: number[] = [];
  const sending = putBytes('/put/a', bytes, { contentType: 'text/csv', signal, onProgress: (sent) => told.push(sent) });
  return {
    told,
    failure: sending.then(
      () => undefined,
      (error: unknown) => error,
    ),
  };
}

test('what has arrived is told on the way', async () => {
  installUploadLine(() => ({ status: 200 }));
  const { told, failure } = put();
  expect(await failure).toBeUndefined();
  expect(told).toEqual([64]);
});

test('a refusal of our own storage keeps its code', async () => {
  const problem = { code: 'files/upload-too-large', status: 413, title: 'Too large', detail: 'At most 10 GB' };
  installUploadLine(() => ({ status: 413, text: JSON.stringify(problem) }));
  expect(await put().failure).toMatchObject({ code: 'files/upload-too-large', status: 413, detail: 'At most 10 GB' });
});

test('a refusal of an object store, which answers in XML, is told apart by its status', async () => {
  installUploadLine(({ url }) => ({ status: url === '/put/a' ? 403 : 500, text: '<Error/>' }));
  expect(await put().failure).toMatchObject({ code: 'files/upload-expired', status: 403 });
});

test('a line that is cut counts as no connection, so that the bytes are sent again', async () => {
  installUploadLine(() => 'cut');
  expect(await put().failure).toMatchObject({ code: 'auth/network-request-failed', status: 0 });
});

test('a line that carries nothing for a minute is given up, and not before', async () => {
  vi.useFakeTimers();
  installUploadLine(() => 'silent');
  const { failure } = put();
  let isOver = false;
  void failure.then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await failure).toMatchObject({ code: 'auth/network-request-failed' });
});

test('an upload that is cancelled ends with that reason', async () => {
  installUploadLine(() => 'silent');
  const stop = new AbortController();
  const { failure } = put(stop.signal);
  stop.abort(new Error('cancelled by the user'));
  expect(await failure).toMatchObject({ message: 'cancelled by the user' });
});

test('one that was cancelled before is not even begun', async () => {
  const puts = installUploadLine(() => ({ status: 200 }));
  const stop = new AbortController();
  stop.abort(new Error('cancelled before'));
  expect(await put(stop.signal).failure).toMatchObject({ message: 'cancelled before' });
  expect(puts).toEqual([]);
});
