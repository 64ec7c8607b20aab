import { parentPort, workerData } from 'node:worker_threads';
import { RefusedAddressError } from '../../../platform/outgoing/guarded-fetch.ts';
import { createBrapiClient, LOOK_LIMITS, RemoteError } from './brapi-client.ts';
import type { LookResult, LookTask } from './look-aside.ts';
import { offerOf } from './offer.ts';

/** Entry point of the thread that looks at another server. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(await look(workerData as LookTask));

async function look({ url, token, allowed }: LookTask): Promise<LookResult> {
  try {
    return { offer: await offerOf(createBrapiClient(url, { allowed, token, limits: LOOK_LIMITS })) };
  } catch (error) {
    if (error instanceof RefusedAddressError) return { refusal: error.message };
    if (error instanceof RemoteError) return { remote: { message: error.message, status: error.status } };
    throw error;
  }
}
