import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type { ProgrammeRow } from '@heterosis/statgen/programmes/summarize-replicates';
import type { ProgrammeRun } from './run-programme.ts';

/** cycle,stage,quantity,mean,sd,se,replicates; empty where a number does not exist. */
export function programmeCsv(rows: readonly ProgrammeRow[]): Iterable<string> {
  return csvChunks(
    ['cycle', 'stage', 'quantity', 'mean', 'sd', 'se', 'replicates'],
    rows.map((row) => [row.cycle, row.stage, row.quantity, row.mean, row.sd, row.se, row.replicates]),
  );
}

/** replicate,cycle,stage,quantity,value; replicates counted from 1. Equal replicates of two schemes are pairs. */
export function replicatesCsv({ keys, values }: Pick<ProgrammeRun, 'keys' | 'values'>): Iterable<string> {
  return csvChunks(['replicate', 'cycle', 'stage', 'quantity', 'value'], replicateRows({ keys, values }));
}

function* replicateRows({ keys, values }: Pick<ProgrammeRun, 'keys' | 'values'>): Generator<(string | number)[]> {
  for (const [r, ofReplicate] of values.entries()) {
    for (const [k, { cycle, stage, quantity }] of keys.entries()) {
      yield [r + 1, cycle, stage, quantity, ofReplicate[k]];
    }
  }
}
