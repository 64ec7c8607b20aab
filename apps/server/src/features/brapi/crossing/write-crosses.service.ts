import { uuidv7 } from 'uuidv7';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import type { ProjectRow } from '../../people/projects/index.ts';
import { requireWriting } from '../collecting/write-access.ts';
import type { CollectingServices } from '../collecting/write-collection.ts';
import { crossesPlannedJob, SILENCE_SECONDS } from '../jobs.ts';
import { type BrapiScope, projectToWrite } from '../scope.ts';
import type { NewCross, NewCrossingProject, NewPlannedCross } from './crossing-bodies.ts';
import { settleParents } from './settle-parents.ts';
import {
  listWrittenCrosses,
  listWrittenPlans,
  listWrittenProjects,
  raiseCrossingRevision,
  saveWrittenCross,
  saveWrittenPlan,
  saveWrittenProject,
  type WrittenCross,
  type WrittenPlan,
  type WrittenProject,
} from './written-crosses.queries.ts';

/** One entry of a request: null adds it, an id changes that one. */
export interface Entry<Body> {
  id: string | null;
  where: string;
  body: Body;
}

/** Crossing projects, all or none; returns their ids. */
export async function writeCrossingProjects(
  services: CollectingServices,
  scope: BrapiScope,
  entries: readonly Entry<NewCrossingProject>[],
): Promise<string[]> {
  const known = await writtenProjects(scope);
  const written = entries.map(({ id, where, body }): WrittenProject => {
    const before = id === null ? undefined : known.get(id);
    if (id !== null && before === undefined) throw isFile(where);
    return {
      id: before?.id ?? uuidv7(),
      project_id: before?.project_id ?? placeOf(scope, body, where).id,
      name: body.crossingProjectName,
      description: body.crossingProjectDescription ?? null,
      additional_info: body.additionalInfo,
      external_references: body.externalReferences,
    };
  });
  return save(services, scope, written, {
    projectIdOf: ({ project_id }) => project_id,
    saveRow: saveWrittenProject,
  });
}

/** Planned crosses, all or none. Some seconds later a crossing table of the project is made of them. */
export async function writePlannedCrosses(
  services: CollectingServices,
  scope: BrapiScope,
  entries: readonly Entry<NewPlannedCross>[],
): Promise<string[]> {
  const known = await writtenProjects(scope);
  const plans = new Map((await listWrittenPlans(scope.db, [...known.keys()])).map((plan) => [plan.id, plan]));
  const written: WrittenPlan[] = [];
  for (const { id, where, body } of entries) {
    const before = id === null ? undefined : plans.get(id);
    if (id !== null && before === undefined) throw isFile(where);
    const crossing = known.get(before?.crossing_project_id ?? body.crossingProjectDbId ?? '');
    if (crossing === undefined) throw isFile(where);
    const parents = (await settleParents(scope, projectOf(scope, crossing.project_id), body, where)) ?? before;
    if (parents === undefined) throw noParents(where);
    const { female, male } = parents;
    written.push({
      ...{ id: before?.id ?? uuidv7(), crossing_project_id: crossing.id, female, male },
      name: body.plannedCrossName ?? before?.name ?? `${female}_X_${male ?? ''}`,
      cross_type: body.crossType ?? before?.cross_type ?? (female === male ? 'SELF' : 'BIPARENTAL'),
      status: body.status ?? before?.status ?? 'TODO',
      additional_info: body.additionalInfo,
      external_references: body.externalReferences,
    });
  }
  const projectIdOf = (plan: WrittenPlan): string => known.get(plan.crossing_project_id)?.project_id ?? '';
  const announcePlans = async (trx: DatabaseTransaction): Promise<void> => {
    for (const crossingProjectId of new Set(written.map((plan) => plan.crossing_project_id))) {
      const projectId = known.get(crossingProjectId)?.project_id ?? '';
      const { userId } = scope.principal;
      await raiseCrossingRevision(trx, crossingProjectId, userId);
      await services.jobs.enqueue(
        trx,
        crossesPlannedJob,
        { project_id: projectId, crossing_project_id: crossingProjectId },
        {
          organizationId: projectOf(scope, projectId).organization_id,
          personId: userId,
          delaySeconds: SILENCE_SECONDS,
        },
      );
    }
  };
  return save(services, scope, written, { projectIdOf, saveRow: saveWrittenPlan, andThen: announcePlans });
}

/** Crosses that were made, all or none, of a crossing project or a crossing table. */
export async function writeCrosses(
  services: CollectingServices,
  scope: BrapiScope,
  entries: readonly Entry<NewCross>[],
): Promise<string[]> {
  const known = await writtenProjects(scope);
  const projectIds = scope.projects.map(({ id }) => id);
  const crosses = new Map((await listWrittenCrosses(scope.db, projectIds)).map((cross) => [cross.id, cross]));
  const plans = new Map((await listWrittenPlans(scope.db, [...known.keys()])).map((plan) => [plan.id, plan]));
  const tables = new Map(
    (await scope.listFiles())
      .filter(({ file_type }) => file_type === 'CROSSING_TABLE')
      .map((file) => [file.id, file.project_id]),
  );
  const written: WrittenCross[] = [];
  for (const { id, where, body } of entries) {
    const before = id === null ? undefined : crosses.get(id);
    if (id !== null && before === undefined) throw notFound('This cross');
    const plan = plans.get(body.plannedCrossDbId ?? '');
    const crossingId = body.crossingProjectDbId ?? plan?.crossing_project_id ?? before?.crossing_project ?? '';
    const projectId = known.get(crossingId)?.project_id ?? tables.get(crossingId);
    if (projectId === undefined || (before !== undefined && before.project_id !== projectId))
      throw new Problem(
        'request/invalid',
        `${where}: there is no crossing project "${crossingId}". Send POST /crossingprojects first. Nothing was saved.`,
      );
    const parents = (await settleParents(scope, projectOf(scope, projectId), body, where)) ?? before ?? plan;
    if (parents === undefined) throw noParents(where);
    const { female, male } = parents;
    written.push({
      ...{ id: before?.id ?? uuidv7(), project_id: projectId, crossing_project: crossingId, female, male },
      planned_cross: body.plannedCrossDbId ?? before?.planned_cross ?? null,
      name: body.crossName ?? before?.name ?? `${female}_X_${male ?? ''}`,
      cross_type: body.crossType ?? before?.cross_type ?? plan?.cross_type ?? 'BIPARENTAL',
      pollination_events: body.pollinationEvents ?? before?.pollination_events ?? [],
      cross_attributes: body.crossAttributes ?? before?.cross_attributes ?? [],
      additional_info: body.additionalInfo,
      external_references: body.externalReferences,
    });
  }
  return save(services, scope, written, { projectIdOf: ({ project_id }) => project_id, saveRow: saveWrittenCross });
}

interface HowToSave<Row> {
  projectIdOf: (row: Row) => string;
  saveRow: (trx: DatabaseTransaction, row: Row) => Promise<void>;
  /** In the same transaction. */
  andThen?: (trx: DatabaseTransaction) => Promise<void>;
}

async function save<Row extends { id: string }>(
  services: CollectingServices,
  scope: BrapiScope,
  rows: readonly Row[],
  { projectIdOf, saveRow, andThen }: HowToSave<Row>,
): Promise<string[]> {
  for (const projectId of new Set(rows.map(projectIdOf))) await requireWriting(services, scope.principal, projectId);
  await services.db.transaction().execute(async (trx) => {
    for (const row of rows) await saveRow(trx, row);
    await andThen?.(trx);
  });
  return rows.map(({ id }) => id);
}

const writtenProjects = async ({ db, projects }: BrapiScope): Promise<Map<string, WrittenProject>> => {
  const ids = projects.map(({ id }) => id);
  return new Map((await listWrittenProjects(db, ids)).map((written) => [written.id, written]));
};

function projectOf({ projects }: BrapiScope, id: string): ProjectRow {
  const project = projects.find((one) => one.id === id);
  if (project === undefined) throw notFound('This project');
  return project;
}

/** The project in which a crossing project is made: the one that fits, or that `additionalInfo.trialDbId` names. */
function placeOf(scope: BrapiScope, { additionalInfo, ...named }: NewCrossingProject, where: string): ProjectRow {
  return projectToWrite(scope, { ...named, trialDbId: additionalInfo['trialDbId'] }, where);
}

const isFile = (where: string): Problem =>
  new Problem(
    'request/conflict',
    `${where}: crossing tables that were uploaded cannot be changed, and there is no other crossing project of this id. Send POST /crossingprojects first. Nothing was saved.`,
  );

const noParents = (where: string): Problem =>
  new Problem('request/invalid', `${where}: parent1 and parent2 are missing. Nothing was saved.`);
