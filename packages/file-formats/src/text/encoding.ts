import { type FileProblem, fileProblem } from '../problem.ts';

/** Supported encodings. Anything that is not Unicode is read as windows-1252, which never fails. */
export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * Unicode encoding from the byte order mark, or from the NUL bytes that UTF-16 puts beside each ASCII character; null
 * when there is neither.
 */
export function encodingOfHead(head: Uint8Array): { encoding: TextEncodingName; bomLength: number } | null {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', bomLength: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', bomLength: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', bomLength: 2 };
  if (head.length >= 8) {
    const isAscii = (byte: number) => byte >= 9 && byte < 0x7f;
    const pairs = [0, 2, 4, 6];
    if (pairs.every((at) => isAscii(head[at]) && head[at + 1] === 0)) return { encoding: 'utf-16le', bomLength: 0 };
    if (pairs.every((at) => head[at] === 0 && isAscii(head[at + 1]))) return { encoding: 'utf-16be', bomLength: 0 };
  }
  return null;
}

/** Bytes that {@link encodingOfHead} inspects. */
const HEAD_BYTES = 8;

/**
 * The same bytes, with a first chunk long enough to detect the encoding. The first chunk of a stream can be a single
 * byte, for example a short first gzip member or a small network packet.
 */
export async function* withWholeHead(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (head === null) {
      yield chunk;
      continue;
    }
    if (head.length + chunk.length < HEAD_BYTES) {
      head = Buffer.concat([head, chunk]);
      continue;
    }
    yield head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    head = null;
  }
  if (head !== null && head.length > 0) yield head;
}

/** W-ENCODING for a file that is not UTF-8. */
export function legacyEncodingProblem(line: number | null = null): FileProblem {
  return fileProblem('warning', 'W-ENCODING', {
    line,
    message: 'The file is not UTF-8; it was read as windows-1252 (Western European).',
    suggestion: 'Check names with accents or umlauts, or save the file as "CSV UTF-8" and upload it again.',
  });
}
