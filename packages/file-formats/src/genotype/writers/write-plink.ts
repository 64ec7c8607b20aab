import { zipChunks } from '../../compression/zip-writer.ts';
import { FileFormatError } from '../../problem.ts';
import type { GenotypePanel } from '../genotype-panel.ts';
import { BED_MAGIC, packedLength } from '../packed-calls.ts';
import { UNKNOWN_ALLELE } from '../panel-writer.ts';
import { textChunks } from './marker-blocks.ts';

const MARKERS_PER_READ = 4096;
/** Larger archives need Zip64, which the writer of zips does not know. */
const MAX_BED_BYTES = 0xffff_ffff;

/**
 * A panel as a zip of `<name>.bed`, `.bim` and `.fam` (PLINK 1, SNP-major): A1 in column 5, A2 in column 6, the calls as they are. PLINK reads names up to the next blank, so
 * blanks in names of samples become `_`. Source: www.cog-genomics.org/plink/1.9/formats.
 *
 * @throws FileFormatError E-TOO-LARGE before the first byte, when the `.bed` has more than 4 GB
 */
export function writePlinkZip(panel: GenotypePanel, name: string): AsyncGenerator<Uint8Array> {
  const size = BED_MAGIC.length + panel.markers.id.length * packedLength(panel.samples.length);
  if (size > MAX_BED_BYTES) {
    throw new FileFormatError('E-TOO-LARGE', {
      value: `${size} bytes`,
      message: 'The .bed file of this panel has more than 4 GB, which does not fit into a zip.',
      suggestion: 'Export VCF instead.',
    });
  }
  return zipChunks([
    [`${name}.bed`, bedBytes(panel)],
    [`${name}.bim`, textChunks(bimRows(panel))],
    [`${name}.fam`, textChunks(famRows(panel))],
  ]);
}

async function* bedBytes(panel: GenotypePanel): AsyncGenerator<Uint8Array> {
  yield BED_MAGIC;
  const count = panel.markers.id.length;
  for (let first = 0; first < count; first += MARKERS_PER_READ)
    yield await panel.readPacked(first, Math.min(MARKERS_PER_READ, count - first));
}

function* bimRows({ markers }: GenotypePanel): Generator<string> {
  const allele = (text: string) => (text === UNKNOWN_ALLELE ? '0' : text);
  for (let j = 0; j < markers.id.length; j++)
    yield `${markers.chromosome[j]}\t${markers.id[j]}\t0\t${markers.positionBp[j]}\t${allele(markers.a1[j])}\t${allele(markers.a2[j])}\n`;
}

function* famRows({ samples }: GenotypePanel): Generator<string> {
  for (const sample of samples) yield `0\t${sample.replaceAll(/\s/g, '_')}\t0\t0\t0\t-9\n`;
}
