import { createHash } from 'node:crypto';
import type { ByteSource } from '@heterosis/file-formats/byte-source';
import { PartsHash } from '../uploading/parts-hash.ts';

/** A reader of an archive skips headers between its entries; gaps up to this length are read for the hash. */
const LONGEST_GAP = 64 * 1024;
/** What no reader asked for is read in pieces of this length. */
const REST_BYTES = 8 << 20;

export interface HashedSource extends ByteSource {
  /** Reads what nobody has read yet, and returns the SHA-256 of all bytes; with `partBytes` also that of the parts. */
  digest(): Promise<{ sha256: string; parts: string | undefined }>;
}

export interface HashingOptions {
  /** Length of the parts whose hashes are hashed, see {@link PartsHash}. */
  partBytes?: number | undefined;
  /** Told how many bytes from the start have been read. */
  onRead?: (done: number, total: number) => void;
}

/** A source that is hashed while it is read, so that its bytes are read once. */
export function hashedSource(source: ByteSource, { partBytes, onRead }: HashingOptions = {}): HashedSource {
  const whole = createHash('sha256');
  const parts = partBytes === undefined ? undefined : new PartsHash(partBytes);
  let digest: { sha256: string; parts: string | undefined } | undefined;
  let done = 0;
  /** Adds what follows on the bytes hashed so far; anything else was hashed before, or is read again at the end. */
  const see = (offset: number, bytes: Uint8Array): void => {
    if (offset > done || offset + bytes.length <= done) return;
    const next = bytes.subarray(done - offset);
    whole.update(next);
    parts?.update(next);
    done += next.length;
    onRead?.(done, source.size);
  };
  async function* stream(): AsyncGenerator<Uint8Array> {
    let offset = 0;
    for await (const chunk of source.stream()) {
      see(offset, chunk);
      offset += chunk.length;
      yield chunk;
    }
  }
  async function read(offset: number, length: number): Promise<Uint8Array> {
    if (offset > done && offset - done <= LONGEST_GAP) see(done, await source.read(done, offset - done));
    const bytes = await source.read(offset, length);
    see(offset, bytes);
    return bytes;
  }
  return {
    name: source.name,
    size: source.size,
    stream,
    read,
    close: () => source.close(),
    async digest() {
      if (done === 0) for await (const _ of stream());
      while (done < source.size) {
        const bytes = await read(done, REST_BYTES);
        if (bytes.length === 0) break;
      }
      digest ??= { sha256: whole.digest('hex'), parts: parts?.digest() };
      return digest;
    },
  };
}
