import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { sharedRead } from '../../platform/database/shared-read.ts';
import { isAtLeast, type Principal } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { requestOrigin } from '../../platform/http/hooks/request-origin.ts';
import { Problem } from '../../platform/http/problem.ts';
import { ObjectDamagedError, ObjectNotFoundError } from '../../platform/object-storage/object-storage.ts';
import { all, type Condition, type GermplasmScope, inScope } from '../data/germplasm/index.ts';
import { listAllProjects, type ProjectRow } from '../people/projects/index.ts';
import { listNewestAnalyses, type NewestAnalysis } from '../work/trial-analyses/index.ts';
import type { Asked } from './asked.ts';
import { type BrapiFile, listBrapiFiles } from './collecting/collected.queries.ts';
import type { StoredFiles } from './stored-files.ts';
import { type Study, studiesOfFile } from './studies.ts';
import { type AnnouncedName, listAnnounced } from './trials/announced.queries.ts';
import { studiesOfTrials } from './trials/trial-studies.ts';

/** An organization as a BrAPI program. */
export interface Program {
  id: string;
  name: string;
  description: string | null;
  crops: string[];
}

/** What a caller can see: every entry of an answer comes from here. */
export interface BrapiScope {
  db: Database;
  files: StoredFiles;
  principal: Principal;
  /** Of the address by which the request came, without a slash at the end. */
  origin: string;
  projects: ProjectRow[];
  listPrograms(): Promise<Program[]>;
  /** Germplasm (`g`) that the caller may see. */
  visibleGermplasm(): Promise<Condition>;
  /** Files that were checked and have no errors, in all projects; not the versions of one of them. */
  listFiles(): Promise<BrapiFile[]>;
  listStudies(): Promise<Study[]>;
  /** Seasons and places that clients have made known. */
  listAnnounced(): Promise<AnnouncedName[]>;
  /** The newest trial analysis of each project that has one. */
  listAnalyses(): Promise<Map<string, NewestAnalysis>>;
}

export async function openScope(
  { db, config, logger }: Pick<Services, 'db' | 'config' | 'logger'>,
  files: StoredFiles,
  principal: Principal,
  warnings: string[],
): Promise<BrapiScope> {
  const among = principal.projectIds ?? undefined;
  const { userId } = principal;
  const projects = (await listAllProjects(db, userId, userId)).filter(({ id }) => among?.includes(id) ?? true);
  const projectById = new Map(projects.map((project) => [project.id, project]));
  const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
    let made: Promise<Value> | undefined;
    return () => (made ??= make());
  };
  const organizations = once(() => listOrganizations(db, userId));
  // A token that is limited to projects does not reach the other places of their organizations.
  const memberOf = async (): Promise<string[]> =>
    among === undefined ? (await organizations()).flatMap(({ id, is_member }) => (is_member ? [id] : [])) : [];
  const listFiles = once(() => listBrapiFiles(db, [...projectById.keys()]));
  return {
    db,
    files,
    principal,
    origin: requestOrigin() ?? config.publicUrl,
    projects,
    async listPrograms() {
      const seen = new Set([...(await memberOf()), ...projects.map(({ organization_id }) => organization_id)]);
      return (await organizations()).filter(({ id }) => seen.has(id));
    },
    visibleGermplasm: once(async () => visibleGermplasm(await memberOf(), projects)),
    listFiles,
    listAnnounced: once(async () => {
      const all = await memberOf();
      const others = projects.map(({ organization_id: id }) => id).filter((id) => !all.includes(id));
      return await listAnnounced(db, { all, others: [...new Set(others)], userId });
    }),
    listAnalyses: once(async () => {
      const analyses = await listNewestAnalyses(db, [...projectById.keys()]);
      return new Map(analyses.map((analysis) => [analysis.project_id, analysis]));
    }),
    listStudies: once(async () => {
      const studies: Study[] = [];
      // One by one: what has not been read yet is read whole.
      for (const file of await listFiles()) {
        const project = projectById.get(file.project_id);
        if (project === undefined) continue;
        try {
          studies.push(...(await studiesOfFile(files, file, project)));
        } catch (error) {
          if (!(error instanceof ObjectNotFoundError || error instanceof ObjectDamagedError)) throw error;
          // One lost file must not hide all others.
          logger.error({ err: error, file_id: file.id }, 'reading a file for BrAPI');
          warnings.push(`The stored file "${file.name}" of "${project.name}" cannot be read and was left out.`);
        }
      }
      studies.push(...(await studiesOfTrials(db, files, projectById)));
      return studies;
    }),
  };
}

/**
 * Organizations in which a person is a member, or has joined a project. The SQL begins with `select`, here and in other
 * reads of every request, so that it is prepared.
 */
const listOrganizations = sharedRead(async (db, userId: string) => {
  const { rows } = await sql<Program & { is_member: boolean }>`select o.id, o.name, o.description,
      exists (
        select from organization_members as m where m.organization_id = o.id and m.user_id = ${userId}
      ) as is_member,
      array(select c.name from crops as c where c.organization_id = o.id order by lower(c.name)) as crops
    from organizations as o
    where o.deleted_at is null and o.id in (
      select m.organization_id from organization_members as m where m.user_id = ${userId}
      union all
      select p.organization_id from project_members as j join projects as p on p.id = j.project_id
      where j.user_id = ${userId}
    )
    order by o.id
  `.execute(db);
  return rows;
});

/**
 * Members see the germplasm of their organization. A guest sees what the project uses; a token that is limited to
 * projects, the list of their crops.
 */
function visibleGermplasm(memberOf: readonly string[], projects: readonly ProjectRow[]): Condition {
  const scopes: GermplasmScope[] = [
    ...memberOf.map((organizationId) => ({ organizationId, cropId: undefined, usedIn: undefined })),
    ...projects
      .filter((project) => !memberOf.includes(project.organization_id) && project.crop_id !== null)
      .map((project) => scopeOfProject(project)),
  ];
  if (scopes.length === 0) return sql<boolean>`false`;
  return anyOf(scopes.map((scope) => all(inScope(scope))));
}

export const anyOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0
    ? sql<boolean>`false`
    : sql<boolean>`(${sql.join(
        conditions.map((condition) => sql`(${condition})`),
        sql` or `,
      )})`;

const scopeOfProject = ({ id, organization_id, organization_role, crop_id }: ProjectRow): GermplasmScope => ({
  organizationId: organization_id,
  cropId: crop_id ?? undefined,
  usedIn: organization_role === null ? id : undefined,
});

/** Projects in which the caller may change something, with a role of at least MEMBER. */
export const mayWrite = ({ project_role, organization_role, members_read_only }: ProjectRow): boolean => {
  const manages = (role: ProjectRow['project_role']): boolean => role !== null && isAtLeast(role, 'MANAGER');
  return manages(project_role) || manages(organization_role) || (project_role !== null && !members_read_only);
};

/** What names a project to write to. */
export interface PlaceToWrite {
  trialDbId?: string | null | undefined;
  trialName?: string | null | undefined;
  programDbId?: string | null | undefined;
  programName?: string | null | undefined;
  commonCropName?: string | null | undefined;
}

/** The one project that fits and to which the caller may write; `where` stands before what is wrong. */
export function projectToWrite({ projects }: BrapiScope, place: PlaceToWrite, where: string): ProjectRow {
  const fits = (wanted: string | null | undefined, own: string | null): boolean =>
    wanted == null || wanted === '' || wanted === own;
  const [project, ...others] = projects.filter(
    (one) =>
      mayWrite(one) &&
      fits(place.trialDbId, one.id) &&
      fits(place.trialName, one.name) &&
      fits(place.programDbId, one.organization_id) &&
      fits(place.programName, one.organization_name) &&
      fits(place.commonCropName, one.crop_name),
  );
  if (project !== undefined && others.length === 0) return project;
  throw new Problem(
    'request/invalid',
    project === undefined
      ? `${where}: there is no such program and crop with a trial to which you may write. Nothing was saved.`
      : `${where}: several trials fit. Name one in additionalInfo.trialDbId, or connect the app with just one project. Nothing was saved.`,
  );
}

/** The projects that the filters for crop, program and trial leave. */
export function projectsAsked(scope: BrapiScope, asked: Asked): ProjectRow[] {
  const filters: [values: string[] | undefined, of: (project: ProjectRow) => string | null][] = [
    [asked.take('commonCropName'), (project) => project.crop_name],
    [asked.take('programDbId'), (project) => project.organization_id],
    [asked.take('programName'), (project) => project.organization_name],
    [asked.take('trialDbId'), (project) => project.id],
    [asked.take('trialName'), (project) => project.name],
  ];
  return scope.projects.filter((project) =>
    filters.every(([values, of]) => values === undefined || values.includes(of(project) ?? '')),
  );
}

/** The studies that the filters for crop, program, trial and study leave. */
export async function studiesAsked(scope: BrapiScope, asked: Asked): Promise<Study[]> {
  const projects = new Set(projectsAsked(scope, asked).map(({ id }) => id));
  const ids = asked.take('studyDbId');
  const names = asked.take('studyName');
  return (await scope.listStudies()).filter(
    (study) =>
      projects.has(study.project.id) &&
      (ids === undefined || ids.includes(study.id)) &&
      (names === undefined || names.includes(study.name)),
  );
}

/**
 * What clients have made known, before `studiesAsked` takes the filters. It belongs to a program, and to no trial or
 * study; every crop of the program may grow there.
 */
export async function announcedAsked(scope: BrapiScope, asked: Asked): Promise<AnnouncedName[]> {
  if (asked.has('trialDbId', 'trialName', 'studyDbId', 'studyName')) return [];
  const [ids, names, crops] = ['programDbId', 'programName', 'commonCropName'].map((name) => asked.take(name));
  if (ids === undefined && names === undefined && crops === undefined) return await scope.listAnnounced();
  const programs = new Set(
    (await scope.listPrograms())
      .filter(
        ({ id, name, crops: own }) =>
          (ids?.includes(id) ?? true) &&
          (names?.includes(name) ?? true) &&
          (crops?.some((crop) => own.includes(crop)) ?? true),
      )
      .map(({ id }) => id),
  );
  return (await scope.listAnnounced()).filter(({ organization_id: id }) => programs.has(id));
}
