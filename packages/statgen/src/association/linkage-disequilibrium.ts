import { createMatrix, transpose } from '@heterosis/linalg/matrix';
import { addOuterProduct } from '@heterosis/linalg/products';
import { symmetricEigenvaluesInPlace } from '@heterosis/linalg/symmetric-eigen';
import {
  bytesPerMarker,
  countCalls,
  type MarkerFilter,
  type PanelSelection,
  passesFilter,
  requirePacked,
  selectionSize,
} from '../genotypes/call-counts.ts';
import { centredValues, decodeBlock } from '../genotypes/decode-block.ts';
import { positionsOf } from '../kinship/accumulate-kinship.ts';
import { StatgenError } from '../statgen-error.ts';

/** Dosage of A2 by two-bit code; −1 = missing. */
const DOSAGE_OF_CODE = Int8Array.of(0, -1, 1, 2);

/**
 * r² between one marker and each marker of a block: the squared Pearson correlation of dosages over the individuals with both
 * calls. NaN where either is constant among them.
 *
 * @param packed count × ceil(panelSize / 4) bytes
 * @param focus position within the block of the marker the others are compared with
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
    // Integers throughout: exactly 0 for a constant marker.
    const varianceX = n * xx - x * x;
    const varianceY = n * yy - y * y;
    const covariance = n * xy - x * y;
    return varianceX > 0 && varianceY > 0 ? (covariance / varianceX) * (covariance / varianceY) : Number.NaN;
  });
}

/** Neighbouring markers whose correlations are taken into account; further apart they count as independent. */
const MARKERS_PER_WINDOW = 200;
/** Rounding error of eigenvalues of a 200 × 200 correlation matrix. */
const WHOLE_TOLERANCE = 1e-9;

/**
 * Effective number of independent tests among the markers of a block (one chromosome, or part of one), after Li & Ji 2005
 * (Heredity 95:221, doi:10.1038/sj.hdy.6800717): Σ over eigenvalues λ of the correlation matrix of [λ ≥ 1] + (λ − ⌊λ⌋), in
 * windows of 200 neighbours. The sum over blocks is the number for the genome. O(200·n + 200²) a marker.
 *
 * @param packed count × ceil(panelSize / 4) bytes
 * @throws StatgenError `shape-mismatch`
 */
export function effectiveTests(
  packed: Uint8Array,
  count: number,
  selection: PanelSelection,
  filter: MarkerFilter,
): number {
  requirePacked(packed, count, selection);
  const n = selectionSize(selection);
  const stride = bytesPerMarker(selection.panelSize);
  const counts = countCalls(packed, count, selection);
  const kept = positionsOf(Uint8Array.from({ length: count }, (_, j) => (passesFilter(counts, j, filter) ? 1 : 0)));
  const values = centredValues(counts);
  let total = 0;
  for (let first = 0; first < kept.length; first += MARKERS_PER_WINDOW) {
    const markers = kept.subarray(first, first + MARKERS_PER_WINDOW);
    const start = markers[0];
    const end = markers[markers.length - 1] + 1;
    const block = createMatrix(n, markers.length);
    decodeBlock(
      packed.subarray(start * stride, end * stride),
      end - start,
      selection,
      markers.map((j) => j - start),
      values.subarray(4 * start, 4 * end),
      block.data,
    );
    scaleColumns(n, markers.length, block.data);
    const correlation = createMatrix(markers.length, markers.length);
    addOuterProduct(correlation, transpose(block));
    for (const eigenvalue of symmetricEigenvaluesInPlace(correlation)) {
      // Li & Ji's function jumps at whole numbers (2 counts 1, 2 − 1e−16 counts 2): rounding must not decide, as it would
      // for identical markers, whose eigenvalues are whole.
      const nearest = Math.round(eigenvalue);
      const size = Math.abs(eigenvalue - nearest) < WHOLE_TOLERANCE ? nearest : eigenvalue;
      total += (size >= 1 ? 1 : 0) + (size - Math.floor(size));
    }
  }
  return total;
}

/** Columns to unit length; those of length 0 stay 0. */
function scaleColumns(n: number, columns: number, data: Float64Array): void {
  for (let j = 0; j < columns; j++) {
    const column = data.subarray(j * n, (j + 1) * n);
    const length = Math.sqrt(column.reduce((sum, value) => sum + value * value, 0));
    if (length > 0) for (let i = 0; i < n; i++) column[i] /= length;
  }
}
