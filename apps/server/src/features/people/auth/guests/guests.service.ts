import type { GuestSession } from '@heterosis/contracts/people/guests';
import type { Database } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { Call } from '../../../../platform/http/bind.ts';
import { GUEST_TOKEN_PREFIX } from '../../../../platform/http/guests.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import type { KeyRing } from '../sessions/key-ring.ts';
import { GUEST_TOKEN, GUEST_TOKEN_SECONDS } from '../sessions/token-purposes.ts';
import { findDemoProject } from './guests.queries.ts';

/** A new token is made this often, and handed to all who ask in between: a guest leaves nothing behind. */
const SHARED_MS = 60_000;
/** How long it is believed that there is no demo. */
const ABSENT_MS = 5_000;

interface Shared {
  session: Promise<GuestSession | undefined>;
  until: number;
}

const shared = new WeakMap<Database, Shared>();

/** A token that reads the demo. Guests are in no table, and have no part in an organization. */
export async function openGuestSession({ services, keys }: Call & { keys: KeyRing }): Promise<GuestSession> {
  const { db, config } = services;
  const session = config.demo ? await sharedSession(db, keys) : undefined;
  if (session === undefined)
    throw new Problem('auth/no-demo', 'This installation has no demo, or it is still being made.');
  return session;
}

/** Whether visitors can look at a demo here. */
export const offersDemo = async ({ db, config }: Pick<Services, 'db' | 'config'>, keys: KeyRing): Promise<boolean> =>
  config.demo && (await sharedSession(db, keys)) !== undefined;

function sharedSession(db: Database, keys: KeyRing): Promise<GuestSession | undefined> {
  const known = shared.get(db);
  if (known !== undefined && known.until > Date.now()) return known.session;
  const made: Shared = { session: makeSession(db, keys), until: Date.now() + SHARED_MS };
  shared.set(db, made);
  const forgetSoon = (session?: GuestSession): void => {
    if (session === undefined) made.until = Math.min(made.until, Date.now() + ABSENT_MS);
  };
  made.session.then(forgetSoon, () => forgetSoon());
  return made.session;
}

async function makeSession(db: Database, keys: KeyRing): Promise<GuestSession | undefined> {
  const projectId = await findDemoProject(db);
  if (projectId === undefined) return undefined;
  const token = await keys.sign(
    { sub: 'guest', project_id: projectId },
    { ...GUEST_TOKEN, expiresInSeconds: GUEST_TOKEN_SECONDS },
  );
  // Whoever gets it last has it this long.
  const expiresIn = GUEST_TOKEN_SECONDS - SHARED_MS / 1000;
  return { access_token: GUEST_TOKEN_PREFIX + token, expires_in: expiresIn, project_id: projectId };
}
