import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { createCallBlock } from '../genotypes/call-block.ts';
import { centredSquares, type MarkerFilter, passesFilter, requireFilter } from '../genotypes/call-counts.ts';
import { centredValues } from '../genotypes/decode-block.ts';
import { dosagesOfPart, type FractionalDosages } from '../genotypes/fractional-dosages.ts';
import { bytesPerMarker, type PanelSelection, requirePacked, selectionSize } from '../genotypes/packed-calls.ts';
import { positionsOf } from '../kinship/accumulate-kinship.ts';
import { StatgenError } from '../statgen-error.ts';
import type { GwasNull } from './prepare-gwas.ts';

/** Markers rotated by one product. */
const MARKERS_PER_PRODUCT = 512;
/** A marker is explained by the fixed effects when less than this share of it lies outside them. */
export const COLLINEAR_SHARE = 1e-10;

/** Markers of a block that pass the filter and are not explained by the fixed effects. */
export interface RotatedMarkers {
  /** Their positions in the block. */
  markers: Int32Array;
  /** (n − fixed) × markers: contrasts in the basis of the eigenvectors; the next block overwrites them. */
  rotated: Matrix;
}

/** Yields the rotated markers of a block, some hundreds at a time. */
export type MarkerRotation = (
  packed: Uint8Array,
  count: number,
  dosages?: FractionalDosages,
) => Generator<RotatedMarkers>;

/**
 * Rotates the markers that `createMarkerTester` tests: same filter, missing calls at the mean of their marker. One
 * product, 2n² operations a marker.
 *
 * @throws StatgenError `shape-mismatch` when the selection is not the size of the null state, `bad-option`
 */
export function createMarkerRotation(
  state: GwasNull,
  options: PanelSelection & { filter: MarkerFilter },
): MarkerRotation {
  requireFilter(options.filter);
  const { n, contrastEigenvalues } = state;
  if (selectionSize(options) !== n) {
    throw new StatgenError(
      'shape-mismatch',
      `${selectionSize(options)} individuals are selected, the null model has ${n}`,
    );
  }
  const order = contrastEigenvalues.length;
  const basis = matrixOf(n, order, state.basis);
  const block = createCallBlock(options, MARKERS_PER_PRODUCT);
  const product = createMatrix(order, MARKERS_PER_PRODUCT);
  const stride = bytesPerMarker(options.panelSize);
  return function* (packed, count, dosages) {
    requirePacked(packed, count, options);
    for (let first = 0; first < count; first += MARKERS_PER_PRODUCT) {
      const size = Math.min(MARKERS_PER_PRODUCT, count - first);
      const part = packed.subarray(first * stride, (first + size) * stride);
      const counts = block.load(part, size, dosagesOfPart(dosages, first, size));
      const kept = new Uint8Array(size);
      for (let j = 0; j < size; j++) kept[j] = passesFilter(counts, j, options.filter) ? 1 : 0;
      const markers = positionsOf(kept);
      if (markers.length === 0) continue;
      const into = matrixOf(order, markers.length, product.data);
      multiply(basis, block.decode(markers, centredValues(counts)), { transposeA: true, into });
      const used: number[] = [];
      for (const [column, j] of markers.entries()) {
        const values = product.data.subarray(column * order, (column + 1) * order);
        if (!(squaredLength(values) > COLLINEAR_SHARE * centredSquares(counts, j))) continue;
        if (used.length < column) product.data.copyWithin(used.length * order, column * order, (column + 1) * order);
        used.push(first + j);
      }
      if (used.length > 0) {
        yield { markers: Int32Array.from(used), rotated: matrixOf(order, used.length, product.data) };
      }
    }
  };
}

function squaredLength(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return sum;
}
