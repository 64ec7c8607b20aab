import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Stripe } from 'stripe';
import { checkParams, type Form, type ParamError, parseForm } from './stripe-params.ts';

/** Objects as Stripe documents them; what the stand-in answers is made of these. */
const { objects } = JSON.parse(readFileSync(join(import.meta.dirname, 'stripe-objects.json'), 'utf8')) as {
  objects: Record<string, object>;
};

// oxlint-disable-next-line typescript/no-explicit-any -- objects of every shape
type StripeObject = any;

export const STAND_IN_KEY = 'sk_test_standIn';
export const STAND_IN_WEBHOOK_SECRET = 'whsec_standIn';
export const STAND_IN_PRICE = 'price_standard';
const YEAR_S = 365 * 86_400;

export interface StripeStandIn {
  url: string;
  /** Everything that has been reported, in order; a test delivers it as it likes. */
  events: Stripe.Event[];
  /** Body and signature of an event as Stripe sends them. */
  sign(event: Stripe.Event): { payload: string; signature: string };
  /** The customer pays on Stripe's page. */
  pay(sessionId: string, answers?: { organizationName?: string; quantity?: number }): void;
  /** The next payments are refused. */
  refuseCards(refuse: boolean): void;
  /** The yearly payment fails. */
  failRenewal(subscriptionId: string): void;
  /** The customer pays the open invoice on Stripe's page. */
  payOpenInvoice(subscriptionId: string): void;
  /** Somebody changes the seats in Stripe's dashboard. */
  setQuantity(subscriptionId: string, quantity: number): void;
  /** Stripe ends the subscription. */
  end(subscriptionId: string): void;
  /** The card entry of the browser adds a card for a customer, who may be named by the secret of the set-up. */
  addCard(customerOrSecret: string, number?: string): string;
  subscription(id: string): Stripe.Subscription;
  lastSession(): Stripe.Checkout.Session;
  /** Requests received so far, as `POST /v1/…`. */
  requests: string[];
  close(): Promise<void>;
}

class Refusal extends Error {
  readonly status: number;
  readonly body: object;
  constructor(status: number, error: object) {
    super(JSON.stringify(error));
    this.status = status;
    this.body = { error };
  }
}

/** A stateful stand-in of Stripe: it knows the parameters of each request and refuses others. */
export async function startStripeStandIn({
  onEvent = () => {},
  payPage = 'https://checkout.stripe.com/c/pay',
}: {
  onEvent?: (event: Stripe.Event) => void;
  /** Address of the page on which customers pay; the id of the session follows. */
  payPage?: string;
} = {}): Promise<StripeStandIn> {
  const state = createState(onEvent, payPage);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://stripe');
    requests.push(`${request.method} ${pathname}`);
    void readBody(request).then((text) => {
      try {
        if (request.headers.authorization !== `Bearer ${STAND_IN_KEY}`)
          throw new Refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
        const form = parseForm(request.method === 'GET' ? search.slice(1) : text);
        const answer = state.handle(request.method ?? 'GET', pathname, form);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      } catch (error) {
        const status = error instanceof Refusal ? error.status : 500;
        const body = error instanceof Refusal ? error.body : { error: { type: 'api_error', message: String(error) } };
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      }
    });
  });
  const url = await listen(server);
  const stripe = new Stripe(STAND_IN_KEY);
  return {
    ...state.controls,
    url,
    requests,
    sign(event) {
      const payload = JSON.stringify(event);
      return {
        payload,
        signature: stripe.webhooks.generateTestHeaderString({ payload, secret: STAND_IN_WEBHOOK_SECRET }),
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createState(onEvent: (event: Stripe.Event) => void, payPage: string) {
  const all = new Map<string, StripeObject>();
  const events: Stripe.Event[] = [];
  let count = 0;
  let refusesCards = false;

  const newId = (prefix: string): string => `${prefix}_${String(++count).padStart(6, '0')}`;
  const now = (): number => Math.floor(Date.now() / 1000);
  const make = (kind: string, prefix: string, values: object): StripeObject => {
    const object = { ...structuredClone(objects[kind]), id: newId(prefix), created: now(), metadata: {}, ...values };
    all.set(object.id, object);
    return object;
  };
  const find = (id: string, what: string): StripeObject => {
    const object = all.get(id);
    if (object !== undefined) return object;
    throw new Refusal(404, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such ${what}: '${id}'`,
      param: 'id',
    });
  };
  const report = (type: string, object: StripeObject): void => {
    const event = { ...structuredClone(objects['event']), id: newId('evt'), created: now(), type };
    const whole = { ...event, data: { object: structuredClone(object) } } as Stripe.Event;
    events.push(whole);
    onEvent(whole);
  };
  const check = (error: ParamError | undefined): void => {
    if (error !== undefined) throw new Refusal(400, { type: 'invalid_request_error', ...error });
  };

  const product = make('product', 'prod', {
    name: 'Heterosis',
    metadata: { notes: 'For teams', features: 'One; Two' },
  });
  const price = {
    ...make('price', 'price', {}),
    id: STAND_IN_PRICE,
    nickname: 'Standard',
    product: product.id,
    unit_amount: 12_000,
    unit_amount_decimal: '12000',
    recurring: { ...structuredClone((objects['price'] as StripeObject).recurring), interval: 'year' },
    transform_quantity: null,
  };
  all.set(price.id, price);

  const bill = (subscription: StripeObject, amount: number, description: string): StripeObject => {
    const isPaid = !refusesCards;
    const invoice = make('invoice', 'in', {
      customer: subscription.customer,
      number: `HET-${count}`,
      status: isPaid ? 'paid' : 'open',
      total: amount,
      amount_due: amount,
      amount_paid: isPaid ? amount : 0,
      hosted_invoice_url: `https://invoice.stripe.com/i/${count}`,
      invoice_pdf: `https://pay.stripe.com/invoice/${count}/pdf`,
      parent: {
        type: 'subscription_details',
        quote_details: null,
        subscription_details: { metadata: {}, subscription: subscription.id },
      },
    });
    invoice.lines = { ...invoice.lines, data: [{ ...invoice.lines.data[0], amount, description }] };
    subscription.latest_invoice = invoice.id;
    return invoice;
  };
  const settle = (subscription: StripeObject, invoice: StripeObject): void => {
    subscription.status = invoice.status === 'paid' ? 'active' : 'past_due';
    report(invoice.status === 'paid' ? 'invoice.paid' : 'invoice.payment_failed', invoice);
    report('customer.subscription.updated', subscription);
  };
  const cardRefused = (): Refusal =>
    new Refusal(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' });

  const subscribe = (session: StripeObject, quantity: number): StripeObject => {
    const customer = session.customer ?? make('customer', 'cus', { email: session.customer_email, discount: null }).id;
    const { items, ...rest } = structuredClone(objects['subscription']) as StripeObject;
    const subscription = make('subscription', 'sub', {
      ...rest,
      id: newId('sub'),
      created: now(),
      customer,
      status: 'active',
      cancel_at: null,
      canceled_at: null,
      ended_at: null,
      cancel_at_period_end: false,
      trial_start: null,
      trial_end: null,
      pending_update: null,
      pause_collection: null,
      default_payment_method: addCard(customer),
      metadata: session.subscription_metadata,
    });
    const item = {
      ...items.data[0],
      id: newId('si'),
      price,
      quantity,
      subscription: subscription.id,
      current_period_start: now(),
      current_period_end: now() + YEAR_S,
    };
    subscription.items = { ...items, data: [item] };
    report('customer.subscription.created', subscription);
    report('invoice.paid', bill(subscription, price.unit_amount * quantity, `${quantity} × Standard`));
    return subscription;
  };
  const addCard = (of: string, number: string = '4242'): string => {
    const customer = ofKind('setup_intent').find(({ client_secret }) => client_secret === of)?.customer ?? of;
    const card = { ...(objects['payment_method'] as StripeObject).card, last4: number.slice(-4) };
    return make('payment_method', 'pm', { customer, card }).id;
  };

  const change = (subscription: StripeObject, form: Form): void => {
    const [item] = subscription.items.data;
    const changed = (form['items'] as Form | undefined)?.['0'] as Form | undefined;
    const { quantity: before } = item;
    const quantity = changed?.['quantity'] === undefined ? before : Number(changed['quantity']);
    if (changed !== undefined && changed['id'] !== item.id)
      throw new Error(`There is no item ${String(changed['id'])}`);
    if (quantity > before && form['proration_behavior'] === 'always_invoice') {
      if (refusesCards && form['payment_behavior'] === 'error_if_incomplete') throw cardRefused();
      const left = (item.current_period_end - now()) / YEAR_S;
      report(
        'invoice.paid',
        bill(subscription, Math.round(price.unit_amount * (quantity - before) * left), 'Added seats'),
      );
    }
    item.quantity = quantity;
    if (form['cancel_at_period_end'] !== undefined)
      subscription.cancel_at_period_end = form['cancel_at_period_end'] === 'true';
    if (form['default_payment_method'] !== undefined)
      subscription.default_payment_method = find(String(form['default_payment_method']), 'PaymentMethod').id;
    report('customer.subscription.updated', subscription);
  };

  const cancel = (subscription: StripeObject): void => {
    subscription.status = 'canceled';
    subscription.canceled_at = subscription.ended_at = now();
    report('customer.subscription.deleted', subscription);
  };

  const openSession = (form: Form): StripeObject => {
    check(checkParams('Checkout/Sessions', 'Checkout.SessionCreateParams', form));
    for (const needed of ['mode', 'line_items', 'success_url'])
      if (form[needed] === undefined)
        check({ code: 'parameter_missing', message: `Missing required param: ${needed}.`, param: needed });
    if (form['customer'] !== undefined && form['customer_email'] !== undefined)
      check({ code: 'parameter_invalid', message: 'You may only specify one of these parameters.', param: 'customer' });
    const line = (form['line_items'] as Form)['0'] as Form;
    find(String(line['price']), 'price');
    const session = make('checkout.session', 'cs_test', {
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
  };

  const expand = (object: StripeObject, form: Form): StripeObject => {
    const copy = structuredClone(object);
    for (const path of Object.values((form['expand'] as Form | undefined) ?? {}))
      expandPath(copy, String(path).split('.'));
    return copy;
  };
  const expandPath = (object: StripeObject, [name = '', ...rest]: string[]): void => {
    if (Array.isArray(object)) {
      for (const one of object) expandPath(one, [name, ...rest]);
      return;
    }
    if (!(name in object))
      throw new Refusal(400, { type: 'invalid_request_error', message: `This property cannot be expanded (${name}).` });
    if (typeof object[name] === 'string') object[name] = structuredClone(find(object[name], name));
    if (object[name] !== null && rest.length > 0) expandPath(object[name], rest);
  };
  const list = (url: string, data: StripeObject[], form: Form): StripeObject => {
    const start =
      form['starting_after'] === undefined ? 0 : data.findIndex(({ id }) => id === form['starting_after']) + 1;
    const limit = Number(form['limit'] ?? 10);
    const page = data.slice(start, start + limit);
    return expand({ object: 'list', url, data: page, has_more: data.length > start + limit }, form);
  };
  const ofKind = (kind: string): StripeObject[] => [...all.values()].filter(({ object }) => object === kind).reverse();

  type Handler = (id: string, form: Form, path: string) => StripeObject;
  const routes: [string, RegExp, [string, string], Handler][] = [
    [
      'GET',
      /^\/v1\/prices$/,
      ['Prices', 'PriceListParams'],
      (_, form, path) =>
        list(
          path,
          ofKind('price').filter(
            ({ id, recurring }) =>
              id === price.id && (form['recurring'] as Form | undefined)?.['interval'] === recurring.interval,
          ),
          form,
        ),
    ],
    [
      'POST',
      /^\/v1\/checkout\/sessions$/,
      ['Checkout/Sessions', 'Checkout.SessionCreateParams'],
      (_, form) => openSession(form),
    ],
    [
      'GET',
      /^\/v1\/checkout\/sessions\/(\w+)$/,
      ['Checkout/Sessions', 'Checkout.SessionRetrieveParams'],
      (id, form) => expand(find(id, 'checkout.session'), form),
    ],
    [
      'POST',
      /^\/v1\/checkout\/sessions\/(\w+)\/expire$/,
      ['Checkout/Sessions', 'Checkout.SessionExpireParams'],
      (id) => {
        const session = find(id, 'checkout.session');
        if (session.status !== 'open')
          throw new Refusal(400, { type: 'invalid_request_error', message: 'Only open sessions can be expired.' });
        session.status = 'expired';
        return session;
      },
    ],
    [
      'GET',
      /^\/v1\/subscriptions\/(\w+)$/,
      ['Subscriptions', 'SubscriptionRetrieveParams'],
      (id, form) => expand(find(id, 'subscription'), form),
    ],
    [
      'POST',
      /^\/v1\/subscriptions\/(\w+)$/,
      ['Subscriptions', 'SubscriptionUpdateParams'],
      (id, form) => {
        const subscription = find(id, 'subscription');
        change(subscription, form);
        return subscription;
      },
    ],
    [
      'DELETE',
      /^\/v1\/subscriptions\/(\w+)$/,
      ['Subscriptions', 'SubscriptionCancelParams'],
      (id) => {
        const subscription = find(id, 'subscription');
        cancel(subscription);
        return subscription;
      },
    ],
    [
      'POST',
      /^\/v1\/setup_intents$/,
      ['SetupIntents', 'SetupIntentCreateParams'],
      (_, form) =>
        make('setup_intent', 'seti', {
          customer: find(String(form['customer']), 'customer').id,
          client_secret: `seti_secret_${count}`,
        }),
    ],
    [
      'GET',
      /^\/v1\/payment_methods\/(\w+)$/,
      ['PaymentMethods', 'PaymentMethodRetrieveParams'],
      (id) => find(id, 'PaymentMethod'),
    ],
    [
      'POST',
      /^\/v1\/customers\/(\w+)$/,
      ['Customers', 'CustomerUpdateParams'],
      (id, form) => {
        const customer = find(id, 'customer');
        Object.assign(customer.invoice_settings, form['invoice_settings']);
        return customer;
      },
    ],
    [
      'GET',
      /^\/v1\/invoices$/,
      ['Invoices', 'InvoiceListParams'],
      (_, form, path) =>
        list(
          path,
          ofKind('invoice').filter(({ customer }) => customer === form['customer']),
          form,
        ),
    ],
    [
      'POST',
      /^\/v1\/invoices\/create_preview$/,
      ['Invoices', 'InvoiceCreatePreviewParams'],
      (_, form) => {
        const [item] = find(String(form['subscription']), 'subscription').items.data;
        return {
          ...structuredClone(objects['invoice']),
          id: 'upcoming_in',
          amount_due: item.quantity * item.price.unit_amount,
        };
      },
    ],
    [
      'POST',
      /^\/v1\/invoices\/(\w+)\/pay$/,
      ['Invoices', 'InvoicePayParams'],
      (id) => {
        if (refusesCards) throw cardRefused();
        return payInvoice(find(id, 'invoice'));
      },
    ],
  ];
  const payInvoice = (invoice: StripeObject): StripeObject => {
    invoice.status = 'paid';
    settle(find(invoice.parent.subscription_details.subscription, 'subscription'), invoice);
    return invoice;
  };

  const subscriptionOf = (id: string): StripeObject => find(id, 'subscription');
  return {
    handle(method: string, path: string, form: Form): StripeObject {
      for (const [of, pattern, [file, type], handler] of routes) {
        const match = of === method ? pattern.exec(path) : null;
        if (match === null) continue;
        check(checkParams(file, type, form));
        return handler(match[1] ?? '', form, path);
      }
      throw new Refusal(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${method}: ${path}).`,
      });
    },
    controls: {
      events,
      pay(sessionId: string, { organizationName, quantity }: { organizationName?: string; quantity?: number } = {}) {
        const session = find(sessionId, 'checkout.session');
        if (session.status !== 'open') throw new Error(`The session is ${session.status}`);
        const subscription = subscribe(session, quantity ?? session.quantity);
        Object.assign(session, { status: 'complete', payment_status: 'paid', subscription: subscription.id });
        session.customer = subscription.customer;
        for (const field of session.custom_fields) field.text = { value: organizationName ?? null };
        report('checkout.session.completed', session);
      },
      refuseCards(refuse: boolean) {
        refusesCards = refuse;
      },
      failRenewal(id: string) {
        refusesCards = true;
        const subscription = subscriptionOf(id);
        settle(subscription, bill(subscription, price.unit_amount * subscription.items.data[0].quantity, 'Renewal'));
      },
      payOpenInvoice(id: string) {
        refusesCards = false;
        payInvoice(find(subscriptionOf(id).latest_invoice, 'invoice'));
      },
      setQuantity(id: string, quantity: number) {
        const subscription = subscriptionOf(id);
        subscription.items.data[0].quantity = quantity;
        report('customer.subscription.updated', subscription);
      },
      end: (id: string) => cancel(subscriptionOf(id)),
      addCard,
      subscription: (id: string) => structuredClone(subscriptionOf(id)) as Stripe.Subscription,
      lastSession: () => ofKind('checkout.session')[0] as Stripe.Checkout.Session,
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk as string;
  return text;
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}
