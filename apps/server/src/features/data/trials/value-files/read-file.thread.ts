import { memorySource } from '@heterosis/file-formats/byte-source';
import { readPlotValues } from '@heterosis/file-formats/tables/plot-values/read-plot-values';
import { answerTasks } from '../../../../platform/processes/answer-tasks.ts';

/** Entry point of the thread that reads a file of values. */
answerTasks(({ bytes, fileName }: { bytes: Uint8Array; fileName: string }) =>
  readPlotValues(memorySource(bytes, fileName)),
);
