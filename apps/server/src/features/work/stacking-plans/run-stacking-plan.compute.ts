import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import { planTargets } from '@heterosis/analysis/stacking/plan-targets';
import { scheduleCsv } from '@heterosis/analysis/stacking/stack-csv';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { STACK_OPTIONS } from '@heterosis/contracts/options/stacking';
import type { StackingParameters, StackingReport } from '@heterosis/contracts/work/stacking-plans';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import {
  openStoredPanel,
  type PanelKeys,
  readingStored,
  readObject,
} from '../../../platform/object-storage/stored-panel.ts';

export interface RunStackingPlanInput {
  storage: StorageLocation;
  panel: PanelKeys;
  /** Key of the packed linkage map; null for distances from base pairs. */
  linkageMap: string | null;
  seed: number;
  parameters: StackingParameters;
  /** An empty directory for the results. */
  directory: string;
}

export interface RunStackingPlanOutput {
  report: StackingReport;
  files: { schedule: string };
}

export const compute: ComputeFunction<RunStackingPlanInput, RunStackingPlanOutput> = async (input, context) => {
  const { parameters, directory, linkageMap, seed } = input;
  const storage = openStorageLocation(input.storage);
  context.onProgress({ stage: 'read', done: 0, total: 1 });
  const panel = await openStoredPanel(storage, input.panel);
  try {
    const map =
      linkageMap === null
        ? { bpPerCm: inputsOf(STACK_OPTIONS, parameters).bpPerCm }
        : await readObject(storage, linkageMap).then((bytes) =>
            readingStored('linkage map', () => unpackRecord<LinkageMap>(bytes)),
          );
    const { targets = [] } = parameters;
    const report = await planTargets({ ...inputsOf(STACK_OPTIONS, parameters), panel, map, targets, seed }, context);
    context.onProgress({ stage: 'write', done: 0, total: 1 });
    const schedule = join(directory, 'schedule.csv');
    await pipeline(Readable.from(scheduleCsv(report)), createWriteStream(schedule));
    return { report, files: { schedule } };
  } finally {
    await panel.close();
  }
};
