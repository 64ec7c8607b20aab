import { FileFormatError } from '@heterosis/file-formats/problem';
import { readTraits } from '@heterosis/file-formats/tables/traits/read-traits';
import { answerTasks } from '../../../platform/processes/answer-tasks.ts';
import type { ReadFile } from './traits-file.service.ts';

/** Entry point of the thread that reads a file of traits. */
answerTasks(read);

async function read(bytes: Uint8Array): Promise<ReadFile> {
  try {
    return { reading: await readTraits(bytes) };
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    return { problem: error.problem };
  }
}
