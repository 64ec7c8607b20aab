import { csvCell } from '../../text/csv-cell.ts';
import type { GenotypePanel } from '../genotype-panel.ts';
import { callCode, packedMarkers, sampleCalls, textChunks } from './marker-blocks.ts';

/** By the two bits of a call: copies of A2, empty when missing. */
const DOSAGES = [',0', ',', ',1', ',2'];

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
export function writeNumericBySample(panel: GenotypePanel, keptBytes?: number): AsyncGenerator<Uint8Array> {
  return textChunks(sampleRows(panel, keptBytes));
}

async function* sampleRows(panel: GenotypePanel, keptBytes: number | undefined): AsyncGenerator<string> {
  const { samples, markers } = panel;
  const count = markers.id.length;
  yield `${['sample', ...markers.id].map(csvCell).join(',')}\n`;
  for await (const { sample, codeOf } of sampleCalls(panel, keptBytes)) {
    const parts: string[] = [csvCell(samples[sample])];
    for (let j = 0; j < count; j++) parts.push(DOSAGES[codeOf(j)]);
    yield `${parts.join('')}\n`;
  }
}
