import { bytesPerMarker, type PanelSelection, requirePacked } from '../genotypes/packed-calls.ts';
import { StatgenError } from '../statgen-error.ts';

/** Dosage of A2 by two-bit code; −1 = missing. */
const DOSAGE_OF_CODE = Int8Array.of(0, -1, 1, 2);

/**
 * r² between one marker and each marker of a block: the squared Pearson correlation of dosages over the individuals
 * with both calls. NaN where either is constant among them.
 *
 * @param packed count × ceil(panelSize / 4) bytes
 * @param focus position within the block of the marker to compare with
 * @throws StatgenError `shape-mismatch`
 */
export function linkageDisequilibrium(
  packed: Uint8Array,
  count: number,
  selection: PanelSelection,
  focus: number,
): Float64Array {
  requirePacked(packed, count, selection);
  if (!(Number.isInteger(focus) && focus >= 0 && focus < count)) {
    throw new StatgenError('shape-mismatch', `marker ${focus} is not one of the ${count} of the block`);
  }
  const stride = bytesPerMarker(selection.panelSize);
  const individuals = selection.individuals ?? Int32Array.from({ length: selection.panelSize }, (_, i) => i);
  const dosageOf = (marker: number, individual: number): number =>
    DOSAGE_OF_CODE[(packed[marker * stride + (individual >> 2)] >> ((individual & 3) << 1)) & 3];
  const focal = Int8Array.from(individuals, (individual) => dosageOf(focus, individual));
  return Float64Array.from({ length: count }, (_, marker) => {
    let n = 0;
    let x = 0;
    let y = 0;
    let xx = 0;
    let yy = 0;
    let xy = 0;
    for (let i = 0; i < individuals.length; i++) {
      const other = dosageOf(marker, individuals[i]);
      if (focal[i] < 0 || other < 0) continue;
      n++;
      x += focal[i];
      y += other;
      xx += focal[i] * focal[i];
      yy += other * other;
      xy += focal[i] * other;
    }
    // Integer arithmetic throughout: exactly 0 for a constant marker.
    const varianceX = n * xx - x * x;
    const varianceY = n * yy - y * y;
    const covariance = n * xy - x * y;
    return varianceX > 0 && varianceY > 0 ? (covariance / varianceX) * (covariance / varianceY) : Number.NaN;
  });
}
