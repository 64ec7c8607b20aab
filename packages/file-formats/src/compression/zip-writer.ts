import { Zip, ZipDeflate } from 'fflate';

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
  for (const [name, chunks] of files) {
    const entry = new ZipDeflate(name, { level: 6 });
    zip.add(entry);
    for await (const chunk of chunks) {
      // What is handed over is kept until it is deflated; readers reuse their buffers.
      entry.push(chunk.slice(), false);
      if (failure !== null) throw failure;
      yield* ready;
      ready = [];
    }
    entry.push(new Uint8Array(0), true);
  }
  zip.end();
  if (failure !== null) throw failure;
  yield* ready;
}
