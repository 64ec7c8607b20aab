import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, type Product, type Project, startProduct } from '../../../testing/product.ts';
import { renewSubscriptions } from './billing.service.ts';
import { createBilling } from './create-billing.ts';
import { yearAfter } from './offline-driver.ts';

const PRICE = 'standard-yearly';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ withWorker: false });
});
afterAll(() => product.close());

async function subscribed(quantity: number): Promise<{ owner: Person; project: Project; address: string }> {
  const owner = await product.person(`owner-${uuidv7()}`);
  const project = await product.project(owner);
  await subscribe(owner, project.organizationId, quantity);
  return { owner, project, address: `/organizations/${project.organizationId}` };
}

async function subscribe(owner: Person, organizationId: string, quantity: number) {
  const { body } = await owner.call('POST', '/checkout', { price_id: PRICE, organization_id: organizationId });
  const confirmed = await owner.call('POST', `/checkouts/${body.url.split('/').at(-1)}/confirm`, { quantity });
  expect(confirmed.status, confirmed.text).toBe(200);
  return confirmed;
}

const setState = (organizationId: string, billing_state: 'active' | 'past_due' | 'cancelled') =>
  product.services.db.updateTable('organizations').set({ billing_state }).where('id', '=', organizationId).execute();

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

test('a checkout makes an organization with its seats, once, and only for the person who began it', async () => {
  const ann = await product.person('ann');
  const { body: prices } = await ann.call('GET', '/stripe/price');
  expect(prices.data[0]).toMatchObject({ id: PRICE, nickname: 'Standard', unit_amount: 12_000, currency: 'usd' });
  expect((await ann.call('POST', '/checkout', { price_id: 'free' })).body.code).toBe('billing/unknown-price');
  const { body } = await ann.call('POST', '/checkout', { price_id: PRICE });
  const address = `/checkouts/${body.url.split('/').at(-1)}`;
  expect(body.url).toMatch(/^\/checkout\//);
  expect((await ann.call('GET', address)).body).toMatchObject({ status: 'open', organization_id: null });
  expect((await (await product.person('bob')).call('POST', `${address}/confirm`, {})).status).toBe(404);
  expect((await ann.call('POST', `${address}/confirm`, {})).body.invalid_params[0].name).toBe('body.organization_name');
  expect((await ann.call('POST', `${address}/confirm`, { organization_name: 'A', quantity: 9 })).status).toBe(400);
  const order = { organization_name: 'Ann’s lines', quantity: 14 };
  const both = await Promise.all([1, 2].map(() => ann.call('POST', `${address}/confirm`, order)));
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(both[0]?.body).toEqual(both[1]?.body);

  const id = both[0]?.body.organization_id;
  const organizations = await ann.call('GET', '/organizations');
  expect(organizations.body.data).toHaveLength(1);
  const { body: billing } = await ann.call('GET', `/organizations/${id}/billing`);
  expect(billing).toMatchObject({ kind: 'offline', state: 'active', seat_total: 14, seat_usage: 1 });
  expect(billing.subscription).toMatchObject({ quantity: 14, plan: { id: PRICE, amount: 12_000 } });
  expect(billing.next_invoice).toMatchObject({ amount: 14 * 12_000, currency: 'usd' });
  expect(organizations.body.data[0].subscription_id).toBe(billing.subscription.id);
  expect((await ann.call('GET', `/subscriptions/${billing.subscription.id}`)).body.quantity).toBe(14);
  expect(await auditOf(id)).toEqual(['billing.checkout-confirmed']);
});

test('seats change at once, are invoiced for the rest of the year, and never fall below those in use', async () => {
  const { owner, project, address } = await subscribed(10);
  const put = (quantity: number, more: object = {}) =>
    owner.call('PUT', `${address}/subscriptions`, {
      quantity,
      organization_id: project.organizationId,
      price_id: PRICE,
      ...more,
    });
  expect((await put(12)).body).toMatchObject({ quantity: 12 });
  expect((await put(13, { expected_quantity: 10 })).body.code).toBe('billing/seats-changed');
  expect((await put(9)).status).toBe(400);
  expect((await put(12, { price_id: 'other' })).body.code).toBe('billing/unknown-price');
  for (let i = 0; i < 10; i++)
    expect(
      (await owner.call('POST', `${address}/invitations`, { recipient: `i${i}-${uuidv7()}@example.org` })).status,
    ).toBe(201);
  const refused = await put(10);
  expect(refused.body).toMatchObject({ code: 'billing/seats-in-use', details: { seat_usage: 11 } });
  expect(refused.body.detail).toContain('Remove members or withdraw invitations');
  expect((await put(11)).body.quantity).toBe(11);
  expect((await owner.call('GET', address)).body).toMatchObject({ seat_total: 11, seat_usage: 11 });

  const { body } = await owner.call('GET', `${address}/invoices`);
  expect(body.data.map(({ amount }: { amount: number }) => amount)).toEqual([-12_000, 24_000, 120_000]);
  expect(body.data[1]).toMatchObject({ status: 'issued', description: expect.stringContaining('2 seats added until') });
  const document = await owner.call('GET', `${address}/invoices/${body.data[2].id}/document`);
  expect(document.headers['content-type']).toContain('text/html');
  expect(document.text).toContain('$1,200.00');
  expect(await auditOf(project.organizationId)).toEqual([
    'billing.checkout-confirmed',
    'billing.seats-changed',
    'billing.seats-changed',
  ]);
});

test('of an invitation and a reduction at once, one is refused: the seats never end below those in use', async () => {
  const { owner, project, address } = await subscribed(11);
  for (let i = 0; i < 9; i++)
    await owner.call('POST', `${address}/invitations`, { recipient: `r${i}-${uuidv7()}@example.org` });
  const order = { quantity: 10, organization_id: project.organizationId, price_id: PRICE };
  const [invited, reduced] = await Promise.all([
    owner.call('POST', `${address}/invitations`, { recipient: `late-${uuidv7()}@example.org` }),
    owner.call('PUT', `${address}/subscriptions`, order),
  ]);
  expect([invited.status, reduced.status].filter((status) => status === 409)).toHaveLength(1);
  const { body } = await owner.call('GET', address);
  expect(body.seat_usage).toBeLessThanOrEqual(body.seat_total);
});

test('a cancelled subscription lasts until its year ends, and can be kept or taken up again', async () => {
  const { owner, project, address } = await subscribed(10);
  const { organizationId } = project;
  const cancel = () => owner.call('POST', `${address}/subscriptions/cancel`);
  expect((await cancel()).body).toMatchObject({ cancel_at_period_end: true, state: 'active' });
  expect((await owner.call('GET', `${address}/billing`)).body.next_invoice).toBeNull();
  expect((await owner.call('POST', `${address}/subscriptions/resume`)).body.cancel_at_period_end).toBe(false);
  const { db } = product.services;
  const { driver } = createBilling(product.services.config);
  const yearEnds = () =>
    db
      .updateTable('subscriptions')
      .set({ current_period_end: '2026-01-01T00:00:00Z' })
      .where('organization_id', '=', organizationId)
      .execute();
  await yearEnds();
  await Promise.all([renewSubscriptions({ db, driver }), renewSubscriptions({ db, driver })]);
  const renewed = (await owner.call('GET', `${address}/billing`)).body;
  expect(renewed.subscription).toMatchObject({ state: 'active', current_period_end: '2027-01-01T00:00:00.000Z' });
  expect((await owner.call('GET', `${address}/invoices`)).body.data).toHaveLength(2);
  await cancel();
  await yearEnds();
  await renewSubscriptions({ db, driver });
  expect((await owner.call('GET', `${address}/billing`)).body.state).toBe('cancelled');
  await subscribe(owner, organizationId, 10);
  expect((await owner.call('GET', `${address}/billing`)).body).toMatchObject({ state: 'active', seat_total: 10 });
});

test('an unpaid organization can be read, left and deleted, and nothing can be added or changed', async () => {
  const { owner, project, address } = await subscribed(10);
  const member = await product.person(`member-${uuidv7()}`);
  await product.join(project, member, 'MEMBER');
  const folder = await owner.call('POST', `${project.address}/folders`, { name: 'Kept' });
  for (const state of ['past_due', 'cancelled'] as const) {
    await setState(project.organizationId, state);
    const refused = await member.call('POST', `${project.address}/folders`, { name: 'New' });
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({ code: 'billing/read-only', details: { billing_state: state } });
    expect(refused.body.detail).toContain('Ask an owner');
    const crops = (await owner.call('GET', `${address}/crops`)).body.data;
    const crop = { organization_id: project.organizationId, crop_id: crops[0].id };
    for (const write of [
      owner.call('PUT', address, { name: 'Other' }),
      owner.call('POST', `${address}/crops`, { name: 'Rye' }),
      owner.call('POST', `${address}/invitations`, { recipient: 'new@example.org' }),
      owner.call('POST', '/projects', { name: 'New', ...crop }),
      owner.call('PUT', `${project.address}/folders/${folder.body.id}`, { name: 'Other' }),
    ])
      expect((await write).body.code).toBe('billing/read-only');
    expect((await member.call('GET', project.address)).body.billing_state).toBe(state);
    expect((await owner.call('GET', address)).body.billing_state).toBe(state);
    expect((await member.call('GET', `${project.address}/folders`)).status).toBe(200);
    expect((await owner.call('GET', `${address}/billing`)).status).toBe(200);
    // An outsider learns nothing of it.
    const outsider = await product.person('outsider');
    expect((await outsider.call('POST', `${project.address}/folders`, { name: 'New' })).status).toBe(404);
  }
  const { body: members } = await member.call('GET', `${project.address}/members`);
  const own = members.data.find(({ user_id }: { user_id: string }) => user_id === member.userId);
  expect((await member.call('DELETE', `${project.address}/members/${own.id}`)).status).toBe(204);
  expect((await owner.call('DELETE', `${project.address}/folders/${folder.body.id}`)).status).toBe(204);
  await setState(project.organizationId, 'active');
  expect((await owner.call('POST', `${project.address}/folders`, { name: 'Again' })).status).toBe(201);
});

test('deleting an organization cancels its subscription', async () => {
  const { owner, project, address } = await subscribed(10);
  const deleted = await owner.call('DELETE', address);
  expect(deleted.status, deleted.text).toBe(204);
  const row = await product.services.db
    .selectFrom('subscriptions')
    .select('cancel_at_period_end')
    .where('organization_id', '=', project.organizationId)
    .executeTakeFirstOrThrow();
  expect(row.cancel_at_period_end).toBe(true);
});

test('an organization without a subscription has the free seats, and cards belong to a payment service', async () => {
  const owner = await product.person('free');
  const { body } = await owner.call('POST', '/organizations', { name: 'Small' });
  expect(body).toMatchObject({ seat_total: product.services.config.billing.freeSeats, billing_state: 'active' });
  const address = `/organizations/${body.id}`;
  expect((await owner.call('GET', `${address}/billing`)).body.subscription).toBeNull();
  expect((await owner.call('POST', `${address}/subscriptions/cancel`)).body.code).toBe('billing/no-subscription');
  expect((await owner.call('GET', '/setupcredit')).body.code).toBe('billing/no-subscription');
  await subscribe(owner, body.id, 10);
  expect((await owner.call('GET', '/setupcredit')).body.code).toBe('billing/no-cards');
  const second = await owner.call('POST', '/checkout', { price_id: PRICE, organization_id: body.id });
  expect(second.body.code).toBe('billing/already-subscribed');
});

test('a year after a leap day is the last day of February', () => {
  expect(yearAfter(new Date('2028-02-29T10:00:00Z')).toISOString()).toBe('2029-02-28T10:00:00.000Z');
  expect(yearAfter(new Date('2026-11-22T10:00:00Z')).toISOString()).toBe('2027-11-22T10:00:00.000Z');
});
