import { parentPort, workerData } from 'node:worker_threads';
import { bookAsPdf } from './book-pdf.ts';
import { labelsAsPdf } from './labels-pdf.ts';
import type { PrintTask } from './print-task.ts';

/** Entry point of the thread that prints. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(await print(workerData as PrintTask));

async function print(task: PrintTask): Promise<Uint8Array> {
  return task.what === 'book' ? await bookAsPdf(task.printed, task.query) : await labelsAsPdf(task.printed, task.query);
}
