import { sql } from 'kysely';
import type { Config } from '../../../../platform/config/config.ts';
import type { Database, Queryable } from '../../../../platform/database/database.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { findUserByEmail, type User, updateEmailVerified, updateUserName } from '../../accounts/index.ts';
import { writeProvenAddress } from '../proven-address.ts';
import type { KeyRing } from '../sessions/key-ring.ts';
import { openAccount, unknownAddress } from './sign-in-link.service.ts';

/** What a sign-in service says of a person. */
export interface ProviderIdentity {
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
}

const MAX_NAME = 201;

/**
 * The account of a person who has signed in elsewhere. Accounts are linked by e-mail address alone, so the service must
 * have verified it: otherwise whoever enters the address of another there would get the account here. Who has no
 * account gets one where registration is open and when invited; otherwise an operator decides: the problem then has a
 * `proof` of the address, with which an account can be asked for at once.
 */
export async function admitVerifiedEmail(
  { db, config, keys }: { db: Database; config: Pick<Config, 'registration'>; keys: KeyRing },
  identity: ProviderIdentity,
  returnTo: string | null,
): Promise<User> {
  if (identity.email === undefined || !identity.emailVerified)
    throw new Problem(
      'auth/account-exists-with-different-credential',
      'The sign-in service does not say that your e-mail address is verified. Verify it there, or sign in by a mailed link.',
    );
  const email = identity.email.toLowerCase();
  const known = await findUserByEmail(db, email);
  if (known === undefined && config.registration === 'approval' && !(await isInvited(db, email)))
    throw await unknownAddress(db, email, {
      proof: await writeProvenAddress(keys, { email, returnTo: returnTo ?? undefined }),
    });
  const user = await updateEmailVerified(db, (known ?? (await openAccount(db, email))).id);
  const name = identity.name?.replace(/\p{Cc}/gu, ' ').trim();
  if (user.name !== null || name === undefined || name === '' || name.length > MAX_NAME) return user;
  return updateUserName(db, user.id, name);
}

async function isInvited(db: Queryable, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where('recipient', '=', email)
    .where('expires_at', '>', sql<string>`now()`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
