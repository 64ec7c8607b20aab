import { COMMENTED_PARTS, type CommentedKind } from '@heterosis/contracts/people/comments';
import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import type { ProjectAccess } from '../../../platform/http/access.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { all, inScope, ofProject } from '../../data/germplasm/index.ts';
import { ITEM_TABLES } from '../home/index.ts';

/** What a comment is about, as it is called and where it is shown. */
export interface CommentedEntity {
  kind: CommentedKind;
  /** Of a merged line the one that it was merged into. */
  id: string;
  part: string | null;
  /** `model "Yield 2026"`, `marker "m12" of the file "panel.vcf"`. */
  noun: string;
  name: string;
  /** Page of it in the application. */
  path: string;
  createdBy: string | null;
}

export interface About {
  entity_kind: CommentedKind;
  entity_id: string;
  part?: string | undefined;
}

/** What the caller names; refuses what the project does not have, or the caller may not see. */
export async function getEntity(db: Queryable, access: ProjectAccess, about: About): Promise<CommentedEntity> {
  if (about.part !== undefined && partNounOf(about.entity_kind) === undefined)
    throw new Problem('request/invalid', 'part: only files and trials have parts, their markers and plots.', {
      invalidParams: [{ name: 'part', reason: 'only files and trials have parts' }],
    });
  const entity = await findEntity(db, access, about);
  if (entity === undefined) throw notFound('What the comment is about');
  return entity;
}

const partNounOf = (kind: CommentedKind): string | undefined =>
  kind in COMMENTED_PARTS ? COMMENTED_PARTS[kind as keyof typeof COMMENTED_PARTS] : undefined;

export async function findEntity(
  db: Queryable,
  access: ProjectAccess,
  { entity_kind: kind, entity_id: id, part }: About,
): Promise<CommentedEntity | undefined> {
  const found = isUuid(id)
    ? await (kind === 'germplasm' ? findLine(db, access, id) : findItem(db, access.projectId, kind, id))
    : undefined;
  if (found === undefined) return undefined;
  if (kind === 'trial' && part !== undefined && !(await hasPlot(db, id, part))) return undefined;
  const whole = `${nounOf(kind)} "${found.name}"`;
  return {
    ...found,
    kind,
    part: part ?? null,
    noun: part === undefined ? whole : `${partNounOf(kind)} "${part}" of the ${whole}`,
    name: part === undefined ? found.name : `${part}, ${found.name}`,
    path: `/projects/${access.projectId}/${pageOf(kind)}/${found.id}`,
  };
}

const isRunKind = (kind: CommentedKind): kind is RunKind => kind in RUN_KINDS;

const nounOf = (kind: CommentedKind): string =>
  isRunKind(kind) ? RUN_KINDS[kind].noun : kind === 'germplasm' ? 'line' : kind;

const PAGES = { germplasm: 'germplasm', file: 'files', trial: 'trials', decision: 'decisions' } as const;
const pageOf = (kind: CommentedKind): string => (isRunKind(kind) ? RUN_KINDS[kind].page : PAGES[kind]);

type Found = Pick<CommentedEntity, 'id' | 'name' | 'createdBy'>;

async function findItem(db: Queryable, projectId: string, kind: CommentedKind, id: string): Promise<Found | undefined> {
  const table = ITEM_TABLES.find((one) => one.kind === kind);
  if (table === undefined) return undefined;
  const { rows } = await sql<Found>`
    select id, name, created_by as "createdBy" from ${sql.table(table.table)}
    where id = ${id} and project_id = ${projectId} ${table.hasBin ? sql`and deleted_at is null` : sql``}
  `.execute(db);
  return rows[0];
}

/** Whoever made a line is not told of what is said about it: thousands come with one upload. */
async function findLine(db: Queryable, access: ProjectAccess, id: string): Promise<Found | undefined> {
  const { scope } = await ofProject(db, access);
  const { rows } = await sql<Found>`
    select g.id, g.name, null as "createdBy" from germplasm as g
    where ${all(inScope(scope))} and g.id = (
      select coalesce(merged_into, id) from germplasm
      where id = ${id} and organization_id = ${access.organizationId})
  `.execute(db);
  return rows[0];
}

async function hasPlot(db: Queryable, trialId: string, part: string): Promise<boolean> {
  if (!/^[1-9]\d{0,8}$/.test(part)) return false;
  const { rows } = await sql`
    select from trial_plots where trial_id = ${trialId} and number = ${Number(part)}
  `.execute(db);
  return rows.length > 0;
}
