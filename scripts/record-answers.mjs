// Records what the product answers, to show that a change of its code changes no answer:
//
//     npx node scripts/record-answers.mjs prepare DIR          fills DIR with the demo and rows of every feature
//     npx node scripts/record-answers.mjs record DIR OUT.json  reads every GET of the API document, on a copy of DIR
//     npx node scripts/record-answers.mjs compare A.json B.json
//
// Prepare once, record with either version of the code, compare. Ids stay the same in copies; what sessions, signatures
// and the clock change is replaced by words.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runPaths } from '../packages/contracts/src/work/run-kinds.ts';

const [mode, first, second] = process.argv.slice(2);
const OUTBOX_KEY = 'the recording opens the outbox with this key';
const DEMO = 'demo@heterosis.example';
/** A listener that stays; a browser with the request of an app; a page of a payment service. */
const NOT_READ = ['/api/events', '/api/auth/connections/{uid}'];

/** Without the demo an installation makes nothing by itself, so that two versions answer from the same rows. */
async function withProduct(directory, { demo, ready }, work) {
  const port = await freePort();
  const server = spawn(process.execPath, ['apps/server/src/entrypoints/all-in-one.ts'], {
    env: {
      ...process.env,
      DATA_DIR: directory,
      PORT: String(port),
      // Addresses in answers must not depend on the port.
      PUBLIC_URL: 'http://127.0.0.1:3000',
      RATE_LIMIT: '0',
      LOG_FORMAT: 'json',
      LOG_LEVEL: 'warn',
      OUTBOX_KEY,
      DEMO: demo,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    await new Promise((resolve, reject) => {
      let text = '';
      server.stdout.on('data', (bytes) => {
        text += bytes;
        if (text.includes(ready)) resolve();
      });
      server.once('exit', () => reject(new Error(`the product ended: ${text}`)));
    });
    const call = caller(`http://127.0.0.1:${port}`, await signIn(port));
    await call('GET', '/api/organizations');
    await work(call);
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

async function signIn(port) {
  const call = caller(`http://127.0.0.1:${port}`);
  await call('POST', '/api/auth/link', { email: DEMO });
  const mails = await call('GET', `/api/dev/outbox?key=${encodeURIComponent(OUTBOX_KEY)}`);
  const code = /[?&#]code=([\w.~%-]+)/.exec(JSON.stringify(mails.body))[1];
  const { body } = await call('POST', '/api/auth/token', { grant_type: 'email_link', code });
  return body.access_token ?? body.token ?? body.id_token;
}

const caller =
  (server, token) =>
  async (method, path, body, type = 'application/json') => {
    const headers = {};
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (body !== undefined && !(body instanceof FormData)) headers['content-type'] = type;
    const sent =
      body === undefined || body instanceof FormData || typeof body === 'string' || body instanceof Uint8Array;
    const content = body === undefined ? {} : { body: sent ? body : JSON.stringify(body) };
    const answer = await fetch(server + path, { method, headers, redirect: 'manual', ...content });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const text = bytes.toString('utf8');
    const kind = answer.headers.get('content-type') ?? '';
    const isJson = kind.includes('json');
    return {
      status: answer.status,
      headers: Object.fromEntries(
        ['content-type', 'content-disposition', 'location', 'cache-control', 'etag']
          .map((name) => [name, answer.headers.get(name)])
          .filter(([, value]) => value !== null),
      ),
      text,
      bytes,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };

/** Rows of features that the demo does not have. */
async function prepare(call) {
  const say = async (method, path, body, type) => {
    const answer = await call(method, path, body, type);
    if (answer.status >= 400)
      process.stderr.write(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}\n`);
    return answer.body;
  };
  for (;;) {
    const { data } = await say('GET', '/api/projects');
    const states = [];
    for (const { id } of data)
      for (const kind of runPaths)
        for (const { status } of (await say('GET', `/api/projects/${id}/${kind}`)).data)
          states.push(JSON.stringify(status));
    if (states.length >= 6 && states.every((state) => /SUCCESS|EVALUATED|ERROR/.test(state) && !/ING"/.test(state)))
      break;
    await sleep(2000);
  }
  const [organization] = (await say('GET', '/api/organizations')).data;
  const own = `/api/organizations/${organization.id}`;
  await say('POST', `${own}/webhooks`, {
    name: 'Listener',
    url: 'https://listener.example.org/hook',
    events: ['run.ended'],
  });
  await say('POST', `${own}/invitations`, { recipient: 'guest@example.org' });
  await say('POST', '/api/access_tokens', { name: 'Script', scopes: ['read'], expires_in_days: 300 });
  for (const { id } of (await say('GET', '/api/projects')).data) {
    const project = `/api/projects/${id}`;
    await say('POST', `${project}/folders`, { name: 'Season 2026' });
    await say('POST', `${project}/invitations`, { recipient: 'colleague@example.org' });
    const form = new FormData();
    form.append('file', new Blob(['name,female,male\nNew line,B73,MO17\n'], { type: 'text/csv' }), 'lines.csv');
    await say('POST', `${project}/germplasms/uploads`, form);
  }
  const project =
    (await say('POST', `${own}/projects`, { name: 'Left' })) ??
    (await say('POST', '/api/projects', { name: 'Left', organization_id: organization.id }));
  if (project?.id !== undefined) await say('DELETE', `/api/projects/${project.id}`);
  const order = await say('POST', '/api/checkout', { price_id: 'standard-yearly', organization_id: organization.id });
  const checkout = order?.url?.split('/').at(-1);
  if (checkout !== undefined) await say('POST', `/api/checkouts/${checkout}/confirm`, { quantity: 12 });
  await sleep(3000);
}

async function record(directory, out) {
  const copy = mkdtempSync(join(tmpdir(), 'heterosis-record-'));
  // With their owner, in a folder that the user of PostgreSQL can enter; otherwise it begins with an empty database.
  execFileSync('cp', ['-a', `${directory}/.`, copy]);
  chmodSync(copy, 0o755);
  const answers = {};
  try {
    await withProduct(copy, { demo: 'off', ready: 'Heterosis is ready' }, async (call) => {
      const document = (await call('GET', '/api/openapi.json')).body;
      answers.openapi = document;
      answers.page = (await call('GET', '/api/docs')).text;
      const values = await idsOf(call, document);
      for (const [path, { get }] of Object.entries(document.paths)) {
        if (get === undefined || NOT_READ.includes(path)) continue;
        for (const url of addresses(path, get, values)) {
          const answer = await call('GET', url);
          const { status, headers, text, bytes, body } = answer;
          const type = headers['content-type'] ?? '';
          const content = body ?? (/text|csv/.test(type) ? text : bytes.toString('base64'));
          answers[`GET ${url}`] = { status, headers, content };
        }
      }
      // BrAPI is outside the document.
      for (const url of ['/brapi/v2/serverinfo', ...(await brapiAddresses(call))]) {
        const { status, headers, body, text } = await call('GET', url);
        answers[`GET ${url}`] = { status, headers, content: body ?? text };
      }
    });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  writeFileSync(out, `${normalized(JSON.stringify(answers, null, 1))}\n`);
  const all = Object.entries(answers).filter(([url]) => url.startsWith('GET '));
  const paths = Object.entries(answers.openapi.paths).filter(
    ([path, { get }]) => get !== undefined && !NOT_READ.includes(path),
  );
  const answered = (path) =>
    all.some(([url, { status }]) => status < 400 && matches(path, url.slice(4).split('?', 1)[0]));
  const missing = paths.map(([path]) => path).filter((path) => !answered(path));
  process.stdout.write(
    `${all.length} answers; no success of ${missing.length} of ${paths.length} paths:\n${missing.join('\n')}\n`,
  );
}

const matches = (path, url) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url);

/** What each parameter of a path may be, by the address before it. */
async function idsOf(call, document) {
  const found = new Map();
  const add = (path, ids) => found.set(path, [...(found.get(path) ?? []), ...ids]);
  const paths = Object.keys(document.paths).toSorted((a, b) => a.split('/').length - b.split('/').length);
  const expand = (path) => fill(path, found);
  for (const path of paths) {
    const { get } = document.paths[path];
    if (get === undefined || NOT_READ.includes(path)) continue;
    for (const url of expand(path)) {
      if ((get.parameters ?? []).some(({ in: place, required }) => place === 'query' && required)) continue;
      if (/bundle|export|download|template|\.csv/.test(path)) continue;
      const { body, status } = await call(
        'GET',
        `${url}${get.parameters?.some(({ name }) => name === 'limit') ? '?limit=100' : ''}`,
      );
      if (status !== 200 || !Array.isArray(body?.data)) continue;
      add(
        url,
        body.data
          .map((one) => one.id ?? one.key ?? one.user_id ?? one.name)
          .filter(Boolean)
          .slice(0, 4),
      );
    }
  }
  return found;
}

/** Every address of a path with ids that lists gave. */
function fill(path, found) {
  let all = [''];
  for (const part of path.split('/').slice(1))
    all = all.flatMap((before) =>
      part.startsWith('{')
        ? (found.get(before) ?? found.get(before.replace(/\/uploads$/, '')) ?? []).map(
            (id) => `${before}/${encodeURIComponent(id)}`,
          )
        : [`${before}/${part}`],
    );
  return all;
}

const QUERIES = {
  trait: ['EarHT', 'Yield'],
  search: ['e'],
  format: ['VCF', 'vcf', 'hapmap', 'plink', 'numeric', 'csv'],
  key: [OUTBOX_KEY],
  chr: ['1'],
  start: ['1'],
  end: ['50000000'],
  place: ['0'],
};

function addresses(path, { parameters = [] }, found) {
  let queries = [''];
  for (const { name, in: place, required } of parameters)
    if (place === 'query' && required)
      queries = queries.flatMap((query) =>
        (QUERIES[name] ?? ['1']).map((value) => `${query}&${name}=${encodeURIComponent(value)}`),
      );
  return fill(path, found).flatMap((url) => queries.map((query) => (query === '' ? url : `${url}?${query.slice(1)}`)));
}

async function brapiAddresses(call) {
  const { body } = await call('GET', '/brapi/v2/serverinfo');
  return body.result.calls
    .filter(({ methods, service }) => methods.includes('GET') && !service.includes('{'))
    .map(({ service }) => `/brapi/v2/${service}?pageSize=20`);
}

const STARTED = Date.now();

function normalized(text) {
  return text
    .replaceAll(/([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id, high, low) =>
      // The milliseconds of a UUIDv7: ids of sessions and requests are new in every recording.
      Number.parseInt(high + low, 16) >= STARTED ? 'NEW-ID' : id,
    )
    .replaceAll(/signature=[\w-]+/g, 'signature=…')
    .replaceAll(/expires=\d+/g, 'expires=…')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g, 'TIME');
}

function compare(a, b) {
  const [before, after] = [a, b].map((path) => JSON.parse(readFileSync(path, 'utf8')));
  let differing = 0;
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (JSON.stringify(before[name]) === JSON.stringify(after[name])) continue;
    differing++;
    process.stdout.write(`differs: ${name}\n`);
    for (const line of differences(before[name], after[name], '').slice(0, 12)) process.stdout.write(`   ${line}\n`);
  }
  process.stdout.write(`${Object.keys(before).length} compared, ${differing} differ\n`);
  return differing === 0 ? 0 : 1;
}

function differences(a, b, place) {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  const isPlain = (one) => typeof one === 'object' && one !== null;
  if (!isPlain(a) || !isPlain(b))
    return [`${place}: ${JSON.stringify(a)?.slice(0, 150)} → ${JSON.stringify(b)?.slice(0, 150)}`];
  const inside = [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
    differences(a[key], b[key], `${place}.${key}`),
  );
  return inside.length === 0 ? [`${place}: another order of ${Object.keys(a)} → ${Object.keys(b)}`] : inside;
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

if (mode === 'prepare') await withProduct(first, { demo: 'on', ready: 'The demo organization' }, prepare);
else if (mode === 'record') await record(first, second);
else if (mode === 'compare') process.exitCode = compare(first, second);
else throw new Error('Say prepare DIR, record DIR OUT.json or compare A.json B.json');
