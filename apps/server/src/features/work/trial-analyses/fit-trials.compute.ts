import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describeError } from '@heterosis/analysis/describe-error';
import { packRecord } from '@heterosis/analysis/results/binary-record';
import { analyzeTask, type TrialResult } from '@heterosis/analysis/trials/analyze-trials';
import {
  fieldOfTrial,
  meansOfTrial,
  type TrialMeansWithErrors,
  variogramOf,
} from '@heterosis/analysis/trials/field-of-trial';
import {
  type MeanRow,
  meanRows,
  type TrialSummary,
  trialCovarianceCsv,
  trialMeansCsv,
  trialPlotsCsv,
  trialReport,
} from '@heterosis/analysis/trials/trial-tables';
import { MOST_SHOWN_PLOTS, type TrialStrip } from '@heterosis/contracts/work/trial-analyses';
import { type Matrix, setComputeThreads } from '@heterosis/statgen/linear-algebra';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { type PlotsInput, type TrialOfRun, trialsOfRun } from './plots-of-run.ts';
import { type StoredField, trialName } from './stored-trials.ts';
import { stripOf, stripOfFailure } from './trial-strip.ts';

export interface FitTrialsInput extends PlotsInput {
  /** Trials `first` to `first + count` of all. */
  first: number;
  count: number;
  /** An empty directory for the results. */
  directory: string;
}

/** Of a trial, for the last job: its tables lie beside it. */
export interface TrialRecord {
  strip: TrialStrip;
  unit: string | null;
  /** Null for a trial that could not be analysed, as all that follows. */
  summary: TrialSummary | null;
  rows: MeanRow[];
  means: TrialMeansWithErrors | null;
  /** Of the BLUPs, for a trait with one trial; null where lines are too many. */
  errors: { lines: string[]; covariance: Matrix } | null;
}

/** Fits some of the trials; returns the names of the files written. A trial that cannot be fitted says why. */
export const compute: ComputeFunction<FitTrialsInput, string[]> = async (input, context) => {
  const { directory, first, count, parameters } = input;
  const { trials, request } = await trialsOfRun(input, context);
  setComputeThreads(context.threads);
  const names: string[] = [];
  const write = async (name: string, content: Iterable<string> | Uint8Array): Promise<void> => {
    const path = join(directory, name);
    if (content instanceof Uint8Array) await writeFile(path, content);
    else await pipeline(Readable.from(content), createWriteStream(path));
    names.push(name);
  };
  for (const [i, trial] of trials.slice(first, first + count).entries()) {
    const place = first + i;
    context.onProgress({ stage: 'fit', done: i, total: count });
    const record: TrialRecord = {
      ...{ unit: trial.task.unit, summary: null, rows: [], means: null, errors: null },
      strip: stripOfFailure(trial, { message: '', action: '' }, parameters),
    };
    try {
      const result = analyzeTask(trial.task, request);
      const [summary] = trialReport([result]).trials;
      if (summary === undefined) throw new TypeError('a trial that was analysed has a report');
      const strip = stripOf(trial, { result, summary }, parameters);
      const isAlone = !trials.some((other) => other !== trial && other.task.trait === trial.task.trait);
      const errors = isAlone ? errorsOf(result) : null;
      Object.assign(record, { strip, summary, rows: meanRows(result), means: meansOfTrial(result), errors });
      await write(trialName(place, 'means'), trialMeansCsv([result]));
      await write(trialName(place, 'covariance'), trialCovarianceCsv([result]));
      await write(trialName(place, 'plots'), trialPlotsCsv([result]));
      await write(trialName(place, 'field'), [JSON.stringify(storedField(trial, result))]);
    } catch (error) {
      const described = describeError(error);
      if (described === null) throw error;
      record.strip = stripOfFailure(trial, described, parameters);
    }
    await write(trialName(place, 'record'), packRecord(record));
    // Between trials other work of the process gets its turn.
    await new Promise(setImmediate);
  }
  return names;
};

/** Lines whose errors are kept with all that they share: as many as a decision takes. */
const MOST_LINES = 2_000;

function errorsOf({ analysis }: TrialResult): TrialRecord['errors'] {
  const blups = analysis.random?.blups ?? null;
  if (blups === null || blups.lines.length > MOST_LINES) return null;
  const { length: n } = blups.lines;
  return { lines: blups.lines, covariance: { rows: n, columns: n, data: blups.errorCovariance() } };
}

function storedField(trial: TrialOfRun, result: TrialResult): StoredField {
  const { environment, trait, unit, plots, analysis } = result;
  const { input } = trial.task;
  const head = { environment, trait };
  const field = fieldOfTrial(result, trial.trait);
  const shown = Object.fromEntries(
    Object.entries(field).map(([name, values]) => [name, values.slice(0, MOST_SHOWN_PLOTS)]),
  ) as typeof field;
  const variogram = variogramOf(trial.task, analysis.main);
  return {
    plots: {
      ...{ ...head, unit, phenotype_id: trial.file.id, total: plots.length, has_field: input.places !== null },
      ...shown,
      set_aside: plots.slice(0, MOST_SHOWN_PLOTS).map(({ line }) => trial.setAside.get(line) ?? null),
    },
    variogram: {
      ...head,
      ...(variogram === null
        ? { reason: 'The plots have no common rows and columns.', rows: 0, columns: 0, semivariance: [], pairs: [] }
        : { reason: null, ...variogram }),
    },
  };
}
