import { stripeApi } from '@heterosis/contracts/endpoints/people/billing';
import type { Stripe } from 'stripe';
import type { FeatureRoutes, Services } from '../../../platform/http/app.ts';
import { bind, type Call, type Http } from '../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { followEvent } from './billing.service.ts';
import type { BillingDriver } from './billing-driver.ts';
import { findCheckoutOfSession } from './checkouts.queries.ts';
import { completePaidCheckout } from './checkouts.service.ts';
import { idOf, subscriptionOfInvoice } from './stripe-state.ts';

type Context = Pick<Services, 'db' | 'logger'> & { driver: BillingDriver };

/** Reads an event of Stripe when its signature is valid; throws otherwise. */
export type ReadEvent = (body: Buffer, signature: string) => Promise<Stripe.Event>;

/** What the wiring supplies. `readEvent` is undefined, and the answer 404, while Stripe is not in use. */
interface Receiving {
  driver: BillingDriver;
  readEvent: ReadEvent | undefined;
}

/**
 * Where Stripe reports what has happened. The signature is over the bytes of the body, so they are not parsed before.
 */
export const stripeWebhookRoutes =
  (receiving: Receiving): FeatureRoutes =>
  (app, services) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    return bind(stripeApi, { followStripe }, receiving)(app, services);
  };

async function followStripe(
  { services: { db, logger }, driver, readEvent }: Call & Receiving,
  _input: object,
  { request }: Http,
): Promise<{ received: true }> {
  if (readEvent === undefined) throw notFound();
  const event = await verified(readEvent, request.body, request.headers['stripe-signature']);
  const isNew = await follow({ db, logger, driver }, event);
  request.log.info({ event: event.id, type: event.type, isNew }, 'event of the payment service');
  return { received: true };
}

async function verified(readEvent: ReadEvent, body: unknown, signature: unknown): Promise<Stripe.Event> {
  try {
    if (Buffer.isBuffer(body) && typeof signature === 'string') return await readEvent(body, signature);
  } catch (error) {
    if ((error as { type?: unknown }).type !== 'StripeSignatureVerificationError') throw error;
  }
  throw new Problem(
    'billing/bad-signature',
    'The event is not signed by the payment service. Check STRIPE_WEBHOOK_SECRET.',
  );
}

/** False for an event that was dealt with before, and for one that concerns nothing of ours. */
async function follow(context: Context, event: Stripe.Event): Promise<boolean> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return await completeSession(context, event.data.object);
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
      return await followEvent(context, event, idOf(event.data.object));
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required':
    case 'invoice.marked_uncollectible':
    case 'invoice.voided': {
      const subscription = subscriptionOfInvoice(event.data.object);
      return subscription !== undefined && (await followEvent(context, event, subscription));
    }
    default:
      return false;
  }
}

async function completeSession(context: Context, session: Stripe.Checkout.Session): Promise<boolean> {
  const checkout = await findCheckoutOfSession(context.db, session.id);
  // Of another product on the same account.
  if (checkout === undefined || checkout.completed_at !== null) return false;
  try {
    await completePaidCheckout(context, checkout.id);
    return true;
  } catch (error) {
    // An event that is older than the state of the session.
    if (error instanceof Problem && error.code === 'billing/not-paid') return false;
    throw error;
  }
}
