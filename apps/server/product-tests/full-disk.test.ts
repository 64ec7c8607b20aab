import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyStorage } from '../src/features/operation/backup/index.ts';
import {
  download,
  type Person,
  type Product,
  type Project,
  put,
  SMALL_VCF,
  startProduct,
  until,
} from '../src/testing/product.ts';
import { type FailingDisk, startOnFailingDisk } from '../tools/failing-writes/failing-disk.ts';
import type { Fault } from '../tools/failing-writes/failing-writes.ts';

/** With EVERY_WRITE=on each write of the way of a file fails once; otherwise some of them. */
const EVERY_WRITE = process.env['EVERY_WRITE'] === 'on';
const PLACES = EVERY_WRITE ? Array.from({ length: 500 }, (_, k) => k + 1) : [1, 2, 3, 5, 9, 15, 25, 40];

let disk: FailingDisk;
let product: Product;
let owner: Person;
let project: Project;

beforeAll(async () => {
  disk = await startOnFailingDisk();
  ({ product, owner, project } = disk);
});
afterAll(() => disk?.close());

let files = 0;

/** What a client does: repeats what was answered with 5xx, as the web application and `heterosis remote` do. */
async function persist<Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  return await until(ask, ({ status }) => status < 500, 20_000);
}

/** Uploads a file and waits for its check; jobs that wait are let go at once. */
async function upload(): Promise<{ id: string; bytes: Buffer; status: string }> {
  const bytes = Buffer.from(SMALL_VCF.replace('m1', `m1-${++files}`));
  const body = { file_type: 'GENOTYPE', content_type: 'text/plain', size_bytes: bytes.length };
  const link = await persist(() => owner.call('POST', `${project.address}/files/upload_link`, body));
  await persist(async () => ({ status: await put(product.app, link.body.put_url, bytes) }));
  const made = { name: `f${files}.vcf`, file_id: link.body.file_id, file_type: 'GENOTYPE' };
  const created = await persist(() => owner.call('POST', `${project.address}/files`, made));
  expect(created.status, created.text).toBe(201);
  const { id } = created.body;
  const settled = await until(
    async () => {
      await disk.letGo();
      return (await owner.call('GET', `${project.address}/files/${id}`)).body;
    },
    ({ status }) => status !== 'UPLOADED' && status !== 'CHECKING',
  );
  return { id, bytes, status: settled.status };
}

async function expectWhole({ id, bytes, status }: Awaited<ReturnType<typeof upload>>, what: string): Promise<void> {
  expect(status, what).toMatch(/^READY/);
  const { body } = await owner.call('GET', `${project.address}/files/${id}`);
  expect(body.sha256, what).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect((await download(product.app, body.meta.file_url)).text, what).toBe(bytes.toString());
}

describe.each<Pick<Fault, 'who' | 'code'> & { tags?: 'whole' }>([
  { who: 'server', code: 'ENOSPC' },
  { who: 'server', code: 'EIO', tags: 'whole' },
  { who: 'server', code: 'SHORT', tags: 'whole' },
  { who: 'child', code: 'ENOSPC', tags: 'whole' },
  { who: 'child', code: 'EIO', tags: 'whole' },
  { who: 'child', code: 'SHORT', tags: 'whole' },
])('a write of the $who that meets $code', ({ tags = [], ...fault }) => {
  const options = { timeout: 600_000, tags };
  test('loses nothing that was acknowledged, and makes no good file invalid, whichever it is', options, async () => {
    let came = 0;
    for (const at of PLACES) {
      disk.set({ ...fault, at, times: 1 });
      const uploaded = await upload();
      const hasCome = disk.came();
      disk.set(undefined);
      await expectWhole(uploaded, `${fault.who}, ${fault.code} at write ${at}`);
      // There are fewer writes than this.
      if (!hasCome) break;
      came++;
    }
    expect(came).toBeGreaterThan(3);
  });
});

test('while the disk is full a check waits, and is done when there is space', { tags: 'whole' }, async () => {
  disk.set({ who: 'child', code: 'ENOSPC', at: 1, times: -1 });
  const uploading = upload();
  await until(async () => disk.came(), Boolean);
  const states = async () =>
    (await product.services.db.selectFrom('files').select('status').where('status', '=', 'INVALID').execute()).length;
  // Longer than the attempts that a failing job has.
  for (let k = 0; k < 8; k++) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(await states()).toBe(0);
  }
  disk.set(undefined);
  await expectWhole(await uploading, 'after there was space');
});

test('and nothing is left over', async () => {
  const { db, storage } = product.services;
  const { missing, damaged, orphans } = await verifyStorage({ db, storage }, { hashes: true, youngMs: 0 });
  expect({ missing, damaged }).toEqual({ missing: [], damaged: [] });
  expect(orphans.map(({ key }) => key)).toEqual([]);
});

test('below the reserve uploads and results are refused before the disk is full, and small changes are made', async () => {
  const { limits } = product.services.config;
  const small = await startProduct({
    withWorker: false,
    changes: { limits: { ...limits, reservedDiskBytes: 2 ** 50 } },
  });
  try {
    const person = await small.person('owner');
    const { address } = await small.project(person);
    const body = { file_type: 'GENOTYPE', content_type: 'text/plain', size_bytes: 10 };
    const link = await person.call('POST', `${address}/files/upload_link`, body);
    expect([link.status, link.body.code]).toEqual([507, 'server/storage-full']);
    await expect(small.services.storage.put('files/x', new Uint8Array(1))).rejects.toMatchObject({ status: 507 });
    expect((await person.call('POST', `${address}/folders`, { name: 'Trials' })).status).toBe(201);
    expect((await small.app.inject('/readyz')).statusCode).toBe(200);
  } finally {
    await small.close();
  }
});

test('nobody else reads the files of the server', () => {
  const { dataDir } = product.services.config;
  for (const name of ['files', 'work']) expect(statSync(join(dataDir, name)).mode & 0o777, name).toBe(0o700);
});
