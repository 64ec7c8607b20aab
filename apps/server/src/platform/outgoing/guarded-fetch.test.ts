import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boundedFetch } from './bounded-fetch.ts';
import { AnswerTooLargeError, guardedFetch, isAllowed, RefusedAddressError } from './guarded-fetch.ts';

const LOOPBACK = ['127.0.0.1/32'];
let server: Server;
let base: string;
const asked: { url: string; method: string; authorization: string | undefined; body: string }[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { url = '', method = '', headers } = request;
    asked.push({ url, method, authorization: headers.authorization, body });
    const to = new URL(url, base).searchParams.get('to');
    if (to !== null) response.writeHead(302, { location: to }).end();
    else response.end('x'.repeat(100));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe('addresses that the server does not call', () => {
  test.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.20.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'http://user:secret@example.org/',
    'nothing',
  ])('%s', async (url) => {
    await expect(guardedFetch(url, { allowed: [] })).rejects.toThrow(RefusedAddressError);
  });

  test('public ones may be called, and those of an allowed network', () => {
    expect(['8.8.8.8', '2001:4860:4860::8888', '::ffff:8.8.8.8'].map((one) => isAllowed(one, []))).toEqual([
      true,
      true,
      true,
    ]);
    expect(isAllowed('10.1.2.3', ['10.1.0.0/16'])).toBe(true);
    expect(isAllowed('::ffff:10.1.2.3', ['10.1.0.0/16'])).toBe(true);
    expect(isAllowed('10.2.2.3', ['10.1.0.0/16'])).toBe(false);
    expect(isAllowed('fd00::1', ['10.1.0.0/16', 'fd00::/8'])).toBe(true);
  });
});

test('an allowed address is asked, with method, headers and body', async () => {
  const answer = await guardedFetch(`${base}/a`, {
    ...{ allowed: LOOPBACK, method: 'POST', body: 'é' },
    headers: { authorization: 'Bearer secret' },
  });
  expect([answer.status, (await answer.text(100)).length]).toEqual([200, 100]);
  expect(asked.at(-1)).toEqual({ url: '/a', method: 'POST', authorization: 'Bearer secret', body: 'é' });
});

test('each redirect is looked at again', async () => {
  const to = (target: string) => `${base}/?to=${encodeURIComponent(target)}`;
  const options = { allowed: LOOPBACK, redirects: 3, headers: { authorization: 'Bearer secret' } };
  await expect(guardedFetch(to('http://10.0.0.1/'), options)).rejects.toThrow(RefusedAddressError);
  await expect(guardedFetch(to('http://[::ffff:10.0.0.1]/'), options)).rejects.toThrow(RefusedAddressError);
  await expect(guardedFetch(to('file:///etc/passwd'), options)).rejects.toThrow(RefusedAddressError);
  const near = await guardedFetch(to('/b'), options);
  near.body.destroy();
  expect([near.status, asked.at(-1)?.url, asked.at(-1)?.authorization]).toEqual([200, '/b', 'Bearer secret']);
  const stopped = await guardedFetch(to('/b'), { allowed: LOOPBACK });
  stopped.body.destroy();
  expect(stopped.status).toBe(302);
});

test('a token does not follow a redirect to another origin', async () => {
  const other = createServer((request, response) => {
    response.end(String(request.headers.authorization));
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const answer = await guardedFetch(`${base}/?to=${encodeURIComponent(`http://127.0.0.1:${port}/`)}`, {
    ...{ allowed: LOOPBACK, redirects: 1, headers: { Authorization: 'Bearer secret' } },
  });
  expect(await answer.text(100)).toBe('undefined');
  other.close();
});

test('an answer that is larger than allowed is not read to its end', async () => {
  const answer = await guardedFetch(`${base}/`, { allowed: LOOPBACK });
  await expect(answer.text(99)).rejects.toThrow(AnswerTooLargeError);
});

test('one host is asked sixteen things at once, and the others wait', async () => {
  const waiting: (() => void)[] = [];
  const slow = createServer((_, response) => void waiting.push(() => response.end('ok')));
  const address = await listening(slow);
  const answers = Array.from({ length: 20 }, async () => (await guardedFetch(address, { allowed: LOOPBACK })).text(9));
  await expect.poll(() => waiting.length).toBe(16);
  for (let k = 0; k < 20; k++) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()?.();
  }
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, () => 'ok'));
  slow.close();
});

const listening = async (other: Server): Promise<string> => {
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
};

describe('what libraries read', () => {
  let hostile: Server;
  let address: string;
  let held = 0;
  beforeAll(async () => {
    hostile = createServer((request, response) => {
      if (request.url === '/large') response.end(Buffer.alloc(5 << 20));
      else if (request.url === '/dripping') {
        const timer = setInterval(() => response.write(' '), 20);
        response.once('close', () => clearInterval(timer));
      } else if (request.url === '/elsewhere') response.writeHead(302, { location: '/large' }).end();
      else if (request.url === '/silent') held++;
      else response.end('{"ok":true}');
    });
    address = await listening(hostile);
  });
  afterAll(() => {
    hostile.closeAllConnections();
    hostile.close();
  });

  test('has a limit in bytes and in time, from the first to the last', async () => {
    expect(await (await boundedFetch(`${address}/small`, {})).json()).toEqual({ ok: true });
    await expect(boundedFetch(`${address}/large`, {})).rejects.toThrow('more than 4194304 bytes');
    await expect(boundedFetch(`${address}/dripping`, {}, { withinMs: 200 })).rejects.toThrow('did not end its answer');
    const signal = AbortSignal.timeout(100);
    await expect(boundedFetch(`${address}/dripping`, { signal })).rejects.toThrow('aborted due to timeout');
  });

  test('comes from the address that was asked', async () => {
    expect((await boundedFetch(`${address}/elsewhere`, {})).status).toBe(302);
  });

  test('is asked so many times at once', async () => {
    const limits = { withinMs: 300, atOnce: 2 };
    const two = [1, 2].map(() => boundedFetch(`${address}/silent`, {}, limits));
    await expect.poll(() => held).toBe(2);
    await expect(boundedFetch(`${address}/small`, {}, limits)).rejects.toThrow('2 requests to 127.0.0.1');
    for (const { status } of await Promise.allSettled(two)) expect(status).toBe('rejected');
    expect((await boundedFetch(`${address}/small`, {}, limits)).status).toBe(200);
  });
});
