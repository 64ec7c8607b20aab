import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import {
  upload,
  uploadDetail,
  uploadLinkBody,
  uploadLinkResult,
  uploadPartLinks,
  uploadPartsBody,
} from '@heterosis/contracts/file-uploads';
import * as z from 'zod';
import { requirePrincipal, requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { forProjectMembers, inProject } from '../../../platform/http/project-routes.ts';
import { cancelUpload, createPartLinks, createUploadLink, getUpload, listUploads } from './uploads.service.ts';

const oneUpload = z.object({ project_id: pathId, upload_id: pathId });

/**
 * Steps 1 and 2 of an upload; step 3 creates the file and is among the file routes. Uploads are private to their
 * user.
 */
export const uploadRoutes: FeatureRoutes = (app, services) => {
  app.post(
    '/projects/:project_id/files/upload_link',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Upload, step 1: an address that takes the bytes',
        params: inProject,
        body: uploadLinkBody,
        response: { 201: uploadLinkResult },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(await createUploadLink(services, requireProjectAccess(request), requirePrincipal(request), request.body)),
  );
  app.get(
    '/projects/:project_id/uploads',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Own uploads in parts that are no files yet, newest first',
        params: inProject,
        querystring: pageQuery,
        response: { 200: page(upload) },
      },
    },
    async (request) => listUploads(services, requireProjectAccess(request), requirePrincipal(request), request.query),
  );
  app.get(
    '/projects/:project_id/uploads/:upload_id',
    {
      config: forProjectMembers,
      schema: {
        summary: 'One upload: which of its parts have arrived',
        params: oneUpload,
        response: { 200: uploadDetail },
      },
    },
    async (request) =>
      getUpload(services, requireProjectAccess(request), requirePrincipal(request), request.params.upload_id),
  );
  app.post(
    '/projects/:project_id/uploads/:upload_id/parts',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Upload, step 2 in parts: addresses that take the bytes of some parts',
        params: oneUpload,
        body: uploadPartsBody,
        response: { 200: uploadPartLinks },
      },
    },
    async (request) =>
      createPartLinks(
        services,
        requireProjectAccess(request),
        requirePrincipal(request),
        request.params.upload_id,
        request.body.numbers,
      ),
  );
  app.delete(
    '/projects/:project_id/uploads/:upload_id',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Give an upload up; nothing of it stays',
        params: oneUpload,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await cancelUpload(services, requireProjectAccess(request), requirePrincipal(request), request.params.upload_id);
      return reply.status(204).send(null);
    },
  );
};
