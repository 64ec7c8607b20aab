import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { ensureUser } from '../../features/accounts/index.ts';
import { createKeyRing, makeCustomToken } from '../../features/auth/index.ts';
import { verifyStorage } from '../../features/backup/index.ts';
import { insertCrop } from '../../features/crops/index.ts';
import { insertOrganization } from '../../features/organizations/index.ts';
import { insertProject } from '../../features/projects/index.ts';
import { sweepRuns, sweepScratch } from '../../features/runs/index.ts';
import { loadConfig } from '../../platform/config/config.ts';
import { type Database, openDatabase } from '../../platform/database/database.ts';
import { startEmbeddedPostgres } from '../../platform/database/embedded-postgres.ts';
import { migrateToLatest } from '../../platform/database/migrate.ts';
import { createObjectStorage } from '../../platform/object-storage/create-object-storage.ts';
import { pick, startFleet, TARGETS, type Target } from './fleet.ts';
import { createClient, type Ledger, uploadTraining, work } from './people.ts';

// `npm run soak -- --minutes 10`: two api and two worker processes on one PostgreSQL, people at work, and every few
// seconds something is killed. In the end every acknowledged write must be there, every run must have ended, equal
// runs must have equal bytes, and nothing may be left over. Exit status 1 when any of this does not hold.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    people: { type: 'string', default: '3' },
    /** Mean seconds between two kills. */
    every: { type: 'string', default: '5' },
  },
});
const minutes = Number(values.minutes);
const people = Number(values.people);
const everyMs = 1000 * Number(values.every);
const SETTLE_MS = 10 * 60_000;
const tell = (line: string): void => void process.stdout.write(`${line}\n`);

const home = mkdtempSync(join(tmpdir(), 'heterosis-soak-'));
const ports = await Promise.all([freePort(), freePort()]);
const origins = ports.map((port) => `http://127.0.0.1:${port}`);
const postgres = await startEmbeddedPostgres({ dataDir: join(home, 'database') });
const environment = {
  DATABASE_URL: postgres.url,
  DATA_DIR: join(home, 'data'),
  SECRET_KEY: randomBytes(30).toString('base64url'),
  PUBLIC_URL: origins[0] ?? '',
  LOG_LEVEL: 'silent',
  RATE_LIMIT: '0',
  DEMO: 'off',
  WORKER_CONCURRENCY: '1',
  COMPUTE_THREADS: '1',
};
const config = loadConfig(environment);
const db = openDatabase({ url: postgres.url, max: 3, onConnectionLost: () => {} });
const { storage } = createObjectStorage(config);
await migrateToLatest(db);
const user = await ensureUser(db, 'soak@example.org');
const organizationId = await insertOrganization(db, 'Soak', user.id);
const crop = await insertCrop(db, organizationId, 'Maize', user.id);
const project = await insertProject(db, {
  name: 'Soak',
  organization_id: organizationId,
  crop_id: crop.id,
  created_by: user.id,
});

const fleet = startFleet({
  environment,
  apiPorts: ports,
  workers: 2,
  databaseUrl: postgres.url,
  postgresDirectory: postgres.directory,
});
// Nothing may outlive an attack that ends by an error.
process.once('uncaughtExceptionMonitor', () => fleet.killAll());
const ledger: Ledger = { files: new Map(), models: new Set(), writes: 0, wrong: [] };
const keys = createKeyRing(db, config.secretKey);
const client = createClient(origins, signIn, ledger);
const training = await uploadTraining(client, ledger, project);

const end = Date.now() + minutes * 60_000;
const killed = Object.fromEntries(TARGETS.map((target) => [target, 0])) as Record<Target, number>;
const working = Promise.all(
  Array.from({ length: people }, (_, person) =>
    work(client, ledger, { project, person, training, isOver: () => Date.now() > end }),
  ),
);
while (Date.now() < end) {
  await sleep(everyMs * (0.5 + Math.random()));
  const target = pick(TARGETS) ?? 'api';
  if (await fleet.kill(target)) killed[target]++;
}
await working;
tell(
  `${Object.values(killed).reduce((sum, count) => sum + count, 0)} kills: ${TARGETS.map((target) => `${target} ${killed[target]}`).join(', ')}`,
);
tell(`${ledger.writes} acknowledged writes: ${ledger.files.size} files, ${ledger.models.size} models`);

const findings = [...ledger.wrong, ...(await settle()), ...(await inspect(db))];
const codes = await fleet.stop();
if (codes.some((code) => code !== 0)) findings.push(`processes did not end by themselves: ${codes.join(', ')}`);
await sweepScratch({ storage, config });
for (const folder of ['work', join('files', '.incoming')]) {
  const left = readdirSync(join(config.dataDir, folder), { withFileTypes: true });
  if (left.length > 0) findings.push(`${left.length} left in ${folder}, such as ${left[0]?.name}`);
}
await db.destroy();
await postgres.stop();
for (const finding of findings.slice(0, 50)) tell(`✗ ${finding}`);
tell(
  findings.length === 0
    ? 'Nothing lost, nothing stuck, nothing twice, nothing left over.'
    : `${findings.length} findings; data in ${home}`,
);
if (findings.length === 0) rmSync(home, { recursive: true, force: true });
process.exit(findings.length === 0 ? 0 : 1);

async function signIn(): Promise<string> {
  const response = await fetch(`${pick(origins)}/api/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'custom_token', token: await makeCustomToken(keys, user.id) }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Waits until every run has ended. */
async function settle(): Promise<string[]> {
  const started = Date.now();
  for (;;) {
    const { rows } = await sql<{ id: string; step: string; attempt: number }>`
      select id, step, attempt from runs where finished_at is null
    `.execute(db);
    if (rows.length === 0) {
      tell(`all runs had ended ${((Date.now() - started) / 1000).toFixed(0)} s after the last kill`);
      return [];
    }
    if (Date.now() - started > SETTLE_MS)
      return rows.map(({ id, step, attempt }) => `run ${id} (${step}, attempt ${attempt}) is stuck`);
    await sleep(1_000);
  }
}

async function inspect(database: Database): Promise<string[]> {
  const found: string[] = [];
  for (const [id, { sha256, isDeleted }] of ledger.files) {
    const file = await database.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst();
    if (file === undefined) found.push(`file ${id} was acknowledged and is not there`);
    else {
      if ((file.deleted_at !== null) !== isDeleted) found.push(`file ${id} is ${isDeleted ? 'not ' : ''}in the bin`);
      if (!isDeleted && !file.status.startsWith('READY')) found.push(`file ${id} ended as ${file.status}`);
      if (file.deleted_at === null && file.sha256 !== sha256) found.push(`file ${id} has other bytes`);
    }
  }
  const { rows: traits } = await sql<{ model_id: string; state: string; result_keys: Record<string, string> }>`
    select model_id, status as state, result_keys from model_traits
  `.execute(database);
  const bytes = new Map<string, Set<string>>();
  for (const id of ledger.models)
    if (!traits.some(({ model_id }) => model_id === id)) found.push(`model ${id} was acknowledged and is not there`);
  for (const { model_id, state, result_keys } of traits) {
    if (state !== 'EVALUATED') found.push(`model ${model_id} ended as ${state}`);
    for (const [kind, key] of Object.entries(result_keys)) {
      const source = await storage.open(key);
      const hash = createHash('sha256')
        .update(await source.read(0, source.size))
        .digest('hex');
      await source.close();
      bytes.set(kind, (bytes.get(kind) ?? new Set()).add(hash));
    }
  }
  for (const [kind, hashes] of bytes)
    if (hashes.size > 1) found.push(`${kind} of equal models has ${hashes.size} versions`);
  const { rows: doubled } = await sql<{ name: string }>`
    select name from models group by name having count(*) > 1
    union all select name from files group by name having count(*) > 1
  `.execute(database);
  for (const { name } of doubled) found.push(`"${name}" is there twice`);
  await sweepRuns({ db: database, storage }, 0);
  const { missing, orphans, damaged } = await verifyStorage({ db: database, storage }, { hashes: true, youngMs: 0 });
  for (const { key } of missing) found.push(`${key} is missing`);
  for (const { key } of orphans) found.push(`${key} is an orphan`);
  for (const { key } of damaged) found.push(`${key} is damaged`);
  return found;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
