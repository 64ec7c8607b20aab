import {
  choleskyInPlace,
  choleskyInverseInPlace,
  choleskyLogDeterminant,
  choleskySolveInPlace,
  solveLowerInPlace,
} from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import type { RemlEvaluation, RemlPoint } from '../mixed-model/maximize-reml.ts';
import {
  type FieldPlaces,
  type FieldPowers,
  LARGEST_CORRELATION,
  lagPowers,
  type SpatialLayout,
} from './field-correlations.ts';
import { type FieldGrid, fieldGrid } from './field-grid.ts';
import { type LineContrasts, lineContrasts } from './line-contrasts.ts';
import { solveSpatial } from './spatial-solution.ts';
import type { TrialEquations, TrialFrame } from './trial-equations.ts';

/** Share of the variance of the values below which the process is taken for rounding. */
const SMALLEST_VARIANCE = 1e-9;

/**
 * Models of separable first-order autoregression over the plots that exist (Cullis & Gleeson 1991; Gilmour, Cullis &
 * Verbyla 1997): V = σ²_g WW′ + σ²_s ρ_r^|Δrow| ρ_c^|Δcolumn| + σ²_u I, dense, O(n³) an iteration. Plots that are
 * missing are rows left out. Fixed lines leave by orthonormal contrasts within lines, so the order is then n − lines.
 */
export function spatialEquations(frame: TrialFrame, places: FieldPlaces, layout: SpatialLayout): TrialEquations {
  const contrasts = lineContrasts(frame.lines);
  const prepared: Prepared = {
    ...{ frame, places, layout, contrasts },
    y: contrasts.reduce(matrixOf(frame.y.length, 1, frame.y)).data,
    fixed: contrasts.reduce(frame.fixed),
    grid: fieldGrid(places, frame.y.length),
    spare: null,
  };
  const lower = new Float64Array(layout.count);
  const upper = new Float64Array(layout.count).fill(Number.POSITIVE_INFINITY);
  lower[layout.spatial] = Math.log(SMALLEST_VARIANCE);
  for (const place of [layout.rows, layout.columns]) {
    if (place < 0) continue;
    lower[place] = -Math.atanh(LARGEST_CORRELATION);
    upper[place] = Math.atanh(LARGEST_CORRELATION);
  }
  const natural = (parameters: Float64Array) => naturalParameters(layout, parameters);
  return {
    lower,
    upper,
    natural,
    evaluate(parameters) {
      const { values, slopes } = natural(parameters);
      const found = evaluate(prepared, values);
      return found && { ...found, derivatives: () => byWorkingScale(found.derivatives(), slopes) };
    },
    solve: (parameters, marginal) => solveSpatial(frame, places, layout, natural(parameters).values, marginal),
  };
}

/** The working scale: ln σ²_s and artanh ρ, in which the ridge towards ρ = 1 is nearly straight. */
function naturalParameters(
  { spatial, rows, columns }: SpatialLayout,
  parameters: Float64Array,
): { values: Float64Array; slopes: Float64Array } {
  const values = parameters.slice();
  const slopes = new Float64Array(parameters.length).fill(1);
  values[spatial] = Math.exp(parameters[spatial]);
  slopes[spatial] = values[spatial];
  for (const place of [rows, columns]) {
    if (place < 0) continue;
    values[place] = Math.tanh(parameters[place]);
    slopes[place] = 1 - values[place] ** 2;
  }
  return { values, slopes };
}

function byWorkingScale(
  { score, information }: Omit<RemlPoint, 'logLikelihood'>,
  slopes: Float64Array,
): Omit<RemlPoint, 'logLikelihood'> {
  const q = slopes.length;
  return {
    score: score.map((value, k) => value * slopes[k]),
    information: information.map((value, at) => value * slopes[at % q] * slopes[Math.floor(at / q)]),
  };
}

interface Prepared {
  frame: TrialFrame;
  places: FieldPlaces;
  layout: SpatialLayout;
  contrasts: LineContrasts;
  /** In the coordinates of the contrasts. */
  y: Float64Array;
  fixed: Matrix;
  grid: FieldGrid;
  /** V of the last evaluation, to be written over. */
  spare: Matrix | null;
}

/** V in the coordinates of the contrasts, its lower triangle, written over the one before. */
function covariance(prepared: Prepared, { rows, columns }: FieldPowers, parameters: Float64Array): Matrix {
  const { places, contrasts, layout } = prepared;
  const m = contrasts.order;
  prepared.spare ??= createMatrix(m, m);
  const result = prepared.spare;
  const spatial = parameters[layout.spatial];
  const along = rows.values.map((value) => spatial * value);
  contrasts.reduceSymmetric(products(places, along, columns.values), result);
  if (layout.units >= 0) for (let j = 0; j < m; j++) result.data[j + j * m] += parameters[layout.units];
  const lineVariance = layout.lines < 0 ? 0 : parameters[layout.lines];
  if (lineVariance === 0) return result;
  for (const members of contrasts.membersOfLines) {
    for (const j of members) for (const i of members) if (i >= j) result.data[i + j * m] += lineVariance;
  }
  return result;
}

/** Writes column j of the matrix a[|Δrow|]·b[|Δcolumn|] into `into`, from row `from` on. */
function products({ rows, columns }: FieldPlaces, a: Float64Array, b: Float64Array) {
  return (j: number, into: Float64Array, from: number): void => {
    if (rows === null) {
      if (columns === null) into.fill(a[0] * b[0]);
      else for (let i = from; i < into.length; i++) into[i] = a[0] * b[Math.abs(columns[i] - columns[j])];
    } else if (columns === null) {
      for (let i = from; i < into.length; i++) into[i] = a[Math.abs(rows[i] - rows[j])] * b[0];
    } else {
      const row = rows[j];
      const column = columns[j];
      for (let i = from; i < into.length; i++) into[i] = a[Math.abs(rows[i] - row)] * b[Math.abs(columns[i] - column)];
    }
  };
}

/** Everything of an evaluation that its derivatives need. */
interface Factored {
  prepared: Prepared;
  parameters: Float64Array;
  powers: FieldPowers;
  /** The Cholesky factor of V. */
  factor: Matrix;
  /** V⁻¹X, and the Cholesky factor of X′V⁻¹X. */
  weighted: Matrix;
  information: Matrix;
}

function evaluate(prepared: Prepared, parameters: Float64Array): RemlEvaluation | null {
  const { contrasts, y, fixed } = prepared;
  const m = contrasts.order;
  const f = fixed.columns;
  const powers = lagPowers(prepared.places, prepared.layout, parameters);
  const factor = covariance(prepared, powers, parameters);
  if (!factored(factor)) return null;
  const weighted = createMatrix(m, f);
  weighted.data.set(fixed.data);
  const solved = matrixOf(m, 1, y.slice());
  choleskySolveInPlace({ lower: factor }, weighted);
  choleskySolveInPlace({ lower: factor }, solved);
  const information = multiply(fixed, weighted, { transposeA: true });
  if (!factored(information)) return null;
  const effects = multiply(weighted, matrixOf(m, 1, y), { transposeA: true });
  solveLowerInPlace(information, effects);
  const quadratic = dot(y, solved.data) - dot(effects.data, effects.data);
  const logDeterminants =
    choleskyLogDeterminant({ lower: factor }) +
    contrasts.logDeterminant +
    choleskyLogDeterminant({ lower: information });
  const logLikelihood = -0.5 * ((m - f) * Math.log(2 * Math.PI) + logDeterminants + quadratic);
  if (!Number.isFinite(logLikelihood)) return null;
  const at = { prepared, parameters, powers, factor, weighted, information };
  return { logLikelihood, derivatives: () => derivativesAt(at) };
}

function derivativesAt({
  prepared,
  parameters,
  powers,
  factor,
  weighted,
  information,
}: Factored): Omit<RemlPoint, 'logLikelihood'> {
  const { layout, contrasts, grid, y, fixed } = prepared;
  const m = contrasts.order;
  const inverse = choleskyInverseInPlace({ lower: factor });
  const inverseInformation = choleskyInverseInPlace({ lower: information });
  /** P·B for B m × k. */
  const project = (b: Matrix): Matrix => {
    const result = multiply(inverse, b);
    if (fixed.columns === 0) return result;
    const along = multiply(inverseInformation, multiply(weighted, b, { transposeA: true }));
    return multiply(weighted, along, { alpha: -1, beta: 1, into: result });
  };
  /** tr(PA) = tr(V⁻¹A) − tr((X′V⁻¹X)⁻¹ X′V⁻¹AV⁻¹X), the latter from AV⁻¹X. */
  const traceOf = (whole: number, image: Matrix): number =>
    fixed.columns === 0
      ? whole
      : whole - dot(inverseInformation.data, multiply(weighted, image, { transposeA: true }).data);
  const py = project(matrixOf(m, 1, y)).data;
  const directions = createMatrix(m, layout.count);
  const score = new Float64Array(layout.count);
  const derive = (place: number, trace: number, direction: Float64Array) => {
    directions.data.set(direction, place * m);
    score[place] = -0.5 * (trace - dot(py, direction));
  };
  const { rows, columns } = powers;
  const spatial = parameters[layout.spatial];
  /** ∂V = scale·a[|Δrow|]·b[|Δcolumn|] of the process and its correlations. */
  const ofProcess = [
    { place: layout.spatial, a: rows.values, b: columns.values, scale: 1 },
    { place: layout.rows, a: rows.slopes, b: columns.values, scale: spatial },
    { place: layout.columns, a: rows.values, b: columns.slopes, scale: spatial },
  ].filter(({ place }) => place >= 0);
  const traces = new Float64Array(ofProcess.length);
  const factors = ofProcess.map(({ a, b }) => [a, b] as const);
  contrasts.expandSymmetric(inverse, (j, column) => grid.addTraces(traces, j, column, factors));
  const seen = createMatrix(m, fixed.columns + 1);
  seen.data.set(weighted.data);
  seen.data.set(py, fixed.columns * m);
  const images = contrasts.expand(seen);
  for (const [k, { place, a, b, scale }] of ofProcess.entries()) {
    const image = contrasts.reduce(grid.multiply(a, b, images));
    const trace = traceOf(traces[k], matrixOf(m, fixed.columns, image.data));
    const direction = image.data.subarray(fixed.columns * m).map((value) => scale * value);
    derive(place, scale * trace, direction);
  }
  if (layout.units >= 0) {
    let trace = 0;
    for (let i = 0; i < m; i++) trace += inverse.data[i + i * m];
    derive(layout.units, traceOf(trace, weighted), py);
  }
  if (layout.lines >= 0) {
    let trace = 0;
    for (const members of contrasts.membersOfLines) {
      for (const j of members) for (const i of members) trace += inverse.data[i + j * m];
    }
    const sameLine = (b: Matrix) => sumsOfLines(contrasts.membersOfLines, b);
    derive(layout.lines, traceOf(trace, sameLine(weighted)), sameLine(matrixOf(m, 1, py)).data);
  }
  const average = multiply(directions, project(directions), { transposeA: true, alpha: 0.5 });
  return { score, information: average.data };
}

/** WW′·B: each value becomes the sum over the plots of its line. */
function sumsOfLines(membersOfLines: readonly number[][], b: Matrix): Matrix {
  const result = createMatrix(b.rows, b.columns);
  for (let k = 0; k < b.columns; k++) {
    const from = k * b.rows;
    for (const members of membersOfLines) {
      let sum = 0;
      for (const i of members) sum += b.data[from + i];
      for (const i of members) result.data[from + i] = sum;
    }
  }
  return result;
}

function factored(matrix: Matrix): boolean {
  try {
    choleskyInPlace(matrix);
    return true;
  } catch (error) {
    if (error instanceof LinalgError && error.code === 'not-positive-definite') return false;
    throw error;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
