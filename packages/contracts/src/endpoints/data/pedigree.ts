import { coancestries, coancestriesQuery, pedigree, pedigreeQuery, projectPedigreeQuery } from '../../data/pedigree.ts';
import { type Endpoints, get, PROJECT_MEMBER } from '../../endpoint.ts';

export const pedigreeApi = {
  getPedigreeOfOrganization: get(
    '/organizations/:organization_id/pedigree',
    { organization: 'MEMBER' },
    {
      summary: 'Pedigree of the germplasm of an organization',
      query: pedigreeQuery,
      answer: pedigree,
      costly: true,
    },
  ),
  getCoancestriesOfOrganization: get(
    '/organizations/:organization_id/pedigree/coancestries',
    { organization: 'MEMBER' },
    {
      summary: 'Coancestries of germplasm of an organization',
      query: coancestriesQuery,
      answer: coancestries,
      costly: true,
    },
  ),
  getPedigreeOfProject: get('/projects/:project_id/pedigrees', PROJECT_MEMBER, {
    summary: 'Pedigree of the germplasm that a project uses, with all ancestors',
    query: projectPedigreeQuery,
    answer: pedigree,
    costly: true,
  }),
  getCoancestriesOfProject: get('/projects/:project_id/pedigrees/coancestries', PROJECT_MEMBER, {
    summary: 'Coancestries of germplasm that a project may see',
    query: coancestriesQuery,
    answer: coancestries,
    costly: true,
  }),
} as const satisfies Endpoints;
