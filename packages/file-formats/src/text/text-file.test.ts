import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type ByteSource, memorySource } from '../byte-source.ts';
import { FileFormatError } from '../problem.ts';
import { openText, TABLE_LIMITS } from './text-file.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

/** A source that hands its bytes out a few at a time, so that every boundary falls inside something. */
function drip(bytes: Uint8Array, size = 1): ByteSource {
  return {
    ...memorySource(bytes),
    async *stream() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
}

async function linesOf(source: ByteSource) {
  const file = await openText(source);
  const lines: string[] = [];
  for await (const line of file.lines()) lines.push(`${line.number}:${line.text}`);
  return { file, lines };
}

async function codeOf(source: ByteSource, limits = TABLE_LIMITS): Promise<string> {
  try {
    await openText(source, limits);
  } catch (error) {
    if (error instanceof FileFormatError) return error.code;
    throw error;
  }
  return 'none';
}

describe('openText', () => {
  test.each([
    ['LF', 'a\nb\n\nc\n'],
    ['CRLF', 'a\r\nb\r\n\r\nc\r\n'],
    ['CR', 'a\rb\r\rc\r'],
    ['no end at the last line', 'a\nb\n\nc'],
  ])('numbers lines truly with line ends %s, however the chunks fall', async (_, text) => {
    for (const size of [1, 2, 3, 100]) {
      const { lines } = await linesOf(drip(utf8(text), size));
      expect(lines).toEqual(['1:a', '2:b', '3:', '4:c']);
    }
  });

  test('reads UTF-8 with and without byte order mark', async () => {
    expect((await linesOf(drip(utf8('\uFEFFMüller\nä')))).lines).toEqual(['1:Müller', '2:ä']);
    expect((await linesOf(drip(utf8('Müller\nä')))).file.warnings).toEqual([]);
  });

  test.each([
    ['little-endian with mark', Buffer.from('\uFEFFid,ü\r\n1,2', 'utf16le'), 'utf-16le'],
    ['big-endian with mark', Buffer.from('\uFEFFid,ü\r\n1,2', 'utf16le').swap16(), 'utf-16be'],
    ['little-endian without mark', Buffer.from('id,x,ü\r\n1,2', 'utf16le'), 'utf-16le'],
  ] as const)('reads UTF-16 %s, however the chunks fall', async (_, bytes, encoding) => {
    for (const size of [1, 3, 64]) {
      const { file, lines } = await linesOf(drip(bytes, size));
      expect(file.encoding).toBe(encoding);
      expect(lines[1]).toBe('2:1,2');
      expect(lines[0]).toMatch(/^1:id,.*ü$/);
    }
  });

  test('falls back to windows-1252 with a warning, even when the first odd byte comes late', async () => {
    const bytes = Buffer.concat([utf8(`${'x'.repeat(5000)}\n`), Buffer.from([0x4d, 0xfc, 0x6c, 0x80])]);
    const { file, lines } = await linesOf(drip(bytes, 1000));
    expect(file.encoding).toBe('windows-1252');
    expect(file.warnings.map((w) => w.code)).toEqual(['W-ENCODING']);
    expect(lines[1]).toBe('2:Mül€');
  });

  test('an incomplete last character is not UTF-8', async () => {
    expect((await openText(drip(Buffer.from([0x61, 0xc3])))).encoding).toBe('windows-1252');
  });

  test('unpacks gzip, also several members in a row', async () => {
    const bytes = Buffer.concat([gzipSync('a\nb'), gzipSync('c\n')]);
    const { file, lines } = await linesOf(drip(bytes, 7));
    expect(file.compression).toBe('gzip');
    expect(lines).toEqual(['1:a', '2:bc']);
  });

  test('names what is wrong with files that are not text', async () => {
    expect(await codeOf(memorySource(utf8('')))).toBe('E-EMPTY');
    expect(await codeOf(memorySource(gzipSync('')))).toBe('E-EMPTY');
    expect(await codeOf(memorySource(utf8('a,b\n1,\0\n')))).toBe('E-ENCODING');
    expect(await codeOf(memorySource(Buffer.from('504b030414000000', 'hex')))).toBe('E-TYPE');
    expect(await codeOf(memorySource(utf8('%PDF-1.7')))).toBe('E-TYPE');
  });

  test('a cut or damaged gzip is E-GZIP', async () => {
    const whole = gzipSync(Buffer.from(Array.from({ length: 20000 }, (_, i) => `${i * 7919}`).join(',')));
    expect(await codeOf(memorySource(whole.subarray(0, whole.length / 2)))).toBe('E-GZIP');
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, 2000, 2100);
    expect(await codeOf(memorySource(damaged))).toBe('E-GZIP');
  });

  test('a gzip that inflates beyond the limit is stopped', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000, 'a\n'));
    expect(await codeOf(memorySource(bomb), { ...TABLE_LIMITS, maxInflatedBytes: 1_000_000 })).toBe('E-TOO-LARGE');
  });

  test('a file or a line over its limit is E-TOO-LARGE', async () => {
    const long = utf8('x'.repeat(3_000_000));
    expect(await codeOf(memorySource(long), { ...TABLE_LIMITS, maxCompressedBytes: 1_000_000 })).toBe('E-TOO-LARGE');
    expect(await codeOf(drip(long, 1000), { ...TABLE_LIMITS, maxLineBytes: 1_000_000 })).toBe('E-TOO-LARGE');
    const wide = Buffer.from('x'.repeat(900_000), 'utf16le');
    expect(await codeOf(memorySource(wide), { ...TABLE_LIMITS, maxLineBytes: 1_000_000 })).toBe('E-TOO-LARGE');
  });

  test('says on which line the NUL byte is', async () => {
    await expect(openText(memorySource(utf8('a\nb\nc\0')))).rejects.toMatchObject({ problem: { line: 3 } });
  });
});
