import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { ByteSource } from '../../byte-source.ts';
import { memorySource } from '../../byte-source.ts';
import { renameVcfSamples } from './rename-vcf.ts';

const LEAD = '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT';
const VCF = `##fileformat=VCFv4.2\n##note=b-73\n${LEAD}\tb-73\tKi3\r\n1\t10\tb-73\tA\tC\t.\t.\tAC=1\tGT:AD\t0|1:3,4\t./.:.\n`;

/** The bytes in chunks of a size. */
function inChunks(bytes: Buffer, size: number): ByteSource {
  const source = memorySource(bytes);
  return {
    ...source,
    name: source.name,
    size: source.size,
    read: (from, length) => source.read(from, length),
    close: () => source.close(),
    async *stream() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
}

async function rewritten(source: ByteSource): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of renameVcfSamples(source, new Map([['b-73', 'B73']]), 1e6)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

test('only the line of the names changes, wherever the chunks are cut', async () => {
  const expected = VCF.replace('FORMAT\tb-73', 'FORMAT\tB73');
  for (const size of [1, 7, 64, 1000]) expect(await rewritten(inChunks(Buffer.from(VCF), size))).toBe(expected);
  expect(await rewritten(memorySource(gzipSync(VCF)))).toBe(expected);
});
