import type { BillingState, Invoice, Price } from '@heterosis/contracts/billing';
import type { Stripe } from 'stripe';
import type { SubscriptionState } from './billing-driver.ts';

/** Not paid for at the moment, and mended by a payment. */
const STATES: Record<string, BillingState> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  incomplete: 'past_due',
  paused: 'past_due',
  canceled: 'cancelled',
  incomplete_expired: 'cancelled',
};

/** A subscription of Stripe in our words. It has one item, the seats. */
export function toSubscriptionState(subscription: Stripe.Subscription): SubscriptionState {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error(`The subscription ${subscription.id} has no item`);
  const state = STATES[subscription.status];
  if (state === undefined) throw new Error(`The subscription ${subscription.id} is ${subscription.status}`);
  const { price } = item;
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer),
    price: {
      id: price.id,
      nickname: price.nickname,
      unit_amount: price.unit_amount ?? 0,
      currency: price.currency,
    },
    quantity: item.quantity ?? 1,
    state,
    currentPeriodEnd: isoTime(item.current_period_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
  };
}

/** A yearly price of a seat; undefined for prices of other kinds. */
export function toPrice(price: Stripe.Price): Price | undefined {
  const { recurring, unit_amount } = price;
  if (unit_amount === null || recurring?.interval !== 'year' || recurring.interval_count !== 1) return undefined;
  const product = typeof price.product === 'string' || price.product.deleted === true ? undefined : price.product;
  const metadata = { ...product?.metadata, ...price.metadata };
  return {
    id: price.id,
    nickname: price.nickname ?? product?.name ?? null,
    unit_amount,
    currency: price.currency,
    metadata: { notes: metadata['notes'] || null, features: listOf(metadata['features']) },
  };
}

/** Metadata are text: features are divided by semicolons or lines. */
const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(/[;\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

export function toInvoice(invoice: Stripe.Invoice): Invoice {
  return {
    id: invoice.id,
    number: invoice.number,
    description: invoice.description ?? invoice.lines.data[0]?.description ?? null,
    amount: invoice.total,
    currency: invoice.currency,
    status: (invoice.status ?? 'draft') as Invoice['status'],
    created_at: isoTime(invoice.created),
    download_url: invoice.invoice_pdf ?? null,
    payment_url: invoice.status === 'open' ? (invoice.hosted_invoice_url ?? null) : null,
  };
}

/** Where an invoice belongs to; undefined for invoices without a subscription. */
export function subscriptionOfInvoice(invoice: Stripe.Invoice): string | undefined {
  const subscription = invoice.parent?.subscription_details?.subscription;
  return subscription == null ? undefined : idOf(subscription);
}

export const idOf = (reference: string | { id: string }): string =>
  typeof reference === 'string' ? reference : reference.id;

/** Stripe counts seconds. */
const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString();
