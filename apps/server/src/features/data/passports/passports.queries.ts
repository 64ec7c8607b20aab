import type { Reference } from '@heterosis/contracts/common';
import type { ChosenLoci, Passport, PassportTrial } from '@heterosis/contracts/data/passports';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

type Parents = Pick<Passport, 'maternal' | 'paternal'>;

/** The parents of a line with their own parents: what is seen of a line includes them. */
export async function readParents(db: Queryable, organizationId: string, id: string): Promise<Parents> {
  const parent = (side: string) => sql`(
    select jsonb_build_object('id', one.id, 'name', one.name,
      'maternal', case when mother.id is not null then jsonb_build_object('id', mother.id, 'name', mother.name) end,
      'paternal', case when father.id is not null then jsonb_build_object('id', father.id, 'name', father.name) end)
    from germplasm as one
    left join germplasm as mother on mother.id = one.maternal_id
    left join germplasm as father on father.id = one.paternal_id
    where one.id = ${sql.ref(`g.${side}_id`)}) as ${sql.ref(side)}`;
  const { rows } = await sql<Parents>`
    select ${parent('maternal')}, ${parent('paternal')} from germplasm as g
    where g.id = ${id} and g.organization_id = ${organizationId}
  `.execute(db);
  return rows[0] ?? { maternal: null, paternal: null };
}

/** A line of a project, by the names that it has. */
export interface LineOf {
  projectId: string;
  id: string;
  names: readonly string[];
}

const MOST_LISTS = 200;

export async function listListsNaming(db: Queryable, { projectId, names }: LineOf): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select id, name from lists
    where project_id = ${projectId} and kind = 'germplasm' and members && ${names}::text[]
    order by id desc limit ${MOST_LISTS}
  `.execute(db);
  return rows;
}

/** Trials shown; their plots are read for the means of the checks. */
const MOST_TRIALS = 20;

/** A number as people type it, without what PostgreSQL would take besides: `NaN`, `infinity`. */
const NUMBER = '^[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]{1,3})?$';

/** The newest trials in which a line stands, with what was observed of it and of the checks. */
export async function listTrialsWith(db: Queryable, { projectId, id, names }: LineOf): Promise<PassportTrial[]> {
  const { rows } = await sql<PassportTrial>`
    with mine as materialized (
      select plot.trial_id, plot.number, plot.kind
      from trial_plots as plot join trials on trials.id = plot.trial_id
      where trials.project_id = ${projectId} and trials.deleted_at is null and (
        plot.germplasm_id in (select id from germplasm where id = ${id} or merged_into = ${id})
        or plot.germplasm_id is null and plot.entry = any(${names}::text[]))
    ), shown as materialized (
      select trial_id, array_agg(number order by number) as plots, bool_or(kind = 'CHECK') as is_check
      from mine group by trial_id order by trial_id desc limit ${MOST_TRIALS}
    ), counted as (
      select seen.trial_id, seen.trait, plot.kind, plot.number = any(shown.plots) as is_mine,
        case when seen.value ~ ${NUMBER} then seen.value::float8 end as value
      from shown
      join trial_observations as seen on seen.trial_id = shown.trial_id
      join trial_plots as plot on plot.trial_id = seen.trial_id and plot.number = seen.plot
      where seen.is_current and seen.state = 'KEPT' and plot.kind in ('ENTRY', 'CHECK')
    ), observed as (
      select trial_id, trait,
        avg(value) filter (where is_mine) as mean,
        count(value) filter (where is_mine)::int as plots,
        avg(value) filter (where kind = 'CHECK' and not is_mine) as check_mean,
        count(value) filter (where kind = 'CHECK' and not is_mine)::int as check_plots,
        avg(value) as trial_mean
      from counted group by trial_id, trait
      having count(value) filter (where is_mine) > 0
    )
    select trials.id, trials.name, trials.season, trials.location_name, trials.state, shown.plots, shown.is_check,
      (
        select coalesce(jsonb_agg(to_jsonb(observed) - 'trial_id' order by array_position(trials.traits, trait), trait), '[]')
        from observed where observed.trial_id = trials.id
      ) as observed
    from shown join trials on trials.id = shown.trial_id
    order by trials.season desc, trials.id desc
  `.execute(db);
  return rows;
}

/** A marker of a locus, with its place in the genotype file. */
export interface StoredMarker {
  id: string;
  chr: string;
  pos: number;
  place: number;
  a1: string;
  a2: string;
}

export interface StoredLocus {
  locus: string;
  markers: StoredMarker[];
}

interface StoredLoci extends Pick<ChosenLoci, 'chosen_by' | 'chosen_at'> {
  genotype_id: string;
  loci: StoredLocus[];
}

/** The loci that were chosen, unless their file is in the bin. */
export async function findChosenLoci(db: Queryable, projectId: string): Promise<StoredLoci | undefined> {
  return await db
    .selectFrom('passport_loci as one')
    .innerJoin('files', (join) => join.onRef('files.id', '=', 'one.genotype_id').on('files.deleted_at', 'is', null))
    .leftJoin('users', 'users.id', 'one.chosen_by')
    .where('one.project_id', '=', projectId)
    .select(['one.genotype_id', 'one.chosen_at'])
    .select((row) => [
      row.ref('one.loci').$castTo<StoredLocus[]>().as('loci'),
      sql<string | null>`coalesce(users.name, users.email)`.as('chosen_by'),
    ])
    .executeTakeFirst();
}

/** Without loci nothing is chosen. */
export async function storeChosenLoci(
  db: Queryable,
  {
    projectId,
    genotypeId,
    chosenBy,
    loci,
  }: { projectId: string; genotypeId: string; chosenBy: string; loci: StoredLocus[] },
): Promise<void> {
  if (loci.length === 0) {
    await db.deleteFrom('passport_loci').where('project_id', '=', projectId).execute();
    return;
  }
  const row = {
    genotype_id: genotypeId,
    loci: JSON.stringify(loci),
    chosen_by: chosenBy,
    chosen_at: sql<string>`now()`,
  };
  await db
    .insertInto('passport_loci')
    .values({ project_id: projectId, ...row })
    .onConflict((on) => on.column('project_id').doUpdateSet(row))
    .execute();
}
