import { StatgenError } from '../statgen-error.ts';
import { rawCoding, rowTiles, tileRows } from './dosage-products.ts';
import type { PackedMarkers } from './packed-markers.ts';

/**
 * Markers whose dosages are divided by the standard errors of the values, row by row, as traits and fixed effects are:
 * what is computed from them, Z'Ω⁻¹Z among others, is that of independent errors of variance 1. Sums round, so that
 * all is done in double precision. Mean dosages and filters are those of the markers.
 *
 * @param individuals panel positions of those with an error; null for all
 * @param variances their n error variances
 * @throws StatgenError `shape-mismatch`, `errors-not-positive-definite` (details: `place`)
 */
export function weighMarkers(
  markers: PackedMarkers,
  individuals: Int32Array | null,
  variances: Float64Array,
): PackedMarkers {
  const { panelSize } = markers;
  const n = individuals?.length ?? panelSize;
  if (variances.length !== n) {
    throw new StatgenError('shape-mismatch', `${n} individuals have ${variances.length} errors`, { n });
  }
  const place = variances.findIndex((variance) => !(variance > 0 && Number.isFinite(variance)));
  if (place >= 0) {
    throw new StatgenError('errors-not-positive-definite', `the error of value ${place + 1} is not above 0`, { place });
  }
  const errors = new Float64Array(panelSize).fill(Number.NaN);
  for (let k = 0; k < n; k++) errors[individuals?.[k] ?? k] = variances[k];
  const factors = errors.map((variance) => 1 / Math.sqrt(variance));
  const decode: PackedMarkers['decode'] = (chosen, rows, columns, coding, out) => {
    markers.decode(chosen, rows, columns, coding, out);
    const own = Float64Array.from(
      { length: rows.count },
      (_, i) => factors[chosen?.[rows.first + i] ?? rows.first + i],
    );
    for (let at = 0; at < rows.count * columns.count; at += rows.count) {
      for (let i = 0; i < rows.count; i++) out[at + i] *= own[i];
    }
  };
  const weighed: PackedMarkers = {
    ...markers,
    isWhole: false,
    errors,
    decode,
    decodeWhole: () => {
      throw new TypeError('dosages divided by errors are no whole numbers');
    },
  };
  return { ...weighed, centredSquares: squaresAroundMean(weighed, individuals, factors) };
}

/** Σ(dosage − weighted mean)²/variance of each marker. */
function squaresAroundMean(
  weighed: PackedMarkers,
  individuals: Int32Array | null,
  factors: Float64Array,
): Float64Array {
  const { m, panelSize, meanDosage } = weighed;
  const n = individuals?.length ?? panelSize;
  const coding = { ...rawCoding(m), centre: meanDosage };
  const squares = new Float64Array(m);
  const sums = new Float64Array(m);
  let weight = 0;
  const tile = new Float64Array(Math.min(tileRows(m), n) * m);
  for (const rows of rowTiles(n, m)) {
    weighed.decode(individuals, rows, { first: 0, count: m }, coding, tile);
    const own = Float64Array.from({ length: rows.count }, (_, i) => {
      return factors[individuals?.[rows.first + i] ?? rows.first + i];
    });
    for (const factor of own) weight += factor * factor;
    for (let j = 0; j < m; j++) {
      for (let i = 0, at = j * rows.count; i < rows.count; i++, at++) {
        squares[j] += tile[at] * tile[at];
        sums[j] += tile[at] * own[i];
      }
    }
  }
  return squares.map((square, j) => Math.max(0, square - (sums[j] * sums[j]) / weight));
}
