import type { Page, Reference } from '@heterosis/contracts/common';
import { recordAuditEvent } from '../../platform/audit/audit-events.ts';
import type { DatabaseTransaction, Queryable } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/events.ts';
import type { Principal, ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { toPage } from '../../platform/http/pagination.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { orNameTaken, type TakenName } from '../../platform/http/taken-name.ts';
import { isUuid } from '../../platform/http/uuid.ts';
import type { JobReference } from '../../platform/job-queue/job-queue.ts';
import { lockEntry, requireOwn, updateEntry, updateEntryDeleted } from '../projects/index.ts';
import type { Bundle } from './bundle.ts';
import { type ErrorExtra, inputGone, ofCancellation, ofDeletion } from './error-extra.ts';
import type { NamedRunRow, NamedRuns } from './named-run.ts';
import { mailEndOfRun } from './run-mail.ts';
import { cancelRuns, failRun, failRuns, findLatestRuns, listNamedRunsUsing } from './runs.queries.ts';

/** Who asks to change which run. */
export interface RunRequest {
  access: ProjectAccess;
  principal: Principal;
  id: string;
}

/** How the event stream names a run. */
export const runEvent = <Row extends NamedRunRow>({ kind }: NamedRuns<Row>, { id, project_id, organization_id }: Row) =>
  ({ type: kind, id, project_id, organization_id }) as const;

/** A run of the project; 404 for anything else. */
export async function getNamedRun<Row extends NamedRunRow>(
  { find, noun }: Pick<NamedRuns<Row>, 'find' | 'noun'>,
  db: Queryable,
  projectId: string,
  id: string,
): Promise<Row> {
  const row = isUuid(id) ? await find(db, projectId, id) : undefined;
  if (row === undefined) throw notFound(`This ${noun}`);
  return row;
}

export async function readNamedRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  runs: NamedRuns<Row, Item, Detail>,
  projectId: string,
  id: string,
  db: Queryable = services.db,
): Promise<Detail> {
  return await detailOf(services, runs, db, await getNamedRun(runs, db, projectId, id));
}

const detailOf = async <Row extends NamedRunRow, Item, Detail>(
  services: Services,
  runs: NamedRuns<Row, Item, Detail>,
  db: Queryable,
  row: Row,
): Promise<Detail> => await runs.toDetail(services, row, await findLatestRuns(db, runs.owner, [row.id]));

/** A page of a list; `rows` are one more than `limit` when there is a next one. */
export async function pageOfRuns<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  runs: NamedRuns<Row, Item, Detail>,
  rows: Row[],
  limit: number,
): Promise<Page<Item>> {
  const { data, next_cursor } = toPage(rows, limit, ({ id }) => [id]);
  const ids = data.map(({ id }) => id);
  const latest = Map.groupBy(await findLatestRuns(services.db, runs.owner, ids), ({ owner_id }) => owner_id);
  return {
    data: await Promise.all(data.map((row) => runs.toItem(services, row, latest.get(row.id) ?? []))),
    next_cursor,
  };
}

export async function bundleNamedRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  runs: NamedRuns<Row, Item, Detail>,
  projectId: string,
  id: string,
): Promise<Bundle> {
  const row = await getNamedRun(runs, services.db, projectId, id);
  return runs.toBundle(row, await detailOf(services, runs, services.db, row));
}

/** `insert` makes the row, its run and its job, and returns the id; all of it is one transaction. */
export async function createNamedRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  runs: NamedRuns<Row, Item, Detail>,
  { projectId, name }: { projectId: string; name: string },
  insert: (trx: DatabaseTransaction) => Promise<string>,
): Promise<Detail> {
  return await orNameTaken(takenName(runs, name), () =>
    services.db.transaction().execute(async (trx) => {
      const row = await getNamedRun(runs, trx, projectId, await insert(trx));
      await publishEvent(trx, runEvent(runs, row));
      return await detailOf(services, runs, trx, row);
    }),
  );
}

const takenName = ({ table, noun }: Pick<NamedRuns, 'table' | 'noun'>, name: string): TakenName => ({
  index: `${table}_name`,
  detail: `There is a ${noun} "${name}" in this project already. Choose another name.`,
});

/** Renames or describes. */
export async function updateNamedRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  runs: NamedRuns<Row, Item, Detail>,
  request: RunRequest,
  change: { name?: string | undefined; description?: string | null | undefined },
): Promise<Detail> {
  return await orNameTaken(takenName(runs, change.name ?? ''), () =>
    changeOwn(services, runs, request, async (trx, { project_id, id }) => {
      await updateEntry(trx, runs.table, project_id, id, change);
    }),
  );
}

/** Stops what is under way. */
export async function cancelNamedRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  runs: NamedRuns<Row, Item, Detail>,
  request: RunRequest,
): Promise<Detail> {
  return await changeOwn(services, runs, request, async (trx, row) => {
    const running = await cancelRuns(trx, runs.owner, row.id);
    if (running === undefined)
      throw new Problem('runs/not-cancellable', `This ${runs.noun} has ended; there is nothing to cancel.`);
    await services.jobs.cancel(trx, ...running);
    await runs.failUnfinished(trx, row, ofCancellation(request.principal.email));
  });
}

/** Starts again what has failed. */
export async function retryNamedRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  runs: NamedRuns<Row, Item, Detail>,
  request: RunRequest,
): Promise<Detail> {
  return await changeOwn(services, runs, request, (trx, row) =>
    runs.restart(services, trx, row, { requestedBy: request.principal.userId }),
  );
}

/** One change by whoever may change the run; a second one waits until it is done and sees what it did. */
async function changeOwn<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  runs: NamedRuns<Row, Item, Detail>,
  { access, principal, id }: RunRequest,
  change: (trx: DatabaseTransaction, row: Row) => Promise<void>,
): Promise<Detail> {
  const { projectId } = access;
  return await services.db.transaction().execute(async (trx) => {
    const row = await lockOwn(trx, runs, { access, principal, id });
    await change(trx, row);
    await publishEvent(trx, runEvent(runs, row));
    return await readNamedRun(services, runs, projectId, id, trx);
  });
}

async function lockOwn<Row extends NamedRunRow>(
  trx: DatabaseTransaction,
  runs: NamedRuns<Row>,
  { access, principal, id }: RunRequest,
): Promise<Row> {
  if (!isUuid(id) || !(await lockEntry(trx, runs.table, access.projectId, id))) throw notFound(`This ${runs.noun}`);
  const row = await getNamedRun(runs, trx, access.projectId, id);
  requireOwn(access, principal, row.created_by);
  return row;
}

/** Into the bin. `endUsers` ends what rests on the run and returns the jobs of that. */
export async function deleteNamedRun<Row extends NamedRunRow>(
  { db, jobs }: Services,
  runs: NamedRuns<Row>,
  request: RunRequest & { requestId: string },
  endUsers?: (trx: DatabaseTransaction) => Promise<JobReference[]>,
): Promise<void> {
  const { access, principal, id, requestId } = request;
  const { projectId, organizationId } = access;
  await db.transaction().execute(async (trx) => {
    const row = await lockOwn(trx, runs, request);
    const stopped = [...((await cancelRuns(trx, runs.owner, id)) ?? []), ...((await endUsers?.(trx)) ?? [])];
    if (stopped.length > 0) await jobs.cancel(trx, ...stopped);
    await updateEntryDeleted(trx, runs.table, projectId, id);
    await recordAuditEvent(trx, {
      action: `${runs.kind}.deleted`,
      actor: principal,
      organizationId,
      projectId,
      targetType: runs.kind,
      targetId: id,
      details: { name: row.name },
      requestId,
    });
    await publishEvent(trx, runEvent(runs, row));
  });
}

/** Out of the bin: what had not ended when it was put there was stopped, and says so. */
export async function endAsDeleted<Row extends NamedRunRow>(
  trx: DatabaseTransaction,
  runs: NamedRuns<Row>,
  projectId: string,
  id: string,
): Promise<void> {
  const row = await getNamedRun(runs, trx, projectId, id);
  if (runs.outcome(row) === undefined) await runs.failUnfinished(trx, row, ofDeletion());
}

/** Tells who asked for a run how it ended, if that person wants to know; in the transaction that ends it. */
export async function mailEndOfNamedRun<Row extends NamedRunRow>(
  services: Pick<Services, 'config' | 'jobs'>,
  trx: DatabaseTransaction,
  { find, outcome, noun, page }: NamedRuns<Row>,
  { projectId, id, runId }: { projectId: string; id: string; runId: string },
): Promise<void> {
  await mailEndOfRun(services, trx, runId, async () => {
    const row = await find(trx, projectId, id);
    const ended = row && outcome(row);
    const kind = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
    return ended && { ...ended, kind, name: row.name, path: `/projects/${projectId}/${page}/${id}` };
  });
}

/** Ends a run badly, and with it whatever waits for its result. False when it had ended already. */
export async function failNamedRun<Row extends NamedRunRow>(
  services: Pick<Services, 'db' | 'config' | 'jobs'>,
  runs: NamedRuns<Row>,
  { projectId, id, runId }: { projectId: string; id: string; runId: string },
  error: ErrorExtra,
): Promise<boolean> {
  return await services.db.transaction().execute(async (trx) => {
    const row = await runs.find(trx, projectId, id);
    if (!(await failRun(trx, runId, error))) return false;
    // In the bin: there is nobody to tell.
    if (row === undefined) return true;
    await runs.failUnfinished(trx, row, error);
    await mailEndOfNamedRun(services, trx, runs, { projectId, id, runId });
    await publishEvent(trx, runEvent(runs, row));
    return true;
  });
}

/** What named runs say to the feature whose rows they take as an input. */
export interface RunsOnInput {
  listDependants(
    db: Queryable,
    projectId: string,
    inputId: string,
  ): Promise<(Reference & { kind: NamedRuns['kind'] })[]>;
  endRunsOf(services: Services, trx: DatabaseTransaction, projectId: string, inputId: string): Promise<JobReference[]>;
}

/** `columns` name the input, `what` begins the sentence that says it was deleted. */
export function runsOnInput<Row extends NamedRunRow>(
  runs: NamedRuns<Row>,
  columns: readonly ('genotype_id' | 'phenotype_id' | 'crossing_table_id' | 'linkage_map_id' | 'model_id')[],
  what?: string,
): RunsOnInput {
  const listUsing = (db: Queryable, projectId: string, inputId: string) =>
    listNamedRunsUsing(db, runs.table, columns, { projectId, inputId });
  return {
    async listDependants(db, projectId, inputId) {
      const using = await listUsing(db, projectId, inputId);
      return using.map((one) => ({ ...one, kind: runs.kind }));
    },
    async endRunsOf(services, trx, projectId, inputId) {
      const stopped: JobReference[] = [];
      for (const { id } of await listUsing(trx, projectId, inputId)) {
        const ended = await failRuns(trx, runs.owner, id, inputGone(what));
        if (ended.length === 0) continue;
        const row = await getNamedRun(runs, trx, projectId, id);
        await runs.failUnfinished(trx, row, inputGone(what));
        for (const run of ended) await mailEndOfNamedRun(services, trx, runs, { projectId, id, runId: run.id });
        await publishEvent(trx, runEvent(runs, row));
        stopped.push(...ended.flatMap(({ jobs }) => jobs));
      }
      return stopped;
    },
  };
}
