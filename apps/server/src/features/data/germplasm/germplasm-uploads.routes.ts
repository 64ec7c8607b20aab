import { pathId } from '@heterosis/contracts/common';
import { germplasmList } from '@heterosis/contracts/data/germplasm';
import {
  acceptGermplasmUploadBody,
  germplasmFileFields,
  germplasmUpload,
  germplasmUploadRows,
  updateGermplasmUploadBody,
  uploadRowsQuery,
} from '@heterosis/contracts/data/germplasm-uploads';
import { firstRows, firstRowsQuery } from '@heterosis/contracts/data/table-mapping';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { requireOrganizationAccess, requirePrincipal, requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { firstPart } from '../../../platform/http/hooks/idempotency.ts';
import { acceptMultipart, receiveFile } from '../../../platform/http/multipart.ts';
import { type GermplasmAccess, ofOrganization, ofProject, requireAdding } from './germplasm-access.ts';
import {
  acceptUpload,
  cancelUpload,
  changeUpload,
  getUpload,
  getUploadFirstRows,
  getUploadRows,
  startUpload,
  type UploadForm,
  uploadGermplasm,
} from './uploads.service.ts';

/** Fields of the form that may stand in the address instead. */
const formQuery = z.object({
  crop_id: z.string().max(100).optional(),
  existing: z.string().max(100).optional(),
  generate_unknown_parent: z.string().max(100).optional(),
});

const formOf =
  (request: FastifyRequest): UploadForm =>
  async (store) => {
    const received = await receiveFile(request, store);
    return { ...received, fields: { ...(request.query as Record<string, string>), ...received.fields } };
  };

/** The same routes below an organization and below a project. */
const PLACES = [
  {
    path: '/organizations/:organization_id/germplasms',
    params: z.object({ organization_id: pathId }),
    config: { guard: { organization: 'MANAGER' } },
  },
  {
    path: '/projects/:project_id/germplasms',
    params: z.object({ project_id: pathId }),
    config: { guard: { project: 'MEMBER' } },
  },
] as const;

export const germplasmUploadRoutes: FeatureRoutes = (app, services) => {
  acceptMultipart(app);
  for (const { path, params, config } of PLACES) {
    const one = z.object({ ...params.shape, upload_id: pathId });
    const idOf = (request: { params: unknown }) => (request.params as { upload_id: string }).upload_id;
    const accessOf = async (request: FastifyRequest): Promise<GermplasmAccess> => {
      const access =
        request.projectAccess === undefined
          ? ofOrganization(requireOrganizationAccess(request))
          : await ofProject(services.db, requireProjectAccess(request));
      requireAdding(access);
      return access;
    };

    app.post(
      path,
      {
        config: { ...config, form: germplasmFileFields },
        schema: {
          summary: 'Upload germplasm in one call: checked and stored, or refused with the problems',
          params,
          querystring: formQuery,
          response: { 201: germplasmList },
        },
      },
      async (request, reply) => {
        const access = await accessOf(request);
        const once = (work: () => Promise<string>) => firstPart(request, work);
        return reply
          .status(201)
          .send(await uploadGermplasm(services, access, requirePrincipal(request), formOf(request), { once }));
      },
    );
    app.post(
      `${path}/uploads`,
      {
        config: { ...config, form: germplasmFileFields },
        schema: {
          summary: 'Upload germplasm for review',
          params,
          querystring: formQuery,
          response: { 201: germplasmUpload },
        },
      },
      async (request, reply) => {
        const access = await accessOf(request);
        return reply.status(201).send(await startUpload(services, access, requirePrincipal(request), formOf(request)));
      },
    );
    app.get(
      `${path}/uploads/:upload_id`,
      { config, schema: { summary: 'An own upload under review', params: one, response: { 200: germplasmUpload } } },
      async (request) => getUpload(services, await accessOf(request), requirePrincipal(request), idOf(request)),
    );
    app.get(
      `${path}/uploads/:upload_id/rows`,
      {
        config,
        schema: {
          summary: 'Rows of an upload and what becomes of them',
          params: one,
          querystring: uploadRowsQuery,
          response: { 200: germplasmUploadRows },
        },
      },
      async (request) =>
        getUploadRows(services, await accessOf(request), requirePrincipal(request), idOf(request), request.query),
    );
    app.get(
      `${path}/uploads/:upload_id/first_rows`,
      {
        config,
        schema: {
          summary: 'The first rows of an uploaded file, and what its columns probably hold',
          params: one,
          querystring: firstRowsQuery,
          response: { 200: firstRows },
        },
      },
      async (request) =>
        getUploadFirstRows(services, await accessOf(request), requirePrincipal(request), idOf(request), request.query),
    );
    app.put(
      `${path}/uploads/:upload_id`,
      {
        config,
        schema: {
          summary: 'Correct or leave out rows of an upload, change its choices, or say what its columns hold',
          params: one,
          body: updateGermplasmUploadBody,
          response: { 200: germplasmUpload },
        },
      },
      async (request) =>
        changeUpload(services, await accessOf(request), requirePrincipal(request), idOf(request), request.body),
    );
    app.post(
      `${path}/uploads/:upload_id/accept`,
      {
        config,
        schema: {
          summary: 'Store an upload as a whole',
          params: one,
          body: acceptGermplasmUploadBody,
          response: { 200: germplasmUpload },
        },
      },
      async (request) =>
        acceptUpload(services, await accessOf(request), requirePrincipal(request), idOf(request), request.body),
    );
    app.delete(
      `${path}/uploads/:upload_id`,
      { config, schema: { summary: 'Cancel an upload', params: one, response: { 204: z.null() } } },
      async (request, reply) => {
        await cancelUpload(services, await accessOf(request), requirePrincipal(request), idOf(request));
        return reply.status(204).send(null);
      },
    );
  }
};
