import type { AnswerOf, InputOf } from '@heterosis/contracts/endpoint';
import type { billingApi } from '@heterosis/contracts/endpoints/people/billing';
import { type Checkout, MINIMUM_SEATS } from '@heterosis/contracts/people/billing';
import { uuidv7 } from 'uuidv7';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { SignedInCall } from '../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { findUser } from '../accounts/index.ts';
import { countSeats, insertOrganization } from '../organizations/index.ts';
import { requireOwner } from './billing-access.ts';
import type { BillingDriver, CompletedCheckout } from './billing-driver.ts';
import {
  type CheckoutRow,
  completeCheckoutRow,
  findCheckout,
  insertCheckout,
  listOpenSessions,
  lockCheckout,
} from './checkouts.queries.ts';
import { applyToOrganization } from './store-subscription.ts';
import {
  findCurrentSubscription,
  findPayer,
  lockSeats,
  lockSubscription,
  upsertSubscription,
} from './subscriptions.queries.ts';

type Context = Pick<Services, 'db' | 'logger'> & { driver: BillingDriver };

type CheckoutCall = SignedInCall & { driver: BillingDriver };

/** Opens a checkout for an organization, or for a new one that is made once the checkout is complete. */
export async function openCheckout(
  { services: { db }, principal, driver }: CheckoutCall,
  { body: { price_id, organization_id } }: InputOf<typeof billingApi.openCheckout>,
): Promise<AnswerOf<typeof billingApi.openCheckout>> {
  if (organization_id !== undefined) {
    await requireOwner(db, principal, organization_id);
    await requireUnsubscribed(db, organization_id);
  }
  const price = (await driver.listPrices()).find(({ id }) => id === price_id);
  if (price === undefined)
    throw new Problem('billing/unknown-price', 'This price is not offered any more. Reload the page and choose again.');
  const organization = organization_id === undefined ? undefined : await findOrganization(db, organization_id);
  if (organization_id !== undefined)
    for (const session of await listOpenSessions(db, organization_id)) await driver.closeCheckout(session);
  const id = uuidv7();
  const { url, sessionId } = await driver.openCheckout({
    id,
    price,
    organizationName: organization?.name ?? null,
    minimumSeats: Math.max(MINIMUM_SEATS, organization?.seatUsage ?? 0),
    customerId: organization?.customerId ?? null,
    email: principal.email,
    backTo: organization_id === undefined ? '/projects?modal=create-org' : `/organizations/${organization_id}/billing`,
  });
  await insertCheckout(db, {
    id,
    user_id: principal.userId,
    organization_id: organization_id ?? null,
    price_id,
    session_id: sessionId,
  });
  return { url };
}

/** A checkout is the business of the person who began it. */
export async function readCheckout(
  { services: { db }, principal, driver }: CheckoutCall,
  { id }: InputOf<typeof billingApi.readCheckout>,
): Promise<Checkout> {
  const row = await ownCheckout(db, principal.userId, id);
  return {
    id,
    status: row.completed_at === null ? 'open' : 'complete',
    price: (await driver.listPrices()).find((price) => price.id === row.price_id) ?? null,
    organization_id: row.organization_id,
    organization_name: row.organization_name,
    confirmed_here: row.session_id === null,
  };
}

/**
 * Completes a checkout: makes the organization of a new customer and gives it the seats. Done once, whether the page
 * asks, twice at a time, or an event of the payment service.
 */
export async function confirmCheckout(
  { services: { db, logger }, principal, requestId, driver }: CheckoutCall,
  { id, body }: InputOf<typeof billingApi.confirmCheckout>,
): Promise<AnswerOf<typeof billingApi.confirmCheckout>> {
  const row = await ownCheckout(db, principal.userId, id);
  if (row.organization_id !== null && row.completed_at === null) await requireOwner(db, principal, row.organization_id);
  return { organization_id: await complete({ db, logger, driver }, id, { ...body, requestId }) };
}

/** What the payment service reported as paid; the same as {@link confirmCheckout} without a person. */
export async function completePaidCheckout(context: Context, id: string): Promise<void> {
  await complete(context, id, {});
}

interface Answers {
  organization_name?: string | undefined;
  quantity?: number | undefined;
  requestId?: string | undefined;
}

async function complete({ db, driver, logger }: Context, id: string, answers: Answers): Promise<string> {
  return await db.transaction().execute(async (trx) => {
    await lockCheckout(trx, id);
    const row = await findCheckout(trx, id);
    if (row === undefined) throw notFound('This checkout');
    if (row.completed_at !== null && row.organization_id !== null) return row.organization_id;
    const quantity = await chooseSeats(trx, row, answers.quantity);
    if (row.session_id === null && row.organization_id === null && answers.organization_name === undefined)
      throw new Problem('request/invalid', 'Give the new organization a name.', {
        invalidParams: [{ name: 'body.organization_name', reason: 'A name is required' }],
      });
    const price = (await driver.listPrices()).find((one) => one.id === row.price_id);
    const completed = await driver.completeCheckout(
      { sessionId: row.session_id, price },
      { organizationName: answers.organization_name, quantity },
    );
    if (completed === undefined)
      throw new Problem(
        'billing/not-paid',
        'The payment has not arrived yet. This page goes on by itself once it has; nothing is lost when you close it.',
      );
    await lockSubscription(trx, completed.subscription.id);
    // Read again under the lock: an event may have come in between.
    const subscription = await driver.readSubscription(completed.subscription);
    const organizationId = await organizationOf(trx, row, completed);
    const current = await findCurrentSubscription(trx, organizationId);
    const isSecond = current !== undefined && current.state !== 'cancelled';
    const kept = isSecond ? await driver.cancel(subscription, 'now') : subscription;
    await upsertSubscription(trx, organizationId, kept);
    if (isSecond) logger.error({ organizationId, subscription: kept.id }, 'paid twice: cancelled, to be paid back');
    else await applyToOrganization(trx, organizationId, kept);
    await driver.recordCharge(trx, organizationId, { subscription: kept });
    await completeCheckoutRow(trx, id, organizationId);
    await recordAuditEvent(trx, {
      action: 'billing.checkout-confirmed',
      actor: await actorOf(trx, row.user_id),
      organizationId,
      targetType: 'subscription',
      targetId: kept.id,
      details: { seats: kept.quantity, price_id: kept.price.id, state: kept.state },
      requestId: answers.requestId,
    });
    return organizationId;
  });
}

/** The seats that our own page asks for; the payment service has asked itself. */
async function chooseSeats(trx: Queryable, row: CheckoutRow, asked: number | undefined): Promise<number> {
  if (row.organization_id === null || row.session_id !== null) return asked ?? MINIMUM_SEATS;
  await requireUnsubscribed(trx, row.organization_id);
  await lockSeats(trx, row.organization_id);
  const used = await countSeats(trx, row.organization_id);
  const quantity = asked ?? Math.max(MINIMUM_SEATS, used);
  if (quantity < used) throw seatsInUse(used);
  return quantity;
}

export function seatsInUse(used: number): Problem {
  return new Problem(
    'billing/seats-in-use',
    `${used} seats are in use. Remove members or withdraw invitations first, or keep at least ${used} seats.`,
    { details: { seat_usage: used } },
  );
}

async function organizationOf(trx: Queryable, row: CheckoutRow, { organizationName }: CompletedCheckout) {
  if (row.organization_id !== null) return row.organization_id;
  const id = await insertOrganization(trx, organizationName ?? 'New organization', row.user_id);
  await publishEvent(trx, { type: 'organization', id, organization_id: id, project_id: null, user_ids: [row.user_id] });
  return id;
}

async function requireUnsubscribed(db: Queryable, organizationId: string): Promise<void> {
  const current = await findCurrentSubscription(db, organizationId);
  if (current === undefined || current.state === 'cancelled') return;
  throw new Problem(
    'billing/already-subscribed',
    'The organization has a subscription already. Change its seats on the billing page.',
  );
}

async function findOrganization(db: Queryable, id: string) {
  const { name } = await findPayer(db, id);
  const current = await findCurrentSubscription(db, id);
  return { name, seatUsage: await countSeats(db, id), customerId: current?.customerId ?? null };
}

async function ownCheckout(db: Queryable, userId: string, id: string): Promise<CheckoutRow> {
  const row = isUuid(id) ? await findCheckout(db, id) : undefined;
  if (row === undefined || row.user_id !== userId) throw notFound('This checkout');
  return row;
}

/** Who began the checkout; undefined when the account is gone. */
async function actorOf(db: Queryable, userId: string): Promise<{ userId: string; email: string } | undefined> {
  const user = await findUser(db, userId);
  return user && { userId, email: user.email };
}
