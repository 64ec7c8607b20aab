import { environmentManager, QueryObserver } from '@tanstack/react-query';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { CurrentQueryClient } from './query-client.ts';

const KEY = ['files', 'f'];

// Servers poll nothing, and pages do.
beforeAll(() => environmentManager.setIsServer(() => false));
afterAll(() => environmentManager.setIsServer(() => true));

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

/** A page that shows a thing by one query and polls it by another, and the requests about it. */
function pageOfThing(client: CurrentQueryClient, id: string) {
  const asked: string[] = [];
  const observe = (part: string, refetchInterval: number | false) => {
    const queryFn = () => {
      asked.push(part);
      return Promise.resolve({ part, time: asked.length });
    };
    const own = { queryKey: ['files', part, id], queryFn, staleTime: 0, refetchInterval };
    return new QueryObserver(client, { ...own, enabled: (query) => query.state.dataUpdateCount < 50 }).subscribe(
      () => {},
    );
  };
  const leaves = [observe('detail', false), observe('qc', 20)];
  return { asked, leave: () => leaves.forEach((leave) => leave()) };
}

test('nothing is asked of a thing from its deletion until its page has left; then it is forgotten', async () => {
  const client = new CurrentQueryClient();
  const page = pageOfThing(client, 'f');
  const other = pageOfThing(client, 'g');
  await eventually(() => expect(page.asked.length).toBeGreaterThan(3));
  const told = () => client.invalidateQueries({ queryKey: ['files'] });
  const until = { deletion: 0, others: 0 };
  await client.end('f', async () => {
    until.deletion = page.asked.length;
    until.others = other.asked.length;
    // The change is told before the answer comes, and a part of the page is shown late.
    await told();
    await new Promise((resolve) => setTimeout(resolve, 60));
  });
  await told();
  const late = new QueryObserver(client, { queryKey: ['files', 'rows', 'f'], queryFn: () => page.asked.push('rows') });
  const leaveLate = late.subscribe(() => {});
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(page.asked.length).toBe(until.deletion);
  expect(other.asked.length).toBeGreaterThan(until.others + 2);
  page.leave();
  leaveLate();
  expect(client.getQueryCache().findAll({ predicate: ({ queryKey }) => queryKey.includes('f') })).toEqual([]);
  // It was restored.
  const again = pageOfThing(client, 'f');
  await eventually(() => expect(again.asked).toContain('detail'));
  again.leave();
  other.leave();
});

test('what could not be deleted is read again', async () => {
  const client = new CurrentQueryClient();
  const page = pageOfThing(client, 'f');
  await eventually(() => expect(page.asked).toContain('detail'));
  page.asked.length = 0;
  const refused = client.end('f', () => Promise.reject(new Error('It is in use')));
  await expect(refused).rejects.toThrow('It is in use');
  await eventually(() => expect(new Set(page.asked)).toEqual(new Set(['detail', 'qc'])));
  page.leave();
});
