import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Queryable } from '../../platform/database/database.ts';
import type { Principal } from '../../platform/http/access.ts';
import type { Json } from './envelope.ts';

/** A search is kept this long after it was last sent. */
const KEPT_HOURS = 24;

/**
 * Keeps what was searched for and returns its id, the same for the same search by the same caller. Results are read
 * when they are asked for.
 */
export async function saveSearch(db: Queryable, caller: Principal, list: string, body: Json): Promise<string> {
  const id = idOf(caller, list, body);
  await db
    .insertInto('brapi_searches')
    .values({ id, user_id: caller.userId, list, body: JSON.stringify(body) })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ created_at: sql<string>`now()` }))
    .execute();
  return id;
}

/** Undefined for a search of another caller, or with another token, or that is too old. */
export async function findSearch(
  db: Queryable,
  caller: Principal,
  list: string,
  id: string,
): Promise<Json | undefined> {
  const row = await db
    .selectFrom('brapi_searches')
    .select('body')
    .where('user_id', '=', caller.userId)
    .where('id', '=', id)
    .where('list', '=', list)
    .where('created_at', '>', sql<string>`now() - make_interval(hours => ${KEPT_HOURS})`)
    .executeTakeFirst();
  const body = row?.body as Json | undefined;
  return body !== undefined && idOf(caller, list, body) === id ? body : undefined;
}

/** Deletes searches that nobody asks for any more. */
export async function sweepSearches(db: Queryable): Promise<void> {
  await db
    .deleteFrom('brapi_searches')
    .where('created_at', '<', sql<string>`now() - make_interval(hours => ${KEPT_HOURS})`)
    .execute();
}

function idOf({ userId, projectIds }: Principal, list: string, body: Json): string {
  const scope = projectIds === null ? null : [...projectIds].sort();
  return createHash('sha256')
    .update(JSON.stringify([userId, scope, list, sorted(body)]))
    .digest('hex')
    .slice(0, 40);
}

/** The same value with the fields of its objects in order, as the database may return them in another. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
