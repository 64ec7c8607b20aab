import { parentPort, workerData } from 'node:worker_threads';
import type { PageSize } from '../../../platform/pdf/pdf-document.ts';
import type { Minutes } from './minutes.ts';
import { minutesAsPdf } from './minutes-pdf.ts';

/** Entry point of the thread that prints minutes. */
const { minutes, size } = workerData as { minutes: Minutes; size: PageSize };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(await minutesAsPdf(minutes, size));
