import { check, expireSession, openSession } from './stripe-checkout.ts';
import { checkParams, type Form } from './stripe-params.ts';
import { documentedObject, Refusal, type StripeObject, type StripeStore } from './stripe-store.ts';
import type { StripeSubscriptions } from './stripe-subscriptions.ts';

export interface StripeAccount {
  store: StripeStore;
  subscriptions: StripeSubscriptions;
  payPage: string;
}

interface StripeCall {
  method: string;
  path: RegExp;
  /** Where the `stripe` package declares the parameters of the call, and under what name. */
  params: readonly [file: string, type: string];
  /** `id` is the one in the path. */
  answer: (account: StripeAccount, form: Form, id: string, path: string) => StripeObject;
}

/** Answers a request, or throws a `Refusal`. */
export function answerCall(account: StripeAccount, method: string, path: string, form: Form): StripeObject {
  for (const call of CALLS) {
    const match = call.method === method ? call.path.exec(path) : null;
    if (match === null) continue;
    check(checkParams(...call.params, form));
    return call.answer(account, form, match[1] ?? '', path);
  }
  throw new Refusal(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}).`,
  });
}

const CALLS: readonly StripeCall[] = [
  {
    method: 'GET',
    path: /^\/v1\/prices$/,
    params: ['Prices', 'PriceListParams'],
    answer: ({ store, subscriptions }, form, _, path) => {
      const interval = (form['recurring'] as Form | undefined)?.['interval'];
      const isOffered = (price: StripeObject): boolean =>
        price.id === subscriptions.price.id && interval === price.recurring.interval;
      return store.list(path, store.ofKind('price').filter(isOffered), form);
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions$/,
    params: ['Checkout/Sessions', 'Checkout.SessionCreateParams'],
    answer: ({ store, payPage }, form) => openSession(store, payPage, form),
  },
  {
    method: 'GET',
    path: /^\/v1\/checkout\/sessions\/(\w+)$/,
    params: ['Checkout/Sessions', 'Checkout.SessionRetrieveParams'],
    answer: ({ store }, form, id) => store.expand(store.find(id, 'checkout.session'), form),
  },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions\/(\w+)\/expire$/,
    params: ['Checkout/Sessions', 'Checkout.SessionExpireParams'],
    answer: ({ store }, _, id) => expireSession(store.find(id, 'checkout.session')),
  },
  {
    method: 'GET',
    path: /^\/v1\/subscriptions\/(\w+)$/,
    params: ['Subscriptions', 'SubscriptionRetrieveParams'],
    answer: ({ store, subscriptions }, form, id) => store.expand(subscriptions.find(id), form),
  },
  {
    method: 'POST',
    path: /^\/v1\/subscriptions\/(\w+)$/,
    params: ['Subscriptions', 'SubscriptionUpdateParams'],
    answer: ({ subscriptions }, form, id) => {
      const subscription = subscriptions.find(id);
      subscriptions.change(subscription, form);
      return subscription;
    },
  },
  {
    method: 'DELETE',
    path: /^\/v1\/subscriptions\/(\w+)$/,
    params: ['Subscriptions', 'SubscriptionCancelParams'],
    answer: ({ subscriptions }, _, id) => {
      const subscription = subscriptions.find(id);
      subscriptions.cancel(subscription);
      return subscription;
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/setup_intents$/,
    params: ['SetupIntents', 'SetupIntentCreateParams'],
    answer: ({ store }, form) =>
      store.make('setup_intent', 'seti', {
        customer: store.find(String(form['customer']), 'customer').id,
        client_secret: `seti_secret_${store.count}`,
      }),
  },
  {
    method: 'GET',
    path: /^\/v1\/payment_methods\/(\w+)$/,
    params: ['PaymentMethods', 'PaymentMethodRetrieveParams'],
    answer: ({ store }, _, id) => store.find(id, 'PaymentMethod'),
  },
  {
    method: 'POST',
    path: /^\/v1\/customers\/(\w+)$/,
    params: ['Customers', 'CustomerUpdateParams'],
    answer: ({ store }, form, id) => {
      const customer = store.find(id, 'customer');
      Object.assign(customer.invoice_settings, form['invoice_settings']);
      return customer;
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/invoices$/,
    params: ['Invoices', 'InvoiceListParams'],
    answer: ({ store }, form, _, path) => {
      const invoices = store.ofKind('invoice').filter(({ customer }) => customer === form['customer']);
      return store.list(path, invoices, form);
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/invoices\/create_preview$/,
    params: ['Invoices', 'InvoiceCreatePreviewParams'],
    answer: ({ subscriptions }, form) => {
      const [item] = subscriptions.find(String(form['subscription'])).items.data;
      return {
        ...documentedObject('invoice'),
        id: 'upcoming_in',
        amount_due: item.quantity * item.price.unit_amount,
      };
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/invoices\/(\w+)\/pay$/,
    params: ['Invoices', 'InvoicePayParams'],
    answer: ({ store, subscriptions }, _, id) => subscriptions.pay(store.find(id, 'invoice')),
  },
];
