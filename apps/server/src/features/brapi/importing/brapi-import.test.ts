import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  missHeartbeats,
  type Product,
  type Project,
  startProduct,
  startWorkerProcess,
} from '../../../testing/product.ts';
import { type BrapiData, fill } from '../testing.ts';
import { createBrapiClient, secondsAsked } from './brapi-client.ts';
import { matrixAsVcf } from './genotypes.ts';
import { lookAside } from './look-aside.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
type Json = any;

const LOOPBACK = { outgoingNetworks: ['127.0.0.1/32'] };
const TOKEN_MARK = 'nobody-may-read-this';

let source: Product;
let target: Product;
let data: BrapiData;
let project: Project;
let url: string;
const lines: string[] = [];

beforeAll(async () => {
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  [source, target] = await Promise.all([
    // Without an address of its own, files are offered at that by which it was asked.
    startProduct({ changes: { host: '127.0.0.1', port: 3000, publicUrl: 'http://127.0.0.1:3000' } }),
    startProduct({ changes: LOOPBACK, log }),
  ]);
  data = await fill(source);
  await source.stopWorker();
  url = await source.app.listen({ port: 0, host: '127.0.0.1' });
  project = await target.project(await target.person('importer'));
});
afterAll(async () => {
  await Promise.all([source?.close(), target?.close()]);
});

const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
  project.owner.call(method, `${project.address}/brapi_imports${path}`, body);

async function ended(id: string): Promise<Json> {
  for (;;) {
    const { body } = await call('GET', `/${id}`);
    if (body.finished_at !== null) return body;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function checked(id: string): Promise<Json> {
  for (;;) {
    const { body } = await project.owner.call('GET', `${project.address}/files/${id}`);
    if (!['UPLOADED', 'CHECKING'].includes(body.status)) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Everything that a caller of BrAPI sees of a file or a list, without ids. */
async function seen(product: Product, token: string, path: string): Promise<Json[]> {
  const answer = await product.app.inject({
    method: 'GET',
    url: `/brapi/v2/${path}`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.statusCode, path).toBe(200);
  return answer.json().result.data;
}

/** The same file or list, there and here. */
const both = async (path: (file: string) => string, there: string, here: string): Promise<[Json[], Json[]]> => [
  await seen(source, data.owner.token, path(there)),
  await seen(target, project.owner.token, path(here)),
];

test('what another Heterosis holds arrives to the last call', async () => {
  const access = { url, token: data.owner.token };
  const offer = await call('POST', '/look', access);
  expect(offer.status, offer.text).toBe(200);
  const [trial] = offer.body.trials;
  expect(offer.body).toMatchObject({ server_name: 'Heterosis', url: `${url}/brapi/v2`, has_germplasm: true });
  expect(offer.body.trials.map(({ studies }: Json) => studies)).toEqual([2, 1]);
  const setOf = (file: string) => offer.body.variant_sets.find(({ id }: Json) => id === file);
  expect(setOf(data.files.genotype)).toMatchObject({ individuals: 6, markers: 4 });
  expect(offer.body.maps.map(({ id }: Json) => id).sort()).toEqual([data.files.map, data.files.otherMap].sort());

  const started = await call('POST', '', {
    ...access,
    ...{ germplasm: true, trials: [trial.id], variant_sets: [data.files.genotype], maps: [data.files.map] },
  });
  expect(started.status, started.text).toBe(201);
  const done = await ended(started.body.id);
  expect(done.steps.map(({ kind, state, message }: Json) => [kind, state, message])).toEqual([
    ['germplasm', 'DONE', expect.stringContaining('lines')],
    ['map', 'DONE', null],
    ['genotypes', 'DONE', null],
    ['phenotypes', 'DONE', null],
  ]);
  expect(done.state).toBe('DONE');
  const files = await Promise.all(done.steps.flatMap(({ file_ids }: Json) => file_ids).map(checked));
  expect(files.map(({ file_type, status }) => [file_type, status.startsWith('READY')])).toEqual([
    ['LINKAGE_MAP', true],
    ['GENOTYPE', true],
    ['PHENOTYPE', true],
  ]);
  expect(files[0].description).toContain(`Imported from Heterosis (${url}/brapi/v2)`);
  const [map, genotype, phenotype] = files.map(({ id }) => id);

  const [calls, ownCalls] = await both((id) => `variantsets/${id}/calls`, data.files.genotype, genotype);
  const genotypeOf = ({ variantName, callSetName, genotypeValue }: Json) => [variantName, callSetName, genotypeValue];
  expect(ownCalls.map(genotypeOf)).toEqual(calls.map(genotypeOf));
  expect(calls).toHaveLength(24);
  const variantOf = ({ variantNames, referenceName, start, referenceBases, alternateBases }: Json) => [
    variantNames,
    referenceName,
    start,
    referenceBases,
    alternateBases,
  ];
  const [variants, ownVariants] = await both((id) => `variants?variantSetDbId=${id}`, data.files.genotype, genotype);
  expect(ownVariants.map(variantOf)).toEqual(variants.map(variantOf));

  const positionOf = ({ variantName, linkageGroupName, position }: Json) => [variantName, linkageGroupName, position];
  const [positions, ownPositions] = await both((id) => `markerpositions?mapDbId=${id}`, data.files.map, map);
  expect(ownPositions.map(positionOf)).toEqual(positions.map(positionOf));

  const recordOf = ({ germplasmName, observationVariableName, season, value, observationTimeStamp }: Json) => [
    germplasmName,
    observationVariableName,
    season?.year,
    value,
    observationTimeStamp,
  ];
  const recorded = async (product: Product, token: string, file: string) =>
    (await seen(product, token, 'observations')).filter(({ studyDbId }) => studyDbId.startsWith(file));
  const observed = await recorded(source, data.owner.token, data.files.trials);
  const own = await recorded(target, project.owner.token, phenotype);
  expect(own.map(recordOf).sort()).toEqual(observed.map(recordOf).sort());
  const rowsOf = async (product: Product, address: string, owner: typeof project.owner, file: string) =>
    (await owner.call('GET', `${address}/files/${file}/rows`)).body.data;
  expect(await rowsOf(target, project.address, project.owner, phenotype)).toEqual(
    await rowsOf(source, data.projects[0].address, data.owner, data.files.trials),
  );
  const unitOf = ({ observationUnitName, locationName, treatments, observationUnitPosition: position }: Json) => ({
    ...{ observationUnitName, locationName, treatments },
    // Ids are those of the server.
    position: JSON.parse(JSON.stringify(position, (key, value) => (key === 'observationUnitDbId' ? undefined : value))),
  });
  const unitsOf = (units: Json[], file: string) =>
    units.filter(({ observations, studyDbId }) => observations.length > 0 && studyDbId.startsWith(file)).map(unitOf);
  const [units, ownUnits] = await both(() => 'observationunits?includeObservations=true', '', '');
  expect(unitsOf(ownUnits, phenotype)).toEqual(unitsOf(units, data.files.trials));

  const lineOf = ({ germplasmName, collection, pedigree, breedingMethodDbId, synonyms, ...others }: Json) => ({
    ...{ germplasmName, collection, pedigree, breedingMethodDbId, synonyms },
    passport: [others.accessionNumber, others.genus, others.species, others.instituteCode, others.additionalInfo.notes],
  });
  const [first] = data.projects;
  const lists = await both(
    (id) => `germplasm?programDbId=${id}&sortBy=germplasmName`,
    first.organizationId,
    project.organizationId,
  );
  const names = lists[1].map(({ germplasmName }) => germplasmName);
  expect(names).toEqual(expect.arrayContaining(['L1', 'L2', 'L3']));
  expect(lists[1].map(lineOf)).toEqual(
    lists[0].filter(({ germplasmName }) => names.includes(germplasmName)).map(lineOf),
  );
  const parentsOf = ({ germplasmName, parents }: Json) => [
    germplasmName,
    parents.map((parent: Json) => [parent.germplasmName, parent.parentType]),
  ];
  const [tree, ownTree] = await both(
    (id) => `pedigree?programDbId=${id}`,
    first.organizationId,
    project.organizationId,
  );
  expect(ownTree.map(parentsOf).sort()).toEqual(
    tree
      .filter(({ germplasmName }) => names.includes(germplasmName))
      .map(parentsOf)
      .sort(),
  );
});

test('the matrix of a server without files gives the same genotypes', async () => {
  const client = createBrapiClient(url, { allowed: ['127.0.0.1/32'], token: data.owner.token });
  let text = '';
  for await (const line of matrixAsVcf(client, data.files.genotype, () => {})) text += line;
  const file = await target.uploadChecked(project.owner, project, {
    name: 'matrix.vcf',
    fileType: 'GENOTYPE',
    bytes: text,
  });
  const [calls, own] = await both((id) => `variantsets/${id}/calls`, data.files.genotype, file.id);
  expect(own.map(({ genotypeValue }) => genotypeValue)).toEqual(calls.map(({ genotypeValue }) => genotypeValue));
});

test('nothing of a token is left, in the database or in the log', async () => {
  const token = `${TOKEN_MARK}-${data.owner.token}`;
  expect((await call('POST', '/look', { url, token })).status).toBe(400);
  const { rows } = await target.services.db
    .selectFrom('brapi_imports')
    .select(['token', 'state'])
    .execute()
    .then((found) => ({ rows: found }));
  expect(rows).toEqual([{ token: null, state: 'DONE' }]);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('')).not.toContain(TOKEN_MARK);
  expect(lines.join('')).not.toContain(data.owner.token);
});

test('addresses inside are refused, and what is no BrAPI server is named', async () => {
  for (const [address, reason] of [
    ['http://169.254.169.254/latest', /private network/],
    ['http://[::1]:3000', /private network/],
    ['http://10.0.0.1', /private network/],
    ['ftp://example.org', /https:\/\//],
    ['file:///etc/passwd', /https:\/\//],
    ['gopher://127.0.0.1/x', /https:\/\//],
    ['http://127.0.0.1:1', /cannot be reached/],
    [`${url}/help`, /does not answer as a BrAPI server|answers 404/],
  ] as const) {
    const answer = await call('POST', '/look', { url: address });
    expect([answer.status, answer.body.code], address).toEqual([400, 'request/invalid']);
    expect(answer.text, address).toMatch(reason);
  }
});

test('an import that breaks off is taken up with what has not arrived', async () => {
  let isBroken = true;
  const asked: string[] = [];
  const [front, address] = await before(async (request) => {
    asked.push(request);
    if (!isBroken || !request.includes('/markerpositions')) return null;
    await sql`update runs set requested_at = now() - interval '1 hour' where finished_at is null`.execute(
      target.services.db,
    );
    return 404;
  });
  await project.owner.call('PUT', '/users/me/mails', { run_mail_minutes: 5 });
  const body = { url: address, token: data.owner.token, maps: [data.files.map], variant_sets: [data.files.genotype] };
  const started = await call('POST', '', body);
  const broken = await ended(started.body.id);
  expect(broken.state).toBe('FAILED');
  // Whoever began it hears of the end, if it took long.
  const { rows } = await sql<{ subject: string }>`
    select subject from run_mails join runs on runs.id = run_mails.run_id where entity_id = ${started.body.id}
  `.execute(target.services.db);
  expect(rows[0]?.subject).toMatch(/^The import from ".+" has finished, but 1 of 2 steps failed$/);
  expect(broken.steps.map(({ state, message }: Json) => [state, message])).toEqual([
    ['FAILED', expect.stringContaining('answers 404')],
    ['DONE', null],
  ]);
  isBroken = false;
  const resumed = await call('POST', `/${started.body.id}/resume`, { token: data.owner.token });
  expect(resumed.status).toBe(200);
  const exportsBefore = asked.filter((one) => one.includes('/export/')).length;
  const whole = await ended(started.body.id);
  expect([whole.state, whole.steps.map(({ file_ids }: Json) => file_ids.length)]).toEqual(['DONE', [1, 1]]);
  expect(asked.filter((one) => one.includes('/export/'))).toHaveLength(exportsBefore);
  expect((await call('POST', `/${started.body.id}/resume`, {})).status).toBe(409);
  expect((await call('DELETE', `/${started.body.id}`)).status).toBe(409);
  front.close();
});

test('an import that is stopped hangs up, even where the other server never answers', async () => {
  const asked = Promise.withResolvers<void>();
  const [front, address] = await before(async (request) => {
    if (!request.includes('/markerpositions')) return null;
    asked.resolve();
    return await new Promise(() => undefined);
  });
  const body = { url: address, token: data.owner.token, maps: [data.files.map] };
  const { id } = (await call('POST', '', body)).body;
  await asked.promise;
  const stopped = await call('DELETE', `/${id}`);
  expect([stopped.body.state, stopped.body.steps[0].state]).toEqual(['CANCELLED', 'WAITING']);
  const runs = target.services.db.selectFrom('runs').select(['state', 'attempt', 'step']).where('entity_id', '=', id);
  expect(await runs.execute()).toEqual([{ state: 'CANCELLED', attempt: 1, step: 'import' }]);
  // `close` ends only once the connection of the held request is gone.
  await new Promise((resolve) => front.close(resolve));
});

test('an import sends one request at a time, and none while the other server asks for patience', {
  tags: 'whole',
}, async () => {
  const PATIENCE_SECONDS = 2;
  const begun: number[] = [];
  const busy: number[] = [];
  let atOnce = 0;
  let most = 0;
  const [front, address] = await before(async (request) => {
    most = Math.max(most, ++atOnce);
    begun.push(performance.now());
    await new Promise((resolve) => setTimeout(resolve, 5));
    atOnce--;
    if (busy.length > 0 || !request.includes('/observationunits')) return null;
    busy.push(performance.now());
    return { status: 429, headers: { 'retry-after': String(PATIENCE_SECONDS) } };
  });
  const chosen = { trials: [data.projects[0].projectId, data.projects[1].projectId], maps: [data.files.otherMap] };
  const started = await call('POST', '', { url: address, token: data.owner.token, germplasm: true, ...chosen });
  const done = await ended(started.body.id);
  front.close();
  expect(done.state, JSON.stringify(done.steps)).toBe('DONE');

  expect(most).toBe(1);
  const [told = 0] = busy;
  const next = begun.find((time) => time > told) ?? 0;
  expect(next - told).toBeGreaterThan(PATIENCE_SECONDS * 1000 * 0.95);
});

test('imports of one server together send it 20 requests a second at most', async () => {
  const PAGES = 15;
  let count = 0;
  const server = createServer((_request, response) => {
    count++;
    response.end(JSON.stringify({ metadata: { pagination: { totalPages: PAGES } }, result: { data: [{}] } }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const begun = performance.now();
  const readAll = async () => {
    const client = createBrapiClient(address, { allowed: ['127.0.0.1/32'], token: null });
    for await (const _entry of client.entries('germplasm')) continue;
  };
  await Promise.all([readAll(), readAll()]);
  server.close();
  expect(count).toBe(2 * PAGES);
  // The margin is for the two clocks.
  expect(performance.now() - begun).toBeGreaterThan((count - 1) * 50 - 10);
});

test('the wait that a server asks for is read in seconds and as a date', () => {
  const now = Date.parse('2026-11-23T04:00:00Z');
  expect(secondsAsked('7', now)).toBe(7);
  expect(secondsAsked('Mon, 23 Nov 2026 04:02:00 GMT', now)).toBe(120);
  for (const none of [undefined, '', '0', '-3', 'soon', 'Mon, 23 Nov 2026 03:00:00 GMT'])
    expect(secondsAsked(none, now)).toBeUndefined();
});

test('an import whose worker is killed is finished by another, which fetches nothing again that has arrived', {
  tags: 'whole',
}, async () => {
  await target.stopWorker();
  const asked: string[] = [];
  let reached = () => {};
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let isHeld = true;
  const [front, address] = await before(async (request) => {
    asked.push(request);
    if (isHeld && request.includes('/observationunits')) {
      reached();
      await new Promise(() => {});
    }
    return null;
  });
  const chosen = { maps: [data.files.map], variant_sets: [data.files.genotype], trials: [data.projects[0].projectId] };
  const started = await call('POST', '', { url: address, token: data.owner.token, ...chosen });
  expect(started.status, started.text).toBe(201);
  const worker = startWorkerProcess(target, { OUTGOING_NETWORKS: '127.0.0.1/32' });
  await isReached;
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  const states = (row: Json) => row.steps.map(({ kind, state }: Json) => [kind, state]);
  expect(states((await call('GET', `/${started.body.id}`)).body)).toEqual([
    ['map', 'DONE'],
    ['genotypes', 'DONE'],
    ['phenotypes', 'RUNNING'],
  ]);

  isHeld = false;
  const soFar = asked.length;
  await missHeartbeats(target);
  await target.startWorker();
  const done = await ended(started.body.id);
  front.closeAllConnections();
  front.close();
  expect([done.state, done.steps.map(({ file_ids }: Json) => file_ids.length)]).toEqual(['DONE', [1, 1, 1]]);
  const again = asked.slice(soFar);
  expect(again.some((one) => one.includes('/observationunits'))).toBe(true);
  expect(again.filter((one) => /markerpositions|variantsets|export|allelematrix/.test(one))).toEqual([]);
});

/** A server before the source that can refuse requests. */
async function before(
  decide: (request: string) => Promise<number | { status: number; headers: Record<string, string> } | null>,
): Promise<[Server, string]> {
  const server = createServer(async (request, response) => {
    const decided = await decide(request.url ?? '');
    if (typeof decided === 'number') return void response.writeHead(decided).end();
    if (decided !== null) return void response.writeHead(decided.status, decided.headers).end();
    const answer = await fetch(`${url}${request.url}`, {
      headers: { authorization: request.headers.authorization ?? '', host: request.headers.host ?? '' },
    });
    const text = Buffer.from(await answer.arrayBuffer());
    const { port } = server.address() as AddressInfo;
    const isText = answer.headers.get('content-type')?.includes('json') === true;
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(isText ? text.toString().replaceAll(url, `http://127.0.0.1:${port}`) : text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
}

/** Answers that no honest server gives, by the first part of the address. */
const HOSTILE: Record<string, (path: string, response: ServerResponse) => void> = {
  'huge-pages': (path, response) => {
    response.setHeader('content-type', 'application/json');
    if (path.endsWith('/serverinfo')) return void response.end(OFFERS);
    response.write('{"metadata":{"pagination":{"totalPages":1000000}},"result":{"data":["');
    const piece = Buffer.alloc(1 << 20, 'x');
    let left = 45;
    const send = (): void => {
      while (left > 0) if (left-- > 0 && !response.write(piece)) return void response.once('drain', send);
      response.end('"]}}');
    };
    send();
  },
  'endless-pages': (path, response) => {
    const data = Array.from({ length: 1000 }, () => ({ trialDbId: null }));
    response.end(
      path.endsWith('/serverinfo')
        ? OFFERS
        : JSON.stringify({ metadata: { pagination: { totalPages: 1_000_000 } }, result: { data } }),
    );
  },
  'endless-body': (_path, response) => {
    const piece = Buffer.alloc(1 << 16, '[');
    const timer = setInterval(() => response.write(piece), 1);
    response.once('close', () => clearInterval(timer));
  },
  dripping: (_path, response) => {
    const timer = setInterval(() => response.write(' '), 50);
    response.once('close', () => clearInterval(timer));
  },
  silent: () => undefined,
  'busy-for-long': (_path, response) => void response.writeHead(429, { 'retry-after': '500' }).end(),
  'round-and-round': (path, response) => void response.writeHead(302, { location: `${path}?again` }).end(),
  'leads-inside': (_path, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  'deep-nesting': (_path, response) => void response.end('['.repeat(1_000_000)),
  'not-a-list': (path, response) =>
    void response.end(path.endsWith('/serverinfo') ? OFFERS : '{"result":{"data":{"length":1e9}}}'),
};
const OFFERS = JSON.stringify({ result: { calls: ['trials', 'studies'].map((service) => ({ service })) } });

test('a hostile server gets a coded answer within the time, and requests are served beside it', {
  tags: 'whole',
}, async () => {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    response.on('error', () => undefined);
    HOSTILE[path.split('/')[1] ?? '']?.(path, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const task = (kind: string) => ({ url: `${address}/${kind}`, token: null, allowed: LOOPBACK.outgoingNetworks });
  const lookAt = (kind: string) => {
    const withinMs = ['dripping', 'silent'].includes(kind) ? 2_000 : 15_000;
    return lookAside(`who looks at ${kind}`, task(kind), undefined, withinMs).catch(String);
  };

  const said = new Map<string, unknown>();
  // Two at a time, of four that a process allows.
  for (const kinds of chunksOf(Object.keys(HOSTILE), 2))
    for (const [kind, answer] of await Promise.all(kinds.map(async (kind) => [kind, await lookAt(kind)] as const)))
      said.set(kind, answer);
  expect(Object.fromEntries(said)).toEqual({
    'huge-pages': expect.stringContaining('is larger than 2 MB'),
    'endless-pages': expect.stringContaining('more than the 50 pages'),
    'endless-body': expect.stringContaining('is larger than 2 MB'),
    dripping: expect.stringContaining('within 2 seconds'),
    silent: expect.stringContaining('within 2 seconds'),
    'busy-for-long': expect.stringContaining('answers 429 and asks to wait 9 minutes'),
    'round-and-round': expect.stringContaining('answers 302'),
    'leads-inside': expect.stringContaining('private network'),
    'deep-nesting': expect.stringContaining('no JSON object'),
    'not-a-list': expect.stringContaining('no list "data"'),
  });

  // One look at a time for a person; a second one is told so at once, also where the first would soon be over.
  const first = lookAside('the same', task('silent'), undefined, 1_000).catch(String);
  await expect(lookAside('the same', task('silent'))).rejects.toMatchObject({ code: 'request/too-many' });
  const second = await call('POST', '/look', { url: `${address}/busy-for-long` });
  expect([second.status, second.body.code]).toEqual([400, 'request/invalid']);
  expect(await first).toContain('within 1 seconds');

  // Also what a worker reads has an end.
  const limits = { pageBytes: 1 << 20, pages: 4, listBytes: 1 << 20, attempts: 1, waitSeconds: 1 };
  const readAll = async (kind: string) => {
    const client = createBrapiClient(`${address}/${kind}`, { allowed: LOOPBACK.outgoingNetworks, token: null, limits });
    for await (const _entry of client.entries('trials')) continue;
  };
  await expect(readAll('endless-pages')).rejects.toThrow('more than the 4 pages');
  await expect(readAll('huge-pages')).rejects.toThrow('larger than 1 MB');
  server.closeAllConnections();
  server.close();
});

test('a list whose pages are too large is read in smaller ones', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const [page, size] = [Number(query.get('page')), Number(query.get('pageSize'))];
    asked.push(`${page}×${size}`);
    const entries = Array.from({ length: 600 }, (_, id) => ({ id, text: 'x'.repeat(1_000) }));
    const data = entries.slice(page * size, (page + 1) * size);
    response.end(JSON.stringify({ metadata: { pagination: { totalPages: Math.ceil(600 / size) } }, result: { data } }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = createBrapiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    ...{ allowed: LOOPBACK.outgoingNetworks, token: null },
    limits: { pageBytes: 300_000, pages: 50, listBytes: 10 << 20, attempts: 1, waitSeconds: 1 },
  });
  const ids: unknown[] = [];
  for await (const { id } of client.entries('germplasm')) ids.push(id);
  server.close();
  expect(ids).toEqual(Array.from({ length: 600 }, (_, id) => id));
  expect(asked).toEqual(['0×1000', '0×250', '1×250', '2×250']);
});

const chunksOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, k) => items.slice(k * size, (k + 1) * size));
