import type { GenotypePanel } from '../genotype-panel.ts';
import { callCode, packedMarkers, textChunks } from './marker-blocks.ts';

const LEAD = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT'];
/** By the two bits of a call. */
const CALLS = ['\t0/0', '\t./.', '\t0/1', '\t1/1'];

/**
 * A panel as VCF 4.2 with GT alone: REF = A1, ALT = A2, unphased (a `.bed` knows no phase). A position that is not known is 0.
 * Bytes of text; compress them with `deflateBgzf` for a `.vcf.gz`. Source: VCFv4.2 specification (hts-specs).
 */
export function writeVcf(panel: GenotypePanel): AsyncGenerator<Uint8Array> {
  return textChunks(vcfRows(panel));
}

async function* vcfRows(panel: GenotypePanel): AsyncGenerator<string> {
  const { samples, markers } = panel;
  yield '##fileformat=VCFv4.2\n##source=Heterosis\n';
  yield '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n';
  for (const contig of new Set(markers.chromosome)) yield `##contig=<ID=${contig}>\n`;
  yield `${[...LEAD, ...samples].join('\t')}\n`;
  for await (const { marker, packed } of packedMarkers(panel)) {
    const lead = [
      markers.chromosome[marker],
      markers.positionBp[marker],
      markers.id[marker],
      markers.a1[marker],
      markers.a2[marker],
    ].join('\t');
    let row = `${lead}\t.\t.\t.\tGT`;
    for (let i = 0; i < samples.length; i++) row += CALLS[callCode(packed, i)];
    yield `${row}\n`;
  }
}
