import type { tokenBody } from '@heterosis/contracts/people/auth';
import { decodeJwt, errors } from 'jose';
import type * as z from 'zod';
import type { Config } from '../../../../platform/config/config.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { findUser, type User, updateEmailVerified } from '../../accounts/index.ts';
import { hashSecret } from '../secret-text.ts';
import { type KeyRing, UnknownKeyError } from '../sessions/key-ring.ts';
import { CUSTOM_TOKEN } from '../sessions/token-purposes.ts';
import { admitVerifiedEmail } from './admit.ts';
import type { FirebaseVerifier } from './firebase-tokens.ts';
import { type CodeMethod, findSignInCode, useSignInCode } from './sign-in-codes.queries.ts';

/** What `POST /auth/token` takes as proof of who somebody is. */
export type SignInGrant = Exclude<z.output<typeof tokenBody>, { grant_type: 'refresh_token' | 'second_factor' }>;

/** How somebody signed in, for the audit trail. */
export type SignInMethod = CodeMethod | 'custom_token' | 'invitation' | 'firebase';

export interface DriverContext {
  db: Database;
  keys: KeyRing;
  config: Pick<Config, 'registration'>;
  /** Null where Firebase Authentication is not offered. */
  firebase: FirebaseVerifier | null;
}

interface Proved {
  user: User;
  method: SignInMethod;
}

/** One way to sign in: checks its grant and says who it is, or throws a problem with an `auth/…` code. */
type SignInDriver<Grant> = (context: DriverContext, grant: Grant) => Promise<Proved>;

/** By the grant that they take. OpenID Connect ends in a code, as a mailed link does. */
const DRIVERS: { [Type in SignInGrant['grant_type']]: SignInDriver<Extract<SignInGrant, { grant_type: Type }>> } = {
  email_link: signInByCode,
  custom_token: signInByCustomToken,
  firebase: signInByFirebase,
};

export function prove(context: DriverContext, grant: SignInGrant): Promise<Proved> {
  const driver = DRIVERS[grant.grant_type] as SignInDriver<SignInGrant>;
  return driver(context, grant);
}

async function signInByCode({ db }: DriverContext, { code }: { code: string }): Promise<Proved> {
  const codeHash = hashSecret(code);
  const used = await useSignInCode(db, codeHash);
  if (used === undefined) throw await unusableCode(db, codeHash);
  // Having the code proves access to the mailbox.
  return { user: await updateEmailVerified(db, used.userId), method: used.method };
}

async function signInByCustomToken({ db, keys }: DriverContext, { token }: { token: string }): Promise<Proved> {
  const user = await findUser(db, await readCustomToken(keys, token));
  if (user === undefined)
    throw new Problem('auth/user-not-found', 'The user whom this custom token was made for does not exist any more.');
  return { user, method: 'custom_token' };
}

async function signInByFirebase(context: DriverContext, grant: { id_token: string }): Promise<Proved> {
  const { firebase, db, config, keys } = context;
  if (firebase === null)
    throw new Problem('auth/operation-not-allowed', 'Firebase Authentication is not used here. Ask for a mailed link.');
  return {
    user: await admitVerifiedEmail({ db, config, keys }, await firebase(grant.id_token), null),
    method: 'firebase',
  };
}

async function unusableCode(db: Database, codeHash: Buffer): Promise<Problem> {
  const code = await findSignInCode(db, codeHash);
  if (code === undefined)
    return new Problem(
      'auth/invalid-verification-code',
      'This sign-in link is not valid. Open the newest mail, or ask for a new link.',
    );
  if (code.used_at !== null)
    return new Problem(
      'auth/invalid-verification-code',
      'This sign-in link was used already, or you have signed in since it was mailed. Ask for a new link.',
    );
  return new Problem(
    'auth/code-expired',
    'This sign-in link has expired: it works for 15 minutes. Ask for a new link.',
  );
}

async function readCustomToken(keys: KeyRing, token: string): Promise<string> {
  try {
    if (decodeJwt(token).aud !== CUSTOM_TOKEN.audience)
      throw new Problem(
        'auth/custom-token-mismatch',
        'This custom token was issued for another service or purpose. Make one with `npm run admin -- custom-token EMAIL`.',
      );
    const { sub } = await keys.verify(token, CUSTOM_TOKEN);
    if (sub === undefined) throw new errors.JWTInvalid('no subject');
    return sub;
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      throw new Problem('auth/invalid-custom-token', 'This custom token has expired. Make a new one.', {
        cause: error,
      });
    if (error instanceof errors.JOSEError || error instanceof UnknownKeyError)
      throw new Problem('auth/invalid-custom-token', 'This custom token is not one that this service has signed.', {
        cause: error,
      });
    throw error;
  }
}
