import { readFile } from 'node:fs/promises';
import { type PlaceModel, placesOfSeries } from '@heterosis/statgen/designs/place-model';
import { estimatedVariances, type TrialVariances, variancesOfPlots } from '@heterosis/statgen/designs/trial-sizes';
import { AnalysisError } from '../context.ts';

interface TrialRow {
  environment?: string;
  trait: string;
  variances: Record<string, { value: number }>;
}

interface SeriesRow {
  trait: string;
  environments: string[];
  genetic_covariance: number[][];
  loadings: number[][] | null;
  specific: { value: number }[];
  residual_lines: number[] | null;
}

/** What reports of earlier analyses say of a trait. */
export interface ReportedVariances {
  /** See `estimatedVariances`. */
  components: Partial<TrialVariances>;
  /** The places of a design by the series, see `placesOfSeries`; null without a series. */
  placesOf: ((names: readonly string[]) => PlaceModel) | null;
}

/**
 * Variances from reports of earlier analyses (`heterosis trial --report`, `heterosis series --report`).
 *
 * @throws AnalysisError `design/variances` for reports of other analyses, of several traits or without the trait
 */
export async function reportedVariances(
  paths: readonly string[],
  trait: string | undefined,
): Promise<ReportedVariances> {
  const reports = await Promise.all(paths.map(reportOf));
  const allTrials = reports.flatMap((report) => report.trials ?? []);
  const allSeries = reports.flatMap((report) => report.series ?? []);
  const traits = new Set([...allTrials, ...allSeries].map((row) => row.trait));
  if (trait === undefined && traits.size > 1) {
    throw refused(`The reports have several traits: ${[...traits].join(', ')}.`, 'Name one by --trait.');
  }
  if (trait !== undefined && !traits.has(trait)) {
    throw refused(`The reports do not have the trait "${trait}".`, `Choose from ${[...traits].join(', ')}.`);
  }
  const isWanted = (row: { trait: string }): boolean => trait === undefined || row.trait === trait;
  const trials = allTrials.filter(isWanted);
  const series = allSeries.find(isWanted);
  return {
    components: estimatedVariances(
      trials.map(({ variances }) => variances),
      series?.genetic_covariance ?? null,
    ),
    placesOf: series === undefined ? null : (names) => placesOfSeries(estimatesOf(series, trials), names),
  };
}

const estimatesOf = (series: SeriesRow, trials: readonly TrialRow[]) => ({
  environments: series.environments,
  geneticCovariance: series.genetic_covariance,
  loadings: series.loadings,
  specific: series.specific.map(({ value }) => value),
  residualLines: series.residual_lines,
  plots: variancesOfPlots(series.environments, trials),
});

interface Report {
  trials?: TrialRow[];
  series?: SeriesRow[];
}

async function reportOf(path: string): Promise<Report> {
  const text = await readFile(path, 'utf8');
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found === 'object' && found !== null && ('trials' in found || 'series' in found)) return found as Report;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  throw refused(
    `${path} is no report of heterosis trial or heterosis series.`,
    'Give files that their --report has written.',
  );
}

const refused = (message: string, suggestion: string): AnalysisError =>
  new AnalysisError('design/variances', message, suggestion);
