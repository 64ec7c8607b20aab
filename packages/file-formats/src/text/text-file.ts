import type { ByteSource } from '../byte-source.ts';
import { GzipError } from '../compression/gzip-error.ts';
import { type Compression, compressionOf, formatBytes, inflatedBytes } from '../compression/inflated-bytes.ts';
import { FileFormatError, type FileProblem } from '../problem.ts';
import { encodingOfHead, legacyEncodingProblem, type TextEncodingName, withWholeHead } from './encoding.ts';
import { binarySignature } from './signature.ts';

export interface TextLimits {
  /** Size of the file as stored. */
  maxCompressedBytes: number;
  /** Size after unpacking gzip. */
  maxInflatedBytes: number;
  /** Length of one line. */
  maxLineBytes: number;
}

/** Limits for tables (phenotypes, maps, crosses, germplasm). */
export const TABLE_LIMITS: TextLimits = {
  maxCompressedBytes: 200_000_000,
  maxInflatedBytes: 400_000_000,
  maxLineBytes: 10_000_000,
};

/** One line without its line end; `number` is 1-based as a text editor counts. */
export interface TextLine {
  number: number;
  text: string;
}

/** A text file whose every byte has been checked. */
export interface TextFile {
  encoding: TextEncodingName;
  compression: Compression;
  /** W-ENCODING when the file is not Unicode. */
  warnings: FileProblem[];
  /** LF, CRLF and CR each end a line; the byte order mark is removed; a final line end starts no further line. */
  lines(): AsyncIterable<TextLine>;
  /** Decoded text with its line ends, split at arbitrary points, for readers that need quoted line breaks. */
  chunks(): AsyncIterable<string>;
}

/**
 * Opens a text file, unpacking gzip and bgzip. The whole file is read once to check it: damage, encoding and size are
 * known before the first line, so reading cannot fail half-way. `lines` and `chunks` read it again.
 * Throws {@link FileFormatError}: E-EMPTY, E-GZIP, E-TOO-LARGE, E-ENCODING (binary data), E-TYPE (zip, PDF, image, …).
 */
export async function openText(
  source: ByteSource,
  limits: TextLimits = TABLE_LIMITS,
  signal?: AbortSignal,
): Promise<TextFile> {
  if (source.size > limits.maxCompressedBytes) {
    throw new FileFormatError('E-TOO-LARGE', {
      message: `The file has ${formatBytes(source.size)}; at most ${formatBytes(limits.maxCompressedBytes)} are read.`,
      suggestion: 'Split the file, or leave out columns that are not needed.',
    });
  }
  const compression = compressionOf(await source.read(0, 512));
  const encoding = await checkBytes(source, limits, signal);
  const chunks = () => decodedChunks(source, limits, encoding, signal);
  return {
    encoding,
    compression,
    warnings: encoding === 'windows-1252' ? [legacyEncodingProblem()] : [],
    chunks,
    lines: () => splitLines(chunks()),
  };
}

type LineEnd = '\n' | '\r\n' | '\r';

async function checkBytes(
  source: ByteSource,
  limits: TextLimits,
  signal: AbortSignal | undefined,
): Promise<TextEncodingName> {
  let encoding: TextEncodingName = 'utf-8';
  let lineEnd: LineEnd | undefined;
  let isFirst = true;
  let endsWithCr = false;
  let total = 0;
  let lineBytes = 0;
  let lineNumber = 1;
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of textBytes(source, limits, signal)) {
    if (chunk.length === 0) continue;
    if (isFirst) {
      isFirst = false;
      const foreign = binarySignature(chunk);
      if (foreign !== null) {
        throw new FileFormatError('E-TYPE', {
          message: `This is ${foreign}, not a text table.`,
          suggestion: 'Save it as CSV and upload that.',
        });
      }
      encoding = encodingOfHead(chunk)?.encoding ?? 'utf-8';
    }
    total += chunk.length;
    if (encoding === 'utf-16le' || encoding === 'utf-16be') continue;
    if (encoding === 'utf-8') {
      try {
        utf8.decode(chunk, { stream: true });
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        encoding = 'windows-1252';
      }
    }
    if (lineEnd === undefined) {
      lineEnd = endsWithCr ? (chunk[0] === 10 ? '\r\n' : '\r') : firstLineEnd(chunk);
      if (endsWithCr && lineEnd === '\r') {
        lineNumber++;
        lineBytes = 0;
      }
      endsWithCr = lineEnd === undefined && chunk[chunk.length - 1] === 13;
    }
    const separator = lineEnd === '\r' ? 13 : 10;
    const nul = chunk.indexOf(0);
    if (nul >= 0) {
      throw new FileFormatError('E-ENCODING', {
        line: lineNumber + countOf(separator, chunk.subarray(0, nul)),
        message: 'The file holds NUL bytes: it is binary data or damaged, not text.',
        suggestion: 'Export the table again as "CSV UTF-8".',
      });
    }
    let start = 0;
    for (let end = chunk.indexOf(separator); end >= 0; end = chunk.indexOf(separator, start)) {
      assertLineLength(lineBytes + end - start, lineNumber, limits);
      lineNumber++;
      lineBytes = 0;
      start = end + 1;
    }
    lineBytes += chunk.length - start;
    assertLineLength(lineBytes, lineNumber, limits);
  }
  if (encoding === 'utf-8') {
    try {
      utf8.decode();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      encoding = 'windows-1252';
    }
  }
  if (total === 0) {
    throw new FileFormatError('E-EMPTY', {
      message: 'The file is empty.',
      suggestion: 'Choose the file again; nothing was in it.',
    });
  }
  if (encoding === 'utf-16le' || encoding === 'utf-16be') await checkUtf16(source, limits, encoding, signal);
  return encoding;
}

/** UTF-16 is checked after decoding, because line ends and NULs cannot be recognised in its bytes. */
async function checkUtf16(
  source: ByteSource,
  limits: TextLimits,
  encoding: TextEncodingName,
  signal: AbortSignal | undefined,
): Promise<void> {
  let lineEnd: LineEnd | undefined;
  let lineLength = 0;
  let lineNumber = 1;
  for await (const chunk of decodedChunks(source, limits, encoding, signal)) {
    if (chunk.includes('\0')) {
      throw new FileFormatError('E-ENCODING', {
        message: 'The file holds NUL characters: it is binary data or damaged, not text.',
        suggestion: 'Export the table again as "CSV UTF-8".',
      });
    }
    // A CR at the end of a chunk may be half of a CRLF; treating it as a line end separates the same lines.
    lineEnd ??= /\r\n|\n|\r/.exec(chunk)?.[0] as LineEnd | undefined;
    const separator = lineEnd === '\r' ? '\r' : '\n';
    let start = 0;
    for (let end = chunk.indexOf(separator); end >= 0; end = chunk.indexOf(separator, start)) {
      assertLineLength(2 * (lineLength + end - start), lineNumber, limits);
      lineNumber++;
      lineLength = 0;
      start = end + 1;
    }
    lineLength += chunk.length - start;
    assertLineLength(2 * lineLength, lineNumber, limits);
  }
}

function assertLineLength(bytes: number, line: number, limits: TextLimits): void {
  if (bytes <= limits.maxLineBytes) return;
  throw new FileFormatError('E-TOO-LARGE', {
    line,
    message: `Line ${line} is longer than ${formatBytes(limits.maxLineBytes)}.`,
    suggestion: 'Check that the file has line breaks and is the table you meant.',
  });
}

function firstLineEnd(bytes: Uint8Array): LineEnd | undefined {
  const lf = bytes.indexOf(10);
  const cr = bytes.indexOf(13);
  if (cr >= 0 && (lf < 0 || cr < lf)) {
    if (cr + 1 === bytes.length) return undefined;
    return bytes[cr + 1] === 10 ? '\r\n' : '\r';
  }
  return lf >= 0 ? '\n' : undefined;
}

function countOf(byte: number, bytes: Uint8Array): number {
  let found = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) found++;
  return found;
}

/** Inflated bytes, with gzip errors converted to problems of the report. */
async function* textBytes(
  source: ByteSource,
  limits: TextLimits,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* withWholeHead(inflatedBytes(source, { maxInflatedBytes: limits.maxInflatedBytes, signal }));
  } catch (error) {
    if (!(error instanceof GzipError)) throw error;
    throw new FileFormatError(
      error.kind === 'too-large' ? 'E-TOO-LARGE' : 'E-GZIP',
      {
        message: error.message,
        suggestion:
          error.kind === 'too-large'
            ? 'Check that this is the file you meant; split it when it is.'
            : 'The upload or the compression was cut short. Compress the file again and upload it once more.',
      },
      { cause: error },
    );
  }
}

async function* decodedChunks(
  source: ByteSource,
  limits: TextLimits,
  encoding: TextEncodingName,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of textBytes(source, limits, signal)) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const tail = decoder.decode();
  if (tail !== '') yield tail;
}

async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<TextLine> {
  // Pieces of a line that spans chunks are joined once, at its end: a line of n chunks costs n, not n².
  let pieces: string[] = [];
  let number = 1;
  let skipLf = false;
  for await (const chunk of chunks) {
    let start = 0;
    if (skipLf && chunk.startsWith('\n')) start = 1;
    skipLf = false;
    const lineEnds = /\r\n|\n|\r/g;
    lineEnds.lastIndex = start;
    for (let match = lineEnds.exec(chunk); match !== null; match = lineEnds.exec(chunk)) {
      const piece = chunk.slice(start, match.index);
      yield { number: number++, text: pieces.length === 0 ? piece : pieces.join('') + piece };
      pieces = [];
      start = match.index + match[0].length;
      // A CR at the end of a chunk may be half of a CRLF.
      skipLf = match[0] === '\r' && start === chunk.length;
    }
    if (start < chunk.length) pieces.push(chunk.slice(start));
  }
  if (pieces.length > 0) yield { number, text: pieces.join('') };
}
