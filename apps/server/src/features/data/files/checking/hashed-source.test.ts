import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importGenotype } from '@heterosis/analysis/genotype/import-genotype';
import { type ByteSource, memorySource } from '@heterosis/file-formats/byte-source';
import { zipChunks } from '@heterosis/file-formats/compression/zip-writer';
import { readFirstRows } from '@heterosis/file-formats/tables/text/first-rows';
import { expect, test } from 'vitest';
import { hashedSource } from './hashed-source.ts';

/** Bytes in small chunks, and how many of them were read. */
function counted(bytes: Uint8Array): { source: ByteSource; taken: () => number } {
  const memory = memorySource(bytes, 'counted.vcf');
  let taken = 0;
  return {
    taken: () => taken,
    source: {
      ...memory,
      async read(offset, length) {
        const part = await memory.read(offset, length);
        taken += part.length;
        return part;
      },
      async *stream() {
        for (let at = 0; at < bytes.length; at += 1000) {
          const part = bytes.subarray(at, at + 1000);
          taken += part.length;
          yield part;
        }
      },
    },
  };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const partsOf = (bytes: Uint8Array, length: number): string => {
  const all = createHash('sha256');
  for (let at = 0; at < bytes.length; at += length)
    all.update(
      createHash('sha256')
        .update(bytes.subarray(at, at + length))
        .digest(),
    );
  return all.digest('hex');
};

const VCF = Buffer.from(
  [
    '##fileformat=VCFv4.2',
    '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tA\tB\tC',
    ...Array.from({ length: 400 }, (_, j) => `1\t${100 + j}\tm${j}\tA\tG\t.\tPASS\t.\tGT\t0/0\t0/1\t1/1`),
    '',
  ].join('\n'),
);
/** Readers look at the first 512 bytes, several of them, to know what they have before them. */
const HEADS = 8 * 512;

test('the hash of a genotype costs its import no further byte', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hashed-'));
  const imported = async (source: ByteSource, name: string) =>
    (await importGenotype({ source, outPrefix: join(directory, name) }, { threads: 1 })).panel?.markers;
  try {
    const plain = counted(VCF);
    expect(await imported(plain.source, 'plain')).toBe(400);
    const { source, taken } = counted(VCF);
    const hashed = hashedSource(source, { partBytes: 700 });
    expect(await imported(hashed, 'hashed')).toBe(400);
    const expected = { sha256: sha256(VCF), parts: partsOf(VCF, 700) };
    expect(await hashed.digest()).toEqual(expected);
    expect(await hashed.digest()).toEqual(expected);
    expect(taken()).toBe(plain.taken());
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('what a reader leaves is read for the hash, and nothing twice', async () => {
  const { source, taken } = counted(VCF);
  const told: number[] = [];
  const hashed = hashedSource(source, { onRead: (done) => told.push(done) });
  for await (const _ of hashed.stream()) if (taken() >= 3000) break;
  expect((await hashed.digest()).sha256).toBe(sha256(VCF));
  expect(taken()).toBe(VCF.length);
  expect(told.at(-1)).toBe(VCF.length);
  expect((await hashedSource(counted(VCF).source).digest()).sha256).toBe(sha256(VCF));
});

test('an archive that is read from its end, entry by entry, has the hash of its bytes', async () => {
  const pieces: Uint8Array[] = [];
  for await (const piece of zipChunks([
    ['xl/one.xml', once(randomBytes(150_000).toString('base64'))],
    ['xl/two.xml', once('b')],
  ]))
    pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const { source, taken } = counted(bytes);
  const hashed = hashedSource(source);
  const end = await hashed.read(bytes.length - 40, 40);
  expect(end).toHaveLength(40);
  // Behind a header that no reader asks for.
  await hashed.read(45, bytes.length - 45);
  expect((await hashed.digest()).sha256).toBe(sha256(bytes));
  expect(taken()).toBe(bytes.length + 40);
});

test('a table whose first rows were looked at is hashed without reading them again', async () => {
  const table = Buffer.from(`name,Height\n${Array.from({ length: 5000 }, (_, i) => `L${i},${i}`).join('\n')}\n`);
  const { source, taken } = counted(table);
  const hashed = hashedSource(source);
  await readFirstRows(hashed, new AbortController().signal);
  expect((await hashed.digest()).sha256).toBe(sha256(table));
  expect(taken()).toBeLessThanOrEqual(table.length + HEADS);
});

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
