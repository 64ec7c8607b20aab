import type { GermplasmChange } from '@heterosis/contracts/data/germplasm';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';
import type { GermplasmFields } from './germplasm.queries.ts';

/** What a merge or a deletion has changed, so that it can be undone. */
export interface BeforeChange {
  /** Synonyms of the germplasm that went. */
  synonyms: string[];
  /** Children, by the parent that the germplasm was. */
  maternal_of: string[];
  paternal_of: string[];
  /** Projects that had it and the survivor had not. */
  projects: string[];
  /** Of a merge: the survivor's own fields and synonyms. */
  into?: { id: string; fields: Partial<GermplasmFields>; synonyms: string[] };
}

const SELECTED = sql`
  change.id, change.kind, jsonb_build_object('id', g.id, 'name', g.name) as germplasm,
  case when target.id is not null then jsonb_build_object('id', target.id, 'name', target.name) end as "into",
  coalesce(users.name, users.email) as created_by, change.created_at, change.undone_at`;
const FROM = sql`
  from germplasm_changes as change
  join germplasm as g on g.id = change.germplasm_id
  left join germplasm as target on target.id = (change.before -> 'into' ->> 'id')::uuid
  left join users on users.id = change.created_by`;

/** The latest first. */
export async function listChanges(
  db: Queryable,
  organizationId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<GermplasmChange[]> {
  const { rows } = await sql<GermplasmChange>`
    select ${SELECTED} ${FROM}
    where change.organization_id = ${organizationId} ${after === undefined ? sql`` : sql`and change.id < ${after}::uuid`}
    order by change.id desc limit ${limit + 1}
  `.execute(db);
  return rows;
}

export async function listMergedInto(db: Queryable, organizationId: string, id: string): Promise<GermplasmChange[]> {
  const { rows } = await sql<GermplasmChange>`
    select ${SELECTED} ${FROM}
    where change.organization_id = ${organizationId} and change.undone_at is null and g.merged_into = ${id}
    order by change.id desc
  `.execute(db);
  return rows;
}

export interface ChangeRow {
  id: string;
  kind: 'MERGE' | 'DELETE';
  crop_id: string;
  germplasm_id: string;
  before: BeforeChange;
}

/** A change that has not been undone, locked until the end of the transaction. */
export async function lockChange(db: Queryable, organizationId: string, id: string): Promise<ChangeRow | undefined> {
  return (await db
    .selectFrom('germplasm_changes')
    .select(['id', 'kind', 'crop_id', 'germplasm_id', 'before'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('undone_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()) as ChangeRow | undefined;
}

export async function insertChange(
  db: Queryable,
  change: Omit<ChangeRow, 'id'> & { organizationId: string; userId: string },
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('germplasm_changes')
    .values({
      id,
      organization_id: change.organizationId,
      crop_id: change.crop_id,
      kind: change.kind,
      germplasm_id: change.germplasm_id,
      before: JSON.stringify(change.before),
      created_by: change.userId,
    })
    .execute();
  return id;
}

export async function markUndone(db: Queryable, id: string): Promise<void> {
  await db.updateTable('germplasm_changes').set({ undone_at: sql<string>`now()` }).where('id', '=', id).execute();
}

/** Takes a germplasm out of the list; its synonyms and children are dealt with by the caller. */
export async function markGone(db: Queryable, id: string, mergedInto: string | null): Promise<void> {
  await db
    .updateTable('germplasm')
    .set({ deleted_at: sql<string>`now()`, merged_into: mergedInto })
    .where('id', '=', id)
    .execute();
}

export async function markBack(db: Queryable, id: string): Promise<void> {
  await db
    .updateTable('germplasm')
    .set({ deleted_at: null, merged_into: null, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Children outside the bin, by the role that the germplasm has for them. */
export async function listChildren(db: Queryable, id: string, role: 'maternal_id' | 'paternal_id'): Promise<string[]> {
  const rows = await db
    .selectFrom('germplasm')
    .select('id')
    .where(role, '=', id)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map((row) => row.id);
}

/** Gives children another parent, or none. */
export async function replaceParent(
  db: Queryable,
  children: readonly string[],
  role: 'maternal_id' | 'paternal_id',
  { from, to }: { from: string | null; to: string | null },
): Promise<void> {
  if (children.length === 0) return;
  await db
    .updateTable('germplasm')
    .set({ [role]: to })
    .where('id', '=', sql<string>`any(${children}::uuid[])`)
    .where(role, from === null ? 'is' : '=', from)
    .execute();
}

export async function deleteSynonymsOf(db: Queryable, id: string): Promise<string[]> {
  const rows = await db.deleteFrom('germplasm_synonyms').where('germplasm_id', '=', id).returning('name').execute();
  return rows.map(({ name }) => name);
}

/** Projects of the first that the second has not; it gets them. */
export async function shareProjects(db: Queryable, from: string, to: string): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    insert into project_germplasm (project_id, germplasm_id)
    select project_id, ${to}::uuid from project_germplasm where germplasm_id = ${from}
    on conflict do nothing returning project_id
  `.execute(db);
  return rows.map((row) => row.project_id);
}

export async function leaveProjects(db: Queryable, id: string, projects: readonly string[]): Promise<void> {
  await db
    .deleteFrom('project_germplasm')
    .where('germplasm_id', '=', id)
    .where('project_id', '=', sql<string>`any(${projects}::uuid[])`)
    .execute();
}
