import type { InputOf } from '@heterosis/contracts/endpoint';
import type { programmePlansApi } from '@heterosis/contracts/endpoints/work/programme-plans';
import type { AuditAction } from '@heterosis/contracts/people/audit';
import { schemeAt } from '@heterosis/contracts/work/programmes/programme-optimum';
import {
  dueDates,
  MAX_STEP_LINKS,
  PLAN_STEPS,
  type PlannedStep,
  type PlannedThing,
  type ProgrammePlan,
  plannedSteps,
} from '@heterosis/contracts/work/programmes/programme-plans';
import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { ProjectAccess } from '../../../platform/http/access.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { getProgramme, type ProgrammeRow } from '../programmes/index.ts';
import {
  deleteLink,
  deletePlan,
  findPlan,
  insertLink,
  insertPlan,
  isThingOf,
  listLinks,
  listSteps,
  type PlanRow,
  type StepRow,
  updatePlan as updatePlanRow,
  upsertStep,
} from './programme-plans.queries.ts';

type Input<Name extends keyof typeof programmePlansApi> = InputOf<(typeof programmePlansApi)[Name]>;

export async function getPlan(
  { services: { db }, access: { projectId } }: ProjectCall,
  { id }: Input<'getPlan'>,
): Promise<{ plan: ProgrammePlan | null }> {
  const programme = await getProgramme(db, projectId, id);
  const row = await findPlan(db, { projectId, programmeId: programme.id });
  return { plan: row === undefined ? null : await planOf(db, programme, row) };
}

/** A plan with its programme. @throws Problem `programmes/not-started` */
export async function requirePlan(
  db: Queryable,
  projectId: string,
  id: string,
  isLocked = false,
): Promise<{ programme: ProgrammeRow; row: PlanRow }> {
  const programme = await getProgramme(db, projectId, id);
  const row = await findPlan(db, { projectId, programmeId: programme.id }, isLocked);
  if (row !== undefined) return { programme, row };
  throw new Problem('programmes/not-started', `"${programme.name}" is not started in the field yet. Start it first.`);
}

/** The scheme says what is to be done and when, the rows what was done. */
export async function planOf(db: Queryable, programme: ProgrammeRow, row: PlanRow): Promise<ProgrammePlan> {
  const named = { projectId: programme.project_id, programmeId: programme.id };
  const [said, links] = [await listSteps(db, programme.id), await listLinks(db, named)];
  const steps = plannedSteps(row.scheme, row.founders);
  const saidOf = new Map(said.map((one) => [one.step, one]));
  const dates = new Map(said.flatMap(({ step, due_on }) => (due_on === null ? [] : [[step, due_on] as const])));
  const due = dueDates(steps, row.starts_on, dates);
  const linksOf = Map.groupBy(links, ({ step }) => step);
  return {
    ...{ scheme: row.scheme.name, starts_on: row.starts_on, trait: programme.traits[0] ?? '' },
    cycles: row.scheme.cycles,
    steps: steps.map(({ step, kind, stage, source, cycle, ends, individuals, crosses, plots, cost }) => ({
      ...{ step, kind, source, cycle, year: ends, individuals, crosses, plots, cost },
      stage: stage.name ?? stage.do,
      population: populationOf(stage),
      environments: 'environments' in stage ? stage.environments : null,
      replicates: 'replicates' in stage ? stage.replicates : null,
      due_on: due.get(step) ?? row.starts_on,
      is_own_date: dates.has(step),
      state: saidOf.get(step)?.state ?? 'PLANNED',
      note: saidOf.get(step)?.note ?? '',
      links: (linksOf.get(step) ?? []).map(({ step: _step, ...link }) => link),
    })),
    ...{ started_by: row.started_by, started_at: row.started_at },
  };
}

const populationOf = (stage: PlannedStep['stage']): string =>
  'into' in stage ? stage.into : 'population' in stage ? stage.population : stage.from;

/** `POST …/programmes/{id}/plan`. */
export async function startPlan(call: ProjectCall, { id, body }: Input<'startPlan'>): Promise<ProgrammePlan> {
  const { services, access, principal } = call;
  const { projectId } = access;
  const programme = await getProgramme(services.db, projectId, id);
  const { report } = programme;
  if (report === null)
    throw new Problem(
      'programmes/not-simulated',
      `"${programme.name}" has no results yet. Start it in the field once it is simulated.`,
    );
  const scheme = schemeOf(programme, body.scheme);
  return await services.db.transaction().execute(async (trx) => {
    const isNew = await insertPlan(trx, {
      ...{ projectId, programmeId: programme.id, place: body.scheme, scheme, founders: report.founders },
      ...{ startsOn: body.starts_on, createdBy: principal.userId },
    });
    if (!isNew)
      throw new Problem('programmes/started', `"${programme.name}" is started already. Stop it to start it anew.`);
    await tell(trx, call, programme, {
      action: 'programme.started',
      details: { scheme: scheme.name, starts_on: body.starts_on },
    });
    const { row } = await requirePlan(trx, projectId, id);
    return await planOf(trx, programme, row);
  });
}

/** Of a search that with the best numbers, as it is done in the field. */
function schemeOf({ parameters, report, name }: ProgrammeRow, place: number): ProgrammeScheme {
  const scheme = parameters.schemes[place];
  if (scheme === undefined)
    throw new Problem('request/invalid', `"${name}" has ${parameters.schemes.length} schemes. Nothing was saved.`, {
      invalidParams: [{ name: 'body.scheme', reason: `There are ${parameters.schemes.length}` }],
    });
  const best = report?.optimum?.allocations[0];
  if (parameters.optimise === undefined || best === undefined) return scheme;
  return schemeAt(scheme, parameters.optimise, best.numbers);
}

export async function updatePlan(call: ProjectCall, { id, body }: Input<'updatePlan'>): Promise<ProgrammePlan> {
  return await changed(call, id, async (trx, { programme }) => {
    await updatePlanRow(trx, { projectId: call.access.projectId, programmeId: programme.id }, body.starts_on);
    return { starts_on: body.starts_on };
  });
}

export async function stopPlan(call: ProjectCall, { id }: Input<'stopPlan'>): Promise<void> {
  const { services, access } = call;
  await services.db.transaction().execute(async (trx) => {
    const { programme, row } = await requirePlan(trx, access.projectId, id, true);
    await deletePlan(trx, { projectId: access.projectId, programmeId: programme.id });
    await tell(trx, call, programme, { action: 'programme.stopped', details: { scheme: row.scheme.name } });
  });
}

export async function updateStep(call: ProjectCall, { id, step, body }: Input<'updateStep'>): Promise<ProgrammePlan> {
  return await changed(call, id, async (trx, { programme, row }) => {
    requireStep(row, step);
    const before: StepRow = (await listSteps(trx, programme.id)).find((one) => one.step === step) ?? {
      ...{ step, state: 'PLANNED', due_on: null, note: '' },
    };
    const { state = before.state, due_on = before.due_on, note = before.note } = body;
    await upsertStep(trx, programme.id, { step, state, due_on, note });
    return { step, ...body };
  });
}

export async function linkStep(call: ProjectCall, { id, step, body }: Input<'linkStep'>): Promise<ProgrammePlan> {
  return await changed(call, id, async (trx, its) => {
    await linkWith(trx, call, its, { step, kind: body.kind, itemId: body.id });
    return { step, linked: body.kind, item: body.id };
  });
}

/** Links a thing of the project with a step that may have such things. */
export async function linkWith(
  trx: Queryable,
  { access, principal }: Pick<ProjectCall, 'access' | 'principal'>,
  { programme, row }: { programme: ProgrammeRow; row: PlanRow },
  { step, kind, itemId }: { step: string; kind: PlannedThing; itemId: string },
): Promise<void> {
  const planned = requireStep(row, step);
  const kinds: readonly PlannedThing[] = PLAN_STEPS[planned.kind];
  if (!kinds.includes(kind))
    throw new Problem('request/invalid', `Step ${step} has things of these kinds: ${kinds.join(', ')}.`, {
      invalidParams: [{ name: 'body.kind', reason: `One of ${kinds.join(', ')}` }],
    });
  if (!(await isThingOf(trx, access.projectId, kind, itemId))) throw notFound(`This ${kind.replaceAll('_', ' ')}`);
  const there = await listLinks(trx, { projectId: access.projectId, programmeId: programme.id });
  if (there.filter((one) => one.step === step).length >= MAX_STEP_LINKS)
    throw new Problem('request/conflict', `A step has at most ${MAX_STEP_LINKS} links. Nothing was saved.`);
  await insertLink(trx, { programmeId: programme.id, step, kind, itemId, createdBy: principal.userId });
}

export async function unlinkStep(call: ProjectCall, { id, link_id }: Input<'unlinkStep'>): Promise<void> {
  await changed(call, id, async (trx, { programme }) => {
    const named = { projectId: call.access.projectId, programmeId: programme.id };
    const link = isUuid(link_id) ? (await listLinks(trx, named)).find((one) => one.id === link_id) : undefined;
    if (link === undefined) throw notFound('This link');
    await deleteLink(trx, programme.id, link_id);
    return { step: link.step, unlinked: link.kind, item: link.item_id };
  });
}

/** @throws Problem where the plan has no such step */
export function requireStep(row: PlanRow, step: string): PlannedStep {
  const planned = plannedSteps(row.scheme, row.founders).find((one) => one.step === step);
  if (planned === undefined) throw notFound(`Step ${step}`);
  return planned;
}

/** A change of a plan that is locked meanwhile; `change` returns what the audit trail says of it. */
export async function changed(
  call: ProjectCall,
  id: string,
  change: (
    trx: DatabaseTransaction,
    its: { programme: ProgrammeRow; row: PlanRow },
  ) => Promise<Record<string, unknown>>,
): Promise<ProgrammePlan> {
  const { services, access } = call;
  return await services.db.transaction().execute(async (trx) => {
    const its = await requirePlan(trx, access.projectId, id, true);
    const details = await change(trx, its);
    await tell(trx, call, its.programme, { action: 'programme.plan-changed', details });
    const { row } = await requirePlan(trx, access.projectId, id);
    return await planOf(trx, its.programme, row);
  });
}

/** The audit trail has it, and open pages read the plan again. */
async function tell(
  db: Queryable,
  { access, principal, requestId }: ProjectCall,
  { id, name }: Pick<ProgrammeRow, 'id' | 'name'>,
  { action, details }: { action: AuditAction; details: Record<string, unknown> },
): Promise<void> {
  const { projectId, organizationId }: ProjectAccess = access;
  await recordAuditEvent(db, {
    ...{ action, actor: principal, organizationId, projectId, requestId },
    ...{ targetType: 'programme', targetId: id, details: { name, ...details } },
  });
  await publishEvent(db, { type: 'programme', id, project_id: projectId, organization_id: organizationId });
}
