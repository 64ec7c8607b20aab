import { type Kysely, sql } from 'kysely';

/** Annotations of genes are files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const types = sql`('GENOTYPE', 'PHENOTYPE', 'CROSSING_TABLE', 'LINKAGE_MAP', 'PEDIGREE', 'GENES')`;
  for (const table of ['files', 'uploads']) {
    const constraint = sql.id(`${table}_file_type_check`);
    await sql`
      alter table ${sql.table(table)}
        drop constraint ${constraint},
        add constraint ${constraint} check (file_type in ${types})
    `.execute(db);
  }
  const formats = sql`('vcf', 'hapmap', 'plink-binary', 'plink-text', 'flapjack', 'numeric-matrix', 'letter-matrix',
    'wide', 'wide-design', 'long', 'linkage-map', 'crossing-table', 'pedigree', 'genes')`;
  await sql`
    alter table files
      drop constraint files_format_check,
      add constraint files_format_check check (format in ${formats})
  `.execute(db);
}
