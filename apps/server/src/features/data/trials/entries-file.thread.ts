import { memorySource } from '@heterosis/file-formats/byte-source';
import { readEntries } from '@heterosis/file-formats/tables/entries/read-entries';
import { answerTasks } from '../../../platform/processes/answer-tasks.ts';

/** Entry point of the thread that reads a file of entries. */
answerTasks((bytes: Uint8Array) => readEntries(memorySource(bytes, 'entries')));
