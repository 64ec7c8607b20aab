import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { expect, test } from 'vitest';
import { up } from './migrations/202611220750-file-formats.ts';
import { createTestDatabase } from './testing.ts';

test('formats that older versions stored get the spelling of today', async () => {
  const { db, close } = await createTestDatabase();
  try {
    await db.transaction().execute(async (trx) => {
      await sql`alter table files drop constraint files_format_check`.execute(trx);
      // Rows without the project they belong to: the migration reads nothing else.
      await sql`set local session_replication_role = replica`.execute(trx);
      const stored = ['vcf', 'linkage map', 'crossing table', 'crossing-table', 'wide-design', 'other', null];
      for (const [k, format] of stored.entries())
        await sql`
          insert into files (id, project_id, name, content_type, size_bytes, storage_key, format)
          values (${uuidv7()}, ${uuidv7()}, ${`f${k}`}, 'text/plain', 1, ${`k${k}`}, ${format})
        `.execute(trx);
      // Kysely types of a known schema do not fit those of none.
      await up(trx as never);
      const { rows } = await sql<{ format: string | null }>`select format from files order by name`.execute(trx);
      expect(rows.map(({ format }) => format)).toEqual([
        'vcf',
        'linkage-map',
        'crossing-table',
        'crossing-table',
        'wide-design',
        null,
        null,
      ]);
    });
    const insert = db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`
        insert into files (id, project_id, name, content_type, size_bytes, storage_key, format)
        values (${uuidv7()}, ${uuidv7()}, 'g', 'text/plain', 1, 'k', 'other')
      `.execute(trx);
    });
    await expect(insert).rejects.toThrow(/files_format_check/);
  } finally {
    await close();
  }
});
