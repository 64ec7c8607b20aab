import { checkParams, type Form, type ParamError } from './stripe-params.ts';
import { Refusal, type StripeObject, type StripeStore } from './stripe-store.ts';
import type { StripeSubscriptions } from './stripe-subscriptions.ts';

/** Refuses a request with a wrong parameter. */
export function check(error: ParamError | undefined): void {
  if (error !== undefined) throw new Refusal(400, { type: 'invalid_request_error', ...error });
}

/** `payPage` is the address of the page on which customers pay; the id of the session follows. */
export function openSession(store: StripeStore, payPage: string, form: Form): StripeObject {
  checkSession(form);
  const line = (form['line_items'] as Form)['0'] as Form;
  store.find(String(line['price']), 'price');
  const session = store.make('checkout.session', 'cs_test', {
    mode: form['mode'],
    status: 'open',
    payment_status: 'unpaid',
    client_reference_id: form['client_reference_id'] ?? null,
    customer: form['customer'] ?? null,
    customer_email: form['customer_email'] ?? null,
    success_url: form['success_url'],
    cancel_url: form['cancel_url'],
    custom_fields: Object.values((form['custom_fields'] as Form | undefined) ?? {}).map((field) => ({
      ...(field as Form),
      text: { value: null },
    })),
    payment_intent: null,
  });
  session.url = `${payPage}/${session.id}`;
  // What Stripe's own page knows besides.
  session.quantity = Number(line['quantity']);
  session.subscription_metadata = ((form['subscription_data'] as Form | undefined)?.['metadata'] as Form) ?? {};
  return session;
}

function checkSession(form: Form): void {
  check(checkParams('Checkout/Sessions', 'Checkout.SessionCreateParams', form));
  for (const needed of ['mode', 'line_items', 'success_url'])
    if (form[needed] === undefined)
      check({ code: 'parameter_missing', message: `Missing required param: ${needed}.`, param: needed });
  if (form['customer'] !== undefined && form['customer_email'] !== undefined)
    check({ code: 'parameter_invalid', message: 'You may only specify one of these parameters.', param: 'customer' });
}

/** What a customer fills in on the page of the checkout; otherwise what the session says. */
export interface CheckoutAnswers {
  organizationName?: string;
  quantity?: number;
}

export function paySession(
  store: StripeStore,
  subscriptions: StripeSubscriptions,
  sessionId: string,
  { organizationName, quantity }: CheckoutAnswers = {},
): void {
  const session = store.find(sessionId, 'checkout.session');
  if (session.status !== 'open') throw new Error(`The session is ${session.status}`);
  const subscription = subscriptions.subscribe(session, quantity ?? session.quantity);
  Object.assign(session, { status: 'complete', payment_status: 'paid', subscription: subscription.id });
  session.customer = subscription.customer;
  for (const field of session.custom_fields) field.text = { value: organizationName ?? null };
  store.report('checkout.session.completed', session);
}

export function expireSession(session: StripeObject): StripeObject {
  if (session.status !== 'open')
    throw new Refusal(400, { type: 'invalid_request_error', message: 'Only open sessions can be expired.' });
  session.status = 'expired';
  return session;
}
