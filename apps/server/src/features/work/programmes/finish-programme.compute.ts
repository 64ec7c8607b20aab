import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { programmeCsv, replicatesCsv } from '@heterosis/analysis/programmes/programme-csv';
import type { ProgrammeReport } from '@heterosis/contracts/work/programmes';
import { meanOf } from '@heterosis/statgen/programmes/statistics';
import { summarizeReplicates } from '@heterosis/statgen/programmes/summarize-replicates';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import { createResultTable } from '../../../platform/result-tables/result-table-writer.ts';
import { FOUNDER_REPORT_NAME, type FounderReport } from './prepare-programme.compute.ts';
import type { Measured } from './replicates.queries.ts';
import { gainValues } from './summarize-points.ts';

export interface FinishProgrammeInput {
  storage: StorageLocation;
  /** Of what the first job has kept. */
  prefix: string;
  names: string[];
  measured: Measured;
  replicates: number;
  /** Holds the values of each scheme, replicate after replicate, in files of these names; receives the results. */
  directory: string;
}

export const valuesName = (scheme: number): string => `values-${scheme}.f64`;

export interface FinishedProgramme {
  report: ProgrammeReport;
  /** Kind of result → path. */
  files: Record<string, string>;
}

export const compute: ComputeFunction<FinishProgrammeInput, FinishedProgramme> = async (input, context) => {
  const { directory, measured, names, replicates, prefix } = input;
  context.onProgress({ stage: 'write', done: 0, total: names.length });
  const storage = openStorageLocation(input.storage);
  const text = new TextDecoder().decode(await readObject(storage, `${prefix}${FOUNDER_REPORT_NAME}`));
  const files: Record<string, string> = { values: join(directory, 'values.parquet') };
  const table = await createResultTable(join(directory, 'values.parquet'), [
    { name: 'scheme', type: 'integer' },
    { name: 'place', type: 'integer' },
    { name: 'replicate', type: 'integer' },
    { name: 'value', type: 'double' },
  ]);
  const schemes: ProgrammeReport['schemes'] = [];
  try {
    for (const [i, name] of names.entries()) {
      const keys = measured[i] ?? [];
      const bytes = await readFile(join(directory, valuesName(i)));
      const all = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
      const values = Array.from({ length: replicates }, (_, r) => all.subarray(r * keys.length, (r + 1) * keys.length));
      const rows = summarizeReplicates(keys, values);
      for (const [kind, lines] of [
        ['cycles', programmeCsv(rows)],
        ['replicates', replicatesCsv({ keys, values })],
      ] as const) {
        const path = join(directory, `${kind}-${i + 1}.csv`);
        await pipeline(Readable.from(lines), createWriteStream(path));
        files[`${kind}_${i}`] = path;
      }
      for (let place = 0; place < keys.length; place++)
        await table.add(values.map((ofReplicate, r) => [i, place, r, ofReplicate[place] ?? null]));
      schemes.push({ name, ...totalsOf(keys, values) });
      context.onProgress({ stage: 'write', done: i + 1, total: names.length });
    }
    await table.finish();
  } finally {
    await table.close();
  }
  return { report: { ...(JSON.parse(text) as FounderReport), replicates, schemes }, files };
};

function totalsOf(
  keys: Measured[number],
  values: readonly Float64Array[],
): Omit<ProgrammeReport['schemes'][number], 'name'> {
  const lastOf = (quantity: string): number => {
    const place = keys.findLastIndex((key) => key.stage === 'programme' && key.quantity === quantity);
    return meanOf(values.map((one) => one[place] ?? Number.NaN));
  };
  const gain = gainValues(keys, values);
  const n = gain?.values.length ?? 0;
  const mean = gain === null ? Number.NaN : meanOf(gain.values);
  const squares = gain?.values.reduce((sum, value) => sum + (value - mean) ** 2, 0) ?? 0;
  return {
    years: lastOf('year'),
    cost: lastOf('total_cost'),
    gain:
      gain === null
        ? null
        : {
            stage: gain.stage,
            cycle: gain.cycle,
            mean,
            se: n > 1 ? Math.sqrt(squares / (n - 1) / n) : null,
          },
  };
}
