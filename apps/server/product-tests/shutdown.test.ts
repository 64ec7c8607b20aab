import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeChildEnvironment } from '../src/platform/config/config.ts';
import {
  type MaizeFiles,
  type Person,
  type Product,
  type Project,
  settledModel,
  startProduct,
  until,
  uploadMaize,
} from '../src/testing/product.ts';

let product: Product;
let owner: Person;
let project: Project;
let maize: MaizeFiles;
let server: ChildProcess | undefined;

beforeAll(async () => {
  product = await startProduct();
  owner = await product.person('olga');
  project = await product.project(owner);
  maize = await uploadMaize(product, project);
  await product.stopWorker();
});
afterAll(async () => {
  server?.kill('SIGKILL');
  await product.close();
});

/** Starts API, web and worker in one process on the test's database and storage; returns its address. */
async function startServer(): Promise<{ server: ChildProcess; address: string }> {
  const { config } = product.services;
  server = spawn(process.execPath, [join(import.meta.dirname, '../src/entrypoints/all-in-one.ts')], {
    env: {
      ...computeChildEnvironment(),
      DATABASE_URL: product.databaseUrl,
      DATA_DIR: config.dataDir,
      SECRET_KEY: config.secretKey,
      PORT: '0',
      DEMO: 'off',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  server.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const found = await until(
    async () => /ready: (http\S+)/.exec(output)?.[1],
    (address) => address !== undefined,
  );
  return { server, address: found ?? '' };
}

/** Begins an upload that never ends; resolves with its outcome. */
async function stuckUpload(address: string): Promise<string> {
  const body = { content_type: 'text/plain', size_bytes: 1_000_000 };
  const link = await owner.call('POST', `${project.address}/files/upload_link`, body);
  const { pathname, search } = new URL(link.body.put_url);
  const headers = { 'content-type': 'text/plain', 'content-length': 1_000_000 };
  const sending = request(new URL(`${pathname}${search}`, address), { method: 'PUT', headers });
  sending.write('a beginning');
  await once(sending, 'socket');
  return new Promise((resolve) => {
    sending.on('response', ({ statusCode }) => resolve(`answered ${statusCode}`));
    sending.on('error', () => resolve('broken off'));
  });
}

test('SIGTERM with a job at work, an upload that does not end and readers of events ends all three, cleanly and soon; another worker finishes the job', async () => {
  const { server: ending, address } = await startServer();
  const events = await fetch(`${address}/api/events`, { headers: { authorization: `Bearer ${owner.token}` } });
  expect(events.status).toBe(200);
  const heard = events.text().then(
    () => 'ended',
    () => 'broken off',
  );

  const uploading = stuckUpload(address);

  const { genotype, phenotype } = maize;
  const body = {
    name: 'Handed over',
    genotype_id: genotype.id,
    phenotype_id: phenotype.id,
    traits: ['EarHT', 'dpoll'],
  };
  const made = await owner.call('POST', `${project.address}/models`, body);
  expect(made.status, made.text).toBe(201);
  const training = () =>
    product.services.db
      .selectFrom('runs')
      .select(['state', 'attempt'])
      .where('entity_id', '=', made.body.id)
      .where('step', '=', 'train')
      .executeTakeFirstOrThrow();
  await until(training, ({ state }) => state === 'RUNNING');

  ending.kill('SIGTERM');
  expect(await once(ending, 'exit')).toEqual([0, null]);
  // The server closed the stream; the browser reconnects to another server.
  expect(await heard).toBe('ended');
  expect(await uploading).toBe('broken off');
  // Returned to the queue and shown as waiting.
  expect(await training()).toEqual({ state: 'QUEUED', attempt: 1 });
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();

  await product.startWorker();
  const model = await settledModel(owner, project, made.body.id);
  expect(model.status).toEqual({ EarHT: 'EVALUATED', dpoll: 'EVALUATED' });
  expect(await training()).toEqual({ state: 'SUCCEEDED', attempt: 2 });
});

test('a stream of events ends at once when its reader signs out, and others go on', async () => {
  const address = await product.app.listen({ port: 0, host: '127.0.0.1' });
  const [leaving, staying] = [await product.person('olga'), await product.person('olga')];
  const open = async ({ token }: Person): Promise<Response> => {
    const answer = await fetch(`${address}/api/events`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    return answer;
  };
  const left = (await open(leaving)).text();
  const stayed = (await open(staying)).text();
  expect((await leaving.call('DELETE', '/auth/session')).status).toBe(204);
  expect(await left).toContain('"type":"session"');
  // Before the first heartbeat, so the sign-out event ended it.
  expect(await left).not.toContain('still here');
  expect(await Promise.race([stayed, Promise.resolve('open')])).toBe('open');
});
