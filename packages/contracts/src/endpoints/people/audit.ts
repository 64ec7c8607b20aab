import { page } from '../../common.ts';
import { type Endpoints, get } from '../../endpoint.ts';
import { auditEntry, auditFilter, auditQuery } from '../../people/audit.ts';

const MANAGER = { organization: 'MANAGER' } as const;
const PROJECT_MANAGER = { project: 'MANAGER' } as const;

const listOf = (where: string) => ({
  summary: `Who did what in ${where}`,
  description: 'Newest first. Sign-ins and tokens are those of its members.',
  query: auditQuery,
  answer: page(auditEntry),
});

const csvOf = (where: string) =>
  ({ summary: `Who did what in ${where}, as CSV`, query: auditFilter, media: ['text/csv'] }) as const;

/** Who did what and when, for the managers of an organization or of a project, and for operators. */
export const auditApi = {
  listOfOrganization: get('/organizations/:organization_id/audit', MANAGER, listOf('an organization')),
  csvOfOrganization: get('/organizations/:organization_id/audit.csv', MANAGER, csvOf('an organization')),
  listOfProject: get('/projects/:project_id/audit', PROJECT_MANAGER, listOf('a project')),
  csvOfProject: get('/projects/:project_id/audit.csv', PROJECT_MANAGER, csvOf('a project')),
  listOfInstallation: get('/operator/audit', 'operator', listOf('the installation')),
  csvOfInstallation: get('/operator/audit.csv', 'operator', csvOf('the installation')),
} as const satisfies Endpoints;
