import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Config, SOFTWARE_VERSION } from '../../../platform/config/config.ts';
import { deriveKey, readSecret } from '../../../platform/config/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import { type Archive, type ArchivedObject, hashFile, type Manifest } from './archive.ts';
import { listStoredKeys } from './stored-keys.ts';
import { listTables, writeTable } from './table-snapshot.ts';

export type BackupServices = Pick<Services, 'config' | 'db' | 'storage'>;

/** How often the rows are read again because something they name was deleted before it could be copied. */
const TRIES = 5;

export interface BackupSummary {
  snapshot: string;
  rows: number;
  objects: number;
  bytes: number;
  /** Copied by this backup; the others were there. */
  newObjects: number;
  newBytes: number;
}

/**
 * Adds a snapshot of the database and of all objects to an archive, while the product is in use. Objects are copied
 * before the rows are read, and those that came meanwhile afterwards, so that every object which a row of the
 * snapshot names is in it. Rows come from one transaction that sees one moment.
 */
export async function makeBackup({ config, db, storage }: BackupServices, archive: Archive): Promise<BackupSummary> {
  const known = await readKnown(archive);
  const taken = new Map<string, ArchivedObject>();
  const summary = { rows: 0, newObjects: 0, newBytes: 0 };
  const takeAll = async (): Promise<Set<string>> => {
    const listed = new Set<string>();
    for await (const { key, sizeBytes, modifiedAt } of storage.list('')) {
      listed.add(key);
      const object = { key, sizeBytes, modifiedAt: modifiedAt.getTime() };
      if (isSame(taken.get(key), object)) continue;
      const before = known.get(key);
      const kept = isSame(before, object) ? before : await archive.take(storage, object);
      if (kept === undefined) continue;
      taken.set(key, kept);
      if (kept !== before) {
        summary.newObjects++;
        summary.newBytes += kept.sizeBytes;
      }
    }
    return listed;
  };

  await takeAll();
  const madeAt = new Date();
  let objects: ArchivedObject[] = [];
  const snapshot = await archive.add(madeAt, async (directory) => {
    for (let left = TRIES - 1; ; left--) {
      const { tables, migrations, named } = await writeTables(db, join(directory, 'tables'));
      const listed = await takeAll();
      const missing = named.filter((key) => !taken.has(key));
      // What was lost before the backup stays lost; the check of the storage tells it.
      const lost = await stillNamed(db, missing);
      if (missing.length > lost.length && left > 0) continue;
      if (missing.length > lost.length)
        throw new Error('The storage changes faster than it can be copied. Make the backup at a quieter hour.');
      const kept = new Set([...listed, ...named]);
      objects = [...taken.values()].filter(({ key }) => kept.has(key));
      summary.rows = tables.reduce((sum, { rows }) => sum + rows, 0);
      return {
        format: 1,
        software_version: SOFTWARE_VERSION,
        made_at: madeAt.toISOString(),
        migrations,
        tables,
        objects,
        secret_fingerprint: fingerprintOf(config),
        has_secret: await keepSecret(config, directory),
      };
    }
  });
  return {
    snapshot,
    ...summary,
    objects: objects.length,
    bytes: objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}

/** Recognizes the secret of an installation without telling it. */
export const fingerprintOf = ({ secretKey }: Pick<Config, 'secretKey'>): string =>
  deriveKey(secretKey, 'backup-fingerprint').toString('hex').slice(0, 16);

/** What earlier snapshots hold, by key; of several the latest. */
async function readKnown(archive: Archive): Promise<Map<string, ArchivedObject>> {
  const known = new Map<string, ArchivedObject>();
  for (const snapshot of await archive.list())
    for (const object of (await archive.read(snapshot)).objects) known.set(object.key, object);
  return known;
}

/** Attempts have keys of their own, so equal size and time mean equal bytes. */
const isSame = (
  one: ArchivedObject | undefined,
  other: Pick<ArchivedObject, 'sizeBytes' | 'modifiedAt'>,
): one is ArchivedObject => one?.sizeBytes === other.sizeBytes && one.modifiedAt === other.modifiedAt;

async function writeTables(
  db: Database,
  directory: string,
): Promise<Pick<Manifest, 'tables' | 'migrations'> & { named: string[] }> {
  for (const left of await readdir(directory)) await rm(join(directory, left));
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const tables: Manifest['tables'] = [];
      for (const name of await listTables(trx)) {
        const path = join(directory, `${name}.jsonl.gz`);
        const rows = await writeTable(trx, name, path);
        tables.push({ name, rows, sha256: (await hashFile(path)).sha256 });
      }
      const { rows: migrations } = await sql<{ name: string }>`
        select name from kysely_migration order by name
      `.execute(trx);
      const named = new Set((await listStoredKeys(trx)).map(({ key }) => key));
      return { tables, migrations: migrations.map(({ name }) => name), named: [...named] };
    });
}

/** Keys that rows name now, too. */
async function stillNamed(db: Database, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const now = new Set((await listStoredKeys(db)).map(({ key }) => key));
  return keys.filter((key) => now.has(key));
}

/** The secret made by this installation; one from SECRET_KEY is kept by those who set it. */
async function keepSecret({ dataDir, secretKey }: Config, directory: string): Promise<boolean> {
  if (readSecret(join(dataDir, 'secrets', 'secret-key')) !== secretKey) return false;
  await copyFile(join(dataDir, 'secrets', 'secret-key'), join(directory, 'secret-key'));
  return true;
}
