import { sql } from 'kysely';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';

export interface NewEmailChange {
  userId: string;
  email: string;
  codeHash: Buffer;
  lifetimeSeconds: number;
  /** All other sessions of the person end with the change; null: none. */
  onlySession: string | null;
}

/** A person changes to one address at a time: an earlier request is forgotten. */
export async function replaceEmailChange(db: Queryable, change: NewEmailChange): Promise<void> {
  const row = {
    email: change.email,
    code_hash: change.codeHash,
    only_session: change.onlySession,
    created_at: sql<string>`now()`,
    expires_at: sql<string>`now() + make_interval(secs => ${change.lifetimeSeconds})`,
  };
  await db
    .insertInto('email_changes')
    .values({ user_id: change.userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

export async function deleteEmailChange(db: Queryable, userId: string): Promise<void> {
  await db.deleteFrom('email_changes').where('user_id', '=', userId).execute();
}

/** Consumes a code; of concurrent requests only one succeeds. */
export async function useEmailChange(
  trx: DatabaseTransaction,
  codeHash: Buffer,
): Promise<{ userId: string; email: string; onlySession: string | null } | undefined> {
  return trx
    .deleteFrom('email_changes')
    .using('users')
    .whereRef('users.id', '=', 'email_changes.user_id')
    .where('users.disabled_at', 'is', null)
    .where('email_changes.code_hash', '=', codeHash)
    .where('email_changes.expires_at', '>', sql<string>`now()`)
    .returning(['email_changes.user_id as userId', 'email_changes.email', 'only_session as onlySession'])
    .executeTakeFirst();
}

/** Changes the address, takes back links mailed to the old one, and returns the old one. */
export async function updateEmail(trx: DatabaseTransaction, userId: string, email: string): Promise<string> {
  const { email: old } = await trx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('users')
    .set({ email, email_verified: true, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute();
  await trx.deleteFrom('sign_in_codes').where('user_id', '=', userId).where('used_at', 'is', null).execute();
  return old;
}
