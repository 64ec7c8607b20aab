import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { createCallBlock } from '../genotypes/call-block.ts';
import { heterozygotes, type MarkerFilter, passesFilter, requireFilter } from '../genotypes/call-counts.ts';
import { centredValues, dominanceValues } from '../genotypes/decode-block.ts';
import { dosagesOfPart, type FractionalDosages } from '../genotypes/fractional-dosages.ts';
import { bytesPerMarker, type PanelSelection, requirePacked, selectionSize } from '../genotypes/packed-calls.ts';
import { positionsOf } from '../kinship/accumulate-kinship.ts';
import { StatgenError } from '../statgen-error.ts';
import { chebyshevNodes, coefficientTransform, type HeritabilityScale, h2OfPosition } from './chebyshev.ts';
import { chiSquareP } from './chi-square-tail.ts';
import { type GwasNull, nullSeries, startPositions, wholeScale } from './prepare-gwas.ts';
import { ProfileLikelihood } from './profile-likelihood.ts';

/** Dominance deviations of one trait, one entry per marker read; NaN where it cannot be tested. */
export interface DominanceColumns {
  /** How far the heterozygote lies above the midpoint of the homozygotes, in trait units. */
  effect: Float64Array;
  se: Float64Array;
  /** Upper tail of (effect/se)² in χ² with one degree of freedom; 5e−324 where it would be 0. */
  p: Float64Array;
}

/** The arrays of {@link DominanceColumns}. */
export const DOMINANCE_ARRAYS = ['effect', 'se', 'p'] as const;

/** NaN throughout. */
export function emptyDominanceColumns(count: number): DominanceColumns {
  const missing = (): Float64Array => new Float64Array(count).fill(Number.NaN);
  return { effect: missing(), se: missing(), p: missing() };
}

export interface DominanceTester {
  /**
   * Tests the next `count` markers.
   *
   * @param packed count × ceil(panelSize / 4) bytes
   * @returns one entry per trait of the null state
   */
  test(packed: Uint8Array, count: number, dosages?: FractionalDosages): DominanceColumns[];
}

const MARKERS_PER_PRODUCT = 256;
/** A dominance deviation is explained when less than this share of it lies outside the fixed effects and the dosage. */
const COLLINEAR_SHARE = 1e-10;
/** A trait residual below this share, after dosage and fixed effects, is rounding error. */
const LEAST_RESIDUAL = 1e-12;

/**
 * Tests the dominance deviation of each marker alongside its additive effect: y = Xb + gβ + dδ + u + e, d = 1 for
 * heterozygotes and 0 for homozygotes (DOMDEV of PLINK). The statistic is (δ̂/se)² with variances by REML with both
 * effects, 0 ≤ h² ≤ 0.99, searched from the optimum of the additive model. A missing call takes its marker's mean in
 * both g and d. Any other coding of the heterozygotes that spans the same space with g and the intercept gives the
 * same δ.
 *
 * As in `createMarkerTester`, matrix products evaluate the quadratic forms at the Chebyshev nodes of s (see
 * `HeritabilityScale`). At each node the marker's own dosage is then absorbed: with b₁₁ = gᵀWg, b₁₂ = gᵀWd and so on,
 * a = a₂ − a₁b₁₂/b₁₁, b = b₂₂ − b₁₂²/b₁₁, c = yᵀWy − a₁²/b₁₁, and the determinant gains log b₁₁, so that the
 * likelihood has the form of a single marker. b₁₁ is a sum of positive multiples of 1/v, and its only zeros are at the
 * poles of 1/v, so series of these quotients converge as fast as those of the parts.
 *
 * @throws StatgenError `shape-mismatch` when the selection is not the size of the null state, `bad-option`
 */
export function createDominanceTester(
  state: GwasNull,
  options: PanelSelection & { filter: MarkerFilter },
): DominanceTester {
  requireFilter(options.filter);
  const n = selectionSize(options);
  if (n !== state.n) {
    throw new StatgenError('shape-mismatch', `${n} individuals are selected, the null model has ${state.n}`);
  }
  const block = createCallBlock(options, MARKERS_PER_PRODUCT);
  const stride = bytesPerMarker(options.panelSize);
  const kernel = createDominanceKernel(state);

  return {
    test(packed, count, dosages) {
      requirePacked(packed, count, options);
      const columns = state.traits.map(() => emptyDominanceColumns(count));
      for (let first = 0; first < count; first += MARKERS_PER_PRODUCT) {
        const size = Math.min(MARKERS_PER_PRODUCT, count - first);
        const counts = block.load(
          packed.subarray(first * stride, (first + size) * stride),
          size,
          dosagesOfPart(dosages, first, size),
        );
        const kept = new Uint8Array(size);
        for (let j = 0; j < size; j++)
          kept[j] = passesFilter(counts, j, options.filter) && heterozygotes(counts, j) > 0 ? 1 : 0;
        const markers = positionsOf(kept);
        if (markers.length === 0) continue;
        kernel.loadDosages(block.decode(markers, centredValues(counts)));
        kernel.loadDeviations(block.decode(markers, dominanceValues(counts)));
        kernel.test(
          columns,
          markers.map((j) => first + j),
        );
      }
      return columns;
    },
  };
}

function createDominanceKernel(state: GwasNull) {
  const { n, contrastEigenvalues: d } = state;
  const order = d.length;
  const scale = wholeScale(state);
  const { length, remlLogDeterminant } = nullSeries(state, scale);
  const weights = weightsAtNodes(d, scale, length);
  const basis = matrixOf(n, order, state.basis);
  const transform = matrixOf(length, length, coefficientTransform(length));
  const rotated = { g: scratch(order), d: scratch(order), product: scratch(order) };
  const forms = { gg: scratch(length + 1), dd: scratch(length + 1), gd: scratch(length + 1) };
  const linear = { g: scratch(length), d: scratch(length) };
  const values = { a: scratch(length), b: scratch(length), c: scratch(length), logB: scratch(length) };
  const series = { a: scratch(length), b: scratch(length), c: scratch(length), logB: scratch(length) };
  const additive = { a: scratch(length), b: scratch(length) };
  const rawSquares = new Float64Array(MARKERS_PER_PRODUCT);
  // The trait's form and the determinant after absorbing the marker's dosage; overwritten for each marker.
  const c = new Float64Array(length);
  const logDeterminant = new Float64Array(length);
  const traits = state.traits.map((model) => {
    const yWeights = createMatrix(order, length);
    const yy = new Float64Array(length);
    for (let k = 0; k < length; k++) {
      for (let i = 0; i < order; i++) {
        const weighted = weights.data[i + k * order] * model.rotated[i];
        yWeights.data[i + k * order] = weighted;
        yy[k] += weighted * model.rotated[i];
      }
    }
    return {
      yWeights,
      yy,
      start: startPositions(scale, model).reml,
      additive: new ProfileLikelihood({
        scale,
        logDeterminant: remlLogDeterminant,
        c: multiply(transform, matrixOf(length, 1, yy), { transposeA: true }).data,
        power: order - 1,
        reml: true,
      }),
      dominance: new ProfileLikelihood({ scale, logDeterminant, c, power: order - 2, reml: true }),
    };
  });
  let size = 0;

  const rotate = (genotypes: Matrix, into: Float64Array): void => {
    size = genotypes.columns;
    multiply(basis, genotypes, { transposeA: true, into: matrixOf(order, size, into) });
  };
  const toForm = (x: Float64Array, y: Float64Array, into: Float64Array): void => {
    const products = rotated.product;
    for (let i = 0; i < order * size; i++) products[i] = x[i] * y[i];
    multiply(weights, matrixOf(order, size, products), {
      transposeA: true,
      into: matrixOf(length + 1, size, into),
    });
  };
  const toSeries = (from: Float64Array, into: Float64Array, rows: number): void => {
    multiply(transform, packRows(from, rows, length, size), {
      transposeA: true,
      into: matrixOf(length, size, into),
    });
  };

  /** Absorbs each marker's dosage into the forms, at every node. */
  const absorbDosages = (yy: Float64Array): void => {
    for (let j = 0; j < size; j++) {
      for (let k = 0; k < length; k++) {
        const form = j * (length + 1) + k;
        const at = j * length + k;
        const gg = forms.gg[form];
        const gd = forms.gd[form];
        const gy = linear.g[at];
        values.a[at] = linear.d[at] - (gy * gd) / gg;
        values.b[at] = forms.dd[form] - (gd * gd) / gg;
        values.c[at] = Math.max(LEAST_RESIDUAL * yy[k], yy[k] - (gy * gy) / gg);
        values.logB[at] = Math.log(gg);
      }
    }
  };

  return {
    loadDosages: (genotypes: Matrix): void => rotate(genotypes, rotated.g),
    loadDeviations(deviations: Matrix): void {
      for (let j = 0; j < deviations.columns; j++) {
        let square = 0;
        for (let i = j * n; i < (j + 1) * n; i++) square += deviations.data[i] * deviations.data[i];
        rawSquares[j] = square;
      }
      rotate(deviations, rotated.d);
    },
    /** @param rows output row of each marker */
    test(columns: readonly DominanceColumns[], rows: Int32Array): void {
      toForm(rotated.g, rotated.g, forms.gg);
      toForm(rotated.d, rotated.d, forms.dd);
      toForm(rotated.g, rotated.d, forms.gd);
      toSeries(forms.gg, additive.b, length + 1);
      for (const [t, trait] of traits.entries()) {
        const { effect, se, p } = columns[t];
        for (const [x, into] of [
          [rotated.g, linear.g],
          [rotated.d, linear.d],
        ]) {
          multiply(trait.yWeights, matrixOf(order, size, x), { transposeA: true, into: matrixOf(length, size, into) });
        }
        absorbDosages(trait.yy);
        toSeries(linear.g, additive.a, length);
        for (const name of ['a', 'b', 'c', 'logB'] as const) toSeries(values[name], series[name], length);
        for (let j = 0; j < size; j++) {
          // The last form has unit weights: squared lengths outside the fixed effects.
          const ones = j * (length + 1) + length;
          const left = forms.dd[ones] - forms.gd[ones] ** 2 / forms.gg[ones];
          if (!(left > COLLINEAR_SHARE * rawSquares[j])) continue;
          const at = j * length;
          for (let k = 0; k < length; k++) {
            c[k] = series.c[at + k];
            logDeterminant[k] = remlLogDeterminant[k] + series.logB[at + k];
          }
          const start = trait.additive.climb(trait.start, additive.a, at, additive.b, at);
          const fit = trait.dominance;
          fit.climb(start, series.a, at, series.b, at);
          const row = rows[j];
          effect[row] = fit.a / fit.b;
          se[row] = Math.sqrt(fit.residual / (order - 2) / fit.b);
          p[row] = chiSquareP((effect[row] / se[row]) ** 2);
        }
      }
    },
  };
}

const scratch = (rows: number): Float64Array => new Float64Array(rows * MARKERS_PER_PRODUCT);

/** The first `length` of each column's `rows` numbers, as a matrix. */
function packRows(values: Float64Array, rows: number, length: number, columns: number): Matrix {
  if (rows === length) return matrixOf(length, columns, values);
  const packed = createMatrix(length, columns);
  for (let j = 0; j < columns; j++) packed.data.set(values.subarray(j * rows, j * rows + length), j * length);
  return packed;
}

/** order × (nodes + 1): 1/v at each node, and a column of ones. */
function weightsAtNodes(d: Float64Array, scale: HeritabilityScale, length: number): Matrix {
  const order = d.length;
  const nodes = chebyshevNodes(scale, length);
  const weights = createMatrix(order, length + 1);
  for (let k = 0; k < length; k++) {
    const h2 = h2OfPosition(scale, nodes[k]);
    for (let i = 0; i < order; i++) weights.data[i + k * order] = 1 / (1 + h2 * (d[i] - 1));
  }
  weights.data.fill(1, length * order);
  return weights;
}
