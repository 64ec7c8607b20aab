import type * as z from 'zod';

/**
 * Jobs wait in lanes, and a worker keeps places for each: what takes seconds never waits behind what takes hours.
 * `long`: training, evaluation, GWAS, crossing simulations. `short`: checks of files, predictions. `mail`: mails, which compute nothing.
 */
export const LANES = ['long', 'short', 'mail'] as const;
export type Lane = (typeof LANES)[number];

/** What a job is called, what it carries and how it is repeated. Imports nothing heavy, so the API can enqueue it. */
export interface JobDefinition<Payload> {
  /** Kebab-case, unique, never changed once released. */
  name: string;
  lane: Lane;
  /** Ids, not data. */
  payload: z.ZodType<Payload>;
  /** How often it is tried again after a failure that may pass. Default 3. */
  retryLimit: number;
  retryDelaySeconds: number;
  /** A run that takes longer is given up. Default one day. */
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

/** What a handler is given. */
export interface JobContext<Payload> {
  readonly id: string;
  readonly payload: Payload;
  /** 1 for the first try. Progress of an older attempt that is still writing is ignored. */
  readonly attempt: number;
  /** Aborts when the job is cancelled, expires, was taken over, or the worker shuts down; look at it between blocks. */
  readonly signal: AbortSignal;
}

export type JobHandler<Payload> = (job: JobContext<Payload>) => Promise<void>;

/** A definition with its handler, as the entry point registers it with the worker. */
export interface JobRegistration {
  // biome-ignore lint/suspicious/noExplicitAny: a list holds jobs of different payloads
  definition: JobDefinition<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  handler: JobHandler<any>;
  /**
   * Called once when the job has failed for good, also when its worker was killed again and again and no handler was
   * left to tell: puts the entity into ERROR. May be called twice.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as above
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

/** Thrown by a handler: trying again would fail again (wrong input, deleted file). The job fails at once. */
export class UnrecoverableJobError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnrecoverableJobError';
    this.code = code;
  }
}
