import { Worker } from 'node:worker_threads';

/** Threads of a process at one time; further tasks wait. */
const AT_ONCE = 2;
/** What 10,000 plots or a large dictionary need is a tenth of it. */
const MEMORY_MB = 512;
/** Starting a thread and loading its modules takes ten times as long as a page of a report. */
const KEPT_MS = 30_000;

interface Kept {
  href: string;
  worker: Worker;
  end: () => void;
  ends: NodeJS.Timeout;
}

let running = 0;
const waiting: (() => void)[] = [];
/** Threads without a task, the longest without one first; as many as may work at one time. */
const kept: Kept[] = [];

/**
 * What a thread of its own makes of a task, so that requests are served beside it. `thread` is a module that answers by
 * `answerTasks`. A thread is kept for a while for the next task of its module; one that fails ends with its task.
 */
export async function aside<Result>(thread: URL, task: unknown): Promise<Result> {
  if (running >= AT_ONCE) await new Promise<void>((turn) => waiting.push(turn));
  else running++;
  try {
    const worker = takeKept(thread.href) ?? startThread(thread);
    try {
      const result = await resultOf<Result>(worker, task);
      keep(thread.href, worker);
      return result;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}

const startThread = (thread: URL): Worker =>
  new Worker(thread, { env: {}, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });

function takeKept(href: string): Worker | undefined {
  const one = kept.find((other) => other.href === href);
  if (one === undefined) return undefined;
  release(one);
  one.worker.ref();
  return one.worker;
}

function keep(href: string, worker: Worker): void {
  const end = () => {
    release(one);
    void worker.terminate();
  };
  const one: Kept = { href, worker, end, ends: setTimeout(end, KEPT_MS) };
  // Neither keeps a process that has nothing else to do.
  one.ends.unref();
  worker.unref();
  // What ends without a task is gone for the next one, and no fault of this process.
  worker.on('error', end).on('exit', end);
  kept.push(one);
  if (kept.length > AT_ONCE) kept[0]?.end();
}

function release(one: Kept): void {
  const place = kept.indexOf(one);
  if (place !== -1) kept.splice(place, 1);
  clearTimeout(one.ends);
  one.worker.off('error', one.end).off('exit', one.end);
}

/** Not `removeAllListeners` afterwards: the thread's own listeners start and stop its port. */
function resultOf<Result>(worker: Worker, task: unknown): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const exit = () => reject(new Error('The thread ended without a result.'));
    const message = (result: Result) => {
      worker.off('error', reject).off('exit', exit);
      resolve(result);
    };
    worker.once('message', message).once('error', reject).once('exit', exit);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    worker.postMessage(task);
  });
}
