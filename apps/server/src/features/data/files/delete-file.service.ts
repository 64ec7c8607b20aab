import type { FileUsage } from '@heterosis/contracts/data/files';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { lockEntry, requireManager, requireOwn, updateEntryDeleted } from '../../people/projects/index.ts';
import type { RunsOnInput } from '../../work/runs/kind/index.ts';
import { cancelRuns } from '../../work/runs/work/index.ts';
import { findDerivations } from './deriving/derivation.ts';
import type { FileRow } from './files.queries.ts';
import { getFileRow } from './files.service.ts';

/** `consumers` are the kinds of run that take files as inputs. */
export type FileCall = ProjectCall & { consumers: readonly RunsOnInput[] };

/** Moves to the bin. A file that runs use stays unless a manager insists; running ones then end with a clear error. */
export async function deleteFile(
  call: FileCall,
  { file_id: id, query }: InputOf<typeof filesApi.deleteFile>,
): Promise<void> {
  const { access, principal } = call;
  const { db } = call.services;
  const cascade = query.cascade === 'true';
  const { projectId } = access;
  const file = await getFileRow(db, projectId, id);
  requireOwn(access, principal, file.created_by);
  if (cascade) requireManager(access, 'delete a file that runs use');
  await db.transaction().execute(async (trx) => {
    if (!(await lockEntry(trx, 'files', projectId, id))) throw notFound('This file');
    await moveToBin(call, trx, { file, cascade });
  });
}

/** For a file that the transaction has locked. */
export async function moveToBin(
  { services, access: { projectId, organizationId }, principal, requestId, consumers }: FileCall,
  trx: DatabaseTransaction,
  { file: { id, name }, cascade }: { file: FileRow; cascade: boolean },
): Promise<void> {
  const dependants = await listDependants(trx, projectId, id, consumers);
  if (dependants.length > 0 && !cascade) throw inUse(dependants);
  const stopped = (await cancelRuns(trx, { entity_kind: 'file', entity_id: id })) ?? [];
  for (const kind of consumers) stopped.push(...(await kind.endRunsOf(services, trx, projectId, id)));
  if (stopped.length > 0) await services.jobs.cancel(trx, ...stopped);
  await updateEntryDeleted(trx, 'files', projectId, id);
  await recordAuditEvent(trx, {
    action: 'file.deleted',
    actor: principal,
    organizationId,
    projectId,
    targetType: 'file',
    targetId: id,
    details: { name, cascade, dependants },
    requestId,
  });
  await publishEvent(trx, { type: 'file', id, project_id: projectId, organization_id: organizationId });
}

/** `GET …/files/{id}/usage`. */
export async function getFileUsage(
  { services: { db }, access: { projectId }, consumers }: FileCall,
  { file_id: id }: InputOf<typeof filesApi.getFileUsage>,
): Promise<FileUsage> {
  await getFileRow(db, projectId, id);
  return { data: await listDependants(db, projectId, id, consumers) };
}

export async function listDependants(
  db: Queryable,
  projectId: string,
  fileId: string,
  consumers: readonly RunsOnInput[],
): Promise<Dependant[]> {
  const lists: Dependant[] = [];
  for (const kind of consumers) lists.push(...(await kind.listDependants(db, projectId, fileId)));
  return lists;
}

type Dependant = Awaited<ReturnType<RunsOnInput['listDependants']>>[number];

/** Whether an unfinished run reads the file, or another is being made from it. */
export async function isBeingRead(
  db: Queryable,
  projectId: string,
  fileId: string,
  consumers: readonly RunsOnInput[],
): Promise<boolean> {
  for (const kind of consumers) if (await kind.isUnderWay(db, projectId, fileId)) return true;
  return (await findDerivations(db, fileId)).some(({ finished_at }) => finished_at === null);
}

const SHOWN_DEPENDANTS = 3;

export function inUse(dependants: readonly Dependant[]): Problem {
  const shown = dependants
    .slice(0, SHOWN_DEPENDANTS)
    .map(({ kind, name }) => `the ${RUN_KINDS[kind].noun} "${name}"`)
    .join(', ');
  const rest = dependants.length - SHOWN_DEPENDANTS;
  return new Problem(
    'files/in-use',
    `The file is used by ${shown}${rest > 0 ? ` and ${rest} more` : ''}. Delete these first, or ask a manager of the project to delete the file all the same; results stay.`,
    { details: { dependants } },
  );
}
