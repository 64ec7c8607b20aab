import { csvCell } from '../../text/csv-cell.ts';
import type { LineBuffer } from '../../text/line-buffer.ts';
import { DOSAGE_UNITS, dosageTextOf, MISSING_DOSAGE, MISSING_POLYPLOID, POLYPLOID_UNITS } from '../panel/dosages.ts';
import type { GenotypePanel } from '../panel/genotype-panel.ts';
import { unpackCalls } from '../panel/packed-calls.ts';
import { lineChunks, packedMarkers } from './marker-blocks.ts';

/** By the two bits of a call: copies of A2. */
const COPIES_OF_CODE = ['0', 'NA', '1', '2'];

/**
 * A panel as CSV of one dosage a row, with the columns that updog has for its individuals: snp, ind, geno (the nearest
 * whole number of copies of A2, NA when missing), and postmean where a panel has fractional dosages. Chromosomes,
 * positions and alleles have no place in it.
 */
export function writeLongDosages(panel: GenotypePanel): AsyncGenerator<Uint8Array> {
  return lineChunks((lines) => dosageRows(lines, panel));
}

async function* dosageRows(lines: LineBuffer, panel: GenotypePanel): AsyncGenerator<void> {
  const { markers, dosages } = panel;
  const ploidy = dosages?.ploidy;
  const [unit, missing] = ploidy === undefined ? [DOSAGE_UNITS, MISSING_DOSAGE] : [POLYPLOID_UNITS, MISSING_POLYPLOID];
  const hasMeans = (dosages?.markerCount ?? 0) > 0;
  lines.text(hasMeans ? 'snp,ind,geno,postmean\n' : 'snp,ind,geno\n');
  const samples = panel.samples.map((name) => `,${csvCell(name)},`);
  const codes = new Uint8Array(samples.length);
  for await (const { marker, packed, units } of packedMarkers(panel)) {
    const id = csvCell(markers.id[marker]);
    if (units === undefined) unpackCalls(packed, codes);
    for (let i = 0; i < samples.length; i++) {
      lines.text(id);
      lines.text(samples[i]);
      if (units === undefined) {
        const copies = COPIES_OF_CODE[codes[i]];
        lines.text(hasMeans ? `${copies},${copies}\n` : `${copies}\n`);
      } else if (units[i] === missing) lines.text(hasMeans ? 'NA,NA\n' : 'NA\n');
      else {
        lines.integer(Math.round(units[i] / unit));
        lines.text(hasMeans ? `,${dosageTextOf(units[i], ploidy)}\n` : '\n');
      }
    }
    yield;
  }
}
