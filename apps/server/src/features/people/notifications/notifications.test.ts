import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type MaizeFiles,
  type Person,
  type Product,
  type Project,
  startProduct,
  until,
  uploadMaize,
} from '../../../testing/product.ts';
import { sweepNotifications } from './notifications.queries.ts';

let product: Product;
let olga: Person;
let max: Person;
let project: Project;
let maize: MaizeFiles;

beforeAll(async () => {
  product = await startProduct();
  olga = await product.person('olga');
  max = await product.person('max');
  project = await product.project(olga);
  maize = await uploadMaize(product, project);
  await product.join(project, max, 'MEMBER');
});
afterAll(() => product.close());

const told = async (person: Person) => (await person.call('GET', '/notifications')).body;
const settled = (person: Person, count: number) =>
  until(
    () => told(person),
    ({ data }) => data.length === count,
  );

async function gwas(person: Person, name: string): Promise<string> {
  const inputs = { genotype_id: maize.genotype.id, phenotype_id: maize.phenotype.id };
  const made = await person.call('POST', `${project.address}/gwas`, { name, traits: ['EarHT'], ...inputs });
  expect(made.status, made.text).toBe(201);
  await until(
    async () => (await person.call('GET', `${project.address}/gwas/${made.body.id}`)).body.status,
    ({ EarHT }) => EarHT !== 'PROCESSING',
  );
  return made.body.id;
}

async function leave(person: Person): Promise<void> {
  const { data } = (await olga.call('GET', `${project.address}/members`)).body;
  const { id } = data.find(({ user_id }: { user_id: string }) => user_id === person.userId);
  expect((await person.call('DELETE', `${project.address}/members/${id}`)).status).toBe(204);
}

test('who started a run, and nobody else, is told of its end, until it is deleted or left behind', async () => {
  // The quick checks of the files were not worth a word.
  expect(await told(olga)).toEqual({ data: [], unread: 0 });
  const id = await gwas(max, 'Height');
  const { data, unread } = await settled(max, 1);
  expect(unread).toBe(1);
  expect(data[0]).toMatchObject({
    kind: 'run',
    project: { id: project.projectId },
    details: { subject: 'GWAS', name: 'Height', state: 'succeeded', text: expect.stringContaining('EarHT') },
    path: `/projects/${project.projectId}/gwas/${id}`,
    read_at: null,
  });
  expect((await told(olga)).data).toEqual([]);
  await leave(max);
  expect(await told(max)).toEqual({ data: [], unread: 0 });
  await product.join(project, max, 'MEMBER');
  expect((await told(max)).data).toHaveLength(1);
  await max.call('DELETE', `${project.address}/gwas/${id}`);
  expect((await told(max)).data).toEqual([]);
});

test('a file that cannot be used is told of, and one or all are marked as read', async () => {
  const upload = (name: string) =>
    product.uploadChecked(olga, project, { name, fileType: 'GENOTYPE', bytes: 'this is no genotype\n' });
  await upload('a.vcf');
  await upload('b.vcf');
  const { data } = await settled(olga, 2);
  expect(data[0].details).toMatchObject({ subject: 'The check of the file', name: 'b.vcf', state: 'failed' });
  const mark = (body: object) => olga.call('PUT', '/notifications/read', body);
  // Those of others are nobody's business.
  expect((await max.call('PUT', '/notifications/read', { ids: [data[0].id] })).status).toBe(204);
  expect((await told(olga)).unread).toBe(2);
  expect((await mark({ ids: [data[0].id] })).status).toBe(204);
  expect((await told(olga)).unread).toBe(1);
  expect((await mark({})).status).toBe(204);
  expect((await told(olga)).unread).toBe(0);
});

test('an invitation is told to an address that has an account, as long as it waits for an answer', async () => {
  const nora = await product.person('nora');
  const invite = { recipient: nora.email, role: 'MEMBER' };
  await olga.call('POST', `${project.address}/invitations`, invite);
  // Not before the person has proved to read that mailbox.
  expect((await told(nora)).data).toEqual([]);
  await sql`update users set email_verified = true where id = ${nora.userId}`.execute(product.services.db);
  const { data } = await told(nora);
  expect(data).toMatchObject([{ kind: 'invitation', path: '/projects?modal=invitation-box', project: null }]);
  const [{ id }] = (await nora.call('GET', '/invitations')).body.data;
  await nora.call('PUT', '/notifications/read', {});
  expect((await told(nora)).unread).toBe(0);
  // Sent again it is new again, and stands there once.
  expect((await olga.call('POST', `${project.address}/invitations/${id}/resend`)).status).toBeLessThan(300);
  expect(await told(nora)).toMatchObject({ unread: 1, data: [{ kind: 'invitation', read_at: null }] });
  await nora.call('DELETE', `/invitations/${id}`);
  expect((await told(nora)).data).toEqual([]);
});

test('what a person does not want is not written', async () => {
  const muted = await olga.call('PUT', '/users/me/notifications', { muted: ['run', 'run'] });
  expect(muted.body.muted_notifications).toEqual(['run']);
  const before = (await told(olga)).data.length;
  await gwas(olga, 'Unheard');
  expect((await told(olga)).data).toHaveLength(before);
  await olga.call('PUT', '/users/me/notifications', { muted: [] });
  await gwas(olga, 'Heard');
  await settled(olga, before + 1);
});

test('old ones are swept', async () => {
  const { db } = product.services;
  const { data } = await told(olga);
  await sql`update notifications set created_at = now() - interval '61 days' where id = ${data[0].id}`.execute(db);
  await sweepNotifications(db);
  expect((await told(olga)).data).toHaveLength(data.length - 1);
});
