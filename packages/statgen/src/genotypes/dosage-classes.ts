import {
  DOSAGE_UNITS,
  type FractionalDosages,
  MISSING_DOSAGE,
  MISSING_POLYPLOID,
  POLYPLOID_UNITS,
} from './fractional-dosages.ts';
import { bytesPerMarker, type PanelSelection } from './packed-calls.ts';

/** Class of a missing call. */
export const NO_CLASS = 255;
/** Copies by the two-bit codes 00, 01, 10, 11. */
const CLASS_OF_CALL = Uint8Array.of(0, NO_CLASS, 1, 2);

/**
 * The whole number of copies of A2 that is nearest to each call of a marker; halves go up, missing calls are {@link
 * NO_CLASS}.
 *
 * @param marker position in the block of markers
 * @param out one entry an individual of the selection
 */
export function dosageClasses(
  { packed, dosages }: { packed: Uint8Array; dosages: FractionalDosages | undefined },
  marker: number,
  { panelSize, individuals }: PanelSelection,
  out: Uint8Array,
): void {
  const row = dosages?.rows[marker] ?? -1;
  if (dosages === undefined || row < 0) {
    const start = marker * bytesPerMarker(panelSize);
    for (let k = 0; k < out.length; k++) {
      const i = individuals === undefined ? k : individuals[k];
      out[k] = CLASS_OF_CALL[(packed[start + (i >> 2)] >> ((i & 3) << 1)) & 3];
    }
    return;
  }
  const [units, missing] =
    dosages.ploidy === undefined ? [DOSAGE_UNITS, MISSING_DOSAGE] : [POLYPLOID_UNITS, MISSING_POLYPLOID];
  for (let k = 0; k < out.length; k++) {
    const value = dosages.values[row * panelSize + (individuals === undefined ? k : individuals[k])];
    out[k] = value === missing ? NO_CLASS : Math.floor(value / units + 0.5);
  }
}
