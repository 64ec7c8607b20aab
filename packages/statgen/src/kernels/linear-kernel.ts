import { addOuterProduct, createMatrix, type Matrix, mirrorLower } from '../linear-algebra.ts';
import type { PackedMarkers } from '../marker-space/packed-markers.ts';
import { StatgenError } from '../statgen-error.ts';

const MARKERS_AT_ONCE = 512;

/**
 * WWᵀ/m, W the marker codes of the panel less their mean, divided by their standard deviation (divisor n), the GBLUP
 * kernel of López-Cruz et al. (2015, G3 5:569). Markers with one allele are left out; missing calls have the mean.
 *
 * @throws StatgenError `no-markers-left`
 */
export function linearKernel(markers: PackedMarkers): Matrix {
  const { m, panelSize: n, centredSquares, meanDosage } = markers;
  const scale = centredSquares.map((square) => (square > 0 ? Math.sqrt(n / square) : 0));
  const used = scale.reduce((count, value) => count + Number(value > 0), 0);
  if (used === 0) throw new StatgenError('no-markers-left', 'all markers have one allele', { markers: m });
  const kernel = createMatrix(n, n);
  const tile = new Float64Array(n * MARKERS_AT_ONCE);
  for (let first = 0; first < m; first += MARKERS_AT_ONCE) {
    const count = Math.min(MARKERS_AT_ONCE, m - first);
    markers.decode(null, { first: 0, count: n }, { first, count }, { centre: meanDosage, scale }, tile);
    addOuterProduct(kernel, { rows: n, columns: count, data: tile.subarray(0, n * count) }, 1 / used);
  }
  mirrorLower(kernel);
  return kernel;
}
