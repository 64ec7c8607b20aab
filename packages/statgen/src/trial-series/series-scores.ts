import { columnBlock, createMatrix, type Matrix, mirrorLower, transpose } from '@heterosis/linalg/matrix';
import { multiply, multiplyVector } from '@heterosis/linalg/products';
import { addKernelOfRecords, isOnceEach, type SeriesData } from './series-data.ts';
import { type SeriesPoint, weightsOf } from './series-likelihood.ts';
import { SeriesWorkspace } from './series-workspace.ts';

/** P_jj is made in so many panels of columns. */
const PANELS = 8;

/** One number of `SeriesParameters`. */
export type Parameter =
  | { kind: 'loading'; trial: number; factor: number }
  | { kind: 'specific'; trial: number; kernel: number }
  | { kind: 'local'; trial: number; term: number };

/** Every parameter of a series, by trial: loadings, specific variances, local variances. */
export function listParameters({ trials, kernels }: SeriesData, factors: number): Parameter[] {
  return trials.flatMap(({ terms }, trial): Parameter[] => [
    ...Array.from({ length: factors }, (_, factor) => ({ kind: 'loading' as const, trial, factor })),
    ...kernels.map((_, kernel) => ({ kind: 'specific' as const, trial, kernel })),
    ...terms.map((_, term) => ({ kind: 'local' as const, trial, term })),
  ]);
}

export interface SeriesScores {
  /** ∂ℓ/∂θ of each parameter. */
  scores: Float64Array;
  /** ½ yᵀP V_θ P V_θ' P y of each pair: average information (Gilmour, Thompson & Cullis 1995). */
  information: Matrix;
  /** (Py)_j by trial. */
  residuals: readonly Float64Array[];
}

/**
 * Exact scores and the average information of all parameters at one point. Only products of a trial's own order and
 * C times one vector a parameter are needed, since a derivative touches a trial and the factors:
 * V_λ Py = Z w + s with w = e_p ⊗ A_jᵀ(Py)_j and s = A_j f̂_p in trial j, V_σ² Py = s = B_j(Py)_j, and
 * ½ q₁ᵀPq₂ = ½[w₁ᵀKw₂ + s₁ᵀWs₂ − (w₁ − r₁)ᵀC(w₂ − r₂) − XᵀV⁻¹-part], r = Σ λ_j ⊗ A_jᵀW_j s.
 *
 * O(Σ 3N_j³ + (Pn)²·parameters).
 */
export function scoreSeries(
  data: SeriesData,
  point: SeriesPoint,
  parameters: readonly Parameter[],
  workspace: SeriesWorkspace = new SeriesWorkspace(),
): SeriesScores {
  const { lineCount: n, trials, columns } = data;
  const { loadings, kernelOf } = point.parameters;
  const q = columns[trials.length];
  const factorValues = predictFactors(point);
  const scores = new Float64Array(parameters.length);
  /** w − r of each parameter. */
  const directions = createMatrix(kernelOf.length * n, parameters.length);
  /** X_jᵀW_j s. */
  const withFixed = createMatrix(q, parameters.length);
  const information = createMatrix(parameters.length, parameters.length);
  const residuals: Float64Array[] = [];
  for (const [j, { lines, x }] of trials.entries()) {
    const own = [...parameters.entries()].filter(([, { trial }]) => trial === j);
    const once = isOnceEach(lines);
    const matrices = own.map(([, parameter]) => localMatrix(data, parameter, once, workspace));
    const weights = weightsOf(data, point, j, workspace);
    const response = trialResponse(data, point, j, weights);
    residuals.push(response.residual);
    const traces = tracesOf({ data, point, j, weights, workspace }, response.design, matrices);
    const changes = createMatrix(lines.length, own.length);
    for (const [k, [place, parameter]] of own.entries()) {
      const { residual } = response;
      let change: Float64Array;
      if (parameter.kind === 'loading') {
        const values = factorValues.subarray(parameter.factor * n, (parameter.factor + 1) * n);
        change = Float64Array.from(lines, (line) => values[line]);
        scores[place] = dot(residual, change) - traces.ofLoadings[parameter.factor];
        for (let i = 0; i < lines.length; i++) {
          directions.data[place * directions.rows + parameter.factor * n + lines[i]] += residual[i];
        }
      } else {
        const matrix = matrices[k];
        change = matrix === null ? residual : multiplyVector(matrix, residual);
        scores[place] = 0.5 * (dot(residual, change) - traces.ofVariances[k]);
      }
      changes.data.set(change, k * lines.length);
    }
    const smoothed = multiply(weights, changes);
    const among = multiply(changes, smoothed, { transposeA: true });
    const fixedPart = multiply(x, smoothed, { transposeA: true });
    for (const [k, [place]] of own.entries()) {
      for (const [l, [other]] of own.entries()) {
        information.data[place + other * information.rows] += 0.5 * among.data[k + l * own.length];
      }
      for (let c = 0; c < x.columns; c++) {
        withFixed.data[columns[j] + c + place * q] = fixedPart.data[c + k * x.columns];
      }
      for (let p = 0; p < kernelOf.length; p++) {
        const loading = loadings.data[j + p * loadings.rows];
        const offset = place * directions.rows + p * n;
        for (let i = 0; i < lines.length; i++) {
          directions.data[offset + lines[i]] -= loading * smoothed.data[i + k * lines.length];
        }
      }
    }
  }
  addKernelProducts(information, parameters, residuals, data, kernelOf);
  const spread = multiply(point.inverse, directions);
  multiply(directions, spread, { transposeA: true, alpha: -0.5, beta: 1, into: information });
  const fixedSolution = columnsFrom(point.solution, 1);
  // XᵀV⁻¹q: the trial's own part, and what goes through the factors.
  multiply(fixedSolution, directions, { transposeA: true, beta: 1, into: withFixed });
  const explained = multiply(point.fixedCovariance, withFixed);
  multiply(withFixed, explained, { transposeA: true, alpha: -0.5, beta: 1, into: information });
  return { scores, information, residuals };
}

/** f̂ = C Z'W(y − Xb̂), Pn values. */
export function predictFactors({ solution, fixed }: Pick<SeriesPoint, 'solution' | 'fixed'>): Float64Array {
  const values = solution.data.slice(0, solution.rows);
  for (let c = 0; c < fixed.length; c++) {
    const offset = (c + 1) * solution.rows;
    for (let i = 0; i < values.length; i++) values[i] -= fixed[c] * solution.data[offset + i];
  }
  return values;
}

/** (Py)_j and (V⁻¹X)_j, N_j × q, by W_j. */
export function trialResponse(
  { lineCount: n, trials, columns }: SeriesData,
  { parameters: { loadings, kernelOf }, solution, weighted, fixed }: SeriesPoint,
  j: number,
  weights: Matrix,
): { residual: Float64Array; design: Matrix } {
  const { lines, x } = trials[j];
  const rows = lines.length;
  const through = createMatrix(rows, solution.columns);
  for (let p = 0; p < kernelOf.length; p++) {
    const loading = loadings.data[j + p * loadings.rows];
    if (loading === 0) continue;
    for (let c = 0; c < solution.columns; c++) {
      const offset = p * n + c * solution.rows;
      for (let i = 0; i < rows; i++) through.data[i + c * rows] += loading * solution.data[offset + lines[i]];
    }
  }
  const all = multiply(weights, through, { alpha: -1 });
  for (let c = 0; c <= x.columns; c++) {
    const offset = (c === 0 ? 0 : columns[j] + c) * rows;
    for (let i = 0; i < rows; i++) all.data[offset + i] += weighted[j].data[i + c * rows];
  }
  const design = columnsFrom(all, 1);
  const residual = all.data.slice(0, rows);
  for (let c = 0; c < fixed.length; c++) {
    for (let i = 0; i < rows; i++) residual[i] -= fixed[c] * design.data[i + c * rows];
  }
  return { residual, design };
}

/** The derivative of a trial's covariance by a specific or a local variance; null is the identity. */
function localMatrix(
  data: SeriesData,
  parameter: Parameter,
  isOnce: boolean,
  workspace: SeriesWorkspace,
): Matrix | null {
  if (parameter.kind === 'loading') return null;
  const { lines, terms } = data.trials[parameter.trial];
  if (parameter.kind === 'local') return terms[parameter.term].matrix;
  const kernel = data.kernels[parameter.kernel];
  if (kernel.matrix === null && isOnce) return null;
  const matrix = workspace.take(`kernel ${parameter.kernel}`, lines.length, lines.length);
  addKernelOfRecords(matrix, kernel, lines, 1);
  return matrix;
}

/** A trial at a point. */
interface TrialPlace {
  data: SeriesData;
  point: SeriesPoint;
  j: number;
  /** W_j. */
  weights: Matrix;
  workspace: SeriesWorkspace;
}

/** Traces of P_jj and of P with derivatives by loadings. */
interface TrialTraces {
  /** tr(P_jj B) of each matrix; null is the identity. */
  ofVariances: readonly number[];
  /** ½ tr(P ∂V/∂λ_jp) of each factor. */
  ofLoadings: Float64Array;
}

/**
 * With T = Σ_ab λ_ja λ_jb C_ab[lines, lines] and D = (V⁻¹X)_j, P_jj = W − WTW − D(XᵀV⁻¹X)⁻¹Dᵀ. Of P_jj only the lower
 * triangle is made, a panel of columns at a time, and only where a matrix is no identity.
 */
function tracesOf(at: TrialPlace, design: Matrix, matrices: readonly (Matrix | null)[]): TrialTraces {
  const { point, weights: w, workspace } = at;
  const rows = w.rows;
  const scaled = multiply(design, point.fixedCovariance);
  const { together, ofLoadings } = factorTraces(at);
  addFixedTraces(ofLoadings, at, scaled);
  let half: Matrix | null = null;
  if (point.parameters.kernelOf.length > 0) {
    half = multiply(together, w, { into: workspace.take('half', rows, rows) });
  }
  if (matrices.every((matrix) => matrix === null)) {
    const whole = trace(w) - (half === null ? 0 : dot(half.data, w.data)) - dot(scaled.data, design.data);
    return { ofVariances: matrices.map(() => whole), ofLoadings };
  }
  const ofVariances = matrices.map(() => 0);
  const [scaledAcross, designAcross] = [transpose(scaled), transpose(design)];
  const width = Math.ceil(rows / PANELS);
  for (let first = 0; first < rows; first += width) {
    const count = Math.min(width, rows - first);
    const panel = workspace.take('panel', rows - first, count);
    for (let c = 0; c < count; c++) {
      const start = (first + c) * rows;
      panel.data.set(w.data.subarray(start + first, start + rows), c * panel.rows);
    }
    const below = rows - first;
    const subtract = { transposeA: true, alpha: -1, beta: 1, into: panel };
    if (half !== null) multiply(columnBlock(w, first, below), columnBlock(half, first, count), subtract);
    multiply(columnBlock(scaledAcross, first, below), columnBlock(designAcross, first, count), subtract);
    for (const [k, matrix] of matrices.entries()) ofVariances[k] += panelTrace(panel, matrix, first);
  }
  return { ofVariances, ofLoadings };
}

/** What columns `first` and following of a symmetric matrix, given from their diagonal on, add to its trace with B. */
function panelTrace(panel: Matrix, matrix: Matrix | null, first: number): number {
  let sum = 0;
  for (let c = 0; c < panel.columns; c++) {
    const column = c * panel.rows;
    if (matrix === null) {
      sum += panel.data[column + c];
      continue;
    }
    const other = first + (first + c) * matrix.rows;
    let below = 0;
    for (let i = c + 1; i < panel.rows; i++) below += panel.data[column + i] * matrix.data[other + i];
    sum += panel.data[column + c] * matrix.data[other + c] + 2 * below;
  }
  return sum;
}

/** T, both triangles, and Σ_a λ_ja tr(W C_ap[lines, lines]) of each factor p, in one pass over C. */
function factorTraces({ data: { lineCount: n, trials }, point, j, weights: w, workspace }: TrialPlace): {
  together: Matrix;
  ofLoadings: Float64Array;
} {
  const { inverse, parameters } = point;
  const { loadings, kernelOf } = parameters;
  const { lines } = trials[j];
  const rows = lines.length;
  const together = workspace.take('together', rows, rows);
  const factors = kernelOf.length;
  const ofLoadings = new Float64Array(factors);
  const loadingOf = (p: number): number => loadings.data[j + p * loadings.rows];
  for (let p = 0; p < factors; p++) {
    for (let a = 0; a <= p; a++) {
      const factor = loadingOf(a) * loadingOf(p);
      // Both C_ap and C_pa = C_apᵀ, of which a pass down the columns reads the lower triangles.
      let trace = 0;
      for (let l = 0; l < rows; l++) {
        const column = (p * n + lines[l]) * inverse.rows + a * n;
        const mirrored = (a * n + lines[l]) * inverse.rows + p * n;
        const place = l * rows;
        let below = 0;
        for (let i = l; i < rows; i++) {
          const value = inverse.data[column + lines[i]] + inverse.data[mirrored + lines[i]];
          together.data[place + i] += (a === p ? 0.5 : 1) * factor * value;
          below += w.data[place + i] * value;
        }
        const onDiagonal = 2 * w.data[place + l] * inverse.data[column + lines[l]];
        trace += below - 0.5 * onDiagonal;
      }
      ofLoadings[p] += loadingOf(a) * trace;
      if (a !== p) ofLoadings[a] += loadingOf(p) * trace;
    }
  }
  return { together: mirrorLower(together), ofLoadings };
}

/** Takes off what the fixed effects explain. */
function addFixedTraces(
  ofLoadings: Float64Array,
  { data: { lineCount: n, trials }, point: { solution }, j }: TrialPlace,
  scaled: Matrix,
): void {
  const { lines } = trials[j];
  for (let p = 0; p < ofLoadings.length; p++) {
    for (let c = 0; c < scaled.columns; c++) {
      const offset = (c + 1) * solution.rows + p * n;
      const own = c * scaled.rows;
      for (let i = 0; i < lines.length; i++) ofLoadings[p] -= scaled.data[own + i] * solution.data[offset + lines[i]];
    }
  }
}

/** Adds ½ w₁ᵀKw₂ = ½ (Py)_jᵀK[lines_j, lines_l](Py)_l for loadings of the same factor. */
function addKernelProducts(
  information: Matrix,
  parameters: readonly Parameter[],
  residuals: readonly Float64Array[],
  { kernels, trials, lineCount: n }: SeriesData,
  kernelOf: Int32Array,
): void {
  const scattered = createMatrix(n, trials.length);
  for (const [j, { lines }] of trials.entries()) {
    for (let i = 0; i < lines.length; i++) scattered.data[lines[i] + j * n] += residuals[j][i];
  }
  const products = kernels.map(({ matrix }) => {
    const spread = matrix === null ? scattered : multiply(matrix, scattered);
    return multiply(scattered, spread, { transposeA: true });
  });
  const loadings = [...parameters.entries()].flatMap(([place, parameter]) =>
    parameter.kind === 'loading' ? [{ place, ...parameter }] : [],
  );
  for (const a of loadings) {
    for (const b of loadings) {
      if (a.factor !== b.factor) continue;
      const product = products[kernelOf[a.factor]].data[a.trial + b.trial * trials.length];
      information.data[a.place + b.place * information.rows] += 0.5 * product;
    }
  }
}

/** The columns of a matrix from one on; shares memory with it. */
function columnsFrom({ data, rows, columns }: Matrix, first: number): Matrix {
  return { data: data.subarray(first * rows), rows, columns: columns - first };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function trace({ data, rows }: Matrix): number {
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += data[i + i * rows];
  return sum;
}
