import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { createCallBlock } from '../genotypes/call-block.ts';
import {
  type CallCounts,
  callRate,
  centredSquares,
  frequencyA2,
  type MarkerFilter,
  passesFilter,
  requireFilter,
} from '../genotypes/call-counts.ts';
import { centredValues } from '../genotypes/decode-block.ts';
import { dosagesOfPart, type FractionalDosages } from '../genotypes/fractional-dosages.ts';
import { bytesPerMarker, type PanelSelection, requirePacked, selectionSize } from '../genotypes/packed-calls.ts';
import { positionsOf } from '../kinship/accumulate-kinship.ts';
import { StatgenError } from '../statgen-error.ts';
import {
  boundedH2,
  chebyshevNodes,
  coefficientTransform,
  type HeritabilityScale,
  h2OfPosition,
  seriesLength,
} from './chebyshev.ts';
import { chiSquareP, negLog10OfP } from './chi-square-tail.ts';
import { type GwasNull, nullSeries, startPositions, traitSeries, wholeScale } from './prepare-gwas.ts';
import { NO_MARKER, ProfileLikelihood } from './profile-likelihood.ts';
import { createSquarableBlock } from './squarable-block.ts';

/**
 * - `SCORE`: variances of the null model (REML); (gᵀPy)²/(gᵀPg).
 * - `WALD`: variances re-estimated by REML with each marker, 0 ≤ h² ≤ 0.99; (β̂/se)².
 * - `LRT`: maximum likelihood without and with each marker, 0 ≤ h² ≤ 0.99; 2(ℓ₁ − ℓ₀).
 *
 * All are compared with χ² with one degree of freedom.
 */
export type AssociationTest = 'SCORE' | 'WALD' | 'LRT';

export interface MarkerTesterOptions extends PanelSelection {
  filter: MarkerFilter;
  tests: readonly AssociationTest[];
}

/** Results of one test of one trait, one entry per marker read; NaN where the marker was not tested. */
export interface TestColumns {
  statistic: Float64Array;
  /** Effect of one copy of A2, in trait units. For SCORE, the one-step estimate gᵀPy/gᵀPg. */
  beta: Float64Array;
  se: Float64Array;
  /** Upper tail; 5e−324 where it would be 0. */
  p: Float64Array;
  negLog10P: Float64Array;
  /** h² fitted with the marker (SCORE: that of the null model). */
  h2: Float64Array;
  /** 1 where h² is at 0 or 0.99, an end of its range (always 0 for SCORE). */
  atBound: Uint8Array;
}

/** The arrays of {@link TestColumns}. */
export const TEST_ARRAYS = ['statistic', 'beta', 'se', 'p', 'negLog10P', 'h2', 'atBound'] as const;

/** Why a marker has no result. */
export const MARKER_TESTED = 0;
/** Below the required allele frequency or call rate, or monomorphic. */
export const MARKER_FILTERED = 1;
/** A linear combination of the fixed effects (principal components, covariates) among these individuals. */
export const MARKER_COLLINEAR = 2;

/**
 * The places of the markers of a part of a block that pass the filter. Status, frequency and call rate of each go into
 * the columns, from `first` on.
 */
export function markersKept(
  counts: CallCounts,
  size: number,
  filter: MarkerFilter,
  { columns, first }: { columns: Pick<GwasColumns, 'status' | 'frequencyA2' | 'callRate'>; first: number },
): ReturnType<typeof positionsOf> {
  const kept = new Uint8Array(size);
  for (let j = 0; j < size; j++) {
    kept[j] = passesFilter(counts, j, filter) ? 1 : 0;
    columns.status[first + j] = kept[j] === 1 ? MARKER_TESTED : MARKER_FILTERED;
    columns.frequencyA2[first + j] = frequencyA2(counts, j);
    columns.callRate[first + j] = callRate(counts, j);
  }
  return positionsOf(kept);
}

/** Results of a block, one entry per marker read. */
export interface GwasColumns {
  count: number;
  /** `MARKER_TESTED`, `MARKER_FILTERED` or `MARKER_COLLINEAR`. */
  status: Uint8Array;
  frequencyA2: Float64Array;
  callRate: Float64Array;
  /** One entry per trait of the null state. */
  traits: { [test in AssociationTest]?: TestColumns }[];
}

export interface MarkerTester {
  /**
   * Tests the next `count` markers; blocks are independent, so any process may test them in any order.
   *
   * @param packed count × ceil(panelSize / 4) bytes
   * @param dosages of the same markers; undefined where all are whole numbers
   */
  test(packed: Uint8Array, count: number, dosages?: FractionalDosages): GwasColumns;
}

/**
 * Markers rotated at a time. `dgemm` repacks the basis for each product, so larger blocks are faster until block,
 * rotation and basis no longer fit into the cache: 12 MB for 512 markers of 1,000 individuals.
 */
const MARKERS_PER_PRODUCT = 512;
/** `dgemm` processes this many rows at once, so the rotation is zero-padded to a multiple of it. */
const ROWS_AT_ONCE = 8;
/** A marker is explained by the fixed effects when less than this share of it lies outside them. */
const COLLINEAR_SHARE = 1e-10;

/**
 * Tests markers one by one with the exact mixed model y = Xb + gβ + u + e, u ~ N(0, σ²g K), re-optimising the variance
 * ratio for each marker (as GEMMA, Zhou & Stephens 2012, Nat Genet 44:821, and gaston do), by matrix products. One
 * product rotates a block (2n² operations per marker, the dominant cost) and also gives the Chebyshev series of gᵀWy
 * as functions of h²; a second, with the squares of the rotated block, gives those of gᵀWg. The likelihood of each
 * marker is then maximised on its series.
 *
 * Missing calls take the marker's mean. Statistics do not change when y is shifted or scaled, when individuals are
 * permuted, or when A1 and A2 are swapped (β changes sign).
 *
 * @throws StatgenError `shape-mismatch` when the selection is not the size of the null state, `bad-option`
 */
export function createMarkerTester(state: GwasNull, options: MarkerTesterOptions): MarkerTester {
  requireFilter(options.filter);
  const n = selectionSize(options);
  if (n !== state.n) {
    throw new StatgenError('shape-mismatch', `${n} individuals are selected, the null model has ${state.n}`);
  }
  const kernel = createBlockKernel(state, options.tests);
  const block = createCallBlock(options, MARKERS_PER_PRODUCT);
  const stride = bytesPerMarker(options.panelSize);

  return {
    test(packed, count, dosages) {
      requirePacked(packed, count, options);
      const columns = emptyColumns(count, state.traits.length, options.tests);
      for (let first = 0; first < count; first += MARKERS_PER_PRODUCT) {
        const size = Math.min(MARKERS_PER_PRODUCT, count - first);
        const part = packed.subarray(first * stride, (first + size) * stride);
        const counts = block.load(part, size, dosagesOfPart(dosages, first, size));
        const markers = markersKept(counts, size, options.filter, { columns, first });
        if (markers.length === 0) continue;
        kernel(block.decode(markers, centredValues(counts)), markers, counts, columns, first);
      }
      return columns;
    },
  };
}

/** Tests the markers of a block; may overwrite its genotypes (n × markers). */
type BlockKernel = (
  genotypes: Matrix,
  markers: Int32Array,
  counts: CallCounts,
  columns: GwasColumns,
  first: number,
) => void;

function createBlockKernel(state: GwasNull, tests: readonly AssociationTest[]): BlockKernel {
  const { n, contrastEigenvalues } = state;
  const order = contrastEigenvalues.length;
  const traits = state.traits.length;
  const whole = wholeScale(state);
  const near = createSearchSpace(state, nearScale(state, whole, tests), tests);
  let wide: SearchSpace | undefined;
  // One product rotates the genotypes and, in the rows below, gives the coefficients of a: both sum over the same
  // numbers.
  const { rows } = near;
  const rotation = createMatrix(n, rows);
  rotation.data.set(state.basis);
  rotation.data.set(near.yWeights.data, n * order);
  const rotated = createSquarableBlock(rows * MARKERS_PER_PRODUCT);
  const leftNear = new Int32Array(MARKERS_PER_PRODUCT);

  return (genotypes, markers, counts, columns, first) => {
    const size = markers.length;
    const rotatedBlock = matrixOf(rows, size, rotated.data);
    multiply(rotation, genotypes, { transposeA: true, into: rotatedBlock });
    rotated.squareRows(order, rows, size);
    near.load({ values: rotatedBlock, firstRow: order }, rotatedBlock);
    let left = 0;
    for (let column = 0; column < size; column++) {
      const marker = markers[column];
      const row = first + marker;
      if (!(near.squaredLength(column) > COLLINEAR_SHARE * centredSquares(counts, marker))) {
        columns.status[row] = MARKER_COLLINEAR;
        continue;
      }
      for (let t = 0; t < traits; t++) near.score(column, t, columns.traits[t], row);
      if (!near.search(column, columns, row, whole)) leftNear[left++] = column;
    }
    if (left === 0) return;
    // Move the columns of these markers to the front, overwriting data no longer needed.
    for (let k = 0; k < left; k++) {
      const column = leftNear[k];
      genotypes.data.copyWithin(k * n, column * n, (column + 1) * n);
      rotated.data.copyWithin(k * rows, column * rows, (column + 1) * rows);
    }
    wide ??= createSearchSpace(state, whole, tests, rows);
    const a = multiply(wide.yWeights, matrixOf(n, left, genotypes.data), { transposeA: true });
    wide.load({ values: a, firstRow: 0 }, matrixOf(rows, left, rotated.data));
    for (let k = 0; k < left; k++) wide.search(k, columns, first + markers[leftNear[k]], whole);
  };
}

/** Half the length in s of the first search interval, centred on the optimum of the null model. */
const NEAR = 0.75;
/** The near interval is used only if its series is at most this share of the length of the full interval's. */
const NEAR_SHARE = 0.6;

/**
 * One marker barely changes h², so the search starts on a short interval around the optimum of the null model, where a
 * series of about 16 coefficients is as accurate as one of 50 on the full interval. Searches that leave it are
 * repeated on the full interval.
 */
function nearScale(state: GwasNull, whole: HeritabilityScale, tests: readonly AssociationTest[]): HeritabilityScale {
  const starts = state.traits.flatMap((model) => {
    const { reml, ml } = startPositions(whole, model);
    return [...(tests.includes('WALD') ? [reml] : []), ...(tests.includes('LRT') ? [ml] : [])];
  });
  if (starts.length === 0) return whole;
  const near = {
    epsilon: whole.epsilon,
    low: Math.max(whole.low, Math.min(...starts) - NEAR),
    high: Math.min(whole.high, Math.max(...starts) + NEAR),
  };
  return seriesLength(near) <= NEAR_SHARE * seriesLength(whole) ? near : whole;
}

/** The series of a block of markers on an interval of h², and the searches for their maxima. */
interface SearchSpace {
  /** n × (traits × coefficients): the product of its columns with the genotypes gives the coefficients of a. */
  readonly yWeights: Matrix;
  /** Rows of the rotated block: eigenvectors, coefficients of a, and zeros. */
  readonly rows: number;
  /**
   * Loads the series of a block, one column per marker, at most `MARKERS_PER_PRODUCT`.
   *
   * @param a the coefficients of a, from row `firstRow` on
   * @param squares the rotated genotypes, squared; rows below them have no effect
   */
  load(a: { values: Matrix; firstRow: number }, squares: Matrix): void;
  /** Squared length of a marker's genotypes outside the fixed effects. */
  squaredLength(column: number): number;
  /** Writes SCORE of a marker and trait, if requested. */
  score(column: number, trait: number, results: TraitResults, row: number): void;
  /**
   * Writes WALD and LRT of all traits, if requested. False if a search left the interval; the results are then
   * undefined.
   */
  search(column: number, columns: GwasColumns, row: number, whole: HeritabilityScale): boolean;
}

type TraitResults = GwasColumns['traits'][number];

/** @param rotatedRows rows of the squares passed to `load`; by default those of this interval's own rotation */
function createSearchSpace(
  state: GwasNull,
  scale: HeritabilityScale,
  tests: readonly AssociationTest[],
  rotatedRows?: number,
): SearchSpace {
  const { n, contrastEigenvalues } = state;
  const order = contrastEigenvalues.length;
  const traits = state.traits.length;
  const isFitted = tests.includes('WALD') || tests.includes('LRT');
  const series = nullSeries(state, scale);
  const length = isFitted ? series.length : 0;
  const yColumns = length + 1;
  const rows = rotatedRows ?? ROWS_AT_ONCE * Math.ceil((order + traits * yColumns) / ROWS_AT_ONCE);
  const { yWeights, squareWeights } = weightMatrices(state, scale, length, rows);
  const squareColumns = squareWeights.columns;
  let aSeries = NO_MARKER;
  let aFirst = 0;
  let aRows = 0;
  const bSeries = new Float64Array(squareColumns * MARKERS_PER_PRODUCT);
  const searches = state.traits.map((model) => {
    const c = traitSeries(series, contrastEigenvalues, model.rotated);
    const common = { scale, c };
    const starts = startPositions(scale, model);
    return {
      starts,
      wald: new ProfileLikelihood({
        ...common,
        logDeterminant: series.remlLogDeterminant,
        power: order - 1,
        reml: true,
      }),
      lrt: new ProfileLikelihood({ ...common, logDeterminant: series.mlLogDeterminant, power: n, reml: false }),
      mlValue: nullMlValue(series.mlLogDeterminant, c, n, starts.ml, scale),
    };
  });

  return {
    yWeights,
    rows,
    load({ values, firstRow }, squares) {
      aSeries = values.data;
      aFirst = firstRow;
      aRows = values.rows;
      multiply(squareWeights, squares, {
        transposeA: true,
        into: matrixOf(squareColumns, squares.columns, bSeries),
      });
    },
    squaredLength: (column) => bSeries[(column + 1) * squareColumns - 1],
    score(column, t, results, row) {
      if (results.SCORE === undefined) return;
      const { scoreVariance, scoreH2 } = state.traits[t];
      const a = aSeries[column * aRows + aFirst + t * yColumns + length];
      const b = bSeries[column * squareColumns + length + t];
      writeTest(results.SCORE, row, (a * a) / (b * scoreVariance), a / b, Math.sqrt(scoreVariance / b), scoreH2, false);
    },
    search(column, columns, row, whole) {
      const bStart = column * squareColumns;
      for (let t = 0; t < traits; t++) {
        const { starts, wald, lrt, mlValue } = searches[t];
        const aStart = column * aRows + aFirst + t * yColumns;
        const results = columns.traits[t];
        if (results.WALD !== undefined) {
          const s = wald.climb(starts.reml, aSeries, aStart, bSeries, bStart);
          if (isLeft(s, scale, whole)) return false;
          const variance = wald.residual / (order - 1);
          const beta = wald.a / wald.b;
          const se = Math.sqrt(variance / wald.b);
          writeTest(results.WALD, row, (beta * wald.a) / variance, beta, se, boundedH2(s, whole), isBound(s, whole));
        }
        if (results.LRT !== undefined) {
          const s = lrt.climb(starts.ml, aSeries, aStart, bSeries, bStart);
          if (isLeft(s, scale, whole)) return false;
          const se = Math.sqrt(lrt.residual / (order - 1) / lrt.b);
          const statistic = 2 * (lrt.value - mlValue);
          writeTest(results.LRT, row, statistic, lrt.a / lrt.b, se, boundedH2(s, whole), isBound(s, whole));
        }
      }
      return true;
    },
  };
}

/** Whether a search ended at an end of its interval that is not an end of the full one. */
function isLeft(s: number, scale: HeritabilityScale, whole: HeritabilityScale): boolean {
  return (s === scale.low || s === scale.high) && !isBound(s, whole);
}

function isBound(s: number, whole: HeritabilityScale): boolean {
  return s === whole.low || s === whole.high;
}

/**
 * The factors of a block. For a = gᵀWy, multiplied with the genotypes: per trait the coefficients of its series, and
 * one column with the weights of the null model for SCORE. For b = gᵀWg, multiplied with the squares of the rotated
 * genotypes: the coefficients of its series, one column per trait for SCORE, and one of ones for the length; zeros
 * below the eigenvectors' rows.
 */
function weightMatrices(state: GwasNull, scale: HeritabilityScale, length: number, rows: number) {
  const { n, contrastEigenvalues: d } = state;
  const order = d.length;
  const traits = state.traits.length;
  const nodes = chebyshevNodes(scale, length);
  const atNodes = matrixOf(order, length, new Float64Array(order * length));
  for (let k = 0; k < length; k++) {
    const h2 = h2OfPosition(scale, nodes[k]);
    for (let i = 0; i < order; i++) atNodes.data[i + k * order] = 1 / (1 + h2 * (d[i] - 1));
  }
  const weights = multiply(atNodes, matrixOf(length, length, coefficientTransform(length)));
  const squareWeights = createMatrix(rows, length + traits + 1);
  for (let k = 0; k < length; k++) {
    squareWeights.data.set(weights.data.subarray(k * order, (k + 1) * order), k * rows);
  }
  squareWeights.data.fill(1, (length + traits) * rows, (length + traits) * rows + order);
  const rotatedWeights = createMatrix(order, traits * (length + 1));
  state.traits.forEach((model, t) => {
    const yStart = t * (length + 1) * order;
    for (let k = 0; k < length; k++) {
      for (let i = 0; i < order; i++) {
        rotatedWeights.data[yStart + i + k * order] = weights.data[i + k * order] * model.rotated[i];
      }
    }
    for (let i = 0; i < order; i++) {
      const weight = 1 / (1 + model.scoreH2 * (d[i] - 1));
      rotatedWeights.data[yStart + i + length * order] = weight * model.rotated[i];
      squareWeights.data[(length + t) * rows + i] = weight;
    }
  });
  return { yWeights: multiply(matrixOf(n, order, state.basis), rotatedWeights), squareWeights };
}

/** ML without the marker from the same series as with it, so that their errors cancel in the difference. */
function nullMlValue(
  logDeterminant: Float64Array,
  c: Float64Array,
  n: number,
  start: number,
  scale: HeritabilityScale,
): number {
  const likelihood = new ProfileLikelihood({ scale, logDeterminant, c, power: n, reml: false });
  likelihood.climb(start, NO_MARKER, 0, NO_MARKER, 0);
  return likelihood.value;
}

/** Writes the results of one marker. */
export function writeTest(
  columns: TestColumns,
  row: number,
  statistic: number,
  beta: number,
  se: number,
  h2: number,
  atBound: boolean,
): void {
  columns.statistic[row] = statistic;
  columns.beta[row] = beta;
  columns.se[row] = se;
  const p = chiSquareP(statistic);
  columns.p[row] = p;
  columns.negLog10P[row] = negLog10OfP(statistic, p);
  columns.h2[row] = h2;
  columns.atBound[row] = atBound ? 1 : 0;
}

function emptyColumns(count: number, traits: number, tests: readonly AssociationTest[]): GwasColumns {
  return {
    count,
    status: new Uint8Array(count),
    frequencyA2: new Float64Array(count).fill(Number.NaN),
    callRate: new Float64Array(count).fill(Number.NaN),
    traits: Array.from({ length: traits }, () => emptyTestColumns(count, tests)),
  };
}

/** Columns of the tests asked for, NaN throughout. */
export function emptyTestColumns(
  count: number,
  tests: readonly AssociationTest[],
): { [test in AssociationTest]?: TestColumns } {
  const missing = (): Float64Array => new Float64Array(count).fill(Number.NaN);
  const results: { [test in AssociationTest]?: TestColumns } = {};
  for (const test of tests) {
    results[test] = {
      statistic: missing(),
      beta: missing(),
      se: missing(),
      p: missing(),
      negLog10P: missing(),
      h2: missing(),
      atBound: new Uint8Array(count),
    };
  }
  return results;
}
