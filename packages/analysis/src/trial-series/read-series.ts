import type { FileProblem } from '@heterosis/file-formats/problem';
import { readCovariance } from '@heterosis/file-formats/tables/means/read-covariance';
import { type EnvironmentMeans, readMeans } from '@heterosis/file-formats/tables/means/read-means';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { openFileSource } from '../inputs/byte-source.ts';
import { FileRefused } from '../inputs/open-genotype.ts';

/** Means of one environment and trait with the covariance of their errors. */
export interface MeansWithErrors extends EnvironmentMeans {
  /** Ω, n × n, both triangles. */
  covariance: Float64Array;
}

export interface SeriesMeans {
  path: string;
  means: MeansWithErrors[];
  problems: readonly FileProblem[];
  /** Whether errors are known to be correlated, or only their standard errors are known. */
  from: 'covariance' | 'standard errors' | 'none';
}

/**
 * Reads means, and their covariance or standard errors, from disk.
 *
 * @param needsErrors whether means without errors are refused; otherwise their covariance is 0
 * @throws FileRefused with the problems of a bad file; AnalysisError `series/no-errors` when neither a covariance nor
 * standard errors are there
 */
export async function openSeriesMeans(
  paths: { means: string; covariance?: string | undefined },
  context: AnalysisContext,
  needsErrors = true,
): Promise<SeriesMeans> {
  const { means, problems } = await openMeans(paths.means, context);
  if (paths.covariance !== undefined) {
    const { covariances, problems: more } = await openCovariance(paths.covariance, means, context);
    const joined = means.map((own, k) => ({ ...own, covariance: covariances[k] ?? new Float64Array() }));
    return { path: paths.means, means: joined, problems: [...problems, ...more], from: 'covariance' };
  }
  if (!needsErrors) {
    const joined = means.map((own) => ({ ...own, covariance: new Float64Array(own.lines.length ** 2) }));
    return { path: paths.means, means: joined, problems, from: 'none' };
  }
  const joined = means.map((own) => ({ ...own, covariance: diagonalOf(own) }));
  return { path: paths.means, means: joined, problems, from: 'standard errors' };
}

async function openMeans(path: string, context: AnalysisContext) {
  const source = await openFileSource(path);
  try {
    reportProgress(context, 'read', 0, source.size);
    const { means, report } = await readMeans(source, context.signal);
    if (means === null) throw new FileRefused(path, report.problems);
    return { means, problems: report.problems };
  } finally {
    await source.close();
  }
}

async function openCovariance(path: string, means: readonly EnvironmentMeans[], context: AnalysisContext) {
  const source = await openFileSource(path);
  try {
    reportProgress(context, 'read', 0, source.size);
    const { covariances, report } = await readCovariance(source, means, context.signal);
    if (covariances === null) throw new FileRefused(path, report.problems);
    return { covariances, problems: report.problems };
  } finally {
    await source.close();
  }
}

function diagonalOf({ environment, trait, lines, errors }: EnvironmentMeans): Float64Array {
  const n = lines.length;
  const covariance = new Float64Array(n * n);
  for (const [i, error] of errors.entries()) {
    if (!(error > 0)) {
      throw new AnalysisError(
        'series/no-errors',
        `The mean of ${lines[i]} has no standard error: ${trait} in ${environment}.`,
        'Give the covariance of the means, or a standard error with each of them: without, one plot would count as much as ten.',
        { environment, trait, line: lines[i] },
      );
    }
    covariance[i * (n + 1)] = error * error;
  }
  return covariance;
}
