import type { Page } from '@heterosis/contracts/common';
import { withoutEndings } from '@heterosis/contracts/data/file-formats';
import { type createFileBody, UPLOAD_PART_BYTES } from '@heterosis/contracts/data/file-uploads';
import type { checkFileBody, File, FileDetail, FileType, FileUsage } from '@heterosis/contracts/data/files';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { filesApi } from '@heterosis/contracts/endpoints/files';
import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import type * as z from 'zod';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { Principal, ProjectAccess } from '../../../platform/http/access.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { decodeNameCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { requireStorage } from '../../people/organizations/index.ts';
import { lockEntry, requireManager, requireOwn, updateEntry, updateEntryDeleted } from '../../people/projects/index.ts';
import type { RunsOnInput } from '../../work/runs/kind/index.ts';
import { beginRun, cancelRuns, findLatestRuns, progressOf } from '../../work/runs/work/index.ts';
import { confirmCoding, isReadAs } from './checking/confirm-coding.ts';
import { firstRowsOf, keepMapping, mappedType, requireRoles } from './checking/keep-mapping.ts';
import { describeDerivations, findDerivations } from './deriving/derivation.ts';
import { originalKey } from './file-keys.ts';
import { type DerivedKind, type FileMeta, missingCodesOf } from './file-meta.ts';
import { findVersions } from './file-versions.queries.ts';
import {
  type FileRow,
  findFile,
  findFileOfJob,
  insertFile,
  listFiles as listFileRows,
  updateFileStatus,
} from './files.queries.ts';
import { findFolderPath } from './folders/folders.queries.ts';
import { folderOfQuery, nameTaken, requireFolder } from './folders/folders.service.ts';
import { checkFileJob } from './jobs.ts';
import { requireReplaceable } from './uploading/replaced-file.ts';
import { deleteParts } from './uploading/upload-parts.ts';
import { deleteUpload, findUploadForUpdate } from './uploading/uploads.queries.ts';
import { arrivedBytes, assembleUpload } from './uploading/uploads.service.ts';

/** `users` are the kinds of run that take files as inputs. */
export type FileCall = ProjectCall & { users: readonly RunsOnInput[] };

export async function listFiles(
  { services: { db }, access: { projectId } }: ProjectCall,
  { query }: InputOf<typeof filesApi.listFiles>,
): Promise<Page<File>> {
  const rows = await listFileRows(db, projectId, {
    folderId: folderOfQuery(query),
    types: query.file_type === undefined ? undefined : [query.file_type].flat(),
    search: query.search,
    limit: query.limit,
    after: decodeNameCursor(query.cursor),
  });
  const { data, next_cursor } = toPage(rows, query.limit, ({ name, id }) => [name, id]);
  return { data: data.map(toFile), next_cursor };
}

function toFile(row: FileRow): File {
  return {
    id: row.id,
    name: row.name,
    project_id: row.project_id,
    folder_id: row.folder_id,
    file_type: row.file_type,
    status: row.status,
    size_bytes: row.size_bytes,
    row_count: row.row_count,
    column_count: row.column_count,
    created_by: row.creator,
    created_by_id: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** A file of the project; 404 for anything else. */
export async function getFileRow(db: Queryable, projectId: string, id: string, what = 'This file'): Promise<FileRow> {
  const row = isUuid(id) ? await findFile(db, projectId, id) : undefined;
  if (row === undefined) throw notFound(what);
  return row;
}

export async function getFile(
  { services, access: { projectId } }: Pick<ProjectCall, 'services' | 'access'>,
  { file_id: id }: InputOf<typeof filesApi.getFile>,
): Promise<FileDetail> {
  return await toDetail(services, services.db, await getFileRow(services.db, projectId, id));
}

async function toDetail({ storage }: Services, db: Queryable, row: FileRow): Promise<FileDetail> {
  const runs = await findLatestRuns(db, 'file', [row.id]);
  const run = runs.find(({ step }) => step === 'import');
  const baseName = withoutEndings(row.name) || row.name;
  const derivedUrl = async (kind: DerivedKind, ending: string, contentType = 'text/csv'): Promise<string | null> => {
    const key = row.meta.keys?.[kind];
    return key === undefined ? null : storage.signGet(key, { fileName: `${baseName}${ending}`, contentType });
  };
  const { errors, warnings, infos } = row.problem_totals;
  const progress = progressOf(run);
  return {
    ...toFile(row),
    path: await findFolderPath(db, row.project_id, row.folder_id),
    description: row.description,
    meta: {
      traits: row.meta.traits ?? [],
      covariates: row.meta.covariates ?? [],
      groups: row.meta.groups ?? [],
      codes: row.meta.codes ?? [],
      file_url: await storage.signGet(row.storage_key, { fileName: row.name, contentType: row.content_type }),
      samples_url: await derivedUrl('samples', '_samples.csv'),
      contigs_url: await derivedUrl('contigs', '_contigs.csv'),
      linkmaptemp_url: await derivedUrl('linkmaptemp', '_linkageMap_template.csv'),
      snpids_url: await derivedUrl('snpids', '_snpids.csv'),
      marker_qc_url: await derivedUrl('marker_qc', '_marker_qc.csv'),
      sample_qc_url: await derivedUrl('sample_qc', '_sample_qc.csv'),
      qc_url: await derivedUrl('qc', '_qc.json', 'application/json'),
    },
    format: row.format,
    sha256: row.sha256,
    content_type: row.content_type,
    problem_totals: { errors, warnings, infos },
    numeric_coding: codingOf(row.meta),
    mapping: row.meta.options?.mapping ?? row.meta.kept_mapping?.mapping ?? null,
    missing_codes: missingCodesOf(row.meta),
    measured_values: row.meta.options?.measured_values ?? [],
    dates: row.meta.options?.dates ?? null,
    has_first_rows: row.meta.keys?.first_rows !== undefined,
    fractional_dosages: row.meta.panel?.fractional ?? null,
    progress,
    versions: await findVersions(db, row.project_id, row.id),
    derivations: await describeDerivations(db, row, runs),
  };
}

function codingOf({ coding, options }: FileMeta): FileDetail['numeric_coding'] {
  if (coding === undefined) return null;
  return { ...coding, confirmed: coding.coding !== null && options?.numeric_coding === coding.coding };
}

/** Step 3: the bytes are complete, so create the file and the job that checks it. */
export async function createFile(call: FileCall, { body }: InputOf<typeof filesApi.createFile>): Promise<FileDetail> {
  const { services, access, principal } = call;
  const { db, storage } = services;
  const { projectId } = access;
  const fileType = body.file_type ?? null;
  const assembled = await assembleUpload(services, access, principal, body);
  return await nameTaken('files_name', body.name, () =>
    db.transaction().execute(async (trx) => {
      const upload = await findUploadForUpdate(trx, projectId, principal.userId, body.file_id);
      if (upload === undefined) {
        // Another request has made the file of it meanwhile; nothing would ever remove what this one put together.
        if (assembled !== undefined) await storage.delete(assembled);
        throw notFound('This upload');
      }
      const key = originalKey(projectId, upload.id);
      const sizeBytes = await arrivedBytes(services, upload, key);
      if (upload.size_bytes === null)
        await requireStorage(trx, services.config.quotas, access.organizationId, sizeBytes);
      await requireFolder(trx, projectId, body.folder_id ?? null);
      const replaced = await findReplaced(trx, call, upload.replaces, fileType);
      if (replaced !== undefined) await moveToBin(call, trx, { file: replaced, cascade: false });
      await insertFile(trx, {
        id: upload.id,
        projectId,
        folderId: body.folder_id ?? null,
        name: body.name,
        fileType,
        // A file without type is stored unchecked.
        status: fileType === null ? 'READY' : 'UPLOADED',
        contentType: upload.content_type,
        sizeBytes,
        storageKey: key,
        createdBy: principal.userId,
        meta: declaredOf(body, upload.part_bytes),
        description: replaced?.description ?? null,
      });
      await deleteUpload(trx, projectId, upload.id);
      await enqueueCheck(services, trx, access, upload.id, principal.userId);
      // Move the bytes out of reach of the upload link. Before the commit: if that fails, the next attempt finds them
      // here.
      if ((await storage.find(upload.storage_key)) !== undefined) await storage.move(upload.storage_key, key);
      if (upload.part_bytes !== null) await deleteParts(storage, upload.id);
      return await toDetail(services, trx, await getFileRow(trx, projectId, upload.id));
    }),
  );
}

/** The file to be replaced. If it was deleted or became valid meanwhile, the new file is added beside it. */
async function findReplaced(
  trx: DatabaseTransaction,
  { access, principal }: FileCall,
  id: string | null,
  fileType: FileType | null,
): Promise<FileRow | undefined> {
  if (id === null || !(await lockEntry(trx, 'files', access.projectId, id))) return undefined;
  const file = await getFileRow(trx, access.projectId, id);
  if (file.status !== 'INVALID') return undefined;
  requireReplaceable(access, principal, file, fileType);
  return file;
}

/** Size and hash that the sender declares, for the check. */
function declaredOf(body: z.output<typeof createFileBody>, partBytes: number | null): FileMeta {
  const { sha256, parts_sha256: partsSha256 } = body;
  const declared = {
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(partsSha256 === undefined ? {} : { parts: { sha256: partsSha256, bytes: partBytes ?? UPLOAD_PART_BYTES } }),
  };
  return Object.keys(declared).length === 0 ? {} : { declared };
}

export async function enqueueCheck(
  services: Services,
  trx: DatabaseTransaction,
  { projectId, organizationId }: Pick<ProjectAccess, 'projectId' | 'organizationId'>,
  fileId: string,
  requestedBy: string | null,
): Promise<void> {
  await beginRun(services, trx, checkFileJob, {
    project_id: projectId,
    entity_kind: 'file',
    entity_id: fileId,
    step: 'import',
    requested_by: requestedBy,
  });
  await publishEvent(trx, { type: 'file', id: fileId, project_id: projectId, organization_id: organizationId });
}

/** Restores from the bin and repeats a check that the deletion stopped. */
export async function resumeCheck(
  services: Services,
  trx: DatabaseTransaction,
  access: Pick<ProjectAccess, 'projectId' | 'organizationId'>,
  principal: Principal,
  id: string,
): Promise<void> {
  const { status } = await getFileRow(trx, access.projectId, id);
  if (status !== 'UPLOADED' && status !== 'CHECKING') return;
  await updateFileStatus(trx, access.projectId, id, { status: 'UPLOADED' });
  await enqueueCheck(services, trx, access, id, principal.userId);
}

/** Checks a file again for an operator, in the name of the person who had asked for it. */
export async function repeatCheck(
  services: Services,
  trx: DatabaseTransaction,
  { project_id, id, requested_by }: { project_id: string; id: string; requested_by: string | null },
): Promise<void> {
  const file = (await lockEntry(trx, 'files', project_id, id)) ? await findFileOfJob(trx, project_id, id) : undefined;
  if (file === undefined) throw notFound('This file');
  const { organization_id: organizationId } = file;
  await updateFileStatus(trx, project_id, id, { status: 'UPLOADED' });
  await enqueueCheck(services, trx, { projectId: project_id, organizationId }, id, requested_by);
}

export async function updateFile(
  { services, access, principal }: ProjectCall,
  { file_id: id, body }: InputOf<typeof filesApi.updateFile>,
): Promise<FileDetail> {
  const { db } = services;
  const { projectId, organizationId } = access;
  const row = await getFileRow(db, projectId, id);
  requireOwn(access, principal, row.created_by);
  return await nameTaken('files_name', body.name, () =>
    db.transaction().execute(async (trx) => {
      if (body.folder_id !== undefined) await requireFolder(trx, projectId, body.folder_id);
      await updateEntry(trx, 'files', projectId, id, body);
      await publishEvent(trx, { type: 'file', id, project_id: projectId, organization_id: organizationId });
      return await toDetail(services, trx, await getFileRow(trx, projectId, id));
    }),
  );
}

/** Moves to the bin. A file that runs use stays unless a manager insists; running ones then end with a clear error. */
export async function deleteFile(
  call: FileCall,
  { file_id: id, query }: InputOf<typeof filesApi.deleteFile>,
): Promise<void> {
  const { access, principal } = call;
  const { db } = call.services;
  const cascade = query.cascade === 'true';
  const { projectId } = access;
  const file = await getFileRow(db, projectId, id);
  requireOwn(access, principal, file.created_by);
  if (cascade) requireManager(access, 'delete a file that runs use');
  await db.transaction().execute(async (trx) => {
    if (!(await lockEntry(trx, 'files', projectId, id))) throw notFound('This file');
    await moveToBin(call, trx, { file, cascade });
  });
}

/** For a file that the transaction has locked. */
async function moveToBin(
  { services, access: { projectId, organizationId }, principal, requestId, users }: FileCall,
  trx: DatabaseTransaction,
  { file: { id, name }, cascade }: { file: FileRow; cascade: boolean },
): Promise<void> {
  const dependants = await listDependants(trx, projectId, id, users);
  if (dependants.length > 0 && !cascade) throw inUse(dependants);
  const stopped = (await cancelRuns(trx, { entity_kind: 'file', entity_id: id })) ?? [];
  for (const user of users) stopped.push(...(await user.endRunsOf(services, trx, projectId, id)));
  if (stopped.length > 0) await services.jobs.cancel(trx, ...stopped);
  await updateEntryDeleted(trx, 'files', projectId, id);
  await recordAuditEvent(trx, {
    action: 'file.deleted',
    actor: principal,
    organizationId,
    projectId,
    targetType: 'file',
    targetId: id,
    details: { name, cascade, dependants },
    requestId,
  });
  await publishEvent(trx, { type: 'file', id, project_id: projectId, organization_id: organizationId });
}

/** `GET …/files/{id}/usage`. */
export async function getFileUsage(
  { services: { db }, access: { projectId }, users }: FileCall,
  { file_id: id }: InputOf<typeof filesApi.getFileUsage>,
): Promise<FileUsage> {
  await getFileRow(db, projectId, id);
  return { data: await listDependants(db, projectId, id, users) };
}

async function listDependants(
  db: Queryable,
  projectId: string,
  fileId: string,
  users: readonly RunsOnInput[],
): Promise<Dependant[]> {
  const lists: Dependant[] = [];
  for (const user of users) lists.push(...(await user.listDependants(db, projectId, fileId)));
  return lists;
}

type Dependant = Awaited<ReturnType<RunsOnInput['listDependants']>>[number];

/** Whether an unfinished run reads the file, or another is being made from it. */
async function isBeingRead(
  db: Queryable,
  projectId: string,
  fileId: string,
  users: readonly RunsOnInput[],
): Promise<boolean> {
  for (const user of users) if (await user.isUnderWay(db, projectId, fileId)) return true;
  return (await findDerivations(db, fileId)).some(({ finished_at }) => finished_at === null);
}

const SHOWN_DEPENDANTS = 3;

function inUse(dependants: readonly Dependant[]): Problem {
  const shown = dependants
    .slice(0, SHOWN_DEPENDANTS)
    .map(({ kind, name }) => `the ${RUN_KINDS[kind].noun} "${name}"`)
    .join(', ');
  const rest = dependants.length - SHOWN_DEPENDANTS;
  return new Problem(
    'files/in-use',
    `The file is used by ${shown}${rest > 0 ? ` and ${rest} more` : ''}. Delete these first, or ask a manager of the project to delete the file all the same; results stay.`,
    { details: { dependants } },
  );
}

/** Whether the file was already read in the requested way. */
function isSameReading({ file_type, meta }: FileRow, { file_type: wanted, ...options }: CheckChoices): boolean {
  const before: Record<string, unknown> = { ...meta.options };
  return (
    (wanted ?? file_type) === file_type &&
    Object.entries(options).every(([name, value]) => JSON.stringify(value) === JSON.stringify(before[name]))
  );
}

type CheckChoices = Omit<z.output<typeof checkFileBody>, 'remember_mapping'>;

/**
 * Checks the file again. With other choices, only if no result depends on the last reading; unchanged, unless
 * something is currently reading its derived files.
 */
export async function checkFile(
  { services, access, principal, users }: FileCall,
  { file_id: id, body }: InputOf<typeof filesApi.checkFile>,
): Promise<FileDetail> {
  const { db } = services;
  const { projectId } = access;
  const row = await getFileRow(db, projectId, id);
  requireOwn(access, principal, row.created_by);
  return await db.transaction().execute(async (trx) => {
    if (!(await lockEntry(trx, 'files', projectId, id))) throw notFound('This file');
    const current = await getFileRow(trx, projectId, id);
    const { status, meta } = current;
    if (status === 'UPLOADED' || status === 'CHECKING')
      throw new Problem('files/not-ready', 'The file is being checked already. Wait until that has ended.');
    const { remember_mapping: isRemembered, ...choices } = body;
    const { numeric_coding: coding, ...others } = choices;
    if (coding != null && Object.keys(others).length === 0 && isReadAs(current, coding)) {
      await confirmCoding(trx, current, coding);
      await publishEvent(trx, { type: 'file', id, project_id: projectId, organization_id: access.organizationId });
      return await toDetail(services, trx, await getFileRow(trx, projectId, id));
    }
    const { file_type: _type, ...options } = choices;
    if (!isSameReading(current, choices)) {
      const dependants = await listDependants(trx, projectId, id, users);
      if (dependants.length > 0) throw inUse(dependants);
    } else if (await isBeingRead(trx, projectId, id, users))
      throw new Problem('files/in-use', 'A run is reading this file. Check it again when that has ended.');
    const fileType = body.file_type ?? row.file_type;
    if (fileType === null)
      throw new Problem('request/invalid', 'Say what kind of file this is, so that it can be checked.', {
        invalidParams: [{ name: 'body.file_type', reason: 'The file has no type yet' }],
      });
    if (body.mapping != null) {
      const { organizationId } = access;
      const { mapping, missing_codes = meta.options?.missing_codes ?? [] } = body;
      const type = mappedType(fileType);
      requireRoles(type, mapping);
      if (isRemembered !== undefined) {
        const table = { organizationId, fileType: type, first: await firstRowsOf(services.storage, current) };
        await keepMapping(trx, table, principal, { mapping, missing_codes, isRemembered });
      }
    }
    // Roles of columns belong to a type of table.
    const { mapping, ...kept } = meta.options ?? {};
    const isOfType = fileType === current.file_type && mapping !== undefined;
    const changed: FileMeta = { ...meta, options: { ...kept, ...(isOfType ? { mapping } : {}), ...options } };
    await updateFileStatus(trx, projectId, id, { status: 'UPLOADED', meta: changed, fileType });
    await enqueueCheck(services, trx, access, id, principal.userId);
    return await toDetail(services, trx, await getFileRow(trx, projectId, id));
  });
}
