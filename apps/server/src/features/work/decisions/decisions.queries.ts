import type { Decision, DecisionColumn, DecisionDetail, DecisionSettings } from '@heterosis/contracts/work/decisions';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';
import { containing } from '../../people/projects/index.ts';
import type { Board } from './board.ts';
import type { Minutes } from './minutes.ts';

export type DecisionCounts = Decision['counts'];

/** What is stored of the numbers on the table besides the values of the lines. */
export interface StoredBoard extends Omit<Board, 'weights' | 'gains' | 'refused' | 'amongBestError'> {
  /** Absent in a decision of before errors were taken together. */
  amongBestError?: number;
  notes: string[];
}

const decisions = (db: Queryable, projectId: string) =>
  db
    .selectFrom('decisions as one')
    .leftJoin('users as author', 'author.id', 'one.created_by')
    .leftJoin('users as chair', 'chair.id', 'one.chair_id')
    .leftJoin('lists as list', 'list.id', 'one.list_id')
    .where('one.project_id', '=', projectId)
    .where('one.deleted_at', 'is', null)
    .select([
      'one.id',
      'one.project_id',
      'one.name',
      'one.state',
      'one.version',
      'one.line_count',
      'one.people',
      'one.chair_id',
      'one.created_by as created_by_id',
      'one.created_at',
      'one.updated_at',
      'one.closed_at',
    ])
    .select((row) => [
      row.ref('one.counts').$castTo<DecisionCounts>().as('counts'),
      sql<string | null>`coalesce(author.name, author.email)`.as('created_by'),
      sql<string | null>`coalesce(chair.name, chair.email)`.as('chair'),
      sql<Decision['list']>`case when list.id is null then null
        else jsonb_build_object('id', list.id, 'name', list.name) end`.as('list'),
    ]);

/** The newest first; one row more than `limit` if there is a next page. */
export async function listDecisions(
  db: Queryable,
  projectId: string,
  { name, limit, after }: { name?: string | undefined; limit: number; after?: string | undefined },
): Promise<Decision[]> {
  return await decisions(db, projectId)
    .$if(name !== undefined && name !== '', (query) => query.where('one.name', 'ilike', containing(name ?? '')))
    .$if(after !== undefined, (query) => query.where('one.id', '<', after ?? ''))
    .orderBy('one.id', 'desc')
    .limit(limit + 1)
    .execute();
}

export type DecisionRow = Omit<DecisionDetail, 'notes' | 'versions' | 'may_chair'> & { computed: StoredBoard };

export async function findDecision(db: Queryable, projectId: string, id: string): Promise<DecisionRow | undefined> {
  return await decisions(db, projectId)
    .where('one.id', '=', id)
    .select('one.description')
    .select((row) => [
      row.ref('one.source').$castTo<DecisionDetail['source']>().as('source'),
      row.ref('one.settings').$castTo<DecisionSettings>().as('settings'),
      row.ref('one.columns').$castTo<DecisionColumn[]>().as('columns'),
      row.ref('one.computed').$castTo<StoredBoard>().as('computed'),
      row.ref('one.refreshes').$castTo<DecisionDetail['refreshes']>().as('refreshes'),
    ])
    .executeTakeFirst();
}

export interface LockedDecision {
  name: string;
  state: Decision['state'];
  version: number;
  line_count: number;
  last_mark: number;
  counts: DecisionCounts;
  chair_id: string | null;
}

/** Locks a decision until the end of the transaction; undefined when it does not exist or is in the bin. */
export async function lockDecision(db: Queryable, projectId: string, id: string): Promise<LockedDecision | undefined> {
  return await db
    .selectFrom('decisions')
    .select(['name', 'state', 'version', 'line_count', 'last_mark', 'chair_id'])
    .select((row) => row.ref('counts').$castTo<DecisionCounts>().as('counts'))
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export interface NewDecision {
  projectId: string;
  name: string;
  description: string | null;
  source: DecisionDetail['source'];
  settings: DecisionSettings;
  columns: DecisionColumn[];
  computed: StoredBoard;
  relationships: Buffer | null;
  error_covariances: Buffer | null;
  createdBy: string;
}

export interface NewLine {
  name: string;
  germplasm_id: string | null;
  family: string | null;
  values: (number | null)[];
  ses: (number | null)[];
  reliabilities: (number | null)[];
}

export async function insertDecision(
  db: Queryable,
  { projectId, createdBy, source, settings, columns, computed, ...rest }: NewDecision,
  lines: readonly NewLine[],
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('decisions')
    .values({
      ...{ id, project_id: projectId, created_by: createdBy, chair_id: createdBy, line_count: lines.length, ...rest },
      ...{ source: JSON.stringify(source), settings: JSON.stringify(settings), columns: JSON.stringify(columns) },
      computed: JSON.stringify(computed),
      counts: JSON.stringify({ ADVANCE: 0, HOLD: 0, DROP: 0, UNDECIDED: lines.length, disagreed: 0 }),
    })
    .execute();
  await db
    .insertInto('decision_lines')
    .values(
      lines.map((line, i) => ({
        ...{ decision_id: id, number: i + 1, name: line.name, germplasm_id: line.germplasm_id, family: line.family },
        values: sql<number[]>`${line.values}::double precision[]`,
        ses: sql<number[]>`${line.ses}::double precision[]`,
        reliabilities: sql<number[]>`${line.reliabilities}::double precision[]`,
      })),
    )
    .execute();
  return id;
}

/** Undefined fields stay unchanged. */
export async function updateDecision(
  db: Queryable,
  id: string,
  change: {
    name?: string | undefined;
    description?: string | null | undefined;
    chair_id?: string | undefined;
    state?: Decision['state'] | undefined;
    version?: number | undefined;
    last_mark?: number | undefined;
    list_id?: string | null | undefined;
    closed_at?: string | null | undefined;
    settings?: DecisionSettings | undefined;
    columns?: DecisionColumn[] | undefined;
    computed?: StoredBoard | undefined;
    counts?: DecisionCounts | undefined;
    refreshes?: DecisionDetail['refreshes'] | undefined;
    people?: number | undefined;
  },
): Promise<void> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const set = given.map(([key, value]) => [
    key,
    value !== null && typeof value === 'object' ? JSON.stringify(value) : value,
  ]);
  await db
    .updateTable('decisions')
    .set({ ...Object.fromEntries(set), updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Other values of the lines, and what their errors share. */
export async function updateValues(
  db: Queryable,
  id: string,
  lines: readonly (NewLine & { number: number })[],
  errors: Buffer | null,
): Promise<void> {
  const values = JSON.stringify(
    lines.map(({ number, values: own, ses, reliabilities }) => ({ number, values: own, ses, reliabilities })),
  );
  await sql`
    update decision_lines as line
    set "values" = one."values", ses = one.ses, reliabilities = one.reliabilities
    from jsonb_to_recordset(${values}::jsonb) as one (number integer, "values" double precision[],
      ses double precision[], reliabilities double precision[])
    where line.decision_id = ${id} and line.number = one.number
  `.execute(db);
  await db.updateTable('decisions').set({ error_covariances: errors }).where('id', '=', id).execute();
}

export interface StoredLine extends NewLine {
  number: number;
}

export async function listLines(db: Queryable, id: string): Promise<StoredLine[]> {
  const { rows } = await sql<StoredLine>`
    select number, name, germplasm_id, family, "values", ses, reliabilities
    from decision_lines where decision_id = ${id} order by number
  `.execute(db);
  return rows;
}

export async function readRelationships(db: Queryable, id: string): Promise<Float32Array | null> {
  const row = await db.selectFrom('decisions').select('relationships').where('id', '=', id).executeTakeFirst();
  return row?.relationships == null ? null : asFloats(row.relationships);
}

/** Covariances of the prediction errors that {@link packErrors} put together, a column each. */
export async function readErrors(
  db: Queryable,
  id: string,
  { columns, line_count: n }: { columns: readonly DecisionColumn[]; line_count: number },
): Promise<(Float32Array | null)[]> {
  const row = await db.selectFrom('decisions').select('error_covariances').where('id', '=', id).executeTakeFirst();
  const all = row?.error_covariances == null ? null : asFloats(row.error_covariances);
  const size = (n * (n + 1)) / 2;
  let from = 0;
  return columns.map(({ has_error_covariance: has }) => {
    if (all === null || has !== true) return null;
    from += size;
    return all.subarray(from - size, from);
  });
}

export function packErrors(errors: readonly (Float32Array | null)[]): Buffer | null {
  const kept = errors.flatMap((one) => one ?? []);
  return kept.length === 0
    ? null
    : Buffer.concat(kept.map((one) => Buffer.from(one.buffer, one.byteOffset, one.byteLength)));
}

// A copy: the bytes of the driver need not begin at a multiple of four.
const asFloats = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);

/** Families and descent of lines of the germplasm list, by id. */
export async function listFamilies(db: Queryable, ids: readonly string[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ id: string; family: string | null }>`
    select g.id, case when mother.id is null and father.id is null then g.collection
      else coalesce(mother.name, '?') || ' × ' || coalesce(father.name, '?') end as family
    from germplasm as g
    left join germplasm as mother on mother.id = g.maternal_id
    left join germplasm as father on father.id = g.paternal_id
    where g.id = any(${ids}::uuid[])
  `.execute(db);
  return new Map(rows.map(({ id, family }) => [id, family]));
}

export interface DecisionVersion {
  version: number;
  closed_by: string | null;
  closed_at: string;
  reopened_reason: string | null;
}

export async function listVersions(db: Queryable, id: string): Promise<DecisionVersion[]> {
  return await db
    .selectFrom('decision_versions as one')
    .leftJoin('users', 'users.id', 'one.closed_by')
    .select(['one.version', 'one.closed_at', 'one.reopened_reason'])
    .select(sql<string | null>`coalesce(users.name, users.email)`.as('closed_by'))
    .where('one.decision_id', '=', id)
    .orderBy('one.version')
    .execute();
}

export async function insertVersion(
  db: Queryable,
  {
    decisionId,
    version,
    minutes,
    closedBy,
  }: { decisionId: string; version: number; minutes: unknown; closedBy: string },
): Promise<void> {
  await db
    .insertInto('decision_versions')
    .values({ decision_id: decisionId, version, minutes: JSON.stringify(minutes), closed_by: closedBy })
    .execute();
}

export async function updateReopened(db: Queryable, id: string, version: number, reason: string): Promise<void> {
  await db
    .updateTable('decision_versions')
    .set({ reopened_reason: reason })
    .where('decision_id', '=', id)
    .where('version', '=', version)
    .execute();
}

/** Minutes of a version, absent: of the last one. */
export async function findMinutes(
  db: Queryable,
  id: string,
  version: number | undefined,
): Promise<{ version: number; minutes: Minutes } | undefined> {
  return await db
    .selectFrom('decision_versions')
    .select('version')
    .select((row) => row.ref('minutes').$castTo<Minutes>().as('minutes'))
    .where('decision_id', '=', id)
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Whether a person may be the chair: somebody with a part in the project or its organization. */
export async function isInProject(db: Queryable, projectId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from projects where projects.id = ${projectId} and (
      exists (select from project_members where project_id = projects.id and user_id = ${userId})
      or exists (
        select from organization_members as member
        where member.organization_id = projects.organization_id and member.user_id = ${userId}
          and member.role in ('OWNER', 'MANAGER')
      )
    )
  `.execute(db);
  return rows.length > 0;
}

/** How a project and a person are called. */
export async function readNames(
  db: Queryable,
  projectId: string,
  userId: string,
): Promise<{ project: string; person: string }> {
  const { rows } = await sql<{ project: string; person: string }>`
    select projects.name as project, coalesce(users.name, users.email) as person
    from projects, users where projects.id = ${projectId} and users.id = ${userId}
  `.execute(db);
  return rows[0] ?? { project: '', person: '' };
}
