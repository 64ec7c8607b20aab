import type { BillingState, Invoice, Price } from '@heterosis/contracts/people/billing';
import type { Stripe } from 'stripe';
import * as z from 'zod';
import type { SubscriptionState } from './billing-driver.ts';
import { providerFailed } from './stripe-client.ts';

// What we keep or hand on of Stripe's answers. What they have besides is left out.
const text = z.string().max(5_000);
const id = z.string().min(1).max(255);
const reference = z.union([id, z.object({ id })]);
const currency = z.string().regex(/^[a-z]{3}$/);
const amount = z.int();
const seconds = z.int().min(0).max(32_503_680_000);
const link = z.url({ protocol: /^https?$/ }).max(5_000);
const metadata = z.record(z.string().max(255), text);

const SUBSCRIPTION = z.object({
  id,
  customer: reference,
  status: text,
  cancel_at_period_end: z.boolean(),
  items: z.object({
    data: z.tuple(
      [
        z.object({
          price: z.object({ id, nickname: text.nullable(), unit_amount: amount.nullable(), currency }),
          quantity: z.int().min(0).max(1_000_000).optional(),
          current_period_end: seconds,
        }),
      ],
      z.unknown(),
    ),
  }),
});

const PRICE = z.object({
  id,
  nickname: text.nullable(),
  unit_amount: amount.nullable(),
  currency,
  recurring: z.object({ interval: text, interval_count: z.int() }).nullable(),
  product: z.union([id, z.object({ deleted: z.literal(true) }), z.object({ name: text, metadata })]),
  metadata,
});

const INVOICE = z.object({
  id,
  number: text.nullable(),
  description: text.nullish(),
  total: amount,
  currency,
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).nullable(),
  created: seconds,
  invoice_pdf: link.nullish(),
  hosted_invoice_url: link.nullish(),
  lines: z.object({ data: z.array(z.object({ description: text.nullable() })) }),
});

export const CHECKOUT = z.object({ id, url: link });
export const CARD = z.object({ brand: text, last4: text, exp_month: z.int(), exp_year: z.int() });
export const PREVIEW = z.object({ amount_due: amount, currency });

/** An answer in the shape in which we use it; throws `billing/provider-failed` for one of another. */
export function shaped<Shape>(schema: z.ZodType<Shape>, answer: unknown): Shape {
  const read = schema.safeParse(answer);
  if (!read.success) throw providerFailed(`an answer of another shape: ${z.prettifyError(read.error)}`);
  return read.data;
}

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
export function toSubscriptionState(answer: Stripe.Subscription): SubscriptionState {
  const subscription = shaped(SUBSCRIPTION, answer);
  const [item] = subscription.items.data;
  const state = STATES[subscription.status];
  if (state === undefined) throw providerFailed(`the subscription ${subscription.id} is ${subscription.status}`);
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
export function toPrice(answer: Stripe.Price): Price | undefined {
  const price = shaped(PRICE, answer);
  const { recurring, unit_amount } = price;
  if (unit_amount === null || recurring?.interval !== 'year' || recurring.interval_count !== 1) return undefined;
  const product = typeof price.product === 'string' || 'deleted' in price.product ? undefined : price.product;
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

export function toInvoice(answer: Stripe.Invoice): Invoice {
  const invoice = shaped(INVOICE, answer);
  return {
    id: invoice.id,
    number: invoice.number,
    description: invoice.description ?? invoice.lines.data[0]?.description ?? null,
    amount: invoice.total,
    currency: invoice.currency,
    status: invoice.status ?? 'draft',
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
