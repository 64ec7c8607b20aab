import { describe, expect, test } from 'vitest';
import { JPEG_2X1, PNG_2X1, WEBP_2X1 } from './read-image.test-data.ts';
import { readImage } from './read-image.ts';
import { stripMetadata } from './strip-metadata.ts';

const PLACE = Buffer.from('Exif\0\0 a place and a time');

const insert = (bytes: Buffer, at: number, ...parts: Buffer[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)]);

const segment = (marker: number, content: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};
const pngChunk = (kind: string, content: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length);
  return Buffer.concat([size, Buffer.from(kind), content, Buffer.alloc(4)]);
};
const webpChunk = (kind: string, content: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(kind), size, content, Buffer.alloc(content.length % 2)]);
};

/** The WebP with further chunks behind, and its head saying so. */
function webpWith(...chunks: Buffer[]): Buffer {
  const made = Buffer.concat([WEBP_2X1, ...chunks]);
  made.writeUInt32LE(made.length - 8, 4);
  made.writeUInt8(made.readUInt8(20) | 0b1100, 20);
  return made;
}

const CASES: readonly ['image/png' | 'image/jpeg' | 'image/webp', Buffer, Buffer][] = [
  [
    'image/jpeg',
    JPEG_2X1,
    Buffer.concat([
      insert(
        JPEG_2X1,
        2,
        segment(0xe1, PLACE),
        segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<x/>')),
        segment(0xe2, Buffer.from('MPF\0 a preview')),
        segment(0xed, Buffer.from('Photoshop 3.0\0 an owner')),
        segment(0xfe, Buffer.from('a comment')),
      ),
      // Phones append a film.
      Buffer.from('a film'),
    ]),
  ],
  [
    'image/png',
    PNG_2X1,
    Buffer.concat([
      insert(
        PNG_2X1,
        33,
        pngChunk('eXIf', PLACE),
        pngChunk('tEXt', Buffer.from('Author\0somebody')),
        pngChunk('prVw', Buffer.from('of a program')),
      ),
      Buffer.from('appended'),
    ]),
  ],
  ['image/webp', WEBP_2X1, webpWith(webpChunk('EXIF', PLACE), webpChunk('XMP ', Buffer.from('<x/>')))],
];

describe.each(CASES)('a %s', (type, plain, told) => {
  test('loses what is not the picture, and nothing of the picture', () => {
    expect(readImage(told)?.type).toBe(type);
    expect(stripMetadata(plain, type)).toEqual(plain);
    expect(stripMetadata(told, type)).toEqual(plain);
  });

  test('that is cut off anywhere is refused', () => {
    for (let length = 0; length < plain.length; length++)
      expect(stripMetadata(plain.subarray(0, length), type)).toBeUndefined();
  });
});

describe('the orientation of a JPEG', () => {
  /** In either order of bytes, behind another entry of the directory. */
  const exif = (order: 'II' | 'MM', orientation: number): Buffer => {
    const tiff = Buffer.alloc(38);
    const short = (value: number, at: number) =>
      order === 'II' ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
    tiff.write(order);
    short(42, 2);
    tiff.writeUInt8(8, order === 'II' ? 4 : 7);
    short(2, 8);
    short(0x0110, 10);
    short(0x0112, 22);
    short(3, 24);
    short(orientation, 30);
    return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff]));
  };
  const kept = (bytes: Buffer) => stripMetadata(bytes, 'image/jpeg', { keepsOrientation: true });

  test.each(['II', 'MM'] as const)('stays alone (%s)', (order) => {
    const told = kept(insert(JPEG_2X1, 2, segment(0xe1, PLACE), exif(order, 8)));
    expect(told?.subarray(0, 2)).toEqual(JPEG_2X1.subarray(0, 2));
    expect(told?.subarray(2 + 36)).toEqual(JPEG_2X1.subarray(2));
    // What is kept says the same when it is read again.
    expect(kept(told ?? JPEG_2X1)).toEqual(told);
    expect(readImage(told ?? PNG_2X1)).toEqual({ type: 'image/jpeg', width: 2, height: 1 });
  });

  test('is none where it is as it is, unknown or damaged', () => {
    for (const orientation of [0, 1, 9]) expect(kept(insert(JPEG_2X1, 2, exif('MM', orientation)))).toEqual(JPEG_2X1);
    const cut = exif('II', 6).subarray(0, 30);
    cut.writeUInt16BE(28, 2);
    expect(kept(insert(JPEG_2X1, 2, cut))).toEqual(JPEG_2X1);
  });
});
