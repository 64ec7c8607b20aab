import { choleskyInPlace, choleskyLogDeterminant } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { symmetricEigenInPlace } from '@heterosis/linalg/symmetric-eigen';
import {
  chebyshevNodes,
  type HeritabilityScale,
  h2OfPosition,
  heritabilityScale,
  positionOfH2,
  seriesLength,
} from '../association/chebyshev.ts';
import { type AssociationTest, emptyTestColumns, writeTest } from '../association/test-markers.ts';
import { RemlProfile } from '../mixed-model/reml-profile.ts';
import { type CrossProducts, rawCoding, rowTiles, tileRows, weightedDosages } from './dosage-products.ts';
import { groupOfAll } from './left-out-markers.ts';
import { errorsAmong, type MarkerEquations, projectTraits } from './marker-equations.ts';
import type { PackedMarkers, RowRange } from './packed-markers.ts';
import { productTile } from './product-tiles.ts';
import {
  addHeritabilities,
  COLLINEAR_SHARE,
  nearScale,
  nullStart,
  type PanelTests,
  type Series,
  searchMarkers,
  toSeries,
} from './test-panel-markers.ts';

export interface OtherMarkersOptions {
  equations: MarkerEquations;
  /** The markers of the kinship, and of the equations. */
  markers: PackedMarkers;
  /** As in the equations. */
  individuals: Int32Array | null;
  x: Matrix;
  traits: readonly Float64Array[];
  tests: readonly AssociationTest[];
}

export interface OtherMarkerTester extends Pick<PanelTests, 'nulls' | 'heritabilities'> {
  /**
   * Tests markers whether they are in the kinship or not. Their frequencies are those of the individuals analysed; they
   * are divided by the errors where those of the kinship are.
   */
  test(block: PackedMarkers): Pick<PanelTests, 'collinear' | 'traits'>;
}

/**
 * SCORE, WALD and LRT of any markers with the kinship of some, exactly those of `createMarkerTester`. With C =
 * WΛW' and r = W'Z̃'g̃, g'Py = g̃'ỹ − Σ r·W'z/(Λ + λ) and g'Pg = g̃'g̃ − Σ r²/(Λ + λ) in units of σ²e: one
 * decomposition of order m, then 2nm + 2m² operations a marker.
 *
 * @throws StatgenError as `createMarkerEquations`
 */
export function createOtherMarkerTester(options: OtherMarkersOptions): OtherMarkerTester {
  const { equations, markers, individuals, x, traits, tests } = options;
  const { order, n } = equations;
  const profile = new RemlProfile({ order, scale: equations.meanEigenvalue, evaluate: equations.evaluate });
  const starts = traits.map((_, t) => nullStart(equations, profile, t));
  const rotated = rotate(equations);
  const whole = heritabilityScale(equations.norm);
  const positions = starts.map(({ remlH2 }) => positionOfH2(whole, remlH2));
  const near = nearScale(whole, Math.min(...positions), Math.max(...positions));
  const fitted = tests.filter((test) => test !== 'SCORE');
  const scales = near === whole ? [whole] : [near, whole];
  const searches = scales.map((scale) => ({ scale, likelihood: likelihoodAtNodes(equations, rotated, scale) }));
  const search = (
    among: typeof searches,
    block: RotatedBlock,
    results: PanelTests['traits'],
    tested: Int32Array,
  ): void => {
    let pending = tested;
    for (const { scale, likelihood } of among) {
      const series = seriesOf(block, likelihood);
      const groups = [groupOfAll(block.squares.length)];
      pending = searchMarkers({ equations, series, scale, whole, groups, starts: [starts], results, pending });
      if (pending.length === 0) return;
    }
  };
  // Without markers, over the whole range, it finds the maximum likelihood of the null models.
  if (fitted.length > 0) {
    const nothing = traits.map(() => ({}));
    search(searches.slice(-1), emptyBlock(rotated, traits.length), nothing, new Int32Array(0));
  }
  for (const [t, start] of starts.entries()) addHeritabilities(start, equations, t, { tests, n, order });
  const projected = projectTraits(n, x, traits, errorsAmong(markers, individuals));
  const own = weightedDosages(markers, individuals, projected.q);
  return {
    heritabilities: starts.map(({ heritabilities }) => heritabilities),
    nulls: starts.map(({ heritabilities: _, ...model }) => model),
    test(tested) {
      const products = productsOf(markers, tested, individuals);
      const sums = weightedDosages(tested, individuals, projected.weights);
      const block = rotateBlock(equations, rotated, { products, own, sums, squares: tested.centredSquares });
      const collinear = block.squares.map((square, j) => (square > COLLINEAR_SHARE * tested.centredSquares[j] ? 0 : 1));
      const results = traits.map(() => emptyTestColumns(tested.m, tests));
      for (const [t, start] of starts.entries()) {
        const { SCORE } = results[t];
        if (SCORE === undefined) continue;
        const { a, b } = formsAt(block, rotated, start.scoreH2, t);
        const { scoreVariance: variance, scoreH2 } = start;
        for (let j = 0; j < tested.m; j++) {
          if (collinear[j] === 1) continue;
          writeTest(
            SCORE,
            j,
            (a[j] * a[j]) / (b[j] * variance),
            a[j] / b[j],
            Math.sqrt(variance / b[j]),
            scoreH2,
            false,
          );
        }
      }
      const free = Int32Array.from(collinear.keys()).filter((j) => collinear[j] === 0);
      if (fitted.length > 0 && free.length > 0) search(searches, block, results, free);
      return { collinear: Uint8Array.from(collinear), traits: results };
    },
  };
}

/** The equations in the basis of the eigenvectors of C. */
interface RotatedEquations {
  values: Float64Array;
  vectors: Matrix;
  /** m × t: W'z. */
  z: Matrix;
  /** m × c: W'F'Q. */
  fixed: Matrix;
  /** λ of an h². */
  lambdaOf(h2: number): number;
}

function rotate({ product, z, fixedProducts, kinship }: MarkerEquations): RotatedEquations {
  const { values, vectors } = symmetricEigenInPlace(product());
  return {
    // C is positive semidefinite: what is below 0 is rounding error.
    values: values.map((value) => Math.max(0, value)),
    vectors,
    z: multiply(vectors, z, { transposeA: true }),
    fixed: multiply(vectors, fixedProducts, { transposeA: true }),
    lambdaOf: (h2) => (kinship.divisor * (1 - h2)) / h2,
  };
}

/** Some markers in the basis of the eigenvectors. */
interface RotatedBlock {
  /** m × markers: W'Z̃'g̃. */
  rotated: Matrix;
  /** Its squares. */
  squared: Matrix;
  /** g̃'g̃. */
  squares: Float64Array;
  /** By trait: g̃'ỹ. */
  products: Float64Array[];
}

const emptyBlock = ({ values }: RotatedEquations, traits: number): RotatedBlock => ({
  rotated: createMatrix(values.length, 0),
  squared: createMatrix(values.length, 0),
  squares: new Float64Array(0),
  products: Array.from({ length: traits }, () => new Float64Array(0)),
});

function rotateBlock(
  { m, contrasts, kinship }: MarkerEquations,
  { vectors }: RotatedEquations,
  {
    products,
    own,
    sums,
    squares,
  }: {
    /** m × markers: D'g. */
    products: CrossProducts;
    /** m × c: D'Q. */
    own: Matrix;
    /** markers × (c + t): g'Q and g'ỹ. */
    sums: Matrix;
    /** Σ(dosage − mean)². */
    squares: Float64Array;
  },
): RotatedBlock {
  const c = contrasts.fixed;
  const count = squares.length;
  const block = matrixOf(m, count, Float64Array.from(products));
  const projections = matrixOf(count, c, sums.data.subarray(0, count * c));
  multiply(own, projections, { transposeB: true, alpha: -1, beta: 1, into: block });
  for (let j = 0; j < count; j++) {
    for (let i = 0; i < m; i++) block.data[i + j * m] *= kinship.scale[i];
  }
  const rotated = multiply(vectors, block, { transposeA: true });
  const left = squares.slice();
  // The first column of Q is the mean, which the squares are free of.
  for (let k = 1; k < c; k++) {
    for (let j = 0; j < count; j++) left[j] -= projections.data[j + k * count] ** 2;
  }
  return {
    rotated,
    squared: matrixOf(
      m,
      count,
      rotated.data.map((value) => value * value),
    ),
    squares: left,
    products: Array.from({ length: sums.columns - c }, (_, t) => sums.data.slice((c + t) * count, (c + t + 1) * count)),
  };
}

/** D'g of the markers of the kinship with others; without rounding where all dosages are whole. */
function productsOf(markers: PackedMarkers, tested: PackedMarkers, individuals: Int32Array | null): CrossProducts {
  if (markers.isWhole && tested.isWhole) return productTile(markers, tested, individuals);
  const n = individuals?.length ?? markers.panelSize;
  const sum = createMatrix(markers.m, tested.m);
  const width = markers.m + tested.m;
  const most = Math.min(tileRows(width), n);
  const sides = [markers, tested].map((side) => {
    const [columns, coding] = [{ first: 0, count: side.m }, rawCoding(side.m)];
    const tile = new Float64Array(most * side.m);
    return (rows: RowRange): Matrix => {
      side.decode(individuals, rows, columns, coding, tile);
      return matrixOf(rows.count, side.m, tile);
    };
  });
  for (const rows of rowTiles(n, width)) {
    const [left, right] = sides.map((decoded) => decoded(rows));
    multiply(left, right, { transposeA: true, beta: 1, into: sum });
  }
  return sum.data;
}

/** g'Py and g'Pg of one trait at one h², in the scale V = h²K + (1 − h²)I. */
function formsAt(
  { rotated, squared, squares, products }: RotatedBlock,
  { values, z, lambdaOf }: RotatedEquations,
  h2: number,
  trait: number,
): { a: Float64Array; b: Float64Array } {
  if (h2 === 0) return { a: products[trait], b: squares };
  const lambda = lambdaOf(h2);
  const inverse = matrixOf(
    values.length,
    1,
    values.map((value) => 1 / (value + lambda)),
  );
  const weighted = matrixOf(
    values.length,
    1,
    inverse.data.map((value, i) => value * z.data[i + trait * values.length]),
  );
  const a = multiply(rotated, weighted, { transposeA: true }).data;
  const b = multiply(squared, inverse, { transposeA: true }).data;
  return {
    a: products[trait].map((own, j) => (own - a[j]) / (1 - h2)),
    b: squares.map((own, j) => (own - b[j]) / (1 - h2)),
  };
}

/** What markers share at the nodes of an interval. */
interface NodeLikelihood extends Pick<Series, 'length' | 'c' | 'reml' | 'ml'> {
  h2: Float64Array;
  /** m × nodes: 1/(Λ + λ). */
  inverse: Matrix;
  /** By trait, m × nodes: W'z/(Λ + λ). */
  weighted: Matrix[];
}

function likelihoodAtNodes(
  { m, n, order, squares }: MarkerEquations,
  { values, z, fixed, lambdaOf }: RotatedEquations,
  scale: HeritabilityScale,
): NodeLikelihood {
  const length = seriesLength(scale);
  const h2 = chebyshevNodes(scale, length).map((s) => h2OfPosition(scale, s));
  const inverse = createMatrix(m, length);
  const weighted = Array.from(squares, () => createMatrix(m, length));
  const c = Array.from(squares, () => createMatrix(length, 1));
  const reml = createMatrix(length, 1);
  const ml = createMatrix(length, 1);
  for (let k = 0; k < length; k++) {
    const lambda = lambdaOf(h2[k]);
    const logRest = Math.log1p(-h2[k]);
    let logDeterminant = order * logRest - m * Math.log(lambda);
    for (let i = 0; i < m; i++) {
      inverse.data[i + k * m] = 1 / (values[i] + lambda);
      logDeterminant += Math.log(values[i] + lambda);
    }
    reml.data[k] = logDeterminant;
    ml.data[k] = logDeterminant + logDeterminantOfFixed(fixed, inverse, k) + (n - order) * logRest;
    for (const [t, square] of squares.entries()) {
      let explained = 0;
      for (let i = 0; i < m; i++) {
        const value = z.data[i + t * m] * inverse.data[i + k * m];
        weighted[t].data[i + k * m] = value;
        explained += value * z.data[i + t * m];
      }
      c[t].data[k] = (square - explained) / (1 - h2[k]);
    }
  }
  return { length, h2, inverse, weighted, c, reml, ml };
}

/** log|I + E'(Λ + λ)⁻¹E| of the rotated E = F'Q. */
function logDeterminantOfFixed(fixed: Matrix, inverse: Matrix, node: number): number {
  const m = fixed.rows;
  const scaled = matrixOf(
    m,
    fixed.columns,
    fixed.data.map((value, at) => value * inverse.data[(at % m) + node * m]),
  );
  const among = multiply(fixed, scaled, { transposeA: true });
  for (let k = 0; k < fixed.columns; k++) among.data[k + k * fixed.columns] += 1;
  return choleskyLogDeterminant(choleskyInPlace(among));
}

function seriesOf(
  { rotated, squared, squares, products }: RotatedBlock,
  { length, h2, inverse, weighted, c, reml, ml }: NodeLikelihood,
): Series {
  const valuesOf = (weights: Matrix, block: Matrix, own: Float64Array): Matrix => {
    const values = multiply(weights, block, { transposeA: true });
    for (let j = 0; j < own.length; j++) {
      for (let k = 0; k < length; k++) {
        values.data[k + j * length] = (own[j] - values.data[k + j * length]) / (1 - h2[k]);
      }
    }
    return values;
  };
  return toSeries({
    length,
    a: weighted.map((weights, t) => valuesOf(weights, rotated, products[t])),
    b: valuesOf(inverse, squared, squares),
    ...{ c, reml, ml },
  });
}
