import { parentPort, workerData } from 'node:worker_threads';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { readEntries } from '@heterosis/file-formats/tables/entries/read-entries';

/** Entry point of the thread that reads a file of entries. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(await readEntries(memorySource(workerData as Uint8Array, 'entries')));
