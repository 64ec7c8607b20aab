import {
  type Derivation,
  type DerivationStep,
  derivationStep,
  MAX_LISTED_RENAMES,
} from '@heterosis/contracts/data/files';
import type { Queryable } from '../../../../platform/database/database.ts';
import { findLatestRuns, progressOf, type Run } from '../../../work/runs/work/index.ts';
import { type FileRow, findFile } from '../files.queries.ts';

/** Parameters of every derivation, as stored with its run. */
export interface DerivationParameters extends Record<string, unknown> {
  /** Of the new file, which gets this name or the first free one like it. */
  name: string;
  /** Once the new file exists. */
  made_file_id?: string;
  /** Of a conversion. */
  renames?: { from: string; to: string }[];
}

const isDerivation = ({ step }: Run): boolean => derivationStep.options.some((one) => one === step);

/** The latest run of each way to make a new file from this one. */
export async function findDerivations(db: Queryable, fileId: string): Promise<Run[]> {
  return (await findLatestRuns(db, 'file', [fileId])).filter(isDerivation);
}

/** The latest phasing of a file. */
export async function findPhasing(db: Queryable, fileId: string): Promise<Run | undefined> {
  return (await findDerivations(db, fileId)).find(({ step }) => step === 'phase');
}

/** The derivations among the runs of a file, for its page; cancelled ones are not shown. */
export async function describeDerivations(db: Queryable, file: FileRow, runs: readonly Run[]): Promise<Derivation[]> {
  const shown = runs.filter((run) => isDerivation(run) && run.state !== 'CANCELLED');
  return await Promise.all(
    shown.map(async (run) => {
      const { made_file_id: id, renames } = run.parameters as DerivationParameters;
      const made = id === undefined ? undefined : await findFile(db, file.project_id, id);
      return {
        step: run.step as DerivationStep,
        status: run.finished_at === null ? 'PROCESSING' : run.state === 'SUCCEEDED' ? 'SUCCESS' : 'ERROR',
        progress: progressOf(run),
        error_extra: run.error_extra,
        file: made === undefined ? null : { id: made.id, name: made.name },
        renames: renames?.slice(0, MAX_LISTED_RENAMES) ?? null,
      };
    }),
  );
}
