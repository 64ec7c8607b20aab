import type { Database } from '../../platform/database/database.ts';
import { Problem } from '../../platform/http/problem.ts';
import { countSignInRequest } from './sign-in-codes.queries.ts';

/** A whole institute may share one address; a mailbox belongs to one person. */
const SIGN_IN_REQUEST_LIMITS = { windowSeconds: 15 * 60, perIp: 100, perEmail: 10 } as const;

/** Refuses a mail when this address or this e-mail has requested too many within a quarter of an hour. */
export async function limitSignInRequests(db: Database, request: { ip: string; email: string }): Promise<void> {
  const outcome = await countSignInRequest(db, request, SIGN_IN_REQUEST_LIMITS);
  if (outcome === 'counted') return;
  const minutes = SIGN_IN_REQUEST_LIMITS.windowSeconds / 60;
  const who = outcome === 'ip-limit' ? 'from your network' : 'with this e-mail address';
  throw new Problem(
    'auth/too-many-requests',
    `Too many sign-in mails were asked for ${who}. Use the newest mail you received, or try again in ${minutes} minutes.`,
    { headers: { 'retry-after': String(SIGN_IN_REQUEST_LIMITS.windowSeconds) } },
  );
}
