import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Services } from '../../../platform/http/app.ts';
import { UPLOAD_PARTS, UPLOADS } from '../../data/files/index.ts';
import { listStoredKeys } from './stored-keys.ts';

export interface StorageReport {
  objects: number;
  bytes: number;
  /** Named by a row, but not in the storage. */
  missing: { key: string; table: string }[];
  /** In the storage, but named by no row, and not of an upload or run under way. */
  orphans: { key: string; sizeBytes: number }[];
  /** Originals whose bytes have another SHA-256 than their row says; only with `hashes`. */
  damaged: { key: string }[];
}

/** A younger object may belong to a row that is about to be written. */
const YOUNG_MS = 3_600_000;
/** Swept by their age. */
const isOfUpload = (key: string): boolean => key.startsWith(UPLOADS) || key.startsWith(UPLOAD_PARTS);

/** Compares rows with the storage, over all tenants, while the product is in use. Changes nothing. */
export async function verifyStorage(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  { hashes = false, youngMs = YOUNG_MS }: { hashes?: boolean; youngMs?: number } = {},
): Promise<StorageReport> {
  // The storage first: an object that comes later is not missed as an orphan, and a row that comes later names
  // objects that are looked up one by one.
  const found = new Map<string, { sizeBytes: number; modifiedAt: Date }>();
  for await (const { key, sizeBytes, modifiedAt } of storage.list('')) found.set(key, { sizeBytes, modifiedAt });
  const named = await listStoredKeys(db);
  const missing: StorageReport['missing'] = [];
  for (const { key, table } of named)
    if (!found.has(key) && (await storage.find(key)) === undefined) missing.push({ key, table });
  // A row that was deleted meanwhile misses nothing.
  const now = missing.length === 0 ? new Set<string>() : new Set((await listStoredKeys(db)).map(({ key }) => key));

  const names = new Set(named.map(({ key }) => key));
  const running = await listRunningPrefixes(db);
  const old = Date.now() - youngMs;
  const orphans = [...found]
    .filter(
      ([key, { modifiedAt }]) =>
        !names.has(key) &&
        !isOfUpload(key) &&
        modifiedAt.getTime() < old &&
        !running.some((part) => key.includes(part)),
    )
    .map(([key, { sizeBytes }]) => ({ key, sizeBytes }));
  return {
    objects: found.size,
    bytes: [...found.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    missing: missing.filter(({ key }) => now.has(key)),
    orphans,
    damaged: hashes ? await findDamaged({ db, storage }) : [],
  };
}

/** Parts of the keys under which runs that have not ended write: `/{run}-{attempt}/`. */
async function listRunningPrefixes(db: Services['db']): Promise<string[]> {
  const runs = await db.selectFrom('runs').select('id').where('finished_at', 'is', null).execute();
  return runs.map(({ id }) => `/${id}-`);
}

async function findDamaged({ db, storage }: Pick<Services, 'db' | 'storage'>): Promise<{ key: string }[]> {
  const { rows } = await sql<{ key: string; sha256: string }>`
    select storage_key as key, sha256 from files where sha256 is not null order by storage_key
  `.execute(db);
  const damaged: { key: string }[] = [];
  for (const { key, sha256 } of rows) {
    if ((await storage.find(key)) === undefined) continue;
    const source = await storage.open(key);
    try {
      const hash = createHash('sha256');
      for await (const block of source.stream()) hash.update(block);
      if (hash.digest('hex') !== sha256) damaged.push({ key });
    } finally {
      await source.close();
    }
  }
  return damaged;
}
