import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from './config-error.ts';

/**
 * Makes the data directory and what is missing above it, one directory at a time: `mkdir` with `recursive` never
 * returns where the file system refuses new entries as missing ones, as below /proc.
 */
export function makeDataDirectory(path: string, mode: number = dataMode): void {
  if (isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDataDirectory(parent, 0o755);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // Made by another process that started at the same time; otherwise a file has the name.
    if (code === 'EEXIST' && isDirectory(path)) return;
    if (!NO_PLACE.has(code)) throw error;
    throw new ConfigError([`DATA_DIR: no directory can be made at ${path} (${code}). Choose another.`]);
  }
}

/** What file systems without room for new directories answer. */
const NO_PLACE = new Set(['ENOENT', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

/**
 * Others see nothing of it. The database that root starts runs as another user, who must get through to its own
 * directory.
 */
const dataMode = process.getuid?.() === 0 ? 0o711 : 0o700;

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
