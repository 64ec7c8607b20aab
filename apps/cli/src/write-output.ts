import { createWriteStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes text or bytes to a file that gets its name only when it is complete: an interrupted run leaves no half result. */
export async function writeOutput(
  path: string,
  chunks: Iterable<string> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const part = `${path}.part`;
  try {
    await pipeline(Readable.from(chunks), createWriteStream(part));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** A file that is written piece by piece, and gets its name only from `finish`. */
export interface GrowingOutput {
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  /** Takes away what was written. */
  discard(): Promise<void>;
}

/** Opens a file for {@link GrowingOutput}; it is created with the first piece. */
export function openOutput(path: string): GrowingOutput {
  const part = `${path}.part`;
  let file: FileHandle | null = null;
  const close = async () => {
    await file?.close();
    file = null;
  };
  return {
    async write(text) {
      file ??= await open(part, 'w');
      await file.writeFile(text);
    },
    async finish() {
      await close();
      await rename(part, path);
    },
    async discard() {
      await close();
      await rm(part, { force: true });
    },
  };
}
