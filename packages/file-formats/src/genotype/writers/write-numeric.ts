import { csvCell } from '../../text/csv-cell.ts';
import type { GenotypePanel } from '../genotype-panel.ts';
import { packedLength } from '../packed-calls.ts';
import { callCode, packedMarkers, textChunks } from './marker-blocks.ts';

/** By the two bits of a call: copies of A2, empty when missing. */
const DOSAGES = [',0', ',', ',1', ',2'];
/** Bytes of calls kept while samples are written as rows; a larger panel is read several times. */
const KEPT_BYTES = 64 << 20;
const MARKERS_PER_READ = 4096;

/**
 * A panel as CSV of copies of A2 with markers in rows: marker, chrom, pos, REF, ALT, then one column a sample. Empty cells are missing calls.
 * Names that a spreadsheet would run as a formula are written harmless.
 */
export function writeNumericByMarker(panel: GenotypePanel): AsyncGenerator<Uint8Array> {
  return textChunks(markerRows(panel));
}

async function* markerRows(panel: GenotypePanel): AsyncGenerator<string> {
  const { samples, markers } = panel;
  yield `${['marker', 'chrom', 'pos', 'REF', 'ALT', ...samples].map(csvCell).join(',')}\n`;
  for await (const { marker, packed } of packedMarkers(panel)) {
    let row = [
      csvCell(markers.id[marker]),
      csvCell(markers.chromosome[marker]),
      markers.positionBp[marker],
      csvCell(markers.a1[marker]),
      csvCell(markers.a2[marker]),
    ].join(',');
    for (let i = 0; i < samples.length; i++) row += DOSAGES[callCode(packed, i)];
    yield `${row}\n`;
  }
}

/**
 * A panel as CSV of copies of A2 with samples in rows: sample, then one column a marker. Chromosomes, positions and alleles have no place
 * in it. The panel is read as often as 64 MB of calls go into it.
 */
export function writeNumericBySample(panel: GenotypePanel, keptBytes: number = KEPT_BYTES): AsyncGenerator<Uint8Array> {
  return textChunks(sampleRows(panel, keptBytes));
}

async function* sampleRows(panel: GenotypePanel, keptBytes: number): AsyncGenerator<string> {
  const { samples, markers } = panel;
  const count = markers.id.length;
  yield `${['sample', ...markers.id].map(csvCell).join(',')}\n`;
  // Whole bytes of four samples, so that a group of samples is a range of bytes of every marker.
  const stride = packedLength(samples.length);
  const groupBytes = Math.max(1, Math.min(stride, Math.floor(keptBytes / Math.max(1, count))));
  const kept = new Uint8Array(groupBytes * count);
  for (let from = 0; from < stride; from += groupBytes) {
    const width = Math.min(groupBytes, stride - from);
    for (let first = 0; first < count; first += MARKERS_PER_READ) {
      const size = Math.min(MARKERS_PER_READ, count - first);
      const block = await panel.readPacked(first, size);
      for (let j = 0; j < size; j++)
        kept.set(block.subarray(j * stride + from, j * stride + from + width), (first + j) * width);
    }
    const last = Math.min(samples.length, 4 * (from + width));
    for (let i = 4 * from; i < last; i++) {
      const parts: string[] = [csvCell(samples[i])];
      const byte = (i >> 2) - from;
      const shift = 2 * (i & 3);
      for (let j = 0; j < count; j++) parts.push(DOSAGES[(kept[j * width + byte] >> shift) & 3]);
      yield `${parts.join('')}\n`;
    }
  }
}
