import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RUN_KINDS, type RunKind, runKinds } from '@heterosis/contracts/work/run-kinds';
import { EXAMPLE_FILES, EXAMPLE_PANEL, exampleRun, type RunInputs } from '@heterosis/test-support/run-examples';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OUTBOX_KEY } from '../src/platform/http/testing.ts';
import { pagesOf } from '../src/platform/pdf/testing.ts';
import {
  type Answer,
  MAIZE,
  type Person,
  type Product,
  type Project,
  settledModel,
  startProduct,
  until,
} from '../src/testing/product.ts';
import { uploadRunInputs } from '../src/testing/run-inputs.ts';

interface Operation {
  operationId: string;
  summary?: string;
  parameters?: { name?: string; in?: string; required?: boolean }[];
  responses: Record<string, { content?: Record<string, object> }>;
}

interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
}

const { trait: TRAIT } = EXAMPLE_PANEL;
const EXAMPLE_SCRIPT = join(import.meta.dirname, '../../../docs/example.py');

const ONE_PIXEL: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let product: Product;
let ann: Person;
let project: Project;
/** What runs are made from. */
let inputs: RunInputs;
let document: ApiDocument;
/** Most schemas are used a few times, and tidying their code takes longer than that. */
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } }));
const validators = new Map<string, ValidateFunction>();

beforeAll(async () => {
  const port = await freePort();
  product = await startProduct({ changes: { publicUrl: `http://127.0.0.1:${port}` } });
  await product.app.prepareApiDocument();
  await product.app.listen({ port, host: '127.0.0.1' });
  ann = await product.person('ann');
  project = await product.project(ann);
  await product.services.db.updateTable('users').set({ is_operator: true }).where('id', '=', ann.userId).execute();
  document = (await ann.call('GET', '/openapi.json')).body;
  ajv.addSchema(document, 'document');
  inputs = await uploadRunInputs(product, ann, project);
});
afterAll(() => product.close());

test('every operation has a name of its own and says what it does', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(operations.filter(({ summary }) => summary === undefined)).toEqual([]);
  expect(operations.filter(({ responses }) => !Object.keys(responses).some((status) => /^[23]/.test(status)))).toEqual(
    [],
  );
});

/** Paths that one address could match both, whatever is before the other in a list: decision 36 keeps these. */
const AMBIGUOUS = [
  '/api/organizations/{organization_id}/germplasms/{id}/merge',
  '/api/organizations/{organization_id}/germplasms/{id}/values',
  '/api/projects/{project_id}/germplasms/{id}/values',
];

test('no two paths of the document match one address, but ids and uploads of germplasm', () => {
  const paths = Object.keys(document.paths).map((path) => ({ path, parts: path.split('/') }));
  const isFree = (part: string | undefined): boolean => part?.startsWith('{') ?? false;
  const found = paths.flatMap(({ path, parts }) =>
    paths
      .filter(({ parts: others }) => {
        const isAlike = (part: string, at: number) => part === others[at] || isFree(part) || isFree(others[at]);
        const wider = parts.some((part, at) => isFree(part) && !isFree(others[at]));
        const narrower = parts.some((part, at) => !isFree(part) && isFree(others[at]));
        return others.length === parts.length && parts.every(isAlike) && wider && narrower;
      })
      .filter((other) => path < other.path)
      .map((other) => [path, other.path]),
  );
  expect(found.map(([, other]) => other).sort()).toEqual(AMBIGUOUS);
  for (const [path] of found) expect(path).toMatch(/\/germplasms\/uploads\/\{upload_id\}$/);
});

test('what the server answers is what the document says', async () => {
  const { projectId, organizationId, address } = project;
  const made = async (url: string, body: object): Promise<string> => (await checked('POST', url, body)).body.id;
  const panel = { genotype_id: inputs.genotype_id, phenotype_id: inputs.phenotype_id };
  const runs = {} as Record<RunKind, string>;
  for (const kind of runKinds) {
    const { path } = RUN_KINDS[kind];
    const more = kind === 'gwas' ? { clumps: {} } : {};
    runs[kind] = await made(`${address}/${path}`, { ...exampleRun(path, `A ${kind}`, inputs), ...more });
    if (kind !== 'model') continue;
    await settledModel(ann, project, runs.model);
    inputs = { ...inputs, model_id: runs.model };
  }
  const folder = await made(`${address}/folders`, { name: 'F' });
  const list = await made(`${address}/lists`, { name: 'L', kind: 'germplasm', members: ['L1'] });
  const about = { entity_kind: 'file', entity_id: inputs.genotype_id };
  const comment = await made(`${address}/comments`, { ...about, part: 'm1', text: 'Look here' });
  const field = {
    number: [1],
    row: [1],
    column: [1],
    replicate: [null],
    block: [null],
    entry: [null],
    kind: ['BORDER'],
  };
  const laidOut = await checked('POST', `${address}/trials`, {
    ...{ name: 'Field', season: '2026', entries: [], places: [{ location_name: 'North', layout: field }] },
  });
  await made('/api/access_tokens', { name: 'T', scopes: ['read'], expires_in_days: 1 });
  const webhooks = `/api/organizations/${organizationId}/webhooks`;
  const webhook = await made(webhooks, { name: 'W', url: 'http://127.0.0.1:1/', events: ['crossing_table.made'] });
  await checked('POST', `${webhooks}/${webhook}/test`);
  const link = { content_type: 'text/csv', size_bytes: 10, name: 'later.csv' };
  const upload = (await checked('POST', `${address}/files/upload_link`, link)).body.file_id;
  await checked('POST', `${address}/uploads/${upload}/parts`, { numbers: [1] });
  await checked('POST', `${address}/match`, panel);
  const estimated = await checked('POST', `${address}/estimate`, { ...panel, analysis: 'train', traits: [TRAIT] });
  expect(estimated.body).toMatchObject({ engine: 'individuals', reason: expect.stringContaining('fewer than 1,000') });
  expect(estimated.body.memory_mb).toBeGreaterThan(100);
  expect(estimated.body.pruning).toBeNull();
  for (const kind of runKinds) {
    await until(
      async () => (await ann.call('GET', `${address}/${RUN_KINDS[kind].path}/${runs[kind]}`)).body.status,
      (status) => !JSON.stringify(status).includes('PROCESSING'),
    );
    await shared(kind, runs[kind]);
  }
  await checked('POST', `${address}/programmes/${runs.programme}/plan`, { starts_on: '2027-03-01' });
  const means = await made(`${address}/trial_analyses/${runs.trial_analysis}/phenotype`, { name: 'Means.csv' });
  const decision = await made(`${address}/decisions`, {
    name: 'Meeting',
    source: { kind: 'trial_analysis', id: runs.trial_analysis },
  });
  const mark = { id: randomUUID(), line: 1, mark: 'ADVANCE', marked_at: '2026-06-01T08:00:00Z' };
  await checked('POST', `${address}/decisions/${decision}/marks`, { version: 1, marks: [mark] });
  const open = { entity_kind: 'decision', entity_id: decision };
  expect((await ann.call('POST', `${address}/share_links`, open)).body.code).toBe('decisions/no-minutes');
  await checked('POST', `${address}/decisions/${decision}/close`, { version: 1 });
  await shared('decision', decision);
  await shared('trial', laidOut.body.data[0].id);
  const line = await germplasmOf(address);
  const [top] = (await checked('GET', `${address}/gwas/${runs.gwas}/results?trait=${TRAIT}&limit=1`)).body.data;
  const around = { trait: TRAIT, chr: top.chr, start: Math.max(0, top.pos - 5e6), end: top.pos + 5e6 };
  const fineMap = (await checked('POST', `${address}/gwas/${runs.gwas}/fine_maps`, around)).body.id;

  const values: Record<string, string[]> = {
    organization_id: [organizationId],
    project_id: [projectId],
    folder_id: [folder],
    file_id: [...Object.keys(EXAMPLE_FILES).map((role) => inputs[role as keyof typeof EXAMPLE_FILES]), means],
    upload_id: [upload, line.upload, line.organizationUpload],
    place: ['0'],
    entity_kind: ['file'],
    entity_id: [inputs.genotype_id],
    genotype_id: [inputs.genotype_id],
    part: ['m1'],
    plot: ['1'],
    photo_id: [await plotPhotoOf(`${address}/trials/${laidOut.body.data[0].id}`)],
    fine_map_id: [fineMap],
    marker: [top.id],
    trait: [TRAIT],
    environment: ['North'],
    line: ['Uploaded line'],
    name: ['L1'],
    key: [OUTBOX_KEY],
    search: ['e'],
    format: ['numeric'],
  };
  const [checkout = '', subscription = '', invoice = ''] = await subscriptionOf(organizationId);
  /** What `{id}` is, by the segment before it. */
  const ids: Record<string, string> = {
    ...Object.fromEntries(runKinds.map((kind) => [RUN_KINDS[kind].path, runs[kind]])),
    ...{ germplasms: line.id, decisions: decision, webhooks: webhook, lists: list, trials: laidOut.body.data[0].id },
    ...{ invitations: await invitationTo(ann), photos: await photoOf(ann), logos: await logoOf(organizationId) },
    ...{ brapi_imports: await importInto(projectId), package_imports: await packageInto(projectId) },
    ...{ checkouts: checkout, subscriptions: subscription, invoices: invoice },
  };
  const answered = new Set<string>();
  // These need a listener that stays, a payment service, and a browser with the request of an app.
  const readable = Object.entries(document.paths).filter(
    ([path]) => !['/api/events', '/api/setupcredit', '/api/auth/connections/{uid}'].includes(path),
  );
  for (const [path, { get }] of readable)
    for (const url of get === undefined ? [] : addresses(path, get, { ...values, id: idsIn(path, ids) ?? [line.id] })) {
      const { status } = await checked('GET', url);
      if (status === 200) answered.add(path);
    }
  const missing = readable
    // Redirects have been checked, and answer nothing.
    .filter(([, { get }]) => get !== undefined && !('302' in get.responses))
    .filter(([path]) => !answered.has(path))
    .map(([path]) => path);
  expect(missing).toEqual([]);

  await checked('POST', `${address}/gwas/${runs.gwas}/cancel`);
  await checked('PUT', `${address}/models/${runs.model}`, { name: 'Again', nme: 'misspelt' });
  await checked('PUT', `${address}/models/${runs.model}`, { name: 'Again' });
  await checked('DELETE', `${address}/predictions/${runs.prediction}`);
  await checked('DELETE', `${address}/comments/${comment}`);
});

/** A result that is shared shows neither an id nor a person; its PDF does not either. */
async function shared(kind: string, id: string): Promise<void> {
  const { body: link } = await checked('POST', `${project.address}/share_links`, { entity_kind: kind, entity_id: id });
  const token = new URL(link.url).hash.slice(1);
  const { status, text, body } = await checked('POST', '/api/shared', { token });
  expect(status, text).toBe(200);
  expect(body.sentences.join(), kind).not.toMatch(/has not ended|no result/);
  if (kind !== 'decision') expect(body.methods.length, kind).toBeGreaterThan(20);
  const printed = await product.app.inject({ method: 'POST', url: '/api/shared/report', payload: { token } });
  const pdf = printed.rawPayload;
  expect(printed.headers['content-type']).toBe('application/pdf');
  for (const said of [text, pdf.toString('latin1'), pagesOf(pdf).join()])
    expect(said, kind).not.toMatch(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|ann@|\/projects\//i);
}

/** Ids of a checkout, its subscription and its invoice. */
async function subscriptionOf(organizationId: string): Promise<string[]> {
  const order = { price_id: 'standard-yearly', organization_id: organizationId };
  const checkout = (await checked('POST', '/api/checkout', order)).body.url.split('/').at(-1);
  await checked('POST', `/api/checkouts/${checkout}/confirm`, { quantity: 12 });
  const organization = `/api/organizations/${organizationId}`;
  const { subscription } = (await checked('GET', `${organization}/billing`)).body;
  await checked('PUT', `${organization}/subscriptions`, { ...order, quantity: 13 });
  const [invoice] = (await checked('GET', `${organization}/invoices`)).body.data;
  return [checkout, subscription.id, invoice.id];
}

/** An import from another server, which has ended. */
async function importInto(projectId: string): Promise<string> {
  const id = uuidv7();
  const row = { url: 'https://other.example.org/brapi/v2', server_name: 'Other', state: 'DONE', steps: '[]' };
  await product.services.db
    .insertInto('brapi_imports')
    .values({ id, project_id: projectId, ...row, finished_at: new Date() })
    .execute();
  return id;
}

/** An import of a data package, which waits. */
async function packageInto(projectId: string): Promise<string> {
  const id = uuidv7();
  await product.services.db
    .insertInto('package_imports')
    .values({ id, project_id: projectId, name: 'Season.zip', size_bytes: 1 })
    .execute();
  return id;
}

/** A line that was uploaded, and uploads of lines under review. */
async function germplasmOf(address: string): Promise<{ id: string; upload: string; organizationUpload: string }> {
  const send = async (url: string, name: string) => {
    const payload = [
      '--part',
      'content-disposition: form-data; name="file"; filename="lines.csv"',
      'content-type: text/csv',
      '',
      `name\n${name}`,
      '--part--',
      '',
    ].join('\r\n');
    const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'multipart/form-data; boundary=part' };
    const answer = await product.app.inject({ method: 'POST', url, headers, payload });
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json();
  };
  const { data } = await send(`${address}/germplasms`, 'Uploaded line');
  const upload = await send(`${address}/germplasms/uploads`, 'Another line');
  const { crop } = (await checked('GET', address)).body;
  const ofOrganization = `/api/organizations/${project.organizationId}/germplasms/uploads?crop_id=${crop.id}`;
  return { id: data[0].id, upload: upload.id, organizationUpload: (await send(ofOrganization, 'A third line')).id };
}

/** Id of a photo that the person has sent. */
async function photoOf({ token }: Person): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/png' };
  const sent = { method: 'PUT', url: '/api/users/me/photo', headers, payload: ONE_PIXEL } as const;
  return (await product.app.inject(sent)).json().photo_url.split('/').at(-1);
}

async function logoOf(organizationId: string): Promise<string> {
  const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'image/png' };
  const url = `/api/organizations/${organizationId}/logo`;
  const answer = await product.app.inject({ method: 'PUT', url, headers, payload: ONE_PIXEL });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().logo_url.split('/').at(-1);
}

/** Id of a photo of the first plot of a trial. */
async function plotPhotoOf(trial: string): Promise<string> {
  const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'image/png' };
  const url = `${trial}/photos?id=${uuidv7()}&plot=1`;
  const answer = await product.app.inject({ method: 'POST', url, headers, payload: ONE_PIXEL });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().id;
}

/** An invitation that the person can accept, to the organization of somebody else. */
async function invitationTo({ userId, email }: Person): Promise<string> {
  await product.services.db.updateTable('users').set({ email_verified: true }).where('id', '=', userId).execute();
  const host = await product.person('host');
  const { organizationId } = await product.project(host);
  return (await host.call('POST', `/organizations/${organizationId}/invitations`, { recipient: email })).body.id;
}

test('the example script does what it says', async (context) => {
  const run = promisify(execFile);
  try {
    await run('python3', ['--version']);
  } catch {
    return context.skip('there is no python3 on this machine');
  }
  const own = await product.project(ann);
  const token = await ann.call('POST', '/access_tokens', { name: 'Script', scopes: ['write'], expires_in_days: 1 });
  const directory = await mkdtemp(join(tmpdir(), 'heterosis-example-'));
  try {
    const files = [join(MAIZE, 'genotypes.vcf.gz'), join(MAIZE, 'phenotypes.csv')];
    const { stdout } = await run('python3', [EXAMPLE_SCRIPT, own.projectId, ...files, 'EarHT'], {
      cwd: directory,
      env: {
        ...process.env,
        PYTHONIOENCODING: 'utf-8',
        HETEROSIS_URL: product.services.config.publicUrl,
        HETEROSIS_TOKEN: token.body.token,
      },
    });
    expect(stdout).toContain('279 individuals are in both files');
    expect(stdout).toMatch(/predictive ability 0\.\d\d, h2 0\.\d\d/);
    const linesOf = async (name: string): Promise<number> =>
      (await readFile(join(directory, name), 'utf8')).trim().split('\n').length;
    expect(await linesOf('gebv.csv')).toBe(282);
    expect(await linesOf('gwas.csv')).toBeGreaterThan(2000);
  } finally {
    await rm(directory, { recursive: true });
  }
});

/** Calls an operation and compares the response, success or failure, with the OpenAPI document. */
async function checked(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object): Promise<Answer> {
  const answer = await ann.call(method, url, body);
  const path = pathOf(url.split('?', 1)[0]!);
  const { responses } = document.paths[path]![method.toLowerCase()]!;
  const type = String(answer.headers['content-type'] ?? '').split(';', 1)[0]!;
  const where = `${method} ${url} (${answer.status} ${type})`;
  if (answer.status >= 400) {
    expect(type, where).toBe('application/problem+json');
    expectValid(answer.body, '/components/schemas/Problem', where);
    return answer;
  }
  const content = responses[answer.status]?.content;
  expect(responses[answer.status], where).toBeDefined();
  expect(answer.text === '' ? [] : [type], where).toEqual(
    answer.text === '' ? Object.keys(content ?? {}) : expect.arrayContaining([type]),
  );
  if (answer.text === '') return answer;
  expect(Object.keys(content ?? {}), where).toContain(type);
  if (type === 'application/json')
    expectValid(
      answer.body,
      `/paths/${escaped(path)}/${method.toLowerCase()}/responses/${answer.status}/content/application~1json/schema`,
      where,
    );
  return answer;
}

function expectValid(body: unknown, pointer: string, where: string): void {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
  validators.set(pointer, validate);
  validate(body);
  expect(validate.errors ?? [], where).toEqual([]);
}

const escaped = (path: string): string => encodeURI(path.replaceAll('/', '~1'));

/** The documented path that matches an address; fixed segments take precedence over parameters. */
function pathOf(address: string): string {
  const parts = address.split('/');
  const fitting = Object.keys(document.paths).filter((path) => {
    const pattern = path.split('/');
    return pattern.length === parts.length && pattern.every((part, i) => part.startsWith('{') || part === parts[i]);
  });
  const [best] = fitting.toSorted((a, b) => a.split('{').length - b.split('{').length);
  if (best === undefined) throw new Error(`The document does not have ${address}`);
  return best;
}

/** The thing that a path is about, and nothing; undefined where it is about none. */
function idsIn(path: string, ids: Readonly<Record<string, string>>): string[] | undefined {
  const segment = /([^/]+)\/\{id\}/.exec(path)?.[1];
  return segment === undefined ? undefined : [ids[segment] ?? '', randomUUID()];
}

/** Every address that a path yields with these values, with the parameters that it needs. */
function addresses(path: string, { parameters = [] }: Operation, values: Record<string, string[]>): string[] {
  const needed = parameters.filter(({ in: place, required }) => place === 'query' && required === true);
  const query = needed.map(({ name = '' }) => `${name}=${values[name]?.[0] ?? ''}`).join('&');
  let all = [query === '' ? path : `${path}?${query}`];
  for (const [name, choices] of Object.entries(values))
    all = all.flatMap((url) => (url.includes(`{${name}}`) ? choices.map((one) => url.replace(`{${name}}`, one)) : url));
  return all;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('A server on a port has an address');
  return address.port;
}
