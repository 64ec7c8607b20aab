import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, type Product, type Project, startProduct } from '../../../testing/product.ts';

let product: Product;
let project: Project;
let member: Person;

beforeAll(async () => {
  product = await startProduct({ withWorker: false });
  project = await product.project(await product.person('owner'));
  member = await product.person('member');
  await product.join(project, member, 'MEMBER');
});
afterAll(() => product.close());

const addFolder = (person: Person, name: string) => person.call('POST', `${project.address}/folders`, { name });

test('a manager lets members only read: they see everything, change nothing, and are told whom to ask', async () => {
  expect((await addFolder(member, 'before')).status).toBe(201);
  const changed = await project.owner.call('PUT', project.address, { members_read_only: true });
  expect(changed.body.members_read_only).toBe(true);

  const seen = await member.call('GET', project.address);
  expect(seen.body).toMatchObject({ role: 'MEMBER', members_read_only: true });
  expect((await member.call('GET', `${project.address}/folders`)).status).toBe(200);
  const refused = await addFolder(member, 'after');
  expect(refused.status).toBe(403);
  expect(refused.body.detail).toContain('may only read');
  expect((await addFolder(project.owner, 'of the owner')).status).toBe(201);
});

test('the switch is left alone by other changes, is not for members, and can be taken back', async () => {
  const renamed = await project.owner.call('PUT', project.address, { description: 'Trials of 2026' });
  expect(renamed.body.members_read_only).toBe(true);
  expect((await member.call('PUT', project.address, { members_read_only: false })).status).toBe(403);
  await project.owner.call('PUT', project.address, { members_read_only: false });
  expect((await addFolder(member, 'after all')).status).toBe(201);
});

test('a member who may only read leaves by oneself, also while nothing is paid, and removes nobody else', async () => {
  const { db } = product.services;
  const reader = await product.person('reader');
  await product.join(project, reader, 'MEMBER');
  await project.owner.call('PUT', project.address, { members_read_only: true });
  await db
    .updateTable('organizations')
    .set({ billing_state: 'past_due' })
    .where('id', '=', project.organizationId)
    .execute();
  const { body } = await reader.call('GET', `${project.address}/members`);
  const idOf = (person: Person) => body.data.find((one: { user_id: string }) => one.user_id === person.userId).id;
  const remove = (person: Person) => reader.call('DELETE', `${project.address}/members/${idOf(person)}`);
  expect((await remove(member)).body.detail).toContain('Ask a manager of the project');
  expect((await remove(reader)).status).toBe(204);
  expect((await reader.call('GET', project.address)).status).toBe(404);
});
