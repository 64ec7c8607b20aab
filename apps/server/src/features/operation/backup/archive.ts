import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Services } from '../../../platform/http/app.ts';
import { ObjectNotFoundError } from '../../../platform/object-storage/object-storage.ts';

/** An object of the storage as a snapshot keeps it. */
export interface ArchivedObject {
  key: string;
  sha256: string;
  sizeBytes: number;
  /** Milliseconds since 1970, by the clock of the storage. */
  modifiedAt: number;
}

/** What a snapshot says of itself. */
export interface Manifest {
  format: 1;
  software_version: string;
  made_at: string;
  /** In the order in which they ran. */
  migrations: string[];
  /** In the order in which they are read. */
  tables: { name: string; rows: number; sha256: string }[];
  objects: ArchivedObject[];
  /** Of the secret that seals keys in the database. */
  secret_fingerprint: string;
  has_secret: boolean;
}

const MANIFEST = 'manifest.json';
const SNAPSHOTS = 'snapshots';
const OBJECTS = 'objects';

/**
 * A directory of backups. Objects lie once under the hash of their bytes, whatever snapshots hold them, so each
 * backup after the first adds only what is new. A snapshot appears whole, by renaming, or not at all.
 *
 *     objects/3f/3f2a…              bytes by SHA-256
 *     snapshots/20261122T133000Z/   manifest.json, tables/*.jsonl.gz, secret-key
 */
export interface Archive {
  directory: string;
  /** Names of snapshots, the oldest first. */
  list(): Promise<string[]>;
  read(snapshot: string): Promise<Manifest>;
  directoryOf(snapshot: string): string;
  /** Fills a new snapshot by `work` in a directory of its own; returns its name. */
  add(madeAt: Date, work: (directory: string) => Promise<Manifest>): Promise<string>;
  /** Takes an object in unless its bytes are there; undefined when the storage has it no more. */
  take(storage: Services['storage'], object: Omit<ArchivedObject, 'sha256'>): Promise<ArchivedObject | undefined>;
  pathOf(sha256: string): string;
  /** Deletes all but the latest snapshots, and bytes that none of them holds. */
  prune(keep: number): Promise<void>;
}

export function openArchive(directory: string): Archive {
  const pathOf = (sha256: string): string => join(directory, OBJECTS, sha256.slice(0, 2), sha256);
  const directoryOf = (snapshot: string): string => join(directory, SNAPSHOTS, snapshot);
  const isThere = (path: string): Promise<boolean> =>
    stat(path).then(
      () => true,
      () => false,
    );

  const archive: Archive = {
    directory,
    pathOf,
    directoryOf,
    async list() {
      const names = await readdir(join(directory, SNAPSHOTS)).catch(() => []);
      return names.filter((name) => /^\d{8}T\d{6}Z(-\d+)?$/.test(name)).toSorted();
    },
    async read(snapshot) {
      return JSON.parse(await readFile(join(directoryOf(snapshot), MANIFEST), 'utf8')) as Manifest;
    },
    async add(madeAt, work) {
      const partial = join(directory, SNAPSHOTS, `.partial-${randomBytes(6).toString('hex')}`);
      await mkdir(join(partial, 'tables'), { recursive: true });
      try {
        const manifest = await work(partial);
        await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, undefined, 1)}\n`);
        const time = madeAt.toISOString().replaceAll(/[-:]|\.\d+/g, '');
        let name = time;
        for (let k = 2; await isThere(directoryOf(name)); k++) name = `${time}-${k}`;
        await rename(partial, directoryOf(name));
        return name;
      } catch (error) {
        await rm(partial, { recursive: true, force: true });
        throw error;
      }
    },
    async take(storage, object) {
      const incoming = join(directory, OBJECTS, `.incoming-${randomBytes(8).toString('hex')}`);
      await mkdir(dirname(incoming), { recursive: true });
      try {
        await storage.download(object.key, incoming);
        const { sha256, sizeBytes } = await hashFile(incoming);
        const path = pathOf(sha256);
        await mkdir(dirname(path), { recursive: true });
        if (!(await isThere(path))) await rename(incoming, path);
        return { ...object, sha256, sizeBytes };
      } catch (error) {
        if (error instanceof ObjectNotFoundError) return undefined;
        throw error;
      } finally {
        await rm(incoming, { force: true });
      }
    },
    async prune(keep) {
      const snapshots = await archive.list();
      for (const old of snapshots.slice(0, Math.max(0, snapshots.length - keep)))
        await rm(directoryOf(old), { recursive: true });
      const held = new Set<string>();
      for (const snapshot of await archive.list())
        for (const { sha256 } of (await archive.read(snapshot)).objects) held.add(sha256);
      for (const folder of await readdir(join(directory, OBJECTS)).catch(() => []))
        for (const sha256 of folder.startsWith('.') ? [] : await readdir(join(directory, OBJECTS, folder)))
          if (!held.has(sha256)) await rm(pathOf(sha256));
    },
  };
  return archive;
}

export async function hashFile(path: string): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return { sha256: hash.digest('hex'), sizeBytes: (await stat(path)).size };
}
