import { dosageUnits } from '../panel/dosages.ts';
import type { MarkerRecord } from '../panel/marker-columns.ts';
import type { PanelWriter } from '../panel/panel-writer.ts';

const NO_PHASE = new Uint8Array(0);

/** Adds a marker by its copies of A2, 0 to `ploidy`, one a sample; NaN where missing. */
export function addDosages(writer: PanelWriter, marker: MarkerRecord, copies: Float64Array, ploidy: number): void {
  if (ploidy > 2) writer.addCopies(marker, { ploidy, copies, codes: null, alleles: null, unphased: NO_PHASE });
  else writer.addDosages(marker, Uint16Array.from(copies, dosageUnits));
}
