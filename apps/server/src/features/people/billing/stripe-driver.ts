import { name } from '@heterosis/contracts/common';
import { type Billing, MAXIMUM_SEATS } from '@heterosis/contracts/people/billing';
import type { Stripe } from 'stripe';
import { decodeCursor, encodeCursor } from '../../../platform/http/pagination.ts';
import { Problem } from '../../../platform/http/problem.ts';
import type { BillingDriver, CheckoutRequest, InvoiceQuery, SubscriptionState } from './billing-driver.ts';
import { type CallStripe, isStripeError } from './stripe-client.ts';
import { CARD, CHECKOUT, idOf, PREVIEW, shaped, toInvoice, toPrice, toSubscriptionState } from './stripe-state.ts';

/** Key of the field of Stripe's page that asks for the name of a new organization. */
const NAME_FIELD = 'organization_name';
/** Most entries that Stripe lists at a time. */
const STRIPE_PAGE = 100;

interface StripeDriverOptions {
  call: CallStripe;
  publicUrl: string;
  /** Only its prices are offered. */
  product: string | undefined;
}

/** Subscriptions are kept and charged by Stripe. */
export function createStripeDriver({ call, publicUrl, product }: StripeDriverOptions): BillingDriver {
  const update = async (id: string, change: Stripe.SubscriptionUpdateParams): Promise<SubscriptionState> =>
    toSubscriptionState(await call((stripe) => stripe.subscriptions.update(id, change)));
  return {
    kind: 'stripe',
    async listPrices() {
      const listed = await call((stripe) =>
        stripe.prices.list({
          active: true,
          type: 'recurring',
          recurring: { interval: 'year' },
          limit: STRIPE_PAGE,
          expand: ['data.product'],
          ...(product === undefined ? {} : { product }),
        }),
      );
      return listed.data.flatMap((price) => toPrice(price) ?? []);
    },
    async openCheckout(request) {
      const session = await call((stripe) => stripe.checkout.sessions.create(sessionOf(request, publicUrl)));
      const { url, id } = shaped(CHECKOUT, session);
      return { url, sessionId: id };
    },
    async closeCheckout(sessionId) {
      await call(async (stripe) => {
        try {
          await stripe.checkout.sessions.expire(sessionId);
        } catch (error) {
          // It is complete or has expired already.
          if (!isStripeError(error) || error.type !== 'StripeInvalidRequestError') throw error;
        }
      });
    },
    async completeCheckout({ sessionId }) {
      if (sessionId === null) throw new Error('A checkout of Stripe has a session');
      const session = await call((stripe) =>
        stripe.checkout.sessions.retrieve(sessionId, { expand: ['subscription'] }),
      );
      const { status, subscription, custom_fields } = session;
      if (status !== 'complete' || subscription === null || typeof subscription === 'string') return undefined;
      const asked = custom_fields.find(({ key }) => key === NAME_FIELD)?.text?.value;
      return {
        subscription: toSubscriptionState(subscription),
        organizationName: name.safeParse(asked).data ?? null,
      };
    },
    // Stripe makes the invoices.
    recordCharge: async () => {},
    readSubscription: async ({ id }) => toSubscriptionState(await call((stripe) => stripe.subscriptions.retrieve(id))),
    async changeSeats({ id, quantity: before }, quantity, price) {
      const { items } = await call((stripe) => stripe.subscriptions.retrieve(id));
      const item = items.data[0]?.id;
      if (item === undefined) throw new Error(`The subscription ${id} has no item`);
      return await update(id, {
        items: [{ id: item, price: price.id, quantity }],
        // More seats are charged at once, and not given when the card is refused. Fewer are credited later.
        proration_behavior: quantity > before ? 'always_invoice' : 'create_prorations',
        payment_behavior: 'error_if_incomplete',
      });
    },
    async cancel({ id }, when) {
      if (when === 'at-period-end') return await update(id, { cancel_at_period_end: true });
      return toSubscriptionState(await call((stripe) => stripe.subscriptions.cancel(id)));
    },
    resume: ({ id }) => update(id, { cancel_at_period_end: false }),
    cards: {
      async setUp(known) {
        const { client_secret } = await call((stripe) =>
          stripe.setupIntents.create({
            customer: customerOf(known),
            usage: 'off_session',
            allowed_payment_method_types: ['card'],
          }),
        );
        if (client_secret === null) throw new Error('Stripe made a setup without a secret');
        return client_secret;
      },
      use: (known, token) => useCard(call, known, token),
    },
    readPayment: (known) => readPayment(call, known),
    listInvoices: (_, query) => listInvoices(call, query),
  };
}

function sessionOf(request: CheckoutRequest, publicUrl: string): Stripe.Checkout.SessionCreateParams {
  const { id, price, minimumSeats, customerId, email, organizationName, backTo } = request;
  return {
    mode: 'subscription',
    line_items: [
      {
        price: price.id,
        quantity: minimumSeats,
        adjustable_quantity: { enabled: true, minimum: minimumSeats, maximum: MAXIMUM_SEATS },
      },
    ],
    client_reference_id: id,
    subscription_data: { metadata: { checkout_id: id } },
    success_url: `${publicUrl}/checkout/${id}`,
    cancel_url: `${publicUrl}${backTo}`,
    ...(customerId === null ? { customer_email: email } : { customer: customerId }),
    ...(organizationName === null
      ? {
          custom_fields: [
            {
              key: NAME_FIELD,
              label: { type: 'custom', custom: 'Organization name' },
              type: 'text',
              text: { maximum_length: 255 },
            },
          ],
        }
      : {}),
  };
}

/** The card becomes the default of the customer and of the subscription, whose own default would go first. */
async function useCard(call: CallStripe, known: SubscriptionState, token: string): Promise<SubscriptionState> {
  const customer = customerOf(known);
  const card = await call(async (stripe) => {
    try {
      return await stripe.paymentMethods.retrieve(token);
    } catch (error) {
      if (isStripeError(error) && error.code === 'resource_missing') return undefined;
      throw error;
    }
  });
  if (card?.customer == null || idOf(card.customer) !== customer)
    throw new Problem('billing/card-refused', 'This card was not entered for this organization. Enter it again.');
  await call((stripe) => stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } }));
  const { status, latest_invoice } = await call((stripe) =>
    stripe.subscriptions.update(known.id, { default_payment_method: card.id }),
  );
  if (latest_invoice !== null && ['past_due', 'unpaid', 'incomplete'].includes(status))
    await call((stripe) => stripe.invoices.pay(idOf(latest_invoice)));
  return toSubscriptionState(await call((stripe) => stripe.subscriptions.retrieve(known.id)));
}

async function readPayment(
  call: CallStripe,
  known: SubscriptionState,
): Promise<Pick<Billing, 'next_invoice' | 'payment_method'>> {
  const { default_payment_method: own, customer } = await call((stripe) =>
    stripe.subscriptions.retrieve(known.id, {
      expand: ['default_payment_method', 'customer.invoice_settings.default_payment_method'],
    }),
  );
  const general =
    typeof customer === 'string' || customer.deleted === true ? null : customer.invoice_settings.default_payment_method;
  const method = own ?? general;
  const card = method === null || typeof method === 'string' ? undefined : method.card;
  const charges = known.state === 'active' && !known.cancelAtPeriodEnd;
  const preview = charges
    ? shaped(PREVIEW, await call((stripe) => stripe.invoices.createPreview({ subscription: known.id })))
    : undefined;
  return {
    next_invoice:
      preview === undefined
        ? null
        : { date: known.currentPeriodEnd, amount: preview.amount_due, currency: preview.currency },
    payment_method: card == null ? null : shaped(CARD, card),
  };
}

async function listInvoices(call: CallStripe, { customerId, limit, cursor }: InvoiceQuery) {
  if (customerId === null) return { data: [], next_cursor: null };
  const after = decodeCursor(cursor, 1)?.[0];
  const { data, has_more } = await call((stripe) =>
    stripe.invoices.list({
      customer: customerId,
      limit: Math.min(limit, STRIPE_PAGE),
      ...(after === undefined ? {} : { starting_after: String(after) }),
    }),
  );
  const last = data.at(-1);
  return {
    data: data.map(toInvoice),
    next_cursor: has_more && last !== undefined ? encodeCursor([last.id]) : null,
  };
}

function customerOf({ id, customerId }: SubscriptionState): string {
  if (customerId === null) throw new Error(`The subscription ${id} is not one of Stripe`);
  return customerId;
}
