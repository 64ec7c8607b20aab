import type {
  checkFileBody,
  createFileBody,
  File,
  FileDetail,
  updateFileBody,
  uploadLinkBody,
} from '@heterosis/contracts/files';
import { uuidv7 } from 'uuidv7';
import type * as z from 'zod';
import { recordAuditEvent } from '../../platform/audit/audit-events.ts';
import { type DatabaseTransaction, type Queryable, violates } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/events.ts';
import { isAtLeast, type Principal, type ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { attachJob, cancelRuns, findLatestRuns, insertRun, progressOf } from '../runs/index.ts';
import { checkFileJob } from './check-file.job.ts';
import {
  type FileRow,
  type FileTypeName,
  findFile,
  forgetFile,
  insertFile,
  insertUpload,
  listDependants,
  takeUpload,
  updateFile,
} from './files.queries.ts';
import { listFolderPath } from './folders.queries.ts';
import { requireFolder } from './folders.service.ts';
import { requireOwn } from './ownership.ts';

export function toFile(row: FileRow): File {
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
    created_by: row.created_by_name,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export async function getFile(db: Queryable, projectId: string, fileId: string): Promise<FileRow> {
  const file = await findFile(db, projectId, fileId);
  if (!file) throw notFound('This file');
  return file;
}

/** The input of a run: of this type, of this project, checked and without errors. */
export async function getReadyFile(
  db: Queryable,
  projectId: string,
  fileId: string,
  type: FileTypeName,
): Promise<FileRow> {
  const file = await getFile(db, projectId, fileId);
  if (file.file_type !== type)
    throw new Problem('files/wrong-type', `“${file.name}” is not a ${type.toLowerCase().replace('_', ' ')} file.`);
  if (file.status !== 'READY' && file.status !== 'READY_WITH_WARNINGS')
    throw new Problem(
      'files/not-ready',
      file.status === 'INVALID'
        ? `“${file.name}” has errors. Open it to see them, correct the file and upload it again.`
        : `“${file.name}” is still being checked. Try again in a moment.`,
    );
  return file;
}

export async function readFileDetail(services: Services, projectId: string, fileId: string): Promise<FileDetail> {
  const { db, storage } = services;
  const row = await getFile(db, projectId, fileId);
  const [path, [run]] = await Promise.all([
    listFolderPath(db, projectId, row.folder_id),
    findLatestRuns(db, 'file_id', [fileId]),
  ]);
  const base = row.name.replace(/\.[^.]*$/, '');
  const sign = async (kind: string, fileName: string): Promise<string | null> => {
    const key = row.meta.keys?.[kind];
    return key === undefined ? null : storage.signGet(key, { fileName });
  };
  const progress = progressOf(run);
  return {
    ...toFile(row),
    path,
    description: row.description,
    meta: {
      traits: row.meta.traits ?? [],
      file_url: await storage.signGet(row.storage_key, { fileName: row.name, contentType: row.content_type }),
      samples_url: await sign('samples', `${base}_samples.csv`),
      contigs_url: await sign('contigs', `${base}_contigs.csv`),
      linkmaptemp_url: await sign('linkmaptemp', `${base}_linkageMap_template.csv`),
      snpids_url: await sign('snpids', `${base}_snpids.csv`),
      qc_url: await sign('qc', `${base}_qc.json`),
    },
    format: row.format,
    sha256: row.sha256,
    content_type: row.content_type,
    problem_totals: {
      errors: row.problem_totals.errors,
      warnings: row.problem_totals.warnings,
      infos: row.problem_totals.infos,
    },
    progress: progress && { stage: progress.stage, done: progress.done, total: progress.total },
  };
}

/** Step 1: an address for the bytes. Nothing is a file yet. */
export async function createUploadLink(
  { db, storage, config }: Services,
  access: ProjectAccess,
  principal: Principal,
  body: z.output<typeof uploadLinkBody>,
): Promise<{ put_url: string; file_id: string }> {
  if (body.size_bytes !== undefined && body.size_bytes > config.limits.uploadBytes)
    throw new Problem('request/too-large', `Files may have at most ${config.limits.uploadBytes} bytes.`);
  await requireFolder(db, access.projectId, body.folder_id);
  const id = uuidv7();
  const key = `uploads/${access.projectId}/${id}`;
  await insertUpload(db, {
    id,
    project_id: access.projectId,
    content_type: body.content_type,
    storage_key: key,
    size_bytes: body.size_bytes ?? null,
    created_by: principal.userId,
    expires_at: new Date(Date.now() + 24 * 3600 * 1000).toISOString(),
  });
  return { put_url: await storage.signPut(key, { contentType: body.content_type }), file_id: id };
}

/** Step 3: the bytes are there and become a file; its check starts with the same commit. */
export async function createFile(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  body: z.output<typeof createFileBody>,
): Promise<FileDetail> {
  const { db, storage } = services;
  const { projectId } = access;
  await requireFolder(db, projectId, body.folder_id);
  await db.transaction().execute(async (trx) => {
    const upload = await takeUpload(trx, projectId, body.file_id, principal.userId);
    if (!upload) throw notFound('This upload');
    const stored = await storage.find(upload.storage_key);
    if (!stored)
      throw new Problem('files/not-uploaded', 'The bytes of this file have not arrived. Send them to put_url first.');
    if (upload.size_bytes !== null && stored.sizeBytes !== upload.size_bytes)
      throw new Problem(
        'files/upload-incomplete',
        `Only ${stored.sizeBytes} of ${upload.size_bytes} bytes arrived. Upload the file again.`,
      );
    const key = `projects/${projectId}/files/${upload.id}/original`;
    await named(body.name, () =>
      insertFile(trx, {
        id: upload.id,
        project_id: projectId,
        folder_id: body.folder_id ?? null,
        name: body.name,
        file_type: body.file_type ?? null,
        content_type: upload.content_type,
        size_bytes: stored.sizeBytes,
        storage_key: key,
        created_by: principal.userId,
      }),
    );
    await startCheck(services, trx, projectId, upload.id);
    await storage.move(upload.storage_key, key);
  });
  return readFileDetail(services, projectId, body.file_id);
}

/** Puts the check of a file into the queue; an earlier one that is still running is stopped. */
async function startCheck(
  { jobs }: Services,
  trx: DatabaseTransaction,
  projectId: string,
  fileId: string,
): Promise<void> {
  const running = await cancelRuns(trx, 'file_id', fileId);
  if (running) await jobs.cancel(trx, ...running);
  const runId = await insertRun(trx, { projectId, owner: 'file_id', ownerId: fileId, kind: 'import' });
  const job = await jobs.enqueue(trx, checkFileJob, { project_id: projectId, file_id: fileId, run_id: runId });
  await attachJob(trx, runId, job);
  await publishEvent(trx, { type: 'file', id: fileId, project_id: projectId, organization_id: null });
}

export async function checkFileAgain(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  fileId: string,
  body: z.output<typeof checkFileBody>,
): Promise<FileDetail> {
  const { db } = services;
  const file = await getFile(db, access.projectId, fileId);
  requireOwn(access, principal, file.created_by);
  await db.transaction().execute(async (trx) => {
    await updateFile(trx, access.projectId, fileId, {
      status: 'UPLOADED',
      ...(body.file_type === undefined ? {} : { file_type: body.file_type }),
      meta: {
        ...file.meta,
        options: {
          ...file.meta.options,
          ...(body.average_repeated_rows === undefined ? {} : { average_repeated_rows: body.average_repeated_rows }),
          ...(body.missing_codes === undefined ? {} : { missing_codes: body.missing_codes }),
        },
      },
    });
    await startCheck(services, trx, access.projectId, fileId);
  });
  return readFileDetail(services, access.projectId, fileId);
}

export async function changeFile(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  fileId: string,
  body: z.output<typeof updateFileBody>,
): Promise<FileDetail> {
  const { db } = services;
  const file = await getFile(db, access.projectId, fileId);
  requireOwn(access, principal, file.created_by);
  await requireFolder(db, access.projectId, body.folder_id);
  await db.transaction().execute(async (trx) => {
    await named(body.name ?? file.name, () =>
      updateFile(trx, access.projectId, fileId, {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.folder_id === undefined ? {} : { folder_id: body.folder_id }),
        ...(body.description === undefined ? {} : { description: body.description }),
      }),
    );
    await publishEvent(trx, { type: 'file', id: fileId, project_id: access.projectId, organization_id: null });
  });
  return readFileDetail(services, access.projectId, fileId);
}

/** Into the 30-day bin. What runs use is refused unless a manager confirms; their results stay. */
export async function deleteFile(
  { db, jobs }: Services,
  access: ProjectAccess,
  principal: Principal,
  fileId: string,
  { cascade, requestId }: { cascade: boolean; requestId: string },
): Promise<void> {
  const { projectId } = access;
  const file = await getFile(db, projectId, fileId);
  requireOwn(access, principal, file.created_by);
  await db.transaction().execute(async (trx) => {
    const dependants = await listDependants(trx, projectId, fileId);
    if (dependants.length > 0 && !cascade)
      throw new Problem(
        'files/in-use',
        `“${file.name}” is used by ${dependants.map((one) => one.name).join(', ')}. A manager of the project can delete it all the same; results stay, but cannot be repeated.`,
        { details: { dependants } },
      );
    if (dependants.length > 0 && !isAtLeast(access.role, 'MANAGER'))
      throw new Problem('request/not-allowed', 'Only a manager of the project may delete a file that runs use.');
    const running = await cancelRuns(trx, 'file_id', fileId);
    if (running) await jobs.cancel(trx, ...running);
    await forgetFile(trx, projectId, fileId);
    await updateFile(trx, projectId, fileId, { deleted_at: new Date().toISOString() });
    await recordAuditEvent(trx, {
      action: 'file.deleted',
      actor: principal,
      organizationId: access.organizationId,
      projectId,
      targetType: 'file',
      targetId: fileId,
      details: { name: file.name, dependants: dependants.length },
      requestId,
    });
    await publishEvent(trx, { type: 'file', id: fileId, project_id: projectId, organization_id: null });
  });
}

async function named(name: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!violates(error, 'files_name')) throw error;
    throw new Problem('files/name-taken', `There is a file called “${name}” here already. Choose another name.`, {
      cause: error,
      invalidParams: [{ name: 'body.name', reason: 'This name is taken' }],
    });
  }
}
