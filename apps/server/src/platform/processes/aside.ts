import { Worker } from 'node:worker_threads';

/** Threads of a process at one time; further tasks wait. */
const AT_ONCE = 2;
/** What 10,000 plots or a large dictionary need is a tenth of it. */
const MEMORY_MB = 512;
let running = 0;
const waiting: (() => void)[] = [];

/**
 * What a thread of its own makes of a task, so that requests are served beside it. `thread` is a module that is given
 * the task as its `workerData` and posts one result.
 */
export async function aside<Result>(thread: URL, task: unknown): Promise<Result> {
  if (running >= AT_ONCE) await new Promise<void>((turn) => waiting.push(turn));
  else running++;
  const worker = new Worker(thread, {
    workerData: task,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  try {
    return await new Promise<Result>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The thread ended without a result.')));
    });
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
    await worker.terminate();
  }
}
