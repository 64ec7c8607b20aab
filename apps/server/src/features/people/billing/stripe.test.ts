import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import type { Stripe } from 'stripe';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  STAND_IN_KEY,
  STAND_IN_WEBHOOK_SECRET,
  type StripeStandIn,
  startStripeStandIn,
} from '../../../../tools/stripe-stand-in/stripe-stand-in.ts';
import { STAND_IN_PRICE } from '../../../../tools/stripe-stand-in/stripe-subscriptions.ts';
import { type Person, type Product, startProduct } from '../../../testing/product.ts';
import { createStripeClient, type StripeConfig } from './stripe-client.ts';
import { createStripeDriver } from './stripe-driver.ts';

let stripe: StripeStandIn;
let product: Product;
let billing: StripeConfig;
let log = '';

beforeAll(async () => {
  stripe = await startStripeStandIn();
  billing = {
    kind: 'stripe',
    secretKey: STAND_IN_KEY,
    publishableKey: 'pk_test_standIn',
    webhookSecret: STAND_IN_WEBHOOK_SECRET,
    apiUrl: stripe.url,
    product: undefined,
    freeSeats: 1,
    contact: null,
  };
  const sink = new Writable({
    write(chunk, _, done) {
      log += String(chunk);
      done();
    },
  });
  product = await startProduct({ withWorker: false, changes: { billing }, log: sink });
});
afterAll(async () => {
  await product.close();
  await stripe.close();
});
beforeEach(() => stripe.refuseCards(false));

const post = (payload: string, signature: string | undefined) =>
  product.app.inject({
    method: 'POST',
    url: '/api/stripe/webhook',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature === undefined ? {} : { 'stripe-signature': signature }),
    },
    payload,
  });

async function deliver(event: Stripe.Event): Promise<void> {
  const { payload, signature } = stripe.sign(event);
  const answer = await post(payload, signature);
  expect(answer.statusCode, answer.body).toBe(200);
}

async function deliverAll(events: readonly Stripe.Event[]): Promise<void> {
  for (const event of events) await deliver(event);
}

interface Customer {
  owner: Person;
  id: string;
  address: string;
  subscription: string;
}

/** Somebody who has paid for a new organization; the events are delivered. */
async function customer(quantity = 12): Promise<Customer> {
  const owner = await product.person(`owner-${uuidv7()}`);
  const first = stripe.events.length;
  const { body, text } = await owner.call('POST', '/checkout', { price_id: STAND_IN_PRICE });
  expect(body.url, text).toMatch(/^https:\/\/checkout\.stripe\.com\//);
  stripe.pay(stripe.lastSession().id, { organizationName: 'Acme Breeding', quantity });
  await deliverAll(stripe.events.slice(first));
  const [organization] = (await owner.call('GET', '/organizations')).body.data;
  const { id, subscription_id: subscription } = organization;
  return { owner, id, address: `/organizations/${id}`, subscription };
}

const auditOf = async (organizationId: string): Promise<string[]> => {
  const rows = await product.services.db
    .selectFrom('audit_events')
    .select('action')
    .where('organization_id', '=', organizationId)
    .where('action', 'like', 'billing.%')
    .orderBy('id')
    .execute();
  return rows.map(({ action }) => action);
};

const readBilling = async ({ owner, address }: Customer) => (await owner.call('GET', `${address}/billing`)).body;

test('prices come from the products, and a paid checkout makes the organization by its event', async () => {
  const someone = await product.person('prices');
  expect((await someone.call('GET', '/stripe/price')).body.data).toEqual([
    {
      id: STAND_IN_PRICE,
      nickname: 'Standard',
      unit_amount: 12_000,
      currency: 'usd',
      metadata: { notes: 'For teams', features: ['One', 'Two'] },
    },
  ]);
  const acme = await customer(14);
  const billing = await readBilling(acme);
  expect(billing).toMatchObject({ kind: 'stripe', state: 'active', seat_total: 14, seat_usage: 1 });
  expect(billing.subscription).toMatchObject({ id: acme.subscription, quantity: 14, plan: { amount: 12_000 } });
  expect(billing.payment_method).toMatchObject({ brand: 'visa', last4: '4242' });
  expect(billing.next_invoice).toMatchObject({ amount: 14 * 12_000 });
  expect((await acme.owner.call('GET', acme.address)).body.name).toBe('Acme Breeding');
  const { body } = await acme.owner.call('GET', `${acme.address}/invoices`);
  expect(body.data[0]).toMatchObject({
    status: 'paid',
    amount: 14 * 12_000,
    download_url: expect.stringMatching(/^https:/),
  });
  expect(await auditOf(acme.id)).toEqual(['billing.checkout-confirmed']);
});

test('the page completes a paid checkout before the event comes, and waits for one that is not paid', async () => {
  const owner = await product.person('early');
  const { body } = await owner.call('POST', '/checkout', { price_id: STAND_IN_PRICE });
  const session = stripe.lastSession();
  const confirm = () => owner.call('POST', `/checkouts/${session.client_reference_id}/confirm`, {});
  expect(body.url).toBe(session.url);
  expect((await confirm()).body.code).toBe('billing/not-paid');
  const first = stripe.events.length;
  stripe.pay(session.id, { organizationName: 'Early birds' });
  const paid = await Promise.all([confirm(), confirm()]);
  expect(paid.map(({ status }) => status)).toEqual([200, 200]);
  await deliverAll(stripe.events.slice(first));
  const { data } = (await owner.call('GET', '/organizations')).body;
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['Early birds']);
  expect(await auditOf(data[0].id)).toEqual(['billing.checkout-confirmed']);
});

test('more seats are charged at once; a refused card changes nothing', async () => {
  const acme = await customer(10);
  const put = (quantity: number) =>
    acme.owner.call('PUT', `${acme.address}/subscriptions`, {
      quantity,
      organization_id: acme.id,
      price_id: STAND_IN_PRICE,
    });
  expect((await put(13)).body.quantity).toBe(13);
  expect(stripe.subscription(acme.subscription).items.data[0]?.quantity).toBe(13);
  expect((await acme.owner.call('GET', `${acme.address}/invoices`)).body.data[0].amount).toBe(36_000);
  stripe.refuseCards(true);
  const refused = await put(20);
  expect(refused.body).toMatchObject({ status: 402, code: 'billing/card-refused' });
  expect(refused.body.detail).toContain('Your card was declined.');
  expect((await readBilling(acme)).seat_total).toBe(13);
  stripe.refuseCards(false);

  const both = await Promise.all([put(15), put(17)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const seats = stripe.subscription(acme.subscription).items.data[0]?.quantity;
  expect([15, 17]).toContain(seats);
  expect((await readBilling(acme)).seat_total).toBe(seats);
});

test('a failed payment makes the organization read-only until another card pays', async () => {
  const acme = await customer();
  const first = stripe.events.length;
  stripe.failRenewal(acme.subscription);
  await deliverAll(stripe.events.slice(first));
  expect((await readBilling(acme)).state).toBe('past_due');
  const refused = await acme.owner.call('POST', `${acme.address}/crops`, { name: 'Rye' });
  expect(refused.body).toMatchObject({ status: 402, code: 'billing/read-only' });
  const [open] = (await acme.owner.call('GET', `${acme.address}/invoices`)).body.data;
  expect(open).toMatchObject({ status: 'open', payment_url: expect.stringMatching(/^https:/) });

  const { body } = await acme.owner.call('GET', `/setupcredit?organization_id=${acme.id}`);
  expect(body.client_secret).toMatch(/^seti_/);
  const { customer: customerId } = stripe.subscription(acme.subscription);
  const card = stripe.addCard(String(customerId));
  const use = (token: string) => acme.owner.call('PUT', '/paymentmethods', { token });
  expect((await use('pm_unknown')).body.code).toBe('billing/card-refused');
  const foreign = stripe.addCard(String(stripe.subscription((await customer()).subscription).customer));
  expect((await use(foreign)).body.code).toBe('billing/card-refused');
  expect((await use(card)).body.code).toBe('billing/card-refused');
  stripe.refuseCards(false);
  expect((await use(card)).body.state).toBe('active');
  expect((await acme.owner.call('POST', `${acme.address}/crops`, { name: 'Rye' })).status).toBe(201);
  await deliverAll(stripe.events.slice(first));
  expect(await auditOf(acme.id)).toEqual([
    'billing.checkout-confirmed',
    'billing.payment-failed',
    'billing.card-changed',
    'billing.payment-received',
  ]);
});

test('a deleted organization is not charged again, and one that is ended at Stripe can subscribe anew', async () => {
  const acme = await customer();
  expect((await acme.owner.call('DELETE', acme.address)).status).toBe(204);
  expect(stripe.subscription(acme.subscription).cancel_at_period_end).toBe(true);

  const beta = await customer();
  let first = stripe.events.length;
  stripe.end(beta.subscription);
  await deliverAll(stripe.events.slice(first));
  expect((await readBilling(beta)).state).toBe('cancelled');
  first = stripe.events.length;
  await beta.owner.call('POST', '/checkout', { price_id: STAND_IN_PRICE, organization_id: beta.id });
  expect(stripe.lastSession().customer).toBe(stripe.subscription(beta.subscription).customer);
  stripe.pay(stripe.lastSession().id);
  await deliverAll(stripe.events.slice(first));
  expect(await readBilling(beta)).toMatchObject({ state: 'active', seat_total: 10 });
});

test('events with a wrong, old or missing signature are refused', async () => {
  const acme = await customer();
  stripe.setQuantity(acme.subscription, 30);
  const event = stripe.events.at(-1) as Stripe.Event;
  const { payload, signature } = stripe.sign(event);
  const code = async (...given: Parameters<typeof post>) => (await post(...given)).json().code;
  expect(await code(payload, undefined)).toBe('billing/bad-signature');
  expect(await code(`${payload} `, signature)).toBe('billing/bad-signature');
  expect(await code(payload, signature.replace(/t=\d+/, 't=1600000000'))).toBe('billing/bad-signature');
  expect(await code(payload, signature.replace(/v1=./, 'v1=x'))).toBe('billing/bad-signature');
  expect((await readBilling(acme)).seat_total).toBe(12);
  await deliver(event);
  expect((await readBilling(acme)).seat_total).toBe(30);
});

test('no secret is logged, not even when Stripe refuses a request or cannot be reached', async () => {
  const acme = await customer();
  await acme.owner.call('GET', '/setupcredit');
  const order = { price_id: 'price_unknown', organization_id: acme.id };
  expect((await acme.owner.call('POST', '/checkout', order)).status).toBe(409);
  const { call } = createStripeClient({ ...billing, apiUrl: 'http://127.0.0.1:9' });
  await expect(call((sdk) => sdk.prices.list())).rejects.toMatchObject({ code: 'billing/provider-failed' });
  await post('{}', `t=1,v1=${STAND_IN_WEBHOOK_SECRET}`);
  expect(log).toContain('event of the payment service');
  for (const secret of [STAND_IN_KEY, STAND_IN_WEBHOOK_SECRET, 'seti_secret']) expect(log).not.toContain(secret);
});

/** What becomes of a subscription that is read from a payment service with these answers. */
async function readFrom(answer: RequestListener): Promise<unknown> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { call } = createStripeClient({ ...billing, apiUrl }, 400);
  const driver = createStripeDriver({ call, publicUrl: 'http://localhost', product: undefined });
  const known = { ...({} as Parameters<typeof driver.readSubscription>[0]), id: 'sub_1' };
  return await driver.readSubscription(known).finally(() => {
    server.closeAllConnections();
    server.close();
  });
}

/** Sends a piece every so many milliseconds until the other side hangs up. */
const withoutEnd = (piece: string | Buffer, ms: number): RequestListener => {
  return (_, response) => {
    const timer = setInterval(() => response.write(piece), ms);
    response.once('close', () => clearInterval(timer));
  };
};
const json = (body: unknown): RequestListener => {
  return (_, response) => void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
};
const item = { price: { id: 'p', nickname: null, unit_amount: 1, currency: 'eur' }, current_period_end: 1 };
const subscription = {
  ...{ object: 'subscription', id: 'sub_1', customer: 'cus_1', status: 'active', cancel_at_period_end: false },
  items: { data: [item] },
};

test('a payment service that answers well is believed', async () => {
  expect(await readFrom(json(subscription))).toMatchObject({ id: 'sub_1', quantity: 1, state: 'active' });
});

test.each<[string, RequestListener]>([
  ['sends for ever', withoutEnd(Buffer.alloc(1 << 20), 1)],
  ['drips', withoutEnd(' ', 20)],
  ['is busy', (_, response) => void response.writeHead(429, { 'retry-after': '600' }).end('{}')],
  ['sends us on', (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()],
  ['breaks off', (request) => void request.socket.destroy()],
  ['sends no JSON', (_, response) => void response.end('<html>')],
  ['knows no item', json({ ...subscription, items: { data: [] } })],
  ['has a state of its own', json({ ...subscription, status: 'asleep' })],
  ['has seats in words', json({ ...subscription, items: { data: [{ ...item, quantity: 'ten' }] } })],
  ['lives in another age', json({ ...subscription, items: { data: [{ ...item, current_period_end: 1e15 }] } })],
  ['has a name of a megabyte', json({ ...subscription, id: 'x'.repeat(1 << 20) })],
])('a payment service that %s is named as the cause', async (_, answer) => {
  await expect(readFrom(answer)).rejects.toMatchObject({ code: 'billing/provider-failed' });
});

/** How many orders of delivery are tried. Raise it for a long run. */
const INTERLEAVINGS = Number(process.env['BILLING_INTERLEAVINGS'] ?? 12);

type Step = { kind: 'seats'; quantity: number } | { kind: 'fail' } | { kind: 'pay' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('seats' as const), quantity: fc.integer({ min: 10, max: 40 }) }),
  fc.constant<Step>({ kind: 'fail' }),
  fc.constant<Step>({ kind: 'pay' }),
);

test('events delivered three times, out of order and at once end in the state of Stripe, each change once', async () => {
  const acme = await customer();
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 5 }),
      fc.infiniteStream(fc.nat()),
      async (steps, order) => {
        const first = stripe.events.length;
        for (const one of steps) {
          const { status } = stripe.subscription(acme.subscription);
          if (one.kind === 'seats') stripe.setQuantity(acme.subscription, one.quantity);
          else if (one.kind === 'fail' && status === 'active') stripe.failRenewal(acme.subscription);
          else if (one.kind === 'pay' && status === 'past_due') stripe.payOpenInvoice(acme.subscription);
        }
        const before = await readBilling(acme);
        const actions = (await auditOf(acme.id)).length;
        const thrice = stripe.events.slice(first).flatMap((event) => [event, event, event]);
        const shuffled = thrice
          .map((event) => ({ event, place: order.next().value as number }))
          .sort((a, b) => a.place - b.place)
          .map(({ event }) => event);
        // A few at a time, as Stripe sends them.
        for (let i = 0; i < shuffled.length; i += 4) await Promise.all(shuffled.slice(i, i + 4).map(deliver));
        const { status, items } = stripe.subscription(acme.subscription);
        const after = await readBilling(acme);
        expect(after).toMatchObject({
          seat_total: items.data[0]?.quantity,
          state: status === 'active' ? 'active' : 'past_due',
        });
        // The state is read once for all events here, so each part of it changes at most once.
        const changes = Number(after.seat_total !== before.seat_total) + Number(after.state !== before.state);
        expect((await auditOf(acme.id)).length - actions).toBe(changes);
      },
    ),
    { numRuns: INTERLEAVINGS },
  );
});

test('two changes of seats and their events at once leave the seats that Stripe has', async () => {
  const acme = await customer();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 10, max: 40 }), fc.integer({ min: 10, max: 40 }), async (a, b) => {
      const first = stripe.events.length;
      const put = (quantity: number) =>
        acme.owner.call('PUT', `${acme.address}/subscriptions`, {
          quantity,
          organization_id: acme.id,
          price_id: STAND_IN_PRICE,
        });
      await Promise.all([put(a), put(b), deliverAll(stripe.events.slice(-2))]);
      await Promise.all(stripe.events.slice(first).map(deliver));
      expect((await readBilling(acme)).seat_total).toBe(stripe.subscription(acme.subscription).items.data[0]?.quantity);
    }),
    { numRuns: INTERLEAVINGS },
  );
});
