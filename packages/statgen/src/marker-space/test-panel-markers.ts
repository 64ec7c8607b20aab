import {
  type CholeskyFactor,
  choleskyInPlace,
  choleskyInverseInPlace,
  choleskyLogDeterminant,
} from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import {
  boundedH2,
  chebyshevNodes,
  coefficientTransform,
  type HeritabilityScale,
  h2OfPosition,
  heritabilityScale,
  positionOfH2,
  seriesLength,
} from '../association/chebyshev.ts';
import type { NullModel } from '../association/prepare-gwas.ts';
import { NO_MARKER, ProfileLikelihood } from '../association/profile-likelihood.ts';
import { type AssociationTest, emptyTestColumns, type TestColumns, writeTest } from '../association/test-markers.ts';
import { type Heritability, heritabilityOf } from '../mixed-model/heritability.ts';
import { RemlProfile } from '../mixed-model/reml-profile.ts';
import { componentCovariance, quadraticForms, remlOf } from './fit-marker-space.ts';
import { inverseForm, type MarkerEquations, solveWith } from './marker-equations.ts';

export interface PanelTestOptions {
  equations: MarkerEquations;
  /** Σ(dosage − mean)² of each marker among the individuals analysed. */
  centredSquares: Float64Array;
  tests: readonly AssociationTest[];
  /**
   * Leaves one group out: the group of each marker (its chromosome), 0 … groups − 1. A marker is then tested with the
   * kinship of the markers of all other groups, at the variance of a marker effect of the full model.
   */
  groups?: Int32Array | null;
  onProgress?: (done: number, total: number) => void;
}

/** Results of the markers of the equations. */
export interface PanelTests {
  /** 1 where the fixed effects explain the marker; its results are NaN. */
  collinear: Uint8Array;
  /** By trait and test; one entry a marker. */
  traits: { [test in AssociationTest]?: TestColumns }[];
  /** Of the null model of the full kinship, by trait, as `nullHeritability`. */
  heritabilities: { [test in AssociationTest]?: Heritability }[];
  /** By trait. */
  nulls: Omit<NullModel, 'rotated'>[];
}

/** As in `createMarkerTester`. */
export const COLLINEAR_SHARE = 1e-10;
/** Half the length in s of the first search interval; as in `createMarkerTester`. */
const NEAR = 0.75;

/** Starting positions of a trait's searches, h² of the full kinship. */
export interface TraitStart extends Omit<NullModel, 'rotated'> {
  heritabilities: { [test in AssociationTest]?: Heritability };
}

/**
 * SCORE, WALD and LRT of the kinship's own markers, exactly those of `createMarkerTester`, without reading a genotype
 * again: with A = C + λI, B = A⁻¹ and û = Bz, g'Py = λû_j and g'Pg = λ(1 − λB_jj) in units of σ²e. Leaving out the
 * markers c, g'P₋cy = (B_cc)⁻¹û_c, diag(G'P₋cG) = diag((B_cc)⁻¹) − λ and log|A₋c| = log|A| + log|B_cc|, all from
 * blocks of the same inverse.
 *
 * WALD and LRT need these as functions of h²: one inverse, m³ operations, at each of some 16 Chebyshev nodes around
 * the optimum of the null model, and at some 50 over the whole range if a marker's search leaves it.
 */
export function testPanelMarkers(options: PanelTestOptions): PanelTests {
  const { equations, tests, centredSquares } = options;
  const { m, order, squares, kinship } = equations;
  const traits = squares.length;
  const groups = groupsOf(options.groups ?? null, m);
  const collinear = Uint8Array.from({ length: m }, (_, j) => {
    const scale = kinship.scale[j];
    return equations.diagonal[j] / (scale * scale) > COLLINEAR_SHARE * centredSquares[j] ? 0 : 1;
  });
  const whole = heritabilityScale(equations.norm);
  const profile = new RemlProfile({ order, scale: equations.meanEigenvalue, evaluate: equations.evaluate });
  const starts: TraitStart[] = [];
  const results = Array.from({ length: traits }, () => emptyTestColumns(m, tests));
  for (let t = 0; t < traits; t++) {
    const start = nullStart(equations, profile, t);
    starts.push(start);
    const score = results[t].SCORE;
    if (score === undefined) continue;
    const forms = start.scoreH2 === 0 ? withoutKinship(equations) : formsAt(equations, start.scoreH2, groups);
    for (let j = 0; j < m; j++) {
      if (collinear[j] === 1) continue;
      const [a, b] = [forms.a.data[j + t * m], forms.b[j]];
      const { scoreVariance } = start;
      writeTest(score, j, (a * a) / (b * scoreVariance), a / b, Math.sqrt(scoreVariance / b), start.scoreH2, false);
    }
    start.heritabilities.SCORE = heritabilityAt(equations, t, start.scoreH2, order, 1);
  }
  const fitted = tests.filter((test) => test !== 'SCORE');
  if (fitted.length > 0) {
    const positions = starts.map(({ remlH2 }) => positionOfH2(whole, remlH2));
    let scale = nearScale(whole, Math.min(...positions), Math.max(...positions));
    let pending: Int32Array = Int32Array.from(collinear.keys()).filter((j) => collinear[j] === 0);
    for (;;) {
      const series = seriesOf(equations, scale, groups, options.onProgress);
      pending = searchMarkers({ equations, series, scale, whole, groups, starts, fitted, results, pending });
      if (pending.length === 0 || scale === whole) break;
      scale = whole;
    }
    for (const [t, start] of starts.entries()) {
      if (results[t].WALD !== undefined) {
        start.heritabilities.WALD = heritabilityAt(equations, t, start.remlH2, order, 0.99);
      }
      if (results[t].LRT !== undefined) {
        start.heritabilities.LRT = heritabilityAt(equations, t, start.mlH2, equations.n, 0.99);
      }
    }
  }
  return {
    collinear,
    traits: results,
    heritabilities: starts.map(({ heritabilities }) => heritabilities),
    nulls: starts.map(({ heritabilities: _, ...model }) => model),
  };
}

export function nullStart(equations: MarkerEquations, profile: RemlProfile, trait: number): TraitStart {
  const { order } = equations;
  const reml = remlOf(equations, trait, equations.meanEigenvalue > 0 ? profile.maximum(trait) : undefined);
  if (!Number.isFinite(reml.delta)) {
    const { varianceResidual: scoreVariance, logLikelihood: remlLogLikelihood } = reml;
    return {
      scoreH2: 0,
      scoreVariance,
      remlH2: 0,
      mlH2: 0,
      remlLogLikelihood,
      mlLogLikelihood: Number.NaN,
      heritabilities: {},
    };
  }
  const scoreH2 = 1 / (1 + reml.delta);
  const { quadratics } = equations.evaluate(Math.log(reml.delta));
  const scoreVariance = (quadratics[trait] / order) * (1 + reml.delta);
  const remlH2 = Math.min(0.99, scoreH2);
  const { logLikelihood: remlLogLikelihood } = reml;
  return {
    ...{ scoreH2, scoreVariance, remlH2, remlLogLikelihood },
    ...{ mlH2: remlH2, mlLogLikelihood: Number.NaN, heritabilities: {} },
  };
}

/** g'Py and g'Pg where h² = 0: those of the contrasts themselves. */
function withoutKinship({ m, z, kinship, diagonal }: MarkerEquations): Pick<Forms, 'a' | 'b'> {
  const { scale } = kinship;
  const a = createMatrix(m, z.columns);
  for (let k = 0; k < a.data.length; k++) a.data[k] = z.data[k] / scale[k % m];
  return { a, b: diagonal.map((value, j) => value / (scale[j] * scale[j])) };
}

/** The markers of each group; the last one is empty, for the model of all markers. */
interface Groups {
  /** The group of a marker; 0 for all where nothing is left out. */
  of: Int32Array;
  members: Int32Array[];
  isLeftOut: boolean;
}

function groupsOf(given: Int32Array | null, m: number): Groups {
  if (given === null) return { of: new Int32Array(m), members: [new Int32Array(0)], isLeftOut: false };
  const count = given.reduce((most, group) => Math.max(most, group + 1), 0);
  return {
    of: given,
    members: Array.from({ length: count + 1 }, (_, group) =>
      Int32Array.from(given.keys()).filter((j) => given[j] === group),
    ),
    isLeftOut: true,
  };
}

/** What the tests need at one h², in the scale V = h²K + (1 − h²)I and of raw dosages. */
interface Forms {
  /** m × traits: g'Py. */
  a: Matrix;
  /** m: g'Pg. */
  b: Float64Array;
  /** groups × traits: y'Py. */
  c: Matrix;
  /** By group: log|V| among the contrasts, and of all individuals. */
  reml: Float64Array;
  ml: Float64Array;
}

/** @param h2 above 0 and below 1 */
function formsAt(equations: MarkerEquations, h2: number, groups: Groups): Forms {
  const { m, n, order, kinship, z, squares, fixedProducts } = equations;
  const traits = squares.length;
  const { scale } = kinship;
  const lambda = (kinship.divisor * (1 - h2)) / h2;
  const factor = equations.factor(lambda);
  const determinant = choleskyLogDeterminant(factor);
  const u = solveWith(factor, z);
  const fixed = fixedProducts;
  const known = solveWith(factor, fixed);
  const explained = multiply(fixed, known, { transposeA: true });
  const inverse = choleskyInverseInPlace(factor).data;
  const count = groups.members.length;
  const forms: Forms = {
    a: createMatrix(m, traits),
    b: new Float64Array(m),
    c: createMatrix(count, traits),
    reml: new Float64Array(count),
    ml: new Float64Array(count),
  };
  const logRest = Math.log1p(-h2);
  for (const [group, members] of groups.members.entries()) {
    const left = leaveOut(inverse, m, members, u, known);
    const markers = m - members.length;
    forms.reml[group] = determinant + left.logDeterminant - markers * Math.log(lambda) + order * logRest;
    const among = createMatrix(fixed.columns, fixed.columns);
    for (let k = 0; k < among.data.length; k++) among.data[k] = explained.data[k] - left.fixed.data[k];
    for (let k = 0; k < fixed.columns; k++) among.data[k + k * fixed.columns] += 1;
    forms.ml[group] = forms.reml[group] + choleskyLogDeterminant(choleskyInPlace(among)) + (n - order) * logRest;
    for (let t = 0; t < traits; t++) {
      let product = 0;
      for (let j = 0; j < m; j++) product += z.data[j + t * m] * u.data[j + t * m];
      forms.c.data[group + t * count] = (squares[t] - product + left.traits[t]) / (1 - h2);
    }
    if (!groups.isLeftOut) continue;
    for (const [k, j] of members.entries()) {
      const s = scale[j];
      forms.b[j] = (left.diagonal[k] - lambda) / (s * s * (1 - h2));
      for (let t = 0; t < traits; t++) {
        forms.a.data[j + t * m] = left.effects.data[k + t * members.length] / (s * (1 - h2));
      }
    }
  }
  if (!groups.isLeftOut) {
    for (let j = 0; j < m; j++) {
      const s = scale[j];
      forms.b[j] = (lambda * (1 - lambda * inverse[j + j * m])) / (s * s * (1 - h2));
      for (let t = 0; t < traits; t++) forms.a.data[j + t * m] = (lambda * u.data[j + t * m]) / (s * (1 - h2));
    }
  }
  return forms;
}

/** Figures of the blocks of the inverse that belong to the markers left out. */
interface LeftOut {
  /** log|B_cc|. */
  logDeterminant: number;
  /** (B_cc)⁻¹û_c, members × traits. */
  effects: Matrix;
  /** diag((B_cc)⁻¹). */
  diagonal: Float64Array;
  /** û_c'(B_cc)⁻¹û_c of each trait. */
  traits: Float64Array;
  /** (BG)_c'(B_cc)⁻¹(BG)_c, c × c. */
  fixed: Matrix;
}

function leaveOut(inverse: Float64Array, m: number, members: Int32Array, u: Matrix, known: Matrix): LeftOut {
  const size = members.length;
  const block = createMatrix(size, size);
  for (let k = 0; k < size; k++) {
    const column = inverse.subarray(members[k] * m, (members[k] + 1) * m);
    for (let i = 0; i < size; i++) block.data[i + k * size] = column[members[i]];
  }
  const factor: CholeskyFactor = choleskyInPlace(block);
  const logDeterminant = choleskyLogDeterminant(factor);
  const chosen = rowsOf(u, members);
  const effects = solveWith(factor, chosen);
  const traits = Float64Array.from({ length: u.columns }, (_, t) => {
    let sum = 0;
    for (let k = 0; k < size; k++) sum += chosen.data[k + t * size] * effects.data[k + t * size];
    return sum;
  });
  const fixed = inverseForm(factor, rowsOf(known, members));
  const own = choleskyInverseInPlace(factor);
  return {
    logDeterminant,
    effects,
    diagonal: Float64Array.from({ length: size }, (_, k) => own.data[k + k * size]),
    traits,
    fixed,
  };
}

function rowsOf(matrix: Matrix, rows: Int32Array): Matrix {
  const chosen = createMatrix(rows.length, matrix.columns);
  for (let t = 0; t < matrix.columns; t++) {
    for (let k = 0; k < rows.length; k++) chosen.data[k + t * rows.length] = matrix.data[rows[k] + t * matrix.rows];
  }
  return chosen;
}

/** Chebyshev series on an interval of h². */
export interface Series {
  length: number;
  /** By trait: length × m, the series of a of each marker in its column. */
  a: Matrix[];
  /** length × m. */
  b: Matrix;
  /** By trait: length × groups. */
  c: Matrix[];
  /** length × groups. */
  reml: Matrix;
  ml: Matrix;
}

function seriesOf(
  equations: MarkerEquations,
  scale: HeritabilityScale,
  groups: Groups,
  onProgress: PanelTestOptions['onProgress'],
): Series {
  const { m } = equations;
  const traits = equations.squares.length;
  const count = groups.members.length;
  const length = seriesLength(scale);
  const nodes = chebyshevNodes(scale, length);
  const values = {
    a: Array.from({ length: traits }, () => createMatrix(length, m)),
    b: createMatrix(length, m),
    c: Array.from({ length: traits }, () => createMatrix(length, count)),
    reml: createMatrix(length, count),
    ml: createMatrix(length, count),
  };
  for (const [k, s] of nodes.entries()) {
    onProgress?.(k, length);
    const forms = formsAt(equations, h2OfPosition(scale, s), groups);
    for (let j = 0; j < m; j++) values.b.data[k + j * length] = forms.b[j];
    for (let group = 0; group < count; group++) {
      values.reml.data[k + group * length] = forms.reml[group];
      values.ml.data[k + group * length] = forms.ml[group];
    }
    for (let t = 0; t < traits; t++) {
      for (let j = 0; j < m; j++) values.a[t].data[k + j * length] = forms.a.data[j + t * m];
      for (let group = 0; group < count; group++) {
        values.c[t].data[k + group * length] = forms.c.data[group + t * count];
      }
    }
  }
  onProgress?.(length, length);
  return toSeries({ length, ...values });
}

/** Series from values at their nodes. */
export function toSeries({ length, a, b, c, reml, ml }: Series): Series {
  const transform = matrixOf(length, length, coefficientTransform(length));
  const transformed = (matrix: Matrix): Matrix => multiply(transform, matrix, { transposeA: true });
  return {
    length,
    a: a.map(transformed),
    b: transformed(b),
    c: c.map(transformed),
    reml: transformed(reml),
    ml: transformed(ml),
  };
}

export function nearScale(whole: HeritabilityScale, lowest: number, highest: number): HeritabilityScale {
  return {
    epsilon: whole.epsilon,
    low: Math.max(whole.low, lowest - NEAR),
    high: Math.min(whole.high, highest + NEAR),
  };
}

interface Search {
  equations: MarkerEquations;
  series: Series;
  scale: HeritabilityScale;
  whole: HeritabilityScale;
  groups: Groups;
  starts: TraitStart[];
  fitted: readonly AssociationTest[];
  results: { [test in AssociationTest]?: TestColumns }[];
  /** Markers to test. */
  pending: Int32Array;
}

/** Writes WALD and LRT; returns the markers of which a search left the interval. */
export function searchMarkers({
  equations,
  series,
  scale,
  whole,
  groups,
  starts,
  fitted,
  results,
  pending,
}: Search): Int32Array {
  const { n, order } = equations;
  const { length } = series;
  const left = new Set<number>();
  const isBound = (s: number): boolean => s === whole.low || s === whole.high;
  const isOutside = (s: number): boolean => (s === scale.low || s === scale.high) && !isBound(s);
  for (const [t, start] of starts.entries()) {
    const searches = groups.members.map((_, group) => {
      const part = (matrix: Matrix): Float64Array => matrix.data.subarray(group * length, (group + 1) * length);
      const common = { scale, c: part(series.c[t]) };
      const wald = new ProfileLikelihood({
        ...common,
        logDeterminant: part(series.reml),
        power: order - 1,
        reml: true,
      });
      const lrt = new ProfileLikelihood({ ...common, logDeterminant: part(series.ml), power: n, reml: false });
      const without = new ProfileLikelihood({ ...common, logDeterminant: part(series.ml), power: n, reml: false });
      const s = without.climb(positionOfH2(whole, start.remlH2), NO_MARKER, 0, NO_MARKER, 0);
      return { wald, lrt, mlPosition: s, mlValue: without.value };
    });
    const full = searches[searches.length - 1];
    start.mlH2 = boundedH2(full.mlPosition, whole);
    start.mlLogLikelihood = full.mlValue - 0.5 * n * (Math.log((2 * Math.PI) / n) + 1);
    if (fitted.includes('LRT') && isOutside(full.mlPosition)) for (const j of pending) left.add(j);
    const a = series.a[t].data;
    const b = series.b.data;
    const { WALD, LRT } = results[t];
    for (const j of pending) {
      const { wald, lrt, mlPosition: from, mlValue } = searches[groups.of[j]];
      const at = j * length;
      if (WALD !== undefined && fitted.includes('WALD')) {
        const s = wald.climb(positionOfH2(whole, start.remlH2), a, at, b, at);
        if (isOutside(s)) left.add(j);
        const variance = wald.residual / (order - 1);
        const beta = wald.a / wald.b;
        writeTest(
          WALD,
          j,
          (beta * wald.a) / variance,
          beta,
          Math.sqrt(variance / wald.b),
          boundedH2(s, whole),
          isBound(s),
        );
      }
      if (LRT !== undefined && fitted.includes('LRT')) {
        const s = lrt.climb(from, a, at, b, at);
        if (isOutside(s) || isOutside(from)) left.add(j);
        const se = Math.sqrt(lrt.residual / (order - 1) / lrt.b);
        writeTest(LRT, j, 2 * (lrt.value - mlValue), lrt.a / lrt.b, se, boundedH2(s, whole), isBound(s));
      }
    }
  }
  return Int32Array.from(left).sort();
}

/** h² of the null model with its standard errors, as `nullHeritability`; `divisor` n for maximum likelihood. */
export function heritabilityAt(
  equations: MarkerEquations,
  trait: number,
  h2: number,
  divisor: number,
  largest: number,
): Heritability {
  const { kinship, squares, z, meanEigenvalue } = equations;
  if (h2 === 0) {
    const residual = squares[trait] / divisor;
    return heritabilityOf({ additive: 0, dominance: null, residual }, { additive: meanEigenvalue }, null);
  }
  const delta = (1 - h2) / h2;
  const factor = equations.factor(kinship.divisor * delta);
  const u = solveWith(factor, matrixOf(z.rows, 1, z.data.subarray(trait * z.rows, (trait + 1) * z.rows)));
  const forms = quadraticForms(equations, u, inverseForm(factor, u).data[0], delta, trait);
  const varianceGenetic = forms[0] / divisor;
  return heritabilityOf(
    { additive: varianceGenetic, dominance: null, residual: delta * varianceGenetic },
    { additive: meanEigenvalue },
    h2 >= largest ? null : componentCovariance(forms, delta, varianceGenetic),
  );
}
