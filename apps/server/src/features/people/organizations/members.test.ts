import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, type Product, type Project, startProduct } from '../../../testing/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ withWorker: false });
});
afterAll(() => product.close());

type Role = 'OWNER' | 'MANAGER' | 'MEMBER';
type Place = Awaited<ReturnType<typeof place>>;
/** Repetitions of each race; 1,000 before a release. */
const RACES = Number(process.env['PEOPLE_INTERLEAVINGS'] ?? 10);
let places = 0;

/** An organization with one user per role, two of them members. */
async function place() {
  const prefix = `p${++places}`;
  const owner = await product.person(`${prefix}-owner`);
  const project = await product.project(owner);
  const address = `/organizations/${project.organizationId}`;
  const [manager, second, member, other] = await Promise.all(
    (['MANAGER', 'MANAGER', 'MEMBER', 'MEMBER'] as const).map((role, index) =>
      join(project, `${prefix}-${index}`, role),
    ),
  );
  if (!manager || !second || !member || !other) throw new Error('four people were asked for');
  // Not asked of the server: in a race the owner may have left already.
  const idOf = async ({ userId }: Person): Promise<string | undefined> =>
    (
      await product.services.db
        .selectFrom('organization_members')
        .select('id')
        .where('organization_id', '=', project.organizationId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
    )?.id;
  const change = async (by: Person, whom: Person, role: Role) =>
    by.call('PUT', `${address}/members/${await idOf(whom)}`, { role });
  const remove = async (by: Person, whom: Person) => by.call('DELETE', `${address}/members/${await idOf(whom)}`);
  return { project, address, owner, manager, second, member, other, change, remove };
}

async function join({ organizationId }: Project, name: string, role: Role): Promise<Person> {
  const person = await product.person(name);
  await product.services.db
    .insertInto('organization_members')
    .values({ id: uuidv7(), organization_id: organizationId, user_id: person.userId, role })
    .execute();
  return person;
}

describe('roles', () => {
  test('owners set any role and hand over', async () => {
    const { owner, manager, member, change, address } = await place();
    expect((await change(owner, member, 'MANAGER')).body.role).toBe('MANAGER');
    expect((await change(owner, manager, 'OWNER')).status).toBe(200);
    expect((await change(manager, owner, 'MEMBER')).body.role).toBe('MEMBER');
    expect((await owner.call('GET', address)).body.role).toBe('MEMBER');
  });

  test('the last owner is neither demoted nor removed and cannot leave', async () => {
    const { owner, change, remove } = await place();
    expect((await change(owner, owner, 'MANAGER')).body.code).toBe('organizations/last-owner');
    expect((await remove(owner, owner)).body.code).toBe('organizations/last-owner');
  });

  test('managers promote members only where the organization lets them, and touch nobody of their rank', async () => {
    const { owner, manager, second, member, change, address } = await place();
    expect((await change(manager, member, 'MANAGER')).status).toBe(403);
    await owner.call('PUT', address, { managers_may_invite_managers: true });
    expect((await change(manager, member, 'MANAGER')).status).toBe(200);
    expect((await change(manager, second, 'MEMBER')).status).toBe(403);
    expect((await change(manager, manager, 'OWNER')).status).toBe(403);
  });

  // Two owners at once, each of whom may do it while the other remains.
  test.each([
    [
      'demote each other',
      (one: Place) => [one.change(one.owner, one.manager, 'MEMBER'), one.change(one.manager, one.owner, 'MEMBER')],
    ],
    ['leave', (one: Place) => [one.remove(one.owner, one.owner), one.remove(one.manager, one.manager)]],
    [
      'demote oneself and leave',
      (one: Place) => [one.change(one.owner, one.owner, 'MEMBER'), one.remove(one.manager, one.manager)],
    ],
    ['remove each other', (one: Place) => [one.remove(one.owner, one.manager), one.remove(one.manager, one.owner)]],
  ] as const)('of two owners who %s at once, one stays owner', async (_, act) => {
    const one = await place();
    const { db } = product.services;
    for (let race = 0; race < RACES; race++) {
      await db.deleteFrom('organization_members').where('organization_id', '=', one.project.organizationId).execute();
      for (const { userId } of [one.owner, one.manager])
        await db
          .insertInto('organization_members')
          .values({ id: uuidv7(), organization_id: one.project.organizationId, user_id: userId, role: 'OWNER' })
          .execute();
      const answers = await Promise.all(act(one));
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
      const owners = await db
        .selectFrom('organization_members')
        .select('id')
        .where('organization_id', '=', one.project.organizationId)
        .where('role', '=', 'OWNER')
        .execute();
      expect(owners).toHaveLength(1);
    }
  });
});

describe('members', () => {
  test('are removed by managers, not by each other; managers only by owners', async () => {
    const { owner, manager, second, member, other, remove } = await place();
    expect((await remove(member, other)).status).toBe(403);
    expect((await remove(manager, second)).status).toBe(403);
    expect((await remove(manager, other)).status).toBe(204);
    expect((await remove(owner, second)).status).toBe(204);
  });

  test('lose the projects of the organization with their place in it, and what they made stays', async () => {
    const { owner, member, project, address, remove } = await place();
    await product.join(project, member, 'MEMBER');
    const folder = await member.call('POST', `${project.address}/folders`, { name: 'Mine' });
    expect((await remove(owner, member)).status).toBe(204);
    expect((await member.call('GET', project.address)).status).toBe(404);
    expect((await member.call('GET', address)).status).toBe(404);
    expect((await owner.call('GET', `${project.address}/folders/${folder.body.id}`)).body.name).toBe('Mine');
  });

  test('may leave', async () => {
    const { member, remove, address } = await place();
    expect((await remove(member, member)).status).toBe(204);
    expect((await member.call('GET', address)).status).toBe(404);
  });

  test('of another organization are not found', async () => {
    const [one, two] = [await place(), await place()];
    const members = await two.owner.call('GET', `${two.address}/members`);
    const foreign = members.body.data.at(-1).id;
    expect((await one.owner.call('DELETE', `${one.address}/members/${foreign}`)).status).toBe(404);
    expect((await one.owner.call('PUT', `${one.address}/members/${foreign}`, { role: 'OWNER' })).status).toBe(404);
  });
});

describe('members of a project', () => {
  test('are listed, promoted by its managers and removed; owners only by owners', async () => {
    const { owner, project, member, other, manager } = await place();
    for (const [person, role] of [
      [member, 'MANAGER'],
      [other, 'MEMBER'],
    ] as const)
      await product.join(project, person, role);
    const rows = (await member.call('GET', `${project.address}/members`)).body.data as { id: string; email: string }[];
    const at = (person: Person) => `${project.address}/members/${rows.find(({ email }) => email === person.email)?.id}`;
    expect((await other.call('PUT', at(other), { role: 'MANAGER' })).status).toBe(403);
    expect((await member.call('PUT', at(other), { role: 'MANAGER' })).body.role).toBe('MANAGER');
    expect((await member.call('PUT', at(other), { role: 'OWNER' })).status).toBe(403);
    expect((await member.call('DELETE', at(owner))).status).toBe(403);
    expect((await manager.call('DELETE', at(other))).status).toBe(204);
    expect((await member.call('DELETE', at(member))).status).toBe(204);
    expect((await member.call('GET', project.address)).status).toBe(404);
  });
});
