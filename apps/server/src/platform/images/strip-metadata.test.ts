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
