import { describe, expect, test } from 'vitest';
import type { ByteSource } from '../byte-source.ts';
import { lineBlocks } from './line-blocks.ts';

/** A source that hands its bytes out in chunks of `size`. */
function drip(bytes: Uint8Array, size: number): ByteSource {
  return {
    name: 'drip',
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    async *stream() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
    close: async () => {},
  };
}

async function textOf(source: ByteSource, maxLineBytes = 1000): Promise<string> {
  let text = '';
  for await (const block of lineBlocks(source, { maxInflatedBytes: 1e6, maxLineBytes })) {
    expect(block.at(-1)).toBe(10);
    text += block.toString('utf8');
  }
  return text;
}

describe('lineBlocks', () => {
  // The first line is longer than a chunk and ends with one, so that its end alone does not tell LF from CRLF from CR.
  test.each([
    ['LF', 'abcdefgh\nb\n\nc\n', 'abcdefgh\nb\n\nc\n'],
    ['CRLF', 'abcdefgh\r\nb\r\n', 'abcdefgh\r\nb\r\n'],
    ['CR', 'abcdefg\rb\r\rc\r', 'abcdefg\nb\n\nc\n'],
    ['one CR', 'abcdefg\r', 'abcdefg\n'],
    ['no line end', 'abcdefg', 'abcdefg\n'],
  ])('gives the same lines with %s however the chunks fall', async (_, text, expected) => {
    for (let size = 1; size <= text.length; size++) {
      expect(await textOf(drip(Buffer.from(text), size)), `chunks of ${size}`).toBe(expected);
    }
  });

  test.each([
    ['little-endian', Buffer.from('\uFEFFZüri,1\r\nb', 'utf16le')],
    ['big-endian', Buffer.from('\uFEFFZüri,1\r\nb', 'utf16le').swap16()],
  ])('turns UTF-16 %s into UTF-8', async (_, bytes) => {
    for (const size of [1, 2, 3, 7, 8, 9, 100]) expect(await textOf(drip(bytes, size))).toBe('Züri,1\r\nb\n');
  });

  test('takes the byte order mark of UTF-8 away, however the chunks fall', async () => {
    for (const size of [1, 2, 3, 4]) expect(await textOf(drip(Buffer.from('\uFEFFZü\nb'), size))).toBe('Zü\nb\n');
  });

  test('refuses a line beyond the limit', async () => {
    const text = Buffer.from(`a\n${'x'.repeat(500)}\n`);
    await expect(textOf(drip(text, 50), 400)).rejects.toMatchObject({ problem: { code: 'E-TOO-LARGE' } });
  });
});
