import type { TrialPlots } from '@heterosis/contracts/data/trials';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { survivorsOf } from '../germplasm/index.ts';
import type { ClientDetails } from './client-details.ts';
import type { PlotRow } from './layout.ts';

const ROWS_PER_INSERT = 2_000;

export async function insertPlots(db: Queryable, trialId: string, plots: readonly PlotRow[]): Promise<void> {
  for (let first = 0; first < plots.length; first += ROWS_PER_INSERT)
    await db
      .insertInto('trial_plots')
      .values(
        plots.slice(first, first + ROWS_PER_INSERT).map(({ client_details: details, ...plot }) => ({
          ...{ trial_id: trialId, ...plot },
          client_details: details == null ? null : JSON.stringify(details),
        })),
      )
      .execute();
}

/** All plots of a trial, or some of them by number. */
export async function deletePlots(db: Queryable, trialId: string, numbers?: readonly number[]): Promise<void> {
  await db
    .deleteFrom('trial_plots')
    .where('trial_id', '=', trialId)
    .$if(numbers !== undefined, (query) => query.where(sql<boolean>`number = any(${numbers ?? []}::int[])`))
    .execute();
}

export async function updatePlotDetails(
  db: Queryable,
  trialId: string,
  { number, client_details: details }: Pick<PlotRow, 'number' | 'client_details'>,
): Promise<void> {
  await db
    .updateTable('trial_plots')
    .set({ client_details: details == null ? null : JSON.stringify(details) })
    .where('trial_id', '=', trialId)
    .where('number', '=', number)
    .execute();
}

/**
 * The plots of a trial, or some of them by number; entries under the names that the germplasm list has today, also
 * after a merge.
 */
export async function listPlots(db: Queryable, trialId: string, numbers?: readonly number[]): Promise<PlotRow[]> {
  return await db
    .selectFrom('trial_plots as plot')
    .leftJoin(
      survivorsOf(sql`select germplasm_id from trial_plots where trial_id = ${trialId}`).as<'germplasm'>(
        sql.ref('germplasm'),
      ),
      'germplasm.stored_id',
      'plot.germplasm_id',
    )
    .where('plot.trial_id', '=', trialId)
    .$if(numbers !== undefined, (query) => query.where(sql<boolean>`plot.number = any(${numbers ?? []}::int[])`))
    .select([
      'plot.number',
      'plot.name',
      'plot.row',
      'plot.column',
      'plot.replicate',
      'plot.block',
      'plot.treatment',
      'plot.kind',
      'germplasm.id as germplasm_id',
    ])
    .select(sql<string | null>`coalesce(germplasm.name, plot.entry)`.as('entry'))
    .select((plot) => plot.ref('plot.client_details').$castTo<ClientDetails | null>().as('client_details'))
    .orderBy('plot.number')
    .execute();
}

/** As columns, each entry once. */
export function plotColumns(plots: readonly PlotRow[]): Omit<TrialPlots, 'version'> {
  const places = new Map<string, number>();
  const entries: TrialPlots['entries'] = [];
  const entry = plots.map(({ germplasm_id, entry: name }) => {
    if (name === null) return null;
    const key = germplasm_id ?? ` ${name}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, entries.length);
    return entries.push({ germplasm_id, name }) - 1;
  });
  return {
    entries,
    number: plots.map(({ number }) => number),
    name: plots.map(({ name }) => name),
    row: plots.map(({ row }) => row),
    column: plots.map(({ column }) => column),
    replicate: plots.map(({ replicate }) => replicate),
    block: plots.map(({ block }) => block),
    entry,
    kind: plots.map(({ kind }) => kind),
    treatment: plots.map(({ treatment }) => treatment),
  };
}

/** Swaps what stands on two plots: the line, its treatment, and what clients call the treatment's factor. */
export async function swapEntries(db: Queryable, trialId: string, one: number, other: number): Promise<void> {
  await sql`
    update trial_plots as p set kind = q.kind, entry = q.entry, germplasm_id = q.germplasm_id, treatment = q.treatment,
      client_details = nullif(
        (coalesce(p.client_details, '{}') - 'factor')
          || coalesce(jsonb_strip_nulls(jsonb_build_object('factor', q.client_details -> 'factor')), '{}'),
        '{}'
      )
    from trial_plots as q
    where p.trial_id = ${trialId} and q.trial_id = ${trialId}
      and (p.number, q.number) in ((${one}::int, ${other}::int), (${other}::int, ${one}::int))
  `.execute(db);
}

/** Ids of germplasm of a crop by name. */
export async function findGermplasmIds(
  db: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select g.id, g.name from germplasm as g join projects on projects.crop_id = g.crop_id
    where projects.id = ${projectId} and g.deleted_at is null and g.name = any(${names}::text[])
  `.execute(db);
  return new Map(rows.map(({ id, name }) => [name, id]));
}
