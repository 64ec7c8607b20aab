import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { pino } from 'pino';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepBin } from '../src/features/work/runs/sweep/index.ts';
import { sweepRuns } from '../src/features/work/runs/sweep/sweep-runs.ts';
import { cancelRuns, findLatestRuns } from '../src/features/work/runs/work/index.ts';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { MIGRATIONS_DIRECTORY, migrateToLatest } from '../src/platform/database/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../src/platform/database/testing.ts';
import type { Services } from '../src/platform/http/app.ts';
import { createTestServices } from '../src/platform/http/testing.ts';
import { startBoss } from '../src/platform/job-queue/boss.ts';

/** The last migration before runs named their entity by kind and id. */
const BEFORE = '202611211200-replaced-files';

/** Kind of an entity → the column of `runs` that pointed to it, and the folder of its results. */
const OWNERS = {
  file: { column: 'file_id', folder: 'files', step: 'import' },
  model: { column: 'model_id', folder: 'models', step: 'train' },
  prediction: { column: 'prediction_id', folder: 'predictions', step: 'predict' },
  gwas: { column: 'gwas_id', folder: 'gwas', step: 'gwas' },
  crossing_simulation: { column: 'crossing_simulation_id', folder: 'crossing_simulations', step: 'crossing' },
} as const;
type Kind = keyof typeof OWNERS;
const KINDS = Object.keys(OWNERS) as Kind[];

let server: TestDatabase;
let services: Services;
let close: () => Promise<unknown>;
let db: Database;
const project = uuidv7();
/** Kind → its row, a run of it that has ended, and one that waits. */
const made = Object.fromEntries(
  KINDS.map((kind) => [kind, { id: uuidv7(), ended: uuidv7(), waiting: uuidv7() }]),
) as Record<Kind, { id: string; ended: string; waiting: string }>;

beforeAll(async () => {
  server = await createTestDatabase();
  const name = `test_${process.pid}_upgrade`;
  await sql.raw(`create database ${name}`).execute(server.db);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  db = openDatabase({ url: url.href, max: 4 });
  await migrateUpTo(db, BEFORE);
  await fill(db);
  expect(await migrateToLatest(db)).toContain('202611220630-run-entities');
  // As every process does when it starts.
  const boss = await startBoss({ url: url.href, logger: pino({ level: 'silent' }), role: 'sender' });
  await boss.stop({ graceful: false });
  const created = await createTestServices({});
  services = { ...created.services, db };
  close = async () => {
    await created.close();
    await db.destroy();
    await sql.raw(`drop database ${name} with (force)`).execute(server.db);
    await server.close();
  };
});
afterAll(() => close());

async function migrateUpTo(database: Database, last: string): Promise<void> {
  const names = (await readdir(MIGRATIONS_DIRECTORY)).map((file) => file.replace(/\.ts$/, ''));
  const provider = {
    async getMigrations() {
      const migrations: Record<string, Migration> = {};
      for (const name of names.filter((one) => one <= last))
        migrations[name] = (await import(pathToFileURL(join(MIGRATIONS_DIRECTORY, `${name}.ts`)).href)) as Migration;
      return migrations;
    },
  };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  if (error !== undefined) throw error;
}

/** What the version before wrote: a row of each kind, with a run that has succeeded and one that waits. */
async function fill(database: Database): Promise<void> {
  const run = async (text: string) => sql.raw(text).execute(database);
  const [user, organization, crop] = [uuidv7(), uuidv7(), uuidv7()];
  await run(`insert into users (id, email) values ('${user}', 'ann@example.org')`);
  await run(`insert into organizations (id, name) values ('${organization}', 'O')`);
  await run(`insert into crops (id, organization_id, name) values ('${crop}', '${organization}', 'Maize')`);
  await run(
    `insert into projects (id, organization_id, crop_id, name) values ('${project}', '${organization}', '${crop}', 'P')`,
  );
  const { file, model, prediction, gwas, crossing_simulation: crossing } = made;
  const key = (kind: Kind) => `{"csv": "${keptKey(kind)}"}`;
  await run(`insert into files (id, project_id, name, file_type, status, storage_key, content_type, size_bytes, meta)
    values ('${file.id}', '${project}', 'g.vcf', 'GENOTYPE', 'READY', 'k', 'text/plain', 1, '{"keys": ${key('file')}}')`);
  const shared = `'${project}', 'R', '{Yield}', 1, '${file.id}'`;
  await run(`insert into models (id, project_id, name, traits, seed, genotype_id, n_fold, n_repetition)
    values ('${model.id}', ${shared}, 5, 10)`);
  await run(
    `insert into model_traits (model_id, trait, result_keys) values ('${model.id}', 'Yield', '${key('model')}')`,
  );
  await run(`insert into predictions (id, project_id, name, traits, seed, genotype_id, result_keys)
    values ('${prediction.id}', ${shared}, '${key('prediction')}')`);
  await run(`insert into gwas (id, project_id, name, traits, seed, genotype_id, test, thresh_maf, thresh_callrate)
    values ('${gwas.id}', ${shared}, 'LRT', 0.05, 0.9)`);
  await run(`insert into gwas_traits (gwas_id, trait, result_keys) values ('${gwas.id}', 'Yield', '${key('gwas')}')`);
  await run(`insert into crossing_simulations (id, project_id, name, traits, seed, genotype_id, result_keys)
    values ('${crossing.id}', ${shared}, '${key('crossing_simulation')}')`);
  for (const kind of KINDS) {
    const { column, step } = OWNERS[kind];
    const { id, ended, waiting } = made[kind];
    await run(`insert into runs (id, project_id, ${column}, kind, state, finished_at, software_version)
      values ('${ended}', '${project}', '${id}', '${step}', 'SUCCEEDED', now() - interval '1 hour', '1.0.0')`);
    await run(`insert into runs (id, project_id, ${column}, kind, software_version, jobs)
      values ('${waiting}', '${project}', '${id}', '${step}', '1.0.0', '[{"queue": "long", "id": "${uuidv7()}"}]')`);
    await run(`insert into run_mails (run_id, project_id, user_id, subject, text, link)
      values ('${ended}', '${project}', '${user}', 's', 't', 'l')`);
  }
}

const prefixOf = (kind: Kind): string =>
  `projects/${project}/${OWNERS[kind].folder}/${made[kind].id}/${made[kind].ended}-1/`;
const keptKey = (kind: Kind): string => `${prefixOf(kind)}csv`;

test('a run made before is found by what it is for, and can be cancelled', async () => {
  for (const kind of KINDS) {
    const { id, waiting } = made[kind];
    const [latest, ...others] = await findLatestRuns(db, kind, [id]);
    expect(others).toEqual([]);
    expect(latest).toMatchObject({ id: waiting, entity_id: id, step: OWNERS[kind].step, state: 'QUEUED' });
    expect(latest?.runs_before).not.toBeNull();
    expect(await cancelRuns(db, { entity_kind: kind, entity_id: id })).toHaveLength(1);
    expect(await cancelRuns(db, { entity_kind: kind, entity_id: id })).toBeUndefined();
  }
});

test('a crossing simulation made before has the only map function there was', async () => {
  const { rows } = await sql<{ map_function: string }>`
    select parameters->>'map_function' as map_function from crossing_simulations`.execute(db);
  expect(rows).toEqual([{ map_function: 'haldane' }]);
});

test('what a run made before left in the storage is swept, and its results stay', async () => {
  const { storage } = services;
  for (const kind of KINDS)
    for (const name of ['csv', 'part'])
      await storage.put(`${prefixOf(kind)}${name}`, Buffer.from('x'), { contentType: 'text/plain', expectedBytes: 1 });
  await sweepRuns({ db, storage }, 0);
  for (const kind of KINDS) {
    const keys: string[] = [];
    for await (const { key } of storage.list(prefixOf(kind))) keys.push(key);
    expect(keys).toEqual([keptKey(kind)]);
  }
});

test('the runs of what leaves the bin for good go with it, as do their mails', async () => {
  const { storage } = services;
  const count = async () => {
    const { rows } = await sql<{ runs: number; mails: number }>`
      select (select count(*) from runs)::int as runs, (select count(*) from run_mails)::int as mails`.execute(db);
    return rows[0];
  };
  for (const [index, kind] of KINDS.toReversed().entries()) {
    const table = sql.table(OWNERS[kind].folder);
    await sql`update ${table} set deleted_at = now() - interval '31 days' where id = ${made[kind].id}`.execute(db);
    await sweepBin({ db, storage });
    const left = KINDS.length - index - 1;
    expect(await count()).toEqual({ runs: 2 * left, mails: left });
  }
});

test('a run of no known kind is refused', async () => {
  const insert = sql`insert into runs (id, project_id, entity_kind, entity_id, step, software_version)
    values (${uuidv7()}, ${project}, 'germplasm', ${uuidv7()}, 'x', '1.0.0')`.execute(db);
  await expect(insert).rejects.toThrow('runs_entity_kind');
});
