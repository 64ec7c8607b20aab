import { parentPort } from 'node:worker_threads';

/**
 * Makes this module the entry point of a thread for `aside`: each task that it is sent is answered by what `work` makes
 * of it. An error that `work` throws ends the thread, and reaches who asked.
 */
export function answerTasks<Task, Result>(work: (task: Task) => Result | Promise<Result>): void {
  parentPort?.on('message', async (task: Task) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    parentPort?.postMessage(await work(task));
  });
}
