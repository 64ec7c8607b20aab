import { matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import {
  bytesPerMarker,
  type CallCounts,
  callRate,
  countCalls,
  frequencyA2,
  type MarkerFilter,
  type PanelSelection,
  passesFilter,
  requireFilter,
  requirePacked,
  selectionSize,
} from '../genotypes/call-counts.ts';
import { centredValues, decodeBlock } from '../genotypes/decode-block.ts';
import { positionsOf } from '../kinship/accumulate-kinship.ts';
import { StatgenError } from '../statgen-error.ts';
import { chebyshevNodes, coefficientTransform, h2OfPosition, LARGEST_H2 } from './chebyshev.ts';
import { chiSquareNegLog10P, chiSquareP } from './chi-square-tail.ts';
import { type GwasNull, nullSeries, startPositions, traitSeries } from './prepare-gwas.ts';
import { NO_MARKER, ProfileLikelihood } from './profile-likelihood.ts';

/**
 * - `SCORE`: variances of the null model (REML); (gᵀPy)²/(gᵀPg).
 * - `WALD`: variances estimated anew by REML with each marker, 0 ≤ h² ≤ 0.99; (β̂/se)².
 * - `LRT`: maximum likelihood without and with each marker, 0 ≤ h² ≤ 0.99; 2(ℓ₁ − ℓ₀).
 *
 * All against χ² with one degree of freedom.
 */
export type AssociationTest = 'SCORE' | 'WALD' | 'LRT';

export interface MarkerTesterOptions extends PanelSelection {
  filter: MarkerFilter;
  tests: readonly AssociationTest[];
}

/** Results of one test of one trait, one entry a marker read; NaN where the marker was not tested. */
export interface TestColumns {
  statistic: Float64Array;
  /** Effect of one copy of A2, in units of the trait. For SCORE the one-step estimate gᵀPy/gᵀPg. */
  beta: Float64Array;
  se: Float64Array;
  /** Upper tail; 5e−324 where it would be 0. */
  p: Float64Array;
  negLog10P: Float64Array;
  /** h² fitted with the marker (SCORE: that of the null model). */
  h2: Float64Array;
  /** 1 where that h² is 0 or 0.99, the end of its range (for SCORE 0 throughout). */
  atBound: Uint8Array;
}

/** Why a marker has no result. */
export const MARKER_TESTED = 0;
/** Below the allele frequency or call rate wanted, or monomorphic. */
export const MARKER_FILTERED = 1;
/** A combination of the fixed effects (principal components, covariates) among these individuals. */
export const MARKER_COLLINEAR = 2;

/** Results of a block, one entry a marker read. */
export interface GwasColumns {
  count: number;
  /** `MARKER_TESTED`, `MARKER_FILTERED` or `MARKER_COLLINEAR`. */
  status: Uint8Array;
  frequencyA2: Float64Array;
  callRate: Float64Array;
  /** One entry a trait of the null state. */
  traits: { [test in AssociationTest]?: TestColumns }[];
}

export interface MarkerTester {
  /**
   * Tests the next `count` markers; blocks are independent and may be tested in any order and by any process.
   *
   * @param packed count × ceil(panelSize / 4) bytes
   */
  test(packed: Uint8Array, count: number): GwasColumns;
}

/** Markers rotated at a time: full speed of `dgemm`, scratch of some n × 256 doubles. */
const MARKERS_PER_PRODUCT = 256;
/** A marker of which less than this share lies outside the fixed effects is explained by them. */
const COLLINEAR_SHARE = 1e-10;

/**
 * Tests markers one by one with the exact mixed model y = Xb + gβ + u + e, u ~ N(0, σ²g K), the variance ratio optimised anew
 * for each marker (as GEMMA, Zhou & Stephens 2012, Nat Genet 44:821, and gaston do), by matrix products: a block is rotated
 * (2n² operations a marker, which dominates), and two further products with the rotated block and its squares give the
 * Chebyshev series of gᵀWy and gᵀWg as functions of h²; the likelihood of each marker is then maximised on its series.
 *
 * Missing calls are the marker's mean. Statistics do not change when y is shifted or scaled, when individuals change places,
 * or when A1 and A2 do (β changes its sign).
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
  const block = new Float64Array(n * MARKERS_PER_PRODUCT);
  const stride = bytesPerMarker(options.panelSize);

  return {
    test(packed, count) {
      requirePacked(packed, count, options);
      const columns = emptyColumns(count, state.traits.length, options.tests);
      for (let first = 0; first < count; first += MARKERS_PER_PRODUCT) {
        const size = Math.min(MARKERS_PER_PRODUCT, count - first);
        const part = packed.subarray(first * stride, (first + size) * stride);
        const counts = countCalls(part, size, options);
        const kept = new Uint8Array(size);
        for (let j = 0; j < size; j++) {
          kept[j] = passesFilter(counts, j, options.filter) ? 1 : 0;
          columns.status[first + j] = kept[j] === 1 ? MARKER_TESTED : MARKER_FILTERED;
          columns.frequencyA2[first + j] = frequencyA2(counts, j);
          columns.callRate[first + j] = callRate(counts, j);
        }
        const markers = positionsOf(kept);
        if (markers.length === 0) continue;
        decodeBlock(part, size, options, markers, centredValues(counts), block);
        kernel(block, markers, counts, columns, first);
      }
      return columns;
    },
  };
}

type BlockKernel = (
  block: Float64Array,
  markers: Int32Array,
  counts: CallCounts,
  columns: GwasColumns,
  first: number,
) => void;

function createBlockKernel(state: GwasNull, tests: readonly AssociationTest[]): BlockKernel {
  const { n, contrastEigenvalues } = state;
  const order = contrastEigenvalues.length;
  const traits = state.traits.length;
  const fitted = tests.includes('WALD') || tests.includes('LRT');
  const series = nullSeries(state);
  const length = fitted ? series.length : 0;
  const { yWeights, squareWeights } = weightMatrices(state, series.scale, length);
  const yColumns = length + 1;
  const squareColumns = length + traits;
  const basis = matrixOf(n, order, state.basis);
  const rotated = new Float64Array(order * MARKERS_PER_PRODUCT);
  const aSeries = new Float64Array(traits * yColumns * MARKERS_PER_PRODUCT);
  const bSeries = new Float64Array(squareColumns * MARKERS_PER_PRODUCT);
  const length2 = new Float64Array(MARKERS_PER_PRODUCT);
  const searches = state.traits.map((model) => {
    const c = traitSeries(series, contrastEigenvalues, model.rotated);
    const common = { scale: series.scale, c };
    return {
      model,
      starts: startPositions(series.scale, model),
      wald: new ProfileLikelihood({
        ...common,
        logDeterminant: series.remlLogDeterminant,
        power: order - 1,
        reml: true,
      }),
      lrt: new ProfileLikelihood({ ...common, logDeterminant: series.mlLogDeterminant, power: n, reml: false }),
      mlValue: nullMlValue(series.mlLogDeterminant, c, n, startPositions(series.scale, model).ml, series.scale),
    };
  });

  return (block, markers, counts, columns, first) => {
    const size = markers.length;
    const rotatedBlock = matrixOf(order, size, rotated);
    multiply(basis, matrixOf(n, size, block), { transposeA: true, into: rotatedBlock });
    multiply(yWeights, rotatedBlock, { transposeA: true, into: matrixOf(traits * yColumns, size, aSeries) });
    squareInPlace(rotated, order, size, length2);
    multiply(squareWeights, rotatedBlock, { transposeA: true, into: matrixOf(squareColumns, size, bSeries) });
    for (let column = 0; column < size; column++) {
      const marker = markers[column];
      const row = first + marker;
      if (!(length2[column] > COLLINEAR_SHARE * centredSquares(counts, marker))) {
        columns.status[row] = MARKER_COLLINEAR;
        continue;
      }
      const bStart = column * squareColumns;
      for (let t = 0; t < traits; t++) {
        const { model, starts, wald, lrt, mlValue } = searches[t];
        const aStart = (column * traits + t) * yColumns;
        const results = columns.traits[t];
        if (results.SCORE !== undefined) {
          const a = aSeries[aStart + length];
          const b = bSeries[bStart + length + t];
          const statistic = (a * a) / (b * model.scoreVariance);
          write(results.SCORE, row, statistic, a / b, Math.sqrt(model.scoreVariance / b), model.scoreH2, false);
        }
        if (results.WALD !== undefined) {
          const s = wald.climb(starts.reml, aSeries, aStart, bSeries, bStart);
          const variance = wald.residual / (order - 1);
          const beta = wald.a / wald.b;
          const statistic = (beta * wald.a) / variance;
          const atBound = s === series.scale.low || s === series.scale.high;
          write(results.WALD, row, statistic, beta, Math.sqrt(variance / wald.b), boundedH2(s, series.scale), atBound);
        }
        if (results.LRT !== undefined) {
          const s = lrt.climb(starts.ml, aSeries, aStart, bSeries, bStart);
          const variance = lrt.residual / (order - 1);
          const atBound = s === series.scale.low || s === series.scale.high;
          write(
            results.LRT,
            row,
            2 * (lrt.value - mlValue),
            lrt.a / lrt.b,
            Math.sqrt(variance / lrt.b),
            boundedH2(s, series.scale),
            atBound,
          );
        }
      }
    }
  };
}

/**
 * What a rotated block is multiplied with. For y: per trait the coefficients of the series of gᵀWy, and one column with the
 * weights of the null model for SCORE. For squares: the coefficients of gᵀWg, and one column per trait for SCORE.
 */
function weightMatrices(state: GwasNull, scale: ReturnType<typeof nullSeries>['scale'], length: number) {
  const { contrastEigenvalues: d } = state;
  const order = d.length;
  const traits = state.traits.length;
  const nodes = chebyshevNodes(scale, length);
  const atNodes = matrixOf(order, length, new Float64Array(order * length));
  for (let k = 0; k < length; k++) {
    const h2 = h2OfPosition(scale, nodes[k]);
    for (let i = 0; i < order; i++) atNodes.data[i + k * order] = 1 / (1 + h2 * (d[i] - 1));
  }
  const weights = multiply(atNodes, matrixOf(length, length, coefficientTransform(length)));
  const squareWeights = matrixOf(order, length + traits, new Float64Array(order * (length + traits)));
  squareWeights.data.set(weights.data);
  const yWeights = matrixOf(order, traits * (length + 1), new Float64Array(order * traits * (length + 1)));
  state.traits.forEach((model, t) => {
    const yStart = t * (length + 1) * order;
    for (let k = 0; k < length; k++) {
      for (let i = 0; i < order; i++) {
        yWeights.data[yStart + i + k * order] = weights.data[i + k * order] * model.rotated[i];
      }
    }
    for (let i = 0; i < order; i++) {
      const weight = 1 / (1 + model.scoreH2 * (d[i] - 1));
      yWeights.data[yStart + i + length * order] = weight * model.rotated[i];
      squareWeights.data[(length + t) * order + i] = weight;
    }
  });
  return { yWeights, squareWeights };
}

/** ML without marker from the same series as with one, so that their errors cancel in the difference. */
function nullMlValue(
  logDeterminant: Float64Array,
  c: Float64Array,
  n: number,
  start: number,
  scale: ReturnType<typeof nullSeries>['scale'],
): number {
  const likelihood = new ProfileLikelihood({ scale, logDeterminant, c, power: n, reml: false });
  likelihood.climb(start, NO_MARKER, 0, NO_MARKER, 0);
  return likelihood.value;
}

function squareInPlace(values: Float64Array, order: number, size: number, sums: Float64Array): void {
  for (let column = 0; column < size; column++) {
    let sum = 0;
    const end = (column + 1) * order;
    for (let i = column * order; i < end; i++) {
      const square = values[i] * values[i];
      values[i] = square;
      sum += square;
    }
    sums[column] = sum;
  }
}

/** Σ(dosage − 2p)² over the calls. */
function centredSquares(counts: CallCounts, j: number): number {
  const called = counts.individuals - counts.missing[j];
  const sum = counts.heterozygous[j] + 2 * counts.homozygousA2[j];
  return counts.heterozygous[j] + 4 * counts.homozygousA2[j] - (sum * sum) / called;
}

function boundedH2(s: number, scale: ReturnType<typeof nullSeries>['scale']): number {
  if (s === scale.low) return 0;
  return s === scale.high ? LARGEST_H2 : h2OfPosition(scale, s);
}

function write(
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
  columns.p[row] = chiSquareP(statistic);
  columns.negLog10P[row] = chiSquareNegLog10P(statistic);
  columns.h2[row] = h2;
  columns.atBound[row] = atBound ? 1 : 0;
}

function emptyColumns(count: number, traits: number, tests: readonly AssociationTest[]): GwasColumns {
  const missing = (): Float64Array => new Float64Array(count).fill(Number.NaN);
  return {
    count,
    status: new Uint8Array(count),
    frequencyA2: missing(),
    callRate: missing(),
    traits: Array.from({ length: traits }, () => {
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
    }),
  };
}
