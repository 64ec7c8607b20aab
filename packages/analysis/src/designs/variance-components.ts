import { readFile } from 'node:fs/promises';
import { estimatedVariances, type TrialVariances } from '@heterosis/statgen/designs/trial-sizes';
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
 * Variance components from reports of earlier analyses (`heterosis trial --report`, `heterosis series --report`), see
 * `estimatedVariances`.
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
  return estimatedVariances(
    trials.filter(isWanted).map(({ variances }) => variances),
    series.find(isWanted)?.genetic_covariance ?? null,
  );
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
