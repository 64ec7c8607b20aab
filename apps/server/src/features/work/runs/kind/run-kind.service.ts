import type { Page } from '@heterosis/contracts/common';
import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import type { Citation, ReportQuery } from '@heterosis/contracts/work/runs';
import type { RawBuilder } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { recordAuditEvent } from '../../../../platform/audit/audit-events.ts';
import type { DatabaseTransaction, Queryable } from '../../../../platform/database/database.ts';
import { publishEvent } from '../../../../platform/events/events.ts';
import type { Principal, ProjectAccess } from '../../../../platform/http/access.ts';
import type { Services } from '../../../../platform/http/app.ts';
import { decodeIdCursor, toPage } from '../../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../../platform/http/problem.ts';
import { orNameTaken, type TakenName } from '../../../../platform/http/taken-name.ts';
import { isUuid } from '../../../../platform/http/uuid.ts';
import type { Zip } from '../../../../platform/http/zip-download.ts';
import type { JobReference } from '../../../../platform/job-queue/job-queue.ts';
import { requireRunPlace } from '../../../people/organizations/index.ts';
import {
  inOrderOfProject,
  lockEntry,
  requireOwn,
  updateEntry,
  updateEntryDeleted,
} from '../../../people/projects/index.ts';
import type { Audience, Report } from '../report/report.ts';
import { reportOfRun } from '../report/report-run.ts';
import { type Bundle, makeBundle } from '../results/bundle.ts';
import { cite, citedRun } from '../results/citation.ts';
import { beginRun } from '../work/begin-run.ts';
import { eventOf, type WorkReference } from '../work/entity.ts';
import { ofCancellation, ofDeletion } from '../work/error-extra.ts';
import {
  cancelRuns,
  findLatestRuns,
  findOrganizationOf,
  type RunEntity,
  type RunRequestedBy,
} from '../work/runs.queries.ts';
import { announceEnd, tellEnd } from '../work/tell-end.ts';
import {
  failUnfinished,
  findNamedRun,
  hashesOfInputs,
  inputInWords,
  insertNamedRun,
  listNamedRuns,
  type NewNamedRun,
  type RunFilter,
  rolesOf,
} from './run-kind.queries.ts';
import type { NamedRunRow, RunKindDefinition, RunSelection } from './run-kind.ts';

/** A change to a run, and the user who requests it. */
export interface RunRequest {
  access: ProjectAccess;
  principal: Principal;
  id: string;
}

const runEntityOf = ({ kind }: { kind: RunKind }, id: string): RunEntity & { entity_kind: RunKind } => ({
  entity_kind: kind,
  entity_id: id,
});

/** A run of the project; 404 for anything else. */
export async function getNamedRun<Row>(
  selection: RunSelection<Row>,
  db: Queryable,
  projectId: string,
  id: string,
): Promise<Row> {
  const row = isUuid(id) ? await findNamedRun(selection, db, projectId, id) : undefined;
  if (row === undefined) throw notFound(`This ${RUN_KINDS[selection.kind].noun}`);
  return row;
}

export async function readNamedRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  { projectId, id }: { projectId: string; id: string },
  db: Queryable = services.db,
): Promise<Detail> {
  return await detailOf(services, definition, db, await getNamedRun(definition, db, projectId, id));
}

const detailOf = async <Row extends NamedRunRow, Item, Detail>(
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  db: Queryable,
  row: Row,
): Promise<Detail> => await definition.toDetail(services, row, await findLatestRuns(db, definition.kind, [row.id]));

/** A page of the runs of a project, newest first. */
export async function pageOfRuns<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  projectId: string,
  {
    filter,
    conditions,
    limit,
    cursor,
  }: { filter: RunFilter; conditions: readonly RawBuilder<boolean>[]; limit: number; cursor: string | undefined },
): Promise<Page<Item>> {
  const { db } = services;
  const after = decodeIdCursor(cursor);
  const rows = await listNamedRuns(definition, db, projectId, { filter, conditions, limit, after });
  const { data, next_cursor } = toPage(rows, limit, ({ id }) => [id]);
  const ids = data.map(({ id }) => id);
  const latest = Map.groupBy(await findLatestRuns(db, definition.kind, ids), ({ entity_id }) => entity_id);
  return {
    data: await Promise.all(data.map((row) => definition.toItem(services, row, latest.get(row.id) ?? []))),
    next_cursor,
  };
}

export async function bundleNamedRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  projectId: string,
  id: string,
): Promise<Zip> {
  const row = await getNamedRun(definition, services.db, projectId, id);
  const parts = await bundleOf(services, definition, row);
  const bundle = makeBundle({ ...row, kind: definition.kind }, parts);
  if (parts.provenance.finished_at === null) return bundle;
  const { publicUrl } = services.config;
  const cited = citedRun({ ...row, kind: definition.kind }, parts.provenance);
  const { text, bibtex } = await cite(services.db, { publicUrl, projectId }, cited);
  return { ...bundle, files: [...bundle.files, { name: 'citation.txt', content: `${text}\n\n${bibtex}` }] };
}

/** How a run is cited. */
export async function citeNamedRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  projectId: string,
  id: string,
): Promise<Citation> {
  const row = await getNamedRun(definition, services.db, projectId, id);
  const { provenance } = await bundleOf(services, definition, row);
  const { publicUrl } = services.config;
  return await cite(services.db, { publicUrl, projectId }, citedRun({ ...row, kind: definition.kind }, provenance));
}

export async function reportNamedRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  { projectId, id, ...reading }: { projectId: string; id: string; audience: Audience; page: ReportQuery['page'] },
): Promise<Report> {
  const row = await getNamedRun(definition, services.db, projectId, id);
  const bundle = await bundleOf(services, definition, row);
  return await reportOfRun(services, definition, row, { bundle, ...reading });
}

async function bundleOf<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  row: Row,
): Promise<Bundle> {
  const detail = await detailOf(services, definition, services.db, row);
  return { ...definition.toBundle(row, detail), methods: definition.methods(row, detail) };
}

/** Inserts the run, its traits in the order of the project, and enqueues its first step, in one transaction. */
export async function createNamedRun<Kind extends RunKind, Row extends NamedRunRow, Item, Detail>(
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail, Kind>,
  run: NewNamedRun<Kind> & { created_by: string },
  /** What the run needs started with it. */
  before?: (trx: DatabaseTransaction) => Promise<void>,
): Promise<Detail> {
  const { kind } = definition;
  return await orNameTaken(takenName(kind, run.name), () =>
    services.db.transaction().execute(async (trx) => {
      await before?.(trx);
      const traits = await inOrderOfProject(trx, run.project_id, run.traits);
      const id = await insertNamedRun(trx, kind, { ...run, traits });
      const row = await getNamedRun(definition, trx, run.project_id, id);
      await beginStep(services, trx, definition, { row, by: { requested_by: run.created_by } });
      await publishEvent(trx, eventOf(definition, row));
      return await detailOf(services, definition, trx, row);
    }),
  );
}

/** Enqueues the first step of a run. Refused while the organization has all the runs it may have. */
export async function beginStep<Row extends NamedRunRow>(
  services: Pick<Services, 'jobs' | 'config'>,
  trx: DatabaseTransaction,
  definition: Pick<RunKindDefinition<Row>, 'kind' | 'inputs' | 'firstStep'>,
  { row, by }: { row: Row; by: RunRequestedBy },
): Promise<void> {
  const { job, step, seed } = definition.firstStep(row);
  const run = { project_id: row.project_id, ...runEntityOf(definition, row.id) };
  const organizationId = await findOrganizationOf(trx, run);
  await requireRunPlace(trx, services.config.quotas, organizationId);
  await beginRun(services, trx, job, {
    ...run,
    step,
    seed,
    by,
    input_sha256: await hashesOfInputs(trx, definition, row),
  });
}

const takenName = (kind: RunKind, name: string): TakenName => {
  const { path, noun } = RUN_KINDS[kind];
  return {
    index: `${path}_name`,
    detail: `There is a ${noun} "${name}" in this project already. Choose another name.`,
  };
};

/** Changes name or description. */
export async function updateNamedRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  request: RunRequest,
  change: { name?: string | undefined; description?: string | null | undefined },
): Promise<Detail> {
  const { kind } = definition;
  return await orNameTaken(takenName(kind, change.name ?? ''), () =>
    changeOwn(services, definition, request, async (trx, { project_id, id }) => {
      await updateEntry(trx, RUN_KINDS[kind].path, { projectId: project_id, id }, change);
    }),
  );
}

/** Stops what is running or waiting. */
export async function cancelNamedRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  request: RunRequest,
): Promise<Detail> {
  const { kind } = definition;
  return await changeOwn(services, definition, request, async (trx, row) => {
    const running = await cancelRuns(trx, runEntityOf(definition, row.id));
    if (running === undefined)
      throw new Problem('runs/not-cancellable', `This ${RUN_KINDS[kind].noun} has ended; there is nothing to cancel.`);
    await services.jobs.cancel(trx, ...running);
    const error = ofCancellation(request.principal.email);
    // A fine mapping of a GWAS that has ended tells of itself.
    if (!(await failUnfinished(trx, kind, row, error))) return;
    const ending = { ...identityOf(kind, row), key: uuidv7(), results: [], failures: [error.message] };
    await announceEnd(services, trx, { ...ending, isCancelled: true });
  });
}

/** Starts the failed parts again. */
export async function repeatNamedRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  request: RunRequest,
): Promise<Detail> {
  return await changeOwn(services, definition, request, async (trx, row) => {
    await repeat(services, trx, definition, { row, by: { requested_by: request.principal.userId } });
  });
}

/** Begins a failed run again for an operator, in the name of the person who had asked for it. */
export async function repeatRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  trx: DatabaseTransaction,
  definition: RunKindDefinition<Row, Item, Detail>,
  { project_id, id, requested_by }: { project_id: string; id: string; requested_by: string | null },
): Promise<void> {
  const { path, noun } = RUN_KINDS[definition.kind];
  if (!(await lockEntry(trx, path, project_id, id))) throw notFound(`This ${noun}`);
  const row = await getNamedRun(definition, trx, project_id, id);
  await repeat(services, trx, definition, { row, by: { requested_by } });
  await publishEvent(trx, eventOf(definition, row));
}

/** Refused when nothing has failed, and when an input was deleted: the transaction then undoes what was begun. */
async function repeat<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  trx: DatabaseTransaction,
  definition: RunKindDefinition<Row, Item, Detail>,
  { row, by }: { row: Row; by: RunRequestedBy },
): Promise<void> {
  await definition.repeat(services, trx, row, by);
  const gone = goneInput(definition, row);
  if (gone === undefined) return;
  const { noun } = RUN_KINDS[definition.kind];
  throw new Problem('models/input-gone', `${gone} of this ${noun} was deleted. Create a new ${noun} with another one.`);
}

/** The deleted input, as the start of a sentence; undefined if all exist. */
export function goneInput<Row extends NamedRunRow>(
  { inputs, unused }: Pick<RunKindDefinition<Row>, 'inputs' | 'unused'>,
  row: Row,
): string | undefined {
  const without = unused?.(row) ?? [];
  const gone = rolesOf(inputs).find(
    ({ role, isSeveral }) => !without.includes(role) && (isSeveral ? isAnyGone(row, role) : isAbsent(row, role)),
  );
  return gone && `The ${inputInWords(gone.type)}`;
}

const isAbsent = (row: object, role: string): boolean => (row as Record<string, unknown>)[`${role}_id`] === null;
const isAnyGone = (row: object, role: string): boolean => (row as Record<string, unknown>)[`${role}_gone`] === true;

/**
 * One change by a user who may change the run. The lock makes a second change wait and see the result of the first.
 */
async function changeOwn<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  { access, principal, id }: RunRequest,
  change: (trx: DatabaseTransaction, row: Row) => Promise<void>,
): Promise<Detail> {
  const { projectId } = access;
  return await services.db.transaction().execute(async (trx) => {
    const row = await lockOwn(trx, definition, { access, principal, id });
    await change(trx, row);
    await publishEvent(trx, eventOf(definition, row));
    return await readNamedRun(services, definition, { projectId, id }, trx);
  });
}

async function lockOwn<Row extends NamedRunRow>(
  trx: DatabaseTransaction,
  selection: RunSelection<Row>,
  { access, principal, id }: RunRequest,
): Promise<Row> {
  const { path, noun } = RUN_KINDS[selection.kind];
  if (!isUuid(id) || !(await lockEntry(trx, path, access.projectId, id))) throw notFound(`This ${noun}`);
  const row = await getNamedRun(selection, trx, access.projectId, id);
  requireOwn(access, principal, row.created_by);
  return row;
}

/** Moves a run to the bin. `endConsumers` ends the runs that use it and returns their jobs. */
export async function deleteNamedRun<Row extends NamedRunRow>(
  { db, jobs }: Services,
  selection: RunSelection<Row>,
  request: RunRequest & { requestId?: string | undefined },
  endConsumers?: (trx: DatabaseTransaction) => Promise<JobReference[]>,
): Promise<void> {
  const { access, principal, id, requestId } = request;
  const { projectId, organizationId } = access;
  const { kind } = selection;
  await db.transaction().execute(async (trx) => {
    const row = await lockOwn(trx, selection, request);
    const stopped = [
      ...((await cancelRuns(trx, runEntityOf(selection, id))) ?? []),
      ...((await endConsumers?.(trx)) ?? []),
    ];
    if (stopped.length > 0) await jobs.cancel(trx, ...stopped);
    await updateEntryDeleted(trx, RUN_KINDS[kind].path, projectId, id);
    await recordAuditEvent(trx, {
      action: `${kind}.deleted`,
      actor: principal,
      organizationId,
      projectId,
      targetType: kind,
      targetId: id,
      details: { name: row.name },
      requestId,
    });
    await publishEvent(trx, eventOf(selection, row));
  });
}

/** For a run restored from the bin: whatever was stopped when it was deleted ends with an error that says so. */
export async function endAsDeleted(
  trx: DatabaseTransaction,
  kind: RunKind,
  run: Pick<NamedRunRow, 'project_id' | 'id'>,
): Promise<void> {
  await failUnfinished(trx, kind, run, ofDeletion());
}

/** Tells the outcome, in the transaction that ends the run. Nothing is told while another step follows. */
export async function tellEndOfNamedRun<Row extends NamedRunRow>(
  services: Pick<Services, 'config' | 'jobs'>,
  trx: DatabaseTransaction,
  definition: Pick<RunKindDefinition<Row>, 'kind' | 'inputs' | 'select' | 'outcome'>,
  { tenantId, id, runId }: WorkReference,
): Promise<void> {
  const row = await findNamedRun(definition, trx, tenantId, id);
  const ended = row && definition.outcome(row);
  if (row === undefined || ended === undefined) return;
  const { noun } = RUN_KINDS[definition.kind];
  const subject = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
  await tellEnd(services, trx, { ...identityOf(definition.kind, row), runId, subject }, ended);
}

/** As webhooks name it. */
const identityOf = (kind: RunKind, { id, name, project_id, organization_id }: NamedRunRow) => ({
  ...{ kind, id, name, projectId: project_id, organizationId: organization_id },
  path: `/projects/${project_id}/${RUN_KINDS[kind].page}/${id}`,
});
