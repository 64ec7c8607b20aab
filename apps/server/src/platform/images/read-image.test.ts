import { describe, expect, test } from 'vitest';
import { GIF, JPEG_2X1, PNG_2X1, WEBP_2X1 } from './read-image.test-data.ts';
import { readImage } from './read-image.ts';

test.each([
  ['image/png', PNG_2X1],
  ['image/jpeg', JPEG_2X1],
  ['image/webp', WEBP_2X1],
])('the size of a %s is read from its bytes', (type, bytes) => {
  expect(readImage(bytes)).toEqual({ type, width: 2, height: 1 });
});

describe('what is no image is none', () => {
  test.each([
    ['a GIF', GIF],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['nothing', Buffer.alloc(0)],
    ['a JPEG with a segment of no length', Buffer.from('ffd8ffe00000ffc0', 'hex')],
  ])('%s', (_, bytes) => {
    expect(readImage(bytes)).toBeUndefined();
  });

  test.each([
    ['PNG', PNG_2X1],
    ['JPEG', JPEG_2X1],
    ['WebP', WEBP_2X1],
  ])('a %s cut off anywhere in its header', (_, bytes) => {
    const whole = readImage(bytes);
    for (let length = 0; length < bytes.length; length++) {
      const found = readImage(bytes.subarray(0, length));
      expect([undefined, whole?.width]).toContain(found?.width);
    }
  });
});
