import { type Matrix, matrixOf, requireSquare } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { symmetricEigenInPlace } from '@heterosis/linalg/symmetric-eigen';
import { fTailNegLog10 } from '../../incomplete-beta.ts';
import { StatgenError } from '../../statgen-error.ts';

/** One test of a marker under a gene action. */
export interface GeneActionTest {
  /** Effect of the one column, with its standard error; NaN with several. */
  effect: number;
  standardError: number;
  /** Wald's F of `df` and n − c − `df` degrees of freedom. */
  f: number;
  negLog10P: number;
  /** Share of K in the variance, at which the test was made. */
  h2: number;
}

/** Both tests of a marker. */
export interface GeneActionTests {
  /** Columns that are not combinations of those before them and of the fixed effects. */
  df: number;
  df2: number;
  /** At the h² of the model without marker ("population parameters previously determined", Zhang et al. 2010). */
  p3d: GeneActionTest;
  /** At the h² of the largest REML likelihood with the marker. */
  exact: GeneActionTest;
}

export interface GeneActionTester {
  n: number;
  fixed: number;
  /** Of the model without marker. */
  nullModel: { h2: number; kinshipVariance: number; residualVariance: number; logLikelihood: number };
  /** Columns in the basis of the eigenvectors, for `test`. */
  rotate(columns: Matrix): Matrix;
  /** @param rotated columns of one marker; null where none of them adds to the fixed effects */
  test(rotated: readonly Float64Array[]): GeneActionTests | null;
}

/** h² is searched up to here: with a singular K the likelihood has no value at 1. */
export const HIGHEST_H2: number = 1 - 1e-9;
/** The likelihood can have several maxima: the search begins beside the best of so many points. */
const GRID_POINTS = 24;
/** Of the search between two neighbours of the grid. */
const MOST_STEPS = 60;
const CLOSE = 1e-12;
/** Of a column's square, what must be left beside the columns before it. */
const DEPENDENT_SHARE = 1e-10;

/**
 * Tests of gene actions in y = Xb + Mβ + u + e, u ~ N(0, σ²h²K), e ~ N(0, σ²(1 − h²)I): F = β̂ᵀV_β⁻¹β̂/df with
 * σ² = RSS/(n − c − df), c columns of X, as in GWASpoly. In the basis of the eigenvectors of K each likelihood costs
 * O(n(c + df)²).
 *
 * @param kinship n × n, both triangles, its mean diagonal 1; **overwritten**
 * @param x n × c, the intercept among them, independent
 * @param y n values
 * @throws StatgenError `shape-mismatch`
 */
export function createGeneActionTester(kinship: Matrix, x: Matrix, y: Float64Array): GeneActionTester {
  const n = requireSquare(kinship, 'a kinship matrix');
  if (x.rows !== n || y.length !== n) {
    throw new StatgenError('shape-mismatch', `${n} individuals of the kinship, ${x.rows} of X, ${y.length} values`);
  }
  const c = x.columns;
  const { values, vectors } = symmetricEigenInPlace(kinship);
  const rotate = (columns: Matrix): Matrix => multiply(vectors, columns, { transposeA: true });
  const columnsOf = ({ data, columns }: Matrix): Float64Array[] =>
    Array.from({ length: columns }, (_, j) => data.subarray(j * n, (j + 1) * n));
  const fixed = columnsOf(rotate(x));
  const trait = rotate(matrixOf(n, 1, y)).data;
  const grid = Array.from({ length: GRID_POINTS }, (_, k) => (HIGHEST_H2 * k) / (GRID_POINTS - 1));
  const nullH2 = maximize([...fixed, trait], values, grid);
  const nullFit = factorAt([...fixed, trait], values, nullH2);
  return {
    n,
    fixed: c,
    nullModel: {
      h2: nullH2,
      kinshipVariance: nullFit.variance * nullH2,
      residualVariance: nullFit.variance * (1 - nullH2),
      logLikelihood: nullFit.logLikelihood,
    },
    rotate,
    test(rotated) {
      const columns = independent(fixed, rotated);
      const df = columns.length;
      const df2 = n - c - df;
      if (df === 0 || df2 < 1) return null;
      const all = [...fixed, ...columns, trait];
      const testAt = (h2: number): GeneActionTest => {
        const { lower, variance, order } = factorAt(all, values, h2);
        let explained = 0;
        for (let j = c; j < order - 1; j++) explained += lower[order - 1 + j * order] ** 2;
        const f = explained / (df * variance);
        const last = order - 2;
        const root = lower[last + last * order];
        const isOne = df === 1;
        return {
          effect: isOne ? lower[order - 1 + last * order] / root : Number.NaN,
          standardError: isOne ? Math.sqrt(variance) / root : Number.NaN,
          f,
          negLog10P: fTailNegLog10(f, df, df2),
          h2,
        };
      };
      return { df, df2, p3d: testAt(nullH2), exact: testAt(maximize(all, values, grid)) };
    },
  };
}

/** Columns that are no combinations of the fixed effects and of those before them. */
function independent(fixed: readonly Float64Array[], columns: readonly Float64Array[]): Float64Array[] {
  const basis: Float64Array[] = [];
  const added: Float64Array[] = [];
  for (const [place, column] of [...fixed, ...columns].entries()) {
    const rest = column.slice();
    const square = dot(rest, rest);
    // Twice, because once leaves rounding of the size of what was taken away.
    for (let pass = 0; pass < 2; pass++) {
      for (const one of basis) {
        const share = dot(one, rest);
        for (let i = 0; i < rest.length; i++) rest[i] -= share * one[i];
      }
    }
    const left = dot(rest, rest);
    if (!(left > DEPENDENT_SHARE * square)) continue;
    const scale = 1 / Math.sqrt(left);
    basis.push(rest.map((value) => scale * value));
    if (place >= fixed.length) added.push(column);
  }
  return added;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * The Cholesky factor of the weighted cross-products of the columns, of which the last is the trait, at weights
 * 1/(h²d + 1 − h²), and the REML log-likelihood −½[(n − q) log 2π + log|V| + log|XᵀV⁻¹X| + yᵀPy] of these columns.
 */
function factorAt(
  columns: readonly Float64Array[],
  eigenvalues: Float64Array,
  h2: number,
): { lower: Float64Array; order: number; variance: number; logLikelihood: number } {
  const n = eigenvalues.length;
  const order = columns.length;
  const weights = new Float64Array(n);
  let logDeterminant = 0;
  for (let i = 0; i < n; i++) {
    // Rounding leaves eigenvalues of a singular K a little below 0.
    const variance = h2 * Math.max(0, eigenvalues[i]) + 1 - h2;
    weights[i] = 1 / variance;
    logDeterminant += Math.log(variance);
  }
  const lower = new Float64Array(order * order);
  const weighted = new Float64Array(n);
  for (let j = 0; j < order; j++) {
    const column = columns[j];
    for (let i = 0; i < n; i++) weighted[i] = weights[i] * column[i];
    for (let k = j; k < order; k++) lower[k + j * order] = dot(weighted, columns[k]);
  }
  for (let j = 0; j < order; j++) {
    for (let k = 0; k < j; k++) {
      const factor = lower[j + k * order];
      for (let i = j; i < order; i++) lower[i + j * order] -= factor * lower[i + k * order];
    }
    const root = Math.sqrt(Math.max(0, lower[j + j * order]));
    for (let i = j; i < order; i++) lower[i + j * order] /= root;
    if (j < order - 1) logDeterminant += 2 * Math.log(root);
  }
  const freedom = n - (order - 1);
  const variance = lower[order * order - 1] ** 2 / freedom;
  const logLikelihood = -0.5 * (freedom * (Math.log(2 * Math.PI * variance) + 1) + logDeterminant);
  return { lower, order, variance, logLikelihood };
}

/** The derivative by h² of the log-likelihood of {@link factorAt}. */
function slopeAt(columns: readonly Float64Array[], eigenvalues: Float64Array, h2: number): number {
  const { lower, order } = factorAt(columns, eigenvalues, h2);
  const n = eigenvalues.length;
  const c = order - 1;
  const trait = columns[c];
  const coefficients = new Float64Array(c);
  for (let j = c - 1; j >= 0; j--) {
    let sum = lower[c + j * order];
    for (let k = j + 1; k < c; k++) sum -= lower[k + j * order] * coefficients[k];
    coefficients[j] = sum / lower[j + j * order];
  }
  const solved = new Float64Array(c);
  let determinants = 0;
  let squares = 0;
  let squaresSlope = 0;
  for (let i = 0; i < n; i++) {
    const eigenvalue = Math.max(0, eigenvalues[i]);
    const weight = 1 / (h2 * eigenvalue + 1 - h2);
    const slope = weight * (eigenvalue - 1);
    let rest = trait[i];
    let leverage = 0;
    for (let j = 0; j < c; j++) {
      rest -= columns[j][i] * coefficients[j];
      let value = columns[j][i];
      for (let k = 0; k < j; k++) value -= lower[j + k * order] * solved[k];
      solved[j] = value / lower[j + j * order];
      leverage += solved[j] * solved[j];
    }
    determinants += slope * (1 - weight * leverage);
    squares += weight * rest * rest;
    squaresSlope -= slope * weight * rest * rest;
  }
  return -0.5 * (((n - c) * squaresSlope) / squares + determinants);
}

/** The h² of the largest likelihood: beside the best point of the grid, where the slope is 0, or the end. */
function maximize(columns: readonly Float64Array[], eigenvalues: Float64Array, grid: readonly number[]): number {
  const likelihood = (h2: number): number => factorAt(columns, eigenvalues, h2).logLikelihood;
  const slope = (h2: number): number => slopeAt(columns, eigenvalues, h2);
  let best = 0;
  const found = grid.map(likelihood);
  for (let k = 1; k < found.length; k++) if (found[k] > found[best]) best = k;
  let [low, high] = [grid[Math.max(0, best - 1)], grid[Math.min(grid.length - 1, best + 1)]];
  let [atLow, atHigh] = [slope(low), slope(high)];
  // Only beside an end of the range, where the likelihood falls or rises all the way.
  if (atLow <= 0 || atHigh >= 0) return grid[best];
  // Regula falsi of the slope, the Illinois way: the likelihood itself is flat to rounding for 1e-7 around its top.
  for (let step = 0; step < MOST_STEPS && high - low > CLOSE; step++) {
    const h2 = (low * atHigh - high * atLow) / (atHigh - atLow);
    const at = slope(h2);
    if (at === 0 || h2 <= low || h2 >= high) return h2;
    if (at > 0) {
      [low, atLow] = [h2, at];
      atHigh /= 2;
    } else {
      [high, atHigh] = [h2, at];
      atLow /= 2;
    }
  }
  return Math.abs(atLow) < Math.abs(atHigh) ? low : high;
}
