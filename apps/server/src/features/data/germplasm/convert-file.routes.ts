import { pathId } from '@heterosis/contracts/common';
import { canonicalNames, convertedFile, convertFileBody, fileDetail } from '@heterosis/contracts/files';
import * as z from 'zod';
import { requirePrincipal, requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { forProjectMembers } from '../../../platform/http/project-routes.ts';
import { cancelDerivation } from '../files/index.ts';
import { convertFile, previewConversion } from './convert-file.service.ts';

const path = '/projects/:project_id/files/:file_id/synonyms';
const oneFile = z.object({ project_id: pathId, file_id: pathId });

export const convertFileRoutes: FeatureRoutes = (app, services) => {
  app.get(
    path,
    {
      config: forProjectMembers,
      schema: {
        summary: 'The names of a file and those of the germplasm list: what a conversion would rename',
        params: oneFile,
        response: { 200: canonicalNames },
      },
    },
    async (request) => previewConversion(services, requireProjectAccess(request), request.params.file_id),
  );
  app.post(
    path,
    {
      config: forProjectMembers,
      schema: {
        summary: 'Convert a file: start the making of a new one with the names of the germplasm list',
        params: oneFile,
        body: convertFileBody,
        response: { 202: convertedFile },
      },
    },
    async (request, reply) =>
      reply
        .status(202)
        .send(
          await convertFile(
            services,
            requireProjectAccess(request),
            requirePrincipal(request),
            request.params.file_id,
            request.body,
          ),
        ),
  );
  app.delete(
    path,
    {
      config: forProjectMembers,
      schema: { summary: 'Stop a conversion', params: oneFile, response: { 200: fileDetail } },
    },
    async (request) =>
      cancelDerivation(
        services,
        requireProjectAccess(request),
        requirePrincipal(request),
        request.params.file_id,
        'convert',
      ),
  );
};
