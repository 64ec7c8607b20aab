import type { createFolderBody, FolderDetail, updateFolderBody } from '@heterosis/contracts/files';
import { uuidv7 } from 'uuidv7';
import type * as z from 'zod';
import { type Database, type Queryable, violates } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/events.ts';
import type { Principal, ProjectAccess } from '../../platform/http/access.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { findFolder, insertFolder, isFolderEmpty, listFolderPath, updateFolder } from './folders.queries.ts';
import { requireOwn } from './ownership.ts';

export async function readFolder(db: Queryable, projectId: string, folderId: string): Promise<FolderDetail> {
  const folder = await findFolder(db, projectId, folderId);
  if (!folder) throw notFound('This folder');
  const { created_by: _, ...fields } = folder;
  return { ...fields, path: await listFolderPath(db, projectId, folderId) };
}

/** Throws 404 unless `folderId` is null or a folder of this project. */
export async function requireFolder(
  db: Queryable,
  projectId: string,
  folderId: string | null | undefined,
): Promise<void> {
  if (folderId === null || folderId === undefined) return;
  if (!(await findFolder(db, projectId, folderId))) throw notFound('This folder');
}

export async function createFolder(
  db: Database,
  access: ProjectAccess,
  principal: Principal,
  body: z.output<typeof createFolderBody>,
): Promise<FolderDetail> {
  const { projectId } = access;
  const id = uuidv7();
  await requireFolder(db, projectId, body.folder_id);
  await db.transaction().execute(async (trx) => {
    await named(body.name, () =>
      insertFolder(trx, {
        id,
        project_id: projectId,
        folder_id: body.folder_id ?? null,
        name: body.name,
        created_by: principal.userId,
      }),
    );
    await publishEvent(trx, { type: 'folder', id, project_id: projectId, organization_id: null });
  });
  return readFolder(db, projectId, id);
}

export async function changeFolder(
  db: Database,
  access: ProjectAccess,
  principal: Principal,
  folderId: string,
  body: z.output<typeof updateFolderBody>,
): Promise<FolderDetail> {
  const { projectId } = access;
  const folder = await findFolder(db, projectId, folderId);
  if (!folder) throw notFound('This folder');
  requireOwn(access, principal, folder.created_by);
  await requireFolder(db, projectId, body.folder_id);
  await db.transaction().execute(async (trx) => {
    if (body.folder_id !== undefined && body.folder_id !== null) {
      const path = await listFolderPath(trx, projectId, body.folder_id);
      if (path.some((one) => one.id === folderId))
        throw new Problem('folders/inside-itself', 'A folder cannot be moved into itself or into a folder inside it.');
    }
    await named(body.name ?? folder.name, () =>
      updateFolder(trx, projectId, folderId, {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.folder_id === undefined ? {} : { folder_id: body.folder_id }),
      }),
    );
    await publishEvent(trx, { type: 'folder', id: folderId, project_id: projectId, organization_id: null });
  });
  return readFolder(db, projectId, folderId);
}

export async function deleteFolder(
  db: Database,
  access: ProjectAccess,
  principal: Principal,
  folderId: string,
): Promise<void> {
  const { projectId } = access;
  const folder = await findFolder(db, projectId, folderId);
  if (!folder) throw notFound('This folder');
  requireOwn(access, principal, folder.created_by);
  await db.transaction().execute(async (trx) => {
    if (!(await isFolderEmpty(trx, projectId, folderId)))
      throw new Problem('folders/not-empty', 'Move or delete what is in the folder first.');
    await updateFolder(trx, projectId, folderId, { deleted_at: new Date().toISOString() });
    await publishEvent(trx, { type: 'folder', id: folderId, project_id: projectId, organization_id: null });
  });
}

async function named(name: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!violates(error, 'folders_name')) throw error;
    throw new Problem('folders/name-taken', `There is a folder called “${name}” here already. Choose another name.`, {
      cause: error,
      invalidParams: [{ name: 'body.name', reason: 'This name is taken' }],
    });
  }
}
