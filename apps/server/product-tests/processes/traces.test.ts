import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTracing } from '../../src/platform/tracing/tracing.ts';
import {
  type Person,
  type Product,
  type Project,
  SMALL_VCF,
  startProduct,
  startWorkerProcess,
  until,
} from '../../src/testing/product.ts';

const PLATFORM = join(import.meta.dirname, '../../src/platform');

/** A span as OTLP sends it in JSON. */
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  /** Process that has sent it. */
  sender: unknown;
}

let collector: Server;
let endpoint: string;
const spans: Span[] = [];
let sent = '';
let product: Product;
let olga: Person;
let project: Project;
let stopTracing: (() => Promise<void>) | undefined;
let worker: ChildProcess | undefined;

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    sent += text;
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      const sender = resource.attributes.find(({ key }: { key: string }) => key === 'process.pid')?.value.intValue;
      for (const scope of scopeSpans) spans.push(...scope.spans.map((span: Span) => ({ ...span, sender })));
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  product = await startProduct({ withWorker: false });
  olga = await product.person('olga');
  project = await product.project(olga);
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await stopTracing?.();
  await product.close();
  collector.close();
});

const attributesOf = ({ attributes }: Span): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

test('one trace leads from a request over the queue and a worker to its compute process, with ids alone', {
  tags: 'whole',
  timeout: 120_000,
}, async () => {
  stopTracing = await startTracing({ endpoint, version: '1.0.0' });
  worker = startWorkerProcess(product, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '200' });
  await product.uploadChecked(olga, project, {
    name: 'Confidential panel.vcf',
    fileType: 'GENOTYPE',
    bytes: SMALL_VCF,
  });
  await stopTracing();
  stopTracing = undefined;

  const request = spans.find(({ name }) => name === 'POST /api/projects/:project_id/files');
  expect(request).toBeDefined();
  const trace = await until(
    async () => spans.filter(({ traceId }) => traceId === request?.traceId),
    (found) => found.some(({ name }) => name === 'check-file'),
  );
  const only = (name: string): Span => {
    const found = trace.filter((span) => span.name === name);
    expect(found, name).toHaveLength(1);
    return found[0] as Span;
  };
  const chain = ['enqueue check-file', 'check-file', 'compute check-file', 'child'].map(only);
  for (const [i, span] of chain.entries()) expect(span.parentSpanId).toBe((chain[i - 1] ?? request)?.spanId);
  const [enqueued, job, compute, child] = chain as [Span, Span, Span, Span];
  expect([request?.kind, enqueued.kind, job.kind]).toEqual([2, 4, 5]);
  // Three processes: this one, the worker, and its child, of which the worker tells.
  expect(request?.sender).toBe(process.pid);
  expect([job.sender, compute.sender, child.sender]).toEqual([worker.pid, worker.pid, worker.pid]);
  expect([process.pid, worker.pid]).not.toContain(attributesOf(child)['process.pid']);
  for (const [inner, outer] of [
    [child, compute],
    [compute, job],
  ] as const) {
    expect(inner.startTimeUnixNano >= outer.startTimeUnixNano.slice(0, -6).padEnd(19, '0')).toBe(true);
    expect(inner.endTimeUnixNano <= outer.endTimeUnixNano).toBe(true);
  }
  expect(trace.filter(({ name }) => name.startsWith('stage ')).length).toBeGreaterThan(0);
  expect(attributesOf(request as Span)).toMatchObject({
    'http.response.status_code': 201,
    'heterosis.project_id': project.projectId,
    'heterosis.user_id': olga.userId,
  });
  expect(attributesOf(job)['heterosis.job_id']).toBe(attributesOf(enqueued)['heterosis.job_id']);

  for (const secret of ['Confidential', olga.email, olga.token, 'olga', 'panel'])
    expect(sent.toLowerCase(), secret).not.toContain(secret.toLowerCase());
});

test('a server without a collector neither loads the SDK nor traces', async () => {
  // What traces requests, jobs and computations, without the setting.
  const modules = ['http/hooks/traces', 'job-queue/worker', 'job-queue/boss-queue', 'compute/compute-pool'];
  const script = `
    for (const path of ${JSON.stringify(modules.map((path) => join(PLATFORM, `${path}.ts`)))}) await import(path);
    const { currentTrace, traced } = await import(${JSON.stringify(join(PLATFORM, 'tracing/tracing.ts'))});
    const result = await traced('work', {}, async (span) => [span === undefined, currentTrace() === undefined]);
    console.log(JSON.stringify({ result, api: Symbol.for('opentelemetry.js.api.1') in globalThis }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(JSON.parse(stdout)).toEqual({ result: [true, true], api: false });
});
