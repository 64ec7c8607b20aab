import type { DerivationStep, FileDetail } from '@heterosis/contracts/data/files';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import { publishEvent } from '../../../../platform/events/events.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { ProjectCall } from '../../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../../platform/http/problem.ts';
import type { JobDefinition } from '../../../../platform/job-queue/job.ts';
import { requireStorage } from '../../../people/organizations/index.ts';
import { lockEntry, requireOwn } from '../../../people/projects/index.ts';
import { beginRun, cancelRuns } from '../../../work/runs/work/index.ts';
import type { FileRow } from '../files.queries.ts';
import { getFile, getFileRow } from '../files.service.ts';
import type { DerivationPayload } from '../jobs.ts';
import { type DerivationParameters, findDerivations } from './derivation.ts';

export interface DerivationRequest {
  job: JobDefinition<DerivationPayload>;
  step: DerivationStep;
  seed?: number;
  parameters: DerivationParameters;
  /** Further inputs by their role. */
  inputs?: Readonly<Record<string, FileRow>>;
  /** About how large the new file becomes. */
  sizeBytes: number;
}

/** Starts the job that makes a new file from `source`; returns the source, which says how it goes. */
export async function startDerivation(
  { services, access, principal }: ProjectCall,
  source: FileRow,
  request: DerivationRequest,
): Promise<FileDetail> {
  const { organizationId } = access;
  await services.db.transaction().execute(async (trx) => {
    const by = { organizationId, requestedBy: principal.userId };
    if (!(await beginDerivation(services, trx, source, { ...request, ...by })))
      throw new Problem(
        'files/derivation-under-way',
        'Such a file is being made from this one already. Wait until that has ended, or cancel it.',
      );
  });
  return await getFile({ services, access }, { file_id: source.id });
}

/** The same within a transaction; false if one of the same step is under way. */
export async function beginDerivation(
  services: Pick<Services, 'jobs' | 'config'>,
  trx: DatabaseTransaction,
  source: FileRow,
  {
    job,
    step,
    seed,
    parameters,
    inputs = {},
    sizeBytes,
    organizationId,
    requestedBy,
  }: DerivationRequest & { organizationId: string; requestedBy: string | null },
): Promise<boolean> {
  const { id, project_id } = source;
  if (!(await lockEntry(trx, 'files', project_id, id))) throw notFound('This file');
  const before = (await findDerivations(trx, id)).find((run) => run.step === step);
  if (before !== undefined && before.finished_at === null) return false;
  await requireStorage(trx, services.config.quotas, organizationId, sizeBytes);
  await beginRun(services, trx, job, {
    project_id,
    entity_kind: 'file',
    entity_id: id,
    step,
    ...(seed === undefined ? {} : { seed }),
    parameters,
    by: { requested_by: requestedBy },
    input_sha256: hashesOf({ source, ...inputs }),
  });
  await publishEvent(trx, { type: 'file', id, project_id, organization_id: organizationId });
  return true;
}

/** Role → SHA-256 of the original, for the provenance. */
const hashesOf = (inputs: Readonly<Record<string, FileRow>>): Record<string, string> =>
  Object.fromEntries(Object.entries(inputs).flatMap(([role, { sha256 }]) => (sha256 === null ? [] : [[role, sha256]])));

/** Cancels what is being made from a file. */
export async function cancelDerivation(
  { services, access, principal }: ProjectCall,
  id: string,
  step: DerivationStep,
): Promise<FileDetail> {
  const { db, jobs } = services;
  const { projectId, organizationId } = access;
  const file = await getFileRow(db, projectId, id);
  await db.transaction().execute(async (trx) => {
    if (!(await lockEntry(trx, 'files', projectId, id))) throw notFound('This file');
    const run = (await findDerivations(trx, id)).find((one) => one.step === step);
    if (run === undefined || run.finished_at !== null)
      throw new Problem('runs/not-cancellable', 'No file is being made from this one; there is nothing to cancel.');
    if (run.requested_by !== principal.userId) requireOwn(access, principal, file.created_by);
    const stopped = await cancelRuns(trx, { entity_kind: 'file', entity_id: id }, step);
    await jobs.cancel(trx, ...(stopped ?? []));
    await publishEvent(trx, { type: 'file', id, project_id: projectId, organization_id: organizationId });
  });
  return await getFile({ services, access }, { file_id: id });
}
