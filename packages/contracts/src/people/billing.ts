import * as z from 'zod';
import { id, name, timestamp } from '../common.ts';

/** Fewest seats of a subscription. */
export const MINIMUM_SEATS = 10;
/** Most seats of a subscription; a guard against slips of the keyboard. */
export const MAXIMUM_SEATS = 10_000;

/** Whether the organization is paid for. Past due and cancelled organizations can only be read. */
export const billingState = z.enum(['active', 'past_due', 'cancelled']);
export type BillingState = z.infer<typeof billingState>;

export const billingKind = z.enum(['offline', 'stripe']);
export type BillingKind = z.infer<typeof billingKind>;

const currency = z.string().describe('ISO 4217 code in lower case, for example `usd`.');
const amount = z.number().int().describe('In the smallest unit of the currency.');

export const price = z
  .object({
    id: z.string(),
    nickname: z.string().nullable(),
    unit_amount: amount.describe('Of one seat for a year, in the smallest unit of the currency.'),
    currency,
    metadata: z.object({ notes: z.string().nullable(), features: z.array(z.string()) }),
  })
  .meta({ id: 'Price' });
export type Price = z.infer<typeof price>;

/** `GET /stripe/price`. */
export const priceList = z.object({ data: z.array(price) });

export const subscription = z
  .object({
    id: z.string(),
    organization_id: id,
    quantity: z.number().int().describe('Seats.'),
    plan: z.object({ id: z.string(), nickname: z.string().nullable(), amount: price.shape.unit_amount, currency }),
    state: billingState,
    current_period_end: timestamp.describe('End of the year that is paid for.'),
    cancel_at_period_end: z.boolean().describe('It ends then instead of being renewed.'),
  })
  .meta({ id: 'Subscription' });
export type Subscription = z.infer<typeof subscription>;

const seats = z
  .number()
  .int('Whole seats only')
  .min(MINIMUM_SEATS, `A subscription has at least ${MINIMUM_SEATS} seats`)
  .max(MAXIMUM_SEATS, `A subscription has at most ${MAXIMUM_SEATS.toLocaleString('en')} seats`);

export const updateSubscriptionBody = z.object({
  quantity: seats.describe('All seats after the change.'),
  organization_id: id,
  price_id: z.string().min(1).max(255),
  expected_quantity: z
    .number()
    .int()
    .optional()
    .describe('The seats that the caller has seen. When they have changed since, the request is refused.'),
});

export const checkoutBody = z.object({
  price_id: z.string().min(1).max(255),
  organization_id: id.optional().describe('Absent for a new organization, which is made once it is paid for.'),
});
export const checkoutResult = z.object({ url: z.string().describe('The browser navigates there.') });

export const checkout = z
  .object({
    id,
    status: z.enum(['open', 'complete']),
    price: price.nullable().describe('Null when it is not offered any more.'),
    organization_id: id.nullable().describe('Null for a new organization that has not been made yet.'),
    organization_name: z.string().nullable(),
    confirmed_here: z.boolean().describe('`confirm` completes it; otherwise the payment service does.'),
  })
  .meta({ id: 'Checkout' });
export type Checkout = z.infer<typeof checkout>;

export const confirmCheckoutBody = z.object({
  organization_name: name.optional().describe('Of a new organization.'),
  quantity: seats.optional(),
});
export const confirmedCheckout = z.object({ organization_id: id });

/** Owners of one organization need not name it. */
export const organizationQuery = z.object({
  organization_id: id.optional().describe('Needed by owners of several organizations that have a subscription.'),
});
export const setupCredit = z.object({ client_secret: z.string() });
/** An event of Stripe was read. */
export const receivedEvent = z.object({ received: z.literal(true) });
export const paymentMethodBody = z.object({
  token: z.string().min(1).max(255).describe('The payment method that the card entry has made.'),
  organization_id: organizationQuery.shape.organization_id,
});

export const invoice = z
  .object({
    id: z.string(),
    number: z.string().nullable(),
    description: z.string().nullable(),
    amount: amount.describe('In the smallest unit of the currency; negative for a credit.'),
    currency,
    status: z
      .enum(['issued', 'draft', 'open', 'paid', 'uncollectible', 'void'])
      .describe('Without a payment service it is `issued`, and paid outside of Heterosis.'),
    created_at: timestamp,
    download_url: z.string().nullable().describe('Null: `GET …/invoices/{id}/document` has it.'),
    payment_url: z.string().nullable().describe('Where an open invoice is paid.'),
  })
  .meta({ id: 'Invoice' });
export type Invoice = z.infer<typeof invoice>;

/** `GET /organizations/{id}/billing`. */
export const billing = z
  .object({
    organization_id: id,
    kind: billingKind,
    state: billingState,
    seat_total: z.number().int(),
    seat_usage: z.number().int(),
    subscription: subscription.nullable(),
    next_invoice: z
      .object({ date: timestamp, amount, currency })
      .nullable()
      .describe('Null when nothing will be charged.'),
    payment_method: z
      .object({ brand: z.string(), last4: z.string(), exp_month: z.number().int(), exp_year: z.number().int() })
      .nullable(),
  })
  .meta({ id: 'Billing' });
export type Billing = z.infer<typeof billing>;
