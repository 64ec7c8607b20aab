import { withoutEndings } from '@heterosis/contracts/file-formats';
import type { FileDetail, phaseFileBody } from '@heterosis/contracts/files';
import type * as z from 'zod';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/events.ts';
import type { Principal, ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { requireStorage } from '../organizations/index.ts';
import { lockEntry, requireOwn } from '../projects/index.ts';
import { cancelRuns, startRun } from '../runs/index.ts';
import { requireReadyFile } from './file-content.service.ts';
import type { FileRow } from './files.queries.ts';
import { getFile, getFileRow } from './files.service.ts';
import { phaseFileJob } from './phase-file.job.ts';
import { findPhasing, type PhasingParameters } from './phasing.ts';

/** `POST …/files/{id}/phasing`. */
export async function phaseFile(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  id: string,
  body: z.output<typeof phaseFileBody>,
): Promise<FileDetail> {
  const { db } = services;
  const { projectId, organizationId } = access;
  const genotype = await requireReadyFile(db, projectId, id, 'GENOTYPE');
  const map =
    body.linkage_map_id == null ? null : await requireReadyFile(db, projectId, body.linkage_map_id, 'LINKAGE_MAP');
  await db.transaction().execute(async (trx) => {
    const isStarted = await startPhasing(services, trx, genotype, {
      name: body.name,
      map,
      seed: body.seed,
      organizationId,
      requestedBy: principal.userId,
    });
    if (!isStarted)
      throw new Problem('files/phasing-under-way', 'This file is being phased already. Wait until that has ended.');
  });
  return await getFile(services, access, id);
}

export interface NewPhasing {
  name: string | undefined;
  map: FileRow | null;
  seed: number;
  organizationId: string;
  /** Null when no user requested it. */
  requestedBy: string | null;
}

/** Starts the phasing of a genotype; false if one is under way. */
export async function startPhasing(
  services: Pick<Services, 'jobs' | 'config'>,
  trx: DatabaseTransaction,
  genotype: FileRow,
  { name, map, seed, organizationId, requestedBy }: NewPhasing,
): Promise<boolean> {
  const { id, project_id } = genotype;
  if (!(await lockEntry(trx, 'files', project_id, id))) throw notFound('This file');
  const before = await findPhasing(trx, id);
  if (before !== undefined && before.finished_at === null) return false;
  // The phased file has about the size of the original.
  await requireStorage(trx, services.config.quotas, organizationId, genotype.size_bytes);
  const parameters: PhasingParameters = {
    name: name ?? phasedName(genotype.name),
    linkage_map_id: map?.id ?? null,
  };
  await startRun(services, trx, phaseFileJob, {
    project_id,
    entity_kind: 'file',
    entity_id: id,
    step: 'phase',
    seed,
    parameters,
    requested_by: requestedBy,
    input_sha256: hashesOf({ genotype, ...(map === null ? {} : { linkage_map: map }) }),
  });
  await publishEvent(trx, { type: 'file', id, project_id, organization_id: organizationId });
  return true;
}

/** `panel.hmp.txt` becomes `panel_phased.vcf.gz`. */
const phasedName = (name: string): string => `${withoutEndings(name).slice(0, 240) || 'genotypes'}_phased.vcf.gz`;

/** Role → SHA-256 of the original, for the provenance. */
const hashesOf = (inputs: Readonly<Record<string, FileRow>>): Record<string, string> =>
  Object.fromEntries(Object.entries(inputs).flatMap(([role, { sha256 }]) => (sha256 === null ? [] : [[role, sha256]])));

/** `DELETE …/files/{id}/phasing`: cancels a running phasing. */
export async function cancelPhasing(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  id: string,
): Promise<FileDetail> {
  const { db, jobs } = services;
  const { projectId, organizationId } = access;
  const file = await getFileRow(db, projectId, id);
  await db.transaction().execute(async (trx) => {
    if (!(await lockEntry(trx, 'files', projectId, id))) throw notFound('This file');
    const run = await findPhasing(trx, id);
    if (run === undefined || run.finished_at !== null)
      throw new Problem('runs/not-cancellable', 'This file is not being phased; there is nothing to cancel.');
    if (run.requested_by !== principal.userId) requireOwn(access, principal, file.created_by);
    const stopped = await cancelRuns(trx, { entity_kind: 'file', entity_id: id }, 'phase');
    await jobs.cancel(trx, ...(stopped ?? []));
    await publishEvent(trx, { type: 'file', id, project_id: projectId, organization_id: organizationId });
  });
  return await getFile(services, access, id);
}
