import { type Kysely, sql } from 'kysely';

/** Tables of one dosage a row (updog, fitPoly) are a format of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const formats = sql`('vcf', 'hapmap', 'plink-binary', 'plink-text', 'plink2', 'flapjack', 'numeric-matrix',
    'letter-matrix', 'kasp', 'dart', 'long-dosages', 'wide', 'wide-design', 'long', 'linkage-map', 'crossing-table',
    'pedigree', 'genes')`;
  await sql`
    alter table files
      drop constraint files_format_check,
      add constraint files_format_check check (format in ${formats})
  `.execute(db);
}
