import type { Page } from '@heterosis/contracts/common';
import type { PackageImport } from '@heterosis/contracts/data/data-packages';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { dataPackagesApi } from '@heterosis/contracts/endpoints/operation/data-packages';
import { uuidv7 } from 'uuidv7';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { Download, OrganizationCall, ProjectCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { takeUpload } from '../../data/files/index.ts';
import { beginRun, cancelRuns, ofCancellation } from '../../work/runs/work/index.ts';
import { preparePackage, sendPackage } from './export-package.ts';
import { importPackageJob } from './jobs.ts';
import { organizationPackage } from './organization-package.ts';
import {
  findImport,
  hasOpenImport,
  insertImport,
  listImports,
  listProgress,
  lockEmptyProject,
  lockImport,
  type PackageImportRow,
  updateImport,
} from './package-imports.queries.ts';
import { deleteImported } from './stored-package.ts';

/** `GET /projects/{p}/package`. */
export async function exportProject(
  { services, access: { projectId, organizationId }, principal, requestId }: ProjectCall,
  { query: { licence } }: InputOf<typeof dataPackagesApi.exportProject>,
): Promise<Download> {
  const prepared = await preparePackage(services, projectId, licence);
  await recordAuditEvent(services.db, {
    ...{ action: 'project.exported', actor: principal, organizationId, projectId, requestId },
    ...{ targetType: 'project', targetId: projectId, details: { licence: licence ?? null } },
  });
  return { bytes: sendPackage(prepared), fileName: `${prepared.projectName} (data package).zip` };
}

/** `GET /organizations/{o}/package`. */
export async function exportOrganization(
  { services, access: { organizationId }, principal, requestId }: OrganizationCall,
  { query: { licence } }: InputOf<typeof dataPackagesApi.exportOrganization>,
): Promise<Download> {
  const { name, bytes } = await organizationPackage(services, organizationId, licence);
  await recordAuditEvent(services.db, {
    ...{ action: 'organization.exported', actor: principal, organizationId, requestId },
    ...{ targetType: 'organization', targetId: organizationId, details: { licence: licence ?? null } },
  });
  return { bytes, fileName: `${name} (data packages).zip` };
}

/** `POST /projects/{p}/package_imports`. */
export async function startPackageImport(
  call: ProjectCall,
  { body: { upload_id, name } }: InputOf<typeof dataPackagesApi.startPackageImport>,
): Promise<PackageImport> {
  const { services, access, principal } = call;
  const { projectId } = access;
  const id = uuidv7();
  const key = `projects/${projectId}/package_imports/${id}/package`;
  await takeUpload(call, { uploadId: upload_id, name, key }, async (trx, sizeBytes) => {
    if (!(await lockEmptyProject(trx, projectId)))
      throw new Problem(
        'packages/not-empty',
        'A data package is imported into an empty project, and this one holds something, perhaps in the bin. Create a new project.',
      );
    if (await hasOpenImport(trx, projectId))
      throw new Problem('packages/not-empty', 'A data package is being imported into this project already.');
    await insertImport(trx, {
      ...{ id, project_id: projectId, name, storage_key: key, size_bytes: sizeBytes, created_by: principal.userId },
    });
    await publishEvent(trx, {
      ...{ type: 'package_import', id, project_id: projectId, organization_id: access.organizationId },
    });
    await beginRun(services, trx, importPackageJob, {
      ...{ project_id: projectId, entity_kind: 'package_import', entity_id: id, step: 'import' },
      by: { requested_by: principal.userId },
    });
  });
  return await getPackageImport(call, { id });
}

export async function listPackageImports(
  { services: { db }, access: { projectId } }: ProjectCall,
  { query: { limit, cursor } }: InputOf<typeof dataPackagesApi.listPackageImports>,
): Promise<Page<PackageImport>> {
  const rows = await listImports(db, projectId, { limit, after: decodeIdCursor(cursor)?.[0] });
  const { data, next_cursor } = toPage(rows, limit, ({ id }) => [id]);
  const progress =
    data.length === 0
      ? new Map()
      : await listProgress(
          db,
          projectId,
          data.map(({ id }) => id),
        );
  return { data: data.map((row) => toImport(row, progress)), next_cursor };
}

export async function getPackageImport(
  { services: { db }, access: { projectId } }: ProjectCall,
  { id }: InputOf<typeof dataPackagesApi.getPackageImport>,
): Promise<PackageImport> {
  const row = isUuid(id) ? await findImport(db, projectId, id) : undefined;
  if (row === undefined) throw notFound('This import');
  return toImport(row, await listProgress(db, projectId, [id]));
}

/** `POST /projects/{p}/package_imports/{id}/cancel`. A worker that is at it stops within about a second. */
export async function cancelPackageImport(
  call: ProjectCall,
  { id }: InputOf<typeof dataPackagesApi.cancelPackageImport>,
): Promise<PackageImport> {
  const { services, access, principal } = call;
  const { projectId, organizationId } = access;
  const row = await services.db.transaction().execute(async (trx) => {
    const found = isUuid(id) ? await lockImport(trx, projectId, id) : undefined;
    if (found === undefined) throw notFound('This import');
    if (found.finished_at !== null)
      throw new Problem('runs/not-cancellable', 'This import has ended; there is nothing to cancel.');
    const jobs = await cancelRuns(trx, { entity_kind: 'package_import', entity_id: id });
    await services.jobs.cancel(trx, ...(jobs ?? []));
    await updateImport(trx, projectId, id, {
      ...{ state: 'FAILED', error_extra: ofCancellation(principal.email) },
      ...{ storage_key: null, finished_at: new Date().toISOString() },
    });
    await publishEvent(trx, {
      ...{ type: 'package_import', id, project_id: projectId, organization_id: organizationId },
    });
    return found;
  });
  await deleteImported(services.storage, row);
  return await getPackageImport(call, { id });
}

const toImport = (
  { id, name, state, report, error_extra, created_at, finished_at }: PackageImportRow,
  progress: ReadonlyMap<string, { done: number; total: number }>,
): PackageImport => ({
  ...{ id, name, state, report, error: error_extra, created_at, finished_at },
  progress: finished_at === null ? (progress.get(id) ?? null) : null,
});
