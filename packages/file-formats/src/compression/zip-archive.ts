import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import type { ByteSource } from '../byte-source.ts';
import { FileFormatError } from '../problem.ts';
import { formatBytes, isSuspiciousInflation } from './inflated-bytes.ts';

/** A file inside a zip archive, as its central directory describes it. */
interface ZipEntry {
  compressionMethod: number;
  isEncrypted: boolean;
  checksum: number;
  compressedSize: number;
  inflatedSize: number;
  headerOffset: number;
}

/** The files of a zip archive by name. */
export interface ZipArchive {
  /** Names of the files (folders are left out), in the order of the archive. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Inflated size as the archive declares it; a decompression bomb declares a wrong one. */
  sizeOf(name: string): number;
  /**
   * Inflated bytes of one file. Throws E-TOO-LARGE beyond `maxBytes`, whatever size the archive declares, and, at the
   * end, E-TYPE when the checksum is wrong.
   */
  stream(name: string, maxBytes: number): AsyncGenerator<Uint8Array>;
}

const END_RECORD_LENGTH = 22;
const MAX_COMMENT_LENGTH = 65_535;
const MAX_DIRECTORY_BYTES = 16_000_000;
const ZIP64_LOCATOR_LENGTH = 20;
const ZIP64_END_LENGTH = 56;
const ZIP64_EXTRA_FIELD = 1;
/** Marks a 32-bit field whose value is in the Zip64 extra field. */
const IN_ZIP64 = 0xffffffff;

/**
 * Reads the directory of a zip archive (PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12, 4.3.14 to 4.3.16 and 4.5.3). Files
 * are inflated only when streamed. Throws {@link FileFormatError} E-TYPE when the archive is damaged.
 */
export async function openZip(source: ByteSource): Promise<ZipArchive> {
  const { count, length, offset } = await findDirectory(source);
  if (length > MAX_DIRECTORY_BYTES || offset + length > source.size) throw damaged();
  const directory = Buffer.from(await source.read(offset, length));
  const entries = readDirectory(directory, count);

  async function* stream(name: string, maxBytes: number): AsyncGenerator<Uint8Array> {
    const entry = entries.get(name);
    if (entry === undefined) throw damaged();
    if (entry.isEncrypted) {
      throw new FileFormatError('E-TYPE', {
        value: name,
        message: 'The archive is protected by a password.',
        suggestion: 'Pack the files again without a password.',
      });
    }
    const header = Buffer.from(await source.read(entry.headerOffset, 30));
    if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) throw damaged();
    const start = entry.headerOffset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
    let taken = 0;
    const packed = rangeOf(source, start, entry.compressedSize, (bytes) => {
      taken = bytes;
    });
    if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) throw damaged();
    const bytes = entry.compressionMethod === 0 ? packed : inflateRaw(packed);
    let total = 0;
    let checksum = 0;
    for await (const chunk of bytes) {
      total += chunk.length;
      checksum = crc32(chunk, checksum);
      if (total > maxBytes) {
        throw new FileFormatError('E-TOO-LARGE', {
          value: name,
          message: `A file inside the archive or workbook unpacks to more than ${formatBytes(maxBytes)}.`,
          suggestion: 'Check that this is the file you meant; split it when it is.',
        });
      }
      if (isSuspiciousInflation(total, taken)) {
        throw new FileFormatError('E-TOO-LARGE', {
          value: name,
          message: 'A file inside the archive unpacks to more than 500 times its size; such a file is not read.',
          suggestion: 'Check that this is the file you meant.',
        });
      }
      yield chunk;
    }
    if (checksum !== entry.checksum) throw damaged();
  }
  return {
    names: [...entries.keys()].filter((name) => !name.endsWith('/')),
    has: (name) => entries.has(name),
    sizeOf: (name) => entries.get(name)?.inflatedSize ?? 0,
    stream,
  };
}

/** Files of an archive, without those that macOS and other systems add. */
export function archiveFiles(zip: ZipArchive): string[] {
  return zip.names.filter(
    (name) => !name.startsWith('__MACOSX/') && !/(?:^|\/)(?:\.(?!\.?\/)|Thumbs\.db$)/i.test(name),
  );
}

/** A file inside an archive as a source: streamed from its start; `read` serves the head of the file only. */
export function zipEntrySource(zip: ZipArchive, name: string, maxBytes: number): ByteSource {
  return {
    name,
    size: zip.sizeOf(name),
    stream: () => zip.stream(name, maxBytes),
    async read(offset, length) {
      const parts: Uint8Array[] = [];
      let gathered = 0;
      for await (const chunk of zip.stream(name, maxBytes)) {
        parts.push(chunk);
        gathered += chunk.length;
        if (gathered >= offset + length) break;
      }
      return Buffer.concat(parts).subarray(offset, offset + length);
    },
    close: async () => {},
  };
}

async function findDirectory(source: ByteSource): Promise<{ count: number; length: number; offset: number }> {
  const tailLength = Math.min(source.size, END_RECORD_LENGTH + MAX_COMMENT_LENGTH);
  const tail = Buffer.from(await source.read(source.size - tailLength, tailLength));
  if (tailLength < END_RECORD_LENGTH) throw damaged();
  const end = tail.lastIndexOf('PK\u0005\u0006', tailLength - END_RECORD_LENGTH, 'latin1');
  if (end < 0) throw damaged();
  const directory = {
    count: tail.readUInt16LE(end + 10),
    length: tail.readUInt32LE(end + 12),
    offset: tail.readUInt32LE(end + 16),
  };
  const locator = end - ZIP64_LOCATOR_LENGTH;
  if (locator < 0 || tail.readUInt32LE(locator) !== 0x07064b50) return directory;
  const record = Buffer.from(await source.read(Number(tail.readBigUInt64LE(locator + 8)), ZIP64_END_LENGTH));
  if (record.length < ZIP64_END_LENGTH || record.readUInt32LE(0) !== 0x06064b50) throw damaged();
  return {
    count: Number(record.readBigUInt64LE(32)),
    length: Number(record.readBigUInt64LE(40)),
    offset: Number(record.readBigUInt64LE(48)),
  };
}

function readDirectory(directory: Buffer, count: number): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50) throw damaged();
    const nameLength = directory.readUInt16LE(at + 28);
    const extraLength = directory.readUInt16LE(at + 30);
    const nameEnd = at + 46 + nameLength;
    if (nameEnd + extraLength > directory.length) throw damaged();
    const name = directory.toString('utf8', at + 46, nameEnd).replaceAll('\\', '/');
    const entry = {
      compressionMethod: directory.readUInt16LE(at + 10),
      isEncrypted: (directory.readUInt16LE(at + 8) & 1) !== 0,
      checksum: directory.readUInt32LE(at + 16),
      compressedSize: directory.readUInt32LE(at + 20),
      inflatedSize: directory.readUInt32LE(at + 24),
      headerOffset: directory.readUInt32LE(at + 42),
    };
    takeZip64(entry, directory.subarray(nameEnd, nameEnd + extraLength));
    entries.set(name, entry);
    at = nameEnd + extraLength + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** Sizes and offsets beyond 4 GB are in an extra field, in this order; those below are left out. */
function takeZip64(entry: ZipEntry, extra: Buffer): void {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === ZIP64_EXTRA_FIELD) {
      let field = at + 4;
      for (const key of ['inflatedSize', 'compressedSize', 'headerOffset'] as const) {
        if (entry[key] !== IN_ZIP64) continue;
        if (field + 8 > Math.min(end, extra.length)) throw damaged();
        entry[key] = Number(extra.readBigUInt64LE(field));
        field += 8;
      }
    }
    at = end;
  }
}

const READ_LENGTH = 1 << 20;

async function* rangeOf(
  source: ByteSource,
  start: number,
  length: number,
  onTake: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < length; done += READ_LENGTH) {
    const bytes = await source.read(start + done, Math.min(READ_LENGTH, length - done));
    if (bytes.length === 0) throw damaged();
    onTake(done + bytes.length);
    yield bytes;
  }
}

async function* inflateRaw(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = Readable.from(packed);
  const inflate = createInflateRaw({ chunkSize: 256 * 1024 });
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
      message: 'This looks like a zip archive or an Excel workbook, but it is damaged or cut off.',
      suggestion: 'Pack the files again, or save the workbook again as .xlsx or CSV, and upload that.',
    },
    { cause },
  );
}
