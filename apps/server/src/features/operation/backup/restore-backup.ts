import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../../platform/config/config.ts';
import { listMigrations, migrateTo, migrateToLatest } from '../../../platform/database/migrate.ts';
import type { Services } from '../../../platform/http/app.ts';
import { type Archive, hashFile, type Manifest } from './archive.ts';
import { fingerprintOf } from './make-backup.ts';
import { listFilledTables, readTable } from './table-snapshot.ts';

type RestoreServices = Pick<Services, 'config' | 'db' | 'storage'>;

/** Why nothing was restored; a sentence for the operator. */
export class RestoreRefusedError extends Error {
  override name = 'RestoreRefusedError';
}

/** The snapshot to restore: the one named, or the latest. */
export async function findSnapshot(archive: Archive, name?: string): Promise<string> {
  const snapshots = await archive.list();
  const found = name === undefined ? snapshots.at(-1) : snapshots.find((one) => one === name);
  if (found !== undefined) return found;
  throw new RestoreRefusedError(
    snapshots.length === 0
      ? `There is no backup in ${archive.directory}.`
      : `There is no snapshot ${name} in ${archive.directory}. There are: ${snapshots.join(', ')}.`,
  );
}

/** The secret that a snapshot holds; undefined when the installation was given its secret as SECRET_KEY. */
export async function readSecretOf(archive: Archive, snapshot: string): Promise<string | undefined> {
  const { has_secret } = await archive.read(snapshot);
  return has_secret ? (await readFile(join(archive.directoryOf(snapshot), 'secret-key'), 'utf8')).trim() : undefined;
}

/**
 * Brings rows and objects of a snapshot into an empty installation: the schema as it was, the objects, the rows in one
 * transaction, then the migrations of this version. Every byte is checked against its SHA-256. When it fails the
 * database is still without rows, and it can be repeated.
 */
export async function restoreBackup(
  { config, db, storage }: RestoreServices,
  archive: Archive,
  snapshot: string,
): Promise<{ rows: number; objects: number }> {
  const manifest = await archive.read(snapshot);
  requireSecret(config, manifest);
  const known = await listMigrations();
  if (manifest.migrations.some((name, index) => known[index] !== name))
    throw new RestoreRefusedError(
      `The backup was made by a newer version (${manifest.software_version}). Restore it with that version.`,
    );
  const filled = await listFilledTables(db);
  if (filled.length > 0)
    throw new RestoreRefusedError(
      `The database is not empty (${filled.slice(0, 3).join(', ')} have rows). Restore into an empty one: another DATA_DIR or DATABASE_URL.`,
    );
  await migrateTo(db, manifest.migrations);
  for (const { key, sha256 } of manifest.objects) {
    const put = await storage.putFile(key, archive.pathOf(sha256));
    if (put.sha256 !== sha256) throw damaged(archive.pathOf(sha256));
  }
  let rows = 0;
  await db.transaction().execute(async (trx) => {
    for (const { name, sha256, rows: expected } of manifest.tables) {
      const path = join(archive.directoryOf(snapshot), 'tables', `${name}.jsonl.gz`);
      if ((await hashFile(path)).sha256 !== sha256) throw damaged(path);
      const read = await readTable(trx, name, path);
      if (read !== expected) throw damaged(path);
      rows += read;
    }
  });
  await migrateToLatest(db);
  return { rows, objects: manifest.objects.length };
}

/** Signing keys of the database are sealed with the secret: with another one nobody could stay signed in. */
function requireSecret(config: Config, manifest: Manifest): void {
  if (fingerprintOf(config) === manifest.secret_fingerprint) return;
  throw new RestoreRefusedError(
    manifest.has_secret
      ? `This installation has another secret than the backup. Remove ${join(config.dataDir, 'secrets', 'secret-key')} if it is new, then repeat.`
      : 'The backup was made with another SECRET_KEY. Set the same one, then repeat.',
  );
}

const damaged = (path: string): Error =>
  new RestoreRefusedError(`${path} is damaged. Nothing was restored into the database; take another snapshot.`);
