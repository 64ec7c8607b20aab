import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

/** The compression method deflate. */
const DEFLATED = 8;
/** zlib level: the next one takes five times as long on genotype text and saves a seventh. */
const LEVEL = 4;
const OUTPUT_BYTES = 1 << 16;

/**
 * A zip archive of generated files, deflated one after the other as their bytes arrive. Without Zip64, so files are
 * limited to 4 GB.
 */
export async function* zipChunks(
  files: Iterable<readonly [name: string, chunks: AsyncIterable<Uint8Array>]>,
): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    if (error !== null) failure = error;
    else ready.push(chunk);
  });
  for (const [filename, chunks] of files) {
    const entry: ZipInputFile = { filename, size: 0, crc: 0, compression: DEFLATED };
    zip.add(entry);
    const deflate = createDeflateRaw({ level: LEVEL, chunkSize: OUTPUT_BYTES });
    // An error of either stream reaches the loop that reads the output.
    pipeline(Readable.from(counted(chunks, entry)), deflate, () => {});
    for await (const chunk of deflate) {
      entry.ondata?.(null, chunk as Uint8Array<ArrayBuffer>, false);
      if (failure !== null) throw failure;
      yield* ready;
      ready = [];
    }
    entry.ondata?.(null, new Uint8Array(0), true);
  }
  zip.end();
  if (failure !== null) throw failure;
  yield* ready;
}

/** Passes the bytes on and counts them for the archive's directory. */
async function* counted(chunks: AsyncIterable<Uint8Array>, entry: ZipInputFile): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    // Copied, because it is kept until deflated and readers reuse their buffers.
    const bytes = chunk.slice();
    entry.size += bytes.length;
    entry.crc = crc32(bytes, entry.crc);
    yield bytes;
  }
}
