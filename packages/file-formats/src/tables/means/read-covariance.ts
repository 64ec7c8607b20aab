import type { ByteSource } from '../../byte-source.ts';
import { normalizeName } from '../../names/normalize-name.ts';
import { FileFormatError, ProblemCollector, type ProblemReport } from '../../problem.ts';
import type { TextLimits } from '../../text/text-file.ts';
import { openTable, type Table, type TableColumn } from '../text/read-table.ts';
import { type EnvironmentMeans, neededColumns } from './read-means.ts';

export interface CovarianceReading {
  /** Ω of each group of means in their order, n × n, both triangles; null when the file cannot be used. */
  covariances: Float64Array[] | null;
  report: ProblemReport;
}

const NEEDED = ['environment', 'trait', 'line1', 'line2', 'covariance'] as const;
const WRITTEN_BY = 'heterosis trial --covariance writes environment,trait,line1,line2,covariance.';
/** Half a million pairs take 20 MB; 200 trials of 1,000 lines have 100 million. */
const LIMITS: TextLimits = { maxCompressedBytes: 8e9, maxInflatedBytes: 8e9, maxLineBytes: 100_000 };
const SHOWN_NAMES = 5;
/** A variance and the square of its standard error may differ by this share: both were rounded. */
const ROUNDING = 1e-4;

/**
 * Reads the covariance of means as `heterosis trial` writes it: a row a pair of lines of one environment and trait, in
 * either order, with the diagonal; pairs of lines without a mean are ignored. Bad content never throws: the report
 * describes it.
 *
 * Codes: E-CV-VALUE (not a number), E-CV-VARIANCE (a variance that is not above 0), E-CV-DUP (a pair twice with
 * different values), E-CV-LINES (lines with a mean that the covariance lacks), E-CV-GAP (pairs missing), W-CV-SE
 * (variances that are not the squares of the standard errors of the means), and the general ones of tables.
 */
export async function readCovariance(
  source: ByteSource,
  means: readonly EnvironmentMeans[],
  signal?: AbortSignal,
): Promise<CovarianceReading> {
  const problems = new ProblemCollector();
  try {
    const table = await openTable(source, { problems, expected: 'a table of covariances', limits: LIMITS, signal });
    const columns = neededColumns(table, NEEDED, problems, WRITTEN_BY);
    if (columns !== null) {
      const { covariances, strangers } = await readRows(table, columns, means, problems);
      for (const [k, own] of means.entries()) {
        checkGroup(own, covariances[k] ?? new Float64Array(), strangers[k] ?? new Set(), problems);
      }
      if (problems.errorCount === 0) return { covariances, report: problems.report() };
    }
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    problems.add(error.problem);
  }
  return { covariances: null, report: problems.report() };
}

async function readRows(
  table: Table,
  columns: Record<(typeof NEEDED)[number], TableColumn>,
  means: readonly EnvironmentMeans[],
  problems: ProblemCollector,
): Promise<{ covariances: Float64Array[]; strangers: Set<string>[] }> {
  const strangers = means.map(() => new Set<string>());
  const covariances = means.map(({ lines }) => new Float64Array(lines.length ** 2).fill(Number.NaN));
  const groups = new Map(
    means.map(({ environment, trait, lines }, k) => [
      JSON.stringify([environment, trait]),
      {
        matrix: covariances[k] ?? new Float64Array(),
        placeOf: new Map(lines.map((name, i) => [name, i])),
        strangers: strangers[k] ?? new Set(),
      },
    ]),
  );
  await table.forEachRow(({ line, cells }) => {
    const cellOf = ({ index }: TableColumn): string => cells[index]?.trim() ?? '';
    const group = groups.get(JSON.stringify([cellOf(columns.environment), cellOf(columns.trait)]));
    const names = [normalizeName(cellOf(columns.line1)), normalizeName(cellOf(columns.line2))];
    const [i, j] = names.map((name) => group?.placeOf.get(name));
    if (group === undefined) return;
    if (i === undefined || j === undefined) {
      const name = names[i === undefined ? 0 : 1] ?? '';
      if (group.strangers.size < SHOWN_NAMES) group.strangers.add(name);
      return;
    }
    const cell = cellOf(columns.covariance);
    const value = table.numberOf(cell);
    const at = { line, column: columns.covariance.label, value: cell };
    if (!Number.isFinite(value)) {
      const suggestion = 'Every pair of lines with a mean needs a number.';
      problems.error('E-CV-VALUE', { ...at, message: `"${cell}" is not a number.`, suggestion });
      return;
    }
    if (i === j && !(value > 0)) {
      problems.error('E-CV-VARIANCE', {
        ...at,
        message: `The variance of the mean of ${names[0] ?? ''} is ${cell}, and must be above 0.`,
        suggestion: 'Correct it; a line whose mean has no error has no place among means.',
      });
      return;
    }
    const n = group.placeOf.size;
    const known = group.matrix[i + j * n] ?? Number.NaN;
    if (!Number.isNaN(known) && known !== value) {
      problems.error('E-CV-DUP', {
        ...at,
        message: `${names.join(' and ')} have a second covariance, ${cell} after ${known}.`,
        suggestion: 'Keep one row a pair of lines.',
      });
      return;
    }
    group.matrix[i + j * n] = value;
    group.matrix[j + i * n] = value;
  });
  return { covariances, strangers };
}

/** Reports missing lines and pairs, and variances that contradict the standard errors. */
function checkGroup(
  { environment, trait, lines, errors }: EnvironmentMeans,
  covariance: Float64Array,
  strangers: ReadonlySet<string>,
  problems: ProblemCollector,
): void {
  const n = lines.length;
  const absent = lines.filter((_, i) => covariance.subarray(i * n, (i + 1) * n).every(Number.isNaN));
  if (absent.length > 0) {
    const others =
      strangers.size === 0 ? '' : ` It has lines without a mean: ${listed([...strangers], strangers.size)}.`;
    problems.error('E-CV-LINES', {
      value: absent[0] ?? null,
      message: `${absent.length} of ${n} lines with a mean of ${trait} in ${environment} are not in the covariance: ${listed(absent, absent.length)}.${others}`,
      suggestion:
        'Take means and covariance from the same analysis, with the same names of lines, traits and environments.',
    });
    return;
  }
  const missing = covariance.findIndex(Number.isNaN);
  if (missing >= 0) {
    const pair = [lines[missing % n], lines[Math.floor(missing / n)]];
    problems.error('E-CV-GAP', {
      value: pair[0] ?? null,
      message: `The covariance of the means of ${pair.join(' and ')} is missing: ${trait} in ${environment}.`,
      suggestion:
        'Give the covariance of every pair of means, as heterosis trial --covariance writes it, or none to use standard errors alone.',
    });
    return;
  }
  const other = lines.findIndex((_, i) => {
    const square = (errors[i] ?? Number.NaN) ** 2;
    return Math.abs((covariance[i * (n + 1)] ?? 0) - square) > ROUNDING * square;
  });
  if (other < 0) return;
  problems.warning('W-CV-SE', {
    value: lines[other] ?? null,
    message: `The variance of the mean of ${lines[other] ?? ''} is not the square of its standard error: ${trait} in ${environment}. The covariance is used.`,
    suggestion: 'Take means and covariance from the same analysis.',
  });
}

const listed = (names: readonly string[], count: number): string =>
  names.slice(0, SHOWN_NAMES).join(', ') + (count > SHOWN_NAMES ? ', …' : '');
