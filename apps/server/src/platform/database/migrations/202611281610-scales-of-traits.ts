import { type Kysely, sql } from 'kysely';

/** What values a trait takes, how it is measured, and its id in an ontology. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table project_traits
      -- As \`TraitScale\` of the contracts; null: any value.
      add column scale jsonb,
      add column details text check (length(details) <= 5000),
      add column ontology_id text check (ontology_id <> '' and length(ontology_id) <= 100)
  `.execute(db);
}
