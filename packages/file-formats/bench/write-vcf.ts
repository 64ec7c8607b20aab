import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { deflateBgzf } from '../src/compression/bgzf.ts';
import { createRandomStream } from '../src/genotype/random.test-data.ts';

const CHROMOSOMES = 10;
const ROWS_AT_ONCE = 256;
const MISSING_SHARE = 0.01;

/**
 * Writes a seeded panel as bgzipped VCF with nothing but GT: allele frequencies from 0.1 to 0.9, one call in a
 * hundred missing.
 *
 * @returns the size of its text in bytes
 */
export async function writeVcf(path: string, { n, markers }: { n: number; markers: number }): Promise<number> {
  let bytes = 0;
  const text = async function* (): AsyncGenerator<Uint8Array> {
    for (const rows of vcfText(n, markers)) {
      bytes += rows.length;
      yield rows;
    }
  };
  await pipeline(Readable.from(deflateBgzf(text())), createWriteStream(path));
  return bytes;
}

function* vcfText(n: number, markers: number): Generator<Uint8Array> {
  const contigs = Array.from({ length: CHROMOSOMES }, (_, i) => `##contig=<ID=${i + 1}>\n`).join('');
  const names = Array.from({ length: n }, (_, i) => `\tI${i + 1}`).join('');
  yield Buffer.from(
    `##fileformat=VCFv4.2\n${contigs}##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT${names}\n`,
  );
  const random = createRandomStream(n + markers);
  const perChromosome = Math.ceil(markers / CHROMOSOMES);
  for (let first = 0; first < markers; first += ROWS_AT_ONCE) {
    let rows = '';
    for (let j = first; j < Math.min(markers, first + ROWS_AT_ONCE); j++) {
      const positionBp = ((j % perChromosome) + 1) * 100;
      rows += `${Math.floor(j / perChromosome) + 1}\t${positionBp}\tM${j + 1}\tA\tG\t.\t.\t.\tGT`;
      const frequency = 0.1 + 0.8 * random();
      const homA2 = frequency ** 2;
      const het = homA2 + 2 * frequency * (1 - frequency);
      for (let i = 0; i < n; i++) {
        // One random number decides both: above the share of missing calls it is uniform again.
        const number = (random() - MISSING_SHARE) / (1 - MISSING_SHARE);
        rows += number < 0 ? '\t./.' : number < homA2 ? '\t1/1' : number < het ? '\t0/1' : '\t0/0';
      }
      rows += '\n';
    }
    yield Buffer.from(rows, 'latin1');
  }
}
