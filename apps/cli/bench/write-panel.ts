import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { deflateBgzf } from '@heterosis/file-formats/compression/bgzf';
import { type SimulatedPanel, simulatePanel } from '@heterosis/statgen/bench/simulate-panel';

const BED_MAGIC = Uint8Array.of(0x6c, 0x1b, 0x01);
const CHROMOSOMES = 10;

/**
 * Writes a seeded panel as `name`.bed, .bim, .fam (trait in its sixth column, for GEMMA) and `name`.csv (trait `y`).
 *
 * @param subsets numbers of markers; for each the first ones also as `name`-`count`.bed, .bim, .fam
 */
export function writePanel(
  folder: string,
  name: string,
  size: { n: number; markers: number; subsets?: readonly number[] },
): void {
  const panel = simulatePanel(size.n, size.markers, 1);
  const individuals = Array.from(panel.y, (value, i) => ({ name: `I${i + 1}`, value }));
  const stride = (size.n + 3) >> 2;
  for (const count of [size.markers, ...(size.subsets ?? [])]) {
    const prefix = join(folder, count === size.markers ? name : `${name}-${count}`);
    writeFileSync(`${prefix}.bed`, Buffer.concat([BED_MAGIC, panel.packed.subarray(0, count * stride)]));
    writeFileSync(
      `${prefix}.bim`,
      Array.from({ length: count }, (_, j) => `${placeOf(j, size.markers).join('\t')}\tA\tG\n`).join(''),
    );
    writeFileSync(`${prefix}.fam`, individuals.map(({ name: id, value }) => `${id} ${id} 0 0 0 ${value}\n`).join(''));
  }
  writeFileSync(
    join(folder, `${name}.csv`),
    `id,y\n${individuals.map((one) => `${one.name},${one.value}\n`).join('')}`,
  );
}

/** Chromosome, name, centimorgan and position of marker `j`. */
function placeOf(j: number, markers: number): [number, string, number, number] {
  const perChromosome = Math.ceil(markers / CHROMOSOMES);
  return [Math.floor(j / perChromosome) + 1, `M${j + 1}`, 0, ((j % perChromosome) + 1) * 100];
}

/** Writes a seeded panel as bgzipped VCF with nothing but GT. Returns the size of its text in bytes. */
export async function writeVcf(path: string, size: { n: number; markers: number }): Promise<number> {
  const panel = simulatePanel(size.n, size.markers, 3);
  let bytes = 0;
  const text = async function* (): AsyncGenerator<Uint8Array> {
    for (const rows of vcfRows(panel)) {
      bytes += rows.length;
      yield rows;
    }
  };
  await pipeline(Readable.from(deflateBgzf(text())), createWriteStream(path));
  return bytes;
}

const ROWS_AT_ONCE = 256;
/** By `.bed` code. */
const CALLS = ['0/0', './.', '0/1', '1/1'];

function* vcfRows({ n, markers, packed }: SimulatedPanel): Generator<Uint8Array> {
  const contigs = Array.from({ length: CHROMOSOMES }, (_, i) => `##contig=<ID=${i + 1}>\n`).join('');
  const names = Array.from({ length: n }, (_, i) => `\tI${i + 1}`).join('');
  yield Buffer.from(
    `##fileformat=VCFv4.2\n${contigs}##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT${names}\n`,
  );
  const stride = (n + 3) >> 2;
  for (let first = 0; first < markers; first += ROWS_AT_ONCE) {
    let rows = '';
    for (let j = first; j < Math.min(markers, first + ROWS_AT_ONCE); j++) {
      const [chromosome, name, , position] = placeOf(j, markers);
      rows += `${chromosome}\t${position}\t${name}\tA\tG\t.\t.\t.\tGT`;
      for (let i = 0; i < n; i++) {
        rows += `\t${CALLS[((packed[j * stride + (i >> 2)] ?? 0) >> (2 * (i & 3))) & 3]}`;
      }
      rows += '\n';
    }
    yield Buffer.from(rows, 'latin1');
  }
}
