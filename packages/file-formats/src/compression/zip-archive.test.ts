import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../byte-source.ts';
import { openZip } from './zip-archive.ts';

interface Oddity {
  stored?: boolean;
  /** Checksum and sizes stand behind the data, as programs write them that do not know them before. */
  descriptor?: boolean;
  zip64?: boolean;
  flags?: number;
  method?: number;
  checksum?: number;
  /** Added to the sizes that the directory states. */
  packedError?: number;
  lengthError?: number;
  offsetError?: number;
  comment?: string;
}

const little = (...fields: [bytes: 2 | 4 | 8, value: number][]): Buffer =>
  Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes);
      if (bytes === 8) field.writeBigUInt64LE(BigInt(value));
      else field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );

/** An archive as some program writes it (PKWARE APPNOTE 6.3). */
function archive(files: [name: string, content: string][], odd: Oddity = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const bytes = Buffer.from(content);
    const data = odd.stored ? bytes : deflateRawSync(bytes);
    const checksum = odd.checksum ?? crc32(bytes);
    const packed = data.length + (odd.packedError ?? 0);
    const length = bytes.length + (odd.lengthError ?? 0);
    const place = offset + (odd.offsetError ?? 0);
    const flags = (odd.flags ?? 0) | (odd.descriptor ? 8 : 0);
    const method = odd.method ?? (odd.stored ? 0 : 8);
    const inExtra = (value: number) => (odd.zip64 ? 0xffffffff : value);
    const extra = odd.zip64 ? little([2, 1], [2, 24], [8, length], [8, packed], [8, place]) : Buffer.alloc(0);
    const sizes: [4, number][] = odd.descriptor
      ? [
          [4, 0],
          [4, 0],
          [4, 0],
        ]
      : [
          [4, checksum],
          [4, packed],
          [4, length],
        ];
    const local = Buffer.concat([
      little([4, 0x04034b50], [2, 20], [2, flags], [2, method], [4, 0], ...sizes, [2, Buffer.byteLength(name)], [2, 0]),
      Buffer.from(name),
      data,
      odd.descriptor ? little([4, 0x08074b50], [4, checksum], [4, packed], [4, length]) : Buffer.alloc(0),
    ]);
    directory.push(
      little([4, 0x02014b50], [2, 20], [2, 20], [2, flags], [2, method], [4, 0], [4, checksum]),
      little([4, inExtra(packed)], [4, inExtra(length)], [2, Buffer.byteLength(name)], [2, extra.length], [2, 0]),
      little([2, 0], [2, 0], [4, 0], [4, inExtra(place)]),
      Buffer.from(name),
      extra,
    );
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  if (odd.zip64) {
    parts.push(
      list,
      little([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, files.length], [8, files.length]),
      little([8, list.length], [8, offset]),
      little([4, 0x07064b50], [4, 0], [8, offset + list.length], [4, 1]),
    );
  } else parts.push(list);
  const [count, length, place] = odd.zip64 ? [0xffff, 0xffffffff, 0xffffffff] : [files.length, list.length, offset];
  const comment = Buffer.from(odd.comment ?? '');
  parts.push(little([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, length], [4, place]));
  parts.push(little([2, comment.length]), comment);
  return Buffer.concat(parts);
}

async function contentsOf(bytes: Uint8Array): Promise<Record<string, string>> {
  const zip = await openZip(memorySource(bytes));
  const contents: Record<string, string> = {};
  for (const name of zip.names) {
    const parts: Uint8Array[] = [];
    for await (const chunk of zip.stream(name, 1e6)) parts.push(chunk);
    contents[name] = Buffer.concat(parts).toString('utf8');
  }
  return contents;
}

const FILES: [string, string][] = [
  ['x.bim', '1\tm\t0\t5\tA\tC\n'.repeat(100)],
  ['data/Müller.fam', 'F a 0 0 0 -9\n'],
];

describe('an archive', () => {
  test.each<[string, Oddity]>([
    ['packed files', {}],
    ['stored files', { stored: true }],
    ['sizes behind the data', { descriptor: true }],
    ['places and sizes of large files', { zip64: true }],
    ['a comment', { comment: 'packed by hand' }],
    ['a wrong length beside the right checksum', { lengthError: 1 }],
  ])('with %s is read', async (_, odd) => {
    expect(await contentsOf(archive(FILES, odd))).toEqual(Object.fromEntries(FILES));
  });

  test('with folders and backslashes names its files alone, with slashes', async () => {
    const bytes = archive([
      ['data/', ''],
      ['data\\x.bim', 'text'],
    ]);
    expect(await contentsOf(bytes)).toEqual({ 'data/x.bim': 'text' });
  });

  test.each<[string, Oddity]>([
    ['a wrong checksum', { checksum: 1 }],
    ['too short a size', { packedError: -4 }],
    ['a size beyond the file', { stored: true, packedError: 10_000 }],
    ['a wrong place', { offsetError: 7 }],
    ['a place beyond the file', { zip64: true, offsetError: 2 ** 40 }],
    ['a method that nobody uses', { method: 12 }],
    ['a password', { flags: 1 }],
  ])('with %s is refused', async (_, odd) => {
    await expect(contentsOf(archive(FILES, odd))).rejects.toMatchObject({ code: 'E-TYPE' });
  });

  test('cut anywhere is refused', async () => {
    const bytes = archive(FILES, { zip64: true });
    for (let length = 0; length < bytes.length; length++) {
      await expect(contentsOf(bytes.subarray(0, length)), `${length} bytes`).rejects.toMatchObject({ code: 'E-TYPE' });
      // As a file that begins in the middle of an archive, down to the last bytes of its last record.
      await expect(contentsOf(bytes.subarray(length + 1)), `from ${length + 1}`).rejects.toMatchObject({
        code: 'E-TYPE',
      });
    }
  });
});
