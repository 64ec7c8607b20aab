import { type Kysely, sql } from 'kysely';

/**
 * The format of a file is one of a list. The first versions wrote those of linkage maps and crossing tables with a
 * blank; a format that no version wrote becomes null, as before a check.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update files set format = replace(format, ' ', '-')`.execute(db);
  const formats = sql`('vcf', 'hapmap', 'plink-binary', 'plink-text', 'flapjack', 'numeric-matrix', 'letter-matrix',
    'wide', 'wide-design', 'long', 'linkage-map', 'crossing-table')`;
  await sql`update files set format = null where format not in ${formats}`.execute(db);
  await sql`alter table files add constraint files_format_check check (format in ${formats})`.execute(db);
}
