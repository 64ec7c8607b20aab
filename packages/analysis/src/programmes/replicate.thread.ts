// A thread that simulates the replicates it is sent, one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import type { ThreadMessage, ThreadOrder } from './run-programme.ts';
import { type ReplicateTask, runReplicate } from './run-replicate.ts';

const task = workerData as Omit<ReplicateTask, 'scheme'>;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
const answer = (message: ThreadMessage) => parentPort?.postMessage(message);

parentPort?.on('message', ({ place, scheme, replicate }: ThreadOrder) => {
  try {
    answer({ place, ...runReplicate({ ...task, scheme }, replicate) });
  } catch (error) {
    if (!(error instanceof StatgenError)) throw error;
    // An error that crosses threads loses its class.
    const { code, message, details } = error;
    answer({ place, refused: { code, message, details } });
  }
});
