import type * as z from 'zod';

/**
 * Jobs wait in lanes, and a worker keeps slots for each, so short jobs never wait behind long ones. `long`: training,
 * evaluation, GWAS, crossing simulations. `short`: checks of files, predictions. `mail`: mails, which compute
 * nothing. `webhook`: calls of other servers, which may be slow to answer.
 */
export const LANES = ['long', 'short', 'mail', 'webhook'] as const;
export type Lane = (typeof LANES)[number];

/** Name, payload and retry policy of a job. Imports nothing heavy, so that the API can enqueue it. */
export interface JobDefinition<Payload> {
  /** Kebab-case, unique, never changed once released. */
  name: string;
  lane: Lane;
  /** Ids, not data. */
  payload: z.ZodType<Payload>;
  /** Retries after a failure of the handler. Default 3. A lost worker, and for runs an outage, does not count. */
  retryLimit: number;
  retryDelaySeconds: number;
  /** A job that takes longer is aborted. Default: one day. */
  expireInSeconds: number;
}

export interface JobOptions<Payload> {
  name: string;
  lane: Lane;
  payload: z.ZodType<Payload>;
  retryLimit?: number;
  retryDelaySeconds?: number;
  expireInSeconds?: number;
}

const DEFAULTS = { retryLimit: 3, retryDelaySeconds: 2, expireInSeconds: 24 * 3600 };

export function defineJob<Payload>(options: JobOptions<Payload>): JobDefinition<Payload> {
  return { ...DEFAULTS, ...options };
}

/** Memory and disk that a job needs, in MB. */
export interface Needs {
  memoryMb: number;
  diskMb: number;
}

/** What a handler receives. */
export interface JobContext<Payload> {
  readonly id: string;
  readonly payload: Payload;
  /** 1 for the first attempt. Progress written by an older attempt is ignored. */
  readonly attempt: number;
  /** Aborts when the job is cancelled, expires or is taken over, or the worker shuts down; check it between blocks. */
  readonly signal: AbortSignal;
  /**
   * Waits until this worker has room for what the job needs, and keeps it until the job ends. What this worker never
   * has room for goes to another one. To be called once, before anything is written.
   */
  reserve(needs: Needs): Promise<void>;
}

export type JobHandler<Payload> = (job: JobContext<Payload>) => Promise<void>;

/** A definition with its handler, as the entry point registers it with the worker. */
export interface JobRegistration {
  // `any`: a list holds jobs of different payloads.
  definition: JobDefinition<any>;
  // `any`: as above.
  handler: JobHandler<any>;
  /**
   * Called once when the job has failed for good, including when its workers were killed repeatedly and no handler was
   * left to report it: sets the entity to ERROR. May be called twice.
   */
  // `any`: as above.
  onFailed: ((payload: any, error: JobFailure) => Promise<void>) | undefined;
}

export interface JobFailure {
  code: string;
  message: string;
}

export function registerJob<Payload>(
  definition: JobDefinition<Payload>,
  handler: JobHandler<Payload>,
  onFailed?: (payload: Payload, error: JobFailure) => Promise<void>,
): JobRegistration {
  return { definition, handler, onFailed };
}

/** Thrown by a handler when a retry would fail in the same way (wrong input, deleted file). The job fails at once. */
export class UnrecoverableJobError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnrecoverableJobError';
    this.code = code;
  }
}
