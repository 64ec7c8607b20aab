import { createHash, randomBytes } from 'node:crypto';
import { UPLOAD_PART_BYTES } from '@heterosis/contracts/data/file-uploads';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { download, put, SMALL_PHENOTYPE, settledFile } from '../../../../testing/product.ts';
import { startProject } from '../../../../testing/start-project.ts';
import { sweepUploads } from '../index.ts';

const { product, owner, member, project } = await startProject();

const uploads = () => `${project.address}/uploads`;
const files = () => `${project.address}/files`;
let count = 0;
let name: string;
beforeEach(() => {
  name = `upload ${++count}.bin`;
});

/** Two whole parts and a short one. */
const BYTES = randomBytes(2 * UPLOAD_PART_BYTES + 1234);
const partOf = (bytes: Buffer, number: number) =>
  bytes.subarray((number - 1) * UPLOAD_PART_BYTES, number * UPLOAD_PART_BYTES);
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
const hashOfParts = (bytes: Buffer) =>
  hashOf(
    Buffer.concat(
      Array.from({ length: Math.ceil(bytes.length / UPLOAD_PART_BYTES) }, (_, i) => hashOf(partOf(bytes, i + 1))),
    ),
  );

async function begin(person = owner, size_bytes = BYTES.length, more: object = {}): Promise<string> {
  const answer = await person.call('POST', `${files()}/upload_link`, {
    content_type: 'text/plain',
    size_bytes,
    ...more,
  });
  expect(answer.status).toBe(201);
  return answer.body.file_id;
}

const link = (id: string, numbers: number[], person = owner) =>
  person.call('POST', `${uploads()}/${id}/parts`, { numbers });

async function send(id: string, number: number, body: Buffer, person = owner): Promise<number> {
  const { data } = (await link(id, [number], person)).body;
  return put(product.app, data[0].put_url, body);
}

async function sendAll(id: string, bytes: Buffer, person = owner): Promise<void> {
  for (let number = 1; partOf(bytes, number).length > 0; number++)
    expect(await send(id, number, partOf(bytes, number), person)).toBe(200);
}

const finish = (id: string, more: object = {}, person = owner) =>
  person.call('POST', files(), { name, file_id: id, ...more });

async function stored(id: string): Promise<string[]> {
  const keys: string[] = [];
  for (const prefix of ['uploads/', 'upload-parts/', `projects/${project.projectId}/files/`])
    for await (const { key } of product.services.storage.list(prefix)) if (key.includes(id)) keys.push(key);
  return keys;
}

test('parts may come in any order and more than once; the file has exactly the bytes that were sent', async () => {
  const id = await begin(owner, BYTES.length, { name, fingerprint: 'print', file_type: 'GENOTYPE' });
  const links = await link(id, [3, 1]);
  expect(links.body.data).toMatchObject([
    { number: 3, size_bytes: 1234 },
    { number: 1, size_bytes: UPLOAD_PART_BYTES },
  ]);
  expect(await send(id, 3, partOf(BYTES, 3))).toBe(200);
  expect(await send(id, 1, randomBytes(UPLOAD_PART_BYTES))).toBe(200);
  expect(await send(id, 1, partOf(BYTES, 1))).toBe(200);

  const state = (await owner.call('GET', `${uploads()}/${id}`)).body;
  expect(state).toMatchObject({
    id,
    name,
    fingerprint: 'print',
    file_type: 'GENOTYPE',
    folder_id: null,
    size_bytes: BYTES.length,
    part_bytes: UPLOAD_PART_BYTES,
    received_bytes: UPLOAD_PART_BYTES + 1234,
    parts: [
      { number: 1, size_bytes: UPLOAD_PART_BYTES },
      { number: 3, size_bytes: 1234 },
    ],
  });
  const list = (await owner.call('GET', uploads())).body.data;
  expect(list).toEqual([expect.objectContaining({ id, received_bytes: state.received_bytes })]);

  expect(await send(id, 2, partOf(BYTES, 2))).toBe(200);
  const made = await finish(id, {
    sha256: hashOf(BYTES).toString('hex'),
    parts_sha256: hashOfParts(BYTES).toString('hex'),
  });
  expect([made.status, made.body.size_bytes]).toEqual([201, BYTES.length]);
  expect(await stored(id)).toEqual([`projects/${project.projectId}/files/${id}/original`]);
  const source = await product.services.storage.open(`projects/${project.projectId}/files/${id}/original`);
  expect(Buffer.from(await source.read(0, BYTES.length)).equals(BYTES)).toBe(true);
  await source.close();
  expect((await owner.call('GET', uploads())).body.data).toEqual([]);
  expect((await owner.call('GET', `${uploads()}/${id}`)).status).toBe(404);
});

test('a table in parts is checked like any other', async () => {
  const remark = '# what the field book says of this trial, again and again until it fills more than one part\n';
  const text = remark.repeat(Math.ceil((UPLOAD_PART_BYTES * 1.1) / remark.length)) + SMALL_PHENOTYPE;
  const bytes = Buffer.from(text);
  const id = await begin(member, bytes.length);
  await sendAll(id, bytes, member);
  expect(
    (await finish(id, { file_type: 'PHENOTYPE', parts_sha256: hashOfParts(bytes).toString('hex') }, member)).status,
  ).toBe(201);
  const file = await settledFile(member, project, id);
  expect(file).toMatchObject({ row_count: 6, sha256: hashOf(bytes).toString('hex'), created_by: 'max@example.org' });
  expect((await download(product.app, file.meta.file_url ?? '')).text).toBe(text);
});

test('a part of another size than its own is refused, and so is one that the upload does not have', async () => {
  const id = await begin();
  expect(await send(id, 3, randomBytes(1235))).toBe(400);
  expect(await send(id, 3, randomBytes(1233))).toBe(400);
  expect(await send(id, 1, randomBytes(UPLOAD_PART_BYTES + 1))).toBe(400);
  expect((await owner.call('GET', `${uploads()}/${id}`)).body.parts).toEqual([]);
  const beyond = await link(id, [4]);
  expect([beyond.status, beyond.body.code]).toEqual([400, 'request/invalid']);
  expect((await link(id, [0])).status).toBe(400);
  expect((await link(id, [])).status).toBe(400);
  expect(
    (
      await link(
        id,
        Array.from({ length: 101 }, () => 1),
      )
    ).status,
  ).toBe(400);
  const unsized = (await owner.call('POST', `${files()}/upload_link`, {})).body.file_id;
  expect((await link(unsized, [1])).body.detail).toContain('without size_bytes');
  const empty = await begin(owner, 0);
  expect((await link(empty, [1])).status).toBe(400);
  const large = await owner.call('POST', `${files()}/upload_link`, { size_bytes: 11 * 1024 ** 3 });
  expect(large.body.code).toBe('request/too-large');
});

test('an address for a part takes no other part', async () => {
  const id = await begin();
  const { data } = (await link(id, [1, 2])).body;
  expect(await put(product.app, data[0].put_url.replace(/000001\?/, '000003?'), partOf(BYTES, 1))).toBe(404);
  const smaller = data[0].put_url.replace(`bytes=${UPLOAD_PART_BYTES}`, 'bytes=4');
  expect(smaller).not.toBe(data[0].put_url);
  expect(await put(product.app, smaller, Buffer.from('1234'))).toBe(404);
});

test('a file is not made of parts before the last has arrived; what has arrived stays, and nothing is seen of it', async () => {
  const id = await begin();
  await send(id, 1, partOf(BYTES, 1));
  await send(id, 3, partOf(BYTES, 3));
  const early = await finish(id);
  expect([early.status, early.body.code]).toEqual([400, 'files/upload-incomplete']);
  expect(early.body.details).toEqual({ received_bytes: UPLOAD_PART_BYTES + 1234, expected_bytes: BYTES.length });
  expect((await owner.call('GET', `${files()}?search=${encodeURIComponent(name)}`)).body.data).toEqual([]);
  await send(id, 2, partOf(BYTES, 2));
  expect((await finish(id)).status).toBe(201);
});

test('bytes that are not those of the sender make the file invalid, and no check of its content is begun', async () => {
  const id = await begin();
  await sendAll(id, BYTES);
  const other = Buffer.from(BYTES);
  other[UPLOAD_PART_BYTES + 5] = (other[UPLOAD_PART_BYTES + 5] ?? 0) ^ 1;
  await finish(id, { file_type: 'PHENOTYPE', parts_sha256: hashOfParts(other).toString('hex') });
  expect(await settledFile(owner, project, id)).toMatchObject({ status: 'INVALID', problem_totals: { errors: 1 } });
  const report = await owner.call('GET', `${files()}/${id}/problems`);
  expect(report.body.by_code).toEqual({ 'E-UPLOAD-DAMAGED': 1 });

  const small = await owner.call('POST', `${files()}/upload_link`, { content_type: 'text/plain' });
  await put(product.app, small.body.put_url, Buffer.from(SMALL_PHENOTYPE));
  await finish(small.body.file_id, {
    name: 'small.csv',
    file_type: 'PHENOTYPE',
    sha256: hashOf(Buffer.from('other')).toString('hex'),
  });
  expect((await settledFile(owner, project, small.body.file_id)).status).toBe('INVALID');
  // Checking it again does not repair it.
  await owner.call('POST', `${files()}/${small.body.file_id}/check`, {});
  expect((await settledFile(owner, project, small.body.file_id)).status).toBe('INVALID');
});

test('a name that is taken is refused before the bytes are sent, and again before they are put together', async () => {
  const id = await begin(owner, BYTES.length, { name });
  await sendAll(id, BYTES);
  await product.upload(member, project, { name: name.toUpperCase(), fileType: null, bytes: 'x' });
  const late = await finish(id);
  expect([late.status, late.body.code]).toEqual([409, 'files/name-taken']);
  expect((await owner.call('GET', `${uploads()}/${id}`)).body.received_bytes).toBe(BYTES.length);
  const early = await owner.call('POST', `${files()}/upload_link`, { name, size_bytes: 5 });
  expect([early.status, early.body.code]).toEqual([409, 'files/name-taken']);
  expect((await finish(id, { name: `other ${name}` })).status).toBe(201);
});

test('an upload becomes one file, also when it is finished twice at once', async () => {
  const id = await begin();
  await sendAll(id, BYTES);
  const answers = await Promise.all([finish(id), finish(id)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
  expect(await stored(id)).toEqual([`projects/${project.projectId}/files/${id}/original`]);
});

test('who gives an upload up leaves nothing behind, and neither a late part nor the last step brings it back', async () => {
  const id = await begin();
  await send(id, 1, partOf(BYTES, 1));
  const { data } = (await link(id, [2])).body;
  expect((await owner.call('DELETE', `${uploads()}/${id}`)).status).toBe(204);
  expect(await stored(id)).toEqual([]);
  expect((await owner.call('DELETE', `${uploads()}/${id}`)).status).toBe(404);
  expect((await finish(id)).status).toBe(404);
  // Its address stays valid for a quarter of an hour; bytes sent to it are never seen and are swept.
  await put(product.app, data[0].put_url, partOf(BYTES, 2));
  expect((await owner.call('GET', uploads())).body.data.some((one: { id: string }) => one.id === id)).toBe(false);
  expect((await finish(id)).status).toBe(404);
});

test('a request that puts the parts together while another makes the file leaves nothing behind', async () => {
  const { storage } = product.services;
  const id = await begin();
  await sendAll(id, BYTES);
  // The later request has read the parts when the earlier one moves the bytes, and puts them together once more before
  // the parts are deleted.
  const step = () => Promise.withResolvers<void>();
  const [moving, again, moved, assembled] = [step(), step(), step(), step()];
  const { list, move, concatenate, deletePrefix } = storage;
  const spies = [
    vi.spyOn(storage, 'list').mockImplementationOnce(async function* (prefix) {
      const found = [];
      for await (const entry of list.call(storage, prefix)) found.push(entry);
      await moving.promise;
      yield* found;
    }),
    vi.spyOn(storage, 'move').mockImplementationOnce(async (from, to) => {
      moving.resolve();
      await again.promise;
      await move.call(storage, from, to);
      moved.resolve();
    }),
    vi
      .spyOn(storage, 'concatenate')
      .mockImplementationOnce((keys, to) => concatenate.call(storage, keys, to))
      .mockImplementationOnce(async (keys, to) => {
        again.resolve();
        await moved.promise;
        await concatenate.call(storage, keys, to);
        assembled.resolve();
      }),
    vi.spyOn(storage, 'deletePrefix').mockImplementationOnce(async (prefix) => {
      await assembled.promise;
      await deletePrefix.call(storage, prefix);
    }),
  ];
  try {
    const answers = await Promise.all([finish(id), finish(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  expect(await stored(id)).toEqual([`projects/${project.projectId}/files/${id}/original`]);
});

test('the upload of another is like one that does not exist', async () => {
  const id = await begin(member);
  await send(id, 1, partOf(BYTES, 1), member);
  for (const upload of [id, uuidv7(), 'no-id']) {
    expect((await owner.call('GET', `${uploads()}/${upload}`)).status).toBe(404);
    expect((await link(upload, [1])).status).toBe(404);
    expect((await owner.call('DELETE', `${uploads()}/${upload}`)).status).toBe(404);
  }
  expect((await finish(id)).status).toBe(404);
  expect((await owner.call('GET', uploads())).body.data.some((one: { id: string }) => one.id === id)).toBe(false);
  expect((await member.call('GET', uploads())).body.data.some((one: { id: string }) => one.id === id)).toBe(true);
  // It is not found in another project of the same person either.
  const other = await product.project(member);
  expect((await member.call('GET', `${other.address}/uploads/${id}`)).status).toBe(404);
});

test('an upload that nobody finished in time is gone for everybody, and its bytes with it', async () => {
  const id = await begin();
  await send(id, 1, partOf(BYTES, 1));
  const { db } = product.services;
  await sql`update uploads set expires_at = now() - interval '1 minute' where id = ${id}`.execute(db);
  expect((await owner.call('GET', `${uploads()}/${id}`)).status).toBe(404);
  expect((await link(id, [2])).status).toBe(404);
  expect((await finish(id)).status).toBe(404);
  await sweepUploads(product.services);
  expect(await stored(id)).toEqual([]);
});

test('a list of uploads comes page by page', async () => {
  const person = await product.person('petra');
  await product.join(project, person, 'MEMBER');
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) {
    const id = await begin(person, 10);
    await link(id, [1], person);
    ids.push(id);
  }
  const first = (await person.call('GET', `${uploads()}?limit=2`)).body;
  const second = (await person.call('GET', `${uploads()}?limit=2&cursor=${first.next_cursor}`)).body;
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids.reverse());
  expect(second.next_cursor).toBeNull();
});

test('a content type that is no media type is refused before a link is given that could not be used', async () => {
  for (const contentType of ['', 'text', 'text/html\r\nX-Other: 1', 'é/x', 'text/'])
    expect(
      (await owner.call('POST', `${files()}/upload_link`, { content_type: contentType })).body,
      contentType,
    ).toMatchObject({ status: 400, invalid_params: [{ name: 'body.content_type' }] });
  const fine = await owner.call('POST', `${files()}/upload_link`, { content_type: 'text/csv; charset=utf-8' });
  expect(fine.status).toBe(201);
});

describe('an upload that replaces an invalid file', () => {
  const SPOILT = 'sample,height\nB73,tall\nMo17,small\nB97,1\n';
  const spoil = (person = owner, file = name) =>
    product.uploadChecked(person, project, { name: file, fileType: 'PHENOTYPE', bytes: SPOILT });
  /** Steps 1 and 2: stores the bytes. */
  const correct = async (replaces: string, person = owner, more: object = {}) => {
    const answer = await person.call('POST', `${files()}/upload_link`, {
      content_type: 'text/csv',
      file_type: 'PHENOTYPE',
      name,
      replaces,
      ...more,
    });
    if (answer.status === 201) {
      const sent = await product.app.inject({
        method: 'PUT',
        url: answer.body.put_url,
        payload: SMALL_PHENOTYPE,
        headers: { 'content-type': 'text/csv' },
      });
      expect(sent.statusCode).toBe(200);
    }
    return answer;
  };
  const settle = (id: string, more: object = {}, person = owner) =>
    finish(id, { file_type: 'PHENOTYPE', ...more }, person);
  const there = async (id: string) => (await owner.call('GET', `${files()}/${id}`)).status === 200;

  test('takes its name and description in the moment in which it comes to be, and the invalid one goes to the bin', async () => {
    const old = await spoil();
    expect(old.status).toBe('INVALID');
    await owner.call('PUT', `${files()}/${old.id}`, { description: 'Trial in Bonn' });
    const { status, body } = await correct(old.id);
    expect(status).toBe(201);
    expect(await there(old.id)).toBe(true);
    const made = await settle(body.file_id);
    expect(made).toMatchObject({ status: 201, body: { name, description: 'Trial in Bonn' } });
    expect(await there(old.id)).toBe(false);
    expect((await settledFile(owner, project, body.file_id)).status).toMatch(/^READY/);
    const audit = await sql<{ target_id: string; request_id: string | null }>`
      select target_id, request_id from audit_events where action = 'file.deleted' order by id desc limit 1
    `.execute(product.services.db);
    expect(audit.rows[0]).toEqual({ target_id: old.id, request_id: expect.any(String) });
  });

  test('in parts, it says what it replaces, so that it still does after it broke off', async () => {
    const old = await spoil();
    const text = '# remark\n'.repeat(Math.ceil((UPLOAD_PART_BYTES * 1.1) / 9)) + SMALL_PHENOTYPE;
    const id = await begin(owner, text.length, { name, replaces: old.id, file_type: 'PHENOTYPE' });
    await sendAll(id, Buffer.from(text));
    expect((await owner.call('GET', `${uploads()}/${id}`)).body.replaces).toBe(old.id);
    expect((await settle(id)).status).toBe(201);
    expect(await there(old.id)).toBe(false);
  });

  test('leaves it alone when it is given up or lacks bytes', async () => {
    const old = await spoil();
    const given = (await correct(old.id)).body.file_id;
    expect((await owner.call('DELETE', `${uploads()}/${given}`)).status).toBe(204);
    const cut = await begin(owner, 9_999, { name, replaces: old.id, file_type: 'PHENOTYPE' });
    expect((await settle(cut)).body.code).toBe('files/not-uploaded');
    expect(await there(old.id)).toBe(true);
  });

  test('is refused for a file that is valid, of another type, of another project, or gone', async () => {
    const valid = await product.uploadChecked(owner, project, {
      name: `valid ${name}`,
      fileType: 'PHENOTYPE',
      bytes: SMALL_PHENOTYPE,
    });
    expect((await correct(valid.id)).body).toMatchObject({ status: 409, code: 'files/not-replaceable' });
    const old = await spoil();
    for (const file_type of ['GENOTYPE', null])
      expect((await correct(old.id, owner, { file_type })).body).toMatchObject({
        code: 'files/wrong-type',
        invalid_params: [{ name: 'body.file_type' }],
      });
    const begun = (await correct(old.id)).body.file_id;
    expect((await finish(begun, { file_type: null })).body.code).toBe('files/wrong-type');
    const elsewhere = await product.project(owner);
    expect(
      (
        await owner.call('POST', `${elsewhere.address}/files/upload_link`, {
          content_type: 'text/csv',
          file_type: 'PHENOTYPE',
          replaces: old.id,
        })
      ).status,
    ).toBe(404);
    expect(await there(old.id)).toBe(true);
    await owner.call('DELETE', `${files()}/${old.id}`);
    expect((await correct(old.id)).status).toBe(404);
  });

  test('is for members who uploaded the file, and for managers', async () => {
    const others = await spoil();
    expect((await correct(others.id, member)).body.code).toBe('request/not-allowed');
    name = `own ${name}`;
    const own = await spoil(member);
    const id = (await correct(own.id, member)).body.file_id;
    expect((await settle(id, {}, member)).status).toBe(201);
    name = `managed ${name}`;
    const managed = await spoil(member);
    expect((await settle((await correct(managed.id)).body.file_id)).status).toBe(201);
  });

  test('stands beside it when it has become valid meanwhile, and alone when it was deleted', async () => {
    const old = await spoil();
    const first = (await correct(old.id)).body.file_id;
    await sql`update files set status = 'READY' where id = ${old.id}`.execute(product.services.db);
    expect((await settle(first)).body.code).toBe('files/name-taken');
    expect((await settle(first, { name: `new ${name}` })).status).toBe(201);
    expect(await there(old.id)).toBe(true);

    name = `other ${name}`;
    const deleted = await spoil();
    const second = (await correct(deleted.id)).body.file_id;
    await owner.call('DELETE', `${files()}/${deleted.id}`);
    expect((await settle(second)).status).toBe(201);
  });

  test('comes second to another that replaced it before: nothing is lost, a name has to be chosen', async () => {
    const old = await spoil();
    const ids: string[] = [(await correct(old.id)).body.file_id, (await correct(old.id)).body.file_id];
    const answers = await Promise.all(ids.map((id) => settle(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const late = ids[answers.findIndex(({ status }) => status === 409)] ?? '';
    expect((await settle(late, { name: `second ${name}` })).status).toBe(201);
  });

  test('takes its name but not that of a third file', async () => {
    const old = await spoil();
    await product.upload(owner, project, { name: `third ${name}`, fileType: null, bytes: 'x' });
    const id = (await correct(old.id)).body.file_id;
    expect((await settle(id, { name: `third ${name}` })).body.code).toBe('files/name-taken');
    expect(await there(old.id)).toBe(true);
    expect((await settle(id)).status).toBe(201);
  });
});
