import type { Database } from '../../../platform/database/database.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { countSignInRequest } from './sign-in/sign-in-codes.queries.ts';

/** A whole institute may share one address; a mailbox belongs to one person. */
const SIGN_IN_REQUEST_LIMITS = { windowSeconds: 15 * 60, perIp: 100, perEmail: 10 } as const;
/** Who was refused is refused for this long without asking the database. */
const REFUSED_MS = 10_000;
const MAX_REMEMBERED = 10_000;

type Outcome = Awaited<ReturnType<typeof countSignInRequest>>;

/** What one process knows of those who ask, so that a flood costs neither queries nor connections. */
interface Memory {
  /** Of a network or an e-mail address: until when it is refused. */
  refused: Map<string, number>;
  /** The last request of a network that is being counted. */
  counting: Map<string, Promise<unknown>>;
}

const memories = new WeakMap<Database, Memory>();

/** Refuses a mail when this address or this e-mail has requested too many within a quarter of an hour. */
export async function limitSignInRequests(db: Database, request: { ip: string; email: string }): Promise<void> {
  const outcome = await countInTurn(db, request);
  if (outcome === 'counted') return;
  const minutes = SIGN_IN_REQUEST_LIMITS.windowSeconds / 60;
  const who = outcome === 'ip-limit' ? 'from your network' : 'with this e-mail address';
  throw new Problem(
    'auth/too-many-requests',
    `Too many sign-in mails were asked for ${who}. Use the newest mail you received, or try again in ${minutes} minutes.`,
    { headers: { 'retry-after': String(SIGN_IN_REQUEST_LIMITS.windowSeconds) } },
  );
}

/**
 * Counts the requests of one network one after the other. The database does so too, by locks; waiting for them there
 * would take every connection of this process.
 */
async function countInTurn(db: Database, request: { ip: string; email: string }): Promise<Outcome> {
  const memory = memories.get(db) ?? { refused: new Map(), counting: new Map() };
  memories.set(db, memory);
  const { refused, counting } = memory;
  const known = (): Outcome | undefined => {
    if ((refused.get(request.ip) ?? 0) > Date.now()) return 'ip-limit';
    return (refused.get(request.email) ?? 0) > Date.now() ? 'email-limit' : undefined;
  };
  const early = known();
  if (early !== undefined) return early;
  const turn = (counting.get(request.ip) ?? Promise.resolve()).then(async () => {
    const outcome = known() ?? (await countSignInRequest(db, request, SIGN_IN_REQUEST_LIMITS));
    if (outcome !== 'counted' && known() === undefined) {
      if (refused.size >= MAX_REMEMBERED) refused.clear();
      refused.set(outcome === 'ip-limit' ? request.ip : request.email, Date.now() + REFUSED_MS);
    }
    return outcome;
  });
  // The next one does not care how this one ended.
  const ended = turn.catch(() => undefined);
  counting.set(request.ip, ended);
  try {
    return await turn;
  } finally {
    if (counting.get(request.ip) === ended) counting.delete(request.ip);
  }
}
