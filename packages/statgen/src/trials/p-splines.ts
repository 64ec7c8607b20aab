import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { symmetricEigenInPlace } from '@heterosis/linalg/symmetric-eigen';

/** A cubic P-spline basis along one coordinate of the field, split into what its penalty spares and what it shrinks. */
export interface SplineAxis {
  segments: number;
  /** The spared constant, one value for all plots. */
  one: number;
  /** The spared slope, n values, 0 at mid-range. */
  linear: Float64Array;
  /** Z = B·U₊, n × (segments + 1). */
  wiggly: Matrix;
  /** The positive eigenvalues of D′D, one a column of `wiggly`. */
  penalties: Float64Array;
}

const DEGREE = 3;

/** Segments of a coordinate unless a person says otherwise: one for two distinct values, at least two. */
export function defaultSegments(places: ArrayLike<number>): number {
  return Math.max(2, Math.ceil(new Set(Array.from(places)).size / 2));
}

/**
 * B-splines of degree 3 on equidistant knots with a second-order penalty (Eilers & Marx 1996), reparametrised as a
 * mixed model: D′D = U diag(d) U′, Z = B U₊, and the null space {1, x} orthonormal in the coefficients.
 *
 * @param at coordinate of each plot analysed, n values
 * @param all coordinates of all plots, those without a value too: they set the range of the basis
 */
export function splineAxis(at: Float64Array, all: ArrayLike<number>, segments: number): SplineAxis {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < all.length; i++) {
    low = Math.min(low, all[i]);
    high = Math.max(high, all[i]);
  }
  const width = (high - low) / segments;
  const size = segments + DEGREE;
  const basis = createMatrix(at.length, size);
  for (let i = 0; i < at.length; i++) addBSplines(basis, i, (at[i] - low) / width, segments);
  const { values, vectors } = symmetricEigenInPlace(secondOrderPenalty(size));
  const positive: Matrix = { rows: size, columns: size - 2, data: vectors.data.subarray(2 * size) };
  const slope = width * Math.sqrt((size * (size ** 2 - 1)) / 12);
  return {
    segments,
    one: 1 / Math.sqrt(size),
    linear: at.map((x) => (x - (low + high) / 2) / slope),
    wiggly: multiply(basis, positive),
    penalties: values.slice(2),
  };
}

/** The four cubic B-splines that are not 0 at t segments from the start (de Boor 1978). */
function addBSplines(basis: Matrix, plot: number, t: number, segments: number): void {
  const segment = Math.min(segments - 1, Math.max(0, Math.floor(t)));
  const u = t - segment;
  const values = [
    (1 - u) ** 3 / 6,
    (3 * u ** 3 - 6 * u ** 2 + 4) / 6,
    (-3 * u ** 3 + 3 * u ** 2 + 3 * u + 1) / 6,
    u ** 3 / 6,
  ];
  for (let k = 0; k <= DEGREE; k++) basis.data[plot + (segment + k) * basis.rows] = values[k];
}

function secondOrderPenalty(size: number): Matrix {
  const penalty = createMatrix(size, size);
  const difference = [1, -2, 1];
  for (let start = 0; start + 2 < size; start++) {
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) penalty.data[start + i + (start + j) * size] += difference[i] * difference[j];
    }
  }
  return penalty;
}

/** One term of the surface: i.i.d. coefficients of these columns. */
export interface SurfaceTerm {
  name: SurfaceName;
  columns: Matrix;
}

export type SurfaceName =
  | 'spline_columns'
  | 'spline_rows'
  | 'spline_columns_linear_rows'
  | 'spline_rows_linear_columns'
  | 'spline_interaction';

/**
 * The nested analysis of variance of a surface, PS-ANOVA (Lee, Durbán & Eilers 2013; Rodríguez-Álvarez et al. 2018,
 * Spatial Statistics 23:52–71): three fixed trends and five penalised terms. Columns are divided by the root of their
 * penalty, so that the coefficients of a term have one variance.
 */
export function psanovaTerms(rows: SplineAxis, columns: SplineAxis): { trends: Matrix; terms: SurfaceTerm[] } {
  const n = rows.linear.length;
  const trends = createMatrix(n, 3);
  for (let i = 0; i < n; i++) {
    trends.data[i] = rows.one * columns.linear[i];
    trends.data[i + n] = rows.linear[i] * columns.one;
    trends.data[i + 2 * n] = rows.linear[i] * columns.linear[i];
  }
  const oneOfRows = new Float64Array(n).fill(rows.one);
  const oneOfColumns = new Float64Array(n).fill(columns.one);
  return {
    trends,
    terms: [
      { name: 'spline_columns', columns: along(columns, oneOfRows) },
      { name: 'spline_rows', columns: along(rows, oneOfColumns) },
      { name: 'spline_columns_linear_rows', columns: along(columns, rows.linear) },
      { name: 'spline_rows_linear_columns', columns: along(rows, columns.linear) },
      { name: 'spline_interaction', columns: interaction(rows, columns) },
    ],
  };
}

/** The wiggly columns of an axis, each times `factor` of the plot and over the root of its penalty. */
function along({ wiggly, penalties }: SplineAxis, factor: Float64Array): Matrix {
  const n = factor.length;
  const result = createMatrix(n, penalties.length);
  for (let j = 0; j < penalties.length; j++) {
    const scale = 1 / Math.sqrt(penalties[j]);
    for (let i = 0; i < n; i++) result.data[i + j * n] = wiggly.data[i + j * n] * factor[i] * scale;
  }
  return result;
}

function interaction(rows: SplineAxis, columns: SplineAxis): Matrix {
  const n = rows.linear.length;
  const result = createMatrix(n, rows.penalties.length * columns.penalties.length);
  let at = 0;
  for (let k = 0; k < columns.penalties.length; k++) {
    for (let j = 0; j < rows.penalties.length; j++) {
      const scale = 1 / Math.sqrt(columns.penalties[k] + rows.penalties[j]);
      for (let i = 0; i < n; i++) {
        result.data[at++] = columns.wiggly.data[i + k * n] * rows.wiggly.data[i + j * n] * scale;
      }
    }
  }
  return result;
}
