import { sql } from 'kysely';
import { fromKysely, type PgBoss } from 'pg-boss';
import { uuidv7 } from 'uuidv7';
import type { Database, Queryable } from '../database/database.ts';
import { ensureQueue, type JobEnvelope } from './boss.ts';
import type { JobDefinition } from './job.ts';
import type { EnqueueOptions, FlowOptions, JobQueue, JobReference } from './job-queue.ts';

/** The queue over pg-boss: jobs are rows, so they are put in by the transaction that writes what they are about. */
export function createJobQueue(boss: PgBoss, db: Database): JobQueue {
  const known = new Map<string, Promise<void>>();

  /** Outside the caller's transaction: making a queue changes the schema. */
  async function ensure(job: JobDefinition<unknown>): Promise<void> {
    let ready = known.get(job.name);
    if (ready === undefined) {
      ready = ensureQueue(boss, job);
      known.set(job.name, ready);
    }
    try {
      await ready;
    } catch (error) {
      known.delete(job.name);
      throw error;
    }
  }

  async function enqueue<Payload>(
    trx: Queryable,
    job: JobDefinition<Payload>,
    payload: Payload,
    { startAfterSeconds, priority }: EnqueueOptions = {},
  ): Promise<JobReference> {
    await ensure(job as JobDefinition<unknown>);
    const envelope: JobEnvelope = { payload: job.payload.parse(payload) };
    const id = await boss.send(job.name, envelope, {
      db: fromKysely(trx),
      id: uuidv7(),
      // Keys with the value undefined would be refused.
      ...(startAfterSeconds === undefined ? {} : { startAfter: startAfterSeconds }),
      ...(priority === undefined ? {} : { priority }),
    });
    if (id === null) throw new Error(`The job ${job.name} could not be put into the queue.`);
    return { queue: job.name, id };
  }

  return {
    enqueue,
    async enqueueFlow<Chunk, Reduce>(trx: Queryable, flow: FlowOptions<Chunk, Reduce>) {
      const { chunk, chunks, reduce, payload } = flow;
      if (chunks.length === 0) return { chunks: [], reduce: await enqueue(trx, reduce, payload) };
      await ensure(chunk as JobDefinition<unknown>);
      await ensure(reduce as JobDefinition<unknown>);
      const reduceReference = { queue: reduce.name, id: uuidv7() };
      const references = chunks.map(() => ({ queue: chunk.name, id: uuidv7() }));
      const envelopes = chunks.map(
        (part): JobEnvelope => ({ payload: chunk.payload.parse(part), reduce: reduceReference }),
      );
      await boss.flow(
        [
          ...references.map(({ queue, id }, index) => ({
            ref: id,
            name: queue,
            data: envelopes[index] ?? {},
            options: { id },
          })),
          {
            ref: reduceReference.id,
            name: reduce.name,
            data: { payload: reduce.payload.parse(payload) } satisfies JobEnvelope,
            options: { id: reduceReference.id },
            dependsOn: references.map(({ id }) => id),
          },
        ],
        { db: fromKysely(trx) },
      );
      return { chunks: references, reduce: reduceReference };
    },
    async cancel(trx, ...jobs) {
      await cancelJobs(boss, trx, jobs);
    },
    async check() {
      await sql`select 1 from pgboss.version`.execute(db);
    },
  };
}

/** Cancels jobs that have not ended; those that have are left as they are. */
export async function cancelJobs(boss: PgBoss, db: Queryable, jobs: readonly JobReference[]): Promise<void> {
  const byQueue = Map.groupBy(jobs, ({ queue }) => queue);
  for (const [queue, references] of byQueue)
    await boss.cancel(
      queue,
      references.map(({ id }) => id),
      { db: fromKysely(db) },
    );
}

/** Cancels what a failed chunk was part of: its siblings and the job that waits for them. */
export async function cancelFlow(boss: PgBoss, db: Queryable, reduce: JobReference): Promise<void> {
  const chunks: JobReference[] = [];
  for (;;) {
    const after = chunks.at(-1);
    const page = await boss.getDependencies(reduce.queue, reduce.id, {
      db: fromKysely(db),
      ...(after === undefined ? {} : { after: { name: after.queue, id: after.id } }),
    });
    chunks.push(...page.map(({ name, id }) => ({ queue: name, id })));
    if (page.length < DEPENDENCY_PAGE) break;
  }
  await cancelJobs(boss, db, [reduce, ...chunks]);
}

/** What pg-boss gives at once when not told otherwise. */
const DEPENDENCY_PAGE = 1000;
