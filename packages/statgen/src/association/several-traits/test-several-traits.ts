import { solveLowerInPlace } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { createCallBlock } from '../../genotypes/call-block.ts';
import { type MarkerFilter, requireFilter } from '../../genotypes/call-counts.ts';
import { centredValues } from '../../genotypes/decode-block.ts';
import { dosagesOfPart, type FractionalDosages } from '../../genotypes/fractional-dosages.ts';
import { bytesPerMarker, type PanelSelection, requirePacked, selectionSize } from '../../genotypes/packed-calls.ts';
import { invertSmall, lowerPlaces } from '../../multi-trait/small-covariances.ts';
import type { TraitPoint } from '../../multi-trait/trait-likelihood.ts';
import type { TraitRecords } from '../../multi-trait/trait-records.ts';
import { StatgenError } from '../../statgen-error.ts';
import { COLLINEAR_SHARE } from '../rotated-markers.ts';
import { createSquarableBlock } from '../squarable-block.ts';
import { MARKER_COLLINEAR, markersKept } from '../test-markers.ts';

/** Tests of a block, one entry a marker read; NaN where the marker was not tested. */
export interface SeveralTraitColumns {
  count: number;
  /** `MARKER_TESTED`, `MARKER_FILTERED`, or `MARKER_COLLINEAR` where no trait has an effect that can be estimated. */
  status: Uint8Array;
  frequencyA2: Float64Array;
  callRate: Float64Array;
  /** Traits whose effect can be estimated: the degrees of freedom of `any`, one more than those of `differences`. */
  df: Uint8Array;
  /** χ² of no effect on any trait. */
  any: Float64Array;
  /** χ² of the same effect on all traits, in their units; NaN with fewer than two. */
  differences: Float64Array;
  /** The effect that is the same on all traits. */
  main: Float64Array;
  mainError: Float64Array;
  /** Of one copy of A2 on each trait, beside those on the others; NaN where it cannot be estimated. */
  effects: Float64Array[];
  errors: Float64Array[];
}

export interface SeveralTraitsTester {
  /**
   * Tests the next `count` markers; blocks are independent of each other.
   *
   * @param packed count × ceil(panelSize / 4) bytes
   * @param dosages of the same markers; undefined where all are whole numbers
   */
  test(packed: Uint8Array, count: number, dosages?: FractionalDosages): SeveralTraitColumns;
}

/** Markers rotated by one product. */
const MARKERS_PER_PRODUCT = 512;

/**
 * Tests markers on several traits, y_t = X_tb_t + gβ_t + u_t + e_t, at the covariances of the model without marker
 * (P3D; Zhang et al. 2010, Nat Genet 42:355). With Z the t columns of a marker, a = ZᵀPy and B = ZᵀPZ: β̂ = B⁻¹a with
 * covariance B⁻¹, χ²_t = aᵀB⁻¹a (any trait; Zhou & Stephens 2014, Nat Methods 11:407), and on t − 1 degrees of freedom
 * what is left of it beside one effect for all (Korte et al. 2012, Nat Genet 44:1066).
 *
 * In the basis of the eigenvectors of K, V is t × t a line, so B needs only the squares of a rotated marker, beside
 * what fixed effects and missing records take off. One product rotates a block, O(n²) a marker; missing records, M
 * in all, add O(tMn). Missing calls take the mean of their marker among the lines.
 *
 * @param records of the lines selected, in their order
 * @param point the covariances at which markers are tested
 * @throws StatgenError `shape-mismatch` when the selection is not the lines of the records, `bad-option`
 */
export function createSeveralTraitsTester(
  records: TraitRecords,
  point: TraitPoint,
  options: PanelSelection & { filter: MarkerFilter },
): SeveralTraitsTester {
  requireFilter(options.filter);
  const { lineCount: n, traitCount: t } = records;
  if (selectionSize(options) !== n) {
    throw new StatgenError('shape-mismatch', `${selectionSize(options)} lines are selected, ${n} have records`);
  }
  const rotation = whitenedVectors(records);
  const linear = linearWeights(records, point);
  const squareWeights = pairWeights(records, point);
  const rotated = createSquarableBlock(n * MARKERS_PER_PRODUCT);
  const block = createCallBlock(options, MARKERS_PER_PRODUCT);
  const stride = bytesPerMarker(options.panelSize);
  const write = markerWriter(records, linear.columns, squareWeights.columns);
  return {
    test(packed, count, dosages) {
      requirePacked(packed, count, options);
      const columns = emptyColumns(count, t);
      for (let first = 0; first < count; first += MARKERS_PER_PRODUCT) {
        const size = Math.min(MARKERS_PER_PRODUCT, count - first);
        const part = packed.subarray(first * stride, (first + size) * stride);
        const counts = block.load(part, size, dosagesOfPart(dosages, first, size));
        const markers = markersKept(counts, size, options.filter, { columns, first });
        if (markers.length === 0) continue;
        const turned = matrixOf(n, markers.length, rotated.data);
        multiply(rotation, block.decode(markers, centredValues(counts)), { transposeA: true, into: turned });
        const products = multiply(linear, turned, { transposeA: true }).data;
        rotated.squareRows(n, n, markers.length);
        const squares = multiply(squareWeights, turned, { transposeA: true }).data;
        for (const [k, marker] of markers.entries()) {
          write({ products, squares, column: k }, columns, first + marker);
        }
      }
      return columns;
    },
  };
}

/** D^−½U, whose product with genotypes is a block of rotated markers. */
function whitenedVectors({ vectors, roots }: TraitRecords): Matrix {
  if (roots === null) return vectors;
  const { rows, columns } = vectors;
  const data = vectors.data.map((value, k) => value * roots[k % rows]);
  return matrixOf(rows, columns, data);
}

/**
 * What a rotated marker is multiplied with, n × (t + t·(q + M)): Py of each trait, then for each trait the columns of F
 * and E: ZᵀPZ = ZᵀWZ − FᵀF − EᵀE, where FᵀF is what fixed effects take off, EᵀE what missing records do.
 */
function linearWeights(records: TraitRecords, point: TraitPoint): Matrix {
  const { lineCount: n, traitCount: t, fixedCount: q, firstMissing } = records;
  const missing = firstMissing[t];
  const width = q + missing;
  const linear = createMatrix(n, t + t * width);
  linear.data.set(point.image.data);
  const fixed = lowerFactor(point.fixedCovariance);
  for (let s = 0; s < t; s++) {
    const own = matrixOf(n, q, point.fixedImage.data.subarray(s * q * n, (s + 1) * q * n));
    const from = (t + s * width) * n;
    multiply(own, fixed, { into: matrixOf(n, q, linear.data.subarray(from, from + q * n)) });
    if (point.missing === null) continue;
    const taken = missingColumns(records, point, s);
    solveLowerInPlace(point.missing.lower, taken);
    for (let i = 0; i < n; i++) {
      for (let m = 0; m < missing; m++) linear.data[from + (q + m) * n + i] = taken.data[m + i * missing];
    }
  }
  return linear;
}

/** Rows of C, the inverse covariance of complete data, at the missing records, in the columns of a trait; M × n. */
function missingColumns(records: TraitRecords, { weights }: TraitPoint, trait: number): Matrix {
  const { lineCount: n, traitCount: t, missingVectors, firstMissing } = records;
  const rows = createMatrix(firstMissing[t], n);
  for (const [r, own] of missingVectors.entries()) {
    for (let i = 0; i < n; i++) {
      const weight = weights[i * t * t + r * t + trait];
      for (let m = 0; m < own.rows; m++) {
        rows.data[firstMissing[r] + m + i * rows.rows] = weight * own.data[m + i * own.rows];
      }
    }
  }
  return rows;
}

/** L of a small covariance C = LLᵀ. */
function lowerFactor({ rows: q, data }: Matrix): Matrix {
  const lower = createMatrix(q, q);
  for (let j = 0; j < q; j++) {
    for (let i = j; i < q; i++) {
      let sum = data[i + j * q];
      for (let k = 0; k < j; k++) sum -= lower.data[i + k * q] * lower.data[j + k * q];
      lower.data[i + j * q] = i === j ? Math.sqrt(sum) : sum / lower.data[j + j * q];
    }
  }
  return lower;
}

/** W of each pair of traits, n × t(t + 1)/2, in the order of `lowerPlaces`. */
function pairWeights({ lineCount: n, traitCount: t }: TraitRecords, { weights }: TraitPoint): Matrix {
  const places = lowerPlaces(t);
  const pairs = createMatrix(n, places.length);
  for (const [k, [row, column]] of places.entries()) {
    for (let i = 0; i < n; i++) pairs.data[i + k * n] = weights[i * t * t + row * t + column];
  }
  return pairs;
}

/** Products of a block, and the column of a marker in them. */
interface MarkerProducts {
  products: Float64Array;
  squares: Float64Array;
  column: number;
}

type MarkerWriter = (of: MarkerProducts, columns: SeveralTraitColumns, row: number) => void;

/** Writes the tests of a marker from its products with `linearWeights` and those of its squares with `pairWeights`. */
function markerWriter({ traitCount: t, scales }: TraitRecords, linearCount: number, pairCount: number): MarkerWriter {
  const places = lowerPlaces(t);
  const width = linearCount / t - 1;
  const information = new Float64Array(t * t);
  const used = new Int32Array(t);
  const small = new Float64Array(t * t);
  const scratch = new Float64Array(t * t);
  const covariance = new Float64Array(t * t);
  const effects = new Float64Array(t);
  return ({ products, squares, column }, columns, row) => {
    const from = column * linearCount;
    let count = 0;
    for (const [k, [s, r]] of places.entries()) {
      const whole = squares[column * pairCount + k];
      let left = whole;
      const [ofS, ofR] = [from + t + s * width, from + t + r * width];
      for (let c = 0; c < width; c++) left -= products[ofS + c] * products[ofR + c];
      information[s * t + r] = left;
      information[r * t + s] = left;
      // A combination of the fixed effects of the trait, or constant among the lines that have it.
      if (s === r && left > COLLINEAR_SHARE * whole) used[count++] = s;
    }
    for (let a = 0; a < count; a++) {
      for (let b = 0; b < count; b++) small[a * count + b] = information[used[a] * t + used[b]];
    }
    if (count === 0 || Number.isNaN(invertSmall(small, count, scratch, { into: covariance, offset: 0 }))) {
      columns.status[row] = MARKER_COLLINEAR;
      return;
    }
    columns.df[row] = count;
    let any = 0;
    let score = 0;
    let weight = 0;
    for (let a = 0; a < count; a++) {
      const s = used[a];
      let effect = 0;
      for (let b = 0; b < count; b++) {
        effect += covariance[a * count + b] * products[from + used[b]];
        weight += small[a * count + b] / (scales[s] * scales[used[b]]);
      }
      any += effect * products[from + s];
      score += products[from + s] / scales[s];
      effects[a] = effect * scales[s];
      columns.effects[s][row] = effects[a];
      columns.errors[s][row] = scales[s] * Math.sqrt(covariance[a * count + a]);
    }
    columns.any[row] = any;
    if (count < 2) return;
    const main = score / weight;
    columns.main[row] = main;
    columns.mainError[row] = 1 / Math.sqrt(weight);
    let differences = 0;
    for (let a = 0; a < count; a++) {
      for (let b = 0; b < count; b++) {
        const [ofA, ofB] = [(effects[a] - main) / scales[used[a]], (effects[b] - main) / scales[used[b]]];
        differences += ofA * small[a * count + b] * ofB;
      }
    }
    columns.differences[row] = differences;
  };
}

function emptyColumns(count: number, traits: number): SeveralTraitColumns {
  const missing = (): Float64Array => new Float64Array(count).fill(Number.NaN);
  return {
    count,
    status: new Uint8Array(count),
    frequencyA2: missing(),
    callRate: missing(),
    df: new Uint8Array(count),
    any: missing(),
    differences: missing(),
    main: missing(),
    mainError: missing(),
    effects: Array.from({ length: traits }, missing),
    errors: Array.from({ length: traits }, missing),
  };
}
