import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commandLine, sizeInWords, usageError } from '../console/command-line.ts';
import { makeBackup, openArchive, restoreBackup, verifyStorage } from '../features/operation/backup/index.ts';
import { type Config, loadConfig } from '../platform/config/config.ts';
import { requireMigrated } from '../platform/database/migrate.ts';
import { createObjectStorage } from '../platform/object-storage/create-object-storage.ts';
import { withProcessLock } from '../platform/processes/process-lock.ts';
import { hasEmbeddedDatabase, openFoundation } from './foundation.ts';

const HELP = `NAME
      npm run backup - copies database and files of an installation while it is in use

SYNOPSIS
      npm run backup -- --to DIRECTORY [--keep NUMBER] [--verify]

DESCRIPTION
      Adds a snapshot to the directory: all rows as of one moment, and all files that they name. Bytes that an earlier
      snapshot holds are not copied again, so make it as often as you like, for example every night. Give it the same
      environment as the servers (DATABASE_URL, STORAGE, SECRET_KEY and so on).

      A secret that the installation made itself (DATA_DIR/secrets/secret-key) is in the snapshot; one given as
      SECRET_KEY is not. Keep the directory where only operators can read it, and on another machine.

OPTIONS
      --to DIRECTORY    where the snapshots lie; made if it is not there
      --keep NUMBER     deletes all but the latest snapshots afterwards
      --verify          restores the snapshot into an empty installation below ${tmpdir()} and compares every hash

EXIT STATUS
      0   the snapshot is complete
      1   it is not; what was copied is used by the next one
      2   bad input
`;

/** A backup that copies for a day is stuck. */
const LOCK_TIMEOUT_MS = 5_000;

async function backup(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { to: { type: 'string' }, keep: { type: 'string' }, verify: { type: 'boolean' } },
  });
  if (values.to === undefined) throw usageError('Say where the backup goes: npm run backup -- --to DIRECTORY');
  const keep = values.keep === undefined ? undefined : Number(values.keep);
  if (keep !== undefined && !(Number.isInteger(keep) && keep >= 1))
    throw usageError('--keep must be a whole number of at least 1.');
  const archive = openArchive(resolve(values.to));
  const config = loadConfig();
  // In a wrong directory a new, empty database would be made.
  if (config.database.url === undefined && !hasEmbeddedDatabase(config))
    throw usageError(
      `There is no Heterosis database in ${config.dataDir}. Set DATA_DIR or DATABASE_URL as for the server.`,
    );
  await withProcessLock(join(archive.directory, 'backup.lock'), LOCK_TIMEOUT_MS, async () => {
    const { db, close } = await openFoundation({ config: quiet(config), prepare: requireMigrated, print: tell });
    try {
      const { storage } = createObjectStorage(config);
      const made = await makeBackup({ config, db, storage }, archive);
      tell(
        `${made.snapshot}: ${made.rows} rows, ${made.objects} files (${sizeInWords(made.bytes)}); ` +
          `${made.newObjects} of them new (${sizeInWords(made.newBytes)}).`,
      );
      const { missing } = await verifyStorage({ db, storage });
      for (const { key, table } of missing) tell(`Not in the storage, though ${table} names it: ${key}`);
      if (values.verify) await restoreElsewhere(config, archive, made.snapshot);
      if (keep !== undefined) await archive.prune(keep);
    } finally {
      await close();
    }
  });
}

/** Restores into an embedded database and a folder of their own, and deletes them. */
async function restoreElsewhere(config: Config, archive: ReturnType<typeof openArchive>, snapshot: string) {
  const directory = await mkdtemp(join(tmpdir(), 'heterosis-verify-'));
  try {
    const elsewhere = loadConfig({ DATA_DIR: directory, SECRET_KEY: config.secretKey });
    const { db, close } = await openFoundation({ config: quiet(elsewhere), prepare: async () => {}, print: tell });
    try {
      const { storage } = createObjectStorage(elsewhere);
      const { rows, objects } = await restoreBackup({ config: elsewhere, db, storage }, archive, snapshot);
      const { damaged } = await verifyStorage({ db, storage }, { hashes: true });
      if (damaged.length > 0) throw new Error(`Restored files differ from their hashes: ${damaged[0]?.key} …`);
      tell(`Restored to see that it can be: ${rows} rows, ${objects} files, every hash as stored.`);
    } finally {
      await close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const quiet = (config: Config): Config => ({ ...config, log: { ...config.log, level: 'silent' } });
const tell = (line: string): void => void process.stdout.write(`${line}\n`);

await commandLine(HELP, backup);
