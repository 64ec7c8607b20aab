import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Person, type Product, type Project, startProduct, until } from '../../../testing/product.ts';
import { sweepDeliveries } from './webhooks.queries.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
type Json = any;

interface Call {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of its own for each test. */
let receiver: Server;
let calls: Call[];
/** Status of the next answers; null: no answer at all. */
let answer: number | null;

let product: Product;
let owner: Person;
let project: Project;
let hooks: string;

const PHENOTYPE = 'line,Yield\nA,1\nB,2\nC,3\n';
const CROSSES = 'female,male\nA,B\nA,C\n';

beforeAll(async () => {
  product = await startProduct({ changes: { outgoingNetworks: ['127.0.0.1/32'] } });
  owner = await product.person('olga');
});
afterAll(() => product.close());

beforeEach(async () => {
  calls = [];
  answer = 200;
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      calls.push({ headers: request.headers, body });
      if (answer !== null) response.writeHead(answer).end('thanks');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  project = await product.project(owner);
  hooks = `/organizations/${project.organizationId}/webhooks`;
});
afterEach(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=1`;

async function register(events: readonly string[], url = addressOf(receiver)): Promise<Json> {
  const made = await owner.call('POST', hooks, { name: 'Field book', url, events });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

const deliveriesOf = async (id: string): Promise<Json[]> =>
  (await owner.call('GET', `${hooks}/${id}/deliveries`)).body.data;

const settled = (id: string, count = 1): Promise<Json[]> =>
  until(
    () => deliveriesOf(id),
    (all) => all.length >= count && all.every(({ state }) => state !== 'WAITING'),
  );

/** As if the wait before the next attempt were over. */
const hurry = () =>
  sql`update pgboss.job set start_after = now() where name = 'lane-webhook' and state = 'created'`.execute(
    product.services.db,
  );

const attempted = (id: string, attempts: number): Promise<Json[]> =>
  until(
    () => deliveriesOf(id),
    (all) => all[0]?.attempts === attempts && (all[0].status !== null || all[0].error !== null),
  );

test('a file that is ready is told once, signed, without its contents', async () => {
  const { id, secret } = await register(['file.ready', 'crossing_table.made']);
  expect(secret).toMatch(/^whsec_[\w-]{43}$/);
  const file = await product.uploadChecked(owner, project, {
    name: 'trials.csv',
    fileType: 'PHENOTYPE',
    bytes: PHENOTYPE,
  });
  const [delivery] = await settled(id);
  expect(delivery).toMatchObject({ event: 'file.ready', state: 'DELIVERED', attempts: 1, status: 200, error: null });

  expect(calls).toHaveLength(1);
  const [{ headers, body } = { headers: {}, body: '' }] = calls;
  const signed = createHmac('sha256', secret).update(`${headers['heterosis-timestamp']}.${body}`).digest('hex');
  expect(headers['heterosis-signature']).toBe(`sha256=${signed}`);
  expect(Math.abs(Number(headers['heterosis-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'heterosis-event': 'file.ready',
    'heterosis-delivery': delivery.id,
  });
  expect(body).toBe(delivery.body);
  const told = JSON.parse(body);
  expect(told).toMatchObject({
    id: delivery.id,
    event: 'file.ready',
    organization: { id: project.organizationId, name: 'Acme Breeding' },
    project: { id: project.projectId },
    url: `${product.services.config.publicUrl}/projects/${project.projectId}/files/${file.id}`,
    data: { id: file.id, name: 'trials.csv', file_type: 'PHENOTYPE', row_count: 3 },
  });
});

test('a crossing table is told as such, an invalid file is not told', async () => {
  const { id } = await register(['file.ready', 'crossing_table.made']);
  await product.uploadChecked(owner, project, {
    name: 'broken.csv',
    fileType: 'PHENOTYPE',
    bytes: 'line,Yield\nA,1\nA,2\n,3\n',
  });
  await product.uploadChecked(owner, project, { name: 'crosses.csv', fileType: 'CROSSING_TABLE', bytes: CROSSES });
  const all = await settled(id, 2);
  expect(all.map(({ event }) => event).sort()).toEqual(['crossing_table.made', 'file.ready']);
  expect(all.every(({ body }) => JSON.parse(body).data.name === 'crosses.csv')).toBe(true);
});

test('the end of a run is told once with its state: failed, and cancelled', async () => {
  const { id } = await register(['run.ended']);
  const bytes = 'marker,A,B,C,D\nm1,0,1,2,0\nm2,2,1,0,2\n';
  const genotype = await product.uploadChecked(owner, project, { name: 'g.csv', fileType: 'GENOTYPE', bytes });
  const phenotype = await product.uploadChecked(owner, project, {
    name: 'p.csv',
    fileType: 'PHENOTYPE',
    bytes: PHENOTYPE,
  });
  const inputs = { traits: ['Yield'], genotype_id: genotype.id, phenotype_id: phenotype.id };
  const failing = await owner.call('POST', `${project.address}/gwas`, { name: 'Too few', ...inputs });
  expect(failing.status, failing.text).toBe(201);
  const [failed] = await settled(id);
  expect(JSON.parse(failed.body)).toMatchObject({
    event: 'run.ended',
    url: expect.stringContaining(`/gwas/${failing.body.id}`),
    data: { kind: 'gwas', id: failing.body.id, name: 'Too few', state: 'failed', results: [] },
  });
  expect(JSON.parse(failed.body).data.failures[0]).toMatch(/^Yield: failed\. /);

  await product.stopWorker();
  const cancelled = await owner.call('POST', `${project.address}/models`, { name: 'Cancelled', ...inputs });
  expect((await owner.call('POST', `${project.address}/models/${cancelled.body.id}/cancel`)).status).toBe(200);
  await product.startWorker();
  const [last, ...others] = await settled(id, 2);
  expect(others).toHaveLength(1);
  expect(JSON.parse(last.body).data).toMatchObject({ kind: 'model', name: 'Cancelled', state: 'cancelled' });
});

test('a failed delivery is tried again later, and arrives unchanged', async () => {
  answer = 503;
  const { id } = await register(['file.ready']);
  await product.uploadChecked(owner, project, { name: 'trials.csv', fileType: 'PHENOTYPE', bytes: PHENOTYPE });
  const [first] = await attempted(id, 1);
  expect(first).toMatchObject({ state: 'WAITING', status: 503, error: 'The receiver answered with 503.' });
  const wait = Date.parse(first.next_try_at) - Date.parse(first.tried_at);
  expect(wait).toBeGreaterThan(29_000);
  expect(wait).toBeLessThan(45_000);
  const again = await owner.call('POST', `${hooks}/${id}/deliveries/${first.id}/resend`);
  expect([again.status, again.body.code]).toEqual([409, 'webhooks/still-waiting']);
  expect((await owner.call('GET', hooks)).body.data[0].failing_since).not.toBeNull();

  answer = 204;
  await hurry();
  const [arrived] = await settled(id);
  expect(arrived).toMatchObject({ state: 'DELIVERED', attempts: 2, status: 204, error: null, next_try_at: null });
  expect(calls[1]?.body).toBe(calls[0]?.body);
  expect((await owner.call('GET', hooks)).body.data[0].failing_since).toBeNull();

  expect((await owner.call('POST', `${hooks}/${id}/deliveries/${first.id}/resend`)).status).toBe(202);
  await until(
    async () => calls.length,
    (count) => count === 3,
  );
  expect(calls[2]?.body).toBe(calls[0]?.body);
  expect(calls[2]?.headers['heterosis-delivery']).toBe(first.id);
});

test('a webhook that fails for days is switched off, and who made it is told once', { tags: 'whole' }, async () => {
  answer = 500;
  const { id } = await register(['file.ready']);
  await product.uploadChecked(owner, project, { name: 'trials.csv', fileType: 'PHENOTYPE', bytes: PHENOTYPE });
  for (let attempt = 1; attempt < 9; attempt++) {
    await attempted(id, attempt);
    if (attempt === 8)
      await sql`update webhooks set failing_since = now() - interval '73 hours' where id = ${id}`.execute(
        product.services.db,
      );
    await hurry();
  }
  const [given] = await settled(id);
  expect(given).toMatchObject({ state: 'FAILED', attempts: 9, status: 500, next_try_at: null });
  const [hook] = (await owner.call('GET', hooks)).body.data;
  expect(hook).toMatchObject({ is_active: false, switched_off_at: expect.any(String) });
  const mails = await until(
    () =>
      product.services.db
        .selectFrom('mail_outbox')
        .select(['subject', 'text', 'link'])
        .where('to', '=', owner.email)
        .where('subject', 'like', 'Webhook%')
        .execute(),
    ({ length }) => length > 0,
  );
  expect(mails).toHaveLength(1);
  expect(mails[0]?.subject).toBe('Webhook "Field book" was switched off');
  expect(mails[0]?.text).toContain(addressOf(receiver));

  // Nothing is told any more, but a test goes out, once.
  const before = calls.length;
  await product.uploadChecked(owner, project, { name: 'more.csv', fileType: 'PHENOTYPE', bytes: PHENOTYPE });
  expect((await owner.call('POST', `${hooks}/${id}/test`)).status).toBe(202);
  const [tested, ...rest] = await settled(id, 2);
  expect(tested).toMatchObject({ event: 'test', state: 'FAILED', attempts: 1 });
  expect(rest).toHaveLength(1);
  expect(calls).toHaveLength(before + 1);

  const on = await owner.call('PUT', `${hooks}/${id}`, { is_active: true });
  expect(on.body).toMatchObject({ is_active: true, failing_since: null, switched_off_at: null, secret: null });
});

test('addresses inside of the network are refused when they are called', async () => {
  const { id } = await register(['file.ready'], 'http://10.1.2.3:5432/');
  await owner.call('POST', `${hooks}/${id}/test`);
  const [refused] = await settled(id);
  expect(refused).toMatchObject({ state: 'FAILED', status: null });
  expect(refused.error).toMatch(/^10\.1\.2\.3 is inside a private network\./);
});

test('a redirect is not followed, and a receiver that says nothing is given up', { tags: 'whole' }, async () => {
  answer = 302;
  const { id } = await register(['file.ready']);
  await owner.call('POST', `${hooks}/${id}/test`);
  expect(await settled(id)).toMatchObject([{ state: 'FAILED', status: 302 }]);
  answer = null;
  await owner.call('POST', `${hooks}/${id}/test`);
  const [silent] = await settled(id, 2);
  expect(silent).toMatchObject({ state: 'FAILED', status: null, error: 'No answer within 10 seconds.' });
  expect(silent.took_ms).toBeGreaterThan(9_000);
});

test('the secret is stored sealed, shown once, and renewed on demand', async () => {
  const { id, secret } = await register(['file.ready']);
  expect((await owner.call('GET', hooks)).text).not.toContain('whsec_');
  const { rows } = await sql<{ row: string }>`select webhooks::text as row from webhooks where id = ${id}`.execute(
    product.services.db,
  );
  expect(rows[0]?.row).not.toContain(secret);
  expect((await owner.call('PUT', `${hooks}/${id}`, { name: 'Renamed' })).body).toMatchObject({
    name: 'Renamed',
    secret: null,
  });
  const { body: renewed } = await owner.call('PUT', `${hooks}/${id}`, { renew_secret: true });
  expect(renewed.secret).toMatch(/^whsec_/);
  expect(renewed.secret).not.toBe(secret);
  await owner.call('POST', `${hooks}/${id}/test`);
  await settled(id);
  const [{ headers, body } = { headers: {}, body: '' }] = calls;
  const signed = createHmac('sha256', renewed.secret).update(`${headers['heterosis-timestamp']}.${body}`).digest('hex');
  expect(headers['heterosis-signature']).toBe(`sha256=${signed}`);
});

test('another organization neither sees nor moves a webhook', async () => {
  const { id } = await register(['file.ready']);
  const other = await product.person('otto');
  const theirs = await product.project(other);
  const address = `/organizations/${theirs.organizationId}/webhooks`;
  expect((await other.call('GET', address)).body.data).toEqual([]);
  for (const [method, path] of [
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/test'],
    ['GET', '/deliveries'],
  ] as const)
    expect((await other.call(method, `${address}/${id}${path}`, method === 'PUT' ? {} : undefined)).status).toBe(404);
  await product.uploadChecked(other, theirs, { name: 'theirs.csv', fileType: 'PHENOTYPE', bytes: PHENOTYPE });
  expect(await deliveriesOf(id)).toEqual([]);
});

test('what cannot be an address or an event is refused, and so is the twenty-first webhook', async () => {
  const body = { name: 'x', url: addressOf(receiver), events: ['run.ended'] };
  for (const change of [
    { url: 'ftp://example.org' },
    { url: 'https://user:word@example.org/' },
    { url: 'nonsense' },
    { events: [] },
    { events: ['run.began'] },
    { name: '' },
  ])
    expect((await owner.call('POST', hooks, { ...body, ...change })).status, JSON.stringify(change)).toBe(400);
  const made = await Promise.all(Array.from({ length: 22 }, () => owner.call('POST', hooks, body)));
  expect(made.filter(({ status }) => status === 201)).toHaveLength(20);
  expect(made.find(({ status }) => status === 409)?.body.code).toBe('webhooks/too-many');
});

test('old deliveries are swept, and so are those beyond five hundred of a webhook', async () => {
  const { id } = await register(['file.ready']);
  const place = sql`${id}::uuid, ${project.organizationId}::uuid, 'test'`;
  const { db } = product.services;
  await sql`insert into webhook_deliveries (id, webhook_id, organization_id, event, event_key, body, state, created_at)
    select gen_random_uuid(), ${place}, 'k' || n, '{}', 'DELIVERED', now() - make_interval(days => n / 20)
    from generate_series(0, 650) n`.execute(db);
  await sql`insert into webhook_deliveries (id, webhook_id, organization_id, event, event_key, body, next_try_at)
    values (gen_random_uuid(), ${place}, 'lost', '{}', now() - interval '2 days')`.execute(db);
  await sweepDeliveries(db);
  const { rows } = await sql<{ kept: number; oldest: number; waiting: number }>`
    select count(*)::int as kept, max(extract(day from now() - created_at))::int as oldest,
      (count(*) filter (where state = 'WAITING'))::int as waiting
    from webhook_deliveries where webhook_id = ${id}`.execute(db);
  expect(rows[0]?.kept).toBeLessThanOrEqual(501);
  expect(rows[0]).toMatchObject({ waiting: 0 });
  expect(rows[0]?.oldest).toBeLessThanOrEqual(30);
});
