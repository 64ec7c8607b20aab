import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../platform/database/database.ts';
import { createObjectStorage } from '../../../platform/object-storage/create-object-storage.ts';
import {
  type Person,
  type Product,
  type Project,
  SMALL_PHENOTYPE,
  SMALL_VCF,
  startProduct,
} from '../../../testing/product.ts';
import { findSnapshot, makeBackup, openArchive, restoreBackup, verifyStorage } from './index.ts';
import { inOrder } from './table-snapshot.ts';

let home: string;
let product: Product;
let owner: Person;
let project: Project;
const elsewhere: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'heterosis-backup-'));
  product = await startProduct();
  owner = await product.person('olga');
  project = await product.project(owner);
  await product.uploadChecked(owner, project, { name: 'g.vcf', fileType: 'GENOTYPE', bytes: SMALL_VCF });
  await product.uploadChecked(owner, project, { name: 'p.csv', fileType: 'PHENOTYPE', bytes: SMALL_PHENOTYPE });
});
afterAll(async () => {
  for (const close of elsewhere) await close();
  await product.close();
  await rm(home, { recursive: true, force: true });
});

/** An installation on another machine: an empty database and an empty folder. */
async function newInstallation(name: string) {
  const database = `test_${process.pid}_${name}`;
  await sql.raw(`create database ${database}`).execute(product.services.db);
  const url = new URL(product.databaseUrl);
  url.pathname = `/${database}`;
  const db = openDatabase({ url: url.href, max: 4 });
  elsewhere.push(async () => {
    await db.destroy();
    await sql.raw(`drop database ${database} with (force)`).execute(product.services.db);
  });
  const config = { ...product.services.config, dataDir: join(home, name) };
  return { config, db, storage: createObjectStorage(config).storage };
}

/** People who change things all the time until they are stopped; returns how many changes they made. */
function atWork(people: number): () => Promise<number> {
  const over = new AbortController();
  const work = async (person: number): Promise<number> => {
    let changes = 0;
    for (; !over.signal.aborted; changes++) {
      const file = await product.upload(owner, project, {
        name: `of ${person} ${changes}.csv`,
        fileType: 'PHENOTYPE',
        bytes: `line,Yield\nL1,${changes}\n`,
      });
      await owner.call('PUT', `${project.address}/files/${file.id}`, { name: `renamed ${person} ${changes}.csv` });
      if (changes % 2 === 1) await owner.call('DELETE', `${project.address}/files/${file.id}`);
      // Some twenty changes a second: all of them are checked, backed up and restored.
      await sleep(50);
    }
    return changes;
  };
  const all = Promise.all(Array.from({ length: people }, (_, person) => work(person)));
  return async () => {
    over.abort();
    return (await all).reduce((sum, changes) => sum + changes, 0);
  };
}

test('a backup taken while people work, restored elsewhere, has every row and byte of its moment', {
  tags: 'whole',
}, async () => {
  const archive = openArchive(join(home, 'archive'));
  const stop = atWork(2);
  await makeBackup(product.services, archive);
  const made = await makeBackup(product.services, archive);
  expect(await stop()).toBeGreaterThan(3);
  expect(made.rows).toBeGreaterThan(20);

  const other = await newInstallation('other');
  const restored = await restoreBackup(other, archive, made.snapshot);
  expect(restored).toEqual({ rows: made.rows, objects: made.objects });
  const again = openArchive(join(home, 'again'));
  const { snapshot } = await makeBackup(other, again);
  const [before, after] = [await archive.read(made.snapshot), await again.read(snapshot)];
  expect(after.tables).toEqual(before.tables);
  const bytes = (objects: typeof before.objects) => objects.map(({ key, sha256 }) => `${key} ${sha256}`).toSorted();
  expect(bytes(after.objects)).toEqual(bytes(before.objects));
  expect(await verifyStorage(other, { hashes: true })).toMatchObject({ missing: [], damaged: [], orphans: [] });

  await expect(restoreBackup(other, archive, made.snapshot)).rejects.toThrow('The database is not empty');
  await expect(findSnapshot(archive, '20200101T000000Z')).rejects.toThrow(made.snapshot);
});

test('a later backup adds what is new, and old ones go with the bytes that only they held', {
  tags: 'whole',
}, async () => {
  const archive = openArchive(join(home, 'nightly'));
  const extra = 'projects/p/files/f/original';
  await product.services.storage.put(extra, Buffer.from('only once'));
  const first = await makeBackup(product.services, archive);
  expect(first.newObjects).toBe(first.objects);
  await product.services.storage.delete(extra);
  const second = await makeBackup(product.services, archive);
  expect([second.newObjects, second.objects]).toEqual([0, first.objects - 1]);
  const held = async () => (await readdir(join(home, 'nightly', 'objects'), { recursive: true })).length;
  const before = await held();
  await archive.prune(1);
  expect(await archive.list()).toEqual([second.snapshot]);
  expect(await held()).toBe(before - 1);
});

test('a damaged backup restores nothing, and says what is damaged; another secret is refused', {
  tags: 'whole',
}, async () => {
  const archive = openArchive(join(home, 'damaged'));
  const { snapshot } = await makeBackup(product.services, archive);
  const other = await newInstallation('damaged_other');
  const wrong = { ...other, config: { ...other.config, secretKey: 'another'.repeat(8) } };
  await expect(restoreBackup(wrong, archive, snapshot)).rejects.toThrow('another secret than the backup');

  const { objects } = await archive.read(snapshot);
  const path = archive.pathOf(objects[0]?.sha256 ?? '');
  await writeFile(path, 'flipped');
  await expect(restoreBackup(other, archive, snapshot)).rejects.toThrow(`${path} is damaged`);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from users`.execute(other.db);
  expect(rows[0]?.n).toBe(0);
});

test('the check of the storage names what is missing, damaged or of nobody', async () => {
  const { db, storage } = product.services;
  const names = ['lost', 'bent'].map((name) => `${name}.csv`);
  const files = await Promise.all(
    names.map((name) =>
      product.uploadChecked(owner, project, {
        name,
        fileType: 'PHENOTYPE',
        bytes: `line,Yield\nL1,5\nL2,${name.length}\n`,
      }),
    ),
  );
  const [lost, bent] = files.map(({ id }) => `projects/${project.projectId}/files/${id}/original`) as [string, string];
  await storage.delete(lost);
  await storage.put(bent, Buffer.from('line,Yield\nL1,6\n'));
  const { missing, damaged } = await verifyStorage({ db, storage }, { hashes: true });
  expect(missing).toEqual([{ key: lost, table: 'files' }]);
  expect(damaged).toEqual([{ key: bent }]);
});

test('tables are read in an order that their references allow', () => {
  const references = [
    ['files', 'folders'],
    ['folders', 'projects'],
    ['members', 'users'],
  ] as const;
  const sorted = inOrder(['files', 'folders', 'members', 'projects', 'users'], references);
  for (const [from, to] of references) expect(sorted.indexOf(to)).toBeLessThan(sorted.indexOf(from));
  expect(() =>
    inOrder(
      ['a', 'b'],
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    ),
  ).toThrow('in a circle: a, b');
});
