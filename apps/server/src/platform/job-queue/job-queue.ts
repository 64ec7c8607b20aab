import type { Queryable } from '../database/database.ts';
import type { JobDefinition } from './job.ts';

/** Identifies a queued job for {@link JobQueue.cancel}. */
export interface JobReference {
  /** The lane it waits in, as pg-boss calls it. */
  queue: string;
  id: string;
  /** Name of its definition. */
  job: string;
}

export interface EnqueueOptions {
  /** Continues work that has begun: it waits for a free slot only, not for its turn. */
  isContinuation?: boolean;
  /** For whom the job is done: its single jobs alternate with those of other organizations. */
  organizationId?: string;
  /** Who requests it: the single jobs of a person run in order and alternate with those of the others. */
  personId?: string;
  /** Begins no earlier than this many seconds from now. */
  delaySeconds?: number;
}

export interface FlowOptions<Chunk, Reduce> {
  chunk: JobDefinition<Chunk>;
  chunks: Chunk[];
  /** Runs once, after all chunks have succeeded. */
  reduce: JobDefinition<Reduce>;
  payload: Reduce;
}

/**
 * Enqueues work. Pass the transaction that writes the rows the work is about, so that both are committed or neither.
 */
export interface JobQueue {
  enqueue<Payload>(
    db: Queryable,
    job: JobDefinition<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<JobReference>;
  /**
   * Fan-out and fan-in. Chunks alternate with those of other flows and with single jobs, so that a flow of a thousand
   * chunks delays nobody. When a chunk fails for good, the other chunks and the reduce job are cancelled and
   * `onFailed` of the chunk is called.
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
