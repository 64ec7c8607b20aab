import { choleskyInPlace, choleskyInverseInPlace, choleskyLogDeterminant } from '@heterosis/linalg/cholesky';
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
import { type ProfileMaximum, RemlProfile } from '../mixed-model/reml-profile.ts';
import { componentCovariance, quadraticForms, remlOf } from './fit-marker-space.ts';
import {
  formsOfGroup,
  formsWithout,
  type GroupForms,
  groupOfAll,
  leaveOut,
  meanEigenvalueWithout,
  profileWithoutGroups,
  residualForms,
  type TestedGroup,
} from './left-out-markers.ts';
import { inverseForm, type MarkerEquations, solveWith } from './marker-equations.ts';

export interface PanelTestOptions {
  equations: MarkerEquations;
  /** Σ(dosage − mean)² of each marker among the individuals analysed. */
  centredSquares: Float64Array;
  tests: readonly AssociationTest[];
  /**
   * Markers by the kinship they are tested with, each of them in one group; default all with that of all. Each group
   * has a null model of its own.
   */
  groups?: readonly TestedGroup[] | null;
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
  /** By trait, of the full kinship. */
  nulls: Omit<NullModel, 'rotated'>[];
  /** By group and trait; empty where there are no groups. */
  groups: GroupNull[][];
}

/** The null model of the markers of one group. */
export interface GroupNull extends Pick<NullModel, 'scoreH2' | 'remlH2' | 'mlH2'> {
  /** Mean eigenvalue of its kinship among the contrasts. */
  meanEigenvalue: number;
}

/** As in `createMarkerTester`. */
export const COLLINEAR_SHARE = 1e-10;
/** Half the length in s of the first search interval; as in `createMarkerTester`. */
const NEAR = 0.75;

/** The null model of a trait and a group, from which its searches start. */
export type GroupStart = Omit<NullModel, 'rotated' | 'scoreVariance'>;

/** That of all markers. */
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
  const { m, n, order, squares, kinship } = equations;
  const traits = squares.length;
  const given = options.groups ?? [];
  // The model of all markers is there in any case: the last group is tested with nothing left out, or is empty.
  const groups = [...given, ...(given.length > 0 ? [groupOfAll(0)] : [groupOfAll(m)])];
  const collinear = Uint8Array.from({ length: m }, (_, j) => {
    const scale = kinship.scale[j];
    return equations.diagonal[j] / (scale * scale) > COLLINEAR_SHARE * centredSquares[j] ? 0 : 1;
  });
  const whole = heritabilityScale(equations.norm);
  const { starts, full } = startsOf(equations, groups);
  const results = Array.from({ length: traits }, () => emptyTestColumns(m, tests));
  if (tests.includes('SCORE')) writeScores(equations, groups, starts, collinear, results);
  const fitted = tests.filter((test) => test !== 'SCORE');
  if (fitted.length > 0) {
    const positions = starts.flat().map(({ remlH2 }) => positionOfH2(whole, remlH2));
    let scale = nearScale(whole, Math.min(...positions), Math.max(...positions));
    let pending: Int32Array = Int32Array.from(collinear.keys()).filter((j) => collinear[j] === 0);
    for (;;) {
      const series = seriesOf(equations, scale, groups, options.onProgress);
      pending = searchMarkers({ equations, series, scale, whole, groups, starts, results, pending });
      if (pending.length === 0 || scale === whole) break;
      scale = whole;
    }
  }
  for (const [t, start] of full.entries()) addHeritabilities(start, equations, t, { tests, n, order });
  return {
    collinear,
    traits: results,
    heritabilities: full.map(({ heritabilities }) => heritabilities),
    nulls: full.map(({ heritabilities: _, ...model }) => model),
    groups: given.map((group, g) =>
      starts[g].map(({ scoreH2, remlH2, mlH2 }) => ({
        ...{ scoreH2, remlH2, mlH2 },
        meanEigenvalue: meanEigenvalueWithout(equations, group),
      })),
    ),
  };
}

/** REML of each group and trait; those of the last group, all markers, are `full`. */
function startsOf(
  equations: MarkerEquations,
  groups: readonly TestedGroup[],
): { starts: GroupStart[][]; full: TraitStart[] } {
  const { order, meanEigenvalue, evaluate, squares } = equations;
  const traits = Array.from(squares.keys());
  const ofAll = new RemlProfile({ order, scale: meanEigenvalue, evaluate });
  if (groups.length === 1) {
    const full = traits.map((t) => nullStart(equations, ofAll, t));
    return { starts: [full], full };
  }
  const profile = new RemlProfile({
    ...{ order, scale: meanEigenvalue, hasSlopes: true },
    evaluate: (logDelta) => profileWithoutGroups(equations, groups, logDelta),
  });
  // Each is searched uphill from the optimum of all markers, near which it lies.
  const starts = groups.map((group, g) =>
    traits.map((t) => {
      const hasKinship = meanEigenvalue > 0 && meanEigenvalueWithout(equations, group) > 0;
      return startOf(equations, t, hasKinship ? profile.maximum(t + g * traits.length, ofAll.scan(t)) : undefined);
    }),
  );
  const full = starts[groups.length - 1].map((start, t) => withVariance(equations, t, start));
  return { starts: [...starts.slice(0, -1), full], full };
}

/** SCORE of every group at the variances of its own null model. */
function writeScores(
  equations: MarkerEquations,
  groups: readonly TestedGroup[],
  starts: readonly GroupStart[][],
  collinear: Uint8Array,
  results: PanelTests['traits'],
): void {
  for (const [g, group] of groups.entries()) {
    const { tested, leftOut } = group;
    if (tested.length === 0) continue;
    for (const [t, { scoreH2 }] of starts[g].entries()) {
      const score = results[t].SCORE;
      if (score === undefined) continue;
      const forms =
        scoreH2 === 0
          ? withoutKinship(equations, group)
          : leftOut.length > 0
            ? formsWithout(equations, group, scoreH2)
            : formsOfAll(equations, group, scoreH2);
      const variance = forms.c[t] / equations.order;
      for (const [k, j] of tested.entries()) {
        if (collinear[j] === 1) continue;
        const [a, b] = [forms.a.data[k + t * tested.length], forms.b[k]];
        writeTest(score, j, (a * a) / (b * variance), a / b, Math.sqrt(variance / b), scoreH2, false);
      }
    }
  }
}

/** h² of the null model as each test uses it. */
export function addHeritabilities(
  start: TraitStart,
  equations: MarkerEquations,
  trait: number,
  { tests, n, order }: { tests: readonly AssociationTest[]; n: number; order: number },
): void {
  const { heritabilities: found, scoreH2, remlH2, mlH2 } = start;
  if (tests.includes('SCORE')) found.SCORE = heritabilityAt(equations, trait, scoreH2, order, 1);
  if (tests.includes('WALD')) found.WALD = heritabilityAt(equations, trait, remlH2, order, 0.99);
  if (tests.includes('LRT')) found.LRT = heritabilityAt(equations, trait, mlH2, n, 0.99);
}

export function nullStart(equations: MarkerEquations, profile: RemlProfile, trait: number): TraitStart {
  const best = equations.meanEigenvalue > 0 ? profile.maximum(trait) : undefined;
  return withVariance(equations, trait, startOf(equations, trait, best));
}

function startOf(
  equations: Pick<MarkerEquations, 'order' | 'squares' | 'logShift'>,
  trait: number,
  best: ProfileMaximum | undefined,
): GroupStart {
  const { delta, logLikelihood } = remlOf(equations, trait, best);
  const remlLogLikelihood = logLikelihood + equations.logShift;
  const scoreH2 = Number.isFinite(delta) ? 1 / (1 + delta) : 0;
  const remlH2 = Math.min(0.99, scoreH2);
  return { scoreH2, remlH2, mlH2: remlH2, remlLogLikelihood, mlLogLikelihood: Number.NaN };
}

function withVariance({ order, squares, evaluate }: MarkerEquations, trait: number, start: GroupStart): TraitStart {
  const { scoreH2 } = start;
  const scoreVariance =
    scoreH2 === 0
      ? squares[trait] / order
      : evaluate(Math.log((1 - scoreH2) / scoreH2)).quadratics[trait] / (order * scoreH2);
  return { ...start, scoreVariance, heritabilities: {} };
}

/** g'Py and g'Pg where h² = 0: those of the contrasts themselves. */
function withoutKinship({ m, z, kinship, diagonal, squares }: MarkerEquations, { tested }: TestedGroup): GroupForms {
  const { scale } = kinship;
  const a = createMatrix(tested.length, z.columns);
  for (const [k, j] of tested.entries()) {
    for (let t = 0; t < z.columns; t++) a.data[k + t * tested.length] = z.data[j + t * m] / scale[j];
  }
  return { a, b: Float64Array.from(tested, (j) => diagonal[j] / (scale[j] * scale[j])), c: squares };
}

/** The forms of a group from which nothing is left out. */
function formsOfAll(equations: MarkerEquations, group: TestedGroup, h2: number): GroupForms {
  const { kinship, z } = equations;
  const lambda = (kinship.divisor * (1 - h2)) / h2;
  const factor = equations.factor(lambda);
  const u = solveWith(factor, z);
  return formsOfWhole(equations, group, { u, inverse: choleskyInverseInPlace(factor) }, { lambda, h2 });
}

function formsOfWhole(
  equations: MarkerEquations,
  { tested }: TestedGroup,
  { u, inverse }: { u: Matrix; inverse: Matrix },
  { lambda, h2 }: { lambda: number; h2: number },
): GroupForms {
  const { m, kinship } = equations;
  const a = createMatrix(tested.length, u.columns);
  const b = new Float64Array(tested.length);
  for (const [k, j] of tested.entries()) {
    const s = kinship.scale[j];
    b[k] = (lambda * (1 - lambda * inverse.data[j + j * m])) / (s * s * (1 - h2));
    for (let t = 0; t < u.columns; t++) {
      a.data[k + t * tested.length] = (lambda * u.data[j + t * m]) / (s * (1 - h2));
    }
  }
  return { a, b, c: residualForms(equations, u, new Float64Array(u.columns), h2) };
}

/** What the tests need at one h², in the scale V = h²K + (1 − h²)I and of raw dosages. */
interface Forms {
  groups: GroupForms[];
  /** By group: log|V| among the contrasts, and of all individuals. */
  reml: Float64Array;
  ml: Float64Array;
}

/** @param h2 above 0 and below 1 */
function formsAt(equations: MarkerEquations, h2: number, groups: readonly TestedGroup[]): Forms {
  const { m, n, order, kinship, z, fixedProducts: fixed } = equations;
  const lambda = (kinship.divisor * (1 - h2)) / h2;
  const factor = equations.factor(lambda);
  const determinant = choleskyLogDeterminant(factor);
  const u = solveWith(factor, z);
  const known = solveWith(factor, fixed);
  const explained = multiply(fixed, known, { transposeA: true });
  const inverse = choleskyInverseInPlace(factor);
  const count = groups.length;
  const forms: Forms = { groups: [], reml: new Float64Array(count), ml: new Float64Array(count) };
  const logRest = Math.log1p(-h2);
  for (const [g, group] of groups.entries()) {
    const { leftOut } = group;
    const left = leaveOut(inverse, leftOut, u, known);
    forms.groups.push(
      leftOut.length > 0
        ? formsOfGroup(equations, group, { ...left, u }, { lambda, h2 })
        : formsOfWhole(equations, group, { u, inverse }, { lambda, h2 }),
    );
    const markers = m - leftOut.length;
    forms.reml[g] = determinant + left.logDeterminant - markers * Math.log(lambda) + order * logRest;
    const among = createMatrix(fixed.columns, fixed.columns);
    for (let k = 0; k < among.data.length; k++) among.data[k] = explained.data[k] - left.fixed.data[k];
    for (let k = 0; k < fixed.columns; k++) among.data[k + k * fixed.columns] += 1;
    forms.ml[g] = forms.reml[g] + choleskyLogDeterminant(choleskyInPlace(among)) + (n - order) * logRest;
  }
  return forms;
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
  groups: readonly TestedGroup[],
  onProgress: PanelTestOptions['onProgress'],
): Series {
  const { m } = equations;
  const traits = equations.squares.length;
  const count = groups.length;
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
    for (const [g, { tested }] of groups.entries()) {
      const { a, b } = forms.groups[g];
      for (const [place, j] of tested.entries()) {
        values.b.data[k + j * length] = b[place];
        for (let t = 0; t < traits; t++) values.a[t].data[k + j * length] = a.data[place + t * tested.length];
      }
    }
    for (let group = 0; group < count; group++) {
      values.reml.data[k + group * length] = forms.reml[group];
      values.ml.data[k + group * length] = forms.ml[group];
    }
    for (let t = 0; t < traits; t++) {
      for (let group = 0; group < count; group++) {
        values.c[t].data[k + group * length] = forms.groups[group].c[t];
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
  groups: readonly TestedGroup[];
  /** By group and trait. */
  starts: readonly GroupStart[][];
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
  results,
  pending,
}: Search): Int32Array {
  const { n, order } = equations;
  const { length } = series;
  const left = new Set<number>();
  const isBound = (s: number): boolean => s === whole.low || s === whole.high;
  const isOutside = (s: number): boolean => (s === scale.low || s === scale.high) && !isBound(s);
  const isPending = new Set(pending);
  for (const [g, { tested }] of groups.entries()) {
    const ofGroup = tested.filter((j) => isPending.has(j));
    const part = (matrix: Matrix): Float64Array => matrix.data.subarray(g * length, (g + 1) * length);
    for (const [t, start] of starts[g].entries()) {
      const common = { scale, c: part(series.c[t]) };
      const wald = new ProfileLikelihood({
        ...common,
        logDeterminant: part(series.reml),
        power: order - 1,
        reml: true,
      });
      const lrt = new ProfileLikelihood({ ...common, logDeterminant: part(series.ml), power: n, reml: false });
      const without = new ProfileLikelihood({ ...common, logDeterminant: part(series.ml), power: n, reml: false });
      const reml = positionOfH2(whole, start.remlH2);
      const ml = without.climb(reml, NO_MARKER, 0, NO_MARKER, 0);
      start.mlH2 = boundedH2(ml, whole);
      start.mlLogLikelihood = without.value - 0.5 * n * (Math.log((2 * Math.PI) / n) + 1);
      const a = series.a[t].data;
      const b = series.b.data;
      const { WALD, LRT } = results[t];
      if (LRT !== undefined && isOutside(ml)) for (const j of ofGroup) left.add(j);
      for (const j of ofGroup) {
        const at = j * length;
        if (WALD !== undefined) {
          const s = wald.climb(reml, a, at, b, at);
          if (isOutside(s)) left.add(j);
          const variance = wald.residual / (order - 1);
          const beta = wald.a / wald.b;
          const se = Math.sqrt(variance / wald.b);
          writeTest(WALD, j, (beta * wald.a) / variance, beta, se, boundedH2(s, whole), isBound(s));
        }
        if (LRT !== undefined) {
          const s = lrt.climb(ml, a, at, b, at);
          if (isOutside(s)) left.add(j);
          const se = Math.sqrt(lrt.residual / (order - 1) / lrt.b);
          writeTest(LRT, j, 2 * (lrt.value - without.value), lrt.a / lrt.b, se, boundedH2(s, whole), isBound(s));
        }
      }
    }
  }
  return Int32Array.from(left).sort();
}

/** h² of the null model with its standard errors, as `nullHeritability`; `divisor` n for maximum likelihood. */
function heritabilityAt(
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
