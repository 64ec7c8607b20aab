import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { isAtLeast, type Principal } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { requestOrigin } from '../../platform/http/request-origin.ts';
import { ObjectDamagedError, ObjectNotFoundError } from '../../platform/object-storage/object-storage.ts';
import { type FileRow, listReadyFiles } from '../files/index.ts';
import { all, type Condition, type GermplasmScope, inScope } from '../germplasm/index.ts';
import { listProjects, type ProjectRow } from '../projects/index.ts';
import type { Asked } from './asked.ts';
import type { StoredFiles } from './stored-files.ts';
import { type Study, studiesOfFile } from './studies.ts';

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
  programs: Program[];
  projects: ProjectRow[];
  /** Germplasm (`g`) that the caller may see. */
  germplasm: Condition;
  /** Files that were checked and have no errors, in all projects. */
  listFiles(): Promise<FileRow[]>;
  listStudies(): Promise<Study[]>;
}

/** More projects than a person has. */
const MOST_PROJECTS = 10_000;

export async function openScope(
  { db, config, logger }: Pick<Services, 'db' | 'config' | 'logger'>,
  files: StoredFiles,
  principal: Principal,
  warnings: string[],
): Promise<BrapiScope> {
  const among = principal.projectIds ?? undefined;
  const projects = await listProjects(db, principal.userId, { limit: MOST_PROJECTS, among });
  // A token that is limited to projects does not reach the other places of their organizations.
  const memberOf = among === undefined ? await organizationsOf(db, principal.userId) : [];
  const programs = await listPrograms(db, [...memberOf, ...projects.map((project) => project.organization_id)]);
  const projectById = new Map(projects.map((project) => [project.id, project]));
  const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
    let made: Promise<Value> | undefined;
    return () => (made ??= make());
  };
  const listFiles = once(() => listReadyFiles(db, [...projectById.keys()]));
  return {
    db,
    files,
    principal,
    origin: requestOrigin() ?? config.publicUrl,
    programs,
    projects,
    germplasm: visibleGermplasm(memberOf, projects),
    listFiles,
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
      return studies;
    }),
  };
}

async function organizationsOf(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('organization_members')
    .innerJoin('organizations', 'organizations.id', 'organization_members.organization_id')
    .select('organization_id')
    .where('user_id', '=', userId)
    .where('organizations.deleted_at', 'is', null)
    .execute();
  return rows.map(({ organization_id }) => organization_id);
}

async function listPrograms(db: Database, ids: readonly string[]): Promise<Program[]> {
  const { rows } = await sql<Program>`
    select o.id, o.name, o.description,
      array(select c.name from crops as c where c.organization_id = o.id order by lower(c.name)) as crops
    from organizations as o where o.id = any(${[...new Set(ids)]}::uuid[]) and o.deleted_at is null
    order by o.id
  `.execute(db);
  return rows;
}

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
