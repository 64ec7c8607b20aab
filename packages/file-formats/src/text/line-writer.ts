import { type FileHandle, open } from 'node:fs/promises';
import { csvCell } from './csv-cell.ts';

const BLOCK_BYTES = 1 << 20;
const LF = 10;
const POINT = 0x2e;
const ZERO = 0x30;

/** Writes a text file of many short lines: pieces go to one block of bytes without becoming strings first. */
export class LineWriter {
  readonly #handle: FileHandle;
  #bytes = Buffer.allocUnsafe(BLOCK_BYTES + (1 << 16));
  #used = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Makes or empties the file, lets `write` fill it, and closes it whatever happens. */
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

  text(text: string): void {
    this.#reserve(3 * text.length);
    let at = this.#used;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 127) {
        this.#used += this.#bytes.write(text, this.#used, 'utf8');
        return;
      }
      this.#bytes[at++] = unit;
    }
    this.#used = at;
  }

  /** UTF-8 bytes from `start` to before `end`. */
  bytes(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    const into = this.#bytes;
    let at = this.#used;
    for (let i = start; i < end; i++) into[at++] = bytes[i];
    this.#used = at;
  }

  /** As `bytes`, as one cell of a CSV file; see {@link csvCell}. */
  cell(bytes: Uint8Array, start: number, end: number): void {
    for (let i = start; i < end; i++) {
      // Letters, digits, `_ . : @ / |` and all beyond ASCII need no care, except `@` at the beginning; hardly any id has anything else.
      const byte = bytes[i];
      if (byte < 0x2e || (byte === 0x40 && i === start) || (byte > 0x3a && byte < 0x40)) {
        this.text(csvCell(Buffer.from(bytes.subarray(start, end)).toString('utf8')));
        return;
      }
    }
    this.bytes(bytes, start, end);
  }

  /** A whole number from 0 on. */
  integer(value: number): void {
    if (value > 0x7fffffff) {
      this.text(String(value));
      return;
    }
    this.#reserve(10);
    let digits = 1;
    for (let limit = 10; value >= limit; limit *= 10) digits++;
    // In 32-bit integers, which are no objects even before this code is compiled.
    let rest = value | 0;
    for (let at = this.#used + digits - 1; at >= this.#used; at--) {
      const next = (rest / 10) | 0;
      this.#bytes[at] = ZERO + rest - 10 * next;
      rest = next;
    }
    this.#used += digits;
  }

  /** A whole number from 0 on divided by 10^`decimals` (at most 9), exactly and without zeros at its end. */
  decimal(value: number, decimals: number): void {
    const scale = 10 ** decimals;
    const whole = Math.floor(value / scale);
    this.integer(whole);
    let rest = (value - whole * scale) | 0;
    if (rest === 0) return;
    let digits = decimals;
    for (; rest % 10 === 0; digits--) rest = (rest / 10) | 0;
    this.#reserve(1 + digits);
    this.#bytes[this.#used] = POINT;
    for (let at = this.#used + digits; at > this.#used; at--) {
      const next = (rest / 10) | 0;
      this.#bytes[at] = ZERO + rest - 10 * next;
      rest = next;
    }
    this.#used += 1 + digits;
  }

  /** Ends a line; the promise is there only when a block has to be written. */
  end(): Promise<void> | undefined {
    this.#reserve(1);
    this.#bytes[this.#used++] = LF;
    return this.#used >= BLOCK_BYTES ? this.#flush() : undefined;
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#used + bytes));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }

  async #flush(): Promise<void> {
    for (let done = 0; done < this.#used; ) {
      done += (await this.#handle.write(this.#bytes, done, this.#used - done)).bytesWritten;
    }
    this.#used = 0;
  }
}
