import type { Page } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { billingApi } from '@heterosis/contracts/endpoints/people/billing';
import type { Billing, Invoice, Price, Subscription } from '@heterosis/contracts/people/billing';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { Call, Download, OrganizationCall, SignedInCall } from '../../../platform/http/bind.ts';
import { escapeMarkup } from '../../../platform/http/document/escape-markup.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { countSeats, type EndSubscription } from '../organizations/index.ts';
import { requireCurrentSubscription, requireOwnSubscription, requireSubscription } from './billing-access.ts';
import type { BillingDriver, CardDriver, SubscriptionState } from './billing-driver.ts';
import { seatsInUse } from './checkouts.service.ts';
import { findInvoice } from './invoices.queries.ts';
import { yearAfter } from './offline-driver.ts';
import { type Cause, storeSubscription } from './store-subscription.ts';
import {
  findCurrentSubscription,
  findPayer,
  findSubscription,
  insertBillingEvent,
  listEndedPeriods,
  lockSeats,
  lockSubscription,
  type StoredSubscription,
} from './subscriptions.queries.ts';

type Context = Pick<Services, 'db'> & { driver: BillingDriver };

/** What the wiring supplies. */
interface Paid {
  driver: BillingDriver;
}

/** The most expensive first. */
export async function listPrices({ driver }: Call & Paid): Promise<{ data: Price[] }> {
  const prices = await driver.listPrices();
  return { data: prices.sort((a, b) => b.unit_amount - a.unit_amount || (a.id < b.id ? -1 : 1)) };
}

export async function readSubscription(
  { services: { db }, principal }: SignedInCall,
  { id }: InputOf<typeof billingApi.readSubscription>,
): Promise<Subscription> {
  return toSubscription(await requireSubscription(db, principal, id));
}

/** Plan, seats, the next invoice and the card of an organization. */
export async function readBilling({
  services: { db },
  access: { organizationId },
  driver,
}: OrganizationCall & Paid): Promise<Billing> {
  const current = await findCurrentSubscription(db, organizationId);
  const { seat_total, billing_state } = await findPayer(db, organizationId);
  const payment = current === undefined ? undefined : await driver.readPayment(current);
  return {
    organization_id: organizationId,
    kind: driver.kind,
    state: billing_state,
    seat_total,
    seat_usage: await countSeats(db, organizationId),
    subscription: current === undefined ? null : toSubscription(current),
    next_invoice: payment?.next_invoice ?? null,
    payment_method: payment?.payment_method ?? null,
  };
}

/**
 * Sets the seats of a subscription, at once and for the rest of the year. The organization's seats are locked
 * meanwhile, so that nobody is invited to a seat that is being given up.
 */
export async function changeSeats(
  call: OrganizationCall & Paid,
  { body: { quantity, price_id, expected_quantity, organization_id } }: InputOf<typeof billingApi.changeSeats>,
): Promise<Subscription> {
  const {
    access: { organizationId },
    driver,
  } = call;
  if (organization_id !== organizationId)
    throw new Problem('request/invalid', 'organization_id differs from that in the address.', {
      invalidParams: [{ name: 'body.organization_id', reason: 'differs from the address' }],
    });
  const prices = await driver.listPrices();
  return await changeCurrent(call, organizationId, async (trx, known) => {
    requireActive(known);
    if (expected_quantity !== undefined && expected_quantity !== known.quantity)
      throw new Problem(
        'billing/seats-changed',
        `Somebody else has changed the plan meanwhile: it has ${known.quantity} seats now. Look at it and try again.`,
        { details: { quantity: known.quantity } },
      );
    const price =
      prices.find(({ id }) => id === price_id) ?? (known.price.id === price_id ? priceOf(known) : undefined);
    if (price === undefined || price.currency !== known.price.currency)
      throw new Problem('billing/unknown-price', 'This price is not offered for the subscription.');
    await lockSeats(trx, organizationId);
    const used = await countSeats(trx, organizationId);
    if (quantity < known.quantity && quantity < used) throw seatsInUse(used);
    if (quantity === known.quantity && price.id === known.price.id) return known;
    const changed = await driver.changeSeats(known, quantity, price);
    await driver.recordCharge(trx, organizationId, { subscription: changed, before: known });
    return changed;
  });
}

/** The subscription ends with the year that is paid for, or at once when that year is not paid. */
export function cancelSubscription(call: OrganizationCall & Paid): Promise<Subscription> {
  return changeCurrent(call, call.access.organizationId, (_, known) => endOf(call.driver, known));
}

export function resumeSubscription(call: OrganizationCall & Paid): Promise<Subscription> {
  return changeCurrent(call, call.access.organizationId, (_, known) => {
    requireActive(known);
    return known.cancelAtPeriodEnd ? call.driver.resume(known) : known;
  });
}

/** For an organization that is being deleted. */
export function endSubscription(driver: BillingDriver): EndSubscription {
  return async (trx, organizationId) => {
    const known = await lockCurrent(trx, organizationId);
    if (known !== undefined) await storeSubscription(trx, known, await endOf(driver, known));
  };
}

async function endOf(driver: BillingDriver, known: SubscriptionState): Promise<SubscriptionState> {
  if (known.state === 'cancelled' || known.cancelAtPeriodEnd) return known;
  return await driver.cancel(known, known.state === 'active' ? 'at-period-end' : 'now');
}

export async function setUpCard(
  { services: { db }, principal, driver }: SignedInCall & Paid,
  { query: { organization_id } }: InputOf<typeof billingApi.setUpCard>,
): Promise<{ client_secret: string }> {
  const known = await requireOwnSubscription(db, principal, organization_id);
  return { client_secret: await cardsOf(driver).setUp(known) };
}

/** Charges another card from now on. An open invoice is paid with it at once. */
export async function useCard(
  call: SignedInCall & Paid,
  { body: { token, organization_id } }: InputOf<typeof billingApi.useCard>,
): Promise<Subscription> {
  const { services, principal, requestId, driver } = call;
  const { organizationId } = await requireOwnSubscription(services.db, principal, organization_id);
  return await changeCurrent(call, organizationId, async (trx, known) => {
    const changed = await cardsOf(driver).use(known, token);
    await recordAuditEvent(trx, {
      action: 'billing.card-changed',
      actor: principal,
      organizationId,
      targetType: 'subscription',
      targetId: known.id,
      requestId,
    });
    return changed;
  });
}

export async function listInvoices(
  { services: { db }, access: { organizationId }, driver }: OrganizationCall & Paid,
  { query: { limit, cursor } }: InputOf<typeof billingApi.listInvoices>,
): Promise<Page<Invoice>> {
  const current = await findCurrentSubscription(db, organizationId);
  return await driver.listInvoices(db, { organizationId, customerId: current?.customerId ?? null, limit, cursor });
}

/** An invoice of our own as a page to print. */
export async function readInvoiceDocument(
  { services: { db }, access: { organizationId } }: OrganizationCall,
  { id }: InputOf<typeof billingApi.readInvoiceDocument>,
): Promise<Download> {
  const invoice = isUuid(id) ? await findInvoice(db, organizationId, id) : undefined;
  if (invoice === undefined) throw notFound('This invoice');
  const { name } = await findPayer(db, organizationId);
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: invoice.currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  const lines = [
    ['To', name],
    ['Date', invoice.created_at.slice(0, 10)],
    ['For', invoice.description ?? ''],
    ['Amount', format.format(invoice.amount / 10 ** digits)],
  ];
  const bytes = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Invoice ${escapeMarkup(invoice.number ?? '')}</title>
<body style="font:15px/1.6 sans-serif;max-width:40em;margin:3em auto"><h1>Invoice ${escapeMarkup(invoice.number ?? '')}</h1>
<table>${lines
    .map(([label = '', text = '']) => `<tr><th align="left">${label}</th><td>${escapeMarkup(text)}</td></tr>`)
    .join('')}</table></body></html>
`;
  return { bytes };
}

/**
 * Brings a subscription up to date after an event of the payment service. The event only says that something has
 * happened: the state is read from the service, so that the order of events does not matter. False for a repeated one.
 */
export async function followEvent(
  { db, driver }: Context,
  event: { id: string; type: string },
  subscriptionId: string,
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    if (!(await insertBillingEvent(trx, event))) return false;
    // Waits for a checkout that is just storing it.
    await lockSubscription(trx, subscriptionId);
    const known = await findSubscription(trx, subscriptionId);
    if (known !== undefined) await storeSubscription(trx, known, await driver.readSubscription(known));
    return true;
  });
}

/** Without a payment service nobody else ends or renews a subscription whose year is over. */
export async function renewSubscriptions({ db, driver }: Context, now: Date = new Date()): Promise<void> {
  for (const id of await listEndedPeriods(db))
    await db.transaction().execute(async (trx) => {
      await lockSubscription(trx, id);
      const known = await findSubscription(trx, id);
      // Another worker may have done it meanwhile.
      if (known === undefined || known.state !== 'active' || Date.parse(known.currentPeriodEnd) > now.getTime()) return;
      if (known.cancelAtPeriodEnd) return await storeSubscription(trx, known, { ...known, state: 'cancelled' });
      const renewed = { ...known, currentPeriodEnd: yearAfter(new Date(known.currentPeriodEnd)).toISOString() };
      await storeSubscription(trx, known, renewed);
      await driver.recordCharge(trx, known.organizationId, { subscription: renewed });
    });
}

type Change = (trx: Queryable, known: StoredSubscription) => Promise<SubscriptionState> | SubscriptionState;

/** Changes the subscription of an organization. Of two changes at once the second begins when the first is stored. */
async function changeCurrent(
  { services: { db }, ...cause }: Cause & Pick<Call, 'services'>,
  organizationId: string,
  change: Change,
): Promise<Subscription> {
  await requireCurrentSubscription(db, organizationId);
  return await db.transaction().execute(async (trx) => {
    const known = (await lockCurrent(trx, organizationId)) ?? (await requireCurrentSubscription(trx, organizationId));
    const changed = await change(trx, known);
    await storeSubscription(trx, known, changed, cause);
    return toSubscription({ ...known, ...changed });
  });
}

async function lockCurrent(trx: Queryable, organizationId: string): Promise<StoredSubscription | undefined> {
  const found = await findCurrentSubscription(trx, organizationId);
  if (found === undefined) return undefined;
  await lockSubscription(trx, found.id);
  return await findCurrentSubscription(trx, organizationId);
}

function requireActive({ state }: SubscriptionState): void {
  if (state === 'active') return;
  throw new Problem(
    'billing/not-active',
    state === 'past_due'
      ? 'The last payment failed. Pay the open invoice or enter another card first.'
      : 'The subscription has ended. Choose a plan to subscribe again.',
  );
}

function cardsOf({ cards }: BillingDriver): CardDriver {
  if (cards !== null) return cards;
  throw new Problem(
    'billing/no-cards',
    'This installation does not take cards; invoices are paid outside Heterosis. Ask the people who run it.',
  );
}

const priceOf = ({ price }: SubscriptionState): Price => ({ ...price, metadata: { notes: null, features: [] } });

const toSubscription = (known: StoredSubscription): Subscription => ({
  id: known.id,
  organization_id: known.organizationId,
  quantity: known.quantity,
  plan: {
    id: known.price.id,
    nickname: known.price.nickname,
    amount: known.price.unit_amount,
    currency: known.price.currency,
  },
  state: known.state,
  current_period_end: known.currentPeriodEnd,
  cancel_at_period_end: known.cancelAtPeriodEnd,
});
