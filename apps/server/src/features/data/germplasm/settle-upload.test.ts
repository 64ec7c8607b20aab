import { once } from 'node:events';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Answer,
  missHeartbeats,
  type Person,
  type Product,
  type Project,
  sendTable,
  startProduct,
  startWorkerProcess,
  until,
} from '../../../testing/product.ts';
import { sweepAllRuns } from '../../work/runs/sweep/index.ts';
import { settleUploadRegistration } from './settle-upload.handler.ts';
import { sweepGermplasm } from './sweep-germplasm.ts';

let product: Product;
let owner: Person;
let project: Project;
let address: string;
let cropId: string;
beforeAll(async () => {
  product = await startProduct({ withWorker: false });
  owner = await product.person('owner');
});
afterAll(() => product.close());
beforeEach(async () => {
  project = await product.project(owner);
  address = `/organizations/${project.organizationId}/germplasms`;
  cropId = (await owner.call('GET', `/organizations/${project.organizationId}/crops`)).body.data[0].id;
});
afterEach(() => product.stopWorker());

const LINES = ['name,mother', 'B73,', 'C1,B73'];

async function begin(lines: readonly string[] = LINES): Promise<string> {
  const started = await sendTable(product, owner, `${address}/uploads`, lines, { crop_id: cropId });
  expect(started.status, started.text).toBe(201);
  return started.body.id;
}

const read = (id: string): Promise<Answer> => owner.call('GET', `${address}/uploads/${id}`);
const settled = (id: string): Promise<Answer> =>
  until(
    () => read(id),
    ({ body: { status } }) => status !== 'CHECKING' && status !== 'ACCEPTING',
  );
const accept = async (id: string): Promise<void> => {
  const answer = await owner.call('POST', `${address}/uploads/${id}/accept`, { confirm_warnings: true });
  expect(answer.status, answer.text).toBe(200);
};

const runsOf = (id: string) =>
  product.services.db
    .selectFrom('runs')
    .select(['state', 'attempt', 'step', 'project_id', 'organization_id', 'requested_by'])
    .where('entity_id', '=', id)
    .orderBy('id')
    .execute();
const statesOf = async (id: string) => (await runsOf(id)).map(({ state, attempt }) => [state, attempt]);

async function namesInList(): Promise<string[]> {
  const { body } = await owner.call('GET', address);
  return body.data.map(({ name }: { name: string }) => name);
}

/** Executes a statement in a transaction, which ends, with its locks, when the returned function is called. */
async function hold(statement: RawBuilder<unknown>): Promise<() => Promise<void>> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = product.services.db.transaction().execute(async (trx) => {
    await statement.execute(trx);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return async () => {
    released.resolve();
    await ended;
  };
}

/** Nobody can read the germplasm list, so that no upload is judged. */
const holdList = () => hold(sql`lock table germplasm in access exclusive mode`);
/** Nobody can change the list of the crop, so that nothing is stored. */
const holdCrop = () => hold(sql`select from crops where id = ${cropId} for update`);

/** Waits until the worker waits for what is held. */
const isBlocked = () =>
  until(
    async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(product.services.db);
      return rows[0]?.count ?? 0;
    },
    (count) => count > 0,
  );

test.each([
  ['judging', holdList],
  ['storing', holdCrop],
])(
  'a worker that is killed while %s an upload is replaced by another, and nothing is stored twice',
  { tags: 'whole' },
  async (what, holdIt) => {
    const id = await begin();
    if (what === 'storing') {
      await product.startWorker();
      expect((await settled(id)).body.counts).toMatchObject({ create: 2 });
      await product.stopWorker();
      await accept(id);
    }
    const release = await holdIt();
    const worker = startWorkerProcess(product);
    await isBlocked();
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await release();
    expect((await read(id)).body.status).toBe(what === 'storing' ? 'ACCEPTING' : 'CHECKING');
    expect(await namesInList()).toEqual([]);

    await missHeartbeats(product);
    await product.startWorker();
    expect((await settled(id)).body.status).toBe(what === 'storing' ? 'ACCEPTED' : 'REVIEW');
    expect((await statesOf(id)).at(-1)).toEqual(['SUCCEEDED', 2]);
    expect(await namesInList()).toEqual(what === 'storing' ? ['B73', 'C1'] : []);
    expect((await owner.call('GET', `${address}/uploads/${id}/rows`)).body.data).toHaveLength(
      what === 'storing' ? 0 : 2,
    );
  },
);

test('a write that fails leaves nothing, and is tried again', { tags: 'whole' }, async () => {
  const { db } = product.services;
  const id = await begin();
  await product.startWorker();
  await settled(id);
  // The second row: the first one is written by then.
  await sql`
    create function refuse() returns trigger language plpgsql as
      $$ begin if new.name = 'C1' then raise 'no more rows'; end if; return new; end $$`.execute(db);
  await sql`create trigger refuse before insert on germplasm for each row execute function refuse()`.execute(db);
  await accept(id);
  await until(
    () => statesOf(id),
    (states) => states[1]?.[0] === 'QUEUED' && states[1]?.[1] === 1,
  );
  expect(await namesInList()).toEqual([]);
  expect((await read(id)).body).toMatchObject({ status: 'ACCEPTING', counts: { create: 2 } });
  await sql`drop function refuse() cascade`.execute(db);
  expect((await settled(id)).body.status).toBe('ACCEPTED');
  expect(await statesOf(id)).toEqual([
    ['SUCCEEDED', 1],
    ['SUCCEEDED', 2],
  ]);
  expect(await namesInList()).toEqual(['B73', 'C1']);
});

test('an upload that is cancelled while it is judged leaves neither rows nor bytes', async () => {
  const id = await begin();
  const { storage } = product.services;
  expect(await storage.find(`uploads/${id}`)).toBeDefined();
  const release = await holdList();
  await product.startWorker();
  await isBlocked();
  expect((await owner.call('DELETE', `${address}/uploads/${id}`)).status).toBe(204);
  await release();
  expect(await statesOf(id)).toEqual([['CANCELLED', 1]]);
  expect((await read(id)).status).toBe(404);
  expect(await storage.find(`uploads/${id}`)).toBeUndefined();
  // The next one is not kept waiting.
  expect((await settled(await begin())).body.counts).toMatchObject({ create: 2 });
  expect(await statesOf(id)).toEqual([['CANCELLED', 1]]);
  await sql`update runs set finished_at = now() - interval '8 days' where entity_id = ${id}`.execute(
    product.services.db,
  );
  await sweepGermplasm(product.services);
  expect(await runsOf(id)).toEqual([]);
});

test('an upload whose job is lost gets another', async () => {
  const { db } = product.services;
  const id = await begin();
  await sql`delete from pgboss.job where id in (
    select (jobs -> 0 ->> 'id')::uuid from runs where entity_id = ${id})`.execute(db);
  expect((await read(id)).body.progress).toMatchObject({ stage: 'queued', runs_before: 0 });
  for (const sweep of sweepAllRuns(product.services, [settleUploadRegistration(product.services)])) await sweep();
  await product.startWorker();
  expect((await settled(id)).body).toMatchObject({ status: 'REVIEW', progress: null });
});

test('rows are judged again when somebody has changed the list in the meantime', async () => {
  const id = await begin();
  await product.startWorker();
  await settled(id);
  const { organizationId } = project;
  const release = await hold(sql`
    with next as (update crops set germplasm_version = germplasm_version + 1 where id = ${cropId})
    insert into germplasm (id, organization_id, crop_id, name, folded_name, collection)
    values (gen_random_uuid(), ${organizationId}, ${cropId}, 'C1', 'c1', 'Early')`);
  await accept(id);
  await isBlocked();
  await release();
  expect((await settled(id)).body).toMatchObject({ status: 'ACCEPTED', counts: { create: 1, same: 1 } });
  expect((await owner.call('GET', address)).body.data).toMatchObject([
    { name: 'B73', collection: null },
    { name: 'C1', collection: 'Early' },
  ]);
});

test('an upload is a run of the organization, of whose end its person is mailed', async () => {
  const { db, storage } = product.services;
  await owner.call('PUT', '/users/me/mails', { run_mail_minutes: 10 });
  const [kept, gone] = [await begin(), await begin()];
  const own = { project_id: null, organization_id: project.organizationId, requested_by: owner.userId };
  expect(await runsOf(kept)).toEqual([{ ...own, state: 'QUEUED', attempt: 0, step: 'settle' }]);
  await storage.delete(`uploads/${gone}`);
  await sql`update runs set requested_at = now() - interval '30 minutes' where state = 'QUEUED'`.execute(db);
  await product.startWorker();
  expect((await settled(kept)).body.status).toBe('REVIEW');
  expect((await settled(gone)).body).toMatchObject({ status: 'FAILED', problems: [{ code: 'E-FILE-GONE' }] });
  const mails = await until(
    () => db.selectFrom('mail_outbox').select(['subject', 'text']).where('to', '=', owner.email).execute(),
    ({ length }) => length === 2,
  );
  expect(mails.map(({ subject }) => subject).sort()).toEqual([
    'The upload of germplasm "lines.csv" has failed',
    'The upload of germplasm "lines.csv" has finished',
  ]);
  const text = mails.find(({ subject }) => subject.endsWith('finished'))?.text;
  expect(text).toContain('"lines.csv" of the organization "Acme Breeding" has finished after 30 min.');
  expect(text).toContain('Ready for your review. New: 2. Changed: 0.');
  expect(text).toContain(`/organizations/${project.organizationId}/germplasm/uploads/${kept}\n`);
});
