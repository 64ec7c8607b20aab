import type { FileDetail } from '@heterosis/contracts/files';
import type { Queryable } from '../../platform/database/database.ts';
import { findLatestRuns, progressOf, type Run } from '../runs/index.ts';
import { type FileRow, findFile } from './files.queries.ts';

/** Parameters of a phasing, as stored with its run. */
export interface PhasingParameters extends Record<string, unknown> {
  name: string;
  linkage_map_id: string | null;
  /** Id of the phased file, once it exists. */
  phased_file_id?: string;
}

/** The latest phasing of a file. */
export async function findPhasing(db: Queryable, fileId: string): Promise<Run | undefined> {
  const runs = await findLatestRuns(db, 'file', [fileId]);
  return runs.find(({ step }) => step === 'phase');
}

/** The latest phasing of a file for its page; cancelled ones are not shown. */
export async function describePhasing(
  db: Queryable,
  file: FileRow,
  run: Run | undefined,
): Promise<FileDetail['phasing']> {
  if (run === undefined || run.state === 'CANCELLED') return null;
  const { phased_file_id } = run.parameters as PhasingParameters;
  const phased = phased_file_id === undefined ? undefined : await findFile(db, file.project_id, phased_file_id);
  return {
    status: run.finished_at === null ? 'PROCESSING' : run.state === 'SUCCEEDED' ? 'SUCCESS' : 'ERROR',
    progress: progressOf(run),
    error_extra: run.error_extra,
    file: phased === undefined ? null : { id: phased.id, name: phased.name },
  };
}
