import { sql } from 'kysely';
import * as z from 'zod';
import type { Queryable } from '../../database/database.ts';
import { ObjectStorageUnavailableError } from '../../object-storage/object-storage.ts';
import { defineJob, type JobContext, type JobRegistration, registerJob, UnrecoverableJobError } from '../job.ts';

const payload = z.object({ name: z.string() });
type Payload = z.infer<typeof payload>;

/** Jobs for the tests of the queue, one per lane; each records in a table what happens to it. */
export const notesJob = defineJob({ name: 'test-notes', lane: 'long', payload, retryLimit: 1, retryDelaySeconds: 0 });
/** May take a second. */
export const hastyJob = defineJob({ name: 'test-hasty', lane: 'long', payload, retryLimit: 0, expireInSeconds: 1 });
export const reduceJob = defineJob({
  name: 'test-reduce',
  lane: 'short',
  payload,
  retryLimit: 1,
  retryDelaySeconds: 0,
});

export async function createNotes(db: Queryable): Promise<void> {
  await sql`create table notes (id bigint generated always as identity, job text, what text)`.execute(db);
}

export async function note(db: Queryable, job: string, what: string): Promise<void> {
  await sql`insert into notes (job, what) values (${job}, ${what})`.execute(db);
}

export async function readNotes(db: Queryable, job: string): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`select what from notes where job = ${job} order by id`.execute(db);
  return rows.map(({ what }) => what);
}

/**
 * What the job does is in its name: `fail…` fails, `once…` fails the first time, `outage…` has no storage the first
 * three times, `hopeless…` cannot succeed, `slow…`
 * waits to be stopped; `needs…-200` needs 200 MB.
 */
export function notesRegistrations(db: Queryable): JobRegistration[] {
  const handler = async (job: JobContext<Payload>) => {
    const { name } = job.payload;
    if (name.startsWith('needs')) await job.reserve({ memoryMb: Number(name.split('-').at(-1)), diskMb: 0 });
    await note(db, name, `attempt ${job.attempt}`);
    if (name.startsWith('fail') || (name.startsWith('once') && job.attempt === 1))
      throw Object.assign(new Error(`${name} failed`), { code: 'test/failed' });
    if (name.startsWith('outage') && job.attempt <= 3) throw new ObjectStorageUnavailableError(new Error('timed out'));
    if (name.startsWith('hopeless')) throw new UnrecoverableJobError('test/hopeless', 'wrong input');
    if (name.startsWith('slow')) {
      // The signal may have been aborted while the note was written.
      if (!job.signal.aborted)
        await new Promise((resolve) => job.signal.addEventListener('abort', resolve, { once: true }));
      await note(db, name, 'stopped');
      throw new Error('stopped');
    }
    await note(db, name, 'done');
  };
  const onFailed = async ({ name }: Payload, failure: { code: string; message: string }) =>
    note(db, name, `failed for good: ${failure.code}`);
  return [notesJob, hastyJob, reduceJob].map((job) => registerJob(job, handler, onFailed));
}
