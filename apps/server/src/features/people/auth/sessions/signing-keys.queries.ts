import { sql } from 'kysely';
import type { Database, Queryable } from '../../../../platform/database/database.ts';

export interface SigningKeyRow {
  /** The `kid`. */
  id: string;
  public_jwk: unknown;
  private_key_sealed: string;
  created_at: string;
  retired_at: string | null;
}

/** Newest first; a retired key is listed while its tokens may still be valid. */
export function listSigningKeys(db: Queryable, graceSeconds: number): Promise<SigningKeyRow[]> {
  return db
    .selectFrom('signing_keys')
    .select(['id', 'public_jwk', 'private_key_sealed', 'created_at', 'retired_at'])
    .where((where) =>
      where.or([
        where('retired_at', 'is', null),
        where('retired_at', '>', sql<string>`now() - make_interval(secs => ${graceSeconds})`),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

export interface NewSigningKey {
  id: string;
  publicJwk: object;
  privateKeySealed: string;
}

/** Stores the first key, unless another process has done so. */
export async function insertFirstSigningKey(db: Database, key: NewSigningKey): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockSigningKeys(trx);
    const current = await trx
      .selectFrom('signing_keys')
      .select('id')
      .where('retired_at', 'is', null)
      .executeTakeFirst();
    if (current === undefined) await insertSigningKey(trx, key);
  });
}

/** Makes `key` the signing key. The others keep verifying for a while, or are deleted with `revokeOthers`. */
export async function replaceSigningKey(db: Database, key: NewSigningKey, revokeOthers: boolean): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockSigningKeys(trx);
    if (revokeOthers) await trx.deleteFrom('signing_keys').execute();
    else
      await trx.updateTable('signing_keys').set({ retired_at: sql`now()` }).where('retired_at', 'is', null).execute();
    await insertSigningKey(trx, key);
  });
}

async function insertSigningKey(db: Queryable, key: NewSigningKey): Promise<void> {
  await db
    .insertInto('signing_keys')
    .values({ id: key.id, public_jwk: JSON.stringify(key.publicJwk), private_key_sealed: key.privateKeySealed })
    .execute();
}

/** Until the end of the transaction. */
async function lockSigningKeys(db: Queryable): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('heterosis signing keys'))`.execute(db);
}
