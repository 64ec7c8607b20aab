import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Kysely } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';

export const MIGRATIONS_DIRECTORY: string = join(import.meta.dirname, 'migrations');

/** `YYYYMMDDHHMM-what.ts`; any other file in the folder is a mistake and stops the start. */
const MIGRATION_FILE = /^(\d{12}-[a-z0-9-]+)\.ts$/;

const files: MigrationProvider = {
  async getMigrations() {
    const migrations: Record<string, Migration> = {};
    for (const name of (await readdir(MIGRATIONS_DIRECTORY)).sort()) {
      const key = MIGRATION_FILE.exec(name)?.[1];
      if (key === undefined) throw new Error(`Not a migration file name: ${name} (want YYYYMMDDHHMM-what.ts)`);
      migrations[key] = (await import(pathToFileURL(join(MIGRATIONS_DIRECTORY, name)).href)) as Migration;
    }
    return migrations;
  },
};

/**
 * Brings the schema up to date and returns the names of the migrations that ran. All of them run in one transaction
 * under an advisory lock, so of several processes starting at once one migrates and the others wait and find nothing
 * to do.
 */
// `any`: migrations run before the generated types are true.
export async function migrateToLatest(db: Kysely<any>): Promise<string[]> {
  const { error, results = [] } = await new Migrator({ db, provider: files }).migrateToLatest();
  if (error !== undefined) {
    const failed = results.find(({ status }) => status === 'Error')?.migrationName;
    throw new Error(`The database could not be migrated${failed === undefined ? '' : ` (${failed})`}.`, {
      cause: error,
    });
  }
  return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName);
}

/** Names of all migrations of this version, in the order in which they run. */
export const listMigrations = async (): Promise<string[]> => Object.keys(await files.getMigrations());

/** Brings an empty database to an earlier schema: that of a backup. */
// `any`: as above.
export async function migrateTo(db: Kysely<any>, migrations: readonly string[]): Promise<void> {
  const last = migrations.at(-1);
  if (last === undefined) return;
  const { error } = await new Migrator({ db, provider: files }).migrateTo(last);
  if (error !== undefined) throw new Error(`The database could not be migrated to ${last}.`, { cause: error });
}

/** The schema is older than the program. */
export class DatabaseNotMigratedError extends Error {
  constructor(pending: number) {
    super(
      `The database is not up to date: ${pending} ${pending === 1 ? 'migration has' : 'migrations have'} not run. Run first: npx node apps/server/src/entrypoints/migrate.ts`,
    );
    this.name = 'DatabaseNotMigratedError';
  }
}

/**
 * Throws {@link DatabaseNotMigratedError} when a migration has not run. A newer schema passes, so machines can be
 * upgraded one by one.
 */
// `any`: as above.
export async function requireMigrated(db: Kysely<any>): Promise<void> {
  const migrations = await new Migrator({ db, provider: files }).getMigrations();
  const pending = migrations.filter(({ executedAt }) => executedAt === undefined).length;
  if (pending > 0) throw new DatabaseNotMigratedError(pending);
}
