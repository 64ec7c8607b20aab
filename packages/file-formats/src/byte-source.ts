import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Bytes that can be streamed from the start and read by range: a file on disk or an object in a bucket. */
export interface ByteSource {
  /** File name for messages and for formats that need it; never used to choose a format. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Reads `length` bytes from `offset` (0-based); fewer only at the end of the source. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** All bytes from the start, in chunks of the source's choosing. */
  stream(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Opens a file on disk as a {@link ByteSource}. Throws the system's error when it cannot be opened. */
export async function openFileSource(path: string, name: string = path): Promise<ByteSource> {
  const handle: FileHandle = await open(path, 'r');
  const { size } = await handle.stat();
  return {
    name,
    size,
    async read(offset, length) {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
      let filled = 0;
      while (filled < buffer.length) {
        const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    },
    stream: () => createReadStream(path, { highWaterMark: 1 << 20 }),
    close: () => handle.close(),
  };
}

/** Bytes already in memory as a {@link ByteSource}. */
export function memorySource(bytes: Uint8Array, name = 'memory'): ByteSource {
  return {
    name,
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    async *stream() {
      yield bytes;
    },
    close: async () => {},
  };
}
