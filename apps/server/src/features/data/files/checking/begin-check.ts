import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import { publishEvent } from '../../../../platform/events/events.ts';
import type { ProjectAccess } from '../../../../platform/http/access.ts';
import type { Services } from '../../../../platform/http/app.ts';
import { notFound } from '../../../../platform/http/problem.ts';
import { lockEntry } from '../../../people/projects/index.ts';
import { beginRun } from '../../../work/runs/work/index.ts';
import { findFileOfJob, updateFileStatus } from '../files.queries.ts';
import { getFileRow } from '../files.service.ts';
import { checkFileJob } from '../jobs.ts';

type Tenant = Pick<ProjectAccess, 'projectId' | 'organizationId'>;

interface FileToCheck extends Tenant {
  fileId: string;
  requestedBy: string | null;
}

export async function beginCheck(
  services: Services,
  trx: DatabaseTransaction,
  { projectId, organizationId, fileId, requestedBy }: FileToCheck,
): Promise<void> {
  await beginRun(services, trx, checkFileJob, {
    project_id: projectId,
    entity_kind: 'file',
    entity_id: fileId,
    step: 'import',
    by: { requested_by: requestedBy },
  });
  await publishEvent(trx, { type: 'file', id: fileId, project_id: projectId, organization_id: organizationId });
}

/** Restores from the bin and repeats a check that the deletion stopped. */
export async function resumeCheck(services: Services, trx: DatabaseTransaction, file: FileToCheck): Promise<void> {
  const { projectId, fileId } = file;
  const { status } = await getFileRow(trx, projectId, fileId);
  if (status !== 'UPLOADED' && status !== 'CHECKING') return;
  await updateFileStatus(trx, projectId, fileId, { status: 'UPLOADED' });
  await beginCheck(services, trx, file);
}

/** Checks a file again for an operator, in the name of the person who had asked for it. */
export async function repeatCheck(
  services: Services,
  trx: DatabaseTransaction,
  { project_id, id, requested_by }: { project_id: string; id: string; requested_by: string | null },
): Promise<void> {
  const file = (await lockEntry(trx, 'files', project_id, id)) ? await findFileOfJob(trx, project_id, id) : undefined;
  if (file === undefined) throw notFound('This file');
  const { organization_id: organizationId } = file;
  await updateFileStatus(trx, project_id, id, { status: 'UPLOADED' });
  await beginCheck(services, trx, {
    projectId: project_id,
    organizationId,
    fileId: id,
    requestedBy: requested_by,
  });
}
