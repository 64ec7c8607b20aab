import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, type Product, startProduct } from '../../../testing/product.ts';

let product: Product;
let owner: Person;
beforeAll(async () => {
  product = await startProduct({ withWorker: false });
  owner = await product.person('owner');
});
afterAll(() => product.close());

const create = async (name: string, person = owner) => (await person.call('POST', '/organizations', { name })).body;
const addCrop = (organization: { id: string }, name: string, person = owner) =>
  person.call('POST', `/organizations/${organization.id}/crops`, { name });

describe('an organization', () => {
  test('starts with ten seats, one of them its owner’s', async () => {
    const made = await create('Seats');
    expect(made).toMatchObject({ name: 'Seats', seat_total: 10, seat_usage: 1, subscription_id: null });
    const members = await owner.call('GET', `/organizations/${made.id}/members`);
    expect(members.body.data).toMatchObject([{ email: owner.email, role: 'OWNER' }]);
  });

  test('uses a seat for an invitation into one of its projects, and none any more once the project is deleted', async () => {
    const { id } = await create('Invites');
    const crop = (await addCrop({ id }, 'Maize')).body;
    const project = (await owner.call('POST', '/projects', { name: 'P', organization_id: id, crop_id: crop.id })).body;
    const seats = async () => (await owner.call('GET', `/organizations/${id}`)).body.seat_usage;
    const { db } = product.services;
    const to = { sender_id: owner.userId, recipient: 'someone@example.org', role: 'MEMBER' as const };
    await db
      .insertInto('invitations')
      .values({ id: uuidv7(), project_id: project.id, ...to })
      .execute();
    expect(await seats()).toBe(2);
    expect((await owner.call('DELETE', `/projects/${project.id}`)).status).toBe(204);
    expect(await seats()).toBe(1);
  });

  test('counts a person once however often invited or joined, and nobody who was in deleted projects only; guests are not told', async () => {
    const { db } = product.services;
    const { id } = await create('Counted');
    const crop = (await addCrop({ id }, 'Maize')).body;
    const [kept, gone] = await Promise.all(
      ['Kept', 'Gone'].map(async (name) => {
        const made = await owner.call('POST', '/projects', { name, organization_id: id, crop_id: crop.id });
        return made.body.id as string;
      }),
    );
    const [guest, former] = [await product.person('seated'), await product.person('former')];
    const join = (person: Person, project_id: string | undefined) =>
      db
        .insertInto('project_members')
        .values({ id: uuidv7(), project_id: project_id ?? '', user_id: person.userId, role: 'MEMBER' })
        .execute();
    for (const project of [kept, gone]) await join(guest, project);
    await join(former, gone);
    const invite = (where: { project_id: string } | { organization_id: string }) =>
      db
        .insertInto('invitations')
        .values({ id: uuidv7(), sender_id: owner.userId, recipient: 'twice@example.org', role: 'MEMBER', ...where })
        .execute();
    await invite({ project_id: kept ?? '' });
    await invite({ organization_id: id });
    const seats = async () => (await owner.call('GET', `/organizations/${id}`)).body.seat_usage;
    // Owner, guest, former member and the user invited twice.
    expect(await seats()).toBe(4);
    expect((await former.call('GET', `/organizations/${id}`)).status).toBe(200);
    expect((await owner.call('DELETE', `/projects/${gone}`)).status).toBe(204);
    expect(await seats()).toBe(3);
    expect((await former.call('GET', `/organizations/${id}`)).status).toBe(404);
    expect((await former.call('GET', '/organizations')).body.data).toEqual([]);
    expect((await guest.call('GET', `/organizations/${id}`)).body).toMatchObject({
      name: 'Counted',
      seat_total: null,
      seat_usage: null,
    });
  });

  test('is renamed and described, and refuses an empty or endless name', async () => {
    const { id } = await create('Before');
    const put = (body: object) => owner.call('PUT', `/organizations/${id}`, body);
    expect((await put({ name: ' After ', description: 'Wheat and barley' })).body).toMatchObject({
      name: 'After',
      description: 'Wheat and barley',
    });
    expect((await put({ description: null })).body.description).toBeNull();
    for (const name of ['', '  ', 'x'.repeat(256), 'a\u0000b'])
      expect((await put({ name })).body.invalid_params[0].name).toBe('body.name');
  });

  test('lets its members create projects when a manager has said so; they own what they create', async () => {
    const { db } = product.services;
    const { id } = await create('Open');
    const crop = (await addCrop({ id }, 'Maize')).body;
    const [member, guest] = [await product.person('member'), await product.person('guest')];
    await db
      .insertInto('organization_members')
      .values({ id: uuidv7(), organization_id: id, user_id: member.userId, role: 'MEMBER' })
      .execute();
    const post = (person: Person, name: string) =>
      person.call('POST', '/projects', { name, organization_id: id, crop_id: crop.id });
    const first = (await post(owner, 'First')).body;
    await db
      .insertInto('project_members')
      .values({ id: uuidv7(), project_id: first.id, user_id: guest.userId, role: 'MEMBER' })
      .execute();
    expect((await member.call('GET', `/organizations/${id}`)).body.members_may_create_projects).toBe(false);
    expect((await post(member, 'Mine')).status).toBe(403);
    const allow = { members_may_create_projects: true };
    expect((await member.call('PUT', `/organizations/${id}`, allow)).status).toBe(403);
    expect((await owner.call('PUT', `/organizations/${id}`, allow)).body).toMatchObject(allow);
    expect((await post(member, 'Mine')).body.role).toBe('OWNER');
    expect((await post(guest, 'Theirs')).status).toBe(403);
    expect((await guest.call('GET', `/organizations/${id}`)).body.members_may_create_projects).toBeNull();
    const audit = await db
      .selectFrom('audit_events')
      .select(['action', 'details'])
      .where('target_id', '=', id)
      .execute();
    expect(audit).toContainEqual({ action: 'organization.rights-changed', details: allow });
  });

  test('is deleted once, and is gone for everybody', async () => {
    const { id } = await create('To be deleted');
    expect((await owner.call('DELETE', `/organizations/${id}`)).status).toBe(204);
    expect((await owner.call('GET', `/organizations/${id}`)).status).toBe(404);
    expect((await owner.call('DELETE', `/organizations/${id}`)).status).toBe(404);
  });

  test('is listed page by page', async () => {
    const person = await product.person('lister');
    for (let i = 0; i < 5; i++) await create(`List ${i}`, person);
    const first = (await person.call('GET', '/organizations?limit=3')).body;
    const second = (await person.call('GET', `/organizations?limit=3&cursor=${first.next_cursor}`)).body;
    const names = [...first.data, ...second.data].map(({ name }: { name: string }) => name);
    expect(names).toEqual(['List 0', 'List 1', 'List 2', 'List 3', 'List 4']);
    expect(second.next_cursor).toBeNull();
    for (const query of ['limit=0', 'limit=501', 'limit=x', 'page=2', 'cursor=not-one'])
      expect((await person.call('GET', `/organizations?${query}`)).status, query).toBe(400);
  });

  test('that was sent twice under one key is made once', async () => {
    const send = () =>
      product.app.inject({
        method: 'POST',
        url: '/api/organizations',
        headers: { authorization: `Bearer ${owner.token}`, 'idempotency-key': 'one-and-the-same-key' },
        payload: { name: 'Once' },
      });
    const [first, second] = [await send(), await send()];
    expect(first.statusCode).toBe(201);
    expect(second.json().id).toBe(first.json().id);
  });
});

describe('crops', () => {
  test('are created, renamed, listed and deleted; a name is taken whatever its case', async () => {
    const organization = await create('Crops');
    const maize = (await addCrop(organization, 'Maize')).body;
    const taken = await addCrop(organization, 'mAIZE');
    expect([taken.status, taken.body.code]).toEqual([409, 'crops/name-taken']);
    const address = `/organizations/${organization.id}/crops/${maize.id}`;
    expect((await owner.call('PUT', address, { name: 'Zea mays' })).body.name).toBe('Zea mays');
    const list = await owner.call('GET', `/organizations/${organization.id}/crops`);
    expect(list.body.data).toMatchObject([{ name: 'Zea mays' }]);
    expect((await owner.call('DELETE', address)).status).toBe(204);
    expect((await owner.call('PUT', address, { name: 'x' })).status).toBe(404);
  });

  test('of one organization are not reached through another', async () => {
    const [mine, other] = [await create('Mine'), await create('Other')];
    const crop = (await addCrop(other, 'Rice')).body;
    expect((await owner.call('PUT', `/organizations/${mine.id}/crops/${crop.id}`, { name: 'x' })).status).toBe(404);
    expect((await owner.call('DELETE', `/organizations/${mine.id}/crops/${crop.id}`)).status).toBe(404);
    const project = await owner.call('POST', '/projects', { name: 'P', organization_id: mine.id, crop_id: crop.id });
    expect(project.body.code).toBe('projects/crop-not-in-organization');
  });

  test('that a project is about are not deleted', async () => {
    const organization = await create('In use');
    const crop = (await addCrop(organization, 'Oat')).body;
    await owner.call('POST', '/projects', { name: 'Oats', organization_id: organization.id, crop_id: crop.id });
    const refused = await owner.call('DELETE', `/organizations/${organization.id}/crops/${crop.id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toContain('A project uses this crop');
  });
});

describe('projects', () => {
  const place = async (name: string) => {
    const organization = await create(name);
    const crop = (await addCrop(organization, 'Maize')).body;
    return { organization_id: organization.id, crop_id: crop.id };
  };

  test('belong to a crop, are renamed, described and deleted', async () => {
    const where = await place('Projects');
    const made = (await owner.call('POST', '/projects', { name: 'Trials 2026', ...where })).body;
    expect(made).toMatchObject({ name: 'Trials 2026', crop: { name: 'Maize' }, organization: { name: 'Projects' } });
    const address = `/projects/${made.id}`;
    expect((await owner.call('PUT', address, { name: 'Trials', description: 'x' })).body).toMatchObject({
      name: 'Trials',
      description: 'x',
    });
    const overview = await owner.call('GET', `${address}/overview`);
    expect(overview.body).toMatchObject({ models: 0, gwas: 0, individuals: 0, traits: [], recent: [] });
    expect((await owner.call('DELETE', address)).status).toBe(204);
    expect((await owner.call('GET', address)).status).toBe(404);
    expect((await owner.call('GET', '/projects')).body.data.map(({ id }: { id: string }) => id)).not.toContain(made.id);
  });

  test('have names of their own in an organization, and need a crop and an organization', async () => {
    const where = await place('Names');
    const post = (body: object) => owner.call('POST', '/projects', body);
    await post({ name: 'Same', ...where });
    const taken = await post({ name: 'same', ...where });
    expect([taken.status, taken.body.code, taken.body.invalid_params[0].name]).toEqual([
      409,
      'request/conflict',
      'body.name',
    ]);
    for (const body of [{ ...where }, { name: ' ', ...where }, { name: 'x', organization_id: where.organization_id }])
      expect((await post(body)).status).toBe(400);
    const nowhere = { name: 'x', crop_id: where.crop_id, organization_id: '00000000-0000-7000-8000-000000000000' };
    expect((await post(nowhere)).status).toBe(404);
  });
});
