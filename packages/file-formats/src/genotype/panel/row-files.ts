import type { FileHandle } from 'node:fs/promises';

/** Writes all bytes at a position of a file. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/**
 * Reads rows of `rowBytes` bytes in the order of `wanted` into `into`. Rows that stand side by side in the file are
 * read together.
 *
 * @param from where the first row begins in the file
 */
export async function gatherRows(
  handle: FileHandle,
  wanted: Uint32Array,
  { rowBytes, from }: { rowBytes: number; from: number },
  into: Uint8Array,
): Promise<void> {
  for (let i = 0; i < wanted.length; ) {
    let count = 1;
    while (i + count < wanted.length && wanted[i + count] === wanted[i] + count) count++;
    await handle.read(into, i * rowBytes, count * rowBytes, from + wanted[i] * rowBytes);
    i += count;
  }
}
