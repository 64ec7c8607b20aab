import type { Page } from '@heterosis/contracts/common';
import type { Folder, FolderDetail } from '@heterosis/contracts/data/folders';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { foldersApi } from '@heterosis/contracts/endpoints/data/folders';
import { recordAuditEvent } from '../../../../platform/audit/audit-events.ts';
import type { Queryable } from '../../../../platform/database/database.ts';
import { publishEvent } from '../../../../platform/events/events.ts';
import type { Principal, ProjectAccess } from '../../../../platform/http/access.ts';
import type { ProjectCall } from '../../../../platform/http/bind.ts';
import { decodeNameCursor, toPage } from '../../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../../platform/http/problem.ts';
import { orNameTaken } from '../../../../platform/http/taken-name.ts';
import { isUuid } from '../../../../platform/http/uuid.ts';
import { lockEntry, requireOwn, updateEntry, updateEntryDeleted } from '../../../people/projects/index.ts';
import {
  countFolderContent,
  findFolder,
  findFolderPath,
  insertFolder,
  listFolders as listFolderRows,
  lockFolderTree,
} from './folders.queries.ts';

/** `root=true`, a folder id, or neither, as the lists of folders and files accept. */
export function folderOfQuery(query: {
  folder_id?: string | undefined;
  root?: 'true' | 'false' | undefined;
}): string | null | undefined {
  return query.root === 'true' ? null : query.folder_id;
}

export async function listFolders(
  { services: { db }, access: { projectId } }: ProjectCall,
  { query }: InputOf<typeof foldersApi.listFolders>,
): Promise<Page<Folder>> {
  const rows = await listFolderRows(db, projectId, {
    folderId: folderOfQuery(query),
    limit: query.limit,
    after: decodeNameCursor(query.cursor),
  });
  return toPage(rows, query.limit, ({ name, id }) => [name, id]);
}

export async function getFolder(
  { services: { db }, access: { projectId } }: ProjectCall,
  { folder_id: id }: InputOf<typeof foldersApi.getFolder>,
): Promise<FolderDetail> {
  return await folderDetail(db, projectId, id);
}

async function folderDetail(db: Queryable, projectId: string, id: string): Promise<FolderDetail> {
  const folder = isUuid(id) ? await findFolder(db, projectId, id) : undefined;
  if (folder === undefined) throw notFound('This folder');
  return { ...folder, path: await findFolderPath(db, projectId, id) };
}

export async function createFolder(
  { services: { db }, access, principal }: ProjectCall,
  { body }: InputOf<typeof foldersApi.createFolder>,
): Promise<FolderDetail> {
  const { projectId } = access;
  const folderId = body.folder_id ?? null;
  return await nameTaken('folders_name', body.name, () =>
    db.transaction().execute(async (trx) => {
      await requireFolder(trx, projectId, folderId);
      const id = await insertFolder(trx, { projectId, folderId, name: body.name, createdBy: principal.userId });
      await tell(trx, access, id);
      return await folderDetail(trx, projectId, id);
    }),
  );
}

export async function updateFolder(
  { services: { db }, access, principal }: ProjectCall,
  { folder_id: id, body }: InputOf<typeof foldersApi.updateFolder>,
): Promise<FolderDetail> {
  const { projectId } = access;
  await requireChangeable(db, access, principal, id);
  return await nameTaken('folders_name', body.name, () =>
    db.transaction().execute(async (trx) => {
      if (body.folder_id !== undefined) {
        await lockFolderTree(trx, projectId);
        await requireFolder(trx, projectId, body.folder_id);
        const path = await findFolderPath(trx, projectId, body.folder_id);
        if (path.some((ancestor) => ancestor.id === id))
          throw new Problem('folders/inside-itself', 'Choose a folder that does not lie inside this one.');
      }
      await updateEntry(trx, 'folders', { projectId, id }, body);
      await tell(trx, access, id);
      return await folderDetail(trx, projectId, id);
    }),
  );
}

export async function deleteFolder(
  { services: { db }, access, principal, requestId }: ProjectCall,
  { folder_id: id }: InputOf<typeof foldersApi.deleteFolder>,
): Promise<void> {
  const { projectId, organizationId } = access;
  await requireChangeable(db, access, principal, id);
  await db.transaction().execute(async (trx) => {
    if (!(await lockEntry(trx, 'folders', projectId, id))) throw notFound('This folder');
    const content = await countFolderContent(trx, projectId, id);
    if (content.folders + content.files > 0)
      throw new Problem(
        'folders/not-empty',
        `The folder holds ${content.files} files and ${content.folders} folders. Move or delete them first.`,
        { details: content },
      );
    await updateEntryDeleted(trx, 'folders', projectId, id);
    await recordAuditEvent(trx, {
      action: 'folder.deleted',
      actor: principal,
      organizationId,
      projectId,
      targetType: 'folder',
      targetId: id,
      requestId,
    });
    await tell(trx, access, id);
  });
}

/** The target folder, locked against deletion until the transaction ends. */
export async function requireFolder(db: Queryable, projectId: string, id: string | null): Promise<void> {
  if (id !== null && !(await lockEntry(db, 'folders', projectId, id))) throw notFound('The folder chosen');
}

/** Turns a violated unique index into a problem that the user can solve. */
export async function nameTaken<Result>(
  index: 'folders_name' | 'files_name',
  name: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const [code, kind] =
    index === 'files_name' ? (['files/name-taken', 'file'] as const) : (['folders/name-taken', 'folder'] as const);
  const detail =
    name === undefined
      ? `The folder chosen has a ${kind} of this name already. Rename one of the two first.`
      : `There is a ${kind} "${name}" here already. Choose another name or another folder.`;
  return await orNameTaken({ index, code, detail }, work);
}

async function requireChangeable(
  db: Queryable,
  access: ProjectAccess,
  principal: Principal,
  id: string,
): Promise<void> {
  const folder = isUuid(id) ? await findFolder(db, access.projectId, id) : undefined;
  if (folder === undefined) throw notFound('This folder');
  requireOwn(access, principal, folder.created_by_id);
}

async function tell(db: Queryable, { projectId, organizationId }: ProjectAccess, id: string): Promise<void> {
  await publishEvent(db, { type: 'folder', id, project_id: projectId, organization_id: organizationId });
}
