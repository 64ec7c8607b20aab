import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openFileSource } from '@heterosis/file-formats/byte-source';
import { Problem } from '../http/problem.ts';
import { isAbandoned, scratchName } from '../processes/scratch-name.ts';
import { requireSpace, storageFull } from './disk-reserve.ts';
import { givenAgain } from './given-again.ts';
import { folderOf, JOINED, linkPieces, openJoined, statJoined, syncFolder } from './joined-object.ts';
import {
  checkKey,
  ObjectNotFoundError,
  type ObjectStorage,
  type PutOptions,
  type PutResult,
  type SignedGetOptions,
  type SignedPutOptions,
  type StoredObject,
} from './object-storage.ts';
import { signGetUrl, signPutUrl } from './signed-url.ts';

export interface LocalDiskOptions {
  /** Absolute path; created when missing. */
  directory: string;
  /** Address of this server, without trailing slash, for signed URLs; asked for each of them. */
  publicUrl: () => string;
  /** Signs URLs. */
  key: Buffer;
  /** Bytes of the disk that files may not take; see {@link diskSpace}. */
  reserveBytes?: number | undefined;
}

/** Incomplete uploads; outside the key space, because keys never start with a dot. */
const INCOMING = '.incoming';
/** Bytes of the write test: more than a full disk can take. */
const PROBE_BYTES = 64 * 1024;
/** While bytes arrive whose number is not known, the reserve is looked at again after so many. */
const LOOK_AGAIN_BYTES = 64 << 20;
/** Only this server reads them. */
const OWN = { recursive: true, mode: 0o700 } as const;

export function createLocalDiskStorage({
  directory,
  publicUrl,
  key: signingKey,
  reserveBytes,
}: LocalDiskOptions): ObjectStorage {
  const pathOf = (key: string): string => {
    checkKey(key);
    return join(directory, key);
  };

  const linkTo = givenAgain(async (url: string, key: string, options: SignedGetOptions) =>
    signGetUrl(url, signingKey, key, options),
  );

  async function put(
    key: string,
    body: Uint8Array | AsyncIterable<Uint8Array>,
    options: PutOptions = {},
  ): Promise<PutResult> {
    const path = pathOf(key);
    const incoming = join(directory, INCOMING, scratchName());
    try {
      await mkdir(dirname(incoming), OWN);
      const requireRoom = (bytes: number) => requireSpace(directory, reserveBytes, bytes);
      await requireRoom(body instanceof Uint8Array ? body.length : (options.expectedBytes ?? 0));
      const result = await writeWhole(incoming, body, options, requireRoom);
      await placeFile(incoming, path);
      return result;
    } catch (error) {
      await rm(incoming, { force: true });
      throw asStorageProblem(error);
    }
  }

  return {
    put,
    async putFile(key, path, options) {
      const { size } = await stat(path);
      return await put(key, createReadStream(path, { highWaterMark: 1 << 20 }), { expectedBytes: size, ...options });
    },
    async requireSpace(bytes) {
      await mkdir(directory, OWN);
      await requireSpace(directory, reserveBytes, bytes);
    },
    async open(key, name = key) {
      const path = pathOf(key);
      try {
        return await orJoined(openFileSource(path, name), () => openJoined(path, name));
      } catch (error) {
        throw asMissing(error, key);
      }
    },
    async download(key, path) {
      const source = await this.open(key);
      try {
        await pipeline(source.stream(), createWriteStream(path));
      } catch (error) {
        throw asStorageProblem(asMissing(error, key));
      } finally {
        await source.close();
      }
    },
    async find(key) {
      const path = pathOf(key);
      try {
        const { size, mtime } = await orJoined(stat(path), () => statJoined(path));
        return { key, sizeBytes: size, modifiedAt: mtime };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async move(from, to) {
      const [source, target] = [pathOf(from), pathOf(to)];
      try {
        await orJoined(placeFile(source, target), () => placeFolder(folderOf(source), target));
      } catch (error) {
        throw asMissing(error, from);
      }
    },
    async concatenate(pieces, to) {
      const paths = pieces.map(pathOf);
      const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
      const incoming = join(directory, INCOMING, scratchName());
      try {
        if (await linkPieces(paths, incoming)) return await placeFolder(incoming, pathOf(to));
      } catch (error) {
        throw asStorageProblem(error);
      } finally {
        await rm(incoming, { recursive: true, force: true });
      }
      await put(to, readPieces(paths), { expectedBytes: sizes.reduce((sum, size) => sum + size, 0) });
    },
    async delete(...keys) {
      for (const key of keys) {
        const path = pathOf(key);
        for (const one of [path, folderOf(path)]) await rm(one, { recursive: true, force: true });
        await removeEmptyParents(directory, dirname(path));
      }
    },
    async deletePrefix(prefix) {
      for await (const { key } of listFiles(directory, prefix)) await this.delete(key);
    },
    list: (prefix) => listFiles(directory, prefix),
    signPut: async (key: string, options: SignedPutOptions) => signPutUrl(publicUrl(), signingKey, key, options),
    signGet: async (key: string, options: SignedGetOptions) => await linkTo(publicUrl(), key, options),
    async removeUnfinished(before) {
      const incoming = join(directory, INCOMING);
      for (const name of await readdir(incoming).catch(missingAsNone)) {
        const path = join(incoming, name);
        const found = await stat(path).catch(missingAsNone);
        if ('mtime' in found && (found.mtime < before || isAbandoned(name)))
          await rm(path, { recursive: true, force: true });
      }
    },
    async check() {
      const probe = join(directory, INCOMING, scratchName());
      await mkdir(dirname(probe), OWN);
      try {
        await writeWhole(probe, new Uint8Array(PROBE_BYTES), {});
      } finally {
        await rm(probe, { force: true });
      }
    },
  };
}

/** Counts, hashes and checks the bytes while writing them; the file is on disk when this returns. */
async function writeWhole(
  path: string,
  body: Uint8Array | AsyncIterable<Uint8Array>,
  { maxBytes = Number.POSITIVE_INFINITY, expectedBytes }: PutOptions,
  requireRoom: (bytes: number) => Promise<void> = async () => {},
): Promise<PutResult> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let lookAgainAt = LOOK_AGAIN_BYTES;
  async function* metered(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      hash.update(chunk);
      if (sizeBytes >= lookAgainAt) {
        lookAgainAt += LOOK_AGAIN_BYTES;
        await requireRoom(0);
      }
      yield chunk;
    }
  }
  const source = body instanceof Uint8Array ? Readable.from([body], { objectMode: false }) : body;
  // flush: fsync before close, so that the rename never publishes a file that a power cut could empty.
  await pipeline(source, metered, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  checkLength(sizeBytes, expectedBytes);
  return { sizeBytes, sha256: hash.digest('hex') };
}

async function* readPieces(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) yield* createReadStream(path, { highWaterMark: 1 << 20 });
}

export function tooLarge(maxBytes: number): Problem {
  return new Problem('request/too-large', `The file is larger than the ${maxBytes} bytes that are allowed.`, {
    details: { max_bytes: maxBytes },
  });
}

export function checkLength(sizeBytes: number, expectedBytes: number | undefined): void {
  if (expectedBytes === undefined || sizeBytes === expectedBytes) return;
  throw new Problem(
    'files/upload-incomplete',
    `Only ${sizeBytes} of ${expectedBytes} bytes arrived. Nothing was saved; upload the file again.`,
    { details: { received_bytes: sizeBytes, expected_bytes: expectedBytes } },
  );
}

/** What is no file may have been put together of pieces. */
async function orJoined<Found>(file: Promise<Found>, joined: () => Promise<Found>): Promise<Found> {
  try {
    return await file;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return await joined();
  }
}

/** Puts a file in the place of an object, and removes what was there. */
async function placeFile(file: string, path: string): Promise<void> {
  await moveFile(file, path);
  await rm(folderOf(path), { recursive: true, force: true });
}

/** Puts a folder of pieces in the place of an object, and removes what was there. */
async function placeFolder(folder: string, path: string): Promise<void> {
  await stat(folder);
  await rm(folderOf(path), { recursive: true, force: true });
  await moveFile(folder, folderOf(path));
  await rm(path, { force: true });
}

/** Retries when the folder is removed before the file has been moved into it. */
const MOVE_TRIES = 50;

async function moveFile(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await mkdir(dirname(to), OWN);
      await rename(from, to);
      break;
    } catch (error) {
      // The folder was still empty and a concurrent deletion removed it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === MOVE_TRIES) throw error;
      await stat(from);
    }
  // Sync the directory to make the rename durable.
  await syncFolder(dirname(to));
}

async function removeEmptyParents(root: string, start: string): Promise<void> {
  for (let directory = start; directory !== root && directory.startsWith(root); directory = dirname(directory))
    try {
      await rmdir(directory);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY'].includes(code)) return;
      throw error;
    }
}

/** Files whose key starts with `prefix`, in order of the keys as a bucket gives them (bytewise). */
async function* listFiles(root: string, prefix: string): AsyncGenerator<StoredObject> {
  const base = prefix.includes('/') ? join(root, prefix.slice(0, prefix.lastIndexOf('/'))) : root;
  const paths = await listPaths(base);
  const keys = paths
    .map((path) => relative(root, path).split(sep).join('/'))
    .filter((key) => key.startsWith(prefix) && !key.startsWith('.'));
  for (const key of [...new Set(keys)].sort()) {
    const path = join(root, key);
    const found = await orJoined(stat(path), () => statJoined(path)).catch((error: unknown) => {
      // Deleted since the directory was read.
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (found) yield { key, sizeBytes: found.size, modifiedAt: found.mtime };
  }
}

/** All files below, folder by folder: one that is removed meanwhile must not end the listing. */
async function listPaths(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(missingAsNone);
  const paths = entries.map((entry) => {
    const path = join(directory, entry.name);
    if (path.endsWith(JOINED)) return [path.slice(0, -JOINED.length)];
    return entry.isDirectory() ? listPaths(path) : entry.isFile() ? [path] : [];
  });
  return (await Promise.all(paths)).flat();
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

function missingAsNone(error: unknown): [] {
  if (isMissing(error)) return [];
  throw error;
}

const asMissing = (error: unknown, key: string): unknown =>
  isMissing(error) ? new ObjectNotFoundError(key, { cause: error }) : error;

/** Turns a full disk or quota into a problem for the user; rethrows everything else. */
function asStorageProblem(error: unknown): unknown {
  if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) return error;
  return storageFull(error);
}
