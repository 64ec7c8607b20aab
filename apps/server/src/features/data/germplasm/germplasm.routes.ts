import { Readable } from 'node:stream';
import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import {
  exportGermplasmsQuery,
  exportProjectGermplasmsQuery,
  germplasm,
  germplasmChange,
  germplasmDetail,
  germplasmList,
  germplasmValues,
  germplasmValuesQuery,
  keepSynonymsBody,
  keptSynonyms,
  listGermplasmsQuery,
  listProjectGermplasmsQuery,
  mergeGermplasmBody,
  updateGermplasmBody,
} from '@heterosis/contracts/data/germplasm';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import {
  isAtLeast,
  requireOrganizationAccess,
  requirePrincipal,
  requireProjectAccess,
} from '../../../platform/http/access.ts';
import type { App, FeatureRoutes, Services } from '../../../platform/http/app.ts';
import { COSTLY } from '../../../platform/http/costly.ts';
import { contentDisposition } from '../../../platform/object-storage/content-disposition.ts';
import type { RunKindDefinition } from '../../work/runs/kind/index.ts';
import {
  changeGermplasm,
  deleteGermplasm,
  listGermplasmChanges,
  mergeGermplasm,
  undoChange,
} from './changes.service.ts';
import { exportGermplasm } from './export-germplasm.ts';
import { getGermplasmDetail, getGermplasmValues, listGermplasms } from './germplasm.service.ts';
import { ofOrganization, ofProject } from './germplasm-access.ts';
import { keepSynonyms } from './keep-synonyms.service.ts';
import type { Seer } from './occurrences.service.ts';

const inOrganization = z.object({ organization_id: pathId });
const ofOrganizationId = inOrganization.extend({ id: pathId });
const inProject = z.object({ project_id: pathId });
const ofProjectId = inProject.extend({ id: pathId });
const member = { guard: { organization: 'MEMBER' } } as const;
const manager = { guard: { organization: 'MANAGER' } } as const;
const joined = { guard: { project: 'MEMBER' } } as const;
const changed = z.object({ change_id: z.uuid().describe('For undoing.') });

/** The list of an organization's crops. Uploads have routes of their own. */
export const germplasmRoutes =
  (kinds: readonly RunKindDefinition[]): FeatureRoutes =>
  (app, services) => {
    app.get(
      '/organizations/:organization_id/germplasms',
      {
        config: member,
        schema: {
          summary: 'Germplasm of an organization, or of one of its crops',
          params: inOrganization,
          querystring: listGermplasmsQuery,
          response: { 200: germplasmList },
        },
      },
      async (request) => {
        const { crop_id, ...query } = request.query;
        return listGermplasms(services, ofOrganization(requireOrganizationAccess(request), crop_id), query);
      },
    );
    app.get(
      '/organizations/:organization_id/germplasms/export',
      {
        config: { ...member, ...COSTLY, media: ['text/csv', 'text/tab-separated-values'] },
        exposeHeadRoute: false,
        schema: {
          summary: 'The germplasm list as a table',
          params: inOrganization,
          querystring: exportGermplasmsQuery,
        },
      },
      async (request, reply) => {
        const { crop_id, format } = request.query;
        const { scope } = ofOrganization(requireOrganizationAccess(request), crop_id);
        return reply
          .type(EXPORTS[format].type)
          .header('content-disposition', contentDisposition(EXPORTS[format].fileName, false))
          .send(Readable.from(exportGermplasm(services.db, scope, format)));
      },
    );
    app.get(
      '/organizations/:organization_id/germplasms/:id',
      {
        config: member,
        schema: { summary: 'One germplasm', params: ofOrganizationId, response: { 200: germplasmDetail } },
      },
      async (request) =>
        getGermplasmDetail(
          services,
          ofOrganization(requireOrganizationAccess(request)),
          seerOf(request),
          request.params.id,
          kinds,
        ),
    );
    app.get(
      '/organizations/:organization_id/germplasms/:id/values',
      {
        config: { ...member, ...COSTLY },
        schema: {
          summary: 'Phenotypes and GEBVs of a germplasm in the projects that one may see',
          params: ofOrganizationId,
          querystring: germplasmValuesQuery,
          response: { 200: germplasmValues },
        },
      },
      async (request) =>
        getGermplasmValues(
          services,
          ofOrganization(requireOrganizationAccess(request)),
          seerOf(request),
          request.params.id,
          kinds,
          request.query,
        ),
    );
    registerChangeRoutes(app, services);
    registerProjectRoutes(app, services, kinds);
  };

const EXPORTS = {
  csv: { type: 'text/csv; charset=utf-8', fileName: 'germplasm.csv' },
  mcpd: { type: 'text/tab-separated-values; charset=utf-8', fileName: 'germplasm_mcpd.tsv' },
} as const;

function registerChangeRoutes(app: App, services: Services): void {
  app.put(
    '/organizations/:organization_id/germplasms/:id',
    {
      config: manager,
      schema: {
        summary: 'Change a germplasm',
        params: ofOrganizationId,
        body: updateGermplasmBody,
        response: { 200: germplasm },
      },
    },
    async (request) =>
      changeGermplasm(
        services,
        ofOrganization(requireOrganizationAccess(request)),
        requirePrincipal(request),
        request.params.id,
        request.body,
      ),
  );
  app.post(
    '/organizations/:organization_id/germplasms/:id/merge',
    {
      config: manager,
      schema: {
        summary: 'Merge a germplasm into another; its names become synonyms',
        params: ofOrganizationId,
        body: mergeGermplasmBody,
        response: { 200: changed },
      },
    },
    async (request) =>
      mergeGermplasm(services, ofOrganization(requireOrganizationAccess(request)), requirePrincipal(request), {
        id: request.params.id,
        intoId: request.body.into_id,
        requestId: request.id,
      }),
  );
  app.delete(
    '/organizations/:organization_id/germplasms/:id',
    {
      config: manager,
      schema: { summary: 'Delete a germplasm that is no parent', params: ofOrganizationId, response: { 200: changed } },
    },
    async (request) =>
      deleteGermplasm(services, ofOrganization(requireOrganizationAccess(request)), requirePrincipal(request), {
        id: request.params.id,
        requestId: request.id,
      }),
  );
  app.get(
    '/organizations/:organization_id/germplasms/changes',
    {
      config: member,
      schema: {
        summary: 'Merges and deletions of germplasm, the latest first',
        params: inOrganization,
        querystring: pageQuery,
        response: { 200: page(germplasmChange) },
      },
    },
    async (request) =>
      listGermplasmChanges(services, ofOrganization(requireOrganizationAccess(request)), request.query),
  );
  app.post(
    '/organizations/:organization_id/germplasms/changes/:id/undo',
    {
      config: manager,
      schema: {
        summary: 'Undo a merge or a deletion',
        params: ofOrganizationId,
        response: { 200: z.object({ id: z.uuid().describe('The germplasm that is back.') }) },
      },
    },
    async (request) =>
      undoChange(
        services,
        ofOrganization(requireOrganizationAccess(request)),
        requirePrincipal(request),
        request.params.id,
      ),
  );
}

function registerProjectRoutes(app: App, services: Services, kinds: readonly RunKindDefinition[]): void {
  const { db } = services;
  app.get(
    '/projects/:project_id/germplasms',
    {
      config: joined,
      schema: {
        summary: "Germplasm of a project's crop; for guests, what the project uses",
        params: inProject,
        querystring: listProjectGermplasmsQuery,
        response: { 200: germplasmList },
      },
    },
    async (request) => {
      const { in_project: inThis, ...query } = request.query;
      return listGermplasms(services, await ofProject(db, requireProjectAccess(request), { inProject: inThis }), query);
    },
  );
  app.get(
    '/projects/:project_id/germplasms/export',
    {
      config: { ...joined, ...COSTLY, media: ['text/csv', 'text/tab-separated-values'] },
      exposeHeadRoute: false,
      schema: {
        summary: 'The germplasm list of the project as a table',
        params: inProject,
        querystring: exportProjectGermplasmsQuery,
      },
    },
    async (request, reply) => {
      const { format } = request.query;
      const { scope } = await ofProject(db, requireProjectAccess(request));
      return reply
        .type(EXPORTS[format].type)
        .header('content-disposition', contentDisposition(EXPORTS[format].fileName, false))
        .send(Readable.from(exportGermplasm(db, scope, format)));
    },
  );
  app.post(
    '/projects/:project_id/germplasms/synonyms',
    {
      config: { guard: { project: 'MANAGER' } },
      schema: {
        summary: 'Keep renames of a run as synonyms, for all files of the crop',
        params: inProject,
        body: keepSynonymsBody,
        response: { 200: keptSynonyms },
      },
    },
    async (request) => keepSynonyms(services, requireProjectAccess(request), requirePrincipal(request), request.body),
  );
  app.get(
    '/projects/:project_id/germplasms/:id',
    {
      config: joined,
      schema: { summary: 'One germplasm', params: ofProjectId, response: { 200: germplasmDetail } },
    },
    async (request) => {
      const access = await ofProject(db, requireProjectAccess(request));
      return getGermplasmDetail(services, access, seerInProject(request), request.params.id, kinds);
    },
  );
  app.get(
    '/projects/:project_id/germplasms/:id/values',
    {
      config: { ...joined, ...COSTLY },
      schema: {
        summary: 'Phenotypes and GEBVs of a germplasm in the project',
        params: ofProjectId,
        querystring: germplasmValuesQuery,
        response: { 200: germplasmValues },
      },
    },
    async (request) => {
      const access = await ofProject(db, requireProjectAccess(request));
      return getGermplasmValues(services, access, seerInProject(request), request.params.id, kinds, request.query);
    },
  );
}

/** Managers of an organization see all its projects, others those that they are in. */
const seerOf = (request: FastifyRequest): Seer => ({
  userId: requirePrincipal(request).userId,
  seesAllProjects: isAtLeast(requireOrganizationAccess(request).role, 'MANAGER'),
});

/** Only this project is looked into. */
const seerInProject = (request: FastifyRequest): Seer => ({
  userId: requirePrincipal(request).userId,
  seesAllProjects: true,
});
