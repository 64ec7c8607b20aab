import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

/** Deflated, in the numbers of a zip. */
const DEFLATED = 8;
/** The level of zlib after which text of genotypes takes five times as long and becomes a seventh smaller. */
const LEVEL = 4;
const OUTPUT_BYTES = 1 << 16;

/**
 * A zip archive of files that are made while they are written, one after the other, each deflated as it comes. No Zip64: a file of
 * more than 4 GB does not fit.
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
    // A failure of either end reaches the loop, which reads from the other one.
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

/** The bytes as they come, counted for the directory of the archive. */
async function* counted(chunks: AsyncIterable<Uint8Array>, entry: ZipInputFile): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    // What is handed over is kept until it is deflated; readers reuse their buffers.
    const bytes = chunk.slice();
    entry.size += bytes.length;
    entry.crc = crc32(bytes, entry.crc);
    yield bytes;
  }
}
