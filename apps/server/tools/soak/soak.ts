import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type RunPath, runPaths } from '@heterosis/contracts/work/run-kinds';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { verifyStorage } from '../../src/features/operation/backup/index.ts';
import { ensureUser } from '../../src/features/people/accounts/index.ts';
import { createKeyRing, makeCustomToken } from '../../src/features/people/auth/index.ts';
import { insertCrop } from '../../src/features/people/crops/index.ts';
import { insertOrganization } from '../../src/features/people/organizations/index.ts';
import { insertProject } from '../../src/features/people/projects/index.ts';
import { sweepRuns } from '../../src/features/work/runs/sweep/sweep-runs.ts';
import { sweepScratch } from '../../src/features/work/runs/sweep/sweep-scratch.ts';
import { loadConfig } from '../../src/platform/config/config.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { migrateToLatest } from '../../src/platform/database/migrate.ts';
import { createObjectStorage } from '../../src/platform/object-storage/create-object-storage.ts';
import { pick, startFleet, TARGETS, type Target } from './fleet.ts';
import { openHosts } from './hosts.ts';
import { createClient, type Ledger, prepareInputs, RUN_NAME, work } from './people.ts';

// `npm run soak -- --minutes 10`: PostgreSQL, an S3 server, two api and two worker processes, people at work, and every
// few seconds something is killed. In the end every acknowledged write must be there, every run must have ended well,
// equal runs must have equal bytes, and nothing may be left over. Exit status 1 when any of this does not hold.
// `--attacks 500` ends after so many. `--every 0 --people 50 --pause 5 --changes 0.05` looks how it serves people whom
// nothing disturbs: how long reads take, and whether memory grows. `--hosts` gives each process a network namespace of
// its own, and cuts networks too; needs root. `--faults` also kills the database connection of each tenth answer that
// is being kept for its Idempotency-Key. What the processes log stays in a folder that the output names.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    people: { type: 'string', default: '3' },
    workers: { type: 'string', default: '2' },
    /** Mean seconds between two things that a person does. */
    pause: { type: 'string', default: '0.2' },
    /** Share of them that changes something. */
    changes: { type: 'string', default: '0.8' },
    /** Mean seconds between two attacks; 0 for none. */
    every: { type: 'string', default: '5' },
    /** Ends after this many attacks, if that is earlier; 0 for no limit. */
    attacks: { type: 'string', default: '0' },
    hosts: { type: 'boolean', default: false },
    faults: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const people = Number(values.people);
const everyMs = 1000 * Number(values.every);
const mostAttacks = Number(values.attacks) || Number.POSITIVE_INFINITY;
/** Share of attacks that do not wait until an api has come back from those before. */
const HASTE = 0.25;
const RECOVERY_MS = 180_000;
const SETTLE_MS = 10 * 60_000;
const tell = (line: string): void => void process.stdout.write(`${line}\n`);

const home = mkdtempSync(join(tmpdir(), 'heterosis-soak-'));
const logs = mkdtempSync(join(tmpdir(), 'heterosis-soak-logs-'));
tell(`logs: ${logs}`);
const hosts = openHosts(values.hosts);
const secretKey = randomBytes(30).toString('base64url');
const who = { userIds: [] as string[], project: '' };
const fleet = await startFleet({
  hosts,
  home,
  logs,
  environment: {
    SECRET_KEY: secretKey,
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
    RATE_LIMIT: '0',
    DEMO: 'off',
    WORKER_CONCURRENCY: '1',
    COMPUTE_THREADS: '1',
  },
  apis: 2,
  workers: Number(values.workers),
  prepare: async (url) => {
    const first = openDatabase({ url, max: 1, onConnectionLost: () => {} });
    await migrateToLatest(first);
    const user = await ensureUser(first, 'soak0@example.org');
    const organizationId = await insertOrganization(first, 'Soak', user.id, people);
    const crop = await insertCrop(first, organizationId, 'Maize', user.id);
    who.userIds.push(user.id);
    for (let person = 1; person < people; person++) {
      const { id } = await ensureUser(first, `soak${person}@example.org`);
      await first
        .insertInto('organization_members')
        .values({ id: uuidv7(), organization_id: organizationId, user_id: id, role: 'MANAGER' })
        .execute();
      who.userIds.push(id);
    }
    who.project = await insertProject(first, {
      name: 'Soak',
      organization_id: organizationId,
      crop_id: crop.id,
      created_by: user.id,
    });
    await first.destroy();
  },
});
// Nothing may outlive an attack that ends before its time.
const abandon = (): void => {
  fleet.killAll();
  hosts.close();
};
process.once('uncaughtExceptionMonitor', abandon);
for (const sign of ['SIGINT', 'SIGTERM'] as const)
  process.once(sign, () => {
    abandon();
    process.exit(1);
  });
const { project } = who;
const config = loadConfig(fleet.environment);
const db = openDatabase({ url: fleet.databaseUrl, max: 3, onConnectionLost: () => {} });
const { storage } = createObjectStorage(config);
const ledger: Ledger = {
  files: new Map(),
  organizations: new Set(),
  runs: new Map(runPaths.map((path) => [path, new Set()])),
  writes: 0,
  reads: [],
  wrong: [],
};
const keys = createKeyRing(db, config.secretKey);
const clients = who.userIds.map((userId) => createClient(fleet.origins, () => signIn(userId), ledger));
const [first] = clients;
if (first === undefined) throw new Error('--people must be at least 1.');
const inputs = await prepareInputs(first, ledger, project);
ledger.reads.length = 0;
if (values.faults) await killKeptAnswers(db);

const targets = TARGETS.filter((target) => target !== 'network' || hosts.isolated);
let end = Date.now() + minutes * 60_000;
let kills = 0;
/** The last few, newest first. */
const last: Target[] = [];
const attacked = Object.fromEntries(targets.map((target) => [target, 0])) as Record<Target, number>;
const working = Promise.all(
  clients.map((client, person) =>
    work(client, ledger, {
      ...{ project, person, inputs },
      changes: Number(values.changes),
      pauseMs: 1000 * Number(values.pause),
      isOver: () => Date.now() > end,
    }).catch((error: unknown) => void ledger.wrong.push(String(error))),
  ),
);
const memory = watchMemory();
while (Date.now() < end) {
  if (everyMs === 0) {
    await sleep(end - Date.now());
    break;
  }
  await sleep(everyMs * (0.5 + Math.random()));
  // An attack on what is down anyway would show nothing, unless it comes while something recovers.
  const since = Date.now();
  if (Math.random() >= HASTE && !(await fleet.ready(RECOVERY_MS)))
    ledger.wrong.push(`no api was ready for ${RECOVERY_MS / 1000} s after attack ${kills}`);
  const waited = (Date.now() - since) / 1000;
  if (waited > 20)
    tell(`${waited.toFixed(0)} s until an api was ready again, after attack ${kills}: ${last.join(', ')}`);
  const target = pick(targets) ?? 'api';
  if (!(await fleet.attack(target))) continue;
  attacked[target]++;
  kills++;
  last.splice(5);
  last.unshift(target);
  if (kills % 50 === 0) tell(`${kills} attacks, ${ledger.writes} acknowledged writes`);
  if (kills >= mostAttacks) end = Date.now();
}
await fleet.calm();
await working;
memory.stop();
for (const line of [...readsInWords(ledger.reads), ...memory.inWords()]) tell(line);
tell(`${kills} attacks: ${targets.map((target) => `${target} ${attacked[target]}`).join(', ')}`);
tell(
  `${ledger.writes} acknowledged writes: ${ledger.files.size} files, ${ledger.organizations.size} organizations, ${[...ledger.runs].map(([path, ids]) => `${ids.size} ${path}`).join(', ')}`,
);

const findings = [...ledger.wrong, ...(await settle()), ...(await inspect(db))];
const codes = await fleet.stop();
if (codes.some((code) => code !== 0)) findings.push(`processes did not end by themselves: ${codes.join(', ')}`);
for (const dataDir of fleet.dataDirectories) {
  await sweepScratch({ storage, config: { ...config, dataDir } });
  for (const folder of ['work', join('files', '.incoming')].filter((one) => existsSync(join(dataDir, one)))) {
    const left = readdirSync(join(dataDir, folder));
    if (left.length > 0) findings.push(`${left.length} left in ${dataDir}/${folder}, such as ${left[0]}`);
  }
}
await db.destroy();
await fleet.close();
hosts.close();
for (const finding of findings.slice(0, 50)) tell(`✗ ${finding}`);
tell(
  findings.length === 0
    ? 'Nothing lost, nothing stuck, nothing twice, nothing left over.'
    : `${findings.length} findings; data in ${home}`,
);
if (findings.length === 0) rmSync(home, { recursive: true, force: true });
process.exit(findings.length === 0 ? 0 : 1);

/** How long reads took: all of them, then each page, the slowest first. */
function readsInWords(reads: Ledger['reads']): string[] {
  const inWords = (what: string, some: Ledger['reads']) => {
    const sorted = some.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const quantile = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    const [half, most, all] = [quantile(0.5), quantile(0.99), quantile(1)].map((ms) => ms.toFixed(1));
    const line = `${some.length} ${what}: half within ${half} ms, 99 % within ${most} ms, all within ${all} ms`;
    return { line, p99: quantile(0.99) };
  };
  const pages = Object.entries(Object.groupBy(reads, ({ page }) => page));
  return [
    inWords('reads', reads).line,
    ...pages
      .map(([page, some = []]) => inWords(`of ${page}`, some))
      .toSorted((a, b) => b.p99 - a.p99)
      .map(({ line }) => `  ${line}`),
  ];
}

/** Looks at the memory of each process four times a minute. */
function watchMemory() {
  const began = Date.now();
  const seen = new Map<string, [minute: number, megabytes: number][]>();
  const timer = setInterval(() => {
    for (const { name, megabytes } of fleet.memory())
      if (!Number.isNaN(megabytes))
        seen.set(name, [...(seen.get(name) ?? []), [(Date.now() - began) / 60_000, megabytes]]);
  }, 15_000);
  return {
    stop: () => clearInterval(timer),
    /** The slope by least squares, without the first third of the time. */
    inWords: () =>
      [...seen].map(([name, all]) => {
        const points = all.filter(([minute]) => minute > minutes / 3);
        const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
        const [atMinute, size] = [
          mean(points.map(([minute]) => minute)),
          mean(points.map(([, megabytes]) => megabytes)),
        ];
        const slope =
          mean(points.map(([minute, megabytes]) => (minute - atMinute) * (megabytes - size))) /
          mean(points.map(([minute]) => (minute - atMinute) ** 2));
        return `${name}: ${size.toFixed(0)} MB, ${slope.toFixed(2)} MB more each minute`;
      }),
  };
}

async function signIn(userId: string): Promise<string> {
  const response = await fetch(`${pick(fleet.origins)}/api/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'custom_token', token: await makeCustomToken(keys, userId) }),
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
  const { rows: runs } = await sql<{ entity_id: string; step: string; state: string; attempt: number }>`
    select distinct on (entity_id, step) entity_id, step, state, attempt from runs order by entity_id, step, id desc
  `.execute(database);
  for (const { entity_id, step, state, attempt } of runs)
    if (state !== 'SUCCEEDED' && !ledger.files.get(entity_id)?.isDeleted)
      found.push(`${step} of ${entity_id} ended as ${state} at attempt ${attempt}`);
  for (const [path, ids] of ledger.runs) {
    for (const id of ids)
      if (!runs.some(({ entity_id }) => entity_id === id))
        found.push(`${path} ${id} was acknowledged and is not there`);
    found.push(...(await differences(path)));
  }
  const { rows: made } = await sql<{ name: string }>`select name from organizations`.execute(database);
  for (const name of ledger.organizations)
    if (!made.some((one) => one.name === name)) found.push(`"${name}" was acknowledged and is not there`);
  const { rows: doubled } = await sql<{ name: string }>`
    select name from models group by name having count(*) > 1
    union all select name from files group by name having count(*) > 1
    union all select name from organizations group by name having count(*) > 1
    union all select name from gwas group by name having count(*) > 1
    union all select name from predictions group by name having count(*) > 1
  `.execute(database);
  for (const { name } of doubled) found.push(`"${name}" is there twice`);
  await sweepRuns({ db: database, storage }, 0);
  const { missing, orphans, damaged } = await verifyStorage({ db: database, storage }, { hashes: true, youngMs: 0 });
  for (const { key } of missing) found.push(`${key} is missing`);
  for (const { key } of orphans) found.push(`${key} is an orphan`);
  for (const { key } of damaged) found.push(`${key} is damaged`);
  return found;
}

/** What a killed backend or a failover does between the work of a request and its answer. */
async function killKeptAnswers(database: Database): Promise<void> {
  await sql`create function kill_kept_answer() returns trigger language plpgsql as $$
    begin
      if random() < 0.1 then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new;
    end $$`.execute(database);
  await sql`create trigger kill_kept_answer before update on idempotency_keys for each row
    when (new.status is not null) execute function kill_kept_answer()`.execute(database);
}

/** The pages of figures are titled with the name of the run. */
function withoutName(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1').replaceAll(RUN_NAME, '');
}

/** Equal runs have equal files. Their keys differ in the ids of the entity, the run and the attempt. */
async function differences(path: RunPath): Promise<string[]> {
  const prefix = `projects/${project}/${path}/`;
  const versions = new Map<string, Map<string, string>>();
  for await (const { key } of storage.list(prefix)) {
    const name = key.slice(prefix.length).split('/').slice(2).join('/');
    const source = await storage.open(key);
    const bytes = await source.read(0, source.size);
    await source.close();
    const hash = createHash('sha256').update(withoutName(bytes)).digest('hex');
    versions.set(name, (versions.get(name) ?? new Map()).set(hash, key));
  }
  return [...versions]
    .filter(([, hashes]) => hashes.size > 1)
    .map(
      ([name, hashes]) =>
        `${name} of equal ${path} has ${hashes.size} versions: ${[...hashes.values()].slice(0, 2).join(', ')}`,
    );
}
