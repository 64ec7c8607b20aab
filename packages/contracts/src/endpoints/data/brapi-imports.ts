import { page } from '../../common.ts';
import {
  brapiImport,
  brapiOffer,
  listImportsQuery,
  lookBody,
  resumeImportBody,
  startImportBody,
} from '../../data/brapi-import.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post } from '../../endpoint.ts';

/** Taking data from other BrAPI servers into a project. */
export const brapiImportsApi = {
  look: post('/projects/:project_id/brapi_imports/look', PROJECT_MEMBER, {
    summary: 'What another BrAPI server offers',
    body: lookBody,
    answer: brapiOffer,
    costly: true,
  }),
  startImport: post('/projects/:project_id/brapi_imports', PROJECT_MEMBER, {
    summary: 'Import from another BrAPI server',
    description: 'The token is kept, sealed, until the import has ended.',
    body: startImportBody,
    answer: brapiImport,
    status: 201,
    costly: true,
  }),
  listProjectImports: get('/projects/:project_id/brapi_imports', PROJECT_MEMBER, {
    summary: 'Imports from other BrAPI servers, newest first',
    query: listImportsQuery,
    answer: page(brapiImport),
  }),
  getImport: get('/projects/:project_id/brapi_imports/:id', PROJECT_MEMBER, {
    summary: 'One import',
    answer: brapiImport,
  }),
  resumeImport: post('/projects/:project_id/brapi_imports/:id/resume', PROJECT_MEMBER, {
    summary: 'Take up an import that has stopped; what has arrived stays',
    body: resumeImportBody,
    answer: brapiImport,
    costly: true,
  }),
  cancelImport: del('/projects/:project_id/brapi_imports/:id', PROJECT_MEMBER, {
    summary: 'Stop an import; what has arrived stays',
    answer: brapiImport,
  }),
} as const satisfies Endpoints;
