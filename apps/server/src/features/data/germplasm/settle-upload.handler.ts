import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProblemReport } from '@heterosis/file-formats/problem';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';
import type { WorkerServices } from '../../../platform/http/app.ts';
import type { JobRegistration } from '../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../platform/object-storage/storage-location.ts';
import { type Entity, registerWorkOn, tellEnd } from '../../work/runs/work/index.ts';
import { listKeptMappings, notChecked } from '../files/index.ts';
import { readCatalogue } from './catalogue.queries.ts';
import { publishChanged } from './changes.service.ts';
import { addSynonyms, lockCrop, readListVersion } from './germplasm.queries.ts';
import { settleUploadJob } from './jobs.ts';
import { readJsonChunks, writeJsonLines } from './json-lines.ts';
import type { RowsToStore } from './rows-to-store.ts';
import {
  type ReviewedRow,
  type SettleUploadInput,
  type SettleUploadOutput,
  compute as settleHere,
} from './settle-upload.compute.ts';
import { addToProject, insertGermplasm, updateContents, type WrittenGermplasm } from './store-rows.queries.ts';
import {
  deleteRows,
  findUploadOfJob,
  insertRows,
  lockUpload,
  readUploadRows,
  type UploadRow,
  updateSettled,
  updateUpload,
} from './uploads.queries.ts';

const COMPUTE = new URL('./settle-upload.compute.ts', import.meta.url);

/** What is settled within some 50 ms is not worth a process of its own. */
const SMALL_BYTES = 500_000;
/** Small enough for one statement, and for the worker to hold. */
const ROWS_AT_A_TIME = 2_000;

/** An upload of germplasm in the frame of the work on any entity. */
const uploadEntity = (services: WorkerServices): Entity<UploadRow> => ({
  kind: 'germplasm_upload',
  find: findUploadOfJob,
  lock: lockUpload,
  audience: ({ created_by }) => [created_by],
  async fail(trx, upload, { runId }, error) {
    const { problems, totals } = notChecked(error, 'Upload it again');
    await updateUpload(trx, upload, { status: 'FAILED', problems, problem_totals: totals });
    await tellEnd(services, trx, ended(upload, runId), { error });
  },
});

/**
 * Judges the rows of an upload by the list of its crop, and stores what was found, or the rows themselves when they are
 * accepted and no error remains: the whole file or nothing.
 */
export function settleUploadRegistration(services: WorkerServices): JobRegistration {
  const { db, storage } = services;
  return registerWorkOn(services, uploadEntity(services), settleUploadJob, {
    async inputs(upload) {
      if (upload.is_read) return upload;
      return upload.storage_key !== null && (await storage.find(upload.storage_key)) ? upload : undefined;
    },
    async compute(upload, _upload, step) {
      const version = await readListVersion(db, upload.crop_id);
      return { ...(await settle(services, db, upload, step)), version };
    },
    async store(trx, upload, { version, ...found }, step) {
      // If the list has changed since, the rows are judged again, while it is locked.
      const isStale = isAccepted(upload) && (await lockCrop(trx, upload.organization_id, upload.crop_id)) !== version;
      const settled = isStale ? await settle(services, trx, upload, step) : found;
      await tellEnd(services, trx, ended(upload, step.runId), await keep(trx, upload, settled));
    },
    async stored({ organization_id, id, storage_key: key }) {
      const upload = await findUploadOfJob(db, organization_id, id);
      if (key !== null && (upload?.storage_key ?? null) === null) await storage.delete(key);
    },
  });
}

/** Whether the rows are to be stored when they have no error. */
const isAccepted = ({ status, accept_at_once }: UploadRow): boolean => status === 'ACCEPTING' || accept_at_once;

interface Settling {
  /** Empty; for what is read and written. */
  directory: string;
  signal: AbortSignal;
  /** Runs a compute file, with the progress of the upload. */
  run<Input, Output>(compute: URL, input: Input): Promise<Output>;
}

/** Has the rows of an upload judged, in a process of their own when they are many. */
async function settle(
  { config, storage }: WorkerServices,
  db: Queryable,
  upload: UploadRow,
  { directory, signal, run }: Settling,
): Promise<SettleUploadOutput> {
  const key = upload.is_read ? null : upload.storage_key;
  const catalogue = join(directory, 'catalogue');
  const rows = join(directory, 'rows');
  await writeJsonLines(catalogue, readCatalogue(db, upload.crop_id));
  if (key === null) await writeJsonLines(rows, readUploadRows(db, upload.id));
  const input: SettleUploadInput = {
    source:
      key === null
        ? { rows, columns: upload.columns }
        : {
            ...{ storage: storageLocation(config), key, name: upload.file_name, mapping: upload.mapping },
            kept: await listKeptMappings(db, upload.organization_id, 'GERMPLASM'),
          },
    catalogue,
    options: {
      existing: upload.existing,
      generateUnknownParents: upload.generate_unknown_parent,
      crop: upload.crop_name,
    },
    accepts: isAccepted(upload),
    directory,
  };
  const bytes =
    (await stat(catalogue)).size + (key === null ? (await stat(rows)).size : await inflatedBytes(storage, key));
  return bytes < SMALL_BYTES
    ? await settleHere(input, { signal, threads: 1, onProgress: () => undefined })
    : await run<SettleUploadInput, SettleUploadOutput>(COMPUTE, input);
}

/** Tables of names compress to a tenth; one that says more is read in a process of its own all the same. */
const MOST_COMPRESSION = 10;

/** Bytes of an uploaded file once it is inflated, at most; a small compressed file may hold much. */
const inflatedBytes = async (storage: WorkerServices['storage'], key: string): Promise<number> =>
  MOST_COMPRESSION * ((await storage.find(key))?.sizeBytes ?? 0);

/** PostgreSQL's JSON cannot contain NUL, which damaged files often do. */
const withoutNul = ({ value, message, suggestion, column }: ProblemReport['problems'][number]) => ({
  value: value?.replaceAll('\0', '␀') ?? null,
  column: column?.replaceAll('\0', '␀') ?? null,
  message: message.replaceAll('\0', '␀'),
  suggestion: suggestion?.replaceAll('\0', '␀') ?? null,
});

/** Writes what was found, or the germplasm itself; returns it in words. */
async function keep(
  trx: DatabaseTransaction,
  upload: UploadRow,
  { read, layout, counts, report, written }: SettleUploadOutput,
): Promise<{ results: string[]; failures: string[] }> {
  const isStored = 'store' in written;
  if (isStored) {
    await store(trx, upload, written.store);
    await deleteRows(trx, upload.id, []);
    await publishChanged(trx, upload.organization_id);
  } else await keepForReview(trx, upload, written.review, read !== null);
  await updateUpload(trx, upload, {
    status: isStored ? 'ACCEPTED' : 'REVIEW',
    // The bytes stay for the time of the review: its person may say that the columns are to be read otherwise.
    ...(isStored ? { storage_key: null } : {}),
    is_read: upload.is_read || read !== null,
    counts,
    problem_totals: report.totals,
    problems: report.problems.map((problem) => ({ ...problem, ...withoutNul(problem) })),
    ...read,
    ...layout,
  });
  const { errors } = report.totals;
  if (errors > 0)
    return {
      results: [],
      failures: [`Errors: ${groupedNumber(errors)}. The page of the upload lists each with its line.`],
    };
  const found = `New: ${groupedNumber(counts.create + counts.founders)}. Changed: ${groupedNumber(counts.change)}.`;
  return { results: [`${isStored ? 'Stored.' : 'Ready for your review.'} ${found}`], failures: [] };
}

async function keepForReview(trx: DatabaseTransaction, { id }: UploadRow, path: string, isNew: boolean): Promise<void> {
  for await (const chunk of readJsonChunks<ReviewedRow>(path, ROWS_AT_A_TIME))
    await (isNew ? insertRows(trx, id, chunk) : updateSettled(trx, id, chunk));
}

async function store(
  trx: DatabaseTransaction,
  upload: UploadRow,
  { created, changed, synonyms, named }: { [Name in keyof RowsToStore]: string },
): Promise<void> {
  const place = { organizationId: upload.organization_id, cropId: upload.crop_id, userId: upload.created_by };
  for await (const chunk of readJsonChunks<WrittenGermplasm>(created, ROWS_AT_A_TIME))
    await insertGermplasm(trx, place, chunk);
  for await (const chunk of readJsonChunks<WrittenGermplasm>(changed, ROWS_AT_A_TIME))
    await updateContents(trx, place, chunk);
  for await (const chunk of readJsonChunks<{ germplasmId: string; name: string }>(synonyms, ROWS_AT_A_TIME))
    await addSynonyms(trx, place, chunk);
  if (upload.project_id === null) return;
  for await (const chunk of readJsonChunks<string>(named, ROWS_AT_A_TIME))
    await addToProject(trx, upload.project_id, chunk);
}

/** As mails name it. */
const ended = ({ id, file_name, project_id, organization_id }: UploadRow, runId: string) => ({
  ...{ runId, id, name: file_name, projectId: project_id, organizationId: organization_id },
  ...{ subject: 'The upload of germplasm', kind: null },
  path: `/${project_id === null ? `organizations/${organization_id}` : `projects/${project_id}`}/germplasm/uploads/${id}`,
});
