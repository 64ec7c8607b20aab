import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { call, startBenchProduct } from './bench-product.ts';

/**
 * Reads of BrAPI under 32 connections, with server, PostgreSQL and load generator on one machine: a genotype file of
 * 281 × 3,093 and its phenotypes (the data of the demo). The goal is p99 < 50 ms for
 * lists that are read together; pages of a matrix are measured apart. The exit code is 1 when it is missed.
 */
const CONNECTIONS = 32;
const SECONDS = 10;
/** Before it is measured: connections are opened, statements prepared, and V8 compiles after some thousand requests. */
const WARM_UP_SECONDS = 10;
const BOUND_MS = 50;

const DATA = join(import.meta.dirname, '../src/features/operation/demo/data');

const product = await startBenchProduct();
const base = `${product.address}/brapi/v2`;

interface Listed {
  result: { data: Record<string, string>[] };
}

try {
  const authorization = await product.signIn();
  await prepareProject(product.address, authorization);
  const first = async (list: string, id: string): Promise<string> => {
    const { result } = await call<Listed>(`${base}/${list}`, 'GET', undefined, authorization);
    const found = result.data[0]?.[id];
    if (found === undefined) throw new Error(`There is no entry of ${list}.`);
    return found;
  };
  const variantSet = await first('variantsets', 'variantSetDbId');
  const study = await first('studies?studyType=Phenotyping', 'studyDbId');
  const mixed = [
    '/serverinfo',
    '/programs',
    '/trials',
    '/studies',
    `/studies/${study}`,
    '/variables?pageSize=50',
    `/observationunits?studyDbId=${study}&pageSize=50`,
    `/observations?studyDbId=${study}&pageSize=50`,
    `/variantsets/${variantSet}`,
    `/samples?pageSize=50`,
    `/variants?variantSetDbId=${variantSet}&pageSize=50`,
    '/crossingprojects',
  ];
  const matrix = [`/allelematrix?variantSetDbId=${variantSet}&dimensionVariantPageSize=1000`];
  let missed = 0;
  for (const [name, paths, bound] of [
    ['mixed reads', mixed, BOUND_MS],
    ['a page of 281 × 1,000 calls', matrix, Number.POSITIVE_INFINITY],
  ] as const) {
    const read = (duration: number) =>
      autocannon({
        ...{ url: base, connections: CONNECTIONS, duration },
        headers: { authorization, 'accept-encoding': 'gzip' },
        requests: paths.map((path) => ({ method: 'GET', path: `/brapi/v2${path}` })),
      });
    await read(WARM_UP_SECONDS);
    const { latency, requests, errors, non2xx } = await read(SECONDS);
    const failed = latency.p99 >= bound || errors > 0 || non2xx > 0;
    if (failed) missed++;
    process.stdout.write(
      `${failed ? 'MISS' : 'ok  '} ${name.padEnd(30)} ${Math.round(requests.average).toString().padStart(6)} req/s   p50 ${latency.p50} ms   p99 ${latency.p99} ms   max ${latency.max} ms   failures ${errors + non2xx}\n`,
    );
  }
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  await product.stop();
}

async function prepareProject(address: string, authorization: string): Promise<void> {
  const send = <Answer>(method: string, path: string, body?: object) =>
    call<Answer>(`${address}/api${path}`, method, body, authorization);
  const organization = await send<{ id: string }>('POST', '/organizations', { name: 'Bench' });
  const crop = await send<{ id: string }>('POST', `/organizations/${organization.id}/crops`, { name: 'Maize' });
  const place = { name: 'Trials', organization_id: organization.id, crop_id: crop.id };
  const { id: project } = await send<{ id: string }>('POST', '/projects', place);
  for (const [name, type] of [
    ['genotypes.vcf.gz', 'GENOTYPE'],
    ['phenotypes.csv', 'PHENOTYPE'],
  ] as const) {
    const bytes = readFileSync(join(DATA, name));
    const link = await send<{ file_id: string; put_url: string }>('POST', `/projects/${project}/files/upload_link`, {
      ...{ file_type: type, content_type: 'application/octet-stream', size_bytes: bytes.length },
    });
    const headers = { 'content-type': 'application/octet-stream' };
    const put = await fetch(new URL(link.put_url, address), { method: 'PUT', headers, body: bytes });
    if (!put.ok) throw new Error(`${name}: ${put.status} ${await put.text()}`);
    const file = await send<{ id: string }>('POST', `/projects/${project}/files`, {
      ...{ name, file_id: link.file_id, file_type: type },
    });
    for (;;) {
      const { status } = await send<{ status: string }>('GET', `/projects/${project}/files/${file.id}`);
      if (status.startsWith('READY')) break;
      if (status === 'INVALID') throw new Error(`${name} is not valid`);
      await sleep(200);
    }
  }
}
