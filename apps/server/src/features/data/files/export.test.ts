import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ByteSource } from '@heterosis/file-formats/byte-source';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type MaizeFiles, SMALL_VCF, until, uploadMaize } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';
import { exportGenotypes } from './file-exports.service.ts';

const { product, owner, project } = await startProject();
let maize: MaizeFiles;

/** Counts open objects and delays every read of the genotypes after the first. */
const open = new Set<string>();
let reads = 0;
let gate: Promise<void> | undefined;

beforeAll(async () => {
  maize = await uploadMaize(product, project);
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  const { storage } = product.services;
  const openObject = storage.open.bind(storage);
  storage.open = async (key, name) => watched(key, await openObject(key, name));
});
beforeEach(() => {
  reads = 0;
  gate = undefined;
});

function watched(key: string, source: ByteSource): ByteSource {
  open.add(key);
  return {
    name: source.name,
    size: source.size,
    stream: () => source.stream(),
    async read(offset, length) {
      if (key.endsWith('bed') && length > 3 && ++reads > 1) await gate;
      return await source.read(offset, length);
    },
    async close() {
      await source.close();
      open.delete(key);
    },
  };
}

const nothingOpen = () =>
  until(
    async () => [...open],
    (keys) => keys.length === 0,
  );
const address = (id: string, format = 'hapmap') => `${project.address}/files/${id}/export?format=${format}`;

const ask = (method: string, path: string) => {
  const { port } = product.app.server.address() as AddressInfo;
  return request({ port, host: '127.0.0.1', method, path, headers: { authorization: `Bearer ${owner.token}` } }).end();
};

test('an export reads the genotypes block by block and closes them', async () => {
  const [answer] = await once(ask('GET', address(maize.genotype.id)), 'response');
  expect(answer.statusCode).toBe(200);
  expect((await text(answer)).trim().split('\n')).toHaveLength(1 + (maize.genotype.column_count ?? 0));
  expect(reads).toBeGreaterThan(2);
  await nothingOpen();
});

test('a download that is cancelled in the middle ends the reading and closes the genotypes', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const sent = ask('GET', address(maize.genotype.id));
  const [answer] = await once(sent, 'response');
  await until(
    async () => reads,
    (count) => count === 2,
  );
  expect(open.size).toBeGreaterThan(0);
  answer.destroy();
  await once(answer, 'close');
  const { server } = product.app;
  await until(
    () => new Promise<number>((tell) => server.getConnections((_, count) => tell(count))),
    (connections) => connections === 0,
  );
  resolve();
  await nothingOpen();
  expect(reads).toBe(2);
});

test('an export of which nothing was asked for closes the genotypes too', async () => {
  const access = {
    projectId: project.projectId,
    organizationId: project.organizationId,
    role: 'OWNER',
    projectRole: 'OWNER',
    organizationRole: 'OWNER',
    readOnly: false,
    billingState: 'active',
  } as const;
  const { bytes } = await exportGenotypes(
    { services: product.services, access },
    { file_id: maize.genotype.id, query: { format: 'vcf' } },
  );
  expect(open.size).toBeGreaterThan(0);
  bytes.destroy();
  await nothingOpen();
  expect(reads).toBe(0);
});

test('a genotype of which a stored part is lost leaves none of its other parts open', async () => {
  const { storage } = product.services;
  const inProject = `projects/${project.projectId}/files/${maize.genotype.id}/`;
  for await (const { key } of storage.list(inProject)) if (key.endsWith('/fam')) await storage.move(key, 'aside');
  const [answer] = await once(ask('GET', address(maize.genotype.id)), 'response');
  expect(JSON.parse(await text(answer)).code).toBe('server/stored-part-lost');
  expect([...open]).toEqual([]);
});

test('an export is not made for a HEAD', async () => {
  const [answer] = await once(ask('HEAD', address(maize.genotype.id)), 'response');
  expect(answer.statusCode).toBe(404);
  expect(reads).toBe(0);
});

test('a file that is still being checked, or has errors, is not exported', async () => {
  const broken = SMALL_VCF.replace('0/1', '0/9');
  const invalid = await product.uploadChecked(owner, project, {
    name: 'broken.vcf',
    fileType: 'GENOTYPE',
    bytes: broken,
  });
  await product.stopWorker();
  const waiting = await product.upload(owner, project, { name: 'waiting.vcf', fileType: 'GENOTYPE', bytes: SMALL_VCF });
  for (const [id, sentence] of [
    [invalid.id, /has errors/],
    [waiting.id, /still being checked/],
  ] as const) {
    const { status, body } = await owner.call('GET', address(id));
    expect([status, body.code]).toEqual([409, 'files/not-ready']);
    expect(body.detail).toMatch(sentence);
  }
  expect(open.size).toBe(0);
});
