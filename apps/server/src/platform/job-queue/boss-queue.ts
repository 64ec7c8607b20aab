import { type RawBuilder, sql } from 'kysely';
import { fromKysely, type JobWithMetadata, type PgBoss } from 'pg-boss';
import { uuidv7 } from 'uuidv7';
import type { Database, Queryable } from '../database/database.ts';
import { currentTrace, traced } from '../tracing/tracing.ts';
import { ensureQueue, failedQueueOf, type JobEnvelope, queueOf, retryOptions } from './boss.ts';
import { type JobDefinition, LANES, type Lane } from './job.ts';
import type { EnqueueOptions, FlowOptions, JobQueue, JobReference } from './job-queue.ts';

/** The job queue on pg-boss. Jobs are rows, so they are enqueued by the transaction that writes what they are about. */
export function createJobQueue(boss: PgBoss, db: Database): JobQueue {
  const known = new Map<Lane, Promise<void>>();

  /** Outside the caller's transaction, because creating a queue changes the schema. */
  async function ensure(lane: Lane): Promise<void> {
    let ready = known.get(lane);
    if (ready === undefined) {
      ready = ensureQueue(boss, lane);
      known.set(lane, ready);
    }
    try {
      await ready;
    } catch (error) {
      known.delete(lane);
      throw error;
    }
  }

  const enqueue = <Payload>(
    trx: Queryable,
    job: JobDefinition<Payload>,
    payload: Payload,
    options: EnqueueOptions = {},
  ): Promise<JobReference> =>
    traced(`enqueue ${job.name}`, { kind: 'producer' }, async (span) => {
      const reference = await send(trx, job, payload, options);
      span?.set({ 'heterosis.job_id': reference.id, 'heterosis.organization_id': options.organizationId });
      return reference;
    });

  async function send<Payload>(
    trx: Queryable,
    job: JobDefinition<Payload>,
    payload: Payload,
    { isContinuation = false, organizationId, personId, delaySeconds }: EnqueueOptions,
  ): Promise<JobReference> {
    await ensure(job.lane);
    const queue = queueOf(job.lane);
    const envelope: JobEnvelope = {
      job: job.name,
      payload: job.payload.parse(payload),
      ...(organizationId === undefined ? {} : { organization: organizationId }),
      ...(personId === undefined ? {} : { person: personId }),
      ...traceOf(),
    };
    const turn = isContinuation ? AT_ONCE : await freeTurn(trx, queue, organizationId);
    const id = await boss.send(queue, envelope, {
      db: fromKysely(trx),
      id: uuidv7(),
      ...retryOptions(job),
      priority: -turn,
      ...(delaySeconds === undefined ? {} : { startAfter: delaySeconds }),
    });
    if (id === null) throw new Error(`The job ${job.name} could not be put into the queue.`);
    if (!isContinuation && organizationId !== undefined) await takeTurnsWithin(trx, queue, organizationId);
    return { queue, id, job: job.name };
  }

  return {
    enqueue,
    enqueueFlow: <Chunk, Reduce>(trx: Queryable, flow: FlowOptions<Chunk, Reduce>) =>
      traced(`enqueue ${flow.chunk.name}`, { kind: 'producer' }, async (span) => {
        span?.set({ 'heterosis.chunks': flow.chunks.length });
        return await sendFlow(trx, flow);
      }),
    async cancel(trx, ...jobs) {
      await cancelJobs(boss, trx, jobs);
    },
    async check() {
      await sql`select 1 from pgboss.version`.execute(db);
    },
  };

  async function sendFlow<Chunk, Reduce>(trx: Queryable, flow: FlowOptions<Chunk, Reduce>) {
    const { chunk, chunks, reduce, payload } = flow;
    if (chunks.length === 0) return { chunks: [], reduce: await enqueue(trx, reduce, payload) };
    await ensure(chunk.lane);
    await ensure(reduce.lane);
    const newReference = <Payload>(job: JobDefinition<Payload>): JobReference => ({
      queue: queueOf(job.lane),
      id: uuidv7(),
      job: job.name,
    });
    const reduceReference = newReference(reduce);
    const references = chunks.map(() => newReference(chunk));
    const envelopes = chunks.map(
      (part): JobEnvelope => ({
        ...{ job: chunk.name, payload: chunk.payload.parse(part), reduce: reduceReference },
        ...traceOf(),
      }),
    );
    const firstTurn = await currentTurn(trx, queueOf(chunk.lane));
    await boss.flow(
      [
        ...references.map(({ queue, id }, index) => ({
          ref: id,
          name: queue,
          data: envelopes[index] ?? {},
          options: { id, ...retryOptions(chunk), priority: -(firstTurn + index) },
        })),
        {
          ref: reduceReference.id,
          name: reduceReference.queue,
          data: { job: reduce.name, payload: reduce.payload.parse(payload), ...traceOf() } satisfies JobEnvelope,
          options: { id: reduceReference.id, ...retryOptions(reduce), priority: -AT_ONCE },
          dependsOn: references.map(({ id }) => id),
        },
      ],
      { db: fromKysely(trx) },
    );
    return { chunks: references, reduce: reduceReference };
  }
}

/** What the job belongs to; nothing without tracing. */
function traceOf(): Pick<JobEnvelope, 'trace'> {
  const trace = currentTrace();
  return trace === undefined ? {} : { trace };
}

/**
 * Start-time fair queuing (Goyal, Vin and Cheng 1996): each turn takes one chunk of every flow and one single job of
 * every organization. Flows alternate, organizations alternate, the people of an organization alternate within its
 * turns, the single jobs of each keep their order, and none starves another. The priority of a job is its negated turn:
 * pg-boss takes high priorities first, and older jobs among equals.
 */
const AT_ONCE = -1;

/** Chunks refer to the job that waits for them. */
const isSingle = sql`not (data ? 'reduce')`;

/**
 * The current turn: the latest that has begun, or else the first waiting. A repeated chunk keeps its early turn and
 * does not reset it.
 */
async function currentTurn(db: Queryable, queue: string): Promise<number> {
  const { rows } = await sql<{ turn: number }>`
    select coalesce(
      (select -min(priority) from pgboss.job
        where name = ${queue} and state = 'active' and priority <= 0 and retry_count = 0),
      (select -max(priority) from pgboss.job where name = ${queue} and state = 'created' and not blocked and priority <= 0),
      0) as turn
  `.execute(db);
  return rows[0]?.turn ?? 0;
}

/**
 * The first turn without a single job of the organization. A running job counts as its organization's turn; otherwise
 * jobs that keep arriving from ever new organizations would postpone later turns forever.
 */
async function freeTurn(db: Queryable, queue: string, organizationId: string | undefined): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select -min(priority) as last from pgboss.job
    where name = ${queue} and state in ('created', 'retry', 'active') and priority <= 0 and ${isSingle}
      and (state = 'active' or data ->> 'organization' is not distinct from ${organizationId ?? null})
  `.execute(db);
  const last = rows[0]?.last ?? null;
  const turn = await currentTurn(db, queue);
  return last === null ? turn : Math.max(turn, last + 1);
}

/**
 * Gives each person of an organization a turn: the first job of each comes before the second of any, and
 * a running job counts as the first of its person. The organization has the same turns as before. Jobs that another
 * transaction is moving stay where they are.
 */
async function takeTurnsWithin(db: Queryable, queue: string, organizationId: string): Promise<void> {
  // Most jobs are in their turn at the end. To lock all that wait costs ten times as much as to look.
  const { rows } = await sql<{ is_needed: boolean }>`
    ${turnsWithin(queue, organizationId, sql``)} select exists (select from moved) as is_needed
  `.execute(db);
  if (rows[0]?.is_needed !== true) return;
  await sql`
    ${turnsWithin(queue, organizationId, sql`for update skip locked`)}
    update pgboss.job set priority = moved.priority from moved where job.name = ${queue} and job.id = moved.id
  `.execute(db);
}

/** `moved`: the jobs of an organization that wait in another turn than theirs, each with the priority of its own. */
const turnsWithin = (queue: string, organizationId: string, lock: RawBuilder<unknown>) => sql`
  with free as materialized (
    select id, priority, data ->> 'person' as person from pgboss.job
    where name = ${queue} and state in ('created', 'retry') and priority <= 0 and ${isSingle}
      and data ->> 'organization' = ${organizationId}
    ${lock}
  ), running as (
    select data ->> 'person' as person, count(*) as jobs from pgboss.job
    where name = ${queue} and state = 'active' and ${isSingle} and data ->> 'organization' = ${organizationId}
    group by 1
  ), counted as (
    select id, priority,
      row_number() over (partition by person order by priority desc, id) +
        coalesce((select jobs from running where running.person is not distinct from free.person), 0) as place
    from free
  ), ordered as (
    select id, priority, row_number() over (order by place, priority desc, id) as number from counted
  ), turns as (select priority, row_number() over (order by priority desc, id) as number from counted),
  moved as (
    select ordered.id, turns.priority from ordered join turns using (number) where ordered.priority <> turns.priority
  )`;

/**
 * Whether one of these jobs (a column with an array of `JobReference`) is waiting or running in a queue that workers
 * serve, or has failed without its failure having been handled yet.
 */
export const hasLiveJob = (references: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from jsonb_array_elements(${references}) as reference
  join pgboss.job on (name = any(${LANES.map(queueOf)}::text[]) and job.id = (reference ->> 'id')::uuid)
    or (name = any(${LANES.map((lane) => failedQueueOf(queueOf(lane)))}::text[]) and source_id = (reference ->> 'id')::uuid)
  where job.state in ('created', 'retry', 'active'))`;

/** Keeps with a running job how often its handler has failed. An attempt that was taken over changes nothing. */
export async function keepFailures(
  db: Queryable,
  { name, id, retryCount }: JobWithMetadata<JobEnvelope>,
  failures: number,
): Promise<void> {
  await sql`
    update pgboss.job set data = data || jsonb_build_object('failures', ${failures}::int)
    where name = ${name} and id = ${id} and state = 'active' and retry_count = ${retryCount}
  `.execute(db);
}

/** Lets a running job wait again, for another worker. It is the same attempt. */
export async function handOn(
  db: Queryable,
  { name, id, retryCount }: JobWithMetadata<JobEnvelope>,
  delaySeconds: number,
): Promise<void> {
  await sql`
    update pgboss.job set state = 'created', started_on = null, heartbeat_on = null,
      start_after = now() + make_interval(secs => ${delaySeconds})
    where name = ${name} and id = ${id} and state = 'active' and retry_count = ${retryCount}
  `.execute(db);
}

/** Cancels jobs that have not ended and leaves the others as they are. */
async function cancelJobs(
  boss: PgBoss,
  db: Queryable,
  jobs: readonly Pick<JobReference, 'queue' | 'id'>[],
): Promise<void> {
  const byQueue = Map.groupBy(jobs, ({ queue }) => queue);
  for (const [queue, references] of byQueue) {
    // A queue of an older version that no longer exists.
    if ((await boss.getQueue(queue)) === null) continue;
    await boss.cancel(
      queue,
      references.map(({ id }) => id),
      { db: fromKysely(db) },
    );
  }
}

/** Cancels the siblings of a failed chunk and the job that waits for them. */
export async function cancelFlow(boss: PgBoss, db: Queryable, reduce: JobReference): Promise<void> {
  const chunks: Pick<JobReference, 'queue' | 'id'>[] = [];
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

/** Jobs that pg-boss fetches at once by default. */
const DEPENDENCY_PAGE = 1000;
