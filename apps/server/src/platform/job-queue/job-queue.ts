import type { Queryable } from '../database/database.ts';
import type { JobDefinition } from './job.ts';

/** One job that was put into the queue: what {@link JobQueue.cancel} needs. */
export interface JobReference {
  /** The lane it waits in, as pg-boss calls it. */
  queue: string;
  id: string;
  /** Name of its definition. */
  job: string;
  /** Of a single job: those with an earlier turn begin before it, and of one turn those that came earlier. */
  turn?: number;
}

export interface EnqueueOptions {
  /** Goes on with what has begun: it waits for a free place only, not for its turn. */
  isContinuation?: boolean;
  /** Who asks: its single jobs wait for each other, and take turns with those of others. */
  organizationId?: string;
}

export interface FlowOptions<Chunk, Reduce> {
  chunk: JobDefinition<Chunk>;
  chunks: Chunk[];
  /** Runs once, after all chunks have succeeded. */
  reduce: JobDefinition<Reduce>;
  payload: Reduce;
}

/** Puts work into the queue. Pass the transaction that writes the rows the work is about: both happen or neither. */
export interface JobQueue {
  enqueue<Payload>(
    db: Queryable,
    job: JobDefinition<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<JobReference>;
  /**
   * Fan-out and fan-in. Chunks take turns with those of other flows and with single jobs, so that a flow of a thousand chunks
   * holds up nobody. When a chunk fails for good the others and the reduce job are cancelled and `onFailed` of the
   * chunk is called.
   */
  enqueueFlow<Chunk, Reduce>(
    db: Queryable,
    flow: FlowOptions<Chunk, Reduce>,
  ): Promise<{ chunks: JobReference[]; reduce: JobReference }>;
  /** Waiting jobs never start; a running one has its signal aborted within about a second. */
  cancel(db: Queryable, ...jobs: Pick<JobReference, 'queue' | 'id'>[]): Promise<void>;
  /** Throws when the queue cannot be used; for /readyz. */
  check(): Promise<void>;
}
