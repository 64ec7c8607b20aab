import { Readable } from 'node:stream';
import { traitMeans, traitMeansQuery } from '@heterosis/contracts/adjusted-means';
import { page, pathId } from '@heterosis/contracts/common';
import { createFileBody } from '@heterosis/contracts/file-uploads';
import {
  checkFileBody,
  deleteFileQuery,
  exportFileQuery,
  file,
  fileDetail,
  fileProblems,
  fileUsage,
  linkageMapTemplateQuery,
  listFilesQuery,
  listProblemsQuery,
  phaseFileBody,
  phenotypeRows,
  phenotypeRowsQuery,
  updateFileBody,
} from '@heterosis/contracts/files';
import { fileQc } from '@heterosis/contracts/files-qc';
import { fileFirstRowsQuery, firstRows } from '@heterosis/contracts/table-mapping';
import * as z from 'zod';
import { requirePrincipal, requireProjectAccess } from '../../../platform/http/access.ts';
import type { App, FeatureRoutes, Services } from '../../../platform/http/app.ts';
import { COSTLY } from '../../../platform/http/costly.ts';
import { forProjectMembers, inProject } from '../../../platform/http/project-routes.ts';
import { contentDisposition } from '../../../platform/object-storage/content-disposition.ts';
import type { RunsOnInput } from '../../work/runs/kind/index.ts';
import { cancelDerivation } from './derivation.service.ts';
import {
  exportGenotypes,
  getLinkageMapTemplate,
  getMeans,
  getMeansCsv,
  getProblems,
  getProblemsCsv,
  getQc,
  getRows,
} from './file-content.service.ts';
import { checkFile, createFile, deleteFile, getFile, getFileUsage, listFiles, updateFile } from './files.service.ts';
import { getFirstRows } from './mapping.service.ts';
import { phaseFile } from './phasing.service.ts';

const oneFile = z.object({ project_id: pathId, file_id: pathId });

/** `users` are the kinds of run that take files as inputs. */
export const fileRoutes =
  (users: readonly RunsOnInput[]): FeatureRoutes =>
  (app, services) => {
    registerFileRoutes(app, services, users);
    registerContentRoutes(app, services);
    registerMappingRoutes(app, services);
    registerCheckRoutes(app, services, users);
    registerDownloadRoutes(app, services);
  };

/** The list, and one file. */
function registerFileRoutes(app: App, services: Services, users: readonly RunsOnInput[]): void {
  app.get(
    '/projects/:project_id/files',
    {
      config: forProjectMembers,
      schema: {
        summary: 'List files: of the root, of a folder, or all',
        params: inProject,
        querystring: listFilesQuery,
        response: { 200: page(file) },
      },
    },
    async (request) => listFiles(services, requireProjectAccess(request), request.query),
  );
  app.post(
    '/projects/:project_id/files',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Upload, step 3: make the file of the bytes that were sent; its check starts',
        params: inProject,
        body: createFileBody,
        response: { 201: fileDetail },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(
          await createFile(
            services,
            requireProjectAccess(request),
            requirePrincipal(request),
            request.body,
            users,
            request.id,
          ),
        ),
  );
  app.get(
    '/projects/:project_id/files/:file_id',
    { config: forProjectMembers, schema: { summary: 'One file', params: oneFile, response: { 200: fileDetail } } },
    async (request) => getFile(services, requireProjectAccess(request), request.params.file_id),
  );
  app.get(
    '/projects/:project_id/files/:file_id/usage',
    {
      config: forProjectMembers,
      schema: { summary: 'Runs that use a file', params: oneFile, response: { 200: fileUsage } },
    },
    async (request) => getFileUsage(services, requireProjectAccess(request), request.params.file_id, users),
  );
  app.put(
    '/projects/:project_id/files/:file_id',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Rename, move or describe a file',
        params: oneFile,
        body: updateFileBody,
        response: { 200: fileDetail },
      },
    },
    async (request) =>
      updateFile(
        services,
        requireProjectAccess(request),
        requirePrincipal(request),
        request.params.file_id,
        request.body,
      ),
  );
  app.delete(
    '/projects/:project_id/files/:file_id',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Delete a file; one that runs use only with cascade=true, by a manager',
        params: oneFile,
        querystring: deleteFileQuery,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await deleteFile(
        services,
        requireProjectAccess(request),
        requirePrincipal(request),
        { id: request.params.file_id, cascade: request.query.cascade === 'true', requestId: request.id },
        users,
      );
      return reply.status(204).send(null);
    },
  );
}

/** What a check has found. */
function registerContentRoutes(app: App, services: Services): void {
  app.get(
    '/projects/:project_id/files/:file_id/problems',
    {
      config: forProjectMembers,
      schema: {
        summary: 'What was found in a file, in order of its lines',
        params: oneFile,
        querystring: listProblemsQuery,
        response: { 200: fileProblems },
      },
    },
    async (request) => getProblems(services, requireProjectAccess(request), request.params.file_id, request.query),
  );
  app.get(
    '/projects/:project_id/files/:file_id/problems.csv',
    {
      config: { ...forProjectMembers, media: ['text/csv'] },
      schema: { summary: 'What was found in a file, as CSV', params: oneFile },
    },
    async (request, reply) => {
      const { fileName, csv } = await getProblemsCsv(services, requireProjectAccess(request), request.params.file_id);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', contentDisposition(fileName, false))
        .send(csv);
    },
  );
  app.get(
    '/projects/:project_id/files/:file_id/qc',
    {
      config: forProjectMembers,
      schema: { summary: 'Figures of a checked file', params: oneFile, response: { 200: fileQc } },
    },
    async (request) => getQc(services, requireProjectAccess(request), request.params.file_id),
  );
  app.get(
    '/projects/:project_id/files/:file_id/rows',
    {
      config: forProjectMembers,
      schema: {
        summary: 'The table of a phenotype file',
        params: oneFile,
        querystring: phenotypeRowsQuery,
        response: { 200: phenotypeRows },
      },
    },
    async (request) => getRows(services, requireProjectAccess(request), request.params.file_id, request.query),
  );
  app.get(
    '/projects/:project_id/files/:file_id/means',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Adjusted means of a trait of a phenotype file, with standard errors',
        params: oneFile,
        querystring: traitMeansQuery,
        response: { 200: traitMeans },
      },
    },
    async (request) => getMeans(services, requireProjectAccess(request), request.params.file_id, request.query),
  );
  app.get(
    '/projects/:project_id/files/:file_id/means.csv',
    {
      config: { ...forProjectMembers, media: ['text/csv'] },
      schema: { summary: 'Adjusted means of all traits of a phenotype file, as CSV', params: oneFile },
    },
    async (request, reply) => {
      const { fileName, chunks } = await getMeansCsv(services, requireProjectAccess(request), request.params.file_id);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', contentDisposition(fileName, false))
        .send(Readable.from(chunks));
    },
  );
}

/** The first rows of a table, for saying what its columns hold. */
function registerMappingRoutes(app: App, services: Services): void {
  app.get(
    '/projects/:project_id/files/:file_id/first_rows',
    {
      config: forProjectMembers,
      schema: {
        summary: 'The first rows of a table, and what its columns probably hold',
        params: oneFile,
        querystring: fileFirstRowsQuery,
        response: { 200: firstRows },
      },
    },
    async (request) => getFirstRows(services, requireProjectAccess(request), request.params.file_id, request.query),
  );
}

/** Checking a file again, and phasing it. */
function registerCheckRoutes(app: App, services: Services, users: readonly RunsOnInput[]): void {
  app.post(
    '/projects/:project_id/files/:file_id/check',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Check a file again, with other choices',
        params: oneFile,
        body: checkFileBody,
        response: { 200: fileDetail },
      },
    },
    async (request) =>
      checkFile(
        services,
        requireProjectAccess(request),
        requirePrincipal(request),
        request.params.file_id,
        request.body,
        users,
      ),
  );
  app.post(
    '/projects/:project_id/files/:file_id/phasing',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Phase a genotype file and fill its missing calls; the result becomes a file of its own',
        params: oneFile,
        body: phaseFileBody,
        response: { 202: fileDetail },
      },
    },
    async (request, reply) =>
      reply
        .status(202)
        .send(
          await phaseFile(
            services,
            requireProjectAccess(request),
            requirePrincipal(request),
            request.params.file_id,
            request.body,
          ),
        ),
  );
  app.delete(
    '/projects/:project_id/files/:file_id/phasing',
    {
      config: forProjectMembers,
      schema: { summary: 'Stop the phasing of a file', params: oneFile, response: { 200: fileDetail } },
    },
    async (request) =>
      cancelDerivation(
        services,
        requireProjectAccess(request),
        requirePrincipal(request),
        request.params.file_id,
        'phase',
      ),
  );
}

/** Files that are made from a genotype file while they are sent. */
function registerDownloadRoutes(app: App, services: Services): void {
  app.get(
    '/projects/:project_id/files/:file_id/export',
    {
      config: {
        ...forProjectMembers,
        ...COSTLY,
        media: ['application/gzip', 'text/tab-separated-values', 'application/zip', 'text/csv'],
      },
      // A HEAD request would produce the whole export and discard it.
      exposeHeadRoute: false,
      schema: {
        summary: 'The genotypes in another format: VCF (bgzip), HapMap, PLINK (zip), or copies of A2 as CSV',
        params: oneFile,
        querystring: exportFileQuery,
      },
    },
    async (request, reply) => {
      const { file_id: id } = request.params;
      const { format } = request.query;
      const { fileName, contentType, bytes } = await exportGenotypes(
        services,
        requireProjectAccess(request),
        id,
        format,
      );
      return reply.type(contentType).header('content-disposition', contentDisposition(fileName, false)).send(bytes);
    },
  );
  app.get(
    '/projects/:project_id/files/:file_id/linkage_map_template',
    {
      config: { ...forProjectMembers, media: ['text/csv'] },
      schema: {
        summary: 'A linkage map of the markers, to be filled in',
        params: oneFile,
        querystring: linkageMapTemplateQuery,
      },
    },
    async (request, reply) => {
      const { fileName, chunks } = await getLinkageMapTemplate(
        services,
        requireProjectAccess(request),
        request.params.file_id,
        request.query,
      );
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', contentDisposition(fileName, false))
        .send(Readable.from(chunks));
    },
  );
}
