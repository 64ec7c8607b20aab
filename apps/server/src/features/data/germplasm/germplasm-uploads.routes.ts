import {
  organizationGermplasmUploadsApi,
  projectGermplasmUploadsApi,
} from '@heterosis/contracts/endpoints/data/germplasm-uploads';
import type { FastifyRequest } from 'fastify';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import { firstPart } from '../../../platform/http/hooks/idempotency.ts';
import { acceptMultipart, receiveFile } from '../../../platform/http/multipart.ts';
import { forAdding } from './germplasm-access.ts';
import * as uploads from './uploads.service.ts';

const formOf =
  (request: FastifyRequest): uploads.UploadForm =>
  async (store) => {
    const received = await receiveFile(request, store);
    return { ...received, fields: { ...(request.query as Record<string, string>), ...received.fields } };
  };

const functions = forAdding({
  ...uploads,
  startUpload: (call, _input: unknown, { request }) => uploads.startUpload(call, formOf(request)),
  uploadGermplasm: (call, _input: unknown, { request }) =>
    uploads.uploadGermplasm(call, formOf(request), { once: (work) => firstPart(request, work) }),
});

export const germplasmUploadRoutes: FeatureRoutes = (app, services) => {
  acceptMultipart(app);
  bind(organizationGermplasmUploadsApi, functions)(app, services);
  bind(projectGermplasmUploadsApi, functions)(app, services);
};
