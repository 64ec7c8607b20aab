import { DesignError } from './design-error.ts';

/**
 * What lines do at places: y = place + Σ_k loading_k f_k + e with f_k ~ N(0, K) and independent e, which holds what is
 * particular to a line at a place, and the plot (Smith, Cullis & Thompson 2001, Biometrics 57:1138).
 */
export interface PlaceModel {
  /** Places × factors. */
  loadings: readonly (readonly number[])[];
  /** Variance of e by place, above 0. */
  residual: readonly number[];
}

/** What a series of trials has estimated of its environments. */
export interface SeriesEstimates {
  environments: readonly string[];
  /** Environments × environments, Λ Λ′ + Ψ. */
  geneticCovariance: readonly (readonly (number | null)[])[];
  /** Environments × factors; null where the structure has none. */
  loadings: readonly (readonly (number | null)[])[] | null;
  /** Ψ, by environment, which counts as independent between lines. */
  specific: readonly number[];
  /** Variance of lines beside their relationships, by environment; null without. */
  residualLines: readonly number[] | null;
  /** Variance of a plot by environment; undefined where no trial tells, which then have the mean of the others. */
  plots: readonly (number | undefined)[];
}

/** Places that are alike, whose lines differ by `ratio` times the variance of lines. */
export const placesAlike = (places: number, ratio: number): PlaceModel => ({
  loadings: Array.from({ length: places }, () => [1]),
  residual: Array.from({ length: places }, () => ratio),
});

/**
 * The model of the places of a design from a series. The environments of a place are the one with its name, or those
 * whose names have it among their words ("Yield 2025 Kiel"); all of them for a place that the series does not know.
 * Several environments count as their mean, with the variance of their loadings among what is particular.
 *
 * @throws DesignError `variances` where no trial tells the variance of plots
 */
export function placesOfSeries(series: SeriesEstimates, names: readonly string[]): PlaceModel {
  const loadings = loadingsOf(series);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const known = series.plots.filter((variance) => variance !== undefined);
  if (known.length === 0) {
    throw new DesignError(
      'variances',
      'No analysis tells the variance of plots in the environments of the series.',
      'Name the reports of its single trials as well.',
    );
  }
  const usual = mean(known);
  const particular = loadings.map(
    (_, j) => (series.specific[j] ?? 0) + (series.residualLines?.[j] ?? 0) + (series.plots[j] ?? usual),
  );
  const found = names.map((name) => {
    const own = environmentsOf(series.environments, name);
    const rows = own.map((j) => loadings[j] ?? []);
    const average = (rows[0] ?? []).map((_, k) => mean(rows.map((row) => row[k] ?? 0)));
    const spread = mean(rows.map((row) => row.reduce((sum, value, k) => sum + (value - (average[k] ?? 0)) ** 2, 0)));
    return { loadings: average, residual: mean(own.map((j) => particular[j] ?? 0)) + spread };
  });
  return { loadings: found.map((place) => place.loadings), residual: found.map(({ residual }) => residual) };
}

function environmentsOf(environments: readonly string[], name: string): number[] {
  const exact = environments.indexOf(name);
  if (exact >= 0) return [exact];
  const all = [...environments.keys()];
  const words = inWords(name);
  const own = words === '  ' ? [] : all.filter((j) => inWords(environments[j] ?? '').includes(words));
  return own.length > 0 ? own : all;
}

/** Between spaces, without case and signs. */
const inWords = (name: string): string =>
  ` ${name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')} `;

/** Those of the series; without factors the root of the mean covariance of two environments. */
function loadingsOf({ loadings, geneticCovariance }: SeriesEstimates): number[][] {
  if (loadings !== null) return loadings.map((row) => row.map((value) => value ?? 0));
  const pairs = geneticCovariance.flatMap((row, i) => row.filter((_, j) => j < i)).map((value) => value ?? 0);
  const covariance = pairs.reduce((sum, value) => sum + value, 0) / Math.max(1, pairs.length);
  return geneticCovariance.map(() => [Math.sqrt(Math.max(0, covariance))]);
}

/**
 * The same model with factors turned and scaled so that the mean over the places is the first of them, with variance 1:
 * what lines are compared by (overall performance, Smith & Cullis 2018, Euphytica 214:143).
 *
 * @throws DesignError `variances` where the mean has no variance
 */
export function standardized({ loadings, residual }: PlaceModel): PlaceModel {
  const factors = loadings[0]?.length ?? 0;
  const mean = Array.from({ length: factors }, (_, k) =>
    loadings.reduce((sum, row) => sum + (row[k] ?? 0) / loadings.length, 0),
  );
  const length = Math.sqrt(mean.reduce((sum, value) => sum + value ** 2, 0));
  const largest = Math.max(0, ...loadings.flat().map(Math.abs));
  if (!(length > LEAST_IN_COMMON * largest)) {
    throw new DesignError(
      'variances',
      'Lines have nothing in common between these places: their mean over the places has no genetic variance.',
      'Choose another analysis, or leave it out.',
    );
  }
  // Reflects the mean onto the first axis (Householder 1958); the sign keeps digits.
  const sign = (mean[0] ?? 0) < 0 ? -1 : 1;
  const normal = mean.map((value, k) => value + (k === 0 ? sign * length : 0));
  const square = normal.reduce((sum, value) => sum + value ** 2, 0);
  return {
    loadings: loadings.map((row) => {
      const along = (2 * row.reduce((sum, value, k) => sum + value * (normal[k] ?? 0), 0)) / square;
      return row.map((value, k) => ((value - along * (normal[k] ?? 0)) * (k === 0 ? -sign : 1)) / length);
    }),
    residual: residual.map((variance) => variance / length ** 2),
  };
}

/** A mean this small beside the loadings is rounding. */
const LEAST_IN_COMMON = 1e-6;
