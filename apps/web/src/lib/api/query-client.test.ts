import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { CurrentQueryClient } from './query-client.ts';

const KEY = ['files', 'f'];

/** A server whose answers are held back: each is what was true when it was asked. */
function slowServer() {
  const waiting: (() => void)[] = [];
  const server = {
    status: 'UPLOADED',
    isDown: false,
    asked: 0,
    read: (): Promise<string> => {
      const { status, isDown } = server;
      server.asked++;
      return new Promise((resolve, reject) => {
        waiting.push(() => (isDown ? reject(new Error('The server is down')) : resolve(status)));
      });
    },
    answer: (): void => waiting.shift()?.(),
  };
  return server;
}

const options = (server: ReturnType<typeof slowServer>) => ({
  queryKey: KEY,
  queryFn: server.read,
  staleTime: 60_000,
  retry: false,
});

test('an answer that is older than a change does not outlast it: the first one of a page', async () => {
  const server = slowServer();
  const client = new CurrentQueryClient();
  const page = new QueryObserver(client, options(server));
  const leave = page.subscribe(() => {});
  await eventually(() => expect(server.asked).toBe(1));
  server.status = 'INVALID';
  // Several messages come; it is asked once more, not once more for each.
  for (let messages = 0; messages < 3; messages++) void client.invalidateQueries({ queryKey: ['files'] });
  server.answer();
  await eventually(() => expect(page.getCurrentResult().data).toBe('UPLOADED'));
  await eventually(() => expect(server.asked).toBe(2));
  server.answer();
  await eventually(() => expect(page.getCurrentResult().data).toBe('INVALID'));
  expect(client.getQueryState(KEY)?.isInvalidated).toBe(false);
  expect(server.asked).toBe(2);
  leave();
});

test('an answer that is older than a change does not outlast it: one read before the page is shown', async () => {
  const server = slowServer();
  const client = new CurrentQueryClient();
  const read = client.ensureQueryData(options(server));
  await eventually(() => expect(server.asked).toBe(1));
  server.status = 'INVALID';
  void client.invalidateQueries({ queryKey: ['files'] });
  server.answer();
  expect(await read).toBe('UPLOADED');
  await eventually(() => expect(client.getQueryState(KEY)?.isInvalidated).toBe(true));
  const page = new QueryObserver(client, options(server));
  const leave = page.subscribe(() => {});
  await eventually(() => expect(server.asked).toBe(2));
  server.answer();
  await eventually(() => expect(page.getCurrentResult().data).toBe('INVALID'));
  leave();
});

test('an answer that is older than a change does not outlast it: a later one of a page that is left', async () => {
  const server = slowServer();
  const client = new CurrentQueryClient();
  client.setQueryData(KEY, 'UPLOADED', { updatedAt: 1 });
  const read = client.fetchQuery(options(server));
  await eventually(() => expect(server.asked).toBe(1));
  server.status = 'INVALID';
  void client.invalidateQueries({ queryKey: ['files'] });
  server.answer();
  expect(await read).toBe('UPLOADED');
  await eventually(() => expect(client.getQueryState(KEY)?.isInvalidated).toBe(true));
});

test('a request that fails while a change comes is asked again', async () => {
  const server = slowServer();
  server.isDown = true;
  const client = new CurrentQueryClient();
  const page = new QueryObserver(client, options(server));
  const leave = page.subscribe(() => {});
  await eventually(() => expect(server.asked).toBe(1));
  server.isDown = false;
  void client.invalidateQueries({ queryKey: ['files'] });
  server.answer();
  await eventually(() => expect(server.asked).toBe(2));
  server.answer();
  await eventually(() => expect(page.getCurrentResult().data).toBe('UPLOADED'));
  leave();
});
