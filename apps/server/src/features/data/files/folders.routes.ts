import { page, pathId } from '@heterosis/contracts/common';
import {
  createFolderBody,
  folder,
  folderDetail,
  listFoldersQuery,
  updateFolderBody,
} from '@heterosis/contracts/folders';
import * as z from 'zod';
import { requirePrincipal, requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { forProjectMembers, inProject } from '../../../platform/http/project-routes.ts';
import { createFolder, deleteFolder, getFolder, listFolders, updateFolder } from './folders.service.ts';

const oneFolder = z.object({ project_id: pathId, folder_id: pathId });

export const folderRoutes: FeatureRoutes = (app, services) => {
  app.get(
    '/projects/:project_id/folders',
    {
      config: forProjectMembers,
      schema: {
        summary: 'List folders: those at the root, inside a folder, or all',
        params: inProject,
        querystring: listFoldersQuery,
        response: { 200: page(folder) },
      },
    },
    async (request) => listFolders(services, requireProjectAccess(request), request.query),
  );
  app.post(
    '/projects/:project_id/folders',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Create a folder',
        params: inProject,
        body: createFolderBody,
        response: { 201: folderDetail },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(await createFolder(services, requireProjectAccess(request), requirePrincipal(request), request.body)),
  );
  app.get(
    '/projects/:project_id/folders/:folder_id',
    {
      config: forProjectMembers,
      schema: { summary: 'One folder with its path', params: oneFolder, response: { 200: folderDetail } },
    },
    async (request) => getFolder(services, requireProjectAccess(request), request.params.folder_id),
  );
  app.put(
    '/projects/:project_id/folders/:folder_id',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Rename or move a folder',
        params: oneFolder,
        body: updateFolderBody,
        response: { 200: folderDetail },
      },
    },
    async (request) =>
      updateFolder(
        services,
        requireProjectAccess(request),
        requirePrincipal(request),
        request.params.folder_id,
        request.body,
      ),
  );
  app.delete(
    '/projects/:project_id/folders/:folder_id',
    {
      config: forProjectMembers,
      schema: { summary: 'Delete an empty folder', params: oneFolder, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await deleteFolder(
        services,
        requireProjectAccess(request),
        requirePrincipal(request),
        request.params.folder_id,
        request.id,
      );
      return reply.status(204).send(null);
    },
  );
};
