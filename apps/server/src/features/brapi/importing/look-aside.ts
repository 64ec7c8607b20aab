import { Worker } from 'node:worker_threads';
import type { BrapiOffer } from '@heterosis/contracts/data/brapi-import';
import { Problem } from '../../../platform/http/problem.ts';
import { RefusedAddressError } from '../../../platform/outgoing/guarded-fetch.ts';
import { RemoteError } from './brapi-client.ts';

/** What the thread is given. */
export interface LookTask {
  url: string;
  token: string | null;
  /** Networks inside which the address may lie although it is not public. */
  allowed: readonly string[];
}

/** What it found, or why it found nothing. */
export type LookResult =
  | { offer: BrapiOffer }
  | { refusal: string }
  | { remote: { message: string; status: number | null } };

const WITHIN_MS = 20_000;
/** Enough for the pages that are read; a thread that needs more has met something else than a BrAPI server. */
const MEMORY_MB = 192;
/** Looks of a process at one time. */
const MOST_AT_ONCE = 4;

const looking = new Set<string>();

/**
 * Looks at what another server offers, in a thread of its own: whatever that server answers, requests are served
 * beside it. One look at a time for each person.
 */
export async function lookAside(
  userId: string,
  task: LookTask,
  signal?: AbortSignal,
  withinMs: number = WITHIN_MS,
): Promise<BrapiOffer> {
  if (looking.has(userId) || looking.size >= MOST_AT_ONCE)
    throw new Problem(
      'request/too-many',
      looking.has(userId)
        ? 'You are looking at a server already. Wait until it has answered.'
        : 'Others are looking at servers just now. Try again in a few seconds.',
      { headers: { 'retry-after': '5' } },
    );
  looking.add(userId);
  const worker = new Worker(new URL('./look.thread.ts', import.meta.url), {
    workerData: task,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  try {
    return offerIn(await resultOf(worker, withinMs, signal));
  } finally {
    looking.delete(userId);
    await worker.terminate();
  }
}

function resultOf(worker: Worker, withinMs: number, signal: AbortSignal | undefined): Promise<LookResult> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new RemoteError(`The server did not answer everything within ${withinMs / 1000} seconds.`)),
      withinMs,
    );
    worker.once('message', resolve);
    worker.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new RemoteError('The server answers more than can be read.')
          : error,
      ),
    );
    worker.once('exit', () => {
      clearTimeout(late);
      reject(new Error('The thread ended without a result.'));
    });
    signal?.addEventListener('abort', () => reject(new RemoteError('Nobody waits for the answer any more.')));
  });
}

function offerIn(result: LookResult): BrapiOffer {
  if ('refusal' in result) throw new RefusedAddressError(result.refusal);
  if ('remote' in result) throw new RemoteError(result.remote.message, result.remote.status);
  return result.offer;
}
