import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileProblem, type ProblemReport } from '@heterosis/file-formats/problem';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import { type JobHandler, type JobRegistration, registerJob } from '../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../platform/object-storage/storage-location.ts';
import { type RunWorkerServices, withWorkDirectory } from '../../work/runs/work/index.ts';
import { listKeptMappings } from '../files/index.ts';
import { readCatalogue } from './catalogue.queries.ts';
import { publishChanged } from './changes.service.ts';
import { addSynonyms, lockCrop } from './germplasm.queries.ts';
import { type SettleUploadPayload, settleUploadJob } from './jobs.ts';
import { readJsonChunks, writeJsonLines } from './json-lines.ts';
import type { RowsToStore } from './rows-to-store.ts';
import {
  type ReviewedRow,
  type SettleUploadInput,
  type SettleUploadOutput,
  compute as settle,
} from './settle-upload.compute.ts';
import { addToProject, insertGermplasm, updateContents, type WrittenGermplasm } from './store-rows.queries.ts';
import {
  deleteRows,
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

export const settleUploadRegistration = (services: RunWorkerServices): JobRegistration =>
  registerJob(settleUploadJob, handleSettleUpload(services), handleFailed(services));

/**
 * One transaction reads the catalogue, judges the rows and stores what was found, and the rows themselves when they are
 * accepted and no error remains. Accepting locks the crop first, so what was judged is still true when it is stored.
 */
function handleSettleUpload(services: RunWorkerServices): JobHandler<SettleUploadPayload> {
  const { db, storage } = services;
  return async ({ payload: { upload_id: id }, signal }) => {
    const storedKey = await withWorkDirectory(services.config, (directory) =>
      db.transaction().execute(async (trx) => {
        const upload = await lockUpload(trx, id);
        if (upload === undefined || (upload.status !== 'CHECKING' && upload.status !== 'ACCEPTING')) return null;
        const accepts = upload.status === 'ACCEPTING' || upload.accept_at_once;
        if (accepts) await lockCrop(trx, upload.organization_id, upload.crop_id);
        const { read, layout, counts, report, written } = await settleRows(services, trx, {
          upload,
          accepts,
          directory,
          signal,
        });
        const isStored = 'store' in written;
        if (isStored) {
          await store(trx, upload, written.store);
          await deleteRows(trx, id, []);
        } else await keepForReview(trx, upload, written.review, read !== null);
        await updateUpload(trx, id, {
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
        await publishUpload(trx, upload);
        if (isStored) await publishChanged(trx, upload.organization_id);
        return isStored ? upload.storage_key : null;
      }),
    );
    if (storedKey !== null) await storage.delete(storedKey);
  };
}

interface Settling {
  upload: UploadRow;
  accepts: boolean;
  directory: string;
  signal: AbortSignal;
}

/** Has the rows of an upload judged, in a process of their own when they are many. */
async function settleRows(
  services: RunWorkerServices,
  trx: DatabaseTransaction,
  { upload, accepts, directory, signal }: Settling,
): Promise<SettleUploadOutput> {
  const { compute, config } = services;
  const { id } = upload;
  const key = upload.is_read ? null : upload.storage_key;
  const catalogue = join(directory, 'catalogue');
  const rows = join(directory, 'rows');
  await writeJsonLines(catalogue, readCatalogue(trx, upload.crop_id));
  if (key === null) await writeJsonLines(rows, readUploadRows(trx, id));
  const input: SettleUploadInput = {
    source:
      key === null
        ? { rows, columns: upload.columns }
        : {
            ...{ storage: storageLocation(config), key, name: upload.file_name, mapping: upload.mapping },
            kept: await listKeptMappings(trx, upload.organization_id, 'GERMPLASM'),
          },
    catalogue,
    options: {
      existing: upload.existing,
      generateUnknownParents: upload.generate_unknown_parent,
      crop: upload.crop_name,
    },
    accepts,
    directory,
  };
  const bytes = (await stat(catalogue)).size + (key === null ? (await stat(rows)).size : await sizeOf(services, key));
  return bytes < SMALL_BYTES
    ? await settle(input, { signal, threads: 1, onProgress: () => undefined })
    : await compute.run<SettleUploadInput, SettleUploadOutput>(COMPUTE, input, { signal });
}

/** Tables of names compress to a tenth; one that says more is read in a process of its own all the same. */
const MOST_COMPRESSION = 10;

/** Bytes of an uploaded file once it is inflated, at most; a small compressed file may hold much. */
const sizeOf = async ({ storage }: RunWorkerServices, key: string): Promise<number> =>
  MOST_COMPRESSION * ((await storage.find(key))?.sizeBytes ?? 0);

/** PostgreSQL's JSON cannot contain NUL, which damaged files often do. */
const withoutNul = ({ value, message, suggestion, column }: ProblemReport['problems'][number]) => ({
  value: value?.replaceAll('\0', '␀') ?? null,
  column: column?.replaceAll('\0', '␀') ?? null,
  message: message.replaceAll('\0', '␀'),
  suggestion: suggestion?.replaceAll('\0', '␀') ?? null,
});

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

async function publishUpload(trx: DatabaseTransaction, upload: UploadRow): Promise<void> {
  await publishEvent(trx, {
    type: 'germplasm',
    id: upload.id,
    project_id: upload.project_id,
    organization_id: upload.organization_id,
    user_ids: [upload.created_by],
  });
}

/** Called when the job has failed for good: nothing of the file was stored. */
function handleFailed({ db }: RunWorkerServices) {
  return async ({ upload_id: id }: SettleUploadPayload, { message }: { message: string }): Promise<void> => {
    await db.transaction().execute(async (trx) => {
      const upload = await lockUpload(trx, id);
      if (upload === undefined || (upload.status !== 'CHECKING' && upload.status !== 'ACCEPTING')) return;
      const problem = fileProblem('error', 'E-NOT-CHECKED', {
        message: `The file could not be checked. ${message}`,
        suggestion: 'Upload it again; if that fails too, tell the operator.',
      });
      const problem_totals = { errors: 1, warnings: 0, infos: 0, byCode: { [problem.code]: 1 } };
      await updateUpload(trx, id, { status: 'FAILED', problems: [problem], problem_totals });
      await publishUpload(trx, upload);
    });
  };
}
