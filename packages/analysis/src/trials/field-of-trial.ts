import { parseNumber } from '@heterosis/file-formats/tables/text/cell-values';
import type { MeansWithErrors } from '../trial-series/read-series.ts';
import type { TrialResult, TrialTask } from './analyze-trials.ts';
import type { TablePlot } from './plot-table.ts';

/** The plots of a trial by columns, in the order of the file; null without a value. */
export interface TrialField {
  file_line: number[];
  row: (number | null)[];
  column: (number | null)[];
  line: string[];
  replicate: (string | null)[];
  block: (string | null)[];
  kind: TablePlot['kind'][];
  value: (number | null)[];
  fitted: (number | null)[];
  trend: (number | null)[];
  residual: (number | null)[];
  studentized: (number | null)[];
  outlier: boolean[];
}

const finite = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : value;

const coordinate = (text: string | undefined): number | null =>
  text === undefined ? null : finite(parseNumber(text, true));

/**
 * Every plot of a trial with what the fit says of it. Values are those measured, also of plots set aside.
 *
 * @param trait the place of the trait among those of the table
 */
export function fieldOfTrial({ plots, analysis }: TrialResult, trait: number): TrialField {
  const { main, outliers } = analysis;
  const places = new Map(Array.from(main.used, (plot, i) => [plot, i]));
  const marked = new Set(outliers.map(({ place }) => place));
  const of = (values: Float64Array): (number | null)[] =>
    plots.map((_, plot) => finite(values[places.get(plot) ?? -1]));
  return {
    file_line: plots.map(({ line }) => line),
    row: plots.map(({ design }) => coordinate(design.row)),
    column: plots.map(({ design }) => coordinate(design.column)),
    line: plots.map(({ name }) => name),
    replicate: plots.map(({ design }) => design.replicate ?? null),
    block: plots.map(({ design }) => design.block ?? null),
    kind: plots.map(({ kind }) => kind),
    value: plots.map(({ values }) => finite(Number(values.get(trait) ?? Number.NaN))),
    ...{
      fitted: of(main.fitted),
      trend: of(main.trend),
      residual: of(main.residual),
      studentized: of(main.studentized),
    },
    outlier: plots.map((_, plot) => marked.has(places.get(plot) ?? -1)),
  };
}

/** Semivariances by distance: place `r × columns + c` has those of plots r rows and c columns apart. */
export interface Variogram {
  rows: number;
  columns: number;
  semivariance: (number | null)[];
  pairs: number[];
}

/** Distances beyond are those of few pairs, and make no clearer picture. */
const MOST_DISTANCES = 30;

/**
 * The empirical variogram of residuals on a field (Gilmour, Cullis & Verbyla 1997, J Agric Biol Environ Stat 2:269):
 * half the mean squared difference of plots |r| rows and |c| columns apart, in steps of the field. Distances go up to
 * half of the field, at most 30. Null when the plots have no common field.
 */
export function variogramOf(
  { input }: Pick<TrialTask, 'input'>,
  { used, residual }: { used: Int32Array; residual: Float64Array },
): Variogram | null {
  const { places } = input;
  if (places === null) return null;
  const along = (values: Float64Array): { at: Int32Array; count: number } => {
    const distinct = [...new Set(Array.from(used, (plot) => values[plot] ?? 0))].sort((a, b) => a - b);
    const step = distinct.slice(1).reduce((least, value, i) => Math.min(least, value - (distinct[i] ?? 0)), Infinity);
    const first = distinct[0] ?? 0;
    const at = Int32Array.from(used, (plot) => Math.round(((values[plot] ?? 0) - first) / step || 0));
    return { at, count: at.reduce((most, place) => Math.max(most, place), 0) + 1 };
  };
  const [rows, columns] = [along(places.rows), along(places.columns)];
  const reach = (count: number): number => Math.min(MOST_DISTANCES, Math.floor(count / 2)) + 1;
  const [height, width] = [reach(rows.count), reach(columns.count)];
  const standing = new Map(Array.from(used, (_, i) => [(rows.at[i] ?? 0) * columns.count + (columns.at[i] ?? 0), i]));
  const sums = new Float64Array(height * width);
  const pairs: number[] = Array.from({ length: height * width }, () => 0);
  for (let i = 0; i < used.length; i++) {
    for (let r = 0; r < height; r++) {
      for (let c = r === 0 ? 1 : 1 - width; c < width; c++) {
        const column = (columns.at[i] ?? 0) + c;
        if (column < 0 || column >= columns.count) continue;
        const other = standing.get(((rows.at[i] ?? 0) + r) * columns.count + column);
        if (other === undefined) continue;
        const place = r * width + Math.abs(c);
        sums[place] = (sums[place] ?? 0) + ((residual[i] ?? 0) - (residual[other] ?? 0)) ** 2;
        pairs[place] = (pairs[place] ?? 0) + 1;
      }
    }
  }
  return {
    ...{ rows: height, columns: width, pairs },
    semivariance: pairs.map((count, place) => (count === 0 ? null : (sums[place] ?? 0) / (2 * count))),
  };
}

/** The mean trend along the longer side of the field, in at most `most` values; empty where there is none. */
export function trendLine(
  { input }: Pick<TrialTask, 'input'>,
  { used, trend }: { used: Int32Array; trend: Float64Array },
  most: number,
): { along: 'rows' | 'columns' | null; values: number[] } {
  const { places } = input;
  if (places === null || trend.every((value) => value === 0)) return { along: null, values: [] };
  const distinct = (values: Float64Array): number[] =>
    [...new Set(Array.from(used, (plot) => values[plot] ?? 0))].sort((a, b) => a - b);
  const [rows, columns] = [distinct(places.rows), distinct(places.columns)];
  const [along, steps, values] =
    rows.length >= columns.length
      ? (['rows', rows, places.rows] as const)
      : (['columns', columns, places.columns] as const);
  const count = Math.min(most, steps.length);
  const placeOf = new Map(steps.map((step, i) => [step, Math.floor((i * count) / steps.length)]));
  const sums = new Float64Array(count);
  const counts = new Float64Array(count);
  for (const [i, plot] of used.entries()) {
    const place = placeOf.get(values[plot] ?? 0) ?? 0;
    sums[place] = (sums[place] ?? 0) + (trend[i] ?? 0);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return { along, values: Array.from(sums, (sum, place) => sum / Math.max(1, counts[place] ?? 1)) };
}

/** Means of one environment and trait that come from no file. */
export type TrialMeansWithErrors = Omit<MeansWithErrors, 'fileLines'>;

/** Mean over all pairs of lines of the standard error of the difference of their means; null with fewer than two. */
export function meanStandardErrorOfDifference({ analysis }: Pick<TrialResult, 'analysis'>): number | null {
  const means = analysis.fixed?.means;
  const n = means?.lines.length ?? 0;
  if (means == null || n < 2) return null;
  const of = (i: number, j: number): number => means.covariance[i + j * n] ?? Number.NaN;
  let sum = 0;
  for (let j = 1; j < n; j++)
    for (let i = 0; i < j; i++) sum += Math.sqrt(Math.max(0, of(i, i) + of(j, j) - 2 * of(i, j)));
  return sum / ((n * (n - 1)) / 2);
}

/**
 * The means of a trial with the covariance of their errors, as `heterosis series` reads them from its files: lines in
 * the order of the table of means, and of the covariance the lower triangle. Null without means.
 */
export function meansOfTrial({ environment, trait, plots, analysis }: TrialResult): TrialMeansWithErrors | null {
  const means = analysis.fixed?.means;
  if (means == null) return null;
  const n = means.lines.length;
  const placeOf = new Map(means.lines.map((name, i) => [name, i]));
  const order = [...new Set(Array.from(analysis.main.used, (plot) => plots[plot]?.name ?? ''))].flatMap(
    (name) => placeOf.get(name) ?? [],
  );
  const lower = (a: number, b: number): number => means.covariance[Math.max(a, b) + Math.min(a, b) * n] ?? Number.NaN;
  const covariance = new Float64Array(order.length ** 2);
  for (const [j, b] of order.entries())
    for (const [i, a] of order.entries()) covariance[i + j * order.length] = lower(a, b);
  return {
    ...{ environment, trait, covariance },
    lines: order.map((place) => means.lines[place] ?? ''),
    means: Float64Array.from(order, (place) => means.means[place] ?? Number.NaN),
    errors: Float64Array.from(order, (place) => Math.sqrt(lower(place, place))),
  };
}
