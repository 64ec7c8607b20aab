import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BGZF_END, type BgzfOptions, deflateBgzf, inflateBgzf, REUSED_MEMORY_BYTES } from './bgzf.ts';
import { deflateLibrary } from './deflate-library.ts';

const TEXT = Buffer.from(Array.from({ length: 120_000 }, (_, i) => `${i}\t${(i * 7919) % 1009}\n`).join(''));

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}

test.each([
  ['zlib', null],
  ['libdeflate or zlib', undefined],
])('what %s compresses is inflated to the same bytes, also where nothing is to be gained', async (_, library) => {
  const random = Buffer.from(
    Uint32Array.from({ length: 50_000 }, (_value, i) => Math.imul(i + 1, 0x9e3779b1) ** 2).buffer,
  );
  const text = Buffer.concat([TEXT, random]);
  const members = await collect(deflateBgzf(chunksOf(text, 200_000), library));
  expect(gunzipSync(members).equals(text)).toBe(true);
});

const packed = await collect(deflateBgzf(chunksOf(TEXT, 500_000)));

const ways: [string, BgzfOptions][] = [['zlib', { library: null }]];
const library = deflateLibrary();
if (library !== undefined) {
  const memory = new Uint8Array(REUSED_MEMORY_BYTES);
  ways.push(['libdeflate', { library }], ['libdeflate, one memory', { library, memory: () => memory }]);
}

test.each(ways)('%s gives back what was compressed, however the file is cut into chunks', async (_, options) => {
  for (const size of [1000, 65_537, 1 << 20]) {
    const ends: boolean[] = [];
    const inflated = await collect(
      inflateBgzf(chunksOf(packed, size), { ...options, onEnd: (hasMarker) => ends.push(hasMarker) }),
    );
    expect(inflated.equals(TEXT)).toBe(true);
    expect(ends).toEqual([true]);
  }
  const ends: boolean[] = [];
  const unmarked = packed.subarray(0, packed.length - BGZF_END.length);
  await collect(inflateBgzf(chunksOf(unmarked, 4096), { ...options, onEnd: (hasMarker) => ends.push(hasMarker) }));
  expect(ends).toEqual([false]);
});

test.each(ways)('%s delivers what lies before the damage, then says what is wrong', async (_, options) => {
  const read = async (bytes: Uint8Array, chunkSize = 10_000): Promise<{ text: string; kind: string }> => {
    const parts: Buffer[] = [];
    try {
      for await (const chunk of inflateBgzf(chunksOf(bytes, chunkSize), options)) parts.push(Buffer.from(chunk));
    } catch (error) {
      return { text: Buffer.concat(parts).toString(), kind: (error as { kind: string }).kind };
    }
    return { text: Buffer.concat(parts).toString(), kind: 'none' };
  };
  const middle = packed.length >> 1;
  const flipped = Buffer.from(packed);
  flipped[middle] = (flipped[middle] as number) ^ 0x10;
  const wrongChecksum = Buffer.from(packed);
  const last = packed.length - BGZF_END.length;
  wrongChecksum[last - 8] = (wrongChecksum[last - 8] as number) ^ 1;
  for (const [bytes, kind] of [
    [flipped, 'damaged'],
    [wrongChecksum, 'damaged'],
    [packed.subarray(0, middle), 'truncated'],
    [Buffer.concat([packed.subarray(0, last), Buffer.from('no bgzip at all')]), 'damaged'],
  ] as const) {
    const { text, kind: found } = await read(bytes);
    expect(found).toBe(kind);
    expect(text.length).toBeGreaterThan(100_000);
    expect(TEXT.toString().startsWith(text)).toBe(true);
  }
  const followed = Buffer.concat([packed.subarray(0, last), Buffer.from('no bgzip at all')]);
  for (const size of [10_000, followed.length])
    expect((await read(followed, size)).text, `chunks of ${size}`).toHaveLength(TEXT.length);
});
