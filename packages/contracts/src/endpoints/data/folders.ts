import { page } from '../../common.ts';
import { createFolderBody, folder, folderDetail, listFoldersQuery, updateFolderBody } from '../../data/folders.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post, put } from '../../endpoint.ts';

export const foldersApi = {
  listFolders: get('/projects/:project_id/folders', PROJECT_MEMBER, {
    summary: 'List folders: those at the root, inside a folder, or all',
    query: listFoldersQuery,
    answer: page(folder),
  }),
  createFolder: post('/projects/:project_id/folders', PROJECT_MEMBER, {
    summary: 'Create a folder',
    body: createFolderBody,
    answer: folderDetail,
    status: 201,
  }),
  getFolder: get('/projects/:project_id/folders/:folder_id', PROJECT_MEMBER, {
    summary: 'One folder with its path',
    answer: folderDetail,
  }),
  updateFolder: put('/projects/:project_id/folders/:folder_id', PROJECT_MEMBER, {
    summary: 'Rename or move a folder',
    body: updateFolderBody,
    answer: folderDetail,
  }),
  deleteFolder: del('/projects/:project_id/folders/:folder_id', PROJECT_MEMBER, {
    summary: 'Delete an empty folder',
  }),
} as const satisfies Endpoints;
