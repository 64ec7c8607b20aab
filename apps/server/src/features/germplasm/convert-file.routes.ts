import { pathId } from '@heterosis/contracts/common';
import { canonicalNames, convertedFile, convertFileBody } from '@heterosis/contracts/files';
import * as z from 'zod';
import { requirePrincipal, requireProjectAccess } from '../../platform/http/access.ts';
import type { FeatureRoutes } from '../../platform/http/app.ts';
import { COSTLY } from '../../platform/http/costly.ts';
import { forProjectMembers } from '../../platform/http/project-routes.ts';
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
      config: { ...forProjectMembers, ...COSTLY },
      schema: {
        summary: 'Convert a file: make a new one with the names of the germplasm list',
        params: oneFile,
        body: convertFileBody,
        response: { 201: convertedFile },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
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
};
