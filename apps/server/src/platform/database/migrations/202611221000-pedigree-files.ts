import { type Kysely, sql } from 'kysely';

/** Pedigrees are files, and a model may use one beside its genotype. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const types = sql`('GENOTYPE', 'PHENOTYPE', 'CROSSING_TABLE', 'LINKAGE_MAP', 'PEDIGREE')`;
  for (const table of ['files', 'uploads']) {
    const constraint = sql.id(`${table}_file_type_check`);
    await sql`
      alter table ${sql.table(table)}
        drop constraint ${constraint},
        add constraint ${constraint} check (file_type in ${types})
    `.execute(db);
  }
  const formats = sql`('vcf', 'hapmap', 'plink-binary', 'plink-text', 'flapjack', 'numeric-matrix', 'letter-matrix',
    'wide', 'wide-design', 'long', 'linkage-map', 'crossing-table', 'pedigree')`;
  await sql`
    alter table files
      drop constraint files_format_check,
      add constraint files_format_check check (format in ${formats})
  `.execute(db);
  await sql`
    alter table models
      add column pedigree_id uuid,
      add constraint models_pedigree_id foreign key (pedigree_id, project_id)
        references files (id, project_id) on delete set null (pedigree_id)
  `.execute(db);
  await sql`create index models_pedigree_id on models (pedigree_id, project_id)`.execute(db);
}
