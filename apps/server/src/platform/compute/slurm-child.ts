import { setTimeout as sleep } from 'node:timers/promises';
import { computeEnvironment } from '@heterosis/linalg/threads';
import { pino } from 'pino';
import { createComputePool } from './compute-pool.ts';
import { answerOf, openExchange } from './slurm-exchange.ts';

// Entry point of a job of the cluster: `node slurm-child.ts DIRECTORY`. Does one piece of work in a compute process,
// leaves the answer in the directory, and ends. A job that Slurm starts again on another node begins anew.

/** Network file systems keep times for up to a minute. */
const WORKER_LOST_MS = 180_000;
const LOOK_MS = 10_000;

const exchange = openExchange(process.argv[2] ?? '');
const giveUp = new AbortController();
const { moduleUrl, input, threads, memoryMb } = await exchange.input();
const pool = createComputePool({
  size: 1,
  threads,
  memoryMb,
  environment: computeEnvironment,
  logger: pino({ level: 'warn' }),
});
void watchWorker();
// scancel, a time limit, or a node that is taken away.
process.once('SIGTERM', () => giveUp.abort());

let reported = Promise.resolve();
try {
  const output = await pool.run(new URL(moduleUrl), input, {
    signal: giveUp.signal,
    onProgress: (progress) => {
      reported = reported.then(() => exchange.putProgress(progress)).catch(() => {});
    },
  });
  await reported;
  await exchange.putAnswer({ output });
} catch (error) {
  await reported;
  // Stopped: Slurm starts the job again, or nobody wants it.
  if (giveUp.signal.aborted) process.exit(1);
  await exchange.putAnswer(answerOf(error));
}
await pool.close();
process.exit(0);

/** Ends when the worker no longer waits: it was killed, or has cleared up. */
async function watchWorker(): Promise<void> {
  let touchedAt: number | undefined = 0;
  let since = performance.now();
  for (;;) {
    const now = await exchange.touchedAt();
    if (now !== touchedAt) since = performance.now();
    touchedAt = now;
    if (touchedAt === undefined || performance.now() - since > WORKER_LOST_MS) return giveUp.abort();
    await sleep(LOOK_MS);
  }
}
