import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHECKED_COLUMNS } from './checked-columns.ts';
import { openDatabase, violates } from './database.ts';
import { generateSchema, SCHEMA_FILE } from './generate-schema.ts';
import { migrateToLatest } from './migrate.ts';
import { createTestDatabase, type TestDatabase } from './testing.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('the committed table types are those of the migrated database', async () => {
  // Otherwise run: node apps/server/src/platform/database/generate-schema.ts
  expect(await generateSchema(database.db)).toBe(await readFile(SCHEMA_FILE, 'utf8'));
});

test('the types of checked columns list what the database allows', async () => {
  const { rows } = await sql<{ name: string; definition: string }>`
    select c.relname || '.' || a.attname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(k.conkey)
    where k.contype = 'c' and cardinality(k.conkey) = 1 and c.relnamespace = 'public'::regnamespace
      and pg_get_constraintdef(k.oid) ~ '= ANY'
  `.execute(database.db);
  const allowed = Object.fromEntries(
    rows.map(({ name, definition }) => [name, [...definition.matchAll(/'([^']+)'::text/g)].map(([, value]) => value)]),
  );
  for (const [name, { values }] of Object.entries(CHECKED_COLUMNS))
    if (values.length > 1) expect(allowed[name], name).toEqual(values);
});

test('every foreign key has an index that starts with its columns', async () => {
  const { rows } = await sql<{ key: string }>`
    select k.conrelid::regclass || '.' || k.conname as key from pg_constraint k
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace
      and not exists (
        select from pg_index i where i.indrelid = k.conrelid
          and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey
          and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] <@ k.conkey
      )
  `.execute(database.db);
  expect(rows).toEqual([]);
});

test('several processes may migrate an empty database at the same time', async () => {
  const name = `test_${process.pid}_concurrent`;
  await sql.raw(`create database ${name}`).execute(database.db);
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  const clients = [1, 2, 3, 4].map(() => openDatabase({ url: url.href, max: 2 }));
  try {
    const ran = await Promise.all(clients.map((client) => migrateToLatest(client)));
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
    await sql.raw(`drop database ${name}`).execute(database.db);
  }
});

test('timestamps come back as ISO text and bigint as number', async () => {
  const { rows } = await sql<{ at: string; size: number }>`
    select '2026-01-02 03:04:05.678+01'::timestamptz as at, 10737418240::bigint as size
  `.execute(database.db);
  expect(rows).toEqual([{ at: '2026-01-02T02:04:05.678Z', size: 10_737_418_240 }]);
});

test('a project cannot use a crop of another organization', async () => {
  const { db } = database;
  const [mine, theirs, crop] = [uuidv7(), uuidv7(), uuidv7()];
  await db
    .insertInto('organizations')
    .values([
      { id: mine, name: 'Mine' },
      { id: theirs, name: 'Theirs' },
    ])
    .execute();
  await db.insertInto('crops').values({ id: crop, organization_id: theirs, name: 'Maize' }).execute();
  const insert = db
    .insertInto('projects')
    .values({ id: uuidv7(), organization_id: mine, crop_id: crop, name: 'P' })
    .execute();
  await expect(insert).rejects.toSatisfy((error) => violates(error, 'projects_crop'));
});

test('names in a folder are unique ignoring case, also at the root, but not among what is in the bin', async () => {
  const { db } = database;
  const [organization, project] = [uuidv7(), uuidv7()];
  await db.insertInto('organizations').values({ id: organization, name: 'O' }).execute();
  await db.insertInto('projects').values({ id: project, organization_id: organization, name: 'P' }).execute();
  const folder = (name: string, deleted_at: Date | null = null) =>
    db.insertInto('folders').values({ id: uuidv7(), project_id: project, name, deleted_at }).execute();
  await folder('Trials');
  await expect(folder('TRIALS')).rejects.toSatisfy((error) => violates(error, 'folders_name'));
  await folder('trials', new Date());
});
