import { parentPort, workerData } from 'node:worker_threads';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { readPlotValues } from '@heterosis/file-formats/tables/plot-values/read-plot-values';

/** Entry point of the thread that reads a file of values. */
const { bytes, fileName } = workerData as { bytes: Uint8Array; fileName: string };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(await readPlotValues(memorySource(bytes, fileName)));
