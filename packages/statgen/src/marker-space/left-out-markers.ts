import {
  type CholeskyFactor,
  choleskyInPlace,
  choleskyInverseInPlace,
  choleskyLogDeterminant,
  solveLowerInPlace,
} from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { addOuterProduct } from '@heterosis/linalg/products';
import type { ProfilePoint } from '../mixed-model/reml-profile.ts';
import { inverseForm, type MarkerEquations, solveWith } from './marker-equations.ts';

/** Markers that are tested with the same kinship, by their places in the equations. */
export interface TestedGroup {
  tested: Int32Array;
  /** The markers that this kinship lacks: those tested, first and in the same order, then others; none for all. */
  leftOut: Int32Array;
}

/** The kinship of all markers, for all of them. */
export function groupOfAll(m: number): TestedGroup {
  return { tested: Int32Array.from({ length: m }, (_, j) => j), leftOut: new Int32Array(0) };
}

/** Figures of the blocks of B = A⁻¹ that belong to the markers c left out. */
export interface LeftOut {
  /** log|B_cc|. */
  logDeterminant: number;
  /** (B_cc)⁻¹û_c, c × traits. */
  effects: Matrix;
  /** (B_cc)⁻¹, both triangles. */
  inverse: Matrix;
  /** û_c'(B_cc)⁻¹û_c of each trait. */
  traits: Float64Array;
  /** (BG)_c'(B_cc)⁻¹(BG)_c. */
  fixed: Matrix;
}

/**
 * @param block B_cc, its lower triangle; overwritten
 * @param u c × traits: û_c
 * @param known (BG)_c
 */
function leftOutOf(block: Matrix, u: Matrix, known: Matrix): LeftOut {
  const factor: CholeskyFactor = choleskyInPlace(block);
  const logDeterminant = choleskyLogDeterminant(factor);
  const effects = solveWith(factor, u);
  return {
    logDeterminant,
    effects,
    traits: Float64Array.from({ length: u.columns }, (_, t) => productOfColumns(u, effects, t)),
    fixed: inverseForm(factor, known),
    inverse: choleskyInverseInPlace(factor),
  };
}

/** From the whole inverse, both triangles. */
export function leaveOut(inverse: Matrix, members: Int32Array, u: Matrix, known: Matrix): LeftOut {
  const size = members.length;
  const block = createMatrix(size, size);
  for (let k = 0; k < size; k++) {
    const column = inverse.data.subarray(members[k] * inverse.rows, (members[k] + 1) * inverse.rows);
    for (let i = 0; i < size; i++) block.data[i + k * size] = column[members[i]];
  }
  return leftOutOf(block, rowsOf(u, members), rowsOf(known, members));
}

/** What the tests of a group need at one h², in the scale V = h²K + (1 − h²)I and of raw dosages. */
export interface GroupForms {
  /** tested × traits: g'Py. */
  a: Matrix;
  /** g'Pg. */
  b: Float64Array;
  /** By trait: y'Py. */
  c: Float64Array;
}

/** @param u m × traits: û of all markers */
export function formsOfGroup(
  equations: MarkerEquations,
  { tested }: TestedGroup,
  { effects, inverse, traits, u }: Pick<LeftOut, 'effects' | 'inverse' | 'traits'> & { u: Matrix },
  { lambda, h2 }: { lambda: number; h2: number },
): GroupForms {
  const { scale } = equations.kinship;
  const a = createMatrix(tested.length, effects.columns);
  const b = new Float64Array(tested.length);
  for (const [k, j] of tested.entries()) {
    const s = scale[j];
    b[k] = (inverse.data[k + k * inverse.rows] - lambda) / (s * s * (1 - h2));
    for (let t = 0; t < effects.columns; t++) {
      a.data[k + t * tested.length] = effects.data[k + t * effects.rows] / (s * (1 - h2));
    }
  }
  return { a, b, c: residualForms(equations, u, traits, h2) };
}

/** y'Py = (ỹ'ỹ − z'û + what the markers left out have of it)/(1 − h²), by trait. */
export function residualForms(
  { squares, z }: Pick<MarkerEquations, 'squares' | 'z'>,
  u: Matrix,
  ofLeftOut: Float64Array,
  h2: number,
): Float64Array {
  return squares.map((square, t) => (square - productOfColumns(z, u, t) + ofLeftOut[t]) / (1 - h2));
}

/** {@link formsOfGroup} at an h² of its own: one factor, and m² operations for each marker left out. */
export function formsWithout(equations: MarkerEquations, group: TestedGroup, h2: number): GroupForms {
  const { m, kinship, z } = equations;
  const lambda = (kinship.divisor * (1 - h2)) / h2;
  const factor = equations.factor(lambda);
  const { leftOut } = group;
  const unit = createMatrix(m, leftOut.length);
  for (const [k, j] of leftOut.entries()) unit.data[j + k * m] = 1;
  solveLowerInPlace(factor.lower, unit);
  const block = createMatrix(leftOut.length, leftOut.length);
  addOuterProduct(block, unit, 1, { transposeA: true });
  const u = solveWith(factor, z);
  const left = leftOutOf(block, rowsOf(u, leftOut), createMatrix(leftOut.length, 0));
  return formsOfGroup(equations, group, { ...left, u }, { lambda, h2 });
}

/**
 * REML of all traits without each group, from one inverse B of A = C + λI: log|A₋c| = log|A| + log|B_cc|,
 * z'A₋c⁻¹z = z'û − û_c'(B_cc)⁻¹û_c, and for their derivatives tr(A₋c⁻¹) = tr B − tr((B_cc)⁻¹(B²)_cc) and û₋c = û −
 * B_·c(B_cc)⁻¹û_c.
 *
 * @returns trait t without group g at t + g × traits
 */
export function profileWithoutGroups(
  equations: MarkerEquations,
  groups: readonly TestedGroup[],
  logDelta: number,
): ProfilePoint {
  const { m, order, z, squares, kinship } = equations;
  const traits = squares.length;
  const delta = Math.exp(logDelta);
  const lambda = kinship.divisor * delta;
  const factor = equations.factor(lambda);
  const determinant = choleskyLogDeterminant(factor);
  const u = solveWith(factor, z);
  const inverse = choleskyInverseInPlace(factor);
  let trace = 0;
  for (let j = 0; j < m; j++) trace += inverse.data[j + j * m];
  const numbers = (): Float64Array => new Float64Array(groups.length * traits);
  const point = { logDeterminant: numbers(), quadratics: numbers() };
  const slopes = { logDeterminant: numbers(), quadratics: numbers() };
  for (const [g, { leftOut }] of groups.entries()) {
    const columns = columnsOf(inverse, leftOut);
    const left = leaveOut(inverse, leftOut, u, createMatrix(m, 0));
    const markers = m - leftOut.length;
    const own = trace - traceOfProduct(left.inverse, columns);
    for (let t = 0; t < traits; t++) {
      const at = t + g * traits;
      point.logDeterminant[at] = determinant + left.logDeterminant - markers * Math.log(lambda) + order * logDelta;
      slopes.logDeterminant[at] = lambda * own - markers + order;
      const remaining = squares[t] - productOfColumns(z, u, t) + left.traits[t];
      point.quadratics[at] = remaining / delta;
      slopes.quadratics[at] = (lambda * squaredEffects(u, columns, left.effects, t) - remaining) / delta;
    }
  }
  return { ...point, slopes };
}

/** Mean eigenvalue, among the contrasts, of the kinship without a group. */
export function meanEigenvalueWithout(
  { diagonal, kinship, order, meanEigenvalue }: MarkerEquations,
  { leftOut }: TestedGroup,
): number {
  const trace = diagonal.reduce((sum, value) => sum + value, 0);
  const left = leftOut.reduce((sum, j) => sum - diagonal[j], trace);
  return left > SMALLEST_SHARE * trace ? Math.min(meanEigenvalue, left / kinship.divisor / order) : 0;
}

/** If less than this share of the trace is left, it is rounding error. */
const SMALLEST_SHARE = 1e-12;

/** tr((B_cc)⁻¹·B_·c'B_·c). */
function traceOfProduct(inverse: Matrix, columns: Matrix): number {
  const size = inverse.rows;
  const squares = createMatrix(size, size);
  addOuterProduct(squares, columns, 1, { transposeA: true });
  let sum = 0;
  for (let k = 0; k < size; k++) {
    sum += inverse.data[k + k * size] * squares.data[k + k * size];
    for (let i = k + 1; i < size; i++) sum += 2 * inverse.data[i + k * size] * squares.data[i + k * size];
  }
  return sum;
}

/** |û − B_·c·effects|² of a trait. */
function squaredEffects(u: Matrix, columns: Matrix, effects: Matrix, trait: number): number {
  const m = u.rows;
  const left = u.data.slice(trait * m, (trait + 1) * m);
  for (let k = 0; k < columns.columns; k++) {
    const effect = effects.data[k + trait * effects.rows];
    for (let j = 0, at = k * m; j < m; j++, at++) left[j] -= columns.data[at] * effect;
  }
  return left.reduce((sum, value) => sum + value * value, 0);
}

function productOfColumns(a: Matrix, b: Matrix, column: number): number {
  let sum = 0;
  for (let i = column * a.rows; i < (column + 1) * a.rows; i++) sum += a.data[i] * b.data[i];
  return sum;
}

function columnsOf(matrix: Matrix, columns: Int32Array): Matrix {
  const { rows } = matrix;
  const chosen = matrixOf(rows, columns.length, new Float64Array(rows * columns.length));
  for (const [k, j] of columns.entries()) chosen.data.set(matrix.data.subarray(j * rows, (j + 1) * rows), k * rows);
  return chosen;
}

function rowsOf(matrix: Matrix, rows: Int32Array): Matrix {
  const chosen = createMatrix(rows.length, matrix.columns);
  for (let t = 0; t < matrix.columns; t++) {
    for (let k = 0; k < rows.length; k++) chosen.data[k + t * rows.length] = matrix.data[rows[k] + t * matrix.rows];
  }
  return chosen;
}
