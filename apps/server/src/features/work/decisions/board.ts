import type { DecisionSettings } from '@heterosis/contracts/work/decisions';
import { amongBestTogether, type SharedProbabilities } from '@heterosis/statgen/decisions/among-best-together';
import { beatsInEveryTrait, beatsOnIndex, type PredictedPair } from '@heterosis/statgen/decisions/beats-check';
import { indexErrors } from '@heterosis/statgen/decisions/index-errors';
import { traitErrorCorrelation } from '@heterosis/statgen/decisions/trait-errors';
import { createMatrix, type Matrix } from '@heterosis/statgen/linear-algebra';
import { expectedGains, indexWeights, informationOf } from '@heterosis/statgen/mating/selection-index';
import { indexShares, standardizedWeight } from '@heterosis/statgen/mating/standardized-weights';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { trianglePlace } from '../line-values/index.ts';

/** A column of the index, by line. */
export interface BoardColumn {
  trait: string;
  isHigherBetter: boolean;
  runId: string;
  /** Trait → genetic covariance with it, of a model that predicted the traits together; null for others. */
  genetic: Readonly<Record<string, number>> | null;
  /** Importance of the trait in the project, ≥ 0. */
  importance: number;
  values: readonly (number | null)[];
  ses: readonly (number | null)[];
  reliabilities: readonly (number | null)[];
  /** Covariance of the errors of two lines, as `trianglePlace` has them; NaN and null: unknown, counted as 0. */
  errors: Float32Array | null;
}

export interface BoardTask {
  columns: readonly BoardColumn[];
  settings: DecisionSettings;
  /** Place of the check among the lines; −1: none. */
  check: number;
  seed: number;
}

export interface Board {
  /** By column of the task. */
  weights: number[];
  gains: number[];
  index: (number | null)[];
  beatsCheck: (number | null)[];
  beatsEvery: (number | null)[];
  beatsEveryError: number;
  amongBest: (number | null)[];
  amongBestError: number;
  /** Why there are no weights; null where there are. */
  refused: string | null;
}

const NOTHING = {
  weights: [],
  gains: [],
  index: [],
  beatsCheck: [],
  beatsEvery: [],
  beatsEveryError: 0,
  amongBest: [],
  amongBestError: 0,
};

/**
 * Index and probabilities of the lines. The index is the weighted sum of the deviations from the means of the
 * candidates; a line without a value in a trait has its mean there, as in predictions and plans, and no probability.
 */
export function computeBoard({ columns, settings, check, seed }: BoardTask): Board {
  const traits = columns.length;
  const n = columns[0]?.values.length ?? 0;
  const means = columns.map(({ values }) => meanOf(values));
  const predicted = new Float64Array(n * traits);
  for (let i = 0; i < n; i++)
    for (let t = 0; t < traits; t++) predicted[i * traits + t] = columns[t]?.values[i] ?? means[t] ?? 0;
  const genetic = geneticCovariances(columns);
  const accuracies = genetic === null ? Float64Array.from(columns, accuracyOf) : null;
  const information = informationOf(predicted, traits, accuracies);
  let weights: Float64Array;
  try {
    weights = indexWeights(information, {
      method: settings.index_method,
      weights: wishOf(columns, settings),
      isKept: Uint8Array.from(columns, ({ trait }) => Number(settings.kept_traits.includes(trait))),
    });
  } catch (error) {
    if (!(error instanceof StatgenError)) throw error;
    return { ...NOTHING, refused: error.message };
  }
  const has = Array.from({ length: n }, (_, i) => columns.some(({ values }) => values[i] != null));
  const index = Float64Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let t = 0; t < traits; t++) sum += (weights[t] ?? 0) * ((predicted[i * traits + t] ?? 0) - (means[t] ?? 0));
    return sum;
  });
  const correlation =
    settings.error_correlation === 'none' ? undefined : errorCorrelation(columns, information.covariance, genetic);
  const pevs = Array.from({ length: n }, (_, i) =>
    Float64Array.from(columns, ({ ses }) => (ses[i] ?? Number.NaN) ** 2),
  );
  const sharedBy = (i: number, j: number) => Float64Array.from(columns, (column) => sharedError(column, i, j));
  const valuesOf = (i: number) => Float64Array.from(columns, ({ values }) => values[i] ?? Number.NaN);
  const pairOf = (i: number, j: number): PredictedPair => ({
    ...{ line: valuesOf(i), check: valuesOf(j), errorCorrelation: correlation },
    ...{ linePev: pevs[i] ?? new Float64Array(traits), checkPev: pevs[j] ?? new Float64Array(traits) },
    covariance: sharedBy(i, j),
  });
  // Traits without weight do not count.
  const directions = Int8Array.from(columns, ({ isHigherBetter }, t) =>
    weights[t] === 0 ? 0 : isHigherBetter ? 1 : -1,
  );
  const beatsCheck: number[] = [];
  const beatsEvery: number[] = [];
  let beatsEveryError = 0;
  for (let i = 0; i < n; i++) {
    const isCompared = check >= 0 && i !== check;
    beatsCheck.push(isCompared ? beatsOnIndex(pairOf(i, check), weights) : Number.NaN);
    const every = isCompared ? beatsInEveryTrait(pairOf(i, check), directions, seed) : undefined;
    beatsEvery.push(every?.probability ?? Number.NaN);
    beatsEveryError = Math.max(beatsEveryError, every?.error ?? 0);
  }
  // The check is no candidate for a place.
  const best = bestOf({ columns, index, weights, correlation }, check, settings.best, seed);
  return {
    ...{ weights: [...weights], gains: [...expectedGains(information, weights).gains] },
    index: Array.from(index, (value, i) => (has[i] ? value : null)),
    ...{ beatsCheck: beatsCheck.map(orNull), beatsEvery: beatsEvery.map(orNull), beatsEveryError },
    ...{ amongBest: Array.from(best.probabilities, orNull), amongBestError: best.error },
    refused: null,
  };
}

/** What two errors share is at most this of what they would if they were one: rounding makes no line the better. */
const MOST_SHARED = 1 - 1e-6;

/** Covariance of the errors of two lines in a trait; 0 where it is not known. */
function sharedError({ errors, ses }: BoardColumn, i: number, j: number): number {
  const [own, other] = [(ses[i] ?? Number.NaN) ** 2, (ses[j] ?? Number.NaN) ** 2];
  if (i === j) return own;
  const shared = errors?.[trianglePlace(i, j)] ?? Number.NaN;
  return Number.isNaN(shared) ? 0 : Math.min(shared, (MOST_SHARED * (own + other)) / 2);
}

/** P(among the best n) on the index; the check is no candidate. */
function bestOf(
  {
    columns,
    index,
    weights,
    correlation,
  }: {
    columns: readonly BoardColumn[];
    index: Float64Array;
    weights: Float64Array;
    correlation: Float64Array | undefined;
  },
  check: number,
  best: number,
  seed: number,
): SharedProbabilities {
  const weighed = Array.from(columns.keys()).filter((t) => weights[t] !== 0);
  const hasErrors = (i: number): boolean =>
    weighed.every((t) => columns[t]?.ses[i] != null && columns[t].values[i] != null);
  const places = Array.from(index.keys()).filter((i) => i !== check && hasErrors(i));
  const found = amongBestTogether(
    Float64Array.from(places, (i) => index[i] ?? Number.NaN),
    indexErrors(
      weighed.flatMap((t) => columns.slice(t, t + 1)).map((column) => errorsAmong(column, places)),
      weighed.map((t) => weights[t] ?? 0),
      correlation && amongTraits(correlation, columns.length, weighed),
    ),
    best,
    seed,
  );
  const probabilities = new Float64Array(index.length).fill(Number.NaN);
  for (const [k, i] of places.entries()) probabilities[i] = found.probabilities[k] ?? Number.NaN;
  return { probabilities, error: found.error };
}

function errorsAmong(column: BoardColumn, places: readonly number[]): Matrix {
  const n = places.length;
  const covariance = createMatrix(n, n);
  for (const [b, j] of places.entries())
    for (const [a, i] of places.entries()) covariance.data[a + b * n] = sharedError(column, i, j);
  return covariance;
}

const amongTraits = (correlation: Float64Array, size: number, of: readonly number[]): Float64Array =>
  Float64Array.from(of.flatMap((t) => of.map((s) => correlation[t * size + s] ?? 0)));

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Economic weights or desired gains by column. Without any: the shares of the project over the standard deviations. */
function wishOf(columns: readonly BoardColumn[], { weights }: DecisionSettings): Float64Array {
  if (Object.keys(weights).length > 0) return Float64Array.from(columns, ({ trait }) => weights[trait] ?? 0);
  const shares = indexShares(columns.map(({ importance }) => importance)) ?? columns.map(() => 1 / columns.length);
  return Float64Array.from(columns, ({ values, isHigherBetter }, t) => {
    const sign = isHigherBetter ? 1 : -1;
    return sign * standardizedWeight(shares[t] ?? 0, Math.sqrt(varianceOf(values)));
  });
}

/** Root of the mean reliability; where none is known, of 1 − PEV/σ²g with σ²g = var(ĝ) + mean PEV. */
function accuracyOf({ values, ses, reliabilities }: BoardColumn): number {
  const known = reliabilities.filter((one) => one !== null);
  let reliability = known.length > 0 ? meanOf(known) : 1;
  if (known.length === 0) {
    const pev = meanOf(ses.map((se) => (se === null ? null : se ** 2)));
    const total = varianceOf(values) + pev;
    if (total > 0) reliability = 1 - pev / total;
  }
  return Math.sqrt(Math.min(1, Math.max(0.01, reliability)));
}

/** G of columns that one run predicted together, by rows; null for others. */
export function geneticCovariances(columns: readonly Pick<BoardColumn, 'trait' | 'runId' | 'genetic'>[]) {
  const [first] = columns;
  if (first === undefined || columns.length < 2 || columns.some(({ runId }) => runId !== first.runId)) return null;
  const values = columns.flatMap(({ genetic }) => columns.map(({ trait }) => genetic?.[trait]));
  return values.every((value) => value !== undefined) ? Float64Array.from(values) : null;
}

/** By the genetic covariances of the model where these and the variances of the errors are known, or as the values. */
function errorCorrelation(
  columns: readonly BoardColumn[],
  covariance: Float64Array,
  genetic: Float64Array | null,
): Float64Array {
  const pevs = Float64Array.from(columns, ({ ses }) => meanOf(ses.map((se) => (se === null ? null : se ** 2))));
  if (genetic === null || pevs.some((pev) => !(pev > 0))) return correlationOf(covariance, columns.length);
  return traitErrorCorrelation(genetic, covariance, pevs);
}

function correlationOf(covariance: Float64Array, traits: number): Float64Array {
  return covariance.map((value, at) => {
    const [t, s] = [Math.floor(at / traits), at % traits];
    if (t === s) return 1;
    const scale = Math.sqrt((covariance[t * traits + t] ?? 0) * (covariance[s * traits + s] ?? 0));
    return scale > 0 ? value / scale : 0;
  });
}

/** Of the values that are known; 0 without any. */
export function meanOf(values: readonly (number | null)[]): number {
  const known = values.filter((one) => one !== null);
  return known.reduce((sum, one) => sum + one, 0) / Math.max(1, known.length);
}

function varianceOf(values: readonly (number | null)[]): number {
  const known = values.filter((one) => one !== null);
  const mean = meanOf(known);
  return known.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, known.length);
}
