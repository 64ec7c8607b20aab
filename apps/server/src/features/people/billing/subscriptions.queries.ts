import type { BillingState } from '@heterosis/contracts/people/billing';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import type { SubscriptionState } from './billing-driver.ts';

export interface StoredSubscription extends SubscriptionState {
  organizationId: string;
  /** The one that counts: an organization that subscribed again has ended ones too. */
  isCurrent: boolean;
}

const rows = (db: Queryable) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('organizations', 'organizations.id', 'subscriptions.organization_id')
    .select([
      'subscriptions.id',
      'subscriptions.organization_id',
      'subscriptions.customer_id',
      'subscriptions.price_id',
      'subscriptions.nickname',
      'subscriptions.unit_amount',
      'subscriptions.currency',
      'subscriptions.quantity',
      'subscriptions.state',
      'subscriptions.current_period_end',
      'subscriptions.cancel_at_period_end',
      'organizations.subscription_id',
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;

const toSubscription = (row: Row): StoredSubscription => ({
  id: row.id,
  organizationId: row.organization_id,
  isCurrent: row.subscription_id === row.id,
  customerId: row.customer_id,
  price: { id: row.price_id, nickname: row.nickname, unit_amount: row.unit_amount, currency: row.currency },
  quantity: row.quantity,
  state: row.state,
  currentPeriodEnd: row.current_period_end,
  cancelAtPeriodEnd: row.cancel_at_period_end,
});

export async function findSubscription(db: Queryable, id: string): Promise<StoredSubscription | undefined> {
  const row = await rows(db).where('subscriptions.id', '=', id).executeTakeFirst();
  return row && toSubscription(row);
}

/** The subscription that counts for an organization, also when it has ended. */
export async function findCurrentSubscription(
  db: Queryable,
  organizationId: string,
): Promise<StoredSubscription | undefined> {
  const row = await rows(db)
    .where('organizations.id', '=', organizationId)
    .whereRef('organizations.subscription_id', '=', 'subscriptions.id')
    .executeTakeFirst();
  return row && toSubscription(row);
}

/** What an organization is called, and what it has paid for. */
export const findPayer = (
  db: Queryable,
  organizationId: string,
): Promise<{ name: string; seat_total: number; billing_state: BillingState }> =>
  db
    .selectFrom('organizations')
    .select(['name', 'seat_total', 'billing_state'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();

/** Organizations of which a user is an owner and that have a subscription. */
export async function listSubscribedOrganizations(db: Queryable, userId: string): Promise<string[]> {
  const owned = await db
    .selectFrom('organizations')
    .innerJoin('organization_members as member', 'member.organization_id', 'organizations.id')
    .select('organizations.id')
    .where('member.user_id', '=', userId)
    .where('member.role', '=', 'OWNER')
    .where('organizations.subscription_id', 'is not', null)
    .where('organizations.deleted_at', 'is', null)
    .limit(2)
    .execute();
  return owned.map(({ id }) => id);
}

/** Subscriptions that nobody renews but us, and whose year has ended. */
export async function listEndedPeriods(db: Queryable): Promise<string[]> {
  const ended = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('customer_id', 'is', null)
    .where('state', '=', 'active')
    .where('current_period_end', '<=', sql<string>`now()`)
    .orderBy('id')
    .execute();
  return ended.map(({ id }) => id);
}

export async function upsertSubscription(
  db: Queryable,
  organizationId: string,
  { id, customerId, price, quantity, state, currentPeriodEnd, cancelAtPeriodEnd }: SubscriptionState,
): Promise<void> {
  const values = {
    customer_id: customerId,
    price_id: price.id,
    nickname: price.nickname,
    unit_amount: price.unit_amount,
    currency: price.currency,
    quantity,
    state,
    current_period_end: currentPeriodEnd,
    cancel_at_period_end: cancelAtPeriodEnd,
  };
  await db
    .insertInto('subscriptions')
    .values({ id, organization_id: organizationId, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...values, updated_at: sql<string>`now()` }))
    .execute();
}

/**
 * Serialises everything that reads a subscription of the payment service and stores its state, until the transaction
 * ends. It also works before the subscription is stored.
 */
export async function lockSubscription(trx: Queryable, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`subscription ${id}`}, 0))`.execute(trx);
}

/** Locks the seats of an organization until the transaction ends, as invitations do. */
export async function lockSeats(trx: Queryable, organizationId: string): Promise<void> {
  await sql`select from organizations where id = ${organizationId} for update`.execute(trx);
}

/** False when the event has been dealt with before. Of two deliveries at once the second waits for the first. */
export async function insertBillingEvent(trx: Queryable, { id, type }: { id: string; type: string }): Promise<boolean> {
  const inserted = await trx
    .insertInto('billing_events')
    .values({ id, type })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}
