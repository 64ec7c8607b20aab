import { statfs } from 'node:fs/promises';
import { Problem } from '../http/problem.ts';

const GIB = 1024 ** 3;
/** Of a disk on which a gigabyte would be much. */
const SHARE = 0.05;

export interface DiskSpace {
  /** What a user who is not root may still write. */
  freeBytes: number;
  reserveBytes: number;
}

/** The disk of an existing directory. The reserve is what was set, or else 1 GiB, or 5 % of a disk below 20 GiB. */
export async function diskSpace(directory: string, reserveBytes: number | undefined): Promise<DiskSpace> {
  const { bavail, bsize, blocks } = await statfs(directory);
  return { freeBytes: bavail * bsize, reserveBytes: reserveBytes ?? Math.min(GIB, SHARE * blocks * bsize) };
}

/** Throws `Problem` server/storage-full when so many more bytes would touch what is kept free for the database. */
export async function requireSpace(directory: string, reserveBytes: number | undefined, bytes = 0): Promise<void> {
  const space = await diskSpace(directory, reserveBytes);
  if (space.freeBytes - bytes < space.reserveBytes) throw storageFull();
}

export const storageFull = (cause?: unknown): Problem =>
  new Problem(
    'server/storage-full',
    'There is no space left to store this. Nothing was saved; tell the operator.',
    cause === undefined ? {} : { cause },
  );
