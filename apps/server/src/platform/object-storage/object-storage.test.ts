import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startS3Server } from '../../../tools/s3-stand-in/s3-server.ts';
import type { Services } from '../http/app.ts';
import { registerErrorHandler } from '../http/error-handler.ts';
import { contentDisposition } from './content-disposition.ts';
import { localDiskRoutes, parseRange } from './local-disk.routes.ts';
import { createLocalDiskStorage } from './local-disk.ts';
import { checkKey, ObjectNotFoundError, type ObjectStorage, SMALLEST_PIECE_BYTES } from './object-storage.ts';
import { createS3Storage } from './s3.ts';
import { signGetUrl, verifyUrl } from './signed-url.ts';
import { readObject } from './stored-panel.ts';

const MAX_UPLOAD_BYTES = 1_000_000;
const SECRET = Buffer.alloc(32, 7);

interface Driver {
  storage: ObjectStorage;
  /** Checks signatures. */
  strict: ObjectStorage;
  close(): Promise<void>;
}

/** Local disk behind a real server, because its signed addresses point there. */
async function openLocalDisk(
  directory: string,
  served: (storage: ObjectStorage) => ObjectStorage = (storage) => storage,
): Promise<Driver> {
  const server = Fastify({ forceCloseConnections: true });
  registerErrorHandler(server);
  // Signed addresses contain the port, so choose it before creating the routes.
  const port = await freePort();
  const storage = createLocalDiskStorage({ directory, publicUrl: () => `http://127.0.0.1:${port}`, key: SECRET });
  const routes = localDiskRoutes({ storage: served(storage), key: SECRET, maxUploadBytes: MAX_UPLOAD_BYTES });
  await server.register(async (scope) => routes(scope as never, {} as Services), { prefix: '/api' });
  await server.listen({ port, host: '127.0.0.1' });
  return { storage, strict: storage, close: () => server.close() };
}

/** The storage tests use a server that does not compare signatures, and the tests of signed uploads one that does. */
async function openS3(directory: string): Promise<Driver> {
  const lenient = await startS3Server({ directory: join(directory, 'lenient') });
  const strict = await startS3Server({ directory: join(directory, 'strict'), strict: true });
  return {
    storage: createS3Storage(lenient.config),
    strict: createS3Storage(strict.config),
    close: async () => {
      await lenient.close();
      await strict.close();
    },
  };
}

const text = (value: string) => new TextEncoder().encode(value);
async function* chunks(...parts: Uint8Array[]) {
  yield* parts;
}
async function readAll(storage: ObjectStorage, key: string): Promise<Buffer> {
  const source = await storage.open(key);
  const parts: Uint8Array[] = [];
  for await (const part of source.stream()) parts.push(part);
  await source.close();
  return Buffer.concat(parts);
}
async function keys(storage: ObjectStorage, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of storage.list(prefix)) found.push(key);
  return found;
}

describe.each([
  ['local disk', openLocalDisk],
  ['S3', openS3],
] as [string, (directory: string) => Promise<Driver>][])('object storage on %s', (_name, open) => {
  let directory: string;
  let driver: Driver;
  let storage: ObjectStorage;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'heterosis-storage-'));
    driver = await open(directory);
    storage = driver.storage;
  });
  afterAll(async () => {
    await driver.close();
    await rm(directory, { recursive: true, force: true });
  });

  test('what is put can be read, measured, replaced and deleted', async () => {
    const result = await storage.put('a/one', text('first'));
    expect(result).toEqual({ sizeBytes: 5, sha256: createHash('sha256').update('first').digest('hex') });
    expect((await readAll(storage, 'a/one')).toString()).toBe('first');
    await storage.put('a/one', chunks(text('sec'), text('ond')));
    expect((await readAll(storage, 'a/one')).toString()).toBe('second');
    expect(await storage.find('a/one')).toMatchObject({ key: 'a/one', sizeBytes: 6 });
    await storage.delete('a/one', 'a/never-was');
    expect(await storage.find('a/one')).toBeUndefined();
    await expect(storage.open('a/one')).rejects.toBeInstanceOf(ObjectNotFoundError);
  });

  test('a large object is stored in parts and read by range', { tags: 'whole' }, async () => {
    const part = randomBytes(7_000_003);
    const whole = Buffer.concat([part, part, part, part, part]);
    const { sizeBytes, sha256 } = await storage.put('large', chunks(part, part, part, part, part));
    expect(sizeBytes).toBe(whole.length);
    expect(sha256).toBe(createHash('sha256').update(whole).digest('hex'));
    const source = await storage.open('large', 'large.bed');
    expect([source.name, source.size]).toEqual(['large.bed', whole.length]);
    expect(Buffer.from(await source.read(16_777_210, 20)).equals(whole.subarray(16_777_210, 16_777_230))).toBe(true);
    expect((await source.read(whole.length - 3, 100)).length).toBe(3);
    expect((await source.read(whole.length, 10)).length).toBe(0);
    await source.close();
    expect((await readAll(storage, 'large')).equals(whole)).toBe(true);
    expect(whole.equals(await readObject(storage, 'large'))).toBe(true);
  });

  test('an empty object is an object', async () => {
    await storage.put('empty', new Uint8Array(0));
    expect(await storage.find('empty')).toMatchObject({ sizeBytes: 0 });
    expect((await readAll(storage, 'empty')).length).toBe(0);
  });

  test('a body that is too long, too short or breaks off leaves nothing behind', async () => {
    const long = storage.put('bad/long', chunks(text('12345'), text('67890')), { maxBytes: 7 });
    await expect(long).rejects.toMatchObject({ code: 'request/too-large' });
    await expect(storage.put('bad/short', text('123'), { expectedBytes: 4 })).rejects.toMatchObject({
      code: 'files/upload-incomplete',
    });
    async function* broken() {
      yield text('123');
      throw new Error('the line broke');
    }
    await expect(storage.put('bad/broken', broken())).rejects.toThrow('the line broke');
    expect(await keys(storage, 'bad/')).toEqual([]);
  });

  test('a failed replacement leaves what was there', async () => {
    await storage.put('kept', text('good'));
    await expect(storage.put('kept', text('123'), { expectedBytes: 4 })).rejects.toThrow();
    expect((await readAll(storage, 'kept')).toString()).toBe('good');
  });

  test('listing goes by prefix in order, and a prefix is deleted as a whole', async () => {
    for (const key of ['p/b', 'p/a/2', 'p/a/1', 'q/a']) await storage.put(key, text(key));
    expect(await keys(storage, 'p/')).toEqual(['p/a/1', 'p/a/2', 'p/b']);
    expect(await keys(storage, 'p/a')).toEqual(['p/a/1', 'p/a/2']);
    expect(await keys(storage, 'nothing/')).toEqual([]);
    await storage.deletePrefix('p/a/');
    expect(await keys(storage, 'p/')).toEqual(['p/b']);
  });

  test('a listing goes on past the thousand objects of one answer, and so does a deletion', {
    tags: 'whole',
  }, async () => {
    const all = Array.from({ length: 1_010 }, (_, index) => `long/${String(index).padStart(5, '0')}/bytes`);
    for (let first = 0; first < all.length; first += 50)
      await Promise.all(all.slice(first, first + 50).map((key) => storage.put(key, text(key))));
    expect(await keys(storage, 'long/')).toEqual(all);
    await storage.deletePrefix('long/');
    expect(await keys(storage, 'long/')).toEqual([]);
  });

  test('an object can be moved, copied from a file and to a file', async () => {
    const path = join(directory, 'local-file');
    await writeFile(path, 'from a file');
    await storage.putFile('m/from', path);
    await storage.move('m/from', 'm/to/here');
    expect(await keys(storage, 'm/')).toEqual(['m/to/here']);
    await storage.download('m/to/here', `${path}-copy`);
    expect(await readFile(`${path}-copy`, 'utf8')).toBe('from a file');
    await expect(storage.move('m/from', 'm/x')).rejects.toBeInstanceOf(ObjectNotFoundError);
    await expect(storage.download('m/from', path)).rejects.toBeInstanceOf(ObjectNotFoundError);
  });

  test('a signed address takes a PUT of the agreed type and gives it back by GET and by range', async () => {
    const put = await storage.signPut('signed/one', { contentType: 'text/csv' });
    const sent = await fetch(put, { method: 'PUT', body: 'a,b\n1,2\n', headers: { 'content-type': 'text/csv' } });
    expect(sent.status).toBe(200);
    const address = await storage.signGet('signed/one', { fileName: 'Größe "1".csv', contentType: 'text/csv' });
    const whole = await fetch(address);
    expect(await whole.text()).toBe('a,b\n1,2\n');
    expect(whole.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(whole.headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.csv");
    const part = await fetch(address, { headers: { range: 'bytes=4-6' } });
    expect([part.status, await part.text()]).toEqual([206, '1,2']);
  });

  test('a signed upload address cannot be turned to another object, method or type', async () => {
    const address = await driver.strict.signPut('signed/two', { contentType: 'text/csv' });
    const send = (url: string, type = 'text/csv', method = 'PUT') =>
      fetch(url, { method, headers: { 'content-type': type }, ...(method === 'PUT' ? { body: 'x' } : {}) });
    expect((await send(address)).status).toBe(200);
    expect((await send(address.replace('signed/two', 'signed/one'))).ok).toBe(false);
    expect((await send(address, 'text/html')).ok).toBe(false);
    expect((await send(address, 'text/csv', 'GET')).ok).toBe(false);
    expect(await driver.strict.find('signed/two')).toMatchObject({ sizeBytes: 1 });
  });

  test('a signed upload address for a number of bytes takes no more and no fewer', async () => {
    const address = await driver.strict.signPut('signed/five', { contentType: 'text/csv', sizeBytes: 5 });
    const send = async (body: string) =>
      (await fetch(address, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body })).ok;
    expect([await send('123456'), await send('1234'), await send('')]).toEqual([false, false, false]);
    expect(await driver.strict.find('signed/five')).toBeUndefined();
    expect(await send('12345')).toBe(true);
    expect(await driver.strict.find('signed/five')).toMatchObject({ sizeBytes: 5 });
  });

  test('pieces are put together in the order given, whole or not at all', async () => {
    const [first, second, last] = [
      randomBytes(SMALLEST_PIECE_BYTES),
      randomBytes(SMALLEST_PIECE_BYTES),
      randomBytes(17),
    ];
    await storage.put('pieces/1', first);
    await storage.put('pieces/2', second);
    await storage.put('pieces/3', last);
    await storage.concatenate(['pieces/2', 'pieces/1', 'pieces/3'], 'whole/one');
    expect((await readAll(storage, 'whole/one')).equals(Buffer.concat([second, first, last]))).toBe(true);
    await storage.concatenate(['pieces/3'], 'whole/one');
    expect((await readAll(storage, 'whole/one')).equals(last)).toBe(true);
    expect(await keys(storage, 'pieces/')).toEqual(['pieces/1', 'pieces/2', 'pieces/3']);
    await expect(storage.concatenate(['pieces/1', 'pieces/lost'], 'whole/two')).rejects.toThrow();
    expect(await keys(storage, 'whole/')).toEqual(['whole/one']);
  });

  test('what was put together is an object like any other, and stays when its pieces are replaced or deleted', async () => {
    const pieces = [randomBytes(SMALLEST_PIECE_BYTES), randomBytes(SMALLEST_PIECE_BYTES), randomBytes(17)];
    for (const [index, piece] of pieces.entries()) await storage.put(`parts/${index}`, piece);
    await storage.concatenate(['parts/0', 'parts/1', 'parts/2'], 'joined/a/whole');
    await storage.put('parts/0', text('sent once more'));
    await storage.deletePrefix('parts/');
    const whole = Buffer.concat(pieces);
    expect((await readAll(storage, 'joined/a/whole')).equals(whole)).toBe(true);
    await storage.move('joined/a/whole', 'joined/b/whole');
    expect(await keys(storage, 'joined/')).toEqual(['joined/b/whole']);
    expect(await storage.find('joined/a/whole')).toBeUndefined();
    expect(await storage.find('joined/b/whole')).toMatchObject({ sizeBytes: whole.length });
    const source = await storage.open('joined/b/whole');
    const [first, length] = [SMALLEST_PIECE_BYTES - 3, SMALLEST_PIECE_BYTES + 9];
    expect(Buffer.from(await source.read(first, length)).equals(whole.subarray(first, first + length))).toBe(true);
    expect((await source.read(whole.length - 5, 100)).length).toBe(5);
    await source.close();
    await storage.download('joined/b/whole', join(directory, 'downloaded'));
    expect((await readFile(join(directory, 'downloaded'))).equals(whole)).toBe(true);
    await storage.put('joined/b/whole', text('replaced'));
    expect((await readAll(storage, 'joined/b/whole')).toString()).toBe('replaced');
    await storage.put('parts/0', text('again'));
    await storage.concatenate(['parts/0'], 'joined/b/whole');
    expect((await readAll(storage, 'joined/b/whole')).toString()).toBe('again');
    await storage.delete('joined/b/whole');
    expect(await keys(storage, 'joined/')).toEqual([]);
  });

  test('the storage says that it can be used, and lists nothing of the question', async () => {
    const before = await keys(storage, '');
    await expect(storage.check()).resolves.toBeUndefined();
    expect(await keys(storage, '')).toEqual(before);
  });
});

describe('signed addresses of the local disk', () => {
  let directory: string;
  let driver: Driver;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'heterosis-storage-'));
    driver = await openLocalDisk(directory);
  });
  afterAll(async () => {
    await driver.close();
    await rm(directory, { recursive: true, force: true });
  });

  test('putting pieces together writes none of their bytes again', async () => {
    await driver.storage.put('pieces/1', randomBytes(1000));
    const { ino } = await stat(join(directory, 'pieces/1'));
    await driver.storage.concatenate(['pieces/1', 'pieces/1'], 'whole/links');
    const folder = join(directory, 'whole/links.pieces');
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).ino).toBe(ino);
    await driver.storage.delete('pieces/1', 'whole/links');
  });

  test('a directory into which nothing can be written is no storage that can be used', async () => {
    const blocked = await mkdtemp(join(tmpdir(), 'heterosis-storage-'));
    try {
      const storage = createLocalDiskStorage({ directory: blocked, publicUrl: () => 'http://h', key: SECRET });
      await expect(storage.check()).resolves.toBeUndefined();
      await rm(join(blocked, '.incoming'), { recursive: true });
      await writeFile(join(blocked, '.incoming'), 'in the way');
      await expect(storage.check()).rejects.toThrow();
    } finally {
      await rm(blocked, { recursive: true });
    }
  });

  test('another content type than agreed, and too many bytes, are refused', async () => {
    const address = await driver.storage.signPut('u/1', { contentType: 'text/plain' });
    const type = await fetch(address, { method: 'PUT', body: 'x', headers: { 'content-type': 'text/html' } });
    expect(type.status).toBe(400);
    const big = await fetch(address, {
      method: 'PUT',
      body: 'x'.repeat(MAX_UPLOAD_BYTES + 1),
      headers: { 'content-type': 'text/plain' },
    });
    expect(big.status).toBe(413);
    expect(await driver.storage.find('u/1')).toBeUndefined();
  });

  test('an upload that is cut off leaves neither an object nor bytes', async () => {
    const address = new URL(await driver.storage.signPut('u/cut', { contentType: 'text/plain' }));
    const socket = connect(Number(address.port), address.hostname);
    socket.write(
      `PUT ${address.pathname}${address.search} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\nonly this`,
    );
    const incoming = () => readdir(join(directory, '.incoming')).catch(() => []);
    await expect.poll(incoming).not.toEqual([]);
    socket.destroy();
    await expect.poll(incoming).toEqual([]);
    expect(await driver.storage.find('u/cut')).toBeUndefined();
  });

  test('a download that is given up before its first byte closes the file', async () => {
    const { promise: gone, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>();
    const { promise: closed, resolve: tellClosed } = Promise.withResolvers<void>();
    const slow = await openLocalDisk(directory, (storage) => ({
      ...storage,
      async open(key, name) {
        const source = await storage.open(key, name);
        tellAsked();
        await gone;
        return { ...source, close: () => source.close().then(tellClosed) };
      },
    }));
    await slow.storage.put('d/1', text('never sent'));
    const address = new URL(await slow.storage.signGet('d/1', { fileName: 'a.txt' }));
    const socket = connect(Number(address.port), address.hostname);
    socket.write(`GET ${address.pathname}${address.search} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await asked;
    socket.destroy();
    await sleep(100);
    letGo();
    await expect(closed).resolves.toBeUndefined();
    await slow.close();
  });

  test('a HEAD tells the size and reads nothing', async () => {
    let reads = 0;
    const counted = await openLocalDisk(directory, (storage) => ({
      ...storage,
      async open(key, name) {
        const source = await storage.open(key, name);
        return { ...source, read: (offset, length) => source.read(offset, (reads++, length)) };
      },
    }));
    await counted.storage.put('d/2', text('some bytes'));
    const address = await counted.storage.signGet('d/2', { fileName: 'a.txt' });
    const head = await fetch(address, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), reads]).toEqual([200, '10', 0]);
    expect(await (await fetch(address)).text()).toBe('some bytes');
    expect(reads).toBe(1);
    await counted.close();
  });

  test('an address ends after a quarter of an hour and no part of it can be changed', () => {
    const url = new URL(signGetUrl('http://h', SECRET, 'k/1', { fileName: 'a.csv' }));
    const query = Object.fromEntries(url.searchParams);
    expect(verifyUrl(SECRET, { method: 'GET', key: 'k/1', query })).toMatchObject({
      key: 'k/1',
      fileName: 'a.csv',
      inline: false,
    });
    expect(verifyUrl(SECRET, { method: 'GET', key: 'k/1', query }, Date.now() + 16 * 60_000)).toBe('expired');
    expect(
      verifyUrl(SECRET, {
        method: 'GET',
        key: 'k/1',
        query: { ...query, expires: String(Number(query['expires']) + 1) },
      }),
    ).toBe('forged');
    expect(verifyUrl(SECRET, { method: 'GET', key: 'k/1', query: { ...query, inline: '1' } })).toBe('forged');
    expect(verifyUrl(SECRET, { method: 'PUT', key: 'k/1', query })).toBe('forged');
    expect(verifyUrl(Buffer.alloc(32), { method: 'GET', key: 'k/1', query })).toBe('forged');
    expect(verifyUrl(SECRET, { method: 'GET', key: 'k/1', query: {} })).toBe('forged');
  });

  test('files shown in the browser may run nothing', async () => {
    await driver.storage.put('plot.html', text('<script>alert(1)</script>'));
    const response = await fetch(
      await driver.storage.signGet('plot.html', { fileName: 'plot.html', contentType: 'text/html', inline: true }),
    );
    expect(response.headers.get('content-disposition')).toMatch(/^inline/);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });
});

test('what a killed process left half received goes after a while; what is still being received stays', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'heterosis-unfinished-'));
  const storage = createLocalDiskStorage({ directory, publicUrl: () => 'http://h', key: SECRET });
  await storage.removeUnfinished(new Date());
  await storage.put('whole', text('stays'));
  const [left, arriving] = [join(directory, '.incoming', 'left'), join(directory, '.incoming', 'arriving')];
  await writeFile(left, 'half');
  await writeFile(arriving, 'half');
  const yesterday = new Date(Date.now() - 86_400_000);
  await utimes(left, yesterday, yesterday);
  await storage.removeUnfinished(new Date(Date.now() - 3_600_000));
  expect(await readdir(join(directory, '.incoming'))).toEqual(['arriving']);
  expect((await readAll(storage, 'whole')).toString()).toBe('stays');
  await rm(directory, { recursive: true });
});

describe('objects of the local disk that come and go side by side', () => {
  let directory: string;
  let storage: ObjectStorage;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'heterosis-storage-'));
    storage = createLocalDiskStorage({ directory, publicUrl: () => 'http://localhost', key: SECRET });
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const comeAndGo = async (key: string, times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      await storage.put(key, text(key));
      await storage.delete(key);
    }
  };

  test('do not take the folder away from each other', async () => {
    await Promise.all(['s/a', 's/b', 's/c', 's/d'].map((key) => comeAndGo(key, 40)));
    expect(await keys(storage, 's/')).toEqual([]);
  });

  test('hide nothing else from a listing', async () => {
    await storage.put('l/kept/x', text('x'));
    const busy = Promise.all(['l/a/x', 'l/b/x', 'l/c/x'].map((key) => comeAndGo(key, 40)));
    for (let time = 0; time < 100; time++) expect(await keys(storage, 'l/')).toContain('l/kept/x');
    await busy;
  });

  test('are told apart from one that is not there', async () => {
    await expect(storage.move('none', 's/a')).rejects.toThrow(ObjectNotFoundError);
  });
});

test('keys that could leave the directory are refused', () => {
  for (const key of ['../x', '/x', 'a//b', 'a/../b', '.incoming/x', 'a/.b', 'a b', '', 'a/', 'ä', 'a\\b'])
    expect(() => checkKey(key), key).toThrow(/Not a storage key/);
  for (const key of ['a', 'projects/01890000-0000-7000-8000-000000000001/files/x/original', 'a/b_c.tar.gz'])
    expect(() => checkKey(key)).not.toThrow();
});

test('ranges are read as RFC 9110 has them', () => {
  expect(parseRange('bytes=0-3', 10)).toEqual({ first: 0, last: 3 });
  expect(parseRange('bytes=8-', 10)).toEqual({ first: 8, last: 9 });
  expect(parseRange('bytes=-3', 10)).toEqual({ first: 7, last: 9 });
  expect(parseRange('bytes=5-100', 10)).toEqual({ first: 5, last: 9 });
  expect(parseRange('bytes=10-', 10)).toBe('unsatisfiable');
  expect(parseRange('bytes=0-1,3-4', 10)).toBeUndefined();
  expect(parseRange(undefined, 10)).toBeUndefined();
});

test('a file name of any kind makes a header of one line in ASCII', () => {
  const header = contentDisposition('a"b\r\nc\\ü.csv');
  expect(header).toMatch(/^[\x20-\x7e]+$/);
  expect(header).toContain("filename*=UTF-8''a%22b%0D%0Ac_%C3%BC.csv");
  const climbing = contentDisposition('../../etc/x.csv');
  expect(climbing).toBe(`attachment; filename=".._.._etc_x.csv"; filename*=UTF-8''.._.._etc_x.csv`);
});

async function freePort(): Promise<number> {
  const probe = Fastify();
  await probe.listen({ port: 0, host: '127.0.0.1' });
  const address = probe.server.address();
  await probe.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'on a full disk nothing half stays behind and the problem says so',
  async (context) => {
    const directory = await mkdtemp(join(tmpdir(), 'heterosis-full-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', directory], { stdio: 'ignore' });
    } catch {
      await rm(directory, { recursive: true });
      context.skip('a container without the right to mount has no small disk to fill');
    }
    try {
      const storage = createLocalDiskStorage({ directory, publicUrl: () => 'http://h', key: SECRET });
      await storage.put('small', text('fits'));
      await expect(storage.put('big', randomBytes(2_000_000))).rejects.toMatchObject({
        code: 'server/storage-full',
        status: 507,
      });
      expect(await storage.find('big')).toBeUndefined();
      expect(await readdir(join(directory, '.incoming'))).toEqual([]);
      await storage.put('after', text('works again'));
      await expect(storage.check()).resolves.toBeUndefined();
      await writeFile(join(directory, 'filler'), randomBytes(2_000_000)).catch(() => {});
      await expect(storage.check()).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(await readdir(join(directory, '.incoming'))).toEqual([]);
    } finally {
      execFileSync('umount', [directory]);
      await rm(directory, { recursive: true });
    }
  },
);
