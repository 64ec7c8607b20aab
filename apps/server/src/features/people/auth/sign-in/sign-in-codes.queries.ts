import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Database, Queryable } from '../../../../platform/database/database.ts';

/** What the code stands for: the link of a mail, or a sign-in at a provider. */
export type CodeMethod = 'email_link' | 'oidc';

export interface NewSignInCode {
  userId: string;
  codeHash: Buffer;
  returnTo: string | null;
  method: CodeMethod;
  lifetimeSeconds: number;
}

export async function insertSignInCode(db: Queryable, code: NewSignInCode): Promise<void> {
  await db
    .insertInto('sign_in_codes')
    .values({
      id: uuidv7(),
      user_id: code.userId,
      code_hash: code.codeHash,
      return_to: code.returnTo,
      method: code.method,
      expires_at: sql`now() + make_interval(secs => ${code.lifetimeSeconds})`,
    })
    .execute();
}

/** Consumes a code and returns its user; of concurrent requests only one succeeds. */
export function useSignInCode(
  db: Queryable,
  codeHash: Buffer,
): Promise<{ userId: string; method: CodeMethod } | undefined> {
  return db
    .updateTable('sign_in_codes')
    .set({ used_at: sql`now()` })
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .returning(['user_id as userId', 'method'])
    .executeTakeFirst();
}

/** Ends the mailed links of a user that were not used. Those of providers last a minute and belong to a tab. */
export async function endMailedCodes(db: Queryable, userId: string): Promise<void> {
  await db
    .updateTable('sign_in_codes')
    .set({ used_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('method', '=', 'email_link')
    .where('used_at', 'is', null)
    .execute();
}

/** Why a code was refused. */
export function findSignInCode(db: Queryable, codeHash: Buffer): Promise<{ used_at: string | null } | undefined> {
  return db.selectFrom('sign_in_codes').select('used_at').where('code_hash', '=', codeHash).executeTakeFirst();
}

export interface RequestLimits {
  windowSeconds: number;
  perIp: number;
  perEmail: number;
}

/**
 * Counts a request for a mail, or returns the limit that is reached. Requests of one address and for one
 * e-mail are serialised, so that concurrent ones cannot all see a low count.
 */
export async function countSignInRequest(
  db: Database,
  { ip, email }: { ip: string; email: string },
  { windowSeconds, perIp, perEmail }: RequestLimits,
): Promise<'counted' | 'ip-limit' | 'email-limit'> {
  return db.transaction().execute(async (trx) => {
    // Always lock in this order, to avoid deadlocks.
    await sql`select pg_advisory_xact_lock(1, hashtext(${ip}))`.execute(trx);
    await sql`select pg_advisory_xact_lock(2, hashtext(${email}))`.execute(trx);
    const since = sql<string>`now() - make_interval(secs => ${windowSeconds})`;
    await trx.deleteFrom('sign_in_requests').where('created_at', '<', since).execute();
    const { from_ip, for_email } = await trx
      .selectFrom('sign_in_requests')
      .select((select) => [
        select.fn.countAll<number>().filterWhere('ip', '=', ip).as('from_ip'),
        select.fn.countAll<number>().filterWhere('email', '=', email).as('for_email'),
      ])
      .where((where) => where.or([where('ip', '=', ip), where('email', '=', email)]))
      .executeTakeFirstOrThrow();
    if (from_ip >= perIp) return 'ip-limit';
    if (for_email >= perEmail) return 'email-limit';
    await trx.insertInto('sign_in_requests').values({ id: uuidv7(), ip, email }).execute();
    return 'counted';
  });
}
