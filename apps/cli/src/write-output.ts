import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes text to a file that gets its name only when it is complete: an interrupted run leaves no half result. */
export async function writeOutput(path: string, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const part = `${path}.part`;
  try {
    await pipeline(Readable.from(chunks), createWriteStream(part));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
