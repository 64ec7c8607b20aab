import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, test } from 'vitest';
import { type Person, SMALL_VCF } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';
import { sweepPersonalItems } from './personal-items.queries.ts';

const { product, owner: olga, member: max, project } = await startProject({ withWorker: false });
let fileId: string;

beforeAll(async () => {
  ({ id: fileId } = await product.upload(olga, project, { name: 'panel.vcf', fileType: 'GENOTYPE', bytes: SMALL_VCF }));
});

const home = async (person: Person) => (await person.call('GET', '/home')).body;
const favourites = async (person: Person) => (await person.call('GET', '/favourites')).body.data;
const mark = (person: Person, kind: string, item_id: string, is_favourite = true, of = project) =>
  person.call('PUT', `${of.address}/favourites`, { kind, item_id, is_favourite });
const visit = (person: Person, kind: string, item_id: string) =>
  person.call('PUT', `${project.address}/visits`, { kind, item_id });

test('who made or opened something finds it on the home page, the latest first', async () => {
  expect((await home(olga)).recent).toMatchObject([
    { kind: 'file', id: fileId, name: 'panel.vcf', project: { id: project.projectId } },
  ]);
  expect((await home(max)).recent).toEqual([]);
  const list = await olga.call('POST', `${project.address}/lists`, { name: 'A', kind: 'germplasm', members: ['B73'] });
  expect((await visit(max, 'list', list.body.id)).status).toBe(204);
  expect((await visit(max, 'file', fileId)).status).toBe(204);
  await sql`update personal_items set opened_at = now() + interval '1 second' where item_id = ${list.body.id}`.execute(
    product.services.db,
  );
  expect((await home(max)).recent.map(({ name }: { name: string }) => name)).toEqual(['A', 'panel.vcf']);
  await olga.call('DELETE', `${project.address}/lists/${list.body.id}`);
  expect((await home(max)).recent.map(({ name }: { name: string }) => name)).toEqual(['panel.vcf']);
  expect((await visit(max, 'list', list.body.id)).status).toBe(404);
});

test('a favourite is one until it is taken away, whatever was opened', async () => {
  expect((await mark(max, 'project', project.projectId)).status).toBe(204);
  await visit(max, 'file', fileId);
  for (let k = 0; k < 2; k++) expect((await mark(max, 'file', fileId)).status).toBe(204);
  expect((await favourites(max)).map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(['file', 'project']);
  expect(await favourites(olga)).toEqual([]);
  for (const [kind, id] of [
    ['file', fileId],
    ['project', project.projectId],
  ] as const)
    expect((await mark(max, kind, id, false)).status).toBe(204);
  expect(await favourites(max)).toEqual([]);
  expect((await home(max)).recent).toMatchObject([{ id: fileId }]);
});

test('a trial is found again as a favourite and among what was made lately, until it is in the bin', async () => {
  const body = {
    ...{ name: 'Barley 2026', season: '2026', entries: [] },
    places: [
      {
        location_name: 'Kiel',
        layout: { number: [1], row: [1], column: [1], replicate: [1], block: [null], entry: [null], kind: ['FILLER'] },
      },
    ],
  };
  const made = await olga.call('POST', `${project.address}/trials`, body);
  expect(made.status, made.text).toBe(201);
  const [{ id }] = made.body.data;
  expect((await mark(max, 'trial', id)).status).toBe(204);
  expect((await visit(max, 'trial', id)).status).toBe(204);
  expect((await favourites(max))[0]).toMatchObject({ kind: 'trial', id, name: 'Barley 2026' });
  expect((await home(olga)).recent[0]).toMatchObject({ kind: 'trial', id });
  expect((await olga.call('DELETE', `${project.address}/trials/${id}`)).status).toBe(204);
  expect((await favourites(max)).map((item: { id: string }) => item.id)).not.toContain(id);
});

test('nothing of another project, or of the bin, becomes a favourite', async () => {
  const elsewhere = await product.project(olga);
  expect((await mark(olga, 'file', fileId, true, elsewhere)).status).toBe(404);
  expect((await mark(olga, 'model', fileId)).status).toBe(404);
  const { id } = await product.upload(olga, project, { name: 'gone.vcf', fileType: 'GENOTYPE', bytes: SMALL_VCF });
  await mark(olga, 'file', id);
  expect((await olga.call('DELETE', `${project.address}/files/${id}`)).status).toBe(204);
  expect(await favourites(olga)).toEqual([]);
  expect((await home(olga)).recent.map(({ id: one }: { id: string }) => one)).not.toContain(id);
});

test('who leaves a project loses what was kept of it, and has it again when back', async () => {
  const leaver = await product.person('lena');
  await product.join(project, leaver, 'MEMBER');
  await mark(leaver, 'file', fileId);
  await visit(leaver, 'file', fileId);
  const { data } = (await olga.call('GET', `${project.address}/members`)).body;
  const { id } = data.find(({ user_id }: { user_id: string }) => user_id === leaver.userId);
  expect((await leaver.call('DELETE', `${project.address}/members/${id}`)).status).toBe(204);
  expect(await home(leaver)).toEqual({ projects: [], projects_total: 0, recent: [] });
  expect(await favourites(leaver)).toEqual([]);
  expect((await mark(leaver, 'file', fileId)).status).toBe(404);
  await product.join(project, leaver, 'MEMBER');
  expect(await favourites(leaver)).toMatchObject([{ id: fileId }]);
});

test('a card has the newest result of its project and what is under way', async () => {
  const { db } = product.services;
  const own = await product.project(olga);
  const { projectId: project_id } = own;
  const model = async (name: string, status: 'EVALUATED' | 'ERROR' | 'TRAINING') => {
    const id = uuidv7();
    const model = { id, project_id, name, traits: ['yield'], seed: 1, n_fold: 5, n_repetition: 10 };
    await db.insertInto('models').values(model).execute();
    const error_extra = status === 'ERROR' ? JSON.stringify({ code: 'x', message: 'x', action: 'x' }) : null;
    await db.insertInto('model_traits').values({ model_id: id, trait: 'yield', status, error_extra }).execute();
    return id;
  };
  const card = async () => (await home(olga)).projects.find(({ id }: { id: string }) => id === project_id);
  expect(await card()).toMatchObject({ running: 0, last_result: null, role: 'OWNER' });
  const first = await model('First', 'EVALUATED');
  expect((await card()).last_result).toMatchObject({ kind: 'model', id: first, name: 'First' });
  await model('Failed', 'ERROR');
  await model('Going', 'TRAINING');
  expect((await card()).last_result.name).toBe('First');
  const second = await model('Second', 'EVALUATED');
  expect((await card()).last_result.name).toBe('Second');
  await olga.call('DELETE', `${own.address}/models/${second}`);
  expect((await card()).last_result.name).toBe('First');
});

test('visits are forgotten after a while, favourites stay, and what is deleted for good leaves nothing', async () => {
  const { db } = product.services;
  await visit(olga, 'file', fileId);
  await visit(max, 'file', fileId);
  await mark(olga, 'file', fileId);
  const { id } = await product.upload(olga, project, { name: 'old.vcf', fileType: 'GENOTYPE', bytes: SMALL_VCF });
  await mark(olga, 'file', id);
  await sql`delete from files where id = ${id}`.execute(db);
  await sql`update personal_items set opened_at = now() - interval '91 days' where item_id = ${fileId}`.execute(db);
  await sweepPersonalItems(db);
  const rows = await sql<{ item_id: string }>`
    select item_id from personal_items where user_id in (${olga.userId}, ${max.userId}) and item_id in (${fileId}, ${id})
  `.execute(db);
  expect(rows.rows).toEqual([{ item_id: fileId }]);
});
