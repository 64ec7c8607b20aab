import { page, pageQuery } from '../../common.ts';
import { packageImport, packageQuery, startPackageImportBody } from '../../data/data-packages.ts';
import { type Endpoints, get, post } from '../../endpoint.ts';

const MANAGER = { project: 'MANAGER' } as const;

/** Everything of a project, or of an organization, as one archive; and the way back into another installation. */
export const dataPackagesApi = {
  exportProject: get('/projects/:project_id/package', MANAGER, {
    summary: 'Everything of a project as one zip archive',
    description:
      'Files, trials with observations, lists, results with their provenance, and decisions, described by an RO-Crate (`ro-crate-metadata.json`), with the SHA-256 of each file in `manifest-sha256.txt`. Another installation imports it. Without what is in the bin, what has not ended, and who the people are.',
    query: packageQuery,
    media: ['application/zip'],
    closedToGuests: true,
    costly: true,
    head: false,
  }),
  exportOrganization: get(
    '/organizations/:organization_id/package',
    { organization: 'OWNER' },
    {
      summary: 'Everything of an organization as one zip archive',
      description: 'A package of each of its projects, as they are exported singly.',
      query: packageQuery,
      media: ['application/zip'],
      costly: true,
      head: false,
    },
  ),
  startPackageImport: post('/projects/:project_id/package_imports', MANAGER, {
    summary: 'Import a data package into an empty project',
    description:
      'The package is an upload of the project. Every checksum is compared, and either everything is imported or nothing.',
    body: startPackageImportBody,
    answer: packageImport,
    status: 201,
    costly: true,
  }),
  listPackageImports: get('/projects/:project_id/package_imports', MANAGER, {
    summary: 'Imports of data packages, newest first',
    query: pageQuery,
    answer: page(packageImport),
  }),
  getPackageImport: get('/projects/:project_id/package_imports/:id', MANAGER, {
    summary: 'One import of a data package',
    answer: packageImport,
  }),
  cancelPackageImport: post('/projects/:project_id/package_imports/:id/cancel', MANAGER, {
    summary: 'Stop an import of a data package; nothing of it stays',
    answer: packageImport,
  }),
} as const satisfies Endpoints;
