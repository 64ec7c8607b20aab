import autocannon from 'autocannon';
import { call, startBenchProduct } from './bench-product.ts';

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

const product = await startBenchProduct();
const { address } = product;

try {
  const authorization = await product.signIn();
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
  await product.stop();
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
