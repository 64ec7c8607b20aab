import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type S3Server, startS3Server } from '../../testing/s3-server.ts';
import type { ObjectStorage } from './object-storage.ts';
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
