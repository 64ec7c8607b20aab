import { type FileHandle, open, rm } from 'node:fs/promises';

/** Rows are collected to this size before they are written, and blocks of columns are read back at about this size. */
const BLOCK_BYTES = 16 << 20;
/** The block of a new file; it grows with what is written. */
const FIRST_BLOCK_BYTES = 64 << 10;

/**
 * A matrix of bytes on disk, appended row by row and read back by rows or by columns. Files that list samples in rows
 * are turned into markers in rows with it, whatever their size; so is a matrix whose coding is known only at its end.
 */
export class CallMatrixFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #rowBytes: number;
  #block: Uint8Array;
  #filled = 0;
  #written = 0;
  #rowCount = 0;

  private constructor(path: string, handle: FileHandle, rowBytes: number) {
    this.#path = path;
    this.#handle = handle;
    this.#rowBytes = rowBytes;
    this.#block = new Uint8Array(Math.max(rowBytes, FIRST_BLOCK_BYTES));
  }

  /** Creates the file; `rowBytes` is the length of each row. */
  static async create(path: string, rowBytes: number): Promise<CallMatrixFile> {
    return new CallMatrixFile(path, await open(path, 'w+'), rowBytes);
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Appends a row; the bytes are copied. */
  async append(row: Uint8Array): Promise<void> {
    if (this.#filled + row.length > this.#block.length) {
      if (this.#block.length < BLOCK_BYTES) this.#grow();
      else await this.#flush();
    }
    this.#block.set(row, this.#filled);
    this.#filled += row.length;
    this.#rowCount++;
  }

  #grow(): void {
    const larger = new Uint8Array(2 * this.#block.length);
    larger.set(this.#block.subarray(0, this.#filled));
    this.#block = larger;
  }

  async #flush(): Promise<void> {
    let done = 0;
    while (done < this.#filled) {
      const { bytesWritten } = await this.#handle.write(this.#block, done, this.#filled - done, this.#written + done);
      done += bytesWritten;
    }
    this.#written += this.#filled;
    this.#filled = 0;
  }

  /** The same matrix with eight bytes a cell: the double that each byte stands for. This file is removed. */
  async widened(path: string, values: Float64Array): Promise<CallMatrixFile> {
    const wide = await CallMatrixFile.create(path, 8 * this.#rowBytes);
    const row = new Float64Array(this.#rowBytes);
    for await (const bytes of this.rows()) {
      for (let i = 0; i < bytes.length; i++) row[i] = values[bytes[i]];
      await wide.append(new Uint8Array(row.buffer));
    }
    await this.remove();
    return wide;
  }

  /** The rows in order; each array is valid until the next is asked for. */
  async *rows(): AsyncGenerator<Uint8Array> {
    await this.#flush();
    const perBlock = Math.max(1, Math.min(this.#rowCount, Math.floor(BLOCK_BYTES / Math.max(1, this.#rowBytes))));
    const block = new Uint8Array(perBlock * this.#rowBytes);
    for (let first = 0; first < this.#rowCount; first += perBlock) {
      const count = Math.min(perBlock, this.#rowCount - first);
      await readFully(this.#handle, block.subarray(0, count * this.#rowBytes), first * this.#rowBytes);
      for (let i = 0; i < count; i++) yield block.subarray(i * this.#rowBytes, (i + 1) * this.#rowBytes);
    }
  }

  /**
   * The columns in order, `width` bytes (1, 2 or 8) a cell; each array holds one cell a row and is valid until the
   * next is asked for.
   */
  async *columns(width: number): AsyncGenerator<Uint8Array> {
    await this.#flush();
    this.#block = new Uint8Array(0);
    const columnCount = this.#rowBytes / width;
    const columnBytes = this.#rowCount * width;
    const perBlock = Math.max(1, Math.min(columnCount, Math.floor(BLOCK_BYTES / Math.max(1, columnBytes))));
    const slice = new Uint8Array(perBlock * width);
    const block = new Uint8Array(perBlock * columnBytes);
    for (let first = 0; first < columnCount; first += perBlock) {
      const count = Math.min(perBlock, columnCount - first);
      for (let row = 0; row < this.#rowCount; row++) {
        await readFully(this.#handle, slice.subarray(0, count * width), row * this.#rowBytes + first * width);
        for (let i = 0; i < count; i++) {
          for (let byte = 0; byte < width; byte++)
            block[i * columnBytes + row * width + byte] = slice[i * width + byte];
        }
      }
      for (let i = 0; i < count; i++) yield block.subarray(i * columnBytes, (i + 1) * columnBytes);
    }
  }

  /** Closes and removes the file. */
  async remove(): Promise<void> {
    await this.#handle.close();
    await rm(this.#path, { force: true });
  }
}

async function readFully(handle: FileHandle, into: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < into.length) {
    const { bytesRead } = await handle.read(into, done, into.length - done, position + done);
    if (bytesRead === 0) throw new Error('a temporary file became shorter while it was read');
    done += bytesRead;
  }
}
