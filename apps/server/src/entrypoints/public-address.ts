import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';

/** Keeps the address of the running server, for commands that mail links from another shell. */
export async function keepPublicUrl(db: Database, publicUrl: string): Promise<void> {
  await db
    .insertInto('installation')
    .values({ public_url: publicUrl })
    .onConflict((conflict) =>
      conflict.column('is_this').doUpdateSet({ public_url: publicUrl, updated_at: sql<string>`now()` }),
    )
    .execute();
}

/** Of the server that was started last; undefined before the first. */
export async function findPublicUrl(db: Database): Promise<string | undefined> {
  return (await db.selectFrom('installation').select('public_url').executeTakeFirst())?.public_url;
}
