import { fileProblem } from '@heterosis/file-formats/problem';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { ComputePool } from '../../../platform/compute/compute.ts';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { Services } from '../../../platform/http/app.ts';
import {
  type JobFailure,
  type JobHandler,
  type JobRegistration,
  registerJob,
} from '../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../platform/object-storage/storage-location.ts';
import { lockEntry } from '../../people/projects/index.ts';
import { announce } from '../../people/webhooks/index.ts';
import {
  createProgressWriter,
  type ErrorExtra,
  failRun,
  finishRun,
  inputGone,
  mailEndOfRun,
  type Outcome,
  ofFailure,
  putResults,
  reasonInWords,
  requeueRun,
  takeUpRun,
  withAttempt,
} from '../../work/runs/index.ts';
import type { CheckFileInput, CheckFileOutput } from './check-file.compute.ts';
import { indexIndividuals } from './file-individuals.ts';
import { derivedPrefix } from './file-keys.ts';
import type { FileMeta } from './file-meta.ts';
import { statusOf } from './file-status.ts';
import { type FileRow, findFileOfJob, updateFileStatus } from './files.queries.ts';
import { type CheckFilePayload, checkFileJob } from './jobs.ts';
import { isMappedType } from './keep-mapping.ts';
import { listKeptMappings } from './kept-mappings.queries.ts';

type CheckFileServices = Services & { compute: ComputePool };

export const checkFileRegistration = (services: CheckFileServices): JobRegistration =>
  registerJob(checkFileJob, handleCheckFile(services), handleCheckFileFailed(services));

const COMPUTE = new URL('./check-file.compute.ts', import.meta.url);

/**
 * Checks one file. Its output stays under the attempt's prefix until the row refers to it, so an interrupted check
 * leaves nothing.
 */
function handleCheckFile(services: CheckFileServices): JobHandler<CheckFilePayload> {
  const { config, db, logger, storage, compute } = services;
  return async ({ payload: { project_id: projectId, file_id: fileId, run_id: runId }, signal }) => {
    const attempt = await takeUpRun(db, runId);
    if (attempt === undefined) return;
    const file = await findFileOfJob(db, projectId, fileId);
    if (file === undefined) return;
    const event = {
      type: 'file',
      id: fileId,
      project_id: projectId,
      organization_id: file.organization_id,
    } as const;
    if (file.file_type !== null) {
      await updateFileStatus(db, projectId, fileId, { status: 'CHECKING' });
      await publishEvent(db, event);
    }

    if ((await storage.find(file.storage_key)) === undefined)
      return await markUnchecked(services, { projectId, fileId, runId }, inputGone());
    const prefix = derivedPrefix(projectId, fileId, runId, attempt);
    const fail = (error: ErrorExtra) => markUnchecked(services, { projectId, fileId, runId }, error);
    const requeue = () => requeueRun(db, runId, attempt);
    const isStored = await withAttempt(services, { prefix, signal, fail, requeue }, async (directory) => {
      const input: CheckFileInput = {
        storage: storageLocation(config),
        key: file.storage_key,
        name: file.name,
        fileType: file.file_type,
        options: file.meta.options ?? {},
        kept: isMappedType(file.file_type) ? await listKeptMappings(db, file.organization_id, file.file_type) : [],
        declared: file.meta.declared ?? {},
        directory,
        maxInflatedBytes: config.limits.inflatedBytes,
      };
      const output = await compute.run<CheckFileInput, CheckFileOutput>(COMPUTE, input, {
        signal,
        onProgress: createProgressWriter(db, { runId, attempt, event, traits: [''], logger }),
      });
      const keys = await putResults(storage, prefix, output.files);
      return await db.transaction().execute(async (trx) => {
        if (!(await lockEntry(trx, 'files', projectId, fileId)) || !(await finishRun(trx, runId, attempt)))
          return false;
        await updateFileStatus(trx, projectId, fileId, {
          status: statusOf(output.report.totals),
          sha256: output.sha256,
          format: output.format,
          rowCount: output.rowCount,
          columnCount: output.columnCount,
          meta: { ...keptOf(file.meta), ...output.meta, keys },
          report: output.report,
        });
        const { errors, warnings } = output.report.totals;
        if (errors === 0) await announceReady(services, trx, { file, runId, output });
        const rows = output.rowCount === null ? undefined : groupedNumber(output.rowCount);
        await mailEndOfCheck(
          services,
          trx,
          { file, runId },
          errors > 0
            ? {
                results: [],
                failures: [`${countOf(errors, 'error')} found. The file's page lists each with its line.`],
              }
            : {
                results: [`Ready${rows === undefined ? '' : `, ${rows} rows`}, ${countOf(warnings, 'warning')}.`],
                failures: [],
              },
        );
        await publishEvent(trx, event);
        return true;
      });
    });
    if (!isStored) return;
    await deleteOlder(storage, Object.values(file.meta.keys ?? {}), prefix);
    await indexIndividuals(services, projectId, fileId);
  };
}

/** Tells the webhooks of the organization. */
async function announceReady(
  services: Services,
  trx: DatabaseTransaction,
  { file, runId, output }: { file: FileRow & { organization_id: string }; runId: string; output: CheckFileOutput },
): Promise<void> {
  const { id, name, file_type, project_id: projectId, organization_id: organizationId } = file;
  const { format, rowCount: row_count, columnCount: column_count, sha256 } = output;
  const data = { id, name, file_type, status: statusOf(output.report.totals), format, row_count, column_count, sha256 };
  const happening = { key: runId, organizationId, projectId, path: `/projects/${projectId}/files/${id}`, data };
  await announce(services, trx, { event: 'file.ready', ...happening });
  if (file_type === 'CROSSING_TABLE') await announce(services, trx, { event: 'crossing_table.made', ...happening });
}

async function mailEndOfCheck(
  services: Services,
  trx: DatabaseTransaction,
  { file, runId }: { file: Pick<FileRow, 'id' | 'project_id' | 'name'>; runId: string },
  outcome: Outcome,
): Promise<void> {
  const path = `/projects/${file.project_id}/files/${file.id}`;
  await mailEndOfRun(services, trx, runId, async () => ({
    ...outcome,
    kind: 'The check of the file',
    name: file.name,
    path,
  }));
}

const countOf = (count: number, what: string): string => `${groupedNumber(count)} ${what}${count === 1 ? '' : 's'}`;

/** Called when the check has failed for good. */
function handleCheckFileFailed(services: CheckFileServices) {
  return async (payload: CheckFilePayload, failure: JobFailure): Promise<void> => {
    const { project_id: projectId, file_id: fileId, run_id: runId } = payload;
    await markUnchecked(services, { projectId, fileId, runId }, ofFailure(failure));
  };
}

async function markUnchecked(
  services: Services,
  { projectId, fileId, runId }: { projectId: string; fileId: string; runId: string },
  error: ErrorExtra,
): Promise<void> {
  await services.db.transaction().execute(async (trx) => {
    const file = await findFileOfJob(trx, projectId, fileId);
    if (!(await failRun(trx, runId, error)) || file === undefined) return;
    const isGone = error.code === 'models/input-gone';
    const problem = fileProblem('error', isGone ? 'E-FILE-GONE' : 'E-NOT-CHECKED', {
      message: isGone
        ? 'The bytes of this file are no longer in the storage.'
        : `The file could not be checked. ${error.message}`,
      suggestion: isGone ? 'Upload the file again.' : 'Check the file again; if that fails too, tell the operator.',
    });
    await updateFileStatus(trx, projectId, fileId, {
      status: 'INVALID',
      report: {
        problems: [problem],
        totals: { errors: 1, warnings: 0, infos: 0, byCode: { [problem.code]: 1 } },
      },
    });
    await mailEndOfCheck(services, trx, { file, runId }, { results: [], failures: [reasonInWords(error)] });
    await publishEvent(trx, { type: 'file', id: fileId, project_id: projectId, organization_id: file.organization_id });
  });
}

/** Failures that are not findings about the file. */
const keptOf = ({ options, declared }: FileMeta): FileMeta => ({
  ...(options === undefined ? {} : { options }),
  ...(declared === undefined ? {} : { declared }),
});

async function deleteOlder(storage: Services['storage'], keys: string[], prefix: string): Promise<void> {
  const old = keys.filter((key) => !key.startsWith(prefix));
  if (old.length > 0) await storage.delete(...old);
}
