import { hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A secret of this installation, made once and kept in `DATA_DIR/secrets` with mode 600; random unless `first` is
 * given. Two processes starting at the same time get the same one: the file appears whole, by link, or not at all.
 */
export function readOrCreateSecret(
  dataDir: string,
  name: string,
  first: string = randomBytes(32).toString('base64url'),
): string {
  const directory = join(dataDir, 'secrets');
  const path = join(directory, name);
  const existing = readSecret(path);
  if (existing !== undefined) return existing;

  // In two steps, so that the mode applies to the secrets only: other users must be able to traverse the data
  // directory.
  mkdirSync(dataDir, { recursive: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const fresh = join(directory, `.${name}.${randomBytes(6).toString('hex')}`);
  writeFileSync(fresh, first, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(fresh, path);
    chmodSync(path, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh);
  }
  const secret = readSecret(path);
  if (secret === undefined) throw new Error(`The secret ${path} vanished while it was being made.`);
  return secret;
}

/** A 32-byte key for one purpose, so that no key is used for two things (HKDF-SHA256, RFC 5869). */
export function deriveKey(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'heterosis', purpose, 32));
}

/** Undefined when there is no such file. */
export function readSecret(path: string): string | undefined {
  try {
    const secret = readFileSync(path, 'utf8').trim();
    if (secret === '') throw new Error(`The secret file ${path} is empty: delete it to have a new one made.`);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
