import { setTimeout as sleep } from 'node:timers/promises';
import { computeEnvironment } from '@heterosis/linalg/threads';
import { pino } from 'pino';
import { createComputePool } from './compute-pool.ts';
import { answerOf, openExchange, type SlurmAnswer } from './slurm-exchange.ts';

// Entry point of a job of the cluster: `node slurm-child.ts DIRECTORY`. Does one piece of work in a compute process,
// leaves the answer in the directory, and ends. A job that Slurm restarts on another node begins from the start.

/** Network file systems keep times for up to a minute. */
const WORKER_LOST_MS = 180_000;
const LOOK_MS = 10_000;

const exchange = openExchange(process.argv[2] ?? '');
const giveUp = new AbortController();
const start = await exchange.input();
// Slurm also starts a job again that had answered when its node was lost.
if (start === undefined || (await exchange.answer()) !== undefined) endForNothing();
const { moduleUrl, input, threads, memoryMb } = start;
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
  await answer({ output });
} catch (error) {
  await reported;
  // Stopped: Slurm starts the job again, or the worker is lost.
  if (giveUp.signal.aborted) process.exit(1);
  await answer(answerOf(error));
}
await pool.close();
process.exit(0);

async function answer(found: SlurmAnswer): Promise<void> {
  await exchange.putAnswer(found).catch(async (error: unknown) => {
    if ((await exchange.touchedAt()) === undefined) endForNothing();
    throw error;
  });
}

/** The worker has its answer, or wants none: no failure of the job. */
function endForNothing(): never {
  process.stderr.write('The worker no longer waits for this job.\n');
  process.exit(0);
}

/** Ends when the worker no longer waits: it was killed, or has cleared up. */
async function watchWorker(): Promise<void> {
  let touchedAt: number | undefined = 0;
  let since = performance.now();
  for (;;) {
    const now = await exchange.touchedAt();
    if (now !== touchedAt) since = performance.now();
    touchedAt = now;
    if (touchedAt === undefined) endForNothing();
    if (performance.now() - since > WORKER_LOST_MS) return giveUp.abort();
    await sleep(LOOK_MS);
  }
}
