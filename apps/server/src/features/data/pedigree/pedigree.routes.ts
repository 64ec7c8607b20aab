import { pathId } from '@heterosis/contracts/common';
import {
  coancestries,
  coancestriesQuery,
  pedigree,
  pedigreeQuery,
  projectPedigreeQuery,
} from '@heterosis/contracts/pedigree';
import * as z from 'zod';
import { requireOrganizationAccess, requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { COSTLY } from '../../../platform/http/costly.ts';
import { ofOrganization, ofProject } from '../germplasm/index.ts';
import { getCoancestries, getPedigree } from './pedigree.service.ts';

const inOrganization = z.object({ organization_id: pathId });
const inProject = z.object({ project_id: pathId });
const member = { guard: { organization: 'MEMBER' } } as const;
const joined = { guard: { project: 'MEMBER' } } as const;

/** Pedigrees of the germplasm of an organization and of a project. */
export const pedigreeRoutes: FeatureRoutes = (app, services) => {
  app.get(
    '/organizations/:organization_id/pedigree',
    {
      config: { ...member, ...COSTLY },
      schema: {
        summary: 'Pedigree of the germplasm of an organization',
        params: inOrganization,
        querystring: pedigreeQuery,
        response: { 200: pedigree },
      },
    },
    async (request) => {
      const { crop_id, around } = request.query;
      const { scope } = ofOrganization(requireOrganizationAccess(request), crop_id);
      return getPedigree(services, { seeds: scope, within: scope, around });
    },
  );
  app.get(
    '/organizations/:organization_id/pedigree/coancestries',
    {
      config: { ...member, ...COSTLY },
      schema: {
        summary: 'Coancestries of germplasm of an organization',
        params: inOrganization,
        querystring: coancestriesQuery,
        response: { 200: coancestries },
      },
    },
    async (request) =>
      getCoancestries(services, ofOrganization(requireOrganizationAccess(request)).scope, request.query.id),
  );
  app.get(
    '/projects/:project_id/pedigrees',
    {
      config: { ...joined, ...COSTLY },
      schema: {
        summary: 'Pedigree of the germplasm that a project uses, with all ancestors',
        params: inProject,
        querystring: projectPedigreeQuery,
        response: { 200: pedigree },
      },
    },
    async (request) => {
      const access = requireProjectAccess(request);
      const { whole_crop, around } = request.query;
      const within = (await ofProject(services.db, access)).scope;
      const seeds = whole_crop === true ? within : (await ofProject(services.db, access, { inProject: true })).scope;
      return getPedigree(services, { seeds, within, around });
    },
  );
  app.get(
    '/projects/:project_id/pedigrees/coancestries',
    {
      config: { ...joined, ...COSTLY },
      schema: {
        summary: 'Coancestries of germplasm that a project may see',
        params: inProject,
        querystring: coancestriesQuery,
        response: { 200: coancestries },
      },
    },
    async (request) =>
      getCoancestries(services, (await ofProject(services.db, requireProjectAccess(request))).scope, request.query.id),
  );
};
