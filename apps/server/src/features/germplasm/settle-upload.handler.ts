import type { UploadCounts } from '@heterosis/contracts/germplasm-uploads';
import { fileProblem, type ProblemReport } from '@heterosis/file-formats/problem';
import type { GermplasmRow, SettledRow } from '@heterosis/file-formats/tables/germplasm/germplasm-table';
import { uuidv7 } from 'uuidv7';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/events.ts';
import { type JobHandler, type JobRegistration, registerJob } from '../../platform/job-queue/job.ts';
import { storageLocation } from '../../platform/object-storage/storage-location.ts';
import type { RunWorkerServices } from '../runs/index.ts';
import { readCatalogue, type StoredEntry } from './catalogue.queries.ts';
import { publishChanged } from './changes.service.ts';
import { addSynonyms, lockCrop } from './germplasm.queries.ts';
import { type SettleUploadInput, type SettleUploadOutput, compute as settle } from './settle-upload.compute.ts';
import { type SettleUploadPayload, settleUploadJob } from './settle-upload.job.ts';
import { addToProject, insertGermplasm, updateContents, type WrittenGermplasm } from './store-rows.queries.ts';
import {
  chunksOf,
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
const SMALL_BYTES = 250_000;
const BYTES_PER_ROW = 50;

export const settleUploadRegistration = (services: RunWorkerServices): JobRegistration =>
  registerJob(settleUploadJob, handleSettleUpload(services), handleFailed(services));

/**
 * One transaction reads the catalogue, judges the rows and stores what was found, and the rows themselves when they are
 * accepted and no error remains. Accepting locks the crop first, so what was judged is still true when it is stored.
 */
function handleSettleUpload(services: RunWorkerServices): JobHandler<SettleUploadPayload> {
  const { db, storage, compute, config } = services;
  return async ({ payload: { upload_id: id }, signal }) => {
    const readKey = await db.transaction().execute(async (trx) => {
      const upload = await lockUpload(trx, id);
      if (upload === undefined || (upload.status !== 'CHECKING' && upload.status !== 'ACCEPTING')) return null;
      const accepts = upload.status === 'ACCEPTING' || upload.accept_at_once;
      if (accepts) await lockCrop(trx, upload.organization_id, upload.crop_id);
      const catalogue = await readCatalogue(trx, upload.crop_id);
      const earlier = upload.storage_key === null ? await readUploadRows(trx, id) : null;
      const input: SettleUploadInput = {
        source:
          upload.storage_key === null
            ? { rows: earlier ?? [], columns: upload.columns }
            : { storage: storageLocation(config), key: upload.storage_key, name: upload.file_name },
        catalogue,
        options: {
          existing: upload.existing,
          generateUnknownParents: upload.generate_unknown_parent,
          crop: upload.crop_name,
        },
      };
      const isSmall = (await sizeOf(services, upload, earlier)) + catalogue.length * BYTES_PER_ROW < SMALL_BYTES;
      const output = isSmall
        ? await settle(input, { signal, threads: 1, onProgress: () => undefined })
        : await compute.run<SettleUploadInput, SettleUploadOutput>(COMPUTE, input, { signal });
      const rows = output.read?.rows ?? earlier ?? [];
      const isStored = accepts && output.settlement !== null && output.report.totals.errors === 0;
      if (isStored && output.settlement !== null) {
        const { rows: settled, founders } = output.settlement;
        await store(trx, upload, { rows, catalogue, settled, founders });
        await deleteRows(trx, id, []);
      } else await keepForReview(trx, upload, output);
      await updateUpload(trx, id, {
        status: isStored ? 'ACCEPTED' : 'REVIEW',
        storage_key: null,
        ...reviewOf(output),
      });
      await publishUpload(trx, upload);
      if (isStored) await publishChanged(trx, upload.organization_id);
      return upload.storage_key;
    });
    if (readKey !== null) await storage.delete(readKey);
  };
}

async function sizeOf(
  { storage }: RunWorkerServices,
  { storage_key: key }: UploadRow,
  rows: readonly unknown[] | null,
): Promise<number> {
  if (key === null) return (rows?.length ?? 0) * BYTES_PER_ROW;
  // A small compressed file may hold much.
  const bytes = (await storage.find(key))?.sizeBytes ?? 0;
  return MOST_COMPRESSION * bytes;
}

/** Tables of names compress to a tenth; one that says more is read in a process of its own all the same. */
const MOST_COMPRESSION = 10;

function reviewOf({ read, settlement, report }: SettleUploadOutput) {
  return {
    counts: countsOf(settlement?.rows ?? [], settlement?.founders.length ?? 0),
    problem_totals: report.totals,
    problems: report.problems.map((problem) => ({ ...problem, ...withoutNul(problem) })),
    ...(read === null ? {} : { columns: read.columns, attributes: read.attributes }),
  };
}

/** PostgreSQL's JSON cannot contain NUL, which damaged files often do. */
const withoutNul = ({ value, message, suggestion, column }: ProblemReport['problems'][number]) => ({
  value: value?.replaceAll('\0', '␀') ?? null,
  column: column?.replaceAll('\0', '␀') ?? null,
  message: message.replaceAll('\0', '␀'),
  suggestion: suggestion?.replaceAll('\0', '␀') ?? null,
});

function countsOf(rows: readonly SettledRow[], founders: number): UploadCounts {
  const counts: UploadCounts = { create: 0, change: 0, same: 0, repeat: 0, refused: 0, founders, conflicts: 0 };
  for (const { action, changes } of rows) {
    counts[action]++;
    if (changes.some(({ from }) => from !== null)) counts.conflicts++;
  }
  return counts;
}

async function keepForReview(trx: DatabaseTransaction, { id }: UploadRow, output: SettleUploadOutput): Promise<void> {
  const settled = output.settlement?.rows ?? [];
  if (output.read === null) return await updateSettled(trx, id, settled);
  await insertRows(
    trx,
    id,
    output.read.rows.flatMap((row, index) => {
      const one = settled[index];
      return one === undefined ? [] : [{ row, settled: one }];
    }),
  );
}

interface Accepted {
  rows: readonly GermplasmRow[];
  settled: readonly SettledRow[];
  founders: readonly string[];
  catalogue: readonly StoredEntry[];
}

async function store(
  trx: DatabaseTransaction,
  upload: UploadRow,
  { rows, settled, founders, catalogue }: Accepted,
): Promise<void> {
  const place = { organizationId: upload.organization_id, cropId: upload.crop_id, userId: upload.created_by };
  const idOf = new Map(catalogue.map(({ name, id }) => [name, id]));
  for (const name of founders) idOf.set(name, uuidv7());
  settled.forEach(({ action }, index) => {
    const name = rows[index]?.name;
    if (action === 'create' && name !== undefined) idOf.set(name, uuidv7());
  });
  const parentId = (name: string | null): string | null => (name === null ? null : (idOf.get(name) ?? null));
  const written = (name: string, content: SettledRow['content'], isDistinct: boolean): WrittenGermplasm => ({
    id: idOf.get(name) ?? '',
    name,
    isDistinct,
    maternalId: parentId(content.maternal),
    paternalId: parentId(content.paternal),
    content,
  });
  const created: WrittenGermplasm[] = founders.map((name) => written(name, UNKNOWN, false));
  const changed: WrittenGermplasm[] = [];
  const named: string[] = [...founders.flatMap((name) => idOf.get(name) ?? [])];
  settled.forEach(({ action, target, content }, index) => {
    const row = rows[index];
    const name = target ?? row?.name ?? '';
    if (action === 'create') created.push(written(name, content, row?.isDistinct === true));
    if (action === 'change') changed.push(written(name, content, false));
    const id = idOf.get(name);
    if (id !== undefined && action !== 'repeat') named.push(id);
  });
  await insertGermplasm(trx, place, created);
  await updateContents(trx, place, changed);
  const synonyms = [...created, ...changed].flatMap(({ id, content }) =>
    content.synonyms.map((name) => ({ germplasmId: id, name })),
  );
  for (const chunk of chunksOf(synonyms)) await addSynonyms(trx, place, chunk);
  if (upload.project_id !== null) await addToProject(trx, upload.project_id, named);
}

const UNKNOWN: SettledRow['content'] = {
  collection: null,
  maternal: null,
  paternal: null,
  synonyms: [],
  crossType: null,
  selfingGenerations: null,
  attributes: {},
};

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
