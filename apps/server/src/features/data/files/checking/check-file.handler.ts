import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { Services, WorkerServices } from '../../../../platform/http/app.ts';
import type { JobRegistration } from '../../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../../platform/object-storage/storage-location.ts';
import { announce } from '../../../people/webhooks/index.ts';
import { type ErrorExtra, registerWorkOn, tellEnd } from '../../../work/runs/work/index.ts';
import { endedFile, fileEntity } from '../file-entity.ts';
import { indexIndividuals } from '../file-individuals.ts';
import type { FileMeta } from '../file-meta.ts';
import { statusOf } from '../file-status.ts';
import { type FileOfJob, updateFileStatus } from '../files.queries.ts';
import { checkFileJob } from '../jobs.ts';
import type { CheckFileInput, CheckFileOutput } from './check-file.compute.ts';
import { isMappedType } from './keep-mapping.ts';
import { listKeptMappings } from './kept-mappings.queries.ts';
import { notChecked } from './not-checked.ts';

const COMPUTE = new URL('./check-file.compute.ts', import.meta.url);

/**
 * Checks one file. Its output stays under the attempt's prefix until the row refers to it, so an interrupted check
 * leaves nothing.
 */
export function checkFileRegistration(services: WorkerServices): JobRegistration {
  const { config, db, storage } = services;
  const entity = fileEntity((trx, file, { runId }, error) => markUnchecked(services, trx, { file, runId }, error));
  return registerWorkOn(services, entity, checkFileJob, {
    inputs: async ({ storage_key }) => await storage.find(storage_key),
    async begin(trx, { project_id, id, file_type }) {
      if (file_type !== null) await updateFileStatus(trx, project_id, id, { status: 'CHECKING' });
    },
    async compute(file, _original, { directory, run, put }) {
      const output = await run<CheckFileInput, CheckFileOutput>(COMPUTE, {
        storage: storageLocation(config),
        key: file.storage_key,
        name: file.name,
        fileType: file.file_type,
        options: file.meta.options ?? {},
        kept: isMappedType(file.file_type) ? await listKeptMappings(db, file.organization_id, file.file_type) : [],
        declared: file.meta.declared ?? {},
        directory,
        maxInflatedBytes: config.limits.inflatedBytes,
      });
      return { ...output, keys: await put(output.files) };
    },
    async store(trx, file, output, { runId }) {
      await updateFileStatus(trx, file.project_id, file.id, {
        status: statusOf(output.report.totals),
        sha256: output.sha256,
        format: output.format,
        rowCount: output.rowCount,
        columnCount: output.columnCount,
        meta: { ...keptOf(file.meta), ...output.meta, keys: { ...output.keys, ...keptKeys(file.meta) } },
        report: output.report,
      });
      if (output.report.totals.errors === 0) await announceReady(services, trx, { file, runId, output });
      await tellEnd(services, trx, ended(file, runId), outcomeOf(output));
    },
    async stored(file, { prefix }) {
      const kept = Object.values(keptKeys(file.meta));
      const written = Object.values(file.meta.keys ?? {}).filter((key) => !kept.includes(key));
      await deleteOlder(storage, written, prefix);
      await indexIndividuals(services, file.project_id, file.id);
    },
  });
}

function outcomeOf({ report: { totals }, rowCount }: CheckFileOutput): { results: string[]; failures: string[] } {
  const { errors, warnings } = totals;
  if (errors > 0)
    return { results: [], failures: [`${countOf(errors, 'error')} found. The file's page lists each with its line.`] };
  const rows = rowCount === null ? '' : `, ${groupedNumber(rowCount)} rows`;
  return { results: [`Ready${rows}, ${countOf(warnings, 'warning')}.`], failures: [] };
}

/** Tells the webhooks of the organization. */
async function announceReady(
  services: Services,
  trx: DatabaseTransaction,
  { file, runId, output }: { file: FileOfJob; runId: string; output: CheckFileOutput },
): Promise<void> {
  const { id, name, file_type, project_id: projectId, organization_id: organizationId } = file;
  const { format, rowCount: row_count, columnCount: column_count, sha256 } = output;
  const data = { id, name, file_type, status: statusOf(output.report.totals), format, row_count, column_count, sha256 };
  const { path } = endedFile(file, runId);
  const happening = { key: runId, organizationId, projectId, path, data };
  await announce(services, trx, { event: 'file.ready', ...happening });
  if (file_type === 'CROSSING_TABLE') await announce(services, trx, { event: 'crossing_table.made', ...happening });
}

/** Webhooks hear of files that are ready, not of their checks. */
const ended = (file: FileOfJob, runId: string) => ({
  ...endedFile(file, runId),
  ...{ subject: 'The check of the file', kind: null },
});

const countOf = (count: number, what: string): string => `${groupedNumber(count)} ${what}${count === 1 ? '' : 's'}`;

/** For a check that has failed for good. */
async function markUnchecked(
  services: Services,
  trx: DatabaseTransaction,
  { file, runId }: { file: FileOfJob; runId: string },
  error: ErrorExtra,
): Promise<void> {
  const report = notChecked(error, 'Check the file again');
  await updateFileStatus(trx, file.project_id, file.id, { status: 'INVALID', report });
  await tellEnd(services, trx, ended(file, runId), { error });
}

/** What a new check keeps of the last one. */
const keptOf = ({ options, declared, covariance, former_ids }: FileMeta): FileMeta => ({
  ...(former_ids === undefined ? {} : { former_ids }),
  ...(options === undefined ? {} : { options }),
  ...(declared === undefined ? {} : { declared }),
  ...(covariance === undefined ? {} : { covariance }),
});

/** Keys of what came with the file. */
const keptKeys = ({ keys: { covariance } = {} }: FileMeta) => (covariance === undefined ? {} : { covariance });

async function deleteOlder(storage: Services['storage'], keys: string[], prefix: string): Promise<void> {
  const old = keys.filter((key) => !key.startsWith(prefix));
  if (old.length > 0) await storage.delete(...old);
}
