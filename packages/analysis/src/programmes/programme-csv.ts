import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type { ProgrammeRow } from '@heterosis/statgen/programmes/summarize-replicates';

/** cycle,stage,quantity,mean,sd,se,replicates; empty where a number does not exist. */
export function programmeCsv(rows: readonly ProgrammeRow[]): Iterable<string> {
  return csvChunks(
    ['cycle', 'stage', 'quantity', 'mean', 'sd', 'se', 'replicates'],
    rows.map((row) => [row.cycle, row.stage, row.quantity, row.mean, row.sd, row.se, row.replicates]),
  );
}
