import type { Price } from '@heterosis/contracts/people/billing';
import { uuidv7 } from 'uuidv7';
import type { BillingConfig } from '../../../platform/config/billing-config.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { Problem } from '../../../platform/http/problem.ts';
import type { BillingDriver, Charge, SubscriptionState } from './billing-driver.ts';
import { insertInvoice, listInvoiceRows } from './invoices.queries.ts';

const YEAR_MS = 365 * 86_400_000;

/** Without a payment service: what is confirmed holds at once, and invoices are paid outside of Heterosis. */
export function createOfflineDriver(
  config: Extract<BillingConfig, { kind: 'offline' }>,
  now: () => Date = () => new Date(),
): BillingDriver {
  return {
    kind: 'offline',
    listPrices: async () => [...config.prices],
    openCheckout: async ({ id }) => ({ url: `/checkout/${id}`, sessionId: null }),
    closeCheckout: async () => {},
    async completeCheckout({ price }, { organizationName, quantity }) {
      if (price === undefined)
        throw new Problem('billing/unknown-price', 'This price is not offered any more. Choose another plan.');
      const subscription = subscribe(price, quantity, now());
      return { subscription, organizationName: organizationName ?? null };
    },
    recordCharge: async (trx, organizationId, charge) => {
      const amount = chargeAmount(charge, now());
      if (amount === 0) return;
      const { currency } = charge.subscription.price;
      await insertInvoice(trx, organizationId, { description: describeCharge(charge), amount, currency });
    },
    readSubscription: async (known) => known,
    changeSeats: async (known, quantity, { id, nickname, unit_amount, currency }) => ({
      ...known,
      quantity,
      price: { id, nickname, unit_amount, currency },
    }),
    cancel: async (known, when) =>
      when === 'now' ? { ...known, state: 'cancelled' } : { ...known, cancelAtPeriodEnd: true },
    resume: async (known) => ({ ...known, cancelAtPeriodEnd: false }),
    cards: null,
    readPayment: async ({ state, cancelAtPeriodEnd, currentPeriodEnd, price, quantity }) => ({
      next_invoice:
        state === 'cancelled' || cancelAtPeriodEnd
          ? null
          : { date: currentPeriodEnd, amount: price.unit_amount * quantity, currency: price.currency },
      payment_method: null,
    }),
    async listInvoices(db, { organizationId, limit, cursor }) {
      const found = await listInvoiceRows(db, organizationId, { limit, after: decodeIdCursor(cursor) });
      return toPage(found, limit, ({ id }) => [id]);
    },
  };
}

function subscribe({ id, nickname, unit_amount, currency }: Price, quantity: number, now: Date): SubscriptionState {
  return {
    id: `sub_${uuidv7()}`,
    customerId: null,
    price: { id, nickname, unit_amount, currency },
    quantity,
    state: 'active',
    currentPeriodEnd: yearAfter(now).toISOString(),
    cancelAtPeriodEnd: false,
  };
}

/** The same day of the next year; 28 February after a 29th. */
export function yearAfter(date: Date): Date {
  const next = new Date(date);
  next.setUTCFullYear(date.getUTCFullYear() + 1);
  if (next.getUTCMonth() !== date.getUTCMonth()) next.setUTCDate(0);
  return next;
}

const ofYear = ({ price, quantity }: SubscriptionState): number => price.unit_amount * quantity;

/** What changes within the year is charged for the rest of it, to the minute. */
function chargeAmount({ subscription, before }: Charge, now: Date): number {
  if (before === undefined) return ofYear(subscription);
  const left = (Date.parse(subscription.currentPeriodEnd) - now.getTime()) / YEAR_MS;
  return Math.round((ofYear(subscription) - ofYear(before)) * Math.min(1, Math.max(0, left)));
}

function describeCharge({ subscription, before }: Charge): string {
  const until = subscription.currentPeriodEnd.slice(0, 10);
  const plan = subscription.price.nickname ?? 'Subscription';
  if (before === undefined) return `${plan}, ${seatCount(subscription.quantity)} until ${until}`;
  const added = subscription.quantity - before.quantity;
  if (added === 0) return `${plan}, change of plan until ${until}`;
  return `${plan}, ${added > 0 ? `${seatCount(added)} added` : `credit for ${seatCount(-added)}`} until ${until}`;
}

const seatCount = (seats: number): string => (seats === 1 ? '1 seat' : `${seats} seats`);
