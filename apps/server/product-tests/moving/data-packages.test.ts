import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UPLOADS } from '../../src/features/data/files/index.ts';
import { rootTables } from '../../src/features/operation/packages/packaged-tables.ts';
import {
  type Answer,
  missHeartbeats,
  type Person,
  type Product,
  type Project,
  put,
  SMALL_PHENOTYPE,
  SMALL_VCF,
  sendTable,
  startProduct,
  startWorkerProcess,
  until,
} from '../../src/testing/product.ts';
import { begin, ended, exported, hashesOf, textOf, unzipped, zipped } from './packages.test-data.ts';

let here: Product;
let there: Product;
let olga: Person;
let tom: Person;
let project: Project;
let original: Record<string, Uint8Array>;

const changes = { compute: { threads: 1, memoryMb: 1024, chunkGflop: 10, tileMarkers: 8192 } };

beforeAll(async () => {
  here = await startProduct({ changes });
  there = await startProduct({ changes });
  olga = await here.person('olga');
  tom = await there.person('tom');
  project = await here.project(olga);
  await fill();
  original = await unzipped(await exported(here, olga, project.address));
});
afterAll(async () => {
  await here.close();
  await there.close();
});

/** A project with a bit of everything. */
async function fill(): Promise<void> {
  const at = project.address;
  const done = async (answer: Promise<Answer>): Promise<Answer['body']> => {
    const { status, body, text } = await answer;
    expect([200, 201, 204], text).toContain(status);
    return body;
  };
  const lines = [
    'name,maternal,paternal,synonyms',
    'A,,,',
    'B,,,',
    ...[1, 2, 3, 4, 5, 6].map((i) => `L${i},A,B,Line ${i}`),
  ];
  await done(sendTable(here, olga, `${at}/germplasms`.replace('/api', ''), lines, { existing: 'fill' }));
  await until(
    async () => (await olga.call('GET', `${at}/germplasms`)).body.data.length,
    (count) => count === 8,
  );
  await here.uploadChecked(olga, project, { name: 'g.vcf', fileType: 'GENOTYPE', bytes: SMALL_VCF });
  await here.uploadChecked(olga, project, { name: 'bad.csv', fileType: 'PHENOTYPE', bytes: 'Yield\n1\n' });
  const folder = await done(olga.call('POST', `${at}/folders`, { name: 'Notes', folder_id: null }));
  const note = await here.uploadChecked(olga, project, { name: 'notes.txt', fileType: null, bytes: 'Sown late.\n' });
  await done(olga.call('PUT', `${at}/files/${note.id}`, { folder_id: folder.id }));
  await here.uploadChecked(olga, project, { name: 'p.csv', fileType: 'PHENOTYPE', bytes: SMALL_PHENOTYPE });
  const gone = await here.uploadChecked(olga, project, {
    name: 'gone.csv',
    fileType: 'PHENOTYPE',
    bytes: SMALL_PHENOTYPE,
  });
  await done(olga.call('DELETE', `${at}/files/${gone.id}`));
  await done(
    olga.call('PUT', `${at}/traits`, { traits: [{ name: 'Yield', direction: 'higher', unit: 't/ha', weight: 1 }] }),
  );
  await done(olga.call('POST', `${at}/lists`, { name: 'Best', kind: 'germplasm', members: ['L1', 'L2'] }));
  const {
    data: [trial],
  } = await done(
    olga.call('POST', `${at}/trials`, {
      ...{ name: 'North 2026', season: '2026', traits: ['Yield'], entries: ['L1', 'L2'] },
      places: [
        {
          location_name: 'North',
          layout: {
            ...{ number: [1, 2, 3, 4], row: [1, 1, 2, 2], column: [1, 2, 1, 2], replicate: [1, 1, 2, 2] },
            ...{ block: [1, 1, 2, 2], entry: [0, 1, 1, 0], kind: ['ENTRY', 'ENTRY', 'ENTRY', 'ENTRY'] },
          },
        },
      ],
    }),
  );
  const observed = { trait: 'Yield', observed_at: '2026-08-01T10:00:00.000Z' };
  await done(
    olga.call('POST', `${at}/trials/${trial.id}/observations`, {
      observations: [5.1, 6.2, 6.4, 5.0].map((value, k) => ({
        ...observed,
        id: crypto.randomUUID(),
        plot: k + 1,
        value: String(value),
      })),
    }),
  );
  const plots = await here.uploadChecked(olga, project, { name: 'plots.csv', fileType: 'PHENOTYPE', bytes: PLOTS });
  const { id } = await done(
    olga.call('POST', `${at}/trial_analyses`, {
      ...{ name: 'Season', phenotype_ids: [plots.id], traits: ['Yield'], model: 'blocks', structure: 'cs' },
    }),
  );
  await until(
    async () => (await olga.call('GET', `${at}/trial_analyses/${id}`)).body,
    ({ status }) => status.Yield === 'SUCCESS',
  );
  const decision = await done(
    olga.call('POST', `${at}/decisions`, { name: 'Who advances', source: { kind: 'trial_analysis', id } }),
  );
  await done(
    olga.call('POST', `${at}/decisions/${decision.id}/marks`, {
      version: decision.version,
      marks: [
        { id: crypto.randomUUID(), line: 1, mark: 'ADVANCE', reason: 'Best', marked_at: new Date().toISOString() },
      ],
    }),
  );
  await done(olga.call('POST', `${at}/decisions/${decision.id}/close`, { version: decision.version }));
}

const PLOTS = `environment,line,rep,Yield\n${['Bonn', 'Kiel']
  .flatMap((place, p) =>
    [1, 2].flatMap((rep) =>
      [1, 2, 3, 4, 5, 6].map(
        (i) => `${place},L${i},${rep},${(50 + 2 * i + 3 * p + ((i * 7 + rep * 3) % 5) / 3).toFixed(2)}`,
      ),
    ),
  )
  .join('\n')}\n`;

const countRows = async (product: Product, { projectId }: Project): Promise<number> => {
  let count = 0;
  for (const table of rootTables) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(table)} t where project_id = ${projectId}
        ${table === 'runs' ? sql`and entity_kind <> 'package_import'` : sql``}
    `.execute(product.services.db);
    count += rows[0]?.n ?? 0;
  }
  return count;
};

interface Entity {
  '@id': string;
  '@type': string;
}

test('a package holds the checksum of every file, and a description that other programs read', () => {
  const manifest = textOf(original['manifest-sha256.txt']);
  const listed = manifest.split('\n').filter((line) => line !== '');
  expect(listed.map((line) => line.slice(66)).toSorted()).toEqual(
    Object.keys(original)
      .filter((name) => name !== 'manifest-sha256.txt')
      .toSorted(),
  );
  for (const line of listed)
    expect(
      createHash('sha256')
        .update(original[line.slice(66)] ?? '')
        .digest('hex'),
    ).toBe(line.slice(0, 64));
  expect(Object.keys(original)).toEqual(
    expect.arrayContaining(['files/g.vcf', 'files/Notes/notes.txt', 'lists/Best.csv', 'trials/North 2026.csv']),
  );
  expect(Object.keys(original).filter((name) => name.startsWith('results/trial_analyses/Season/'))).not.toEqual([]);
  expect(Object.keys(original)).not.toContain('files/gone.csv');
  expect(textOf(original['trials/North 2026.csv'])).toContain('North 2026,1,1,1,1,1,L1,entry,5.1');
  const crate = JSON.parse(textOf(original['ro-crate-metadata.json']));
  const byId = new Map<string, Answer['body']>(crate['@graph'].map((one: Entity) => [one['@id'], one]));
  const root = byId.get('./');
  expect(root['@type']).toBe('Dataset');
  for (const { '@id': id } of root.hasPart) expect(byId.get(id)?.['@type'], id).toBe('File');
  const run = crate['@graph'].find((one: Entity) => one['@type'] === 'CreateAction');
  expect(run.object).toEqual([{ '@id': 'files/plots.csv' }]);
  for (const { '@id': id } of run.result) expect(byId.get(id)?.['@type'], id).toBe('File');
  // Only minutes name people, as they were closed.
  for (const [name, bytes] of Object.entries(original))
    if (!name.includes('decision')) expect(textOf(bytes), name).not.toMatch(new RegExp(`${olga.email}|${olga.userId}`));
});

test('another installation imports it twice, and both times exports the same files and results again', async () => {
  const bytes = await zipped(original);
  for (const round of [1, 2]) {
    const { into, id } = await begin(there, tom, bytes);
    const { state, error, report } = await ended(tom, into, id);
    expect(state, JSON.stringify(error)).toBe('DONE');
    expect(report).toMatchObject({ files: 5, trials: 1, observations: 4, lists: 2, decisions: 1, left_out: 0 });
    expect(report).toMatchObject({ lines_added: 8, lines_found: 0 });
    const again = await unzipped(await exported(there, tom, into.address));
    expect(hashesOf(again), `round ${round}`).toEqual(hashesOf(original));
    // What was imported is used like what was made here.
    const {
      data: [analysis],
    } = (await tom.call('GET', `${into.address}/trial_analyses`)).body;
    const bundle = await there.app.inject({
      ...{ method: 'GET', url: `${into.address}/trial_analyses/${analysis.id}/bundle` },
      headers: { authorization: `Bearer ${tom.token}` },
    });
    expect(bundle.statusCode).toBe(200);
    const {
      data: [trial],
    } = (await tom.call('GET', `${into.address}/trials`)).body;
    expect((await tom.call('GET', `${into.address}/trials/${trial.id}/plots`)).body.entry).toBeDefined();
    const line = (await tom.call('GET', `${into.address}/germplasms?search=L1`)).body.data[0];
    expect([line.maternal.name, line.paternal.name]).toEqual(['A', 'B']);
    const {
      data: [decision],
    } = (await tom.call('GET', `${into.address}/decisions`)).body;
    expect((await tom.call('GET', `${into.address}/decisions/${decision.id}`)).status).toBe(200);
    const { data: files } = (await tom.call('GET', `${into.address}/files`)).body;
    expect(files).toHaveLength(5);
    if (round === 1) await expectSameAgain(into, files);
  }
});

/** The same analysis of the imported file gives, byte for byte, the result that was imported. */
async function expectSameAgain(into: Project, files: { id: string; name: string }[]): Promise<void> {
  const plots = files.find(({ name }) => name === 'plots.csv')?.id;
  const { body } = await tom.call('POST', `${into.address}/trial_analyses`, {
    ...{ name: 'Again', phenotype_ids: [plots], traits: ['Yield'], model: 'blocks', structure: 'cs' },
  });
  await until(
    async () => (await tom.call('GET', `${into.address}/trial_analyses/${body.id}`)).body,
    ({ status }) => status.Yield === 'SUCCESS',
  );
  const of = (name: string, hashes: Record<string, string>) =>
    Object.entries(hashes).flatMap(([path, hash]) =>
      // Others name the file by its id.
      path.startsWith(`results/trial_analyses/${name}/`) && /_table$|covariances?$/.test(path)
        ? [`${path.split('/').slice(3).join('/')} ${hash}`]
        : [],
    );
  const hashes = hashesOf(await unzipped(await exported(there, tom, into.address)));
  expect(of('Again', hashes).toSorted()).toEqual(of('Season', hashes).toSorted());
  expect(of('Again', hashes).length).toBeGreaterThan(0);
}

test('a killed import leaves nothing half saved, and another worker brings everything', { tags: 'whole' }, async () => {
  const { storage, db } = there.services;
  const { put: store } = storage;
  let puts = 0;
  // The worker stands still in the middle of its objects and never goes on: to the others it is dead.
  const dead = Promise.withResolvers<never>();
  const still = dead.promise;
  storage.put = (key, body, options) =>
    !key.startsWith(UPLOADS) && ++puts > 3 ? still : store.call(storage, key, body, options);
  try {
    const { into, id } = await begin(there, tom, await zipped(original));
    await until(
      async () => puts,
      (count) => count > 3,
    );
    expect(await countRows(there, into)).toBe(0);
    storage.put = store;
    await missHeartbeats(there);
    const { state, error } = await ended(tom, into, id);
    expect(state, JSON.stringify(error)).toBe('DONE');
    expect(hashesOf(await unzipped(await exported(there, tom, into.address)))).toEqual(hashesOf(original));
    const run = await db.selectFrom('runs').select('attempt').where('entity_id', '=', id).executeTakeFirstOrThrow();
    expect(run.attempt).toBe(2);
  } finally {
    storage.put = store;
    dead.reject(new Error('the dead worker is gone'));
  }
});

/** What lies in the storage of a project. */
async function keysOf({ services: { storage } }: Product, { projectId }: Project): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(`projects/${projectId}/`)) keys.push(key);
  return keys;
}

test('an import whose worker is killed with SIGKILL before its rows are there is finished by another', {
  tags: 'whole',
}, async () => {
  const { db } = there.services;
  await there.stopWorker();
  const { into, id } = await begin(there, tom, await zipped(original));
  // Its objects are stored, and its transaction waits for the project.
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = db.transaction().execute(async (trx) => {
    await sql`select from projects where id = ${into.projectId} for no key update`.execute(trx);
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const worker = startWorkerProcess(there);
  try {
    const waiting = sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'select from projects%'`;
    await until(
      async () => (await waiting.execute(db)).rows[0]?.count ?? 0,
      (count) => count > 0,
      60_000,
    );
    expect((await keysOf(there, into)).length).toBeGreaterThan(3);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  } finally {
    worker.kill('SIGKILL');
    release.resolve();
    await holding;
    await there.startWorker();
  }
  expect(await countRows(there, into)).toBe(0);
  await missHeartbeats(there);
  const { state, error } = await ended(tom, into, id);
  expect(state, JSON.stringify(error)).toBe('DONE');
  expect(hashesOf(await unzipped(await exported(there, tom, into.address)))).toEqual(hashesOf(original));
});

test('a cancelled import leaves nothing, and begun again brings the same files and results', {
  tags: 'whole',
}, async () => {
  const { storage } = there.services;
  const { put: store } = storage;
  let puts = 0;
  const resume = Promise.withResolvers<void>();
  storage.put = async (key, body, options) => {
    if (!key.startsWith(UPLOADS) && ++puts > 3) await resume.promise;
    return await store.call(storage, key, body, options);
  };
  const { into, id } = await begin(there, tom, await zipped(original));
  const cancel = () => tom.call('POST', `${into.address}/package_imports/${id}/cancel`);
  try {
    await until(
      async () => puts,
      (count) => count > 3,
    );
    const { status, body } = await cancel();
    expect([status, body.state, body.error?.code]).toEqual([200, 'FAILED', 'runs/cancelled']);
  } finally {
    storage.put = store;
    // The worker stores one object more before it sees that it is to stop.
    resume.resolve();
  }
  await until(
    () => keysOf(there, into),
    (keys) => keys.length === 0,
  );
  expect(await countRows(there, into)).toBe(0);
  expect((await cancel()).body.code).toBe('runs/not-cancellable');

  const again = await begin(there, tom, await zipped(original), into);
  const { state, error } = await ended(tom, into, again.id);
  expect(state, JSON.stringify(error)).toBe('DONE');
  expect(hashesOf(await unzipped(await exported(there, tom, into.address)))).toEqual(hashesOf(original));
});

/** The package with some files changed, and with the checksums that its author would give them. */
async function forged(
  changes: Record<string, (text: string) => string>,
  { isSigned = true } = {},
): Promise<Uint8Array> {
  const files = { ...original };
  for (const [path, change] of Object.entries(changes)) files[path] = Buffer.from(change(textOf(files[path])));
  if (isSigned)
    files['manifest-sha256.txt'] = Buffer.from(
      Object.entries(files)
        .filter(([path]) => path !== 'manifest-sha256.txt')
        .map(([path, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${path}\n`)
        .join(''),
    );
  return await zipped(files);
}

const TABLE = 'heterosis/tables';

test.each<[string, string, () => Uint8Array | Promise<Uint8Array>]>([
  [
    'another byte in a file',
    'packages/checksum',
    () => forged({ 'files/g.vcf': (text) => text.replace('0/0', '1/1') }, { isSigned: false }),
  ],
  [
    'a file that its row does not describe',
    'packages/checksum',
    () => forged({ 'files/g.vcf': (text) => text.replace('0/0', '1/1') }),
  ],
  ['a path that leads out', 'packages/unsafe-path', () => forged({ '../../etc/passwd': () => 'root' })],
  ['no zip archive', 'packages/unreadable', () => Buffer.from('line,Yield\nL1,5\n')],
  ['another zip archive', 'packages/unreadable', () => zipped({ 'a.txt': Buffer.from('a') })],
  [
    'an object of another project',
    'packages/missing-object',
    () => forged({ 'heterosis/objects.jsonl': (text) => text.replace(project.projectId, crypto.randomUUID()) }),
  ],
  [
    'a row that names an object of another project',
    'packages/missing-object',
    () =>
      forged({
        [`${TABLE}/files.jsonl`]: (text) =>
          text.replace(/projects\/[0-9a-f-]{36}\/files/, 'projects/0199d000-0000-7000-8000-000000000000/files'),
      }),
  ],
  [
    'columns of another version',
    'packages/other-version',
    () => forged({ 'heterosis/package.json': (text) => text.replace('"sown_on": "date"', '"sown_on": "text"') }),
  ],
  [
    'a row that the database refuses',
    'packages/refused-row',
    () => forged({ [`${TABLE}/trials.jsonl`]: (text) => text.replace(/"state": "\w+"/, '"state": "HARVESTED TWICE"') }),
  ],
  [
    'a pedigree in a circle',
    'packages/pedigree-loop',
    () =>
      forged({
        'heterosis/lines.jsonl': (text) => {
          const lines = text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line));
          for (const line of lines) line.name = `Round ${line.name}`;
          const [a, b] = lines;
          [a.maternal_id, b.maternal_id] = [b.id, a.id];
          return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
        },
      }),
  ],
])('%s is refused with its code, and nothing is saved', async (_what, code, make) => {
  const { into, id } = await begin(there, tom, await make());
  const { state, error } = await ended(tom, into, id);
  expect([state, error?.code]).toEqual(['FAILED', code]);
  expect(await countRows(there, into)).toBe(0);
  expect(await keysOf(there, into)).toEqual([]);
});

test('a bomb is not unpacked', async () => {
  const { into, id } = await begin(
    there,
    tom,
    await forged({ 'heterosis/package.json': () => '0'.repeat(40_000_000) }),
  );
  const { state, error } = await ended(tom, into, id);
  expect([state, error?.code]).toEqual(['FAILED', 'packages/too-large']);
});

test('only an empty project takes a package, and only its managers bring or take one', async () => {
  const max = await here.person('max');
  await here.join(project, max, 'MEMBER');
  expect((await max.call('GET', `${project.address}/package`)).status).toBe(403);
  const link = await olga.call('POST', `${project.address}/files/upload_link`, {
    ...{ content_type: 'application/zip', size_bytes: 3 },
  });
  await put(here.app, link.body.put_url, Buffer.from('zip'), 'application/zip');
  const body = { upload_id: link.body.file_id, name: 'Season.zip' };
  const refused = await olga.call('POST', `${project.address}/package_imports`, body);
  expect([refused.status, refused.body.code]).toEqual([409, 'packages/not-empty']);
});

test('an owner takes everything of an organization at once, under a licence', async () => {
  const address = `/api/organizations/${project.organizationId}`;
  const files = await unzipped(await exported(here, olga, address, '?licence=CC-BY-4.0'));
  const [name] = Object.keys(files).filter((path) => path.startsWith('projects/'));
  const inner = await unzipped(files[name ?? ''] ?? new Uint8Array());
  expect(hashesOf(inner)).toEqual(hashesOf(original));
  expect(textOf(inner['ro-crate-metadata.json'])).toContain('https://creativecommons.org/licenses/by/4.0/');
  const table = Object.keys(files).find((path) => path.startsWith('lines/'));
  expect(textOf(files[table ?? ''])).toContain('L1,');
  const { body } = await olga.call('GET', `/organizations/${project.organizationId}/audit?limit=10`);
  expect(body.data.map(({ action }: { action: string }) => action)).toContain('organization.exported');
});
