import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import type { FieldPlaces } from './field-correlations.ts';
import { defaultSegments, psanovaTerms, splineAxis } from './p-splines.ts';
import { factorOf, indicators, type PlotFactor, samePartition, type TrialPlots } from './trial-plots.ts';

export const TRIAL_MODELS = ['blocks', 'rowcol', 'psanova', 'ar1', 'ar1-units'] as const;
export type TrialModel = (typeof TRIAL_MODELS)[number];

/** Segments of the splines along rows and columns; default: half of the distinct coordinates, at least two. */
export interface SplineSegments {
  rows?: number;
  columns?: number;
}

/** What a model adds to the lines, for the plots used. */
export interface ModelTerms {
  /** Names and columns; `marginal` is what the mean of a line counts of each, `scale` by what it was divided. */
  fixed: { name: string; columns: Matrix; marginal: number; scale: number }[];
  /** Random terms with independent coefficients. */
  random: { name: string; columns: Matrix }[];
  /** Null but for models of autoregression. */
  spatial: { places: FieldPlaces; units: boolean } | null;
  /** What was taken, and what was left out of the terms with its reason. */
  notes: string[];
}

/** Distinct rows or columns below which a choice among models does not consider surfaces and autoregression. */
const FEWEST_PLACES = 5;
/** Plots above which dense covariances would take minutes and gigabytes. */
const MOST_DENSE_PLOTS = 4000;

/**
 * Why a model does not apply to some plots; null when it does.
 *
 * @param chosen true when a person asks for this model: then small fields are allowed
 */
export function whyNot(model: TrialModel, plots: TrialPlots, used: Int32Array, chosen: boolean): string | null {
  if (model === 'blocks') return null;
  if (model === 'rowcol') return plots.grid.length === 0 ? 'the plots have no rows and columns' : null;
  if (plots.places === null)
    return plots.grid.length === 0
      ? 'the plots have no rows and columns'
      : 'rows and columns begin anew in every replicate, so the plots have no common field';
  const { rows, columns } = distinctPlaces(plots, used);
  if (model === 'psanova') {
    if (Math.min(rows, columns) < 2) return 'a surface needs at least two rows and two columns';
    if (!chosen && Math.min(rows, columns) < FEWEST_PLACES)
      return `the field has ${rows} rows and ${columns} columns; surfaces are considered from ${FEWEST_PLACES} on`;
    return null;
  }
  if (Math.max(rows, columns) < 3) return 'autoregression needs at least three rows or columns';
  if (!chosen && Math.max(rows, columns) < FEWEST_PLACES)
    return `the field has ${rows} rows and ${columns} columns; autoregression is considered from ${FEWEST_PLACES} on`;
  const isWhole = (values: Float64Array) => used.every((plot) => Number.isInteger(values[plot]));
  if (!isWhole(plots.places.rows) || !isWhole(plots.places.columns))
    return 'autoregression needs rows and columns that are whole numbers';
  if (used.length > MOST_DENSE_PLOTS)
    return `the trial has ${used.length} plots; autoregression is computed up to ${MOST_DENSE_PLOTS}`;
  return null;
}

function distinctPlaces({ places }: TrialPlots, used: Int32Array): { rows: number; columns: number } {
  const count = (values: Float64Array | undefined) => new Set(Array.from(used, (plot) => values?.[plot])).size;
  return { rows: count(places?.rows), columns: count(places?.columns) };
}

/** The terms of a model that applies, see {@link whyNot}. */
export function modelTerms(
  model: TrialModel,
  plots: TrialPlots,
  used: Int32Array,
  segments: SplineSegments = {},
): ModelTerms {
  const terms: ModelTerms = {
    fixed: plots.covariates.map((covariate) => covariateTerm(covariate, used)),
    random: [],
    spatial: null,
    notes: [],
  };
  if (model === 'blocks' || model === 'rowcol') addBlocks(terms, plots, used, model === 'rowcol');
  if (model === 'psanova') addSurface(terms, plots, used, segments);
  if (model === 'ar1' || model === 'ar1-units') {
    const { rows, columns } = plots.places ?? { rows: [], columns: [] };
    const along = (values: ArrayLike<number>) => {
      const places = Int32Array.from(used, (plot) => values[plot]);
      return places.every((place) => place === places[0]) ? null : places;
    };
    terms.spatial = { places: { rows: along(rows), columns: along(columns) }, units: model === 'ar1-units' };
  }
  return terms;
}

/** Centred, and divided by its largest deviation: equations of a covariate in its own unit may be badly conditioned. */
function covariateTerm(
  { name, values }: { name: string; values: Float64Array },
  used: Int32Array,
): ModelTerms['fixed'][number] {
  const columns = createMatrix(used.length, 1);
  let mean = 0;
  for (const plot of used) mean += values[plot] / used.length;
  let scale = 0;
  for (const plot of used) scale = Math.max(scale, Math.abs(values[plot] - mean));
  if (scale === 0) scale = 1;
  used.forEach((plot, i) => {
    columns.data[i] = (values[plot] - mean) / scale;
  });
  return { name, columns, marginal: 0, scale };
}

function addBlocks(terms: ModelTerms, plots: TrialPlots, used: Int32Array, withGrid: boolean): void {
  const fixed = plots.fixed.map((factor) => factorOf(factor, used));
  for (const factor of fixed) {
    if (factor.levels < 2) terms.notes.push(`${factor.name} are left out: all plots have the same one`);
    else terms.fixed.push({ name: factor.name, columns: indicators(factor, 1), marginal: 1 / factor.levels, scale: 1 });
  }
  const taken: PlotFactor[] = [];
  for (const original of withGrid ? [...plots.random, ...plots.grid] : plots.random) {
    const factor = factorOf(original, used);
    const reason = whyNoVariance(factor, fixed, taken, used.length);
    if (reason === null) {
      taken.push(factor);
      terms.random.push({ name: factor.name, columns: indicators(factor, 0) });
    } else if (taken.every(({ name }) => name !== factor.name))
      terms.notes.push(`${factor.name} are left out: ${reason}`);
  }
}

/** Why the levels of a factor have no variance of their own; null when they have. */
function whyNoVariance(
  factor: PlotFactor,
  fixed: readonly PlotFactor[],
  taken: readonly PlotFactor[],
  plots: number,
): string | null {
  if (factor.levels < 2) return 'all plots have the same one';
  if (factor.levels === plots) return 'each plot has its own, which cannot be told from the residual';
  const fixedTwin = fixed.find((other) => samePartition(factor, other));
  if (fixedTwin !== undefined) return `they are the ${fixedTwin.name}, which are fixed`;
  const twin = taken.find((other) => samePartition(factor, other));
  return twin === undefined ? null : `they are the ${twin.name}`;
}

function addSurface(terms: ModelTerms, plots: TrialPlots, used: Int32Array, segments: SplineSegments): void {
  if (plots.places === null) throw new TypeError('a surface needs places');
  const axis = (all: Float64Array, count: number) =>
    splineAxis(
      Float64Array.from(used, (plot) => all[plot]),
      all,
      count,
    );
  const { rows, columns } = plots.places;
  const [rowSegments, columnSegments] = [
    segments.rows ?? defaultSegments(rows),
    segments.columns ?? defaultSegments(columns),
  ];
  const { trends, terms: surface } = psanovaTerms(axis(rows, rowSegments), axis(columns, columnSegments));
  terms.fixed.push({ name: 'trends', columns: trends, marginal: 0, scale: 1 });
  terms.random.push(...surface);
  for (const original of plots.grid) {
    const factor = factorOf(original, used);
    if (factor.levels > 1) terms.random.push({ name: factor.name, columns: indicators(factor, 0) });
  }
  terms.notes.push(`splines of ${rowSegments} segments along rows and ${columnSegments} along columns`);
}
