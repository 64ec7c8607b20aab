import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyStorage } from '../../src/features/operation/backup/index.ts';
import { sweepBin } from '../../src/features/work/runs/sweep/index.ts';
import { GIF, JPEG_2X1, PNG_2X1, WEBP_2X1 } from '../../src/platform/images/read-image.test-data.ts';
import { type Person, type Product, type Project, startProduct } from '../../src/testing/product.ts';

let product: Product;
let owner: Person;
let member: Person;
let stranger: Person;
let project: Project;

beforeAll(async () => {
  product = await startProduct({ withWorker: false });
  owner = await product.person('olga');
  member = await product.person('max');
  stranger = await product.person('sam');
  project = await product.project(owner);
  await product.join(project, member, 'MEMBER');
  await sql`
    insert into germplasm (id, organization_id, crop_id, name, folded_name)
    select gen_random_uuid(), organization_id, crop_id, 'B73', 'b73' from projects where id = ${project.projectId}
  `.execute(product.services.db);
});
afterAll(() => product.close());

let made = 0;
async function drafted(): Promise<string> {
  const layout = { number: [1, 2], row: [1, 1], column: [1, 2], replicate: [1, 2], block: [null, null] };
  const { body } = await owner.call('POST', `${project.address}/trials`, {
    ...{ name: `Trial ${++made}`, season: '2026', entries: ['B73'], traits: [] },
    places: [{ location_name: 'North', layout: { ...layout, entry: [0, 0], kind: ['ENTRY', 'ENTRY'] } }],
  });
  return `${project.address}/trials/${body.data[0].id}`;
}

async function send(
  url: string,
  payload: Buffer,
  {
    person = owner,
    type = 'image/jpeg',
    method = 'POST',
  }: { person?: Person; type?: string; method?: 'POST' | 'PUT' } = {},
) {
  const headers = { authorization: `Bearer ${person.token}`, 'content-type': type };
  const answer = await product.app.inject({ method, url, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
}
const add = (address: string, payload: Buffer, query: Record<string, string> = {}, person = owner) =>
  send(`${address}/photos?${new URLSearchParams({ id: randomUUID(), plot: '1', ...query })}`, payload, { person });
const read = async (address: string, id: string, person = owner, size = 'full') =>
  await product.app.inject({
    url: `${address}/photos/${id}/image?size=${size}`,
    headers: { authorization: `Bearer ${person.token}` },
  });
const listed = async (address: string, query = '') =>
  (await owner.call('GET', `${address}/photos${query}`)).body.data.map(({ id }: { id: string }) => id);
const used = async () =>
  (await owner.call('GET', `/organizations/${project.organizationId}`)).body.storage_used_bytes as number;

/** What a phone writes: place and camera, and that the picture is to be turned. */
function exif(orientation: number): Buffer {
  const tiff = Buffer.concat([
    Buffer.from('MM\0*\0\0\0\x08\0\x02', 'latin1'),
    Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]),
    Buffer.from([0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 40, 0, 0, 0, 0]),
    Buffer.from('54.3 N 10.1 E'),
  ]);
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, content.length + 2]);
  return Buffer.concat([JPEG_2X1.subarray(0, 2), head, content, JPEG_2X1.subarray(2)]);
}

test('a photo is stored once, without place and camera, and shown to members of the project only', async () => {
  const address = await drafted();
  const before = await used();
  const query = { id: randomUUID(), plot: '2', name: 'IMG_1.jpg', note: 'Lodged', taken_at: '2026-08-01T10:00:00Z' };
  const sent = await add(address, exif(6), query, member);
  expect([sent.status, sent.body]).toEqual([
    200,
    expect.objectContaining({ id: query.id, plot: 2, note: 'Lodged', content_type: 'image/jpeg', width: 2, height: 1 }),
  ]);
  expect((await add(address, exif(6), query, member)).body).toEqual(sent.body);
  expect(await listed(address)).toEqual([query.id]);
  expect(await listed(address, '?plot=1')).toEqual([]);
  expect(await used()).toBe(before + sent.body.size_bytes);
  // The first photo fixes the layout, as the first value does.
  expect((await owner.call('GET', address)).body.state).toBe('SOWN');
  expect((await owner.call('PUT', address, { state: 'DRAFT' })).body.code).toBe('trials/has-values');

  const picture = await read(address, query.id, member);
  expect(picture.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  expect(picture.rawPayload.includes('54.3 N')).toBe(false);
  // The orientation is all that is left: tag 0x0112 with 6, little-endian.
  expect(picture.rawPayload.includes(Buffer.from([0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0]))).toBe(true);
  expect((await read(address, query.id, stranger)).statusCode).toBe(404);
  expect((await read(address, randomUUID())).statusCode).toBe(404);
  const other = await drafted();
  expect((await read(other, query.id)).statusCode).toBe(404);
});

test('a small picture stands beside it, and is the photo itself until there is one', async () => {
  const address = await drafted();
  const { body } = await add(address, PNG_2X1);
  expect((await read(address, body.id, owner, 'thumbnail')).rawPayload).toEqual(
    (await read(address, body.id)).rawPayload,
  );
  const put = (payload: Buffer) =>
    send(`${address}/photos/${body.id}/thumbnail`, payload, { method: 'PUT', type: 'image/webp' });
  expect((await put(WEBP_2X1)).body).toMatchObject({ has_thumbnail: true, content_type: 'image/png' });
  const size = (await put(WEBP_2X1)).body.size_bytes;
  expect(size).toBe(body.size_bytes + (await read(address, body.id, owner, 'thumbnail')).rawPayload.length);
  expect((await read(address, body.id, owner, 'thumbnail')).headers['content-type']).toBe('image/webp');
  expect((await put(Buffer.concat([WEBP_2X1, Buffer.alloc(120_000)]))).body.code).toBe('photos/unusable');
});

test('what is no photo, too much, or of no plot is refused, and leaves nothing behind', async () => {
  const address = await drafted();
  const before = await used();
  expect((await add(address, GIF)).body.code).toBe('photos/unusable');
  expect((await add(address, JPEG_2X1.subarray(0, 40))).body.code).toBe('photos/unusable');
  expect((await add(address, Buffer.from('<svg onload="alert(1)"/>'))).body.code).toBe('photos/unusable');
  expect((await add(address, JPEG_2X1, { plot: '9' })).body).toMatchObject({ code: 'trials/unknown-plot' });
  expect((await add(address, JPEG_2X1, { id: 'mine' })).status).toBe(400);
  expect((await add(address, Buffer.alloc(16 * 2 ** 20))).status).toBe(413);
  expect((await add(address, JPEG_2X1, {}, stranger)).status).toBe(404);
  const quota = (bytes: number | null) =>
    sql`update organizations set storage_quota_bytes = ${bytes}`.execute(product.services.db);
  await quota(before + 10);
  expect((await add(address, JPEG_2X1)).body.code).toBe('organizations/storage-exhausted');
  await quota(null);
  expect([await used(), await listed(address)]).toEqual([before, []]);
  await owner.call('PUT', address, { state: 'SOWN' });
  await owner.call('PUT', address, { state: 'CLOSED' });
  expect((await add(address, JPEG_2X1)).body.code).toBe('trials/closed');
  expect((await verifyStorage(product.services, { youngMs: 0 })).orphans).toEqual([]);
});

test('a deleted photo comes back from the bin, or goes for good after 30 days, as those of a deleted trial', async () => {
  const address = await drafted();
  const [one, two] = [(await add(address, JPEG_2X1, {}, member)).body, (await add(address, PNG_2X1)).body];
  expect((await member.call('DELETE', `${address}/photos/${two.id}`)).status).toBe(403);
  expect((await member.call('DELETE', `${address}/photos/${one.id}`)).status).toBe(204);
  expect(await listed(address)).toEqual([two.id]);
  expect((await read(address, one.id)).statusCode).toBe(404);
  // Its phone does not bring it back.
  expect((await add(address, JPEG_2X1, { id: one.id })).body.code).toBe('request/conflict');
  const bin = (await owner.call('GET', `${project.address}/bin`)).body.data;
  expect(bin).toEqual([expect.objectContaining({ kind: 'photo', id: one.id })]);
  expect((await member.call('POST', `${project.address}/bin/${one.id}/restore`)).body.kind).toBe('photo');
  expect(await listed(address)).toEqual([two.id, one.id]);
  await owner.call('PUT', `${address}/photos/${one.id}`, { note: 'Rust' });
  expect((await owner.call('GET', `${address}/photos`)).body.data[1].note).toBe('Rust');

  await member.call('DELETE', `${address}/photos/${one.id}`);
  const long = sql`update photos set deleted_at = now() - interval '31 days' where id = ${one.id}`;
  await long.execute(product.services.db);
  await sweepBin(product.services);
  expect(await listed(address)).toEqual([two.id]);
  await owner.call('DELETE', address);
  await sql`update trials set deleted_at = now() - interval '31 days' where deleted_at is not null`.execute(
    product.services.db,
  );
  await sweepBin(product.services);
  const report = await verifyStorage(product.services, { youngMs: 0 });
  expect([report.missing, report.orphans]).toEqual([[], []]);
});
