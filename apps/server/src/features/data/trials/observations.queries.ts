import type {
  ObservationsOfTrait,
  StagedObservation,
  TrialCompleteness,
  TrialConflict,
  TrialObservation,
} from '@heterosis/contracts/data/trial-observations';
import { type RawBuilder, sql } from 'kysely';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';

/** An observation that is to be stored. */
export interface ObservationRow {
  id: string;
  plot: number;
  trait: string;
  value: string | null;
  observed_at: string;
  collector: string | null;
  origin: 'FILE' | 'BRAPI' | 'TYPED';
  corrects: string[];
  external_references?: unknown;
  created_by: string | null;
  /** It waits until somebody accepts it, and corrects nothing until then. */
  isStaged?: boolean;
}

/** A plot and a trait. */
export interface Cell {
  plot: number;
  trait: string;
}

export async function findObservations(
  db: Queryable,
  trialId: string,
  ids: readonly string[],
): Promise<(Cell & { id: string; value: string | null; observed_at: string })[]> {
  return await db
    .selectFrom('trial_observations')
    .select(['id', 'plot', 'trait', 'value', 'observed_at'])
    .where('trial_id', '=', trialId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
}

const ROWS_PER_INSERT = 2_000;
/** Observations that are looked up one by one in the index of corrections. */
const MOST_LOOKED_UP = 500;

/**
 * Stores observations. One is current unless another names it among those that it corrects, whichever of the two
 * arrives first.
 */
export async function insertObservations(
  trx: DatabaseTransaction,
  trialId: string,
  rows: readonly ObservationRow[],
): Promise<void> {
  for (let first = 0; first < rows.length; first += ROWS_PER_INSERT)
    await trx
      .insertInto('trial_observations')
      .values(
        rows.slice(first, first + ROWS_PER_INSERT).map(({ external_references, isStaged = false, ...row }) => ({
          ...row,
          trial_id: trialId,
          is_current: !isStaged,
          state: isStaged ? 'STAGED' : 'KEPT',
          external_references: external_references === undefined ? null : JSON.stringify(external_references),
        })),
      )
      .execute();
  const effective = rows.filter(({ isStaged }) => isStaged !== true);
  await endCorrected(trx, trialId, {
    ids: effective.map(({ id }) => id),
    corrected: effective.flatMap(({ corrects }) => corrects),
  });
}

/** What some observations correct is no longer current, nor are those of them that another corrects already. */
async function endCorrected(
  trx: DatabaseTransaction,
  trialId: string,
  { ids, corrected }: { ids: readonly string[]; corrected: readonly string[] },
): Promise<void> {
  // Many are looked up in what the trial has of corrections: one by one they would take minutes.
  const amongThem = ids.length > MOST_LOOKED_UP ? sql`` : sql`and later.corrects && ${ids}::uuid[]`;
  await sql`
    update trial_observations as one set is_current = false
    where one.trial_id = ${trialId} and one.is_current and (
      one.id = any(${corrected}::uuid[])
      or one.id = any(${ids}::uuid[]) and one.id in (
        select unnest(later.corrects) from trial_observations as later
        where later.trial_id = ${trialId} and later.corrects <> '{}' and later.state in ('KEPT', 'SET_ASIDE')
          ${amongThem}
      )
    )
  `.execute(trx);
}

/** Settles observations that wait; returns those of them that did. */
export async function updateStaged(
  trx: DatabaseTransaction,
  trialId: string,
  ids: readonly string[],
  { state, reason, userId }: { state: 'KEPT' | 'DECLINED'; reason: string | null; userId: string },
): Promise<(Cell & { id: string })[]> {
  const settled = await trx
    .updateTable('trial_observations')
    .set({ state, reason, judged_by: userId, judged_at: sql<string>`now()`, is_current: state === 'KEPT' })
    .where('trial_id', '=', trialId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('state', '=', 'STAGED')
    .returning(['id', 'plot', 'trait', 'corrects'])
    .execute();
  if (state === 'KEPT')
    await endCorrected(trx, trialId, {
      ids: settled.map(({ id }) => id),
      corrected: settled.flatMap(({ corrects }) => corrects),
    });
  return settled;
}

/** No other observation, waiting or not, replaces it. */
const IS_LATEST = sql<boolean>`not exists (
  select from trial_observations as later where later.trial_id = o.trial_id and later.corrects @> array[o.id]
)`;

/** Observations that wait and that no later one replaces, by plot and trait. */
export async function listStagedRows(db: Queryable, trialId: string): Promise<Omit<StagedObservation, 'present'>[]> {
  return await observations(db, trialId)
    .where('o.state', '=', 'STAGED')
    .where(IS_LATEST)
    .orderBy('o.plot')
    .orderBy('o.trait')
    .orderBy('o.observed_at')
    .execute();
}

const cellsOf = (cells: readonly Cell[]): RawBuilder<unknown> =>
  sql`(select distinct * from unnest(${cells.map(({ plot }) => plot)}::int[], ${cells.map(({ trait }) => trait)}::text[])
    as cell (plot, trait))`;

/** How many of some planted plots and traits of a trial have a value, or a note of none; each counts once. */
export async function countFilled(db: Queryable, trialId: string, cells: readonly Cell[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${cellsOf(cells)} as cell
    join trial_plots as p on p.trial_id = ${trialId} and p.number = cell.plot and p.kind in ('ENTRY', 'CHECK')
    join trials on trials.id = ${trialId} and cell.trait = any(trials.traits)
    where exists (
      select from trial_observations as o
      where o.trial_id = ${trialId} and o.plot = cell.plot and o.trait = cell.trait and o.is_current
        and o.state = 'KEPT'
    )
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Those of some plots and traits, or of all, that have several different values of which none replaces another. */
export async function listConflictCells(db: Queryable, trialId: string, cells?: readonly Cell[]): Promise<Cell[]> {
  const { rows } = await sql<Cell>`
    select o.plot, o.trait from trial_observations as o
    ${cells === undefined ? sql`` : sql`join ${cellsOf(cells)} as cell on cell.plot = o.plot and cell.trait = o.trait`}
    where o.trial_id = ${trialId} and o.is_current and o.state = 'KEPT'
    group by o.plot, o.trait having count(distinct coalesce(o.value, E'\\x01')) > 1
    order by o.plot, o.trait
  `.execute(db);
  return rows;
}

/** After a write of values: `filled` more plots and traits have one. */
export async function raiseRevision(
  db: Queryable,
  trialId: string,
  { filled, traits }: { filled: number; traits: readonly string[] },
): Promise<void> {
  await sql`
    update trials set revision = revision + 1, collected = collected + ${filled}, updated_at = now(),
      traits = traits || array(select name from unnest(${traits}::text[]) as name where not name = any(trials.traits))
    where id = ${trialId}
  `.execute(db);
}

/** Who observed it, or else sent it: of that person the name is not stored with the value. */
const COLLECTOR = sql<string | null>`coalesce(o.collector, author.name, author.email)`;

const observations = (db: Queryable, trialId: string) =>
  db
    .selectFrom('trial_observations as o')
    .leftJoin('users as author', 'author.id', 'o.created_by')
    .leftJoin('users as judge', 'judge.id', 'o.judged_by')
    .where('o.trial_id', '=', trialId)
    .select([
      'o.id',
      'o.plot',
      'o.trait',
      'o.value',
      'o.observed_at',
      'o.origin',
      'o.corrects',
      'o.is_current',
      'o.state',
      'o.reason',
      'o.judged_at',
      'o.created_at',
    ])
    .select([
      sql<string | null>`coalesce(author.name, author.email)`.as('created_by'),
      COLLECTOR.as('collector'),
      sql<string | null>`coalesce(judge.name, judge.email)`.as('judged_by'),
    ]);

const LONGEST_HISTORY = 1_000;

export async function listPlotHistory(db: Queryable, trialId: string, plot: number): Promise<TrialObservation[]> {
  return await observations(db, trialId)
    .where('o.plot', '=', plot)
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc')
    .limit(LONGEST_HISTORY)
    .execute();
}

/** The first conflicts with their observations. */
export async function listConflicts(db: Queryable, trialId: string, cells: readonly Cell[]): Promise<TrialConflict[]> {
  const rows = await observations(db, trialId)
    .innerJoin(sql<Cell>`${cellsOf(cells)}`.as('cell'), (join) =>
      join.onRef('cell.plot', '=', 'o.plot').onRef('cell.trait', '=', 'o.trait'),
    )
    .where('o.is_current', '=', true)
    .where('o.state', '=', 'KEPT')
    .orderBy('o.observed_at')
    .execute();
  return cells.map(({ plot, trait }) => ({
    ...{ plot, trait },
    observations: rows.filter((row) => row.plot === plot && row.trait === trait),
  }));
}

/** Current observations of a trait, in the order of plots. */
export async function readTrait(
  db: Queryable,
  trialId: string,
  trait: string,
): Promise<Omit<ObservationsOfTrait, 'trait' | 'revision' | 'conflict'>> {
  const rows = await db
    .selectFrom('trial_observations as o')
    .leftJoin('users as author', 'author.id', 'o.created_by')
    .where('o.trial_id', '=', trialId)
    .where('o.trait', '=', trait)
    .where('o.is_current', '=', true)
    .select(['o.id', 'o.plot', 'o.value', 'o.observed_at', 'o.origin', 'o.state', 'o.reason'])
    .select([sql<boolean>`o.corrects <> '{}'`.as('corrected'), COLLECTOR.as('collector')])
    .orderBy('o.plot')
    .orderBy('o.observed_at')
    .execute();
  return {
    id: rows.map((row) => row.id),
    plot: rows.map((row) => row.plot),
    value: rows.map((row) => row.value),
    observed_at: rows.map((row) => row.observed_at),
    collector: rows.map((row) => row.collector),
    origin: rows.map((row) => row.origin),
    state: rows.map((row) => row.state),
    reason: rows.map((row) => row.reason),
    corrected: rows.map((row) => row.corrected),
  };
}

/** Sets observations aside or keeps them again; returns those that were in the other state. */
export async function updateState(
  db: Queryable,
  trialId: string,
  ids: readonly string[],
  { state, reason, userId }: { state: 'KEPT' | 'SET_ASIDE'; reason: string | null; userId: string },
): Promise<Cell[]> {
  return await db
    .updateTable('trial_observations')
    .set({ state, reason, judged_by: userId, judged_at: sql<string>`now()` })
    .where('trial_id', '=', trialId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('state', '<>', state)
    .returning(['plot', 'trait'])
    .execute();
}

/** Ids of the other current, kept observations of the plots and traits of some. */
export async function listRivals(db: Queryable, trialId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct rival.id from trial_observations as kept
    join trial_observations as rival
      on rival.trial_id = kept.trial_id and rival.plot = kept.plot and rival.trait = kept.trait
    where kept.trial_id = ${trialId} and kept.id = any(${ids}::uuid[]) and rival.is_current
      and rival.state = 'KEPT' and not rival.id = any(${ids}::uuid[])
  `.execute(db);
  return rows.map(({ id }) => id);
}

export async function readCompleteness(
  db: Queryable,
  trialId: string,
  traits: readonly string[],
): Promise<Pick<TrialCompleteness, 'traits' | 'days'>> {
  const found = await sql<TrialCompleteness['traits'][number]>`
    select name as trait, coalesce(sum(has_value::int), 0)::int as values,
      coalesce(sum((has_note and not has_value)::int), 0)::int as missing,
      coalesce(sum(set_aside), 0)::int as set_aside, coalesce(sum((kept > 1)::int), 0)::int as conflicts,
      coalesce(max(waiting), 0)::int as waiting, min(first_at) as first_at, max(last_at) as last_at
    from unnest(${traits}::text[]) with ordinality as wanted (name, nth)
    left join (
      select o.plot, o.trait,
        bool_or(o.state = 'KEPT' and o.value is not null) as has_value,
        bool_or(o.state = 'KEPT' and o.value is null) as has_note,
        count(*) filter (where o.state = 'SET_ASIDE') as set_aside,
        count(distinct coalesce(o.value, E'\\x01')) filter (where o.state = 'KEPT') as kept,
        min(o.observed_at) as first_at, max(o.observed_at) as last_at
      from trial_observations as o where o.trial_id = ${trialId} and o.is_current group by o.plot, o.trait
    ) as cell on cell.trait = wanted.name
    left join (
      select o.trait, count(distinct o.plot) as waiting from trial_observations as o
      where o.trial_id = ${trialId} and o.state = 'STAGED' and ${IS_LATEST} group by o.trait
    ) as staged on staged.trait = wanted.name
    group by name, nth order by nth
  `.execute(db);
  const days = await sql<TrialCompleteness['days'][number]>`
    select to_char(o.observed_at at time zone 'UTC', 'YYYY-MM-DD') as day, o.trait, ${COLLECTOR} as collector,
      count(distinct o.plot)::int as values
    from trial_observations as o left join users as author on author.id = o.created_by
    where o.trial_id = ${trialId} and o.is_current and o.state = 'KEPT'
    group by 1, 2, 3 order by 1, 2, 3
  `.execute(db);
  return { traits: found.rows, days: days.rows };
}

export async function findRevision(db: Queryable, trialId: string): Promise<{ revision: number; planted: number }> {
  return await db
    .selectFrom('trials')
    .select(['revision', 'planted_count as planted'])
    .where('id', '=', trialId)
    .executeTakeFirstOrThrow();
}

/** A value that counts. */
export interface CountedValue extends Cell {
  value: string;
}

/** Values that are current and kept, each once a plot and trait and value. */
export async function listCountedValues(db: Queryable, trialId: string): Promise<CountedValue[]> {
  const { rows } = await sql<CountedValue>`
    select distinct plot, trait, value from trial_observations
    where trial_id = ${trialId} and is_current and state = 'KEPT' and value is not null
  `.execute(db);
  return rows;
}

/** An observation as clients read it; an empty value: nothing could be observed. */
export interface ClientObservation extends CountedValue, Pick<ObservationRow, 'id' | 'observed_at' | 'collector'> {
  external_references: unknown;
  is_staged: boolean;
}

/** Those that count and those that wait, with what their clients keep with them. */
export async function listClientObservations(db: Queryable, trialId: string): Promise<ClientObservation[]> {
  const { rows } = await sql<ClientObservation>`
    select id, plot, trait, coalesce(value, '') as value, observed_at, collector, external_references,
      state = 'STAGED' as is_staged
    from trial_observations
    where trial_id = ${trialId} and (is_current and state = 'KEPT' or state = 'STAGED')
  `.execute(db);
  return rows;
}

/** A current observation, whether it counts or not. */
export interface CurrentObservation extends Cell {
  id: string;
  value: string | null;
  state: TrialObservation['state'];
  origin: ObservationRow['origin'];
  observed_at: string;
  collector: string | null;
}

/** What stands at some traits of a trial, values that were set aside among it. */
export async function listCurrentOfTraits(
  db: Queryable,
  trialId: string,
  traits: readonly string[],
): Promise<CurrentObservation[]> {
  return await db
    .selectFrom('trial_observations as o')
    .leftJoin('users as author', 'author.id', 'o.created_by')
    .where('o.trial_id', '=', trialId)
    .where('o.is_current', '=', true)
    .where(sql<boolean>`o.trait = any(${traits}::text[])`)
    .select(['o.id', 'o.plot', 'o.trait', 'o.value', 'o.state', 'o.origin', 'o.observed_at', COLLECTOR.as('collector')])
    .orderBy('o.observed_at')
    .execute();
}

/**
 * Ids of the current observations that an observation has become by corrections, and of those that wait: itself when
 * nothing corrects it.
 */
export async function listHeads(db: Queryable, trialId: string, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive chain as (
      select id, is_current, state from trial_observations where trial_id = ${trialId} and id = ${id}::uuid
      union
      select later.id, later.is_current, later.state from trial_observations as later
      join chain on later.trial_id = ${trialId} and later.corrects @> array[chain.id]
    )
    select id from chain where is_current or state = 'STAGED' order by id
  `.execute(db);
  return rows.map((row) => row.id);
}
