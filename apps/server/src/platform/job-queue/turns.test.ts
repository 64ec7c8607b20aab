import type { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { createTestDatabase, type TestDatabase } from '../database/testing.ts';
import { ensureQueue, type JobEnvelope, queueOf, startBoss } from './boss.ts';
import { createJobQueue } from './boss-queue.ts';
import { defineJob } from './job.ts';
import type { JobQueue } from './job-queue.ts';

const payload = z.object({ name: z.string() });
const single = defineJob({ name: 'test-single', lane: 'long', payload });
const chunk = defineJob({ name: 'test-chunk', lane: 'long', payload });
const reduce = defineJob({ name: 'test-reduce', lane: 'long', payload });
const LONG = queueOf('long');

let database: TestDatabase;
let boss: PgBoss;
let jobs: JobQueue;
beforeAll(async () => {
  database = await createTestDatabase();
  boss = await startBoss({ url: database.url, logger: pino({ level: 'silent' }), role: 'sender' });
  await ensureQueue(boss, 'long');
  jobs = createJobQueue(boss, database.db);
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await database.close();
});
beforeEach(async () => {
  while ((await take()) !== undefined);
});

const put = (name: string, options = {}) => jobs.enqueue(database.db, single, { name }, options);

const putFlow = (name: string, chunks: number) =>
  jobs.enqueueFlow(database.db, {
    chunk,
    chunks: Array.from({ length: chunks }, (_, index) => ({ name: `${name}${index}` })),
    reduce,
    payload: { name: `${name} ends` },
  });

/** Takes the next job as a worker would; the caller completes it. */
async function begin() {
  const [job] = await boss.fetch<JobEnvelope>(LONG);
  return job && { id: job.id, name: (job.data.payload as { name: string }).name };
}

async function take(): Promise<string | undefined> {
  const job = await begin();
  if (job !== undefined) await boss.complete(LONG, job.id);
  return job?.name;
}

async function takeMany(count: number): Promise<(string | undefined)[]> {
  const names: (string | undefined)[] = [];
  for (let taken = 0; taken < count; taken++) names.push(await take());
  return names;
}

test('single jobs are done in the order in which they came', async () => {
  for (const name of ['one', 'two', 'three']) await put(name);
  expect(await takeMany(4)).toEqual(['one', 'two', 'three', undefined]);
});

test('flows alternate, so that a short one does not wait for the end of a long one', async () => {
  await putFlow('long', 5);
  await putFlow('short', 2);
  expect(await takeMany(4)).toEqual(['long0', 'short0', 'long1', 'short1']);
});

test('jobs that come when a flow is under way take turns with its chunks, in their order', async () => {
  await putFlow('flow', 6);
  expect(await takeMany(2)).toEqual(['flow0', 'flow1']);
  const running = await begin();
  expect(running?.name).toBe('flow2');
  await put('one');
  await put('two');
  await boss.complete(LONG, running?.id ?? '');
  await put('three');
  expect(await takeMany(6)).toEqual(['one', 'flow3', 'two', 'flow4', 'three', 'flow5']);
});

test('a flow is not put off for ever by jobs that keep coming', async () => {
  await putFlow('flow', 3);
  const taken: (string | undefined)[] = [];
  for (let count = 0; count < 6; count++) {
    await put(`job${count}`);
    taken.push(await take());
  }
  expect(taken).toEqual(['flow0', 'job0', 'flow1', 'job1', 'flow2', 'job2']);
});

test('a chunk that is repeated goes first and does not set back the order of jobs', async () => {
  await putFlow('flow', 6);
  const failing = await begin();
  expect(await takeMany(3)).toEqual(['flow1', 'flow2', 'flow3']);
  await put('waits');
  await boss.fail(LONG, failing?.id ?? '');
  await boss.update(LONG, undefined, { id: failing?.id ?? '', startAfter: 0 });
  await put('later');
  expect(await takeMany(4)).toEqual(['flow0', 'waits', 'later', 'flow4']);
});

test('what goes on with something begun does not wait for its turn', async () => {
  await put('one');
  await put('goes on', { isContinuation: true });
  await put('two');
  expect(await takeMany(3)).toEqual(['goes on', 'one', 'two']);
});

test('organizations take turns, and the jobs of each keep their order', async () => {
  const of = (organizationId: string, name: string) => put(name, { organizationId });
  for (const name of ['a1', 'a2', 'a3', 'a4']) await of('A', name);
  const running = await begin();
  expect(running?.name).toBe('a1');
  for (const name of ['b1', 'b2']) await of('B', name);
  await of('C', 'c1');
  await boss.complete(LONG, running?.id ?? '');
  expect(await takeMany(6)).toEqual(['a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('a turn in which a job is under way is over for all: those that keep coming put off nobody', async () => {
  await putFlow('flow', 3);
  expect(await take()).toBe('flow0');
  await put('a', { organizationId: 'A' });
  expect(await take()).toBe('flow1');
  const taken: (string | undefined)[] = [];
  let running = await begin();
  for (const organizationId of ['B', 'A', 'B', 'A']) {
    taken.push(running?.name);
    // Before the running job has finished.
    await put(`then ${organizationId}`, { organizationId });
    await boss.complete(LONG, running?.id ?? '');
    running = await begin();
  }
  await boss.complete(LONG, running?.id ?? '');
  expect(taken.slice(0, 4)).toContain('flow2');
});

test('people of an organization take turns within its turns, and the jobs of each keep their order', async () => {
  const of = (organizationId: string, personId: string, name: string) => put(name, { organizationId, personId });
  for (const name of ['ann1', 'ann2', 'ann3', 'ann4', 'ann5']) await of('A', 'ann', name);
  const running = await begin();
  expect(running?.name).toBe('ann1');
  await of('B', 'bob', 'bob1');
  for (const name of ['amy1', 'amy2']) await of('A', 'amy', name);
  await of('B', 'bob', 'bob2');
  await boss.complete(LONG, running?.id ?? '');
  // Ann's job under way counts, so Amy's first comes before Ann's second. The other organization loses no turn.
  expect(await takeMany(8)).toEqual(['bob1', 'amy1', 'ann2', 'bob2', 'amy2', 'ann3', 'ann4', 'ann5']);
});

test('a person who asks again and again does not put off the others of the organization', async () => {
  const of = (personId: string, name: string) => put(name, { organizationId: 'A', personId });
  for (const name of ['ann1', 'ann2']) await of('ann', name);
  const taken: (string | undefined)[] = [];
  for (let count = 0; count < 5; count++) {
    await of('amy', `amy${count}`);
    taken.push(await take());
  }
  expect(taken.indexOf('ann2')).toBeLessThan(4);
});

test('two who ask at the same time wait for nothing and lose nothing', async () => {
  const of = (personId: string) => (name: string) =>
    database.db.transaction().execute(async (trx) => {
      await jobs.enqueue(trx, single, { name }, { organizationId: 'A', personId });
    });
  const names = (person: string) => Array.from({ length: 12 }, (_, index) => `${person}${index}`);
  await Promise.all([...names('ann').map(of('ann')), ...names('amy').map(of('amy'))]);
  const taken = await takeMany(25);
  expect(taken.at(-1)).toBeUndefined();
  expect(new Set(taken).size).toBe(25);
});

test('lanes do not wait for each other', async () => {
  await putFlow('flow', 3);
  const short = defineJob({ name: 'test-short', lane: 'short', payload });
  await jobs.enqueue(database.db, short, { name: 'check' });
  const [job] = await boss.fetch<JobEnvelope>(queueOf('short'));
  expect(job?.data.payload).toEqual({ name: 'check' });
});
