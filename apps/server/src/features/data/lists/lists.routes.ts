import { page, pathId } from '@heterosis/contracts/common';
import { createListBody, listListsQuery, savedList, savedListDetail, updateListBody } from '@heterosis/contracts/lists';
import * as z from 'zod';
import { requirePrincipal, requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { forProjectMembers, inProject } from '../../../platform/http/project-routes.ts';
import { createList, deleteList, getList, listLists, updateList } from './lists.service.ts';

const oneList = z.object({ project_id: pathId, id: pathId });

export const listRoutes: FeatureRoutes = (app, services) => {
  app.get(
    '/projects/:project_id/lists',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Lists of lines and markers, the newest first',
        params: inProject,
        querystring: listListsQuery,
        response: { 200: page(savedList) },
      },
    },
    async (request) => listLists(services, requireProjectAccess(request), request.query),
  );
  app.post(
    '/projects/:project_id/lists',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Keep a list of lines or markers with the project',
        params: inProject,
        body: createListBody,
        response: { 201: savedListDetail },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(await createList(services, requireProjectAccess(request), requirePrincipal(request), request.body)),
  );
  app.get(
    '/projects/:project_id/lists/:id',
    {
      config: forProjectMembers,
      schema: { summary: 'One list with its names', params: oneList, response: { 200: savedListDetail } },
    },
    async (request) => getList(services, requireProjectAccess(request), request.params.id),
  );
  app.put(
    '/projects/:project_id/lists/:id',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Rename a list, or change its names',
        params: oneList,
        body: updateListBody,
        response: { 200: savedListDetail },
      },
    },
    async (request) =>
      updateList(services, requireProjectAccess(request), requirePrincipal(request), request.params.id, request.body),
  );
  app.delete(
    '/projects/:project_id/lists/:id',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Delete a list; runs keep the names that they used',
        params: oneList,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await deleteList(services, requireProjectAccess(request), requirePrincipal(request), request.params.id);
      return reply.status(204).send(null);
    },
  );
};
