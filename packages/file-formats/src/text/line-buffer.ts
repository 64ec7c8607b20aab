import { type CodeTexts, WORD_BYTES } from './code-texts.ts';
import { csvCell } from './csv-cell.ts';

const FIRST_BYTES = 1 << 16;
const LF = 10;
const COMMA = 0x2c;
const POINT = 0x2e;
const ZERO = 0x30;
const LETTER_N = 0x6e;

/** A buffer for text of many short lines; pieces are written as bytes, without building strings first. */
export class LineBuffer {
  #bytes: Buffer;
  #view: DataView;
  #used = 0;

  constructor(bytes: number = FIRST_BYTES) {
    this.#bytes = Buffer.allocUnsafe(bytes);
    this.#view = viewOf(this.#bytes);
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

  /** UTF-8 bytes from `start` to `end` (exclusive). */
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
      // Letters, digits, `_ . : @ / |` and non-ASCII bytes need no quoting, except a leading `@`; few ids have others.
      const byte = bytes[i];
      if (byte < 0x2e || (byte === 0x40 && i === start) || (byte > 0x3a && byte < 0x40)) {
        this.text(csvCell(Buffer.from(bytes.subarray(start, end)).toString('utf8')));
        return;
      }
    }
    this.bytes(bytes, start, end);
  }

  /** A non-negative integer. */
  integer(value: number): void {
    if (value > 0x7fffffff) {
      this.text(String(value));
      return;
    }
    this.#reserve(10);
    let digits = 1;
    for (let limit = 10; value >= limit; limit *= 10) digits++;
    // 32-bit integers are never boxed, even in interpreted code.
    let rest = value | 0;
    for (let at = this.#used + digits - 1; at >= this.#used; at--) {
      const next = (rest / 10) | 0;
      this.#bytes[at] = ZERO + rest - 10 * next;
      rest = next;
    }
    this.#used += digits;
  }

  /** A non-negative integer divided by 10^`decimals` (at most 9), exact and without trailing zeros. */
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

  /** Any number as a cell of a CSV file; empty when it is not finite. */
  number(value: number): void {
    if ((value | 0) === value && value >= 0) this.integer(value);
    else if (Number.isFinite(value)) this.text(String(value));
  }

  /**
   * Numbers as comma-separated cells, as {@link number} writes them. JSON gives the same digits as `String` in half the
   * time for distinct numbers, because `String` looks up each number in a cache.
   */
  numbers(values: readonly number[]): void {
    const json = JSON.stringify(values);
    const end = json.length - 1;
    this.#reserve(end);
    let at = this.#used;
    for (let i = 1; i < end; i++) {
      const unit = json.charCodeAt(i);
      if (unit === LETTER_N) i += 'null'.length - 1;
      else this.#bytes[at++] = unit;
    }
    this.#used = at;
  }

  /**
   * The texts of 2-bit codes, the first code in the lowest bits of a byte.
   *
   * @param step offset in `texts` from the texts of one code to those of the next: 0 when all codes share the same four
   */
  codes(packed: Uint8Array, count: number, { words, lengths, long }: CodeTexts, step: 0 | 4 = 0): void {
    this.#reserve(WORD_BYTES * count);
    let view = this.#view;
    let at = this.#used;
    for (let i = 0, first = 0; i < count; i++, first += step) {
      const code = first + ((packed[i >> 2] >> (2 * (i & 3))) & 3);
      const length = lengths[code];
      if (length > WORD_BYTES) {
        const text = long[words[code]];
        this.#used = at;
        this.#reserve(text.length + WORD_BYTES * (count - i));
        view = this.#view;
        this.#bytes.set(text, at);
        at += text.length;
        continue;
      }
      view.setUint32(at, words[code], true);
      at += length;
    }
    this.#used = at;
  }

  comma(): void {
    this.#reserve(1);
    this.#bytes[this.#used++] = COMMA;
  }

  newLine(): void {
    this.#reserve(1);
    this.#bytes[this.#used++] = LF;
  }

  /** Bytes written since the last `clear`. */
  get length(): number {
    return this.#used;
  }

  /** The bytes written; overwritten by what is written after the next `clear`. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#used);
  }

  clear(): void {
    this.#used = 0;
  }

  /** A copy of the bytes written; clears the buffer. */
  take(): Uint8Array {
    const bytes = new Uint8Array(this.written);
    this.clear();
    return bytes;
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#used + bytes));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
    this.#view = viewOf(larger);
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
