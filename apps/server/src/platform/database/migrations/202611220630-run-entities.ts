import { type Kysely, sql } from 'kysely';

const OWNERS: readonly (readonly [column: string, kind: string])[] = [
  ['file_id', 'file'],
  ['model_id', 'model'],
  ['prediction_id', 'prediction'],
  ['gwas_id', 'gwas'],
  ['crossing_simulation_id', 'crossing_simulation'],
];

/**
 * A kind and an id identify the subject of a run, instead of one nullable column per kind. Such an id cannot be a
 * foreign key: the sweep that deletes the entity deletes its runs (`features/work/runs/sweep/sweep-bin.ts`).
 *
 * The work of a run (`import`, `train` …) is now its `step`; features name their own, so the database no longer lists
 * them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column entity_kind text, add column entity_id uuid`.execute(db);
  const kind = sql.raw(OWNERS.map(([column, name]) => `when ${column} is not null then '${name}'`).join(' '));
  const id = sql.raw(OWNERS.map(([column]) => column).join(', '));
  await sql`update runs set entity_kind = case ${kind} end, entity_id = coalesce(${id})`.execute(db);
  // Dropping a column also drops its index and its part of the old check.
  for (const [column] of OWNERS) await sql`alter table runs drop column ${sql.raw(column)}`.execute(db);
  const kinds = sql.raw(OWNERS.map(([, name]) => `'${name}'`).join(', '));
  await sql`
    alter table runs
      alter column entity_kind set not null,
      alter column entity_id set not null,
      add constraint runs_entity_kind check (entity_kind in (${kinds})),
      drop constraint runs_kind_check
  `.execute(db);
  await sql`alter table runs rename column kind to step`.execute(db);
  await sql`create index runs_entity on runs (entity_id, id)`.execute(db);
}
