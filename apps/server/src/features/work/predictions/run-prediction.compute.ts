import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { leaveOutOfPanel } from '@heterosis/analysis/inputs/leaving-out';
import { errorCovariances } from '@heterosis/analysis/prediction/candidates/error-covariances';
import { predictionsCsv } from '@heterosis/analysis/prediction/model-file';
import { type Prediction, predict } from '@heterosis/analysis/prediction/predict';
import type { Exclusions } from '@heterosis/contracts/work/exclusions';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { countsOf, leavingOutOf, writeLeftOut } from '../../../platform/object-storage/left-out.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { readStoredModel } from '../../../platform/object-storage/stored-model.ts';
import {
  openStoredPanel,
  type PanelKeys,
  readObject,
  unpackPhenotype,
} from '../../../platform/object-storage/stored-panel.ts';
import { ranks } from '../../../platform/result-tables/read-table-page.ts';
import { type ResultColumn, writeResultTable } from '../../../platform/result-tables/write-result-table.ts';
import { packErrorTriangles } from '../line-values/index.ts';
import type { PredictionReportRow, PredictionResultKind } from './predictions.queries.ts';

export interface RunPredictionInput {
  storage: StorageLocation;
  panel: PanelKeys;
  /** The genotype on which the model was trained; null when it was deleted. */
  training: PanelKeys | null;
  /** Keys of the model's specs, one per trait, in the order of the traits. */
  specs: string[];
  /** Key of the table of known records; null without. */
  known: string | null;
  minMarkerShare: number;
  exclusions: Exclusions | undefined;
  /** An empty directory for the results. */
  directory: string;
}

export interface RunPredictionOutput {
  report: PredictionReportRow;
  files: Partial<Record<PredictionResultKind, string>>;
}

export const compute: ComputeFunction<RunPredictionInput, RunPredictionOutput> = async (input, context) => {
  const storage = openStorageLocation(input.storage);
  context.onProgress({ stage: 'read', done: 0, total: input.specs.length });
  const model = await readStoredModel(storage, input.specs);
  const whole = await openStoredPanel(storage, input.panel);
  const training = input.training === null ? undefined : await openStoredPanel(storage, input.training);
  try {
    const { minMarkerShare } = input;
    const { panel, leftOut } = await leaveOutOfPanel(whole, leavingOutOf(input.exclusions), context);
    const known = input.known === null ? {} : { known: unpackPhenotype(await readObject(storage, input.known)) };
    const given = { ...(training === undefined ? {} : { training }), ...known };
    const prediction = await predict({ model, panel, minMarkerShare, ...given }, context);
    context.onProgress({ stage: 'write', done: 0, total: 1 });
    const files: RunPredictionOutput['files'] & { csv: string; table: string } = {
      csv: join(input.directory, 'predictions.csv'),
      table: join(input.directory, 'predictions.parquet'),
    };
    await pipeline(Readable.from(predictionsCsv(prediction)), createWriteStream(files.csv));
    await writeTable(files.table, prediction);
    const errors =
      training === undefined ? null : await errorCovariances({ model, training, panel, ...known }, context);
    if (errors !== null) {
      files.errors = join(input.directory, 'errors');
      await writeFile(
        files.errors,
        packErrorTriangles(errors.map((covariance) => ({ lines: panel.samples, covariance }))),
      );
    }
    if (leftOut === null) return { report: prediction.report, files };
    const names = join(input.directory, 'left-out.csv');
    await writeLeftOut(names, leftOut.report);
    return {
      report: { ...prediction.report, left_out: countsOf(leftOut.report) },
      files: { ...files, left_out: names },
    };
  } finally {
    await training?.close();
    await whole.close();
  }
};

const collator = new Intl.Collator('en', { numeric: true });

/**
 * Column names number the traits, because users choose trait names: gebv_0, reliability_0, genotypic_0, se_0, rank_0 …
 */
async function writeTable(path: string, { individuals, traits }: Prediction): Promise<void> {
  const n = individuals.length;
  const columns: ResultColumn[] = [
    { name: 'place', type: 'integer', values: ranks(n, () => 0) },
    {
      name: 'by_name',
      type: 'integer',
      values: ranks(n, (a, b) => collator.compare(individuals[a] ?? '', individuals[b] ?? '')),
    },
    { name: 'individual', type: 'text', values: individuals },
  ];
  const absent = Array.from({ length: n }, () => null);
  for (const [t, { gebv, reliability, pev, genotypic }] of traits.entries())
    columns.push(
      { name: `gebv_${t}`, type: 'double', values: gebv },
      { name: `reliability_${t}`, type: 'double', values: reliability },
      { name: `genotypic_${t}`, type: 'double', values: genotypic?.value ?? absent },
      { name: `genotypic_reliability_${t}`, type: 'double', values: genotypic?.reliability ?? absent },
      { name: `se_${t}`, type: 'double', values: pev.map(Math.sqrt) },
      { name: `rank_${t}`, type: 'integer', values: ranks(n, (a, b) => (gebv[b] ?? 0) - (gebv[a] ?? 0)) },
    );
  await writeResultTable(path, columns);
}
