import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';

/**
 * API reads under 32 connections, with server, PostgreSQL and load generator on one machine. The goal is
 * p99 < 50 ms on two cores; the exit code is 1 when a route misses it.
 *
 * Measured 2026-11-21 (2 cores of an AMD EPYC, shared): see `docs/benchmarks.md`.
 */
const CONNECTIONS = 32;
const SECONDS = 8;
const BOUND_MS = 50;
const FOLDERS = 60;

const directory = mkdtempSync(join(tmpdir(), 'heterosis-bench-'));
chmodSync(directory, 0o755);
const server = spawn(process.execPath, [join(import.meta.dirname, '../src/entrypoints/all-in-one.ts')], {
  env: {
    PATH: process.env['PATH'],
    DATA_DIR: join(directory, 'var'),
    PORT: '0',
    DEMO: 'off',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});

try {
  const address = await addressOfServer();
  const authorization = await signIn(address);
  const project = await prepareProject(address, authorization);
  let missed = 0;
  for (const path of [
    '/api/projects',
    `/api/projects/${project}`,
    `/api/projects/${project}/folders?limit=50`,
    `/api/projects/${project}/files`,
    `/api/projects/${project}/models`,
    '/api/organizations',
  ]) {
    const result = await autocannon({
      url: `${address}${path}`,
      connections: CONNECTIONS,
      duration: SECONDS,
      headers: { authorization },
    });
    const { latency, requests, errors, non2xx } = result;
    const failed = latency.p99 >= BOUND_MS || errors > 0 || non2xx > 0;
    if (failed) missed++;
    process.stdout.write(
      `${failed ? 'MISS' : 'ok  '} ${path.replace(project, ':project_id').padEnd(46)} ${Math.round(requests.average).toString().padStart(6)} req/s   p50 ${latency.p50} ms   p99 ${latency.p99} ms   max ${latency.max} ms   failures ${errors + non2xx}\n`,
    );
  }
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
  rmSync(directory, { recursive: true, force: true });
}

async function addressOfServer(): Promise<string> {
  let output = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  for (;;) {
    const address = /ready: (http:\S+)/.exec(output)?.[1];
    if (address !== undefined) return address;
    if (server.exitCode !== null) throw new Error(`The server ended:\n${output}`);
    await sleep(50);
  }
}

async function call<Answer>(url: string, method: string, body?: object, authorization?: string): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Registers an address, follows the mailed link and returns the Authorization header. */
async function signIn(address: string): Promise<string> {
  await call(`${address}/api/signup`, 'POST', { email: 'bench@example.org' });
  const { data } = await call<{ data: { link: string | null }[] }>(`${address}/api/dev/outbox`, 'GET');
  const code = new URL(data[0]?.link ?? '').searchParams.get('code');
  const { access_token } = await call<{ access_token: string }>(`${address}/api/auth/token`, 'POST', {
    grant_type: 'email_link',
    code,
  });
  return `Bearer ${access_token}`;
}

async function prepareProject(address: string, authorization: string): Promise<string> {
  const create = <Body extends object>(path: string, body: Body) =>
    call<{ id: string }>(`${address}/api${path}`, 'POST', body, authorization);
  const organization = await create('/organizations', { name: 'Bench' });
  const crop = await create(`/organizations/${organization.id}/crops`, { name: 'Maize' });
  const project = await create('/projects', { name: 'Trials', organization_id: organization.id, crop_id: crop.id });
  for (let i = 0; i < FOLDERS; i++) await create(`/projects/${project.id}/folders`, { name: `Folder ${i}` });
  return project.id;
}
