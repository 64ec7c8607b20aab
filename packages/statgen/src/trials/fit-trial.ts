import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { maximizeFromStarts, type RemlMaximum } from '../mixed-model/maximize-reml.ts';
import { StatgenError } from '../statgen-error.ts';
import { spatialLayout } from './field-correlations.ts';
import { independentColumns, isExplained } from './independent-columns.ts';
import { inverseInformation } from './inverse-information.ts';
import { mixedEquations } from './mixed-equations.ts';
import { spatialEquations } from './spatial-equations.ts';
import { mixedStarts, spatialStarts } from './starting-points.ts';
import type { TrialEquations, TrialFrame, TrialSolution } from './trial-equations.ts';
import type { TrialMeans } from './trial-means.ts';
import { type ModelTerms, modelTerms, type SplineSegments, type TrialModel } from './trial-models.ts';
import { type TrialPlots, usedPlots } from './trial-plots.ts';

/** An estimate with the standard error of the average information. */
export interface Estimate {
  value: number;
  /** Null at a bound. */
  se: number | null;
  atBound: boolean;
}

/** BLUPs of random lines. */
export interface TrialBlups {
  lines: string[];
  values: Float64Array;
  /** Roots of the prediction error variances. */
  errors: Float64Array;
  /** Covariance of the prediction errors, all lines × all lines; it is made when it is asked for. */
  errorCovariance: () => Float64Array;
  /** Mean variance of a difference of two; null below two lines. */
  meanDifferenceVariance: number | null;
}

/** One model, fitted with the lines fixed or random. */
export interface TrialFit {
  model: TrialModel;
  lines: 'fixed' | 'random';
  /** Restricted, with all constants: −½[(n − p) ln 2π + ln|V| + ln|X′V⁻¹X| + y′Py]. */
  logLikelihood: number;
  /** Rank of the fixed effects, lines included. */
  fixedEffects: number;
  /** Variance parameters that are not at a bound. */
  varianceParameters: number;
  criterion: { aic: number; bic: number };
  variances: Record<string, Estimate>;
  correlations: { row: Estimate | null; column: Estimate | null } | null;
  effectiveDimensions: Record<string, number>;
  /** Fixed lines. */
  means: TrialMeans | null;
  /** Random lines. */
  blups: TrialBlups | null;
  /** Places of the plots used, and for each of them: */
  used: Int32Array;
  fitted: Float64Array;
  trend: Float64Array;
  residual: Float64Array;
  /** Py and the diagonal of P, in the unit of the trait to the powers −1 and −2. */
  py: Float64Array;
  projectionDiagonal: Float64Array;
  /** (Py)_i/√P_ii, NaN where a plot has no residual of its own. */
  studentized: Float64Array;
  converged: boolean;
  notes: string[];
}

/**
 * Fits one model that applies to the plots by REML.
 *
 * @throws StatgenError `constant-trait`, `too-few-individuals` (details `lines` or `plots`), `collinear-fixed-effects`
 */
export function fitTrial(plots: TrialPlots, choice: ModelChoice): TrialFit {
  const { left, ...found } = maximize(plots, choice);
  const solution = found.equations.problem.solve(found.best.parameters, found.prepared.marginal);
  const fit = assemble({ ...found, solution });
  for (const name of left) {
    fit.variances[name] = { value: 0, se: null, atBound: true };
    fit.effectiveDimensions[name] = 0;
    const reason = choice.lines === 'fixed' ? 'the lines' : 'the fixed effects';
    fit.notes.push(`${name} cannot be told from ${reason}: left out`);
  }
  return fit;
}

interface ModelChoice {
  model: TrialModel;
  lines: 'fixed' | 'random';
  segments?: SplineSegments;
}

/** The log-likelihood of {@link fitTrial} without what follows from the estimates. */
export function trialLogLikelihood(plots: TrialPlots, choice: ModelChoice): number {
  const { prepared, best } = maximize(plots, choice);
  return logLikelihoodOf(prepared, best);
}

/** `left` names the random terms that the fixed effects explain. */
function maximize(
  plots: TrialPlots,
  { model, lines, segments }: ModelChoice,
): Omit<Parts, 'solution'> & { left: string[] } {
  const used = usedPlots(plots);
  const all = modelTerms(model, plots, used, segments);
  const { explained, ...prepared } = prepare(plots, used, all, lines === 'random');
  const terms: ModelTerms = { ...all, random: all.random.filter((_, k) => !explained.includes(k)) };
  const { frame, columns } = prepared;
  const equations = equationsOf(frame, terms, columns);
  const best = maximizeFromStarts(equations.problem, equations.starts);
  if (best === null) throw new StatgenError('not-finite', 'the likelihood of the model does not exist');
  const left = explained.map((k) => all.random[k].name);
  return { plots, used, terms, model, prepared, equations, best, left };
}

const rankOf = ({ fixed, lines }: TrialFrame): number => fixed.columns + (lines.random ? 0 : lines.count);

/** In the unit of the trait, for columns as they are. */
const logLikelihoodOf = ({ frame, scale, logScale }: Prepared, { point }: RemlMaximum): number =>
  point.logLikelihood - (frame.y.length - rankOf(frame)) * Math.log(scale) - logScale;

interface Prepared {
  frame: TrialFrame;
  /** Random terms with columns of mean square 1, and the factor of their variances. */
  columns: { name: string; columns: Matrix; factor: number }[];
  marginal: Float64Array;
  center: number;
  scale: number;
  /** What the likelihood of scaled columns lacks. */
  logScale: number;
  /** Names of the lines of the frame. */
  lines: string[];
}

/** Also which of the random terms the lines and the fixed effects explain. */
function prepare(
  plots: TrialPlots,
  used: Int32Array,
  terms: ModelTerms,
  random: boolean,
): Prepared & { explained: number[] } {
  const n = used.length;
  const { center, scale } = spread(plots, used);
  const y = Float64Array.from(used, (plot) => (plots.values[plot] - center) / scale);
  const isFixed = (line: number) => random && plots.checks?.[line] === 1;
  const order = new Map<number, number>();
  const codes = Int32Array.from(used, (plot) => {
    const line = plots.line[plot];
    if (isFixed(line)) return -1;
    if (!order.has(line)) order.set(line, order.size);
    return order.get(line) ?? -1;
  });
  if (order.size < 2)
    throw new StatgenError('too-few-individuals', `the trial has ${order.size} lines to compare`, {
      lines: order.size,
    });
  const fixed = [...terms.fixed];
  if (random)
    fixed.unshift(
      { name: 'intercept', columns: ones(n), marginal: 1, scale: 1 },
      ...checkColumns(plots, used, isFixed),
    );
  const parts: Matrix = joined(
    n,
    fixed.map(({ columns }) => columns),
  );
  const lines = { codes, count: order.size, random };
  if (n - parts.columns - (random ? 0 : order.size) < 1)
    throw new StatgenError('too-few-individuals', 'no plot is left to estimate the error from: no line is repeated', {
      plots: n,
    });
  const dependent = independentColumns(parts, lines);
  if (dependent !== null) {
    const name = fixed[partOf(fixed, dependent)].name;
    throw new StatgenError(
      'collinear-fixed-effects',
      `${name} cannot be told from the lines and the other fixed effects`,
      { column: dependent, name },
    );
  }
  // The likelihood does not depend on their variances, and a search for them would end anywhere.
  const explained = [...terms.random.keys()].filter((k) => isExplained(terms.random[k].columns, parts, lines));
  return {
    explained,
    frame: { y, fixed: parts, lines },
    columns: terms.random.flatMap(({ name, columns }, k) => (explained.includes(k) ? [] : [normalized(name, columns)])),
    marginal: Float64Array.from(
      fixed.flatMap(({ columns, marginal }) => Array<number>(columns.columns).fill(marginal)),
    ),
    center,
    scale,
    logScale: fixed.reduce((sum, part) => sum + part.columns.columns * Math.log(part.scale), 0),
    lines: [...order.keys()].map((line) => plots.lines[line]),
  };
}

function spread({ values }: TrialPlots, used: Int32Array): { center: number; scale: number } {
  let center = 0;
  for (const plot of used) center += values[plot] / used.length;
  let squares = 0;
  for (const plot of used) squares += (values[plot] - center) ** 2;
  const scale = Math.sqrt(squares / Math.max(1, used.length - 1));
  if (!(scale > 1e-12 * Math.abs(center)))
    throw new StatgenError('constant-trait', 'the trait does not vary between the plots', { value: center });
  return { center, scale };
}

const ones = (n: number): Matrix => ({ rows: n, columns: 1, data: new Float64Array(n).fill(1) });

/** A column for each check, see `TrialPlots.checks`. */
function checkColumns(plots: TrialPlots, used: Int32Array, isFixed: (line: number) => boolean): ModelTerms['fixed'] {
  const checks = [...plots.lines.keys()].filter(
    (line) => isFixed(line) && used.some((plot) => plots.line[plot] === line),
  );
  return checks.map((line) => ({
    name: plots.lines[line],
    columns: {
      rows: used.length,
      columns: 1,
      data: Float64Array.from(used, (plot) => Number(plots.line[plot] === line)),
    },
    marginal: 0,
    scale: 1,
  }));
}

function joined(n: number, parts: readonly Matrix[]): Matrix {
  const result = createMatrix(
    n,
    parts.reduce((sum, { columns }) => sum + columns, 0),
  );
  let at = 0;
  for (const { data, columns } of parts) {
    result.data.set(data, at);
    at += columns * n;
  }
  return result;
}

function partOf(fixed: ModelTerms['fixed'], column: number): number {
  let end = 0;
  return fixed.findIndex(({ columns }) => (end += columns.columns) > column);
}

/** Columns whose variance is that of a plot: mean diagonal of ZZ′ = 1. */
function normalized(name: string, columns: Matrix): Prepared['columns'][number] {
  const square = columns.data.reduce((sum, value) => sum + value * value, 0) / columns.rows;
  const root = Math.sqrt(square);
  return { name, columns: { ...columns, data: columns.data.map((value) => value / root) }, factor: 1 / square };
}

interface Equations {
  problem: TrialEquations;
  starts: Float64Array[];
  /** Names of the parameters: variances, and `row` or `column` for correlations. */
  names: string[];
  /** What a variance is multiplied by, in units of the variance of the values. */
  factors: number[];
}

function equationsOf(frame: TrialFrame, terms: ModelTerms, columns: Prepared['columns']): Equations {
  const { random } = frame.lines;
  const lineName = random ? ['lines'] : [];
  if (terms.spatial === null) {
    const problem = mixedEquations(
      frame,
      columns.map((term) => term.columns),
    );
    const coefficients = columns.reduce((sum, term) => sum + term.columns.columns, 0);
    const isSmooth = columns.map(({ name }) => name.startsWith('spline'));
    const names = [...lineName, ...columns.map(({ name }) => name), 'residual'];
    const factors = [...lineName.map(() => 1), ...columns.map(({ factor }) => factor), 1];
    return { problem, names, factors, starts: mixedStarts({ isSmooth, random, coefficients }) };
  }
  const { places, units } = terms.spatial;
  const layout = spatialLayout({ random, places, units });
  const problem = spatialEquations(frame, places, layout);
  const names = Array.from({ length: layout.count }, () => '');
  if (random) names[layout.lines] = 'lines';
  names[layout.spatial] = 'residual';
  if (units) names[layout.units] = 'units';
  if (layout.rows >= 0) names[layout.rows] = ROW;
  if (layout.columns >= 0) names[layout.columns] = COLUMN;
  const starts = spatialStarts(frame, places, layout, (part, placesOfPart) =>
    spatialEquations(part, placesOfPart, layout),
  );
  return { problem, names, factors: names.map(() => 1), starts };
}

const ROW = 'correlation of rows';
const COLUMN = 'correlation of columns';

interface Parts {
  plots: TrialPlots;
  used: Int32Array;
  terms: ModelTerms;
  model: TrialModel;
  prepared: Prepared;
  equations: Equations;
  best: RemlMaximum;
  solution: TrialSolution;
}

function assemble({ plots, used, terms, model, prepared, equations, best, solution }: Parts): TrialFit {
  const { frame, scale, center, lines } = prepared;
  const n = used.length;
  const rank = rankOf(frame);
  const variances: TrialFit['variances'] = {};
  const found: Record<string, Estimate> = {};
  const effectiveDimensions: Record<string, number> = {};
  const errors = inverseInformation(best);
  const { values, slopes } = equations.problem.natural(best.parameters);
  equations.names.forEach((name, k) => {
    const isCorrelation = name === ROW || name === COLUMN;
    const unit = isCorrelation ? 1 : scale ** 2 * equations.factors[k];
    const estimate: Estimate = {
      value: values[k] * unit,
      se: best.atBound[k] === 1 ? null : errors[k] * slopes[k] * unit,
      atBound: best.atBound[k] === 1,
    };
    if (isCorrelation) found[name] = estimate;
    else {
      variances[name] = estimate;
      effectiveDimensions[name] = solution.effectiveDimensions[k];
    }
  });
  const varianceParameters = best.atBound.reduce((count, isAtBound) => count + 1 - isAtBound, 0);
  const full = -0.5 * (n * Math.log(2 * Math.PI) + solution.logDeterminant + solution.quadratic) - n * Math.log(scale);
  const parameters = rank + varianceParameters;
  const plotsOfFit = valuesOfPlots(plots, used, prepared, terms, solution);
  return {
    ...{
      model,
      lines: frame.lines.random ? 'random' : 'fixed',
      variances,
      effectiveDimensions,
      varianceParameters,
      used,
    },
    logLikelihood: logLikelihoodOf(prepared, best),
    fixedEffects: rank,
    criterion: { aic: -2 * full + 2 * parameters, bic: -2 * full + Math.log(n) * parameters },
    correlations: terms.spatial === null ? null : { row: found[ROW] ?? null, column: found[COLUMN] ?? null },
    means: meansOf(),
    blups: blupsOf(),
    ...plotsOfFit,
    converged: best.converged,
    notes: [...terms.notes, ...boundNotes(found)],
  };

  function meansOf(): TrialMeans | null {
    const { lineMeans } = solution;
    if (lineMeans === null) return null;
    return {
      lines,
      means: lineMeans.values.map((value) => center + scale * value),
      covariance: lineMeans.covariance.map((value) => value * scale ** 2),
      replicates: replicatesOf(frame),
    };
  }

  function blupsOf(): TrialBlups | null {
    const { lineEffects } = solution;
    if (lineEffects === null) return null;
    const m = lines.length;
    const trace = lineEffects.errorVariances.reduce((sum, value) => sum + value, 0);
    return {
      lines,
      values: lineEffects.values.map((value) => scale * value),
      errors: lineEffects.errorVariances.map((value) => scale * Math.sqrt(Math.max(0, value))),
      errorCovariance: () => lineEffects.errorCovariance().data.map((value) => scale ** 2 * value),
      meanDifferenceVariance: m < 2 ? null : (scale ** 2 * 2 * (trace - lineEffects.errorSum / m)) / (m - 1),
    };
  }
}

function replicatesOf({ lines }: TrialFrame): Int32Array {
  const counts = new Int32Array(lines.count);
  for (const code of lines.codes) if (code >= 0) counts[code]++;
  return counts;
}

function boundNotes(found: Record<string, Estimate>): string[] {
  const rowsOrColumns: Record<string, string> = { [ROW]: 'columns', [COLUMN]: 'rows' };
  return Object.entries(found)
    .filter(([, { atBound, value }]) => atBound && value > 0)
    .map(([name]) => `the ${name} is at its bound: neighbours are one; consider random ${rowsOrColumns[name]}`);
}

/** Share of the mean of P_ii below which a plot has no residual of its own. */
const NO_RESIDUAL = 1e-9;

function valuesOfPlots(
  plots: TrialPlots,
  used: Int32Array,
  { frame, scale }: Prepared,
  terms: ModelTerms,
  solution: TrialSolution,
): Pick<TrialFit, 'fitted' | 'trend' | 'residual' | 'py' | 'projectionDiagonal' | 'studentized'> {
  const n = used.length;
  const { py, projectionDiagonal, trend, fixedEffects } = solution;
  const mean = projectionDiagonal.reduce((sum, value) => sum + value / n, 0);
  const studentized = py.map((value, i) =>
    projectionDiagonal[i] > NO_RESIDUAL * mean ? value / Math.sqrt(projectionDiagonal[i]) : Number.NaN,
  );
  const residual = solution.residual.map((value) => scale * value);
  const fixedTrend = new Float64Array(n);
  const first = terms.fixed.findIndex(({ name }) => name === 'trends');
  if (first >= 0) {
    const from = frame.fixed.columns - terms.fixed.slice(first).reduce((sum, { columns }) => sum + columns.columns, 0);
    for (let k = 0; k < terms.fixed[first].columns.columns; k++) {
      for (let i = 0; i < n; i++) fixedTrend[i] += frame.fixed.data[i + (from + k) * n] * fixedEffects[from + k];
    }
  }
  return {
    residual,
    studentized,
    py: py.map((value) => value / scale),
    projectionDiagonal: projectionDiagonal.map((value) => value / scale ** 2),
    trend: trend.map((value, i) => scale * (value + fixedTrend[i])),
    fitted: residual.map((value, i) => plots.values[used[i]] - value),
  };
}
