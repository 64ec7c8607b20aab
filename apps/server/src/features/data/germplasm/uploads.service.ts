import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@heterosis/contracts/common';
import type { GermplasmList } from '@heterosis/contracts/data/germplasm';
import {
  type GermplasmUpload,
  type GermplasmUploadRow,
  germplasmFileFields,
  type UpdateGermplasmUploadBody,
} from '@heterosis/contracts/data/germplasm-uploads';
import type { FirstRows, TableMapping } from '@heterosis/contracts/data/table-mapping';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { projectGermplasmUploadsApi } from '@heterosis/contracts/endpoints/data/germplasm-uploads';
import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { TABLE_LIMITS } from '@heterosis/file-formats/text/text-file';
import { uuidv7 } from 'uuidv7';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { ReceivedFile } from '../../../platform/http/multipart.ts';
import { decodePlaceCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { requireStorage } from '../../people/organizations/index.ts';
import { cancelRuns, findLatestRuns, progressOf } from '../../work/runs/work/index.ts';
import { firstRowsAnswer, type KnownTable, keepMapping, requireRoles, uploadKey } from '../files/index.ts';
import { beginSettling, publishUpload } from './begin-settling.ts';
import { listInScope } from './germplasm.service.ts';
import { type GermplasmAccess, requireAdding, type UploadCall } from './germplasm-access.ts';
import {
  deleteRows,
  deleteUpload,
  editRows,
  findFirstRows,
  findUpload,
  hasCrop,
  insertUpload,
  listUploadRows,
  type UploadKey,
  type UploadRow,
  updateUpload,
} from './uploads.queries.ts';

type Api = typeof projectGermplasmUploadsApi;

/** The form of a request: reads it, passing the file to `store` while it arrives. */
export type UploadForm = <Stored>(
  store: (bytes: AsyncIterable<Uint8Array>) => Promise<Stored>,
) => Promise<ReceivedFile<Stored>>;

/** `POST …/germplasms/uploads`: takes the file and has it checked; nothing of it counts before it is accepted. */
export async function startUpload(call: UploadCall, form: UploadForm): Promise<GermplasmUpload> {
  const id = await receive(call, form, { acceptAtOnce: false });
  return await getUpload(call, { upload_id: id });
}

/** How long the one-call upload waits for the worker. */
const LONGEST_WAIT_MS = 10 * 60_000;
const POLL_MS = 100;
/** Problems that a refusal lists. */
const LISTED_PROBLEMS = 100;

interface UploadOptions {
  signal?: AbortSignal;
  /** Does what a worker goes on with, or returns what an earlier try of the same request has made. */
  once?: (work: () => Promise<string>) => Promise<string>;
}

/** `POST …/germplasms`: checks and stores in one call, or stores nothing and says why. Returns the new list. */
export async function uploadGermplasm(
  call: UploadCall,
  form: UploadForm,
  { signal, once = (work) => work() }: UploadOptions = {},
): Promise<GermplasmList> {
  const id = await once(() => receive(call, form, { acceptAtOnce: true }));
  const upload = await ended(call, id, signal);
  await cancelUpload(call, { upload_id: id });
  if (upload.status !== 'ACCEPTED') {
    const { errors, warnings, infos } = upload.problem_totals;
    throw new Problem(
      'germplasm/upload-refused',
      `"${upload.file_name}" has ${groupedNumber(errors)} ${errors === 1 ? 'error' : 'errors'}; nothing was stored. ${upload.problems.find(({ severity }) => severity === 'error')?.message ?? ''}`.trim(),
      { details: { totals: { errors, warnings, infos }, problems: upload.problems.slice(0, LISTED_PROBLEMS) } },
    );
  }
  const scope = { ...call.germplasm.scope, cropId: upload.crop_id };
  return await listInScope(call.services.db, scope, { sort: 'name', limit: 50 });
}

async function ended(call: UploadCall, id: string, signal: AbortSignal | undefined): Promise<UploadRow> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const upload = await requireUpload(call, id);
    if (upload.status !== 'CHECKING' && upload.status !== 'ACCEPTING') return upload;
    if (Date.now() > deadline)
      throw new Problem('server/unavailable', 'No worker has taken the file yet. Try again later.');
    await sleep(POLL_MS, undefined, signal === undefined ? {} : { signal });
  }
}

/** Stores the file and enqueues its check. */
async function receive(
  { services, germplasm, principal: { userId } }: UploadCall,
  form: UploadForm,
  { acceptAtOnce }: { acceptAtOnce: boolean },
): Promise<string> {
  const { db, storage, config } = services;
  const adds = requireAdding(germplasm);
  const id = uuidv7();
  const key = uploadKey(id);
  try {
    const maxBytes = Math.min(TABLE_LIMITS.maxCompressedBytes, config.limits.uploadBytes);
    const { fileName, fields, stored } = await form((bytes) => storage.put(key, bytes, { maxBytes }));
    const chosen = germplasmFileFields.strict().safeParse(fields);
    if (!chosen.success)
      throw new Problem('request/invalid', 'The form has a field that cannot be used.', {
        invalidParams: chosen.error.issues.map(({ path, message }) => ({
          name: `body.${path.join('.')}`,
          reason: message,
        })),
      });
    const { organizationId } = germplasm.scope;
    const cropId = await requireCrop(db, germplasm, chosen.data.crop_id);
    await db.transaction().execute(async (trx) => {
      await requireStorage(trx, config.quotas, organizationId, stored.sizeBytes);
      const upload = {
        id,
        organization_id: organizationId,
        crop_id: cropId,
        project_id: germplasm.projectId,
        file_name: fileName,
        storage_key: key,
        size_bytes: stored.sizeBytes,
        existing: adds === 'everything' ? chosen.data.existing : 'keep',
        generate_unknown_parent: chosen.data.generate_unknown_parent,
        accept_at_once: acceptAtOnce,
        created_by: userId,
      };
      await insertUpload(trx, upload);
      await beginSettling(services, trx, upload);
    });
    return id;
  } catch (error) {
    await storage.delete(key);
    throw error;
  }
}

/** The crop of the project, or the one that was named. */
async function requireCrop(db: Services['db'], { scope, projectId }: GermplasmAccess, named: string | undefined) {
  const cropId = projectId === null ? named : scope.cropId;
  const invalid = (reason: string) =>
    new Problem('request/invalid', reason, { invalidParams: [{ name: 'body.crop_id', reason }] });
  if (cropId === undefined) throw invalid('Say which crop the germplasm is of.');
  if (named !== undefined && named !== cropId) throw invalid('The project is about another crop.');
  if (!(await hasCrop(db, scope.organizationId, cropId))) throw invalid('There is no such crop in this organization.');
  return cropId;
}

async function requireUpload(
  { services: { db }, germplasm: { scope, projectId }, principal: { userId } }: UploadCall,
  id: string,
  locking?: DatabaseTransaction,
): Promise<UploadRow> {
  const place = { organizationId: scope.organizationId, projectId, userId };
  const upload = isUuid(id) ? await findUpload(locking ?? db, place, id, { lock: locking !== undefined }) : undefined;
  if (upload === undefined) throw notFound('This upload');
  return upload;
}

/** `GET …/germplasms/uploads/{id}`. */
export async function getUpload(
  call: UploadCall,
  { upload_id: id }: InputOf<Api['getUpload']>,
): Promise<GermplasmUpload> {
  const upload = await requireUpload(call, id);
  const { errors, warnings, infos, byCode } = upload.problem_totals;
  const [run] = await findLatestRuns(call.services.db, 'germplasm_upload', [id]);
  return {
    id: upload.id,
    file_name: upload.file_name,
    crop: { id: upload.crop_id, name: upload.crop_name },
    status: upload.status,
    progress: progressOf(run),
    existing: upload.existing,
    generate_unknown_parent: upload.generate_unknown_parent,
    may_change: call.germplasm.adds === 'everything',
    has_first_rows: upload.has_first_rows,
    mapping: upload.mapping,
    is_mapping_kept: upload.is_mapping_kept,
    columns: upload.columns,
    attributes: upload.attributes,
    counts: { create: 0, change: 0, same: 0, repeat: 0, refused: 0, founders: 0, conflicts: 0, ...upload.counts },
    totals: { errors, warnings, infos },
    by_code: byCode,
    problems: upload.problems,
    created_at: upload.created_at,
    updated_at: upload.updated_at,
  };
}

/** `GET …/germplasms/uploads/{id}/rows`. */
export async function getUploadRows(
  call: UploadCall,
  { upload_id: id, query: { show, limit, cursor } }: InputOf<Api['getUploadRows']>,
): Promise<Page<GermplasmUploadRow>> {
  await requireUpload(call, id);
  const rows = await listUploadRows(call.services.db, id, { show, limit, after: decodePlaceCursor(cursor) });
  return toPage(rows, limit, ({ line }) => [line]);
}

/** `PUT …/germplasms/uploads/{id}`: mends rows or changes the choices, and has the whole checked again. */
export async function changeUpload(
  call: UploadCall,
  { upload_id: id, body }: InputOf<Api['changeUpload']>,
): Promise<GermplasmUpload> {
  const { services, germplasm } = call;
  const adds = requireAdding(germplasm);
  await services.db.transaction().execute(async (trx) => {
    const upload = await requireInReview(call, trx, id);
    if (body.mapping !== undefined) await readAgain(trx, call, upload, { ...body, mapping: body.mapping });
    await editRows(
      trx,
      id,
      (body.rows ?? []).map(({ line, cross_type, selfing_generations, is_distinct, ...names }) => ({
        line,
        merge: {
          ...normalized(names),
          ...(cross_type === undefined ? {} : { crossType: cross_type }),
          ...(selfing_generations === undefined ? {} : { selfingGenerations: selfing_generations }),
          ...(is_distinct === undefined ? {} : { isDistinct: is_distinct }),
        },
      })),
    );
    if (body.removed_lines !== undefined && body.removed_lines.length > 0)
      await deleteRows(trx, id, body.removed_lines);
    await updateUpload(trx, upload, {
      status: 'CHECKING',
      ...(body.existing === undefined || adds !== 'everything' ? {} : { existing: body.existing }),
      ...(body.generate_unknown_parent === undefined ? {} : { generate_unknown_parent: body.generate_unknown_parent }),
    });
    await beginSettling(services, trx, upload);
  });
  return await getUpload(call, { upload_id: id });
}

/** Has the file itself read again, with its columns as they were told now; what was mended in the review is gone. */
async function readAgain(
  trx: DatabaseTransaction,
  { germplasm, principal }: UploadCall,
  upload: UploadKey,
  { mapping, remember_mapping: isRemembered }: UpdateGermplasmUploadBody & { mapping: TableMapping },
): Promise<void> {
  requireRoles('GERMPLASM', mapping);
  const table = await requireTable(trx, germplasm, upload.id);
  if (isRemembered !== undefined)
    await keepMapping(trx, table, principal, { mapping, missing_codes: [], isRemembered });
  await deleteRows(trx, upload.id, []);
  await updateUpload(trx, upload, { is_read: false, mapping, is_mapping_kept: false });
}

async function requireTable(db: Queryable, { scope }: GermplasmAccess, id: string): Promise<KnownTable> {
  const first = await findFirstRows(db, id);
  if (first === null)
    throw new Problem('files/no-preview', 'The file of this upload is no longer kept. Upload it again.');
  return { organizationId: scope.organizationId, fileType: 'GERMPLASM', first };
}

/** `GET …/germplasms/uploads/{id}/first_rows`. */
export async function getUploadFirstRows(
  call: UploadCall,
  { upload_id: id, query }: InputOf<Api['getUploadFirstRows']>,
): Promise<FirstRows> {
  const { db } = call.services;
  const { mapping } = await requireUpload(call, id);
  const table = await requireTable(db, call.germplasm, id);
  return await firstRowsAnswer(db, table, { mapping: mapping ?? {}, missing_codes: [] }, query);
}

/** Names as a file's reader gives them; an emptied field is an unknown parent or no collection. */
function normalized(fields: {
  name?: string | undefined;
  maternal?: string | null | undefined;
  paternal?: string | null | undefined;
  collection?: string | null | undefined;
  synonyms?: string[] | undefined;
}) {
  const text = (value: string | null): string | null => (value === null ? null : normalizeName(value) || null);
  return {
    ...(fields.name === undefined ? {} : { name: normalizeName(fields.name) }),
    ...(fields.maternal === undefined ? {} : { maternal: text(fields.maternal) }),
    ...(fields.paternal === undefined ? {} : { paternal: text(fields.paternal) }),
    ...(fields.collection === undefined ? {} : { collection: text(fields.collection) }),
    ...(fields.synonyms === undefined
      ? {}
      : { synonyms: [...new Set(fields.synonyms.map(normalizeName))].filter((name) => name !== '') }),
  };
}

/** Locks it, so that of two requests the second sees what the first made of it. */
async function requireInReview(call: UploadCall, trx: DatabaseTransaction, id: string): Promise<UploadRow> {
  const upload = await requireUpload(call, id, trx);
  if (upload.status === 'REVIEW') return upload;
  const reason = {
    CHECKING: 'The file is being checked. Try again in a moment.',
    ACCEPTING: 'The file is being stored.',
    ACCEPTED: 'The file has been stored already.',
    FAILED: 'The check of the file failed. Upload it again.',
  }[upload.status];
  throw new Problem('germplasm/upload-not-ready', reason);
}

/** `POST …/germplasms/uploads/{id}/accept`: the whole file or nothing, in one transaction of the worker. */
export async function acceptUpload(
  call: UploadCall,
  { upload_id: id, body: { confirm_warnings: confirmsWarnings } }: InputOf<Api['acceptUpload']>,
): Promise<GermplasmUpload> {
  const { services } = call;
  await services.db.transaction().execute(async (trx) => {
    const upload = await requireInReview(call, trx, id);
    const { problem_totals: totals, counts } = upload;
    if (totals.errors > 0)
      throw new Problem('germplasm/upload-refused', 'Errors remain. Correct or leave out these rows first.', {
        details: { totals },
      });
    if ((counts.create ?? 0) + (counts.change ?? 0) + (counts.same ?? 0) === 0)
      throw new Problem('germplasm/upload-refused', 'No row is left to store.');
    if (totals.warnings > 0 && !confirmsWarnings)
      throw new Problem('germplasm/warnings-unread', 'Confirm that you have read the warnings.', {
        details: { totals },
      });
    await updateUpload(trx, upload, { status: 'ACCEPTING' });
    await beginSettling(services, trx, upload);
  });
  return await getUpload(call, { upload_id: id });
}

/** `DELETE …/germplasms/uploads/{id}`. */
export async function cancelUpload(call: UploadCall, { upload_id: id }: InputOf<Api['cancelUpload']>): Promise<void> {
  const { db, storage, jobs } = call.services;
  const { storage_key: key } = await db.transaction().execute(async (trx) => {
    const upload = await requireUpload(call, id, trx);
    const stopped = await cancelRuns(trx, { entity_kind: 'germplasm_upload', entity_id: id });
    await jobs.cancel(trx, ...(stopped ?? []));
    await deleteUpload(trx, upload);
    await publishUpload(trx, upload);
    return upload;
  });
  if (key !== null) await storage.delete(key);
}
