import * as z from 'zod';
import { id, name, pageQuery, reference, timestamp } from '../common.ts';

export const folder = z
  .object({
    id,
    name: z.string(),
    project_id: id,
    folder_id: id.nullable(),
    created_by_id: id.nullable().describe('Id of the user; null once the account is deleted.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Folder' });
export type Folder = z.infer<typeof folder>;
/** From the root down to and including the folder itself. */
export const folderDetail = folder
  .extend({ path: z.array(reference).describe('From the root down to the folder itself.') })
  .meta({ id: 'FolderDetail' });
export type FolderDetail = z.infer<typeof folderDetail>;

/** `root=true` lists the folders at the root; `folder_id` those inside a folder; neither lists all. */
export const listFoldersQuery = pageQuery.extend({
  folder_id: id.optional(),
  root: z.enum(['true', 'false']).optional().describe('true: only the root.'),
});
export const createFolderBody = z.object({ name, folder_id: id.nullable().optional() });
/** Renames and moves: `folder_id: null` moves to the root, absent leaves it. */
export const updateFolderBody = z.object({ name: name.optional(), folder_id: id.nullable().optional() });
