import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type S3Server, startS3Server } from '../../../tools/s3-stand-in/s3-server.ts';
import { type ObjectStorage, ObjectStorageUnavailableError } from './object-storage.ts';
import { createS3Storage } from './s3.ts';

const BYTES = new TextEncoder().encode('kept');
const PATIENCE = { connect: 500, request: 500, idle: 200 };

/** A way to the bucket that can be cut so that open connections say nothing more, as a lost network does. */
interface Line {
  port: number;
  opened: () => number;
  silence(): void;
  close(): void;
}

async function openLine(target: number): Promise<Line> {
  const ends: Socket[] = [];
  let opened = 0;
  const server = createServer((near) => {
    opened++;
    const far = connect(target, '127.0.0.1');
    ends.push(near, far);
    near.on('error', () => far.destroy()).pipe(far);
    far.on('error', () => near.destroy()).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    opened: () => opened,
    silence() {
      for (const end of ends) end.unpipe().pause();
    },
    close() {
      for (const end of ends) end.destroy();
      server.close();
    },
  };
}

let directory: string;
let bucket: S3Server;
let line: Line;
let storage: ObjectStorage;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heterosis-silence-'));
  bucket = await startS3Server({ directory });
  line = await openLine(bucket.port);
  storage = createS3Storage({ ...bucket.config, endpoint: `http://127.0.0.1:${line.port}` }, PATIENCE);
});
afterAll(async () => {
  line.close();
  await bucket.close();
  await rm(directory, { recursive: true, force: true });
});

test('a request over a connection that fell silent is repeated over a new one', async () => {
  await storage.put('file', BYTES);
  const before = line.opened();
  line.silence();
  expect(await storage.find('file')).toMatchObject({ sizeBytes: BYTES.length });
  expect(line.opened()).toBeGreaterThan(before);
});

test('idle connections are not used again', async () => {
  await storage.find('file');
  const before = line.opened();
  await sleep(3 * PATIENCE.idle);
  await storage.find('file');
  expect(line.opened()).toBe(before + 1);
});

/** What a storage throws whose server answers in this way. */
async function thrownBy(answer: RequestListener, use: (storage: ObjectStorage) => Promise<unknown>): Promise<unknown> {
  const server = createHttpServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await use(createS3Storage({ ...bucket.config, endpoint }, PATIENCE)).catch((error: unknown) => error);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test.each<[string, RequestListener]>([
  ['does not answer', () => {}],
  ['hangs up', (_request, { socket }) => socket?.destroy()],
  ['is overloaded', (_request, response) => response.writeHead(503).end()],
])('a storage that %s cannot be reached, and says so whatever was asked', async (_how, answer) => {
  for (const use of [
    (storage: ObjectStorage) => storage.find('file'),
    (storage: ObjectStorage) => storage.put('file', BYTES),
    (storage: ObjectStorage) => storage.put('file', new Uint8Array(17 * 1024 * 1024)),
  ]) {
    const error = await thrownBy(answer, use);
    expect(error).toBeInstanceOf(ObjectStorageUnavailableError);
    expect((error as Error).message).toMatch(/^The storage cannot be reached: ./);
  }
});

test('so it does when the answer breaks off', async () => {
  const error = await thrownBy(
    (request, response) => {
      response.writeHead(200, { 'content-length': BYTES.length });
      if (request.method === 'HEAD') response.end();
      else response.write(BYTES.subarray(1), () => response.destroy());
    },
    async (storage) => (await storage.open('file')).read(0, BYTES.length),
  );
  expect(error).toBeInstanceOf(ObjectStorageUnavailableError);
});

/** An answer without end: as fast as it is read, or a byte now and then. */
const endless =
  (piece: Uint8Array | string, pauseMs?: number): RequestListener =>
  (request, response) => {
    if (request.method === 'HEAD') return void response.writeHead(200, { 'content-length': 1 << 20 }).end();
    response.writeHead(200, { 'content-type': 'application/xml' });
    const more = (): void => {
      if (pauseMs === undefined && !response.destroyed && response.write(piece)) setImmediate(more);
    };
    const timer = pauseMs === undefined ? undefined : setInterval(() => response.write(piece), pauseMs);
    response.on('drain', more).once('close', () => clearInterval(timer));
    more();
  };

const whole = async (storage: ObjectStorage) => {
  for await (const _ of storage.list('projects/'));
};
test.each<[string, RequestListener, (storage: ObjectStorage) => Promise<unknown>, string]>([
  [
    'a range',
    endless(Buffer.alloc(1 << 16)),
    async (storage) => (await storage.open('file')).read(0, 4),
    'more than 4 bytes',
  ],
  ['a list', endless('<Contents><Key>k</Key></Contents>'.repeat(2000)), whole, 'more than 4194304 bytes'],
  ['an upload', endless(' '.repeat(1 << 16)), (storage) => storage.put('file', BYTES), 'more than 4194304 bytes'],
])('an endless answer to %s is not read on', async (_what, answer, use, message) => {
  expect(String(await thrownBy(answer, use))).toContain(message);
});

test('an answer that drips is given up', async () => {
  const error = await thrownBy(endless(' ', 20), async (storage) => (await storage.open('file')).read(0, 1000));
  expect(error).toBeInstanceOf(ObjectStorageUnavailableError);
  expect(String(error)).toContain('did not end its answer');
});

test('what the storage refuses is no outage', async () => {
  const error = await thrownBy(
    (_request, response) => response.writeHead(403).end(),
    (storage) => storage.find('file'),
  );
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(ObjectStorageUnavailableError);
});
