import type { Comment } from '@heterosis/contracts/people/comments';
import type { Notification } from '@heterosis/contracts/people/notifications';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, type Product, type Project, SMALL_VCF, startProduct, until } from '../../../testing/product.ts';
import { sweepComments } from './comments.queries.ts';

let product: Product;
let olga: Person;
let max: Person;
let mia: Person;
let project: Project;
let fileId: string;

beforeAll(async () => {
  product = await startProduct();
  olga = await product.person('olga');
  max = await product.person('max');
  mia = await product.person('mia');
  project = await product.project(olga);
  for (const [person, role] of [
    [max, 'MEMBER'],
    [mia, 'MANAGER'],
  ] as const)
    await product.join(project, person, role);
  for (const { userId, email } of [olga, max, mia]) {
    const name = `${email[0]?.toUpperCase()}${email.slice(1, email.indexOf('@'))} Huber`;
    await product.services.db.updateTable('users').set({ name }).where('id', '=', userId).execute();
  }
  ({ id: fileId } = await product.upload(max, project, { name: 'panel.vcf', fileType: 'GENOTYPE', bytes: SMALL_VCF }));
});
afterAll(() => product.close());

const about = (kind: string, id: string, part?: string) => ({
  entity_kind: kind,
  entity_id: id,
  ...(part === undefined ? {} : { part }),
});
const say = (person: Person, on: object, text: string, mentions: string[] = []) =>
  person.call('POST', `${project.address}/comments`, { ...on, text, mentions });
const read = async (person: Person, on: Record<string, string>): Promise<Comment[]> => {
  const { status, text, body } = await person.call('GET', `${project.address}/comments?${new URLSearchParams(on)}`);
  expect(status, text).toBe(200);
  return body.data;
};
const texts = async (on: Record<string, string>) => (await read(olga, on)).map(({ text }) => text);
const remove = (person: Person, id: string) => person.call('DELETE', `${project.address}/comments/${id}`);
const told = async (person: Person) => (await person.call('GET', '/notifications')).body.data;

async function line(name: string, isUsed = true): Promise<string> {
  const id = uuidv7();
  const { db } = product.services;
  const { crop_id } = await db
    .selectFrom('projects')
    .select('crop_id')
    .where('id', '=', project.projectId)
    .executeTakeFirstOrThrow();
  const row = { id, name, folded_name: name.toLowerCase(), organization_id: project.organizationId };
  await db
    .insertInto('germplasm')
    .values({ ...row, crop_id: crop_id ?? '' })
    .execute();
  if (isUsed) await use(id);
  return id;
}

const use = (id: string) =>
  product.services.db
    .insertInto('project_germplasm')
    .values({ project_id: project.projectId, germplasm_id: id })
    .execute();

async function trial(): Promise<string> {
  const layout = { number: [1], row: [1], column: [1], replicate: [1], block: [null], entry: [null], kind: ['FILLER'] };
  const places = [{ location_name: 'Kiel', layout }];
  const made = await olga.call('POST', `${project.address}/trials`, {
    ...{ name: `Barley ${uuidv7()}`, season: '2026', entries: [], places },
  });
  expect(made.status, made.text).toBe(201);
  return made.body.data[0].id;
}

test('what is said about a line, a marker and a plot stands there, the newest first', async () => {
  const b73 = await line('B73');
  const field = await trial();
  const made = await say(olga, about('germplasm', b73), '  Tall,\r\nbut it stands.  ');
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    ...{ entity_kind: 'germplasm', entity_id: b73, part: null, mentions: [] },
    ...{ text: 'Tall,\nbut it stands.', author: { id: olga.userId, name: 'Olga Huber' } },
  });
  await say(max, about('germplasm', b73), 'Second');
  expect(await texts(about('germplasm', b73))).toEqual(['Second', 'Tall,\nbut it stands.']);
  await say(olga, about('file', fileId), 'The file');
  await say(olga, about('file', fileId, 'm1'), 'The marker');
  await say(olga, about('trial', field, '1'), 'The plot');
  expect(await texts(about('file', fileId))).toEqual(['The marker', 'The file']);
  expect(await texts(about('file', fileId, 'm1'))).toEqual(['The marker']);
  expect(await read(max, about('trial', field))).toMatchObject([{ part: '1', text: 'The plot' }]);
  const first = await olga.call(
    'GET',
    `${project.address}/comments?${new URLSearchParams(about('germplasm', b73))}&limit=1`,
  );
  const rest = `${new URLSearchParams(about('germplasm', b73))}&cursor=${first.body.next_cursor}`;
  expect((await olga.call('GET', `${project.address}/comments?${rest}`)).body.data).toHaveLength(1);
});

test('nothing is said about what the project does not have', async () => {
  const field = await trial();
  const elsewhere = await product.project(olga);
  const foreign = await product.upload(olga, elsewhere, { name: 'a.vcf', fileType: 'GENOTYPE', bytes: SMALL_VCF });
  const { id: gone } = await product.upload(olga, project, { name: 'g.vcf', fileType: 'GENOTYPE', bytes: SMALL_VCF });
  await olga.call('DELETE', `${project.address}/files/${gone}`);
  for (const on of [
    about('file', foreign.id),
    about('file', gone),
    about('model', fileId),
    about('germplasm', fileId),
    about('trial', field, '2'),
    about('trial', field, 'x'),
  ]) {
    expect((await say(olga, on, 'No')).status, JSON.stringify(on)).toBe(404);
    const list = `${project.address}/comments?${new URLSearchParams(on)}`;
    expect((await olga.call('GET', list)).status, JSON.stringify(on)).toBe(404);
  }
  expect((await say(olga, about('germplasm', await line('Mo17'), 'x'), 'No')).status).toBe(400);
});

test('a guest of the project reads and says nothing about lines that it does not use', async () => {
  const hidden = await line('Hidden', false);
  expect((await say(max, about('germplasm', hidden), 'Hm')).status).toBe(404);
  expect((await say(olga, about('germplasm', hidden), 'Seen')).status).toBe(201);
  await use(hidden);
  expect((await say(max, about('germplasm', hidden), 'Hm')).status).toBe(201);
});

test('a merged line has its comments with the one that it was merged into', async () => {
  const into = await line('Oh43');
  const from = await line('Oh-43');
  await say(olga, about('germplasm', from), 'Of the doublet');
  const { status, text } = await olga.call(
    'POST',
    `/organizations/${project.organizationId}/germplasms/${from}/merge`,
    { into_id: into },
  );
  expect(status, text).toBe(200);
  expect(await texts(about('germplasm', into))).toEqual(['Of the doublet']);
  await say(olga, about('germplasm', from), 'By the old id');
  expect(await texts(about('germplasm', from))).toEqual(['By the old id', 'Of the doublet']);
});

test('a text is plain, visible, and no longer than it may be', async () => {
  const on = about('file', fileId, 'texts');
  for (const text of ['', '  \n ', '\u200b', 'a\u0000b', 'a\u001b[31m', 'x'.repeat(4001)])
    expect((await say(olga, on, text)).status, JSON.stringify(text.slice(0, 10))).toBe(400);
  const script = '<script>alert(1)</script> =HYPERLINK("x")';
  await say(olga, on, script);
  await say(olga, on, 'x'.repeat(4000));
  expect((await texts(on))[1]).toBe(script);
});

test('who is mentioned is told in the product and by mail, the creator in the product, the author not at all', async () => {
  const on = about('file', fileId, 'told');
  const made = await say(mia, on, 'Is this right, @Olga Huber and @Mia Huber?\nFrom: nobody', [
    olga.userId,
    mia.userId,
  ]);
  expect(made.status, made.text).toBe(201);
  expect(made.body.mentions.map(({ name }: { name: string }) => name)).toEqual(['Mia Huber', 'Olga Huber']);
  const path = `/projects/${project.projectId}/files/${fileId}#comments`;
  expect((await told(olga))[0]).toMatchObject({
    ...{ kind: 'mention', path },
    details: { by: 'Mia Huber', name: 'told, panel.vcf', text: expect.stringContaining('Is this right') },
  });
  expect((await told(max))[0]).toMatchObject({ kind: 'comment', path, details: { by: 'Mia Huber' } });
  expect(await told(mia)).toEqual([]);
  const mails = () =>
    product.services.db.selectFrom('mail_outbox').selectAll().where('subject', 'like', '%comment%').execute();
  const sent = await until(mails, (all) => all.length > 0);
  expect(sent).toMatchObject([
    {
      to: olga.email,
      subject: 'Mia Huber mentions you in a comment on the marker "told" of the file "panel.vcf"',
      text: expect.stringContaining('\n> From: nobody\n'),
      link: `${product.services.config.publicUrl}${path}`,
    },
  ]);
  // The notification goes with the comment.
  expect((await remove(mia, made.body.id)).status).toBe(204);
  expect((await told(max)).map((one: Notification) => one.details.name)).not.toContain('told, panel.vcf');
});

test('each way of being told can be switched', async () => {
  const on = about('file', fileId, 'switched');
  await max.call('PUT', '/users/me/notifications', { muted: ['mention'] });
  const wish = await max.call('PUT', '/users/me/mails', { mailed_notifications: [] });
  expect(wish.body).toMatchObject({ mailed_notifications: [], run_mail_minutes: null });
  const before = (await told(max)).length;
  await say(olga, on, 'Hey @Max Huber', [max.userId]);
  expect(await told(max)).toHaveLength(before);
  await max.call('PUT', '/users/me/notifications', { muted: [] });
  await max.call('PUT', '/users/me/mails', { mailed_notifications: ['comment'] });
  await say(olga, on, 'Once more');
  expect(await told(max)).toHaveLength(before + 1);
  const mails = () =>
    product.services.db.selectFrom('mail_outbox').select('subject').where('to', '=', max.email).execute();
  expect((await until(mails, (all) => all.some(({ subject }) => subject.includes('comments on')))).length).toBe(1);
});

test('only members are mentioned, and only where the text names them', async () => {
  const stranger = await product.person('stranger');
  const on = about('file', fileId);
  expect((await say(olga, on, '@stranger@example.org', [stranger.userId])).status).toBe(400);
  expect((await say(olga, on, 'Hello', [max.userId])).status).toBe(400);
});

test('an author or a manager deletes a comment, nobody else, and the audit keeps both', async () => {
  const on = about('file', fileId, 'deleted');
  const mine = (await say(olga, on, 'Mine')).body.id;
  const his = (await say(max, on, 'His')).body.id;
  expect((await remove(max, mine)).status).toBe(403);
  expect((await remove(max, his)).status).toBe(204);
  expect((await remove(max, his)).status).toBe(404);
  expect((await remove(mia, mine)).status).toBe(204);
  expect(await texts(on)).toEqual([]);
  const { body } = await olga.call('GET', `${project.address}/audit?area=comments&limit=2`);
  expect(body.data).toMatchObject([
    { action: 'comment.deleted', actor: { id: mia.userId }, target_id: mine },
    { action: 'comment.deleted', actor: { id: max.userId }, target_id: his },
  ]);
});

test('comments go with what they are about, and stay when their author goes', async () => {
  const { db } = product.services;
  const leaving = await product.person('leaving');
  await product.join(project, leaving, 'MEMBER');
  const on = about('file', fileId, 'leaving');
  await say(leaving, on, 'Good bye');
  await db.deleteFrom('users').where('id', '=', leaving.userId).execute();
  expect(await read(olga, on)).toMatchObject([{ text: 'Good bye', author: null }]);
  const field = await trial();
  await say(olga, about('trial', field), 'Soon gone');
  await sql`delete from trials where id = ${field}`.execute(db);
  await sweepComments(db);
  const left = await db.selectFrom('comments').select('entity_id').execute();
  expect(left.map((one) => one.entity_id)).not.toContain(field);
  expect(left.map((one) => one.entity_id)).toContain(fileId);
});
