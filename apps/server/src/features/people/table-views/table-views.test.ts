import { expect, test } from 'vitest';
import { type Person } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';

const { product, owner: olga, member: max, project } = await startProject({ withWorker: false });

const address = (id = '') => `${project.address}/table_views${id && `/${id}`}`;
const content = { columns: [{ id: 'name', name: 'Name' }], sort: '-created_at' };
const save = (person: Person, body: object) => person.call('POST', address(), { table: 'models', content, ...body });
const names = async (person: Person): Promise<string[]> =>
  (await person.call('GET', address())).body.data.map(({ name }: { name: string }) => name);
const defaults = async (person: Person): Promise<string[]> =>
  (await person.call('GET', address())).body.data.flatMap((one: { name: string; is_default: boolean }) =>
    one.is_default ? [one.name] : [],
  );

test('a view of one’s own is seen by nobody else, a shared one by everybody in the project', async () => {
  const own = await save(max, { name: 'Mine', is_default: true });
  expect(own.status, own.text).toBe(201);
  expect(own.body).toMatchObject({
    ...{ table: 'models', name: 'Mine', is_shared: false, is_default: true, may_change: true },
    content: { ...content, search: '', group: null, filters: {} },
    created_by_id: max.userId,
  });
  const shared = await save(max, { name: 'Ours', is_shared: true });
  expect(shared.status, shared.text).toBe(201);
  expect(await names(max)).toEqual(['Mine', 'Ours']);
  expect(await names(olga)).toEqual(['Ours']);
  for (const method of ['PUT', 'DELETE'] as const)
    expect((await olga.call(method, address(own.body.id), method === 'PUT' ? { name: 'x' } : undefined)).status).toBe(
      404,
    );
  // Two people may give their own views one name; one person may not, for one table.
  expect((await save(olga, { name: 'MINE' })).status).toBe(201);
  const twice = await save(max, { name: 'mine' });
  expect([twice.status, twice.body.code]).toEqual([409, 'request/conflict']);
  expect((await save(max, { name: 'mine', table: 'gwas' })).status).toBe(201);
  const elsewhere = await product.project(olga);
  expect((await olga.call('GET', `${elsewhere.address}/table_views`)).body.data).toEqual([]);
  expect((await olga.call('DELETE', `${elsewhere.address}/table_views/${shared.body.id}`)).status).toBe(404);
});

test('a table has one default for everybody, which managers choose, and one for each person', async () => {
  const table = 'predictions';
  await save(max, { table, name: 'Max 1', is_default: true });
  await save(max, { table, name: 'Max 2', is_default: true });
  expect((await save(max, { table, name: 'All 0', is_shared: true, is_default: true })).status).toBe(403);
  const all = await save(max, { table, name: 'All 1', is_shared: true });
  expect((await max.call('PUT', address(all.body.id), { is_default: true })).status).toBe(403);
  expect((await olga.call('PUT', address(all.body.id), { is_default: true })).status).toBe(200);
  // Its author changes what it shows, and not that it is the default.
  expect((await max.call('PUT', address(all.body.id), { content, name: 'All 2' })).status).toBe(200);
  expect((await max.call('PUT', address(all.body.id), { is_default: false })).status).toBe(403);
  const made = await Promise.all(
    [1, 2, 3, 4].map((i) => save(olga, { table, name: `Olga ${i}`, is_default: true, is_shared: i % 2 === 0 })),
  );
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const ofMax = await defaults(max);
  expect(ofMax).toContain('Max 2');
  expect(ofMax.filter((name) => name.startsWith('Olga'))).toHaveLength(1);
  expect((await defaults(olga)).filter((name) => name.startsWith('Olga'))).toHaveLength(2);
});

test('a view is shared and taken back by its author, and deleted by a manager too', async () => {
  const { body } = await save(max, { name: 'Moves', is_default: true, table: 'lists' });
  const shared = await max.call('PUT', address(body.id), { is_shared: true });
  expect(shared.body).toMatchObject({ is_shared: true, is_default: false });
  expect((await olga.call('PUT', address(body.id), { is_shared: false })).status).toBe(403);
  expect((await olga.call('PUT', address(body.id), { name: 'Moved' })).body).toMatchObject({ may_change: true });
  expect((await max.call('PUT', address(body.id), { is_shared: false })).body.is_shared).toBe(false);
  expect(await names(olga)).not.toContain('Moved');
  await max.call('PUT', address(body.id), { is_shared: true });
  expect((await olga.call('DELETE', address(body.id))).status).toBe(204);
  expect(await names(max)).not.toContain('Moved');
});

test('where members may only read they keep views of their own, and share none', async () => {
  const own = await product.project(olga);
  await product.join(own, max, 'MEMBER');
  const readonly = await olga.call('PUT', own.address, { members_read_only: true });
  expect(readonly.status, readonly.text).toBe(200);
  const at = `${own.address}/table_views`;
  const body = { table: 'models', content, name: 'Read' };
  const mine = await max.call('POST', at, body);
  expect(mine.status, mine.text).toBe(201);
  expect((await max.call('POST', at, { ...body, is_shared: true })).status).toBe(403);
  expect((await max.call('PUT', `${at}/${mine.body.id}`, { is_shared: true })).status).toBe(403);
  expect((await max.call('GET', at)).body).toMatchObject({ may_save: true, may_share: false, may_set_default: false });
  expect((await max.call('DELETE', `${at}/${mine.body.id}`)).status).toBe(204);
});

test('an account that is deleted takes its own views along and leaves the shared ones', async () => {
  const { db } = product.services;
  const lena = await product.person('lena');
  await product.join(project, lena, 'MEMBER');
  await save(lena, { table: 'gone', name: 'Own' });
  await save(lena, { table: 'gone', name: 'Shared', is_shared: true });
  await db.deleteFrom('users').where('id', '=', lena.userId).execute();
  const left = await db
    .selectFrom('table_views')
    .select(['name', 'created_by'])
    .where('table_name', '=', 'gone')
    .execute();
  expect(left).toEqual([{ name: 'Shared', created_by: null }]);
});
