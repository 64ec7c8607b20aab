import { parentPort, workerData } from 'node:worker_threads';
import { FileFormatError } from '@heterosis/file-formats/problem';
import { readTraits } from '@heterosis/file-formats/tables/traits/read-traits';
import type { ReadFile } from './traits-file.service.ts';

/** Entry point of the thread that reads a file of traits. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(await read(workerData as Uint8Array));

async function read(bytes: Uint8Array): Promise<ReadFile> {
  try {
    return { reading: await readTraits(bytes) };
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    return { problem: error.problem };
  }
}
