import { type FileHandle, open } from 'node:fs/promises';
import { LineBuffer } from './line-buffer.ts';

const BLOCK_BYTES = 1 << 20;

/** Writes a text file of many short lines, one block of bytes at a time. */
export class LineWriter extends LineBuffer {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    super(BLOCK_BYTES + (1 << 16));
    this.#handle = handle;
  }

  /** Creates or truncates the file, lets `write` fill it, and always closes it. */
  static async write(path: string, write: (lines: LineWriter) => Promise<void>): Promise<void> {
    const handle = await open(path, 'w');
    try {
      const lines = new LineWriter(handle);
      await write(lines);
      await lines.#flush();
    } finally {
      await handle.close();
    }
  }

  /** Ends a line; returns a promise only when a block has to be written. */
  end(): Promise<void> | undefined {
    this.newLine();
    return this.length >= BLOCK_BYTES ? this.#flush() : undefined;
  }

  async #flush(): Promise<void> {
    const bytes = this.written;
    for (let done = 0; done < bytes.length; ) {
      done += (await this.#handle.write(bytes, done, bytes.length - done)).bytesWritten;
    }
    this.clear();
  }
}
