import { page, pageQuery } from '../../common.ts';
import {
  exportGermplasmsQuery,
  exportProjectGermplasmsQuery,
  germplasm,
  germplasmBack,
  germplasmChange,
  germplasmChanged,
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
} from '../../data/germplasm.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post, put } from '../../endpoint.ts';

const MEMBER = { organization: 'MEMBER' } as const;
const MANAGER = { organization: 'MANAGER' } as const;
const TABLE = { media: ['text/csv', 'text/tab-separated-values'], costly: true, head: false } as const;

/** The list of an organization's crops. Uploads have endpoints of their own. */
export const germplasmOfOrganizationApi = {
  listGermplasms: get('/organizations/:organization_id/germplasms', MEMBER, {
    summary: 'Germplasm of an organization, or of one of its crops',
    query: listGermplasmsQuery,
    answer: germplasmList,
  }),
  exportGermplasms: get('/organizations/:organization_id/germplasms/export', MEMBER, {
    summary: 'The germplasm list as a table',
    query: exportGermplasmsQuery,
    ...TABLE,
  }),
  getGermplasm: get('/organizations/:organization_id/germplasms/:id', MEMBER, {
    summary: 'One germplasm, by its id, name or synonym',
    answer: germplasmDetail,
  }),
  getGermplasmValues: get('/organizations/:organization_id/germplasms/:id/values', MEMBER, {
    summary: 'Phenotypes and GEBVs of a germplasm in the projects that one may see',
    query: germplasmValuesQuery,
    answer: germplasmValues,
    costly: true,
  }),
  changeGermplasm: put('/organizations/:organization_id/germplasms/:id', MANAGER, {
    summary: 'Change a germplasm',
    body: updateGermplasmBody,
    answer: germplasm,
  }),
  mergeGermplasm: post('/organizations/:organization_id/germplasms/:id/merge', MANAGER, {
    summary: 'Merge a germplasm into another; its names become synonyms',
    body: mergeGermplasmBody,
    answer: germplasmChanged,
  }),
  deleteGermplasm: del('/organizations/:organization_id/germplasms/:id', MANAGER, {
    summary: 'Delete a germplasm that is no parent',
    answer: germplasmChanged,
  }),
  listGermplasmChanges: get('/organizations/:organization_id/germplasms/changes', MEMBER, {
    summary: 'Merges and deletions of germplasm, the latest first',
    query: pageQuery,
    answer: page(germplasmChange),
  }),
  undoChange: post('/organizations/:organization_id/germplasms/changes/:id/undo', MANAGER, {
    summary: 'Undo a merge or a deletion',
    answer: germplasmBack,
  }),
} as const satisfies Endpoints;

export const germplasmOfProjectApi = {
  listGermplasms: get('/projects/:project_id/germplasms', PROJECT_MEMBER, {
    summary: "Germplasm of a project's crop; for guests, what the project uses",
    query: listProjectGermplasmsQuery,
    answer: germplasmList,
  }),
  exportGermplasms: get('/projects/:project_id/germplasms/export', PROJECT_MEMBER, {
    summary: 'The germplasm list of the project as a table',
    query: exportProjectGermplasmsQuery,
    ...TABLE,
  }),
  keepSynonyms: post(
    '/projects/:project_id/germplasms/synonyms',
    { project: 'MANAGER' },
    {
      summary: 'Keep renames of a run as synonyms, for all files of the crop',
      body: keepSynonymsBody,
      answer: keptSynonyms,
    },
  ),
  getGermplasm: get('/projects/:project_id/germplasms/:id', PROJECT_MEMBER, {
    summary: 'One germplasm, by its id, name or synonym',
    answer: germplasmDetail,
  }),
  getGermplasmValues: get('/projects/:project_id/germplasms/:id/values', PROJECT_MEMBER, {
    summary: 'Phenotypes and GEBVs of a germplasm in the project',
    query: germplasmValuesQuery,
    answer: germplasmValues,
    costly: true,
  }),
} as const satisfies Endpoints;
