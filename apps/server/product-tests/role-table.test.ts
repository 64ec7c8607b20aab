import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ORGANIZATION_RIGHTS, PROJECT_RIGHTS } from '@heterosis/contracts/people/rights';
import { CALLERS, type Caller } from '@heterosis/contracts/people/role-table';
import { decisionSettings } from '@heterosis/contracts/work/decisions';
import { RUN_KINDS, type RunKind, runKinds } from '@heterosis/contracts/work/run-kinds';
import { EXAMPLE_FILES, EXAMPLE_PANEL, exampleRun } from '@heterosis/test-support/run-examples';
import { isWhole } from '@heterosis/test-support/whole';
import { sql } from 'kysely';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertPendingRegistration, updateOperator } from '../src/features/people/accounts/index.ts';
import { insertDecision } from '../src/features/work/decisions/decisions.queries.ts';
import { recordAuditEvent } from '../src/platform/audit/audit-events.ts';
import { EVENT_CHANNEL } from '../src/platform/events/events.ts';
import { type Person, type Product, type Project, put, settledModel, startProduct } from '../src/testing/product.ts';
import { uploadRunInputs } from '../src/testing/run-inputs.ts';
import { type Place, PROJECT, type RoleRow, type Verdict } from './role-rows.test-data.ts';
import { NOT_TOLD, ROLE_TABLE, trialOfPlace } from './role-table.test-data.ts';

const PHENOTYPE = EXAMPLE_FILES.phenotype_id.bytes;
const RUN_INPUTS = [...Object.keys(EXAMPLE_FILES), 'model_id'] as (keyof typeof EXAMPLE_FILES | 'model_id')[];

let product: Product;
/** Created once; calls that change or delete get rows of their own. */
let shared: { project: Project; place: Place };

/** Hears what is told to open pages. */
let listener: pg.Client;
let isTold = false;
/** Whether calls that were allowed and changed something have told it, each by its row. */
const told = new Map<string, boolean>();

beforeAll(async () => {
  product = await startProduct({ changes: { demo: true } });
  listener = new pg.Client({ connectionString: product.databaseUrl });
  await listener.connect();
  await listener.query(`listen ${EVENT_CHANNEL}`);
  listener.on('notification', () => {
    isTold = true;
  });
  await product.app.prepareApiDocument();
  const owner = await person('owner');
  await product.person('mailed-0');
  await product.person('mailed-1');
  const project = await populated(owner);
  await updateOperator(product.services.db, (await person('operator')).email, true);
  // Invitations take seats, and there are many below.
  await product.services.db.updateTable('organizations').set({ seat_total: 1000 }).execute();
  const place = { ...(await placeOf(owner, project)), ...(await uploadRunInputs(product, owner, project)) };
  shared = { project, place };
  place.model_id = await make('model', owner);
  expect((await settledModel(owner, project, place.model_id)).status).toEqual({ [place.trait]: 'EVALUATED' });
  // From here on jobs stay queued, so every run is in progress.
  await product.stopWorker();
  // The model that is trained is copied by nobody.
  firstRuns.clear();
  place.folder_id = await make('folder', owner);
  const { organizationId, projectId } = project;
  await recordAuditEvent(product.services.db, { action: 'demo.created', organizationId, projectId });
});
afterAll(async () => {
  await listener.end();
  await product.close();
});

const sessions = new Map<Caller, Promise<Person>>();

/** Signed in once, and again after a call that ended the session. */
async function person(caller: Caller): Promise<Person> {
  const known = sessions.get(caller) ?? (caller === 'demo-guest' ? product.guest() : product.person(caller));
  sessions.set(caller, known);
  return await known;
}

/** An organization with a crop and a project, in which every kind of caller has his or her role. */
async function populated(owner: Person): Promise<Project> {
  const project = await product.project(owner);
  for (const [caller, role] of [
    ['guest', 'MEMBER'],
    ['project-manager', 'MANAGER'],
    ['project-owner', 'OWNER'],
    ['member', 'MEMBER'],
  ] as const)
    await product.join(project, await person(caller), role);
  for (const [caller, role] of [
    ['member', 'MEMBER'],
    ['unjoined', 'MEMBER'],
    ['manager', 'MANAGER'],
  ] as const)
    await product.services.db
      .insertInto('organization_members')
      .values({
        id: uuidv7(),
        organization_id: project.organizationId,
        user_id: (await person(caller)).userId,
        role,
      })
      .execute();
  return project;
}

async function placeOf(owner: Person, { organizationId, projectId }: Project): Promise<Place> {
  const crops = await owner.call('GET', `/organizations/${organizationId}/crops`);
  const nothing = uuidv7();
  return {
    organization_id: organizationId,
    project_id: projectId,
    crop_id: crops.body.data[0].id,
    folder_id: nothing,
    ...EXAMPLE_PANEL,
    ...(Object.fromEntries(RUN_INPUTS.map((role) => [role, nothing])) as Record<(typeof RUN_INPUTS)[number], string>),
    upload_id: nothing,
    name: '',
  };
}

let made = 0;
type Thing =
  | 'file'
  | 'folder'
  | 'comment'
  | 'share link'
  | 'list'
  | 'table view'
  | 'trial'
  | 'decision'
  | RunKind
  | 'deleted file'
  | 'deleted project'
  | 'registration'
  | 'organization'
  | 'crop'
  | 'member'
  | 'project member'
  | 'invitation'
  | 'project invitation'
  | 'subscription'
  | 'invoice'
  | 'checkout'
  | 'upload'
  | 'germplasm'
  | 'germplasm change'
  | 'germplasm upload'
  | 'project germplasm upload'
  | 'BrAPI import'
  | 'package import'
  | 'webhook'
  | 'access token';

/** The first run of each kind that was begun; further ones are copies of its rows, because hundreds are needed. */
const firstRuns = new Map<RunKind, string>();

async function copyOf(kind: RunKind, begun: string, own: { name: string; created_by: string }): Promise<string> {
  const { path, perTrait } = RUN_KINDS[kind];
  const id = uuidv7();
  const copy = (table: string, of: string, changes: object) =>
    sql`
      insert into ${sql.table(table)}
      select copied.* from ${sql.table(table)} as one,
        jsonb_populate_record(null::${sql.table(table)}, to_jsonb(one) || ${JSON.stringify(changes)}::jsonb) as copied
      where one.${sql.ref(of)} = ${begun}
    `.execute(product.services.db);
  await copy(path, 'id', { id, ...own });
  if (perTrait) await copy(`${kind}_traits`, `${kind}_id`, { [`${kind}_id`]: id });
  await copy('runs', 'entity_id', { id: uuidv7(), entity_id: id, requested_by: own.created_by });
  return id;
}

/** Creates a row as `creator` and returns its id. */
async function make(thing: Thing, creator: Person): Promise<string> {
  const { project, place } = shared;
  const name = `${thing} ${++made}`;
  const post = async (address: string, body: object): Promise<string> => {
    const answer = await creator.call('POST', address, body);
    if (answer.status !== 201) throw new Error(`${creator.email} could not make a ${thing}: ${answer.text}`);
    return answer.body.id;
  };
  if (thing in RUN_KINDS) {
    const kind = thing as RunKind;
    const begun = firstRuns.get(kind);
    if (begun !== undefined) return copyOf(kind, begun, { name, created_by: creator.userId });
    const { path } = RUN_KINDS[kind];
    const id = await post(`${project.address}/${path}`, exampleRun(path, name, place));
    // As if a worker had taken it up: every change of the queue is told to all that wait in it.
    await sql`update runs set state = 'RUNNING', started_at = now() where state = 'QUEUED'`.execute(
      product.services.db,
    );
    firstRuns.set(kind, id);
    return id;
  }
  switch (thing as Exclude<Thing, RunKind>) {
    case 'file': {
      // A checked phenotype file: the result of the check is copied from another.
      const { id } = await product.upload(creator, project, { name, fileType: 'PHENOTYPE', bytes: PHENOTYPE });
      await product.services.db.updateTable('files').set({ status: 'READY' }).where('id', '=', id).execute();
      return id;
    }
    case 'deleted file': {
      const id = await make('file', creator);
      await product.services.db
        .updateTable('files')
        .set({ deleted_at: new Date().toISOString() })
        .where('id', '=', id)
        .execute();
      return id;
    }
    case 'deleted project': {
      const id = uuidv7();
      await product.services.db
        .insertInto('projects')
        .values({ id, organization_id: place.organization_id, name, deleted_at: new Date().toISOString() })
        .execute();
      return id;
    }
    case 'BrAPI import': {
      const id = uuidv7();
      const { userId } = creator;
      const source = { url: 'https://example.org/brapi/v2', server_name: name, state: 'WAITING', steps: '[]' } as const;
      await product.services.db
        .insertInto('brapi_imports')
        .values({ id, project_id: project.projectId, created_by: userId, ...source })
        .execute();
      return id;
    }
    case 'package import': {
      const id = uuidv7();
      await product.services.db
        .insertInto('package_imports')
        .values({ id, project_id: project.projectId, name, size_bytes: 1, created_by: creator.userId })
        .execute();
      return id;
    }
    case 'webhook': {
      const id = uuidv7();
      const webhook = { name, url: 'https://example.org/hook', events: ['run.ended'], secret: 'sealed' };
      await product.services.db
        .insertInto('webhooks')
        .values({ id, organization_id: place.organization_id, ...webhook })
        .execute();
      return id;
    }
    case 'registration':
      return (await insertPendingRegistration(product.services.db, `somebody-${made}@example.org`)) ?? '';
    case 'organization':
      return place.organization_id;
    case 'share link':
      return post(`${project.address}/share_links`, {
        ...{ entity_kind: 'prediction', entity_id: await make('prediction', creator) },
      });
    case 'comment':
      return post(`${project.address}/comments`, { entity_kind: 'file', entity_id: place.genotype_id, text: name });
    case 'list':
      return post(`${project.address}/lists`, { name, kind: 'germplasm', members: ['B73'] });
    case 'table view': {
      const content = { columns: [{ id: 'name', name: 'Name' }] };
      return post(`${project.address}/table_views`, { table: 'models', name, content, is_shared: true });
    }
    case 'trial':
      return creator
        .call('POST', `${project.address}/trials`, trialOfPlace({ ...place, name }))
        .then(({ body }) => body.data[0].id);
    case 'decision':
      return insertDecision(
        product.services.db,
        {
          ...{ projectId: place.project_id, createdBy: creator.userId, name, description: null, columns: [] },
          ...{ source: { kind: 'list', id: place.project_id, name }, settings: decisionSettings.parse({}) },
          computed: { index: [1], beatsCheck: [1], beatsEvery: [1], beatsEveryError: 0, amongBest: [1], notes: [] },
          relationships: null,
          error_covariances: null,
        },
        [{ name: 'B73', germplasm_id: null, family: null, values: [], ses: [], reliabilities: [] }],
      );
    case 'folder':
      return post(`${project.address}/folders`, { name });
    case 'member': {
      const { userId } = await product.person(`somebody-${made}`);
      const id = uuidv7();
      const { organization_id } = place;
      const member = { id, organization_id, user_id: userId, role: 'MEMBER' as const };
      await product.services.db.insertInto('organization_members').values(member).execute();
      return id;
    }
    case 'project member': {
      const { userId } = await product.person(`somebody-${made}`);
      const id = uuidv7();
      const { project_id } = place;
      const member = { id, project_id, user_id: userId, role: 'MEMBER' as const };
      await product.services.db.insertInto('project_members').values(member).execute();
      return id;
    }
    case 'invitation':
      return post(`/organizations/${place.organization_id}/invitations`, { recipient: `guest-${made}@example.org` });
    case 'project invitation':
      return post(`${project.address}/invitations`, { recipient: `guest-${made}@example.org` });
    case 'subscription':
      return (await subscribed()).id;
    case 'invoice': {
      await subscribed();
      const list = await creator.call('GET', `/organizations/${place.organization_id}/invoices`);
      return list.body.data[0].id;
    }
    case 'checkout': {
      const { body } = await creator.call('POST', '/checkout', { price_id: 'standard-yearly' });
      return body.url.split('/').at(-1);
    }
    case 'crop':
      return post(`/organizations/${place.organization_id}/crops`, { name });
    case 'germplasm': {
      const id = uuidv7();
      const line = { id, name: `Line ${made}`, folded_name: `line${made}` };
      const { organization_id, crop_id, project_id } = place;
      await product.services.db
        .insertInto('germplasm')
        .values({ ...line, organization_id, crop_id })
        .execute();
      await product.services.db.insertInto('project_germplasm').values({ project_id, germplasm_id: id }).execute();
      return id;
    }
    case 'germplasm change': {
      const line = await make('germplasm', creator);
      const { body } = await creator.call('DELETE', `/organizations/${place.organization_id}/germplasms/${line}`);
      return body.change_id;
    }
    case 'germplasm upload':
    case 'project germplasm upload': {
      const id = uuidv7();
      const { organization_id, crop_id, project_id } = place;
      await product.services.db
        .insertInto('germplasm_uploads')
        .values({
          id,
          organization_id,
          crop_id,
          project_id: thing === 'germplasm upload' ? null : project_id,
          file_name: 'lines.csv',
          status: 'REVIEW',
          created_by: creator.userId,
        })
        .execute();
      return id;
    }
    case 'upload': {
      const upload = { file_type: 'PHENOTYPE', size_bytes: 10 };
      const { body } = await creator.call('POST', `${project.address}/files/upload_link`, upload);
      return body.file_id;
    }
    case 'access token':
      return (await creator.call('POST', '/access_tokens', { name, scopes: ['read'], expires_in_days: 1 })).body.id;
  }
}

/** The shared organization has a subscription as large as its seats. */
async function subscribed(): Promise<{ id: string }> {
  const owner = await person('owner');
  const { organization_id } = shared.place;
  const billing = async () => (await owner.call('GET', `/organizations/${organization_id}/billing`)).body;
  const { subscription } = await billing();
  if (subscription !== null) return subscription;
  const { body } = await owner.call('POST', '/checkout', { price_id: 'standard-yearly', organization_id });
  await owner.call('POST', `/checkouts/${body.url.split('/').at(-1)}/confirm`, { quantity: 1000 });
  return (await billing()).subscription;
}

/** A row to read; for files, a checked one with content. */
async function find(row: RoleRow, thing: Thing): Promise<string> {
  if (/\/files\/:file_id\/(?:export|linkage_map_template|markers\/:marker)$/.test(row.url))
    return shared.place.genotype_id;
  if (thing === 'file') return shared.place.phenotype_id;
  return make(thing, await person('owner'));
}

/** Seen by the one who made it, and by nobody else. */
const PERSONAL = ['access token', 'upload', 'checkout', 'germplasm upload', 'project germplasm upload'] as const;
type Personal = (typeof PERSONAL)[number];
const isPersonalThing = (thing: Thing | undefined): thing is Personal => PERSONAL.some((one) => one === thing);

/** Documents are made for a second; outside `npm run test:all` they are made for the owner alone. */
const isPrinted = ({ url }: RoleRow): boolean => /\/(?:report|package)$/.test(url);

const isSignedIn = (caller: Caller): boolean => caller !== 'signed-out' && caller !== 'demo-guest';
const OUTSIDE: readonly Caller[] = ['signed-out', 'outsider', 'unjoined', 'operator', 'demo-guest'];
const mayHave = (thing: Personal, caller: Caller): boolean =>
  thing === 'upload' ? !OUTSIDE.includes(caller) : !['signed-out', 'demo-guest'].includes(caller);

/** Bytes in the storage, uploaded by an allowed caller. */
async function sendBytes(caller: Caller): Promise<string> {
  if (OUTSIDE.includes(caller)) return uuidv7();
  const sender = await person(caller);
  const size = Buffer.byteLength(PHENOTYPE);
  const upload = { file_type: 'PHENOTYPE', content_type: 'text/plain', size_bytes: size };
  const { body } = await sender.call('POST', `${shared.project.address}/files/upload_link`, upload);
  expect(await put(product.app, body.put_url, Buffer.from(PHENOTYPE))).toBeLessThan(300);
  return body.file_id;
}

const THINGS: [RegExp, Thing][] = [
  ...runKinds.map((kind): [RegExp, Thing] => [new RegExp(`/${RUN_KINDS[kind].path}/:id`), kind]),
  [/\/files\/:file_id/, 'file'],
  [/\/folders\/:folder_id/, 'folder'],
  [/\/comments\/:id/, 'comment'],
  [/\/share_links\/:id/, 'share link'],
  [/\/lists\/:id/, 'list'],
  [/\/table_views\/:id/, 'table view'],
  [/\/trials\/:id/, 'trial'],
  [/\/decisions\/:id/, 'decision'],
  [/\/organizations\/.*\/germplasms\/uploads\/:upload_id/, 'germplasm upload'],
  [/\/projects\/.*\/germplasms\/uploads\/:upload_id/, 'project germplasm upload'],
  [/\/germplasms\/changes\/:id/, 'germplasm change'],
  [/\/germplasms\/:id/, 'germplasm'],
  [/\/uploads\/:upload_id/, 'upload'],
  [/\/bin\/:id/, 'deleted file'],
  [/\/deleted_projects\/:id/, 'deleted project'],
  [/\/registrations\/:id/, 'registration'],
  [/\/operator\/organizations\/:id/, 'organization'],
  [/\/crops\/:id/, 'crop'],
  [/\/subscriptions\/:id/, 'subscription'],
  [/\/invoices\/:id/, 'invoice'],
  [/\/checkouts\/:id/, 'checkout'],
  [/\/organizations\/:organization_id\/members\/:id/, 'member'],
  [/\/projects\/:project_id\/members\/:id/, 'project member'],
  [/\/organizations\/:organization_id\/invitations\/:id/, 'invitation'],
  [/\/(?:projects\/:project_id\/)?invitations\/:id/, 'project invitation'],
  [/\/brapi_imports\/:id/, 'BrAPI import'],
  [/\/package_imports\/:id/, 'package import'],
  [/\/webhooks\/:id/, 'webhook'],
  [/\/access_tokens\/:id/, 'access token'],
];
const thingOf = ({ url }: RoleRow): Thing | undefined => THINGS.find(([pattern]) => pattern.test(url))?.[1];

/**
 * One definition makes the routes that all kinds of run have, and one the searches of BrAPI. Outside `npm run test:all`
 * those of a kind with a state per trait, of a kind without, and of one entity stand for all; routes that a kind has of
 * its own are tried.
 */
const KINDS_TRIED: readonly Thing[] = ['model', 'crossing_plan'];
const ANY_KIND = new RegExp(`/(?:${runKinds.map((kind) => RUN_KINDS[kind].path).join('|')})/:id`);
const shapeOf = ({ method, url }: RoleRow): string => `${method} ${url.replace(ANY_KIND, '/:kind/:id')}`;
const isOf = (kinds: readonly Thing[], thing: Thing | undefined): boolean => kinds.some((kind) => kind === thing);
const shapesTried = new Set(ROLE_TABLE.filter((row) => isOf(KINDS_TRIED, thingOf(row))).map(shapeOf));
const isTried = (row: RoleRow): boolean => {
  if (isWhole) return true;
  if (row.url.includes('/search/')) return row.url.includes('/search/germplasm');
  const thing = thingOf(row);
  return !isOf(runKinds, thing) || isOf(KINDS_TRIED, thing) || !shapesTried.has(shapeOf(row));
};

/** Calls that change whole organizations and projects get their own place. */
const needsOwnPlace = ({ method, url }: RoleRow): boolean =>
  method !== 'GET' && /\/(?:organizations\/:organization_id|projects\/:project_id)$/.test(url);

async function preparePlace(row: RoleRow): Promise<Place> {
  if (row.method !== 'GET' && row.url.includes('/subscriptions')) await subscribed();
  if (!needsOwnPlace(row)) return shared.place;
  const owner = await person('owner');
  return placeOf(owner, await populated(owner));
}

function addressOf(row: RoleRow, place: Place, id: string | undefined): string {
  const path = row.url
    .replace(':organization_id', place.organization_id)
    .replace(':project_id', place.project_id)
    .replace(/:(?:id|file_id|folder_id|upload_id|\w+DbId)\b/, id ?? randomUUID())
    .replace(':format', 'vcf')
    .replace(':marker', 'm1')
    .replace(':place', '0')
    .replace(':plot', '1')
    .replace(':step', '1.0')
    .replace(':link_id', '00000000-0000-4000-8000-000000000000')
    .replace('*', 'files/nothing');
  const query = typeof row.query === 'string' ? row.query : row.query(place);
  return query === '' ? path : `${path}?${query}`;
}

interface Answer {
  status: number;
  text: string;
}

async function requestAs(caller: Caller, row: RoleRow, url: string, place: Place) {
  const upload_id =
    row.method === 'POST' && /\/(?:files|package_imports)$/.test(row.url) ? await sendBytes(caller) : '';
  const body = row.body?.({ ...place, upload_id, name: `New ${++made}` });
  const token = caller === 'signed-out' ? undefined : (await person(caller)).token;
  return {
    method: row.method as 'GET',
    url,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body }),
  };
}

async function callAs(caller: Caller, row: RoleRow, address: string, place: Place): Promise<Answer> {
  const request = await requestAs(caller, row, address, place);
  const answer = await product.app.inject({ ...request, payloadAsStream: row.url === '/api/events' });
  if (row.url === '/api/auth/session') sessions.delete(caller);
  if (row.url !== '/api/events') return { status: answer.statusCode, text: answer.body };
  answer.stream().destroy();
  return { status: answer.statusCode, text: '' };
}

function expectVerdict(row: RoleRow, verdict: Verdict, { status, text }: Answer, caller: string): void {
  const who = `${caller}: ${row.method} ${row.url} answered ${status} ${text.slice(0, 300)}`;
  if (verdict === 'allowed') expect(row.answers, who).toContain(status);
  else expect(status, who).toBe(verdict);
}

test('every registered route is in the table, once, and the table has no others', () => {
  const registered = product.app.guardedRoutes.map(({ method, url }) => `${method} ${url}`).sort();
  expect(ROLE_TABLE.map(({ method, url }) => `${method} ${url}`).sort()).toEqual(registered);
});

test('every route declares the guard that the table has for it', () => {
  const declared = ({
    method,
    url,
    guard,
    isReading,
    accessTokens,
  }: { [Key in 'method' | 'url' | 'guard' | 'isReading' | 'accessTokens']: unknown }) =>
    `${method} ${url}: ${JSON.stringify(guard)}, tokens: ${accessTokens}${isReading === true ? ', reads' : ''}`;
  expect(product.app.guardedRoutes.map(declared).sort()).toEqual(ROLE_TABLE.map(declared).sort());
});

const TRIED = ROLE_TABLE.filter(isTried);
const CALLS_TRIED = TRIED.map((row) => [`${row.method} ${row.url}`, row] as const);
describe.each(CALLS_TRIED)('%s', (_, row) => {
  test('answers every kind of caller as the table says', async () => {
    const thing = thingOf(row);
    const isReading = row.method === 'GET';
    const isPersonal = isPersonalThing(thing);
    // A refused call changes nothing, so that the next caller finds the same row; after an allowed one it may be gone.
    const isAllowed = (caller: Caller): boolean => row.who[caller] === 'allowed';
    let id: string | undefined;
    let place: Place | undefined;
    for (const caller of row.callers.toSorted((a, b) => Number(isAllowed(a)) - Number(isAllowed(b)))) {
      if (!isWhole && isPrinted(row) && isAllowed(caller) && caller !== 'owner') continue;
      place ??= await preparePlace(row);
      if (thing !== undefined && (isPersonal || id === undefined)) {
        // Personal tokens, uploads and checkouts belong to the caller; the other rows to somebody else.
        const creator = isPersonal && mayHave(thing, caller) ? caller : 'owner';
        id = isReading && !isPersonal ? await find(row, thing) : await make(thing, await person(creator));
      }
      const address = addressOf(row, place, id);
      // Events of what was made for the call come before the answer to this query.
      await listener.query('select 1');
      isTold = false;
      const answer = await callAs(caller, row, address, place);
      expectVerdict(row, row.who[caller], answer, caller);
      if (!isAllowed(caller) || isReading) continue;
      [id, place] = [undefined, undefined];
      await listener.query('select 1');
      if (answer.status < 300 && row.isReading !== true)
        told.set(`${row.method} ${row.url}`, (told.get(`${row.method} ${row.url}`) ?? true) && isTold);
    }
  });

  if (row.isOwn)
    test('lets members of the project do it to what they created themselves', async () => {
      const thing = thingOf(row);
      if (thing === undefined) throw new Error('rows that are owned have an id in the address');
      for (const caller of ['guest', 'member'] as const) {
        const id = await make(thing, await person(caller));
        expectVerdict(
          row,
          'allowed',
          await callAs(caller, row, addressOf(row, shared.place, id), shared.place),
          `${caller}, own`,
        );
      }
    });

  if (row.who.outsider === 404 && row.url.includes('/:'))
    test('tells an outsider nothing about what exists', async () => {
      const thing = thingOf(row);
      const id = thing === undefined ? undefined : await find(row, thing);
      const elsewhere = { ...shared.place, organization_id: randomUUID(), project_id: randomUUID() };
      const there = await callAs('outsider', row, addressOf(row, shared.place, id), shared.place);
      const nowhere = await callAs('outsider', row, addressOf(row, elsewhere, randomUUID()), shared.place);
      expect(withoutRequest(there.text)).toEqual(withoutRequest(nowhere.text));
    });
});

test('every change is told to open pages, but those that no page shows or that are told later', () => {
  expect(told.size).toBeGreaterThan(60);
  expect([...told].flatMap(([call, isSo]) => (isSo ? [] : [call])).sort()).toEqual(Object.keys(NOT_TOLD));
});

describe('what belongs to another tenant', () => {
  /** Calls with the id of a row. */
  const rows = TRIED.filter((row) => {
    const thing = thingOf(row);
    return (
      thing !== undefined && thing !== 'organization' && row.who.owner === 'allowed' && !row.url.includes('/photos/')
    );
  });
  /** Pairs of calls for which the times are taken; 0: none, because a test must not depend on the clock. */
  const PAIRS = Number(process.env['FOREIGN_ID_PAIRS'] ?? 0);
  let stranger: Person;
  let own: Place;
  const known = new Map<Thing, string>();
  beforeAll(async () => {
    stranger = await product.person('stranger');
    own = await placeOf(stranger, await populated(stranger));
    for (const row of rows) {
      const thing = thingOf(row) as Thing;
      if (!known.has(thing)) known.set(thing, await make(thing, await person('owner')));
    }
  });
  const call = (row: RoleRow, place: Place, id: string | undefined) =>
    stranger.call(row.method as 'GET', addressOf(row, place, id), row.body?.({ ...own, name: `Foreign ${++made}` }));

  test('is like what does not exist, also for who may do everything in a place of his or her own', async () => {
    const differing: string[] = [];
    for (const row of rows) {
      const answerTo = async (id: string | undefined) => {
        const { status, text } = await call(row, own, id);
        return { status, told: text === '' ? {} : withoutRequest(text) };
      };
      const foreign = await answerTo(known.get(thingOf(row) as Thing));
      if (foreign.status < 400) differing.push(`${row.method} ${row.url} answered ${foreign.status}`);
      for (const unknown of [randomUUID(), 'no-id'])
        if (!isDeepStrictEqual(foreign, await answerTo(unknown)))
          differing.push(`${row.method} ${row.url} answered ${JSON.stringify(foreign)}, and otherwise to ${unknown}`);
    }
    expect(differing).toEqual([]);
  });

  test.runIf(PAIRS > 0)(
    'takes as long to be refused as what does not exist',
    async () => {
      const timed = async (row: RoleRow, place: Place, id: string | undefined): Promise<number> => {
        const start = performance.now();
        await call(row, place, id);
        return performance.now() - start;
      };
      const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
      const nowhere = () => ({ ...shared.place, organization_id: randomUUID(), project_id: randomUUID() });
      const report: { call: string; foreign: number; unknown: number }[] = [];
      for (const row of ROLE_TABLE.filter(
        ({ method, who, url }) => method === 'GET' && who.outsider === 404 && url.includes('/:'),
      )) {
        const id = known.get(thingOf(row) ?? 'organization');
        const [foreign, unknown]: number[][] = [[], []];
        for (let pair = 0; pair < PAIRS; pair++) {
          foreign?.push(await timed(row, shared.place, id));
          unknown?.push(await timed(row, nowhere(), randomUUID()));
          if (id === undefined) continue;
          foreign?.push(await timed(row, own, id));
          unknown?.push(await timed(row, own, randomUUID()));
        }
        report.push({ call: row.url, foreign: median(foreign ?? []), unknown: median(unknown ?? []) });
      }
      console.table(report.map((one) => ({ ...one, difference: one.foreign - one.unknown })));
      const differences = report.map(({ foreign, unknown }) => foreign - unknown);
      // Over all routes neither is the faster one.
      expect(Math.abs(median(differences))).toBeLessThan(0.1);
    },
    3_600_000,
  );
});

function withoutRequest(text: string): object {
  const { request_id: _, instance: __, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return rest;
}

test('nobody can revoke the access token of another', async () => {
  const owner = await person('owner');
  const id = await make('access token', owner);
  expect((await (await person('manager')).call('DELETE', `/access_tokens/${id}`)).status).toBe(404);
  expect((await owner.call('DELETE', `/access_tokens/${id}`)).status).toBe(204);
});

test('nobody sees, sends parts of, finishes or gives up the upload of another, whatever the role', async () => {
  const { project } = shared;
  const nothing = randomUUID();
  const id = await make('upload', await person('member'));
  for (const caller of ['owner', 'manager', 'project-owner', 'guest'] as const) {
    const somebody = await person(caller);
    const uploads = `${project.address}/uploads`;
    const answers = async (upload: string) => [
      await somebody.call('GET', `${uploads}/${upload}`),
      await somebody.call('POST', `${uploads}/${upload}/parts`, { numbers: [1] }),
      await somebody.call('DELETE', `${uploads}/${upload}`),
      await somebody.call('POST', `${project.address}/files`, { name: `Taken ${caller}`, file_id: upload }),
    ];
    const theirs = await answers(id);
    expect(theirs.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const unknown = await answers(nothing);
    expect(theirs.map(({ text }) => withoutRequest(text))).toEqual(unknown.map(({ text }) => withoutRequest(text)));
  }
});

test('lists hold what each may see: a guest the name of the organization only', async () => {
  const { project_id: projectId, organization_id: organizationId } = shared.place;
  for (const caller of CALLERS.filter(isSignedIn)) {
    const somebody = await person(caller);
    const list = async (address: string) => (await somebody.call('GET', `${address}?limit=500`)).body.data;
    const projects: { id: string }[] = await list('/projects');
    expect(
      projects.some(({ id }) => id === projectId),
      caller,
    ).toBe(!OUTSIDE.includes(caller));
    const organizations: { id: string; role: string | null }[] = await list('/organizations');
    const organization = organizations.find(({ id }) => id === organizationId);
    if (caller === 'outsider' || caller === 'operator') expect(organization).toBeUndefined();
    else
      expect(organization?.role, caller).toBe(
        { member: 'MEMBER', unjoined: 'MEMBER', manager: 'MANAGER', owner: 'OWNER' }[caller as string] ?? null,
      );
  }
});

/**
 * What a token of the owner answers to each call that the owner may make; `place` is where. One hook judges by what the
 * route declares, which is compared above: every third call stands for all outside `npm run test:all`.
 */
async function callAllWith(
  body: object,
  place: Place,
  check: (row: RoleRow, status: number, call: string) => void,
): Promise<void> {
  const owner = await person('owner');
  const made = await owner.call('POST', '/access_tokens', { name: 'Script', expires_in_days: 1, ...body });
  const rows = TRIED.filter(({ who }) => who['signed-out'] === 401 && who.owner === 'allowed');
  for (const row of rows.filter((_, i) => isWhole || i % 3 === 0)) {
    const thing = thingOf(row);
    if (row.url === '/api/events' || thing === 'access token' || needsOwnPlace(row)) continue;
    if (!isWhole && isPrinted(row) && thing !== 'model') continue;
    const id = thing === undefined ? undefined : await find(row, thing);
    const payload = row.body?.({ ...place, name: `New ${randomUUID()}` });
    const { statusCode } = await product.app.inject({
      method: row.method as 'GET',
      url: addressOf(row, place, id),
      headers: { authorization: `Bearer ${made.body.token}` },
      ...(payload === undefined ? {} : { payload }),
    });
    check(row, statusCode, `${row.method} ${row.url}`);
  }
}

describe('the rights that each caller is told', () => {
  const rowOf = (call: string): RoleRow => {
    const found = ROLE_TABLE.find(({ method, url }) => `${method} ${url.replace(/^\/api/, '')}` === call);
    if (!found) throw new Error(`${call} is not in the table of roles`);
    return found;
  };
  /** Who may invite managers is in no row: only the body says that it is one. */
  const MANAGERS_OF_ORGANIZATION: readonly Caller[] = ['manager', 'owner'];
  const isAllowed = (place: 'organizations' | 'projects', right: string, call: string, caller: Caller): boolean => {
    if (right === 'invite_managers')
      return place === 'organizations' ? caller === 'owner' : MANAGERS_OF_ORGANIZATION.includes(caller);
    return right === 'delete_own' ? PROJECT[caller] === 'allowed' : rowOf(call).who[caller] === 'allowed';
  };
  const told = async (caller: Caller, place: 'organizations' | 'projects'): Promise<string[] | undefined> => {
    const id = place === 'organizations' ? shared.place.organization_id : shared.place.project_id;
    const somebody = await person(caller);
    const { status, body } = await somebody.call('GET', `/${place}/${id}`);
    const list: { id: string; rights: string[] }[] = (await somebody.call('GET', `/${place}?limit=500`)).body.data;
    // The list and the page of one say the same.
    expect(list.find((one) => one.id === id)?.rights, caller).toEqual(body.rights);
    return status === 404 ? undefined : body.rights;
  };

  test.each([
    ['organizations', ORGANIZATION_RIGHTS],
    ['projects', PROJECT_RIGHTS],
  ] as const)('of %s are the calls that the table allows', async (place, rights) => {
    for (const caller of CALLERS.filter(isSignedIn)) {
      const found = await told(caller, place);
      if (found === undefined) expect(['outsider', 'unjoined', 'operator'], caller).toContain(caller);
      else
        expect(found, caller).toEqual(
          Object.entries(rights).flatMap(([right, call]) => (isAllowed(place, right, call, caller) ? [right] : [])),
        );
    }
  });

  test('are those that an unpaid organization still has, and no others', async () => {
    const { db } = product.services;
    const { organization_id, project_id } = shared.place;
    const set = (billing_state: 'active' | 'past_due') =>
      db.updateTable('organizations').set({ billing_state }).where('id', '=', organization_id).execute();
    await set('past_due');
    const owner = await person('owner');
    for (const [place, rights] of [
      ['organizations', ORGANIZATION_RIGHTS],
      ['projects', PROJECT_RIGHTS],
    ] as const) {
      const found = await told('owner', place);
      for (const [right, call] of Object.entries(rights)) {
        // Not of the organization or project itself, which would be deleted.
        if (right === 'delete') continue;
        const row = rowOf(call);
        const body = row.body?.({ ...shared.place, name: `Unpaid ${++made}` });
        const address = addressOf(row, { ...shared.place, organization_id, project_id }, randomUUID());
        const { text } = await owner.call(row.method as 'POST', address.replace(/^\/api/, ''), body);
        expect([right, found?.includes(right)]).toEqual([right, !text.includes('billing/read-only')]);
      }
    }
    await set('active');
  });
});

describe('a personal access token', () => {
  test('that may read reads what its owner reads, and changes nothing', async () => {
    await callAllWith({ scopes: ['read'] }, shared.place, (row, status, call) => {
      if (row.isReading && row.accessTokens !== 'none') expect(row.answers, call).toContain(status);
      else expect(status, call).toBe(403);
    });
  });

  test('that is limited to projects reaches just those', async () => {
    const owner = await person('owner');
    const other = await placeOf(owner, await populated(owner));
    const body = { scopes: ['read', 'write'], project_ids: [other.project_id] };
    await callAllWith(body, shared.place, ({ url, accessTokens, answers }, status, call) => {
      if (accessTokens !== 'own-projects') expect(status, call).toBe(403);
      else if (url.startsWith('/api/projects/')) expect(status, call).toBe(404);
      else expect(answers, call).toContain(status);
    });
    await callAllWith(
      { ...body, scopes: ['read'], project_ids: [shared.place.project_id] },
      shared.place,
      (row, status, call) => {
        if (row.isReading && row.accessTokens === 'own-projects') expect(row.answers, call).toContain(status);
        else expect(status, call).toBe(403);
      },
    );
  });

  test('that is limited lists its projects only, and cannot be limited to those of others', async () => {
    const owner = await person('owner');
    const outsider = await person('outsider');
    const body = { name: 'One', scopes: ['write'], expires_in_days: 1, project_ids: [shared.place.project_id] };
    expect((await outsider.call('POST', '/access_tokens', body)).status).toBe(404);
    const { token, projects } = (await owner.call('POST', '/access_tokens', body)).body;
    expect(projects).toEqual([expect.objectContaining({ id: shared.place.project_id })]);
    const get = async (url: string) =>
      (await product.app.inject({ url: `/api${url}`, headers: { authorization: `Bearer ${token}` } })).json();
    expect((await get('/projects')).data.map(({ id }: { id: string }) => id)).toEqual([shared.place.project_id]);
    expect(await get('/auth/token')).toMatchObject({ organizations: [], project_ids: [shared.place.project_id] });
  });
});

describe('in a project whose members may only read', () => {
  const rows = TRIED.filter(({ url }) => url.startsWith('/api/projects/:project_id'));
  const switchTo = async (members_read_only: boolean) => {
    const answer = await (await person('project-manager')).call('PUT', shared.project.address, { members_read_only });
    expect(answer.body).toMatchObject({ members_read_only });
  };
  /** The guard runs before any lookup, so unknown ids suffice. */
  const call = async (caller: Caller, row: RoleRow): Promise<Answer> => {
    const place = { ...shared.place, upload_id: randomUUID() };
    const { status, text } = await (await person(caller)).call(
      row.method as 'GET',
      addressOf(row, place, randomUUID()),
    );
    return { status, text };
  };
  let own: string;
  beforeAll(async () => {
    own = await make('folder', await person('guest'));
    await switchTo(true);
  });
  afterAll(() => switchTo(false));

  test.each(['guest', 'member'] as const)('a %s reads everything and changes nothing', async (caller) => {
    expect((await (await person(caller)).call('GET', shared.project.address)).body.rights).toEqual([]);
    for (const row of rows) {
      const { status, text } = await call(caller, row);
      const who = `${row.method} ${row.url} answered ${status} ${text}`;
      const isAboutLeaving = row.method === 'DELETE' && row.url.endsWith('/members/:id');
      const isAboutViews = !row.isReading && row.url.includes('/table_views');
      // Of others they are told that only managers remove members; here there is nobody of this id.
      if (isAboutLeaving) expect(status, who).toBe(404);
      // They keep views of their own; here is none of this id, and none is described.
      else if (isAboutViews) expect([400, 404], who).toContain(status);
      else if (row.isReading && row.who[caller] === 'allowed') expect(status, who).not.toBe(403);
      else expect(status, who).toBe(403);
      // The other routes require a manager anyway.
      if (!row.isReading && !isAboutLeaving && !isAboutViews && JSON.stringify(row.guard).includes('MEMBER'))
        expect(text, who).toContain('may only read');
    }
  });

  test('members cannot change what they created either', async () => {
    const guest = await person('guest');
    const address = `${shared.project.address}/folders/${own}`;
    expect((await guest.call('GET', address)).status).toBe(200);
    expect((await guest.call('PUT', address, { name: 'Mine' })).status).toBe(403);
    expect((await guest.call('DELETE', address)).status).toBe(403);
  });

  // Their roles are compared, so the least of them stands for those above.
  const managing = ['project-manager', 'project-owner', 'manager', 'owner'] as const;
  test.each(isWhole ? managing : managing.slice(0, 1))('nothing changes for a %s', async (caller) => {
    for (const row of rows.filter(({ isReading }) => !isReading)) {
      if (needsOwnPlace(row)) continue;
      const { status, text } = await call(caller, row);
      expect(status, `${row.method} ${row.url} answered ${status} ${text}`).not.toBe(403);
    }
    const folder = { name: `By ${caller}` };
    const answer = await (await person(caller)).call('POST', `${shared.project.address}/folders`, folder);
    expect(answer.status).toBe(201);
  });

  test('outsiders hear no more of it than before', async () => {
    for (const row of rows) expect((await call('outsider', row)).status, `${row.method} ${row.url}`).toBe(404);
  });
});

describe('a POST whose database connection is killed between its handler and its answer', () => {
  /** Whoever may call them with a key; what only reads keeps no answer. */
  const rows = ROLE_TABLE.flatMap((row) => {
    const caller = (['owner', 'operator'] as const).find((one) => row.who[one] === 'allowed');
    return row.method !== 'POST' || row.isReading || row.guard === 'public' || caller === undefined
      ? []
      : [[row.url, row, caller] as const];
  });
  const arm = (armed: boolean) => sql`update killing set armed = ${armed}`.execute(product.services.db);

  beforeAll(async () => {
    const { db } = product.services;
    // What the tests before have used up.
    await db.deleteFrom('webhooks').execute();
    await db.deleteFrom('subscriptions').execute();
    await sql`create table killing (armed boolean not null)`.execute(db);
    await sql`insert into killing values (false)`.execute(db);
    await sql`create function kill() returns trigger language plpgsql as $$
      begin
        if (select armed from killing) then perform pg_terminate_backend(pg_backend_pid()); end if;
        return new;
      end $$`.execute(db);
    await sql`create trigger kill before update on idempotency_keys for each row
      when (new.status is not null or new.point is not null) execute function kill()`.execute(db);
  });
  afterAll(() => sql`drop trigger kill on idempotency_keys`.execute(product.services.db));

  let digests: string;
  beforeAll(async () => {
    const { rows: tables } = await sql<{ name: string; columns: string }>`
      select format('%I.%I', nspname, relname) as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
      from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'p') and attnum > 0 and not attisdropped and attname not in ('last_active_at', 'last_used_at')
        and (nspname = 'public' and relname not in ('idempotency_keys', 'killing')
          or nspname = 'pgboss' and relname = 'job')
      group by nspname, relname`.execute(product.services.db);
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['pgboss.job', 'public.runs']));
    digests = tables
      .map(
        ({ name, columns }) =>
          `select '${name}' as name, concat(count(*), ' ', sum(hashtextextended(row(${columns})::text, 0))) as digest
           from ${name}`,
      )
      .join(' union all ');
  });

  /** A digest of each table. */
  async function contents(): Promise<Record<string, string>> {
    const { rows } = await sql<{ name: string; digest: string }>`${sql.raw(digests)}`.execute(product.services.db);
    return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
  }

  /**
   * They differ in their handlers, and share what is tried: every eighth stands for all outside `npm run test:all`, and
   * those of the second factor, of which the later ones need the earlier.
   */
  const tried = rows.filter(([url], i) => isWhole || i % 8 === 0 || url.includes('/second_factor'));
  test.each(tried)('%s has done nothing, and does it once when sent again', async (url, row, caller) => {
    const thing = thingOf(row);
    const place = await preparePlace(row);
    const id = thing === undefined ? undefined : await make(thing, await person(caller));
    const { headers, ...request } = await requestAs(caller, row, addressOf(row, place, id), place);
    const send = () =>
      product.app.inject({
        ...request,
        headers: { ...headers, 'idempotency-key': `killed ${url}`.replaceAll(' ', '-') },
      });
    const before = await contents();
    await arm(true);
    const first = await send();
    await arm(false);
    if (first.statusCode === 400 && row.answers.every((status) => status >= 400)) {
      // Refused by its schema, before the key was looked at.
      expect(await contents()).toEqual(before);
      return;
    }
    expect([first.statusCode, first.body]).toEqual([503, expect.stringContaining('database cannot be reached')]);
    if (!url.startsWith('/brapi'))
      expect([first.headers['content-type'], first.json().code]).toEqual([
        expect.stringContaining('application/problem+json'),
        'server/unavailable',
      ]);
    expect(await contents()).toEqual(before);
    const second = await send();
    expect(row.answers, second.body).toContain(second.statusCode);
    expect(second.headers['idempotent-replayed']).toBeUndefined();
    const once = await contents();
    const third = await send();
    if (third.statusCode !== 409 || !third.body.includes('may show a secret'))
      expect([third.statusCode, third.body, third.headers['idempotent-replayed']]).toEqual([
        second.statusCode,
        second.body,
        'true',
      ]);
    expect(await contents()).toEqual(once);
  });
});

test('invitations are shown to their addressee, and only when the address is known to be his or hers', async () => {
  const { db } = product.services;
  const { organization_id, project_id } = shared.place;
  const sender = await person('owner');
  const invite = (recipient: string, where: { organization_id: string } | { project_id: string }) =>
    db
      .insertInto('invitations')
      .values({ id: uuidv7(), sender_id: sender.userId, recipient, role: 'MEMBER', ...where })
      .execute();
  await invite('outsider@example.org', { project_id });
  await invite('outsider@example.org', { organization_id });
  await invite('guest@example.org', { organization_id });
  await invite('unproven@example.org', { organization_id });
  for (const caller of CALLERS.filter(isSignedIn))
    await db.updateTable('users').set({ email_verified: true }).where('email', '=', `${caller}@example.org`).execute();

  const seenBy = async (name: string) => {
    const { body } = await (await product.person(name)).call('GET', '/invitations');
    return body.data.map((one: { recipient: string; project: object | null }) => [
      one.recipient,
      one.project === null ? 'organization' : 'project',
    ]);
  };
  expect(await seenBy('outsider')).toEqual([
    ['outsider@example.org', 'project'],
    ['outsider@example.org', 'organization'],
  ]);
  expect(await seenBy('guest')).toEqual([['guest@example.org', 'organization']]);
  for (const caller of ['member', 'unjoined', 'project-manager', 'manager', 'owner'])
    expect(await seenBy(caller), caller).toEqual([]);
  // Signed in by custom token: the person has not proved to read the mailbox.
  expect(await seenBy('unproven')).toEqual([]);
});

test('the list of projects is paged for each caller over what he or she reaches, and a foreign cursor opens nothing', async () => {
  const owner = await person('owner');
  for (let i = 0; i < 3; i++) {
    const { organization_id, crop_id } = shared.place;
    const made = await owner.call('POST', '/projects', { name: `Paged ${i}`, organization_id, crop_id });
    expect(made.status, made.text).toBe(201);
  }
  const page = async (caller: Caller, query: string): Promise<{ data: { id: string }[]; next_cursor: string | null }> =>
    (await (await person(caller)).call('GET', `/projects?${query}`)).body;
  let foreign = '';
  for (const caller of CALLERS.filter(isSignedIn)) {
    const whole = (await page(caller, 'limit=500')).data.map(({ id }) => id);
    const paged: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { data, next_cursor } = await page(caller, `limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(data.length).toBeLessThanOrEqual(3);
      paged.push(...data.map(({ id }) => id));
      if (caller === 'owner' && next_cursor !== null) foreign = next_cursor;
      cursor = next_cursor;
    }
    expect(paged, caller).toEqual(whole);
  }
  expect(foreign).not.toBe('');
  expect((await page('outsider', `cursor=${foreign}`)).data).toEqual([]);
});

test('hundreds of guests of the demo leave nothing behind, and without the demo they are shut out', async () => {
  const { db, config } = product.services;
  const rows = async () =>
    Promise.all(
      (['users', 'sessions', 'audit_events', 'idempotency_keys'] as const).map(async (table) =>
        Number((await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows[0]?.n),
      ),
    );
  const before = await rows();
  const tokens = new Set<string>();
  for (let i = 0; i < 200; i++) tokens.add((await product.guest()).token);
  // One is signed a minute.
  expect(tokens.size).toBeLessThan(10);
  const guest = await product.guest();
  expect((await guest.call('GET', shared.project.address)).body).toMatchObject({ role: 'GUEST', rights: [] });
  const refused = await guest.call('POST', `${shared.project.address}/folders`, { name: 'Of nobody' });
  expect(refused).toMatchObject({ status: 403, body: { code: 'auth/guest-may-not' } });
  expect(await rows()).toEqual(before);

  config.demo = false;
  expect((await guest.call('GET', shared.project.address)).body.code).toBe('auth/invalid-token');
  expect((await product.app.inject({ method: 'POST', url: '/api/auth/guest' })).json().code).toBe('auth/no-demo');
  config.demo = true;
});

test('an Idempotency-Key belongs to its sender, and does not outlast his or her rights', async () => {
  const { db } = product.services;
  const post = async (caller: Caller, name: string) => {
    const { token } = await person(caller);
    const answer = await product.app.inject({
      method: 'POST',
      url: `${shared.project.address}/folders`,
      headers: { 'idempotency-key': 'folder-of-the-week', authorization: `Bearer ${token}` },
      payload: { name },
    });
    return { status: answer.statusCode, body: answer.json(), isReplayed: answer.headers['idempotent-replayed'] };
  };
  const first = await post('guest', 'Of the guest');
  expect([first.status, first.isReplayed]).toEqual([201, undefined]);
  expect(await post('guest', 'Of the guest')).toEqual({ status: 201, body: first.body, isReplayed: 'true' });
  expect((await post('guest', 'Another')).body.code).toBe('request/idempotency-mismatch');
  const other = await post('member', 'Of the member');
  expect([other.status, other.isReplayed]).toEqual([201, undefined]);
  expect(other.body.id).not.toBe(first.body.id);
  expect((await post('outsider', 'Of the guest')).status).toBe(404);

  const guest = await person('guest');
  const inProject = db.selectFrom('project_members').selectAll().where('project_id', '=', shared.place.project_id);
  const membership = await inProject.where('user_id', '=', guest.userId).executeTakeFirstOrThrow();
  await db.deleteFrom('project_members').where('id', '=', membership.id).execute();
  expect((await post('guest', 'Of the guest')).status).toBe(404);
  await db.insertInto('project_members').values(membership).execute();
});
