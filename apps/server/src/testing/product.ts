import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Role } from '@heterosis/contracts/common';
import type { GenotypeField, Ploidy } from '@heterosis/contracts/data/file-formats';
import type { FileDetail, FileType } from '@heterosis/contracts/data/files';
import type { GuestSession } from '@heterosis/contracts/people/guests';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import { computeEnvironment } from '@heterosis/linalg/threads';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { DestinationStream } from 'pino';
import { uuidv7 } from 'uuidv7';
import { jobRegistrations, KINDS, wireFeatures } from '../entrypoints/wiring.ts';
import { ensureUser } from '../features/people/accounts/index.ts';
import { createKeyRing, makeCustomToken } from '../features/people/auth/index.ts';
import { insertCrop } from '../features/people/crops/index.ts';
import { insertOrganization } from '../features/people/organizations/index.ts';
import { insertProject } from '../features/people/projects/index.ts';
import type { KindOfRun } from '../features/work/runs/kind/index.ts';
import type { ComputePool } from '../platform/compute/compute.ts';
import { createComputePool } from '../platform/compute/compute-pool.ts';
import { type Config, computeChildEnvironment } from '../platform/config/config.ts';
import { createEventHub } from '../platform/events/event-hub.ts';
import { eventRoutes } from '../platform/events/events.routes.ts';
import { type App, createApp, type WorkerServices } from '../platform/http/app.ts';
import { createTestServices, requireShortTurnsOf } from '../platform/http/testing.ts';
import { startBoss } from '../platform/job-queue/boss.ts';
import { takeFromLostWorkers } from '../platform/job-queue/testing/hurry.ts';
import { startWorker, type Worker } from '../platform/job-queue/worker.ts';
import type { Logger } from '../platform/logging/logger.ts';

/** The maize panel that the demo uses: 281 lines × 3,093 markers, three traits. */
export const MAIZE = join(import.meta.dirname, '../features/operation/demo/data');

export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  body: any;
  text: string;
  headers: Record<string, unknown>;
}

/** A signed-in person. */
export interface Person {
  userId: string;
  email: string;
  /** The access token. */
  token: string;
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', address: string, body?: unknown): Promise<Answer>;
}

export interface Project {
  organizationId: string;
  projectId: string;
  /** `/api/projects/{id}`. */
  address: string;
  owner: Person;
}

/** The whole product in this process: database, storage, queue and, by default, a worker with its compute processes. */
export interface Product {
  app: App;
  services: WorkerServices;
  databaseUrl: string;
  /** The queue as the API has it. */
  boss: PgBoss;
  person(name: string, domain?: string): Promise<Person>;
  /** Somebody who looks at the demo. */
  guest(): Promise<Person>;
  project(owner: Person): Promise<Project>;
  join(project: Project, person: Person, role: Role): Promise<void>;
  upload(person: Person, project: Project, upload: Upload): Promise<FileDetail>;
  /** Uploads and waits for the check. */
  uploadChecked(person: Person, project: Project, upload: Upload): Promise<FileDetail>;
  startWorker(): Promise<void>;
  stopWorker(): Promise<void>;
  close(): Promise<void>;
}

export interface Upload {
  name: string;
  fileType: FileType | null;
  bytes: string | Uint8Array;
  /** How a genotype is read. */
  reading?: { ploidy?: Ploidy; samples_of_ploidy?: Ploidy; genotype_field?: GenotypeField };
}

/** Told of each event of any product of this process. */
const heard = new EventEmitter().setMaxListeners(0);

export async function startProduct({
  withWorker = true,
  changes = {},
  compute: ownCompute,
  kinds = KINDS,
  log,
}: {
  withWorker?: boolean;
  changes?: Partial<Config>;
  compute?: ComputePool;
  /** Kinds of run, for a test that brings one of its own. */
  kinds?: readonly KindOfRun[];
  /** Receives every log line; without it nothing is logged. */
  log?: DestinationStream;
} = {}): Promise<Product> {
  const test = await createTestServices(changes, log);
  const { logger, config, db } = test.services;
  // Those shared log to the first product of the process.
  const compute = ownCompute ?? (log === undefined ? shareCompute(logger) : createCompute(logger));
  const services: WorkerServices = { ...test.services, compute };
  const { features, rootFeatures, access } = wireFeatures(services, kinds);
  const hub = createEventHub(test.databaseUrl, logger);
  hub.subscribe(() => heard.emit('event'));
  const app = await createApp({
    services,
    access,
    features: [...test.storageRoutes, ...features, eventRoutes({ hub, access })],
    rootFeatures,
  });
  const keys = createKeyRing(db, config.secretKey);
  let worker: Worker | undefined;

  /** Calls as the web application does. */
  const callerWith =
    (token: string): Person['call'] =>
    async (method, address, body) => {
      const answer = await app.inject({
        method,
        url: address.startsWith('/api') ? address : `/api${address}`,
        headers: {
          authorization: `Bearer ${token}`,
          ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
        },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      const isJson = String(answer.headers['content-type']).includes('json');
      return {
        status: answer.statusCode,
        body: isJson ? answer.json() : undefined,
        text: answer.body,
        headers: answer.headers,
      };
    };

  const product: Product = {
    app,
    services,
    databaseUrl: test.databaseUrl,
    boss: test.boss,
    async person(name, domain = 'example.org') {
      const { id, email } = await ensureUser(db, `${name}@${domain}`);
      const signIn = await app.inject({
        method: 'POST',
        url: '/api/auth/token',
        payload: { grant_type: 'custom_token', token: await makeCustomToken(keys, id) },
      });
      const { access_token } = signIn.json<{ access_token: string }>();
      return { userId: id, email, token: access_token, call: callerWith(access_token) };
    },
    async guest() {
      const { access_token } = (await app.inject({ method: 'POST', url: '/api/auth/guest' })).json<GuestSession>();
      return { userId: '', email: '', token: access_token, call: callerWith(access_token) };
    },
    async project(owner) {
      const organizationId = await insertOrganization(db, 'Acme Breeding', owner.userId);
      const crop = await insertCrop(db, organizationId, 'Maize', owner.userId);
      const projectId = await insertProject(db, {
        name: `Trials ${organizationId}`,
        organization_id: organizationId,
        crop_id: crop.id,
        created_by: owner.userId,
      });
      return { organizationId, projectId, address: `/api/projects/${projectId}`, owner };
    },
    async join({ projectId }, person, role) {
      await db
        .insertInto('project_members')
        .values({ id: uuidv7(), project_id: projectId, user_id: person.userId, role })
        .execute();
    },
    async upload(person, { address }, { name, fileType, bytes, reading }) {
      const body = typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes);
      const link = await person.call('POST', `${address}/files/upload_link`, {
        file_type: fileType,
        content_type: 'text/plain',
        size_bytes: body.length,
      });
      await put(app, link.body.put_url, body);
      const made = await person.call('POST', `${address}/files`, {
        name,
        file_id: link.body.file_id,
        file_type: fileType,
        ...reading,
      });
      if (made.status !== 201) throw new Error(`the upload of ${name} failed: ${made.text}`);
      return made.body;
    },
    async uploadChecked(person, project, upload) {
      const { id } = await product.upload(person, project, upload);
      return await settledFile(person, project, id);
    },
    async startWorker() {
      worker = await startWorker({
        boss: await startBoss({ url: test.databaseUrl, logger, role: 'worker' }),
        db,
        logger,
        registrations: jobRegistrations(services, kinds),
        concurrency: 2,
        offer: { cores: 2, memoryMb: 8_000, diskMb: async () => 8_000 },
      });
    },
    async stopWorker() {
      await worker?.stop(2_000);
      worker = undefined;
    },
    async close() {
      await product.stopWorker();
      await compute.close();
      await app.close();
      await hub.close();
      await test.close();
      // The test computes in the same thread, and a request may be under way meanwhile: the limit of 0.2 s is for the
      // journeys, whose product has a process of its own.
      await requireShortTurnsOf(app, 1);
    },
  };
  if (withWorker) await product.startWorker();
  return product;
}

const createCompute = (logger: Logger): ComputePool =>
  createComputePool({ size: 2, threads: 1, memoryMb: 1024, logger, environment: computeEnvironment });

let shared: ComputePool | undefined;

/**
 * The compute processes of all products of this process: to load the analyses again for each product would cost more
 * than most of the work that they do. Closing ends what a product has under way.
 */
function shareCompute(logger: Logger): ComputePool {
  const pool = (shared ??= createCompute(logger));
  const closing = new AbortController();
  return {
    run: (moduleUrl, input, options) =>
      pool.run(moduleUrl, input, {
        ...options,
        signal: AbortSignal.any([closing.signal, ...(options?.signal === undefined ? [] : [options.signal])]),
      }),
    async close() {
      closing.abort(new Error('The product is closed.'));
    },
  };
}

/** `POST` of a form with the lines of a table. */
export async function sendTable(
  { app }: Pick<Product, 'app'>,
  person: Person,
  address: string,
  lines: readonly string[],
  fields: Record<string, string> = {},
): Promise<Answer> {
  const form = new FormData();
  // The file first: the fields after it must count as well.
  form.append('file', new Blob([lines.join('\n')]), 'lines.csv');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const answer = await app.inject({
    method: 'POST',
    url: `/api${address}`,
    headers: {
      authorization: `Bearer ${person.token}`,
      'content-type': request.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  return { status: answer.statusCode, body: answer.json(), text: answer.body, headers: answer.headers };
}

/** Starts `worker.ts` as if on another machine: it shares only the database and the storage. It logs to `stdout`. */
export function startWorkerProcess(
  { services, databaseUrl }: Product,
  environment: Record<string, string> = {},
): ChildProcess {
  const { config } = services;
  return spawn(process.execPath, [join(import.meta.dirname, '../entrypoints/worker.ts')], {
    env: {
      // Use the same BLAS kernels, because results are compared byte by byte.
      ...computeChildEnvironment(),
      DATABASE_URL: databaseUrl,
      DATA_DIR: config.dataDir,
      SECRET_KEY: config.secretKey,
      LOG_LEVEL: 'silent',
      LOG_FORMAT: 'json',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Starts `all-in-one.ts` as a process of its own on the database of the test, and waits until it is ready. */
export async function startServerProcess(
  { services: { config }, databaseUrl }: Product,
  port: string,
): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../entrypoints/all-in-one.ts')], {
    env: {
      ...computeChildEnvironment(),
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: config.dataDir, SECRET_KEY: config.secretKey },
      ...{ PORT: port, DEMO: 'off', LOG_LEVEL: 'error' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const address = await until(
    async () => /ready: (http\S+)/.exec(output)?.[1],
    (found) => found !== undefined,
  );
  return { child, address: address ?? '' };
}

/**
 * As if the heartbeats of a killed worker had been missing for a minute: its jobs, or the one that is named, wait for
 * another worker. `job-queue.test.ts` waits for the minute.
 */
export async function missHeartbeats({ boss, services: { db } }: Product, job?: string): Promise<void> {
  await sql`
    update pgboss.job set heartbeat_on = now() - interval '1 minute'
    where state = 'active' and id = coalesce(${job ?? null}::uuid, id)
  `.execute(db);
  await takeFromLostWorkers(boss, db);
}

/** Follows a signed address, which leads to this server or, with STORAGE=s3, to the bucket. */
const isOurs = ({ pathname }: URL): boolean => pathname.startsWith('/api/storage/');

/** Step 2 of an upload. */
export async function put(app: App, url: string, body: Uint8Array, contentType = 'text/plain'): Promise<number> {
  const address = new URL(url);
  const { pathname, search } = address;
  if (!isOurs(address)) {
    const sent = await fetch(url, { method: 'PUT', headers: { 'content-type': contentType }, body: Buffer.from(body) });
    return sent.status;
  }
  const answer = await app.inject({
    method: 'PUT',
    url: `${pathname}${search}`,
    headers: { 'content-type': contentType },
    payload: Buffer.from(body),
  });
  return answer.statusCode;
}

/** The response of a signed address. */
export async function download(app: App, url: string): Promise<{ status: number; text: string; headers: object }> {
  const address = new URL(url);
  const { pathname, search } = address;
  if (!isOurs(address)) {
    const got = await fetch(url);
    return { status: got.status, text: await got.text(), headers: Object.fromEntries(got.headers) };
  }
  const answer = await app.inject({ method: 'GET', url: `${pathname}${search}` });
  return { status: answer.statusCode, text: answer.body, headers: answer.headers };
}

const PATIENCE_MS = 120_000;

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 200;

/** Reads until the condition holds: at each event of a product, and after growing pauses for what has no event. */
export async function until<Value>(
  read: () => Promise<Value>,
  isSo: (value: Value) => boolean,
  patienceMs: number = PATIENCE_MS,
): Promise<Value> {
  const deadline = Date.now() + patienceMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, 1.5 * pause)) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > deadline) throw new Error(`it did not come to that: ${JSON.stringify(value)?.slice(0, 2000)}`);
    await nextEvent(pause);
  }
}

/** Resolves at the next event, or after so many milliseconds. */
const nextEvent = (mostMs: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      heard.off('event', end);
      resolve();
    };
    const timer = setTimeout(end, mostMs);
    heard.once('event', end);
  });

export async function settledFile(person: Person, { address }: Project, id: string): Promise<FileDetail> {
  const get = async (): Promise<FileDetail> => (await person.call('GET', `${address}/files/${id}`)).body;
  return await until(get, ({ status }) => status !== 'UPLOADED' && status !== 'CHECKING');
}

export async function settledModel(person: Person, { address }: Project, id: string): Promise<ModelDetail> {
  const get = async (): Promise<ModelDetail> => (await person.call('GET', `${address}/models/${id}`)).body;
  return await until(get, ({ status }) => Object.values(status).every((one) => one === 'EVALUATED' || one === 'ERROR'));
}

export interface MaizeFiles {
  genotype: FileDetail;
  phenotype: FileDetail;
}

/** The maize panel, uploaded and checked. */
export async function uploadMaize(product: Product, project: Project, person = project.owner): Promise<MaizeFiles> {
  const genotype = await product.uploadChecked(person, project, {
    name: 'genotypes.vcf.gz',
    fileType: 'GENOTYPE',
    bytes: await readFile(join(MAIZE, 'genotypes.vcf.gz')),
  });
  const phenotype = await product.uploadChecked(person, project, {
    name: 'phenotypes.csv',
    fileType: 'PHENOTYPE',
    bytes: await readFile(join(MAIZE, 'phenotypes.csv')),
  });
  return { genotype, phenotype };
}

/** A small panel that is quickly checked: 6 lines, 4 markers. */
export const SMALL_VCF = `##fileformat=VCFv4.2
##contig=<ID=1>
#CHROM	POS	ID	REF	ALT	QUAL	FILTER	INFO	FORMAT	L1	L2	L3	L4	L5	L6
1	100	m1	A	C	.	.	.	GT	0/0	0/1	1/1	0/0	1/1	0/1
1	200	m2	A	G	.	.	.	GT	0/0	0/0	1/1	1/1	0/1	0/1
1	300	m3	T	C	.	.	.	GT	1/1	0/1	0/0	./.	0/0	1/1
2	150	m4	G	T	.	.	.	GT	0/1	0/1	0/0	1/1	1/1	0/0
`;
export const SMALL_PHENOTYPE = 'line,Yield\nL1,5.1\nL2,6.2\nL3,7.3\nL4,6.0\nL5,5.5\nL7,9.9\n';
