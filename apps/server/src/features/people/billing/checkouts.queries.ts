import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

export interface CheckoutRow {
  id: string;
  user_id: string;
  organization_id: string | null;
  organization_name: string | null;
  price_id: string;
  session_id: string | null;
  completed_at: string | null;
}

const rows = (db: Queryable) =>
  db
    .selectFrom('checkouts')
    .leftJoin('organizations', 'organizations.id', 'checkouts.organization_id')
    .select([
      'checkouts.id',
      'checkouts.user_id',
      'checkouts.organization_id',
      'organizations.name as organization_name',
      'checkouts.price_id',
      'checkouts.session_id',
      'checkouts.completed_at',
    ]);

export async function insertCheckout(
  db: Queryable,
  checkout: {
    id: string;
    user_id: string;
    organization_id: string | null;
    price_id: string;
    session_id: string | null;
  },
): Promise<void> {
  await db.insertInto('checkouts').values(checkout).execute();
}

export function findCheckout(db: Queryable, id: string): Promise<CheckoutRow | undefined> {
  return rows(db).where('checkouts.id', '=', id).executeTakeFirst();
}

export function findCheckoutOfSession(db: Queryable, sessionId: string): Promise<CheckoutRow | undefined> {
  return rows(db).where('checkouts.session_id', '=', sessionId).executeTakeFirst();
}

/** Of two completions at once, in two tabs or by the page and an event, the second waits and finds it complete. */
export async function lockCheckout(trx: Queryable, id: string): Promise<void> {
  await sql`select from checkouts where id = ${id} for update`.execute(trx);
}

export async function completeCheckoutRow(trx: Queryable, id: string, organizationId: string): Promise<void> {
  await trx
    .updateTable('checkouts')
    .set({ organization_id: organizationId, completed_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Sessions at the payment service that could still be paid for an organization. */
export async function listOpenSessions(db: Queryable, organizationId: string): Promise<string[]> {
  const open = await db
    .selectFrom('checkouts')
    .select('session_id')
    .where('organization_id', '=', organizationId)
    .where('completed_at', 'is', null)
    .where('session_id', 'is not', null)
    .execute();
  return open.flatMap(({ session_id }) => session_id ?? []);
}
