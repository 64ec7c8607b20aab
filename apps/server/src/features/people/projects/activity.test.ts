import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, type Product, startProduct } from '../../../testing/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ withWorker: false });
});
afterAll(() => product.close());

test('lists say when people were last active and when somebody last changed a project', async () => {
  const { db } = product.services;
  const owner = await product.person('olga');
  const member = await product.person('max');
  const project = await product.project(owner);
  await product.join(project, member, 'MEMBER');
  const long = '2026-01-01T00:00:00.000Z';
  await db.updateTable('projects').set({ last_active_at: long }).where('id', '=', project.projectId).execute();
  const read = async (person: Person, address: string) => (await person.call('GET', address)).body;
  const activityOf = async ({ userId }: Person) =>
    (await read(owner, `${project.address}/members`)).data.find((one: { user_id: string }) => one.user_id === userId)
      .last_active_at;

  expect(await activityOf(member)).toBeNull();
  // Reading is activity of the person, not a change of the project.
  await member.call('GET', project.address);
  expect(Date.parse(await activityOf(member))).toBeGreaterThan(Date.now() - 60_000);
  expect((await read(member, project.address)).last_active_at).toBe(long);
  await member.call('POST', `${project.address}/folders`, { name: 'Trials' });
  const { last_active_at } = (await read(member, '/projects')).data[0];
  expect(Date.parse(last_active_at)).toBeGreaterThan(Date.now() - 60_000);

  const [own] = (await read(owner, `/organizations/${project.organizationId}/members`)).data;
  expect(Date.parse(own.last_active_at)).toBeGreaterThan(Date.now() - 60_000);
});
