import { codeTexts } from '../../text/code-texts.ts';
import { csvCell } from '../../text/csv-cell.ts';
import type { LineBuffer } from '../../text/line-buffer.ts';
import { type DosageValues, dosageTextOf } from '../panel/dosages.ts';
import type { GenotypePanel } from '../panel/genotype-panel.ts';
import { lineChunks, packedMarkers, sampleCalls, sampleDosages } from './marker-blocks.ts';

/** By the two bits of a call: copies of A2, empty when missing. */
const DOSAGES = codeTexts([',0', ',', ',1', ',2']);

/**
 * A panel as CSV of copies of A2 with markers in rows: marker, chrom, pos, REF, ALT, then one column a sample. Empty
 * cells are missing calls. Names that a spreadsheet would run as a formula are written harmless.
 */
export function writeNumericByMarker(panel: GenotypePanel): AsyncGenerator<Uint8Array> {
  return lineChunks((lines) => markerRows(lines, panel));
}

async function* markerRows(lines: LineBuffer, panel: GenotypePanel): AsyncGenerator<void> {
  const { samples, markers } = panel;
  lines.text(`${['marker', 'chrom', 'pos', 'REF', 'ALT', ...samples].map(csvCell).join(',')}\n`);
  for await (const { marker, packed, units } of packedMarkers(panel)) {
    const lead = [
      csvCell(markers.id[marker]),
      csvCell(markers.chromosome[marker]),
      markers.positionBp[marker],
      csvCell(markers.a1[marker]),
      csvCell(markers.a2[marker]),
    ];
    lines.text(lead.join(','));
    if (units === undefined) lines.codes(packed, samples.length, DOSAGES);
    else writeUnits(lines, units, panel.dosages?.ploidy);
    lines.newLine();
    yield;
  }
}

/**
 * A panel as CSV of copies of A2 with samples in rows: sample, then one column a marker. Chromosomes, positions and
 * alleles have no place in it. The panel is read as often as 64 MB of calls go into it.
 */
export function writeNumericBySample(panel: GenotypePanel, keptBytes?: number): AsyncGenerator<Uint8Array> {
  return lineChunks((lines) => sampleRows(lines, panel, keptBytes));
}

async function* sampleRows(
  lines: LineBuffer,
  panel: GenotypePanel,
  keptBytes: number | undefined,
): AsyncGenerator<void> {
  const { samples, markers } = panel;
  lines.text(`${['sample', ...markers.id].map(csvCell).join(',')}\n`);
  if (panel.dosages !== undefined) {
    for await (const { sample, units } of sampleDosages(panel, keptBytes)) {
      lines.text(csvCell(samples[sample]));
      writeUnits(lines, units, panel.dosages?.ploidy);
      lines.newLine();
      yield;
    }
    return;
  }
  for await (const { sample, packed } of sampleCalls(panel, keptBytes)) {
    lines.text(csvCell(samples[sample]));
    lines.codes(packed, markers.id.length, DOSAGES);
    lines.newLine();
    yield;
  }
}

function writeUnits(lines: LineBuffer, units: DosageValues, ploidy: number | undefined): void {
  for (let i = 0; i < units.length; i++) {
    lines.comma();
    lines.text(dosageTextOf(units[i], ploidy));
  }
}
