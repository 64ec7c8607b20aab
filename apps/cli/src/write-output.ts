import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, realpath, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes text or bytes to a file that gets its name only when complete: an interrupted run leaves no partial result.
 */
export async function writeOutput(
  path: string,
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const { place, part } = await placesOf(path);
  try {
    await pipeline(Readable.from(chunks), createWriteStream(part));
    await rename(part, place);
  } catch (error) {
    await rm(part, { force: true });
    throw withPath(error, path);
  }
}

/** A file written piece by piece; `finish` gives it its name. */
export interface GrowingOutput {
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  /** Deletes what was written. */
  discard(): Promise<void>;
}

/** Creates the file of a {@link GrowingOutput}. */
export async function openOutput(path: string): Promise<GrowingOutput> {
  const { place, part } = await placesOf(path);
  let file: FileHandle | null = await open(part, 'w').catch((error: unknown) => Promise.reject(withPath(error, path)));
  const close = async () => {
    await file?.close();
    file = null;
  };
  return {
    async write(text) {
      try {
        await file?.writeFile(text);
      } catch (error) {
        throw withPath(error, path);
      }
    },
    async finish() {
      await close();
      await rename(part, place);
    },
    async discard() {
      await close();
      await rm(part, { force: true });
    },
  };
}

/**
 * The target of a result, links followed, and its temporary name. The latter is unique, so that two runs with the same
 * `--out` (as in an array job on a cluster) do not write to one file.
 */
async function placesOf(path: string): Promise<{ place: string; part: string }> {
  const place = await realpath(path).catch(() => path);
  return { place, part: `${place}.${randomUUID().slice(0, 8)}.part` };
}

/** The system's error for a failed write names no file, or the temporary one: name the target. */
function withPath(error: unknown, path: string): unknown {
  if (error instanceof Error && 'code' in error) Object.assign(error, { path });
  return error;
}
