import { expect, test } from 'vitest';
import { startProject } from '../../../testing/start-project.ts';

const { product, owner, member, outsider, project } = await startProject({ withWorker: false });

const lists = () => `${project.address}/lists`;
const create = (body: object, person = owner) => person.call('POST', lists(), { kind: 'germplasm', ...body });

test('a list keeps its names in their order, each once, and is found by kind and name', async () => {
  const made = await create({ name: ' Testers ', members: ['Mo17', 'B73', 'Mo17', 'A188'], description: 'of 2026' });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    name: 'Testers',
    kind: 'germplasm',
    size: 3,
    members: ['Mo17', 'B73', 'A188'],
    description: 'of 2026',
    created_by_id: owner.userId,
  });
  const markers = await create({ name: 'Testers', kind: 'markers', members: ['PZB00859.1'] });
  expect(markers.status).toBe(201);
  const listed = await owner.call('GET', `${lists()}?kind=germplasm&name=TEST`);
  expect(listed.body.data).toHaveLength(1);
  expect(listed.body.data[0]).not.toHaveProperty('members');
  const first = await owner.call('GET', `${lists()}?limit=1`);
  expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([markers.body.id]);
  const next = await owner.call('GET', `${lists()}?limit=1&cursor=${first.body.next_cursor}`);
  expect(next.body).toMatchObject({ data: [{ id: made.body.id, size: 3 }], next_cursor: null });
});

test('names are added, removed and replaced, also by several people at once', async () => {
  const { body } = await create({ name: 'Growing', members: ['a'] });
  const address = `${lists()}/${body.id}`;
  await Promise.all(
    ['b', 'c', 'd', 'e', 'f'].map((name) => owner.call('PUT', address, { add: [name, 'a'], remove: ['absent'] })),
  );
  const grown = await owner.call('GET', address);
  expect(grown.body.members[0]).toBe('a');
  expect(grown.body.members.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  const less = await owner.call('PUT', address, { remove: ['a', 'c'], name: 'Shrunk' });
  expect(less.body).toMatchObject({ name: 'Shrunk', size: 4 });
  const replaced = await owner.call('PUT', address, { members: ['z', 'y'] });
  expect(replaced.body.members).toEqual(['z', 'y']);
  expect((await owner.call('PUT', address, { members: ['z'], add: ['x'] })).status).toBe(400);
  expect((await owner.call('DELETE', address)).status).toBe(204);
  expect((await owner.call('GET', address)).status).toBe(404);
});

test('members change their own lists only, and nobody else sees them', async () => {
  const { body } = await create({ name: 'Of Olga', members: ['B73'] });
  const address = `${lists()}/${body.id}`;
  expect((await member.call('GET', address)).body.members).toEqual(['B73']);
  expect((await member.call('PUT', address, { add: ['Mo17'] })).status).toBe(403);
  expect((await member.call('DELETE', address)).status).toBe(403);
  const own = await create({ name: 'Of Max', members: ['B73'] }, member);
  expect((await owner.call('PUT', `${lists()}/${own.body.id}`, { name: 'Mended' })).status).toBe(200);
  for (const method of ['GET', 'DELETE'] as const) expect((await outsider.call(method, address)).status).toBe(404);
  const elsewhere = await product.project(owner);
  expect((await owner.call('GET', `${elsewhere.address}/lists/${body.id}`)).status).toBe(404);
});

test.each([
  ['without a name on it', { name: 'x', members: [] }, 400, 'request/invalid'],
  ['of an unknown kind', { name: 'x', kind: 'files', members: ['a'] }, 400, 'request/invalid'],
  ['with an empty name', { name: 'x', members: [' '] }, 400, 'request/invalid'],
  ['with a line break in a name', { name: 'x', members: ['a\nb'] }, 400, 'request/invalid'],
  [
    'with too many names',
    { name: 'x', members: Array.from({ length: 20_001 }, (_, i) => `${i}`) },
    400,
    'request/invalid',
  ],
  ['whose name is taken', { name: 'TAKEN', members: ['a'] }, 409, 'request/conflict'],
])('a list %s is refused', async (_what, body, status, code) => {
  await create({ name: 'Taken', members: ['a'] });
  const answer = await create(body);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('a list does not grow beyond what it may hold', async () => {
  const { body } = await create({ name: 'Full', members: Array.from({ length: 20_000 }, (_, i) => `L${i}`) });
  const more = await owner.call('PUT', `${lists()}/${body.id}`, { add: ['one more'] });
  expect([more.status, more.body.code]).toEqual([409, 'lists/too-long']);
});
