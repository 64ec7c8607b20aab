import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commandLine, usageError } from '../console/command-line.ts';
import {
  findSnapshot,
  openArchive,
  readSecretOf,
  restoreBackup,
  verifyStorage,
} from '../features/operation/backup/index.ts';
import { loadConfig } from '../platform/config/config.ts';
import { createObjectStorage } from '../platform/object-storage/create-object-storage.ts';
import { openFoundation } from './foundation.ts';

const HELP = `NAME
      npm run restore - brings a backup into an empty installation

SYNOPSIS
      npm run restore -- --from DIRECTORY [--snapshot NAME]

DESCRIPTION
      Restores the latest snapshot, or the one named, into the database and the storage that the environment names
      (DATABASE_URL, STORAGE and so on; without them into DATA_DIR). Both must be empty. Every byte is checked against
      its hash; if anything is wrong the database stays empty. Then start the servers: runs that waited or were under
      way begin again by themselves.

      If the installation was given its secret as SECRET_KEY, set the same one.

EXIT STATUS
      0   everything is restored
      1   nothing is in the database
      2   bad input
`;

async function restore(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { from: { type: 'string' }, snapshot: { type: 'string' } } });
  if (values.from === undefined) throw usageError('Say where the backup is: npm run restore -- --from DIRECTORY');
  const archive = openArchive(resolve(values.from));
  const snapshot = await findSnapshot(archive, values.snapshot);
  const config = loadConfig(process.env, { secret: await readSecretOf(archive, snapshot) });
  const { db, close } = await openFoundation({
    config: { ...config, log: { ...config.log, level: 'silent' } },
    prepare: async () => {},
    print: tell,
  });
  try {
    const { storage } = createObjectStorage(config);
    const { rows, objects } = await restoreBackup({ config, db, storage }, archive, snapshot);
    const { missing, damaged } = await verifyStorage({ db, storage }, { hashes: true });
    tell(`${snapshot}: ${rows} rows and ${objects} files restored.`);
    for (const { key } of missing) tell(`Was lost before the backup: ${key}`);
    for (const { key } of damaged) tell(`Differs from the hash of its row: ${key}`);
  } finally {
    await close();
  }
}

const tell = (line: string): void => void process.stdout.write(`${line}\n`);

await commandLine(HELP, restore);
