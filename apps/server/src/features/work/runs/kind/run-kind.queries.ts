import { FILE_TYPES } from '@heterosis/contracts/data/files';
import { ENDED_STATES, RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { type Insertable, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../../platform/database/database.ts';
import type { DB } from '../../../../platform/database/schema.gen.ts';
import { containing } from '../../../people/projects/index.ts';
import type { ErrorExtra } from '../work/error-extra.ts';
import type { InputType, NamedRunRow, RunInputs, RunKindDefinition, RunQuery, RunSelection } from './run-kind.ts';

type PathOf<Kind extends RunKind> = (typeof RUN_KINDS)[Kind]['path'];

interface SharedColumns extends NamedRunRow {
  /** Display name, or the e-mail address of a user without one. */
  creator: string | null;
  created_at: string;
  updated_at: string;
}

type Several = { several: InputType };

/** Null when the input was deleted, or when the run has no input in this role. Of several those that exist. */
type InputColumns<Inputs extends RunInputs> = {
  [Role in keyof Inputs & string as Inputs[Role] extends Several ? never : `${Role}_${'id' | 'name'}`]: string | null;
} & {
  [Role in keyof Inputs & string as Inputs[Role] extends Several ? `${Role}_${'ids' | 'names'}` : never]: string[];
} & {
  [Role in keyof Inputs & string as Inputs[Role] extends Several ? `${Role}_gone` : never]: boolean;
};

type OwnTable<Kind extends RunKind> = DB & { one: DB[PathOf<Kind>] };
type BaseQuery<Kind extends RunKind, Inputs extends RunInputs> = SelectQueryBuilder<
  OwnTable<Kind>,
  'one',
  SharedColumns & InputColumns<Inputs>
>;

/**
 * The rows of a kind: the columns common to all kinds, id and name of each input, and what `own` adds from the kind's
 * table (alias `one`). Deleted inputs are null.
 */
export const selectionOf = <Kind extends RunKind, const Inputs extends RunInputs, Row extends NamedRunRow>(
  kind: Kind,
  inputs: Inputs,
  own: (query: BaseQuery<Kind, Inputs>) => RunQuery<Row>,
): RunSelection<Row, Kind, Inputs> => ({
  kind,
  inputs,
  select: (db, projectId) => own(baseQuery(db, kind, inputs, projectId)),
});

/** The row type of a selection. */
export type RowOf<Selection> = Selection extends RunSelection<infer Row> ? Row : never;

function baseQuery<Kind extends RunKind, Inputs extends RunInputs>(
  db: Queryable,
  kind: Kind,
  inputs: Inputs,
  projectId: string,
): BaseQuery<Kind, Inputs> {
  let query = db
    // One table represents all in the types: the columns named here are common to all kinds.
    .selectFrom(`${RUN_KINDS[kind as RunKind].path as 'predictions'} as one`)
    .innerJoin('projects', (join) =>
      join.onRef('projects.id', '=', 'one.project_id').on('projects.deleted_at', 'is', null),
    )
    .leftJoin('users', 'users.id', 'one.created_by')
    .where('one.project_id', '=', projectId)
    .where('one.deleted_at', 'is', null)
    .select([
      'one.id',
      'one.name',
      'one.project_id',
      'projects.organization_id',
      'one.description',
      'one.traits',
      'one.created_by',
      'one.created_at',
      'one.updated_at',
    ])
    .select(sql<string | null>`coalesce(users.name, users.email)`.as('creator'));
  for (const { role, type, isSeveral } of rolesOf(inputs)) {
    if (isSeveral) {
      query = query.select(severalColumns(role, type)) as typeof query;
      continue;
    }
    const input = sql<object>`${sql.table(tableOf(type))}`.as<string>(sql.ref(role));
    query = query
      .leftJoin(input, (join) =>
        // Redundant, but without it a filter by input would scan the rows of all projects.
        join.on(
          sql<boolean>`${sql.ref(`${role}.id`)} = ${sql.ref(`one.${role}_id`)} and ${sql.ref(`${role}.project_id`)} = one.project_id
            and ${sql.ref(`${role}.deleted_at`)} is null`,
        ),
      )
      .select([
        sql<string | null>`${sql.ref(`${role}.id`)}`.as(`${role}_id`),
        sql<string | null>`${sql.ref(`${role}.name`)}`.as(`${role}_name`),
      ]) as typeof query;
  }
  // The builder's types cannot follow joins made in a loop. `InputColumns` declares what the loop has selected.
  return query as unknown as BaseQuery<Kind, Inputs>;
}

/** Ids and names of the inputs of a role that exist, in the order given, and whether one is gone. */
function severalColumns(role: string, type: InputType) {
  const given = sql.ref(`one.${role}_ids`);
  const existing = sql`unnest(${given}) with ordinality as given(id, place)
    join ${sql.table(tableOf(type))} as input
      on input.id = given.id and input.project_id = one.project_id and input.deleted_at is null`;
  return [
    sql<string[]>`array(select input.id from ${existing} order by given.place)`.as(`${role}_ids`),
    sql<string[]>`array(select input.name from ${existing} order by given.place)`.as(`${role}_names`),
    sql<boolean>`(select count(*) from ${existing}) < cardinality(${given})`.as(`${role}_gone`),
  ];
}

interface Role {
  role: string;
  type: InputType;
  isFile: boolean;
  isOptional: boolean;
  isSeveral: boolean;
  /** With its id or ids. */
  column: string;
}

/** The inputs of a kind, in the order in which it names them. */
export const rolesOf = (inputs: RunInputs): Role[] =>
  Object.entries(inputs).map(([role, input]) => {
    const isOptional = typeof input !== 'string' && 'optional' in input;
    const isSeveral = typeof input !== 'string' && 'several' in input;
    const type = isOptional ? input.optional : isSeveral ? input.several : input;
    return { role, type, isFile: !isKind(type), isOptional, isSeveral, column: `${role}_${isSeveral ? 'ids' : 'id'}` };
  });

/** Whether the run with the alias `one` has an input in this role. */
const hasInput = (one: Role, id: string): RawBuilder<boolean> =>
  one.isSeveral
    ? sql<boolean>`${id} = any(${sql.ref(`one.${one.column}`)})`
    : sql<boolean>`${sql.ref(`one.${one.column}`)} = ${id}`;

const isKind = (type: InputType): type is RunKind => type in RUN_KINDS;

const tableOf = (type: InputType): string => (isKind(type) ? RUN_KINDS[type].path : 'files');

/** A run of the project; undefined when it is in the bin or does not exist. */
export function findNamedRun<Row>(
  { select }: RunSelection<Row>,
  db: Queryable,
  projectId: string,
  id: string,
): Promise<Row | undefined> {
  return select(db, projectId).where(sql<boolean>`one.id = ${id}`).executeTakeFirst();
}

/** Filters for a list of runs: `name`, and `{role}_id` of each input. */
export type RunFilter = Readonly<Record<string, unknown>>;

/**
 * Newest first, with one row more than `limit` if there is a next page. `after` is the last id of the previous page.
 */
export function listNamedRuns<Row>(
  { select, inputs }: RunSelection<Row>,
  db: Queryable,
  projectId: string,
  {
    filter,
    conditions,
    limit,
    after,
  }: { filter: RunFilter; conditions: readonly RawBuilder<boolean>[]; limit: number; after: string | undefined },
): Promise<Row[]> {
  const all = [...conditions];
  if (typeof filter['name'] === 'string') all.push(sql<boolean>`one.name ilike ${containing(filter['name'])}`);
  for (const { role, isSeveral, ...one } of rolesOf(inputs)) {
    const id = filter[`${role}_id`];
    if (typeof id !== 'string') continue;
    all.push(isSeveral ? hasInput({ role, isSeveral, ...one }, id) : sql<boolean>`${sql.ref(`${role}.id`)} = ${id}`);
  }
  if (after !== undefined) all.push(sql<boolean>`one.id < ${after}`);
  return all
    .reduce((query, condition) => query.where(condition), select(db, projectId))
    .orderBy(sql`one.id`, 'desc')
    .limit(limit + 1)
    .execute();
}

/** Columns of a new row of a kind, without its id. */
export type NewNamedRun<Kind extends RunKind> = Omit<Insertable<DB[PathOf<Kind>]>, 'id'> & {
  project_id: string;
  name: string;
  traits: string[];
  /** Rows of results besides those of the traits, by the names that they have among these. */
  furtherRows?: readonly string[];
};

/** Inserts the run, and a row for each of its traits if the kind has such rows; returns the id. */
export async function insertNamedRun<Kind extends RunKind>(
  db: Queryable,
  kind: Kind,
  { furtherRows = [], ...run }: NewNamedRun<Kind>,
): Promise<string> {
  const id = uuidv7();
  const { path, perTrait } = RUN_KINDS[kind as RunKind];
  await db
    .insertInto(path)
    .values({ id, ...(run as Omit<Insertable<DB[typeof path]>, 'id'>) } as Insertable<DB[typeof path]>)
    .execute();
  if (perTrait) {
    const traits = sql`unnest(${[...run.traits, ...furtherRows]}::text[]) as trait`;
    await sql`insert into ${traitTable(kind)} (${ownerColumn(kind)}, trait) select ${id}, trait from ${traits}`.execute(
      db,
    );
  }
  return id;
}

/** Ends all that is unfinished in the run with this error. False where it had ended, and other work of it goes on. */
export async function failUnfinished(
  db: Queryable,
  kind: RunKind,
  { project_id, id }: Pick<NamedRunRow, 'project_id' | 'id'>,
  error: ErrorExtra,
): Promise<boolean> {
  const { path, perTrait } = RUN_KINDS[kind];
  const rows = perTrait
    ? sql`update ${traitTable(kind)} as one set ${failedWith(error)} where ${ownerColumn(kind)} = ${id}`
    : sql`update ${sql.table(path)} as one set ${failedWith(error)} where project_id = ${project_id} and id = ${id}`;
  const { numAffectedRows } = await sql`${rows} and status <> all(${ENDED_STATES}::text[])`.execute(db);
  return Number(numAffectedRows) > 0;
}

const failedWith = (error: ErrorExtra) =>
  sql`status = 'ERROR', error_extra = ${JSON.stringify(error)}::jsonb, updated_at = now()`;

const traitTable = (kind: RunKind) => sql.table(`${kind}_traits`);
const ownerColumn = (kind: RunKind) => sql.ref(`${kind}_id`);

/** The storage keys of the results referenced by the rows of a run. */
export async function listResultKeys(db: Queryable, kind: RunKind, id: string): Promise<string[]> {
  const { path, perTrait } = RUN_KINDS[kind];
  const { rows } = await (perTrait
    ? sql<{
        keys: Record<string, string>;
      }>`select result_keys as keys from ${traitTable(kind)} where ${ownerColumn(kind)} = ${id}`
    : sql<{ keys: Record<string, string> }>`select result_keys as keys from ${sql.table(path)} where id = ${id}`
  ).execute(db);
  return rows.flatMap(({ keys }) => Object.values(keys));
}

/** A run that has some entity as an input. */
export interface RunUsing {
  id: string;
  name: string;
  project_id: string;
  /** Role of the input. */
  role: string;
}

/** Runs of a kind with this input in one of the roles, oldest first, excluding the bin. */
export async function listRunsUsing(
  db: Queryable,
  { kind, inputs }: Pick<RunSelection<unknown>, 'kind' | 'inputs'>,
  { projectId, inputId }: { projectId: string; inputId: string },
): Promise<RunUsing[]> {
  const roles = rolesOf(inputs);
  const role = sql.join(
    roles.map((one) => sql`when ${hasInput(one, inputId)} then ${sql.lit(one.role)}`),
    sql` `,
  );
  const { rows } = await sql<RunUsing>`
    select id, name, project_id, case ${role} end as role from ${sql.table(RUN_KINDS[kind].path)} as one
    where project_id = ${projectId} and deleted_at is null and ${hasAnyInput(roles, inputId)}
    order by id
  `.execute(db);
  return rows;
}

/** Whether the run with the alias `one` has an input in one of these roles. */
export const hasAnyInput = (roles: readonly Role[], id: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    roles.map((one) => hasInput(one, id)),
    sql` or `,
  )})`;

/**
 * Role → SHA-256 of the file in it, for the provenance of a run; several are numbered. `covariance` is that of the
 * values of a run that weighs by it.
 */
export async function hashesOfInputs(
  db: Queryable,
  { inputs }: Pick<RunKindDefinition, 'inputs'>,
  row: NamedRunRow,
): Promise<Record<string, string>> {
  const ids = inputIdsOf(inputs, row).filter(({ isFile }) => isFile);
  if (ids.length === 0) return {};
  const files = await db
    .selectFrom('files')
    .select(['id', 'sha256', sql<string | null>`meta -> 'covariance' ->> 'sha256'`.as('covariance')])
    .where('project_id', '=', row.project_id)
    .where('id', '=', sql<string>`any(${ids.map(({ id }) => id)}::uuid[])`)
    .execute();
  const hashes = new Map(files.map(({ id, sha256 }) => [id, sha256]));
  const named = ids.flatMap(({ name, id }) => [[name, hashes.get(id)]].filter(([, hash]) => hash != null));
  const { parameters } = row as { parameters?: { weights?: unknown } };
  const covariance = parameters?.weights === 'full' ? files.flatMap((file) => file.covariance ?? []) : [];
  return Object.fromEntries([...named, ...covariance.map((hash) => ['covariance', hash])]);
}

/** The existing inputs. */
const inputIdsOf = (inputs: RunInputs, row: object): (Role & { name: string; id: string })[] =>
  rolesOf(inputs).flatMap((one) => {
    const ids = [(row as Record<string, string | string[] | null | undefined>)[one.column] ?? []].flat();
    return ids.map((id, i) => ({ ...one, name: i === 0 ? one.role : `${one.role}_${i + 1}`, id }));
  });

/** An input, in words. */
export const inputInWords = (type: InputType): string => (isKind(type) ? RUN_KINDS[type] : FILE_TYPES[type]).noun;
