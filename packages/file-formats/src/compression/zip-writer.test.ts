import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { zipChunks } from './zip-writer.ts';

const TEXT = Buffer.from(Array.from({ length: 40_000 }, (_, i) => `${i}\t${(i * 7919) % 1009}\n`).join(''));

async function collect(files: Parameters<typeof zipChunks>[0]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of zipChunks(files)) parts.push(chunk);
  return Buffer.concat(parts);
}

test('files go into one archive and come out as they were, also an empty one and from memory that is used again', async () => {
  const memory = new Uint8Array(10_000);
  async function* reused(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < TEXT.length; at += memory.length) {
      const part = TEXT.subarray(at, at + memory.length);
      memory.set(part);
      yield memory.subarray(0, part.length);
    }
  }
  async function* nothing(): AsyncGenerator<Uint8Array> {}
  const archive = await collect([
    ['large.txt', reused()],
    ['empty.txt', nothing()],
  ]);
  const files = unzipSync(archive);
  expect(Object.keys(files)).toEqual(['large.txt', 'empty.txt']);
  expect(Buffer.from(files['large.txt']!).equals(TEXT)).toBe(true);
  expect(files['empty.txt']).toHaveLength(0);
});

test('a file that cannot be read ends the archive with its reason, and one that is given up is closed', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield TEXT;
    throw new Error('the disk is gone');
  }
  await expect(collect([['a.txt', failing()]])).rejects.toThrow('the disk is gone');

  let isClosed = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield TEXT;
    } finally {
      isClosed = true;
    }
  }
  for await (const _ of zipChunks([['a.txt', endless()]])) break;
  await expect.poll(() => isClosed).toBe(true);
});
