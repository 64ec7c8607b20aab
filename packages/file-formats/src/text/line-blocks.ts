import type { ByteSource } from '../byte-source.ts';
import { REUSED_MEMORY_BYTES } from '../compression/bgzf.ts';
import { formatBytes, type InflateOptions, inflatedBytes } from '../compression/inflated-bytes.ts';
import { FileFormatError } from '../problem.ts';
import { encodingOfHead, type TextEncodingName, withWholeHead } from './encoding.ts';

export interface LineBlockOptions extends InflateOptions {
  maxLineBytes: number;
}

const LF = 10;
const CR = 13;
const LINE_END = Buffer.of(LF);

/**
 * The text of a source as blocks of whole lines, for readers that work on bytes. Every line ends with LF, including the
 * last; a CR before the LF is kept. CR-only line ends are converted to LF and UTF-16 to UTF-8; a byte order mark is
 * removed. A block is valid until the next one is requested. A line that spans many chunks is joined once, so its cost
 * is linear in its length. Throws {@link FileFormatError} E-TOO-LARGE for a line longer than `maxLineBytes`, and
 * GzipError as {@link inflatedBytes} does.
 */
export async function* lineBlocks(source: ByteSource, options: LineBlockOptions): AsyncGenerator<Buffer> {
  const carried = new CarriedBytes();
  let isFirstLine = true;
  const reused = new Uint8Array(REUSED_MEMORY_BYTES);
  for await (const chunk of unifiedBytes(inflatedBytes(source, { memory: () => reused, ...options }))) {
    if (chunk.length === 0) continue;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = 0;
    if (carried.length > 0) {
      const end = bytes.indexOf(LF) + 1;
      start = end === 0 ? bytes.length : end;
      carried.add(bytes, 0, start);
      if (carried.length > options.maxLineBytes) throw tooLong(isFirstLine, options.maxLineBytes);
      if (end === 0) continue;
      yield carried.take();
      isFirstLine = false;
    }
    const end = bytes.lastIndexOf(LF) + 1;
    if (end > start) {
      yield bytes.subarray(start, end);
      isFirstLine = false;
    }
    carried.add(bytes, Math.max(start, end), bytes.length);
  }
  if (carried.length > 0) {
    carried.add(LINE_END, 0, 1);
    yield carried.take();
  }
}

/** The beginning of a line that ends in a later chunk; copied, because the memory of a chunk may be reused. */
class CarriedBytes {
  #bytes = Buffer.allocUnsafe(1 << 16);
  length = 0;

  add(bytes: Buffer, start: number, end: number): void {
    const length = this.length + end - start;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * length);
      this.#bytes.copy(larger, 0, 0, this.length);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, this.length, start, end);
    this.length = length;
  }

  /** Returns and clears what was added; valid until the next addition. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.length);
    this.length = 0;
    return taken;
  }
}

function tooLong(isFirstLine: boolean, limit: number): FileFormatError {
  return new FileFormatError('E-TOO-LARGE', {
    line: isFirstLine ? 1 : null,
    message: `The file has a line longer than ${formatBytes(limit)}.`,
    suggestion: 'Check that the file has line breaks and is the genotype file you meant.',
  });
}

/** Removes the byte order mark, turns UTF-16 into UTF-8 and CR-only line ends into LF. */
async function* unifiedBytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: ReturnType<typeof utf16Decoder> | null = null;
  let isFirst = true;
  let crOnly: boolean | undefined;
  // The chunk ends with the first CR of the file: the next byte shows whether it is half of a CRLF.
  let hasHeldCr = false;
  for await (const chunk of withWholeHead(chunks)) {
    let bytes = chunk;
    if (isFirst && bytes.length > 0) {
      isFirst = false;
      const head = encodingOfHead(bytes);
      if (head !== null && head.encoding !== 'utf-8') decoder = utf16Decoder(head.encoding);
      else if (head !== null) bytes = bytes.subarray(head.bomLength);
    }
    if (decoder !== null) bytes = Buffer.from(decoder.decode(bytes, { stream: true }), 'utf8');
    if (hasHeldCr) bytes = Buffer.concat([Uint8Array.of(CR), bytes]);
    crOnly ??= endsLinesWithCr(bytes);
    hasHeldCr = crOnly === undefined && bytes[bytes.length - 1] === CR;
    if (hasHeldCr) bytes = bytes.subarray(0, -1);
    yield crOnly === true ? bytes.map((byte) => (byte === CR ? LF : byte)) : bytes;
  }
  if (hasHeldCr) yield Uint8Array.of(LF);
}

function utf16Decoder(encoding: TextEncodingName): InstanceType<typeof TextDecoder> {
  return new TextDecoder(encoding);
}

function endsLinesWithCr(bytes: Uint8Array): boolean | undefined {
  const lf = bytes.indexOf(LF);
  const cr = bytes.indexOf(CR);
  if (lf >= 0) return cr >= 0 && cr < lf - 1 && bytes[cr + 1] !== LF;
  if (cr < 0 || cr === bytes.length - 1) return undefined;
  return bytes[cr + 1] !== LF;
}

/**
 * Decodes a short text (a name, a header) as UTF-8, or as windows-1252 when it is not valid UTF-8; `onLegacy` is called
 * in the second case.
 */
export function decodeText(bytes: Uint8Array, onLegacy: () => void): string {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    onLegacy();
    return WINDOWS_1252.decode(bytes);
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const WINDOWS_1252 = new TextDecoder('windows-1252');
