import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import type { ByteSource } from '../byte-source.ts';
import { FileFormatError } from '../problem.ts';

/** A file inside a zip archive, as its central directory describes it. */
interface ZipEntry {
  compressionMethod: number;
  checksum: number;
  compressedSize: number;
  headerOffset: number;
}

/** The files of a zip archive by name. */
export interface ZipArchive {
  has(name: string): boolean;
  /**
   * Inflated bytes of one file. Throws E-TOO-LARGE beyond `maxBytes`, whatever the archive says about its size, and E-TYPE when
   * the checksum shows damage, which is known only at the end.
   */
  stream(name: string, maxBytes: number): AsyncGenerator<Uint8Array>;
}

const END_RECORD_LENGTH = 22;
const MAX_COMMENT_LENGTH = 65_535;
const MAX_DIRECTORY_BYTES = 16_000_000;

/**
 * Reads the directory of a zip archive (PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16; no Zip64, no encryption: an .xlsx
 * has neither). Throws {@link FileFormatError} E-TYPE when the archive is damaged.
 */
export async function openZip(source: ByteSource): Promise<ZipArchive> {
  const tailLength = Math.min(source.size, END_RECORD_LENGTH + MAX_COMMENT_LENGTH);
  const tail = Buffer.from(await source.read(source.size - tailLength, tailLength));
  const end = tail.lastIndexOf('PK\u0005\u0006', tail.length - END_RECORD_LENGTH, 'latin1');
  if (end < 0) throw damaged();
  const count = tail.readUInt16LE(end + 10);
  const directoryLength = tail.readUInt32LE(end + 12);
  const directoryOffset = tail.readUInt32LE(end + 16);
  if (directoryLength > MAX_DIRECTORY_BYTES || directoryOffset + directoryLength > source.size) throw damaged();
  const directory = Buffer.from(await source.read(directoryOffset, directoryLength));

  const entries = new Map<string, ZipEntry>();
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50) throw damaged();
    const nameLength = directory.readUInt16LE(at + 28);
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength).replaceAll('\\', '/');
    entries.set(name, {
      compressionMethod: directory.readUInt16LE(at + 10),
      checksum: directory.readUInt32LE(at + 16),
      compressedSize: directory.readUInt32LE(at + 20),
      headerOffset: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }

  async function* stream(name: string, maxBytes: number): AsyncGenerator<Uint8Array> {
    const entry = entries.get(name);
    if (entry === undefined) throw damaged();
    const header = Buffer.from(await source.read(entry.headerOffset, 30));
    if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) throw damaged();
    const start = entry.headerOffset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
    const packed = rangeOf(source, start, entry.compressedSize);
    if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) throw damaged();
    const bytes = entry.compressionMethod === 0 ? packed : inflateRaw(packed);
    let total = 0;
    let checksum = 0;
    for await (const chunk of bytes) {
      total += chunk.length;
      checksum = crc32(chunk, checksum);
      if (total > maxBytes) {
        throw new FileFormatError('E-TOO-LARGE', {
          message: `The workbook unpacks to more than ${Math.round(maxBytes / 1e6)} MB.`,
          suggestion: 'Save the sheet as CSV, or split it.',
        });
      }
      yield chunk;
    }
    if (checksum !== entry.checksum) throw damaged();
  }
  return { has: (name) => entries.has(name), stream };
}

const READ_LENGTH = 1 << 20;

async function* rangeOf(source: ByteSource, start: number, length: number): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < length; done += READ_LENGTH) {
    const bytes = await source.read(start + done, Math.min(READ_LENGTH, length - done));
    if (bytes.length === 0) throw damaged();
    yield bytes;
  }
}

async function* inflateRaw(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = Readable.from(packed);
  const inflate = createInflateRaw();
  input.on('error', (error) => inflate.destroy(error));
  input.pipe(inflate);
  try {
    for await (const chunk of inflate) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof FileFormatError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code.startsWith('Z_')) throw damaged(error);
    throw error;
  } finally {
    input.destroy();
    inflate.destroy();
  }
}

function damaged(cause?: unknown): FileFormatError {
  return new FileFormatError(
    'E-TYPE',
    {
      message: 'This looks like an Excel workbook or a zip archive, but it is damaged or cut off.',
      suggestion: 'Open it in Excel or LibreOffice, save it again as .xlsx or as CSV, and upload that.',
    },
    { cause },
  );
}
