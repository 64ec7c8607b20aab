import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../database/testing.ts';
import { startBoss } from './boss.ts';
import { createJobQueue } from './boss-queue.ts';
import type { JobQueue } from './job-queue.ts';
import type { Offer } from './room.ts';
import { letGo, takeFromLostWorkers } from './testing/hurry.ts';
import { createNotes, hastyJob, notesJob, notesRegistrations, readNotes, reduceJob } from './testing/notes.job.ts';
import { startWorker, type Worker } from './worker.ts';
import { enlist } from './workers.ts';

const logger = pino({ level: 'silent' });
let database: TestDatabase;
let sender: PgBoss;
let jobs: JobQueue;
let worker: Worker | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  await createNotes(database.db);
  sender = await startBoss({ url: database.url, logger, role: 'sender' });
  jobs = createJobQueue(sender, database.db);
  worker = await openWorker();
});
afterAll(async () => {
  await worker?.stop(1_000);
  await sender.stop({ graceful: false });
  await database.close();
});

const offerOf = (memoryMb: number): Offer => ({ cores: 1, memoryMb, diskMb: async () => 100 });

async function openWorker(memoryMb = 100): Promise<Worker> {
  const boss = await startBoss({ url: database.url, logger, role: 'worker' });
  return startWorker({
    ...{ boss, db: database.db, logger, registrations: notesRegistrations(database.db) },
    concurrency: 2,
    offer: offerOf(memoryMb),
  });
}

const notes = (name: string) => readNotes(database.db, name);

const PATIENCE_MS = 60_000;

/** Waits for a note; `meanwhile` is done again and again. */
async function until(name: string, what: string, meanwhile = async () => {}): Promise<string[]> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await notes(name);
    if (found.includes(what)) return found;
    await meanwhile();
    if (Date.now() > deadline) throw new Error(`"${what}" did not come; there is ${JSON.stringify(found)}`);
    await sleep(50);
  }
}

/** Without the pauses between attempts. */
const atOnce = () => letGo(database.db);

async function stateOf({ queue, id }: { queue: string; id: string }): Promise<string | undefined> {
  const [job] = await sender.findJobs(queue, { id });
  return job?.state;
}

test('a job is put in by the transaction that writes what it is about, and not when that fails', async () => {
  const failing = database.db.transaction().execute(async (trx) => {
    await jobs.enqueue(trx, notesJob, { name: 'never' });
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  await database.db.transaction().execute((trx) => jobs.enqueue(trx, notesJob, { name: 'committed' }));
  expect(await until('committed', 'done')).toEqual(['attempt 1', 'done']);
  expect(await notes('never')).toEqual([]);
});

test('a payload that does not fit is refused when the job is put in', async () => {
  await expect(jobs.enqueue(database.db, notesJob, { name: 7 } as unknown as { name: string })).rejects.toThrow(
    /invalid_type/,
  );
});

test('a failure that may pass is tried again', async () => {
  await jobs.enqueue(database.db, notesJob, { name: 'once-1' });
  expect(await until('once-1', 'done')).toEqual(['attempt 1', 'attempt 2', 'done']);
});

test('a job that keeps failing is given up and that is told once, with the code of the error', {
  tags: 'whole',
}, async () => {
  await jobs.enqueue(database.db, notesJob, { name: 'fail-1' });
  const found = await until('fail-1', 'failed for good: test/failed');
  expect(found).toEqual(['attempt 1', 'attempt 2', 'failed for good: test/failed']);
});

/** A worker that does not beat for its job: the beats of the real one are for the attempt before. */
async function loseWorker({ queue, id }: { queue: string; id: string }, retryCount: string): Promise<void> {
  await sql`
    update pgboss.job set retry_count = ${sql.raw(retryCount)}, heartbeat_on = now() - interval '1 hour'
    where name = ${queue} and id = ${id}
  `.execute(database.db);
  await takeFromLostWorkers(sender, database.db);
}

test('a lost worker is no fault of its job: only its own failures use up its attempts', async () => {
  const job = await jobs.enqueue(database.db, notesJob, { name: 'slow-unlucky' });
  for (const attempt of [1, 3]) {
    await until('slow-unlucky', `attempt ${attempt}`, atOnce);
    await loseWorker(job, 'retry_count + 1');
  }
  // Two attempts are all that it has for failures.
  const found = await until('slow-unlucky', 'attempt 5', atOnce);
  expect(found.filter((what) => what.startsWith('failed for good'))).toEqual([]);
  await jobs.cancel(database.db, job);
});

test('an outage of the storage is no fault of a job either', async () => {
  await jobs.enqueue(database.db, notesJob, { name: 'outage-1' });
  const ended = await until('outage-1', 'done', atOnce);
  expect(ended).toEqual([...[1, 2, 3, 4].map((attempt) => `attempt ${attempt}`), 'done']);
});

test('a job that loses its workers again and again is given up', async () => {
  const job = await jobs.enqueue(database.db, notesJob, { name: 'slow-doomed' });
  await until('slow-doomed', 'attempt 1');
  await loseWorker(job, 'retry_limit');
  await until('slow-doomed', 'failed for good: jobs/worker-lost');
  // The handler that still runs hears of it in its own time.
  expect(await until('slow-doomed', 'stopped')).toContain('attempt 1');
});

test('wrong input is not tried again', async () => {
  await jobs.enqueue(database.db, notesJob, { name: 'hopeless-1' });
  expect(await until('hopeless-1', 'failed for good: test/hopeless')).toEqual([
    'attempt 1',
    'failed for good: test/hopeless',
  ]);
});

test('a job that takes longer than it may is stopped, and that is told by its name', { tags: 'whole' }, async () => {
  await jobs.enqueue(database.db, hastyJob, { name: 'slow-hasty' });
  expect(await until('slow-hasty', 'failed for good: jobs/timed-out')).toContain('stopped');
});

test('a cancel reaches the running handler and keeps a waiting job from starting', async () => {
  const running = await jobs.enqueue(database.db, notesJob, { name: 'slow-1' });
  await until('slow-1', 'attempt 1');
  const waiting = await database.db.transaction().execute(async (trx) => {
    const job = await jobs.enqueue(trx, notesJob, { name: 'later' });
    await jobs.cancel(trx, running, job);
    return job;
  });
  await until('slow-1', 'stopped');
  await jobs.enqueue(database.db, notesJob, { name: 'afterwards' });
  await until('afterwards', 'done');
  expect(await notes('slow-1')).toEqual(['attempt 1', 'stopped']);
  expect(await notes('later')).toEqual([]);
  expect([await stateOf(running), await stateOf(waiting)]).toEqual(['cancelled', 'cancelled']);
});

test('the reduce job of a flow runs once, after all chunks', async () => {
  const chunks = Array.from({ length: 5 }, (_, index) => ({ name: `chunk-${index}` }));
  await database.db
    .transaction()
    .execute((trx) =>
      jobs.enqueueFlow(trx, { chunk: notesJob, chunks, reduce: reduceJob, payload: { name: 'reduce-1' } }),
    );
  expect(await until('reduce-1', 'done')).toEqual(['attempt 1', 'done']);
  const { rows } = await sql<{ job: string }>`
    select job from notes where (job like 'chunk-%' or job = 'reduce-1') and what = 'done' order by id
  `.execute(database.db);
  expect(rows.map(({ job }) => job).sort()).toEqual([
    'chunk-0',
    'chunk-1',
    'chunk-2',
    'chunk-3',
    'chunk-4',
    'reduce-1',
  ]);
  expect(rows.at(-1)?.job).toBe('reduce-1');
});

test('a flow without chunks is its reduce job', async () => {
  const flow = await jobs.enqueueFlow(database.db, {
    chunk: notesJob,
    chunks: [],
    reduce: reduceJob,
    payload: { name: 'reduce-2' },
  });
  expect(flow.chunks).toEqual([]);
  await until('reduce-2', 'done');
});

test('when a chunk fails for good the other chunks and the reduce job are cancelled', async () => {
  const flow = await database.db.transaction().execute((trx) =>
    jobs.enqueueFlow(trx, {
      chunk: notesJob,
      chunks: [{ name: 'hopeless-chunk' }, { name: 'slow-chunk' }],
      reduce: reduceJob,
      payload: { name: 'reduce-3' },
    }),
  );
  await until('hopeless-chunk', 'failed for good: test/hopeless');
  await until('slow-chunk', 'stopped');
  expect(await notes('reduce-3')).toEqual([]);
  expect(await stateOf(flow.reduce)).toBe('cancelled');
});

test('the queue says whether it can be used', async () => {
  await expect(jobs.check()).resolves.toBeUndefined();
});

test('a worker that shuts down stops its jobs, and another finishes them', async () => {
  const job = await jobs.enqueue(database.db, notesJob, { name: 'slow-handover' });
  await until('slow-handover', 'attempt 1');
  await worker?.stop(5_000);
  worker = undefined;
  // On a busy machine the handler may still be writing its last note when the worker is stopped.
  expect(await until('slow-handover', 'stopped')).toEqual(['attempt 1', 'stopped']);
  worker = await openWorker();
  await until('slow-handover', 'attempt 2');
  // It would wait in front of the jobs of the next test.
  await jobs.cancel(database.db, job);
});

test('the job of a worker killed with SIGKILL is taken over within a minute', { timeout: 150_000 }, async () => {
  await worker?.stop(5_000);
  worker = undefined;
  const script = join(import.meta.dirname, 'testing', 'worker-process.ts');
  const child = spawn(process.execPath, [script, database.url], { stdio: 'inherit' });
  try {
    await jobs.enqueue(database.db, notesJob, { name: 'slow-killed' });
    await until('slow-killed', 'attempt 1');
  } finally {
    child.kill('SIGKILL');
  }
  await once(child, 'exit');

  worker = await openWorker();
  expect(await until('slow-killed', 'attempt 2')).toEqual(['attempt 1', 'attempt 2']);
});

test('a job waits for a worker that is large enough, and no attempt is lost', async () => {
  // It will be there: otherwise the small ones would end what is too large for them.
  const leave = await enlist(database.db, offerOf(300), logger);
  const job = await jobs.enqueue(database.db, notesJob, { name: 'needs-200' });
  await jobs.enqueue(database.db, notesJob, { name: 'needs-50' });
  expect(await until('needs-50', 'done')).toEqual(['attempt 1', 'done']);
  const isHandedOn = async (): Promise<boolean> => {
    const [found] = await sender.findJobs<object>(job.queue, { id: job.id });
    return found?.state === 'created' && found.startAfter > new Date();
  };
  await expect.poll(isHandedOn).toBe(true);
  await worker?.stop(5_000);
  worker = await openWorker(300);
  await letGo(database.db);
  expect(await until('needs-200', 'done')).toEqual(['attempt 1', 'done']);
  await expect.poll(() => stateOf(job)).toBe('completed');
  await leave();

  // No worker of the last minutes has room for it.
  await jobs.enqueue(database.db, notesJob, { name: 'needs-100000' });
  expect(await until('needs-100000', 'failed for good: jobs/no-room')).toHaveLength(1);
});
