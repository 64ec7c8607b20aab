import { parentPort, workerData } from 'node:worker_threads';
import type { Report } from './report.ts';
import { reportAsPdf } from './report-pdf.ts';

/** Entry point of the thread that prints reports. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(await reportAsPdf(workerData as Report));
