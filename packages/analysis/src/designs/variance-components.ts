import { readFile } from 'node:fs/promises';
import type { TrialVariances } from '@heterosis/statgen/designs/trial-sizes';
import { AnalysisError } from '../context.ts';

interface TrialRow {
  trait: string;
  variances: Record<string, { value: number }>;
}

interface SeriesRow {
  trait: string;
  genetic_covariance: number[][];
}

/**
 * Variance components from reports of earlier analyses (`heterosis trial --report`, `heterosis series --report`): lines
 * and lines × places are the mean covariance between environments and what the mean variance within them exceeds it by;
 * plots are the mean of the residual variances of trials, with the nugget where there is one. Without a series the
 * variance of lines is that of single trials, and interaction is not told apart.
 *
 * @throws AnalysisError `design/variances` for reports of other analyses, of several traits or without the trait
 */
export async function varianceComponents(
  paths: readonly string[],
  trait: string | undefined,
): Promise<Partial<TrialVariances>> {
  const reports = await Promise.all(paths.map(reportOf));
  const trials = reports.flatMap((report) => report.trials ?? []);
  const series = reports.flatMap((report) => report.series ?? []);
  const traits = new Set([...trials, ...series].map((row) => row.trait));
  if (trait === undefined && traits.size > 1) {
    throw refused(`The reports have several traits: ${[...traits].join(', ')}.`, 'Name one by --trait.');
  }
  if (trait !== undefined && !traits.has(trait)) {
    throw refused(`The reports do not have the trait "${trait}".`, `Choose from ${[...traits].join(', ')}.`);
  }
  const isWanted = (row: { trait: string }): boolean => trait === undefined || row.trait === trait;
  const [ofTrials, ofSeries] = [trials.filter(isWanted), series.filter(isWanted)[0]];
  const valueOf = ({ variances }: TrialRow, name: string): number => variances[name]?.value ?? 0;
  const residual = mean(ofTrials.map((row) => valueOf(row, 'residual') + valueOf(row, 'units')));
  const plots = residual === undefined ? {} : { residual };
  if (ofSeries === undefined) {
    const lines = mean(ofTrials.flatMap((row) => ('lines' in row.variances ? [valueOf(row, 'lines')] : [])));
    return { ...plots, ...(lines === undefined ? {} : { lines }) };
  }
  const sigma = ofSeries.genetic_covariance;
  const within = mean(sigma.map((row, i) => row[i] ?? 0)) ?? 0;
  const between = mean(sigma.flatMap((row, i) => row.filter((_, j) => j < i)));
  return between === undefined
    ? { ...plots, lines: within }
    : { ...plots, lines: between, interaction: Math.max(0, within - between) };
}

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

const mean = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
