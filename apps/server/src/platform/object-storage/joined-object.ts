import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteSource, openFileSource } from '@heterosis/file-formats/byte-source';

// An object that was put together of others is a folder of hard links to them: no byte is read or written again.

/** Keys are made of ids and fixed words: none ends like this. */
export const JOINED = '.pieces';

/** The folder of an object that was put together, beside the place where it would be as a file. */
export const folderOf = (path: string): string => `${path}${JOINED}`;

/** File systems without hard links, and pieces on another one. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'];

/** Links the pieces into a new folder, in this order. False where the file system has no links. */
export async function linkPieces(pieces: readonly string[], folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    for (const [index, piece] of pieces.entries()) await link(piece, join(folder, String(index).padStart(6, '0')));
    await syncFolder(folder);
    return true;
  } catch (error) {
    if (NO_LINKS.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Makes what was put into a folder or taken out of it durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

interface Piece {
  path: string;
  /** Of its first byte in the object. */
  offset: number;
  size: number;
}

/** Size and time of an object that was put together. Throws ENOENT where there is none. */
export async function statJoined(path: string): Promise<{ size: number; mtime: Date }> {
  const { mtime } = await stat(folderOf(path));
  return { size: sizeOf(await piecesOf(path)), mtime };
}

/**
 * Reads an object that was put together; throws ENOENT where there is none. Pieces are opened one at a time: a large
 * object has more of them than a process may have open files.
 */
export async function openJoined(path: string, name: string): Promise<ByteSource> {
  const pieces = await piecesOf(path);
  return {
    name,
    size: sizeOf(pieces),
    async *stream() {
      for (const piece of pieces) yield* createReadStream(piece.path, { highWaterMark: 1 << 20 });
    },
    async read(offset, length) {
      const parts: Uint8Array[] = [];
      for (const piece of pieces) {
        const first = Math.max(offset, piece.offset);
        const end = Math.min(offset + length, piece.offset + piece.size);
        if (first >= end) continue;
        const source = await openFileSource(piece.path, name);
        try {
          parts.push(await source.read(first - piece.offset, end - first));
        } finally {
          await source.close();
        }
      }
      return parts.length === 1 ? (parts[0] ?? new Uint8Array(0)) : Buffer.concat(parts);
    },
    close: async () => {},
  };
}

async function piecesOf(path: string): Promise<Piece[]> {
  const folder = folderOf(path);
  let offset = 0;
  const pieces: Piece[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const { size } = await stat(join(folder, name));
    pieces.push({ path: join(folder, name), offset, size });
    offset += size;
  }
  return pieces;
}

const sizeOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { size }) => sum + size, 0);
