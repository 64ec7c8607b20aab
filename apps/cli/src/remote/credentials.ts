import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { inputError } from '../command.ts';

/** A server, and the access token by which it knows the user. */
export interface Credentials {
  server: string;
  token: string;
}

/** Where `login` keeps them: in the user's own configuration folder. */
export function credentialsPath(environment: NodeJS.ProcessEnv = process.env): string {
  const folder = environment['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return join(folder, 'heterosis', 'credentials.json');
}

/** Written whole or not at all, and readable by the user only. */
export function saveCredentials(credentials: Credentials, path: string = credentialsPath()): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(fresh, path);
}

/**
 * `HETEROSIS_SERVER` and `HETEROSIS_TOKEN`, else what `login` kept. A token that was kept for one server is never sent
 * to another.
 */
export function findCredentials(environment: NodeJS.ProcessEnv = process.env): Credentials {
  const kept = readKept(credentialsPath(environment));
  const server = serverOf(environment['HETEROSIS_SERVER'] || kept?.server || '');
  const token = environment['HETEROSIS_TOKEN'] || (kept?.server === server ? kept.token : '');
  if (server !== '' && token !== '') return { server, token };
  throw inputError(
    'E-CLI-LOGIN',
    server === '' ? 'You are not signed in to a server.' : `There is no access token for ${server}.`,
    'Run: heterosis login --server ADDRESS, or set HETEROSIS_SERVER and HETEROSIS_TOKEN.',
  );
}

export const serverOf = (address: string): string => address.trim().replace(/\/+$/, '');

function readKept(path: string): Credentials | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Credentials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw inputError('E-CLI-LOGIN', `${path} cannot be read.`, 'Run heterosis login again.', path);
  }
}
