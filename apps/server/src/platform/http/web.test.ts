import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerWeb } from './web.ts';

const directory = mkdtempSync(join(tmpdir(), 'heterosis-web-'));
const app = Fastify();
beforeAll(async () => {
  mkdirSync(join(directory, 'assets'));
  mkdirSync(join(directory, 'locales', 'en'), { recursive: true });
  writeFileSync(join(directory, 'index.html'), '<!doctype html><title>Heterosis</title>');
  writeFileSync(join(directory, 'assets', 'main-4f2a.js'), 'console.log(1)');
  writeFileSync(join(directory, 'assets', 'main-4f2a.js.gz'), gzipSync('console.log(1)'));
  writeFileSync(join(directory, 'locales', 'en', 'common.json'), '{"title":"Heterosis"}');
  await registerWeb(app, directory);
  await app.ready();
});
afterAll(async () => {
  await app.close();
  rmSync(directory, { recursive: true });
});

const get = (url: string, headers = {}) => app.inject({ url, headers });

test('every address of the web application gets its first page, which is asked for anew each time', async () => {
  for (const url of ['/', '/projects/1/models?modal=create-model', '/signin?code=1']) {
    const response = await get(url, { accept: 'text/html' });
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('<title>Heterosis</title>');
    expect(response.headers['cache-control']).toBe('no-cache');
  }
});

test('the page of share links is not for search engines, and tells nobody where a reader came from', async () => {
  for (const url of ['/s', '/s/'])
    expect((await get(url, { accept: 'text/html' })).headers).toMatchObject({
      ...{ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' },
    });
  expect((await get('/signin')).headers).not.toHaveProperty('x-robots-tag');
});

test('files with a hash in the name are kept for ever and sent compressed', async () => {
  const response = await get('/assets/main-4f2a.js', { 'accept-encoding': 'gzip' });
  expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(response.headers['content-encoding']).toBe('gzip');
  expect(response.headers['content-type']).toContain('javascript');
  expect((await get('/assets/main-4f2a.js')).body).toBe('console.log(1)');
});

test('texts are served by language and name', async () => {
  const response = await get('/locales/en/common.json');
  expect(response.json()).toEqual({ title: 'Heterosis' });
  expect(response.headers['cache-control']).toBe('no-cache');
});

test('a missing script, text or API address is 404 and not the first page', async () => {
  for (const url of ['/assets/gone.js', '/locales/xx/common.json', '/api/nothing']) {
    const response = await get(url);
    expect(response.statusCode, url).toBe(404);
    expect(response.headers['content-type']).toContain('application/problem+json');
  }
  expect((await app.inject({ method: 'POST', url: '/projects' })).statusCode).toBe(404);
});

test('an address that BrAPI does not have is told in plain text, as its clients want', async () => {
  for (const url of ['/brapi', '/brapi/v2', '/brapi/v2/images', '/brapi/v3/programs']) {
    const response = await get(url, { accept: 'text/html' });
    expect(response.statusCode, url).toBe(404);
    expect(response.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'access-control-allow-origin': '*',
    });
    expect(response.body).toBe('This address does not exist, or you have no access to it.');
  }
});

test('without a built web application the API still answers and the page says what is missing', async () => {
  const bare = Fastify();
  await registerWeb(bare, join(directory, 'never-built'));
  const response = await bare.inject({ url: '/', headers: { accept: 'text/html' } });
  expect(response.statusCode).toBe(503);
  expect(response.body).toContain('not been built');
  await bare.close();
});
