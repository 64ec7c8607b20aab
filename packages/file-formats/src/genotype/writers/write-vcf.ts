import type { GenotypePanel, MarkerTable } from '../genotype-panel.ts';
import { callCode, packedMarkers, textChunks } from './marker-blocks.ts';

const LEAD = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT'];
/** By the two bits of a call. */
const CALLS = ['\t0/0', '\t./.', '\t0/1', '\t1/1'];

/** A VCF of genotypes alone. */
export interface VcfContent {
  samples: readonly string[];
  /** REF = A1, ALT = A2; a position that is not known is 0. */
  markers: MarkerTable;
  /** Further lines of the header, each beginning with `##`. */
  meta?: Iterable<string>;
  /** The markers to write, in their order, each with the calls of all samples: `\t0|1\t1|1…`. */
  rows: AsyncIterable<VcfRow> | Iterable<VcfRow>;
}

export interface VcfRow {
  /** Place in `markers`. */
  marker: number;
  /** One call a sample, each after a tab. */
  calls: string;
}

/**
 * A panel as VCF 4.2 with GT alone: REF = A1, ALT = A2, unphased (a `.bed` knows no phase). A position that is not known is 0.
 * Bytes of text; compress them with `deflateBgzf` for a `.vcf.gz`. Source: VCFv4.2 specification (hts-specs).
 */
export function writeVcf(panel: GenotypePanel): AsyncGenerator<Uint8Array> {
  return writeVcfRows({ samples: panel.samples, markers: panel.markers, rows: panelRows(panel) });
}

/** VCF 4.2 with GT alone from calls that are text already, phased or not; bytes as {@link writeVcf} gives them. */
export function writeVcfRows(content: VcfContent): AsyncGenerator<Uint8Array> {
  return textChunks(vcfLines(content));
}

async function* vcfLines({ samples, markers, meta = [], rows }: VcfContent): AsyncGenerator<string> {
  yield '##fileformat=VCFv4.2\n##source=Heterosis\n';
  for (const line of meta) yield `${line}\n`;
  yield '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n';
  for (const contig of new Set(markers.chromosome)) yield `##contig=<ID=${contig}>\n`;
  yield `${[...LEAD, ...samples].join('\t')}\n`;
  for await (const { marker, calls } of rows) {
    const lead = [
      markers.chromosome[marker],
      markers.positionBp[marker],
      markers.id[marker],
      markers.a1[marker],
      markers.a2[marker],
    ].join('\t');
    yield `${lead}\t.\t.\t.\tGT${calls}\n`;
  }
}

async function* panelRows(panel: GenotypePanel): AsyncGenerator<VcfRow> {
  for await (const { marker, packed } of packedMarkers(panel)) {
    let calls = '';
    for (let i = 0; i < panel.samples.length; i++) calls += CALLS[callCode(packed, i)];
    yield { marker, calls };
  }
}
