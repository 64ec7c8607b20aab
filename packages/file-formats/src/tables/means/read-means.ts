import type { ByteSource } from '../../byte-source.ts';
import { normalizeName } from '../../names/normalize-name.ts';
import { FileFormatError, ProblemCollector, type ProblemReport } from '../../problem.ts';
import { isMissing } from '../text/cell-values.ts';
import { openTable, type Table, type TableColumn } from '../text/read-table.ts';

/** The means of one trait in one environment. */
export interface EnvironmentMeans {
  environment: string;
  trait: string;
  /** Names, each once. */
  lines: string[];
  /** n values. */
  means: Float64Array;
  /** Standard errors, n values; NaN where the table gives none. */
  errors: Float64Array;
  /** Line of the file of each mean. */
  fileLines: Int32Array;
}

export interface MeansReading {
  /** In the order in which the environments and traits begin; null when the file cannot be used. */
  means: EnvironmentMeans[] | null;
  report: ProblemReport;
}

const NEEDED = ['trait', 'mean'] as const;
const WRITTEN_BY = 'heterosis trial --out writes environment,trait,line,mean,se.';
/** Where a table has no environments: means over all, as `heterosis means` writes them. */
const ALL = 'all environments';

/**
 * Reads a table of means as `heterosis trial` writes it: environment, trait, line, mean and optionally se, or as
 * `heterosis means` does: id, trait, mean and se over all environments; other columns are ignored. Rows without a mean
 * (a line that has a BLUP only) are left out. Bad content never throws: the report describes it.
 *
 * Codes: E-MN-VALUE (not a number), E-MN-SE (a standard error that is no number above 0), E-MN-DUP (a second mean of a
 * line in an environment), and the general ones of tables.
 */
export async function readMeans(source: ByteSource, signal?: AbortSignal): Promise<MeansReading> {
  const problems = new ProblemCollector();
  try {
    const table = await openTable(source, { problems, expected: 'a table of means', signal });
    const find = (name: string) => table.columns.find(({ key }) => key === name);
    const needed = find('line') === undefined && find('id') !== undefined ? 'id' : 'line';
    const found = neededColumns(table, [...NEEDED, needed], problems, WRITTEN_BY);
    if (found !== null) {
      const { trait, mean } = found;
      const columns = { trait, mean, line: found[needed], environment: find('environment') };
      const means = await readRows(table, columns, problems);
      if (problems.errorCount === 0) return { means, report: problems.report() };
    }
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    problems.add(error.problem);
  }
  return { means: null, report: problems.report() };
}

/** The columns with these headers, or null and E-COL-MISSING for each that is not there. */
export function neededColumns<Name extends string>(
  table: Table,
  names: readonly Name[],
  problems: ProblemCollector,
  suggestion: string,
): Record<Name, TableColumn> | null {
  const found = names.map((name) => [name, table.columns.find(({ key }) => key === name)] as const);
  for (const [name, column] of found) {
    if (column !== undefined) continue;
    problems.error('E-COL-MISSING', {
      line: table.headerLine,
      message: `The table has no column "${name}".`,
      suggestion,
    });
  }
  return problems.errorCount > 0 ? null : (Object.fromEntries(found) as Record<Name, TableColumn>);
}

interface Group extends Pick<EnvironmentMeans, 'environment' | 'trait' | 'lines'> {
  means: number[];
  errors: number[];
  fileLines: number[];
  placeOf: Map<string, number>;
}

async function readRows(
  table: Table,
  columns: Record<(typeof NEEDED)[number] | 'line', TableColumn> & { environment: TableColumn | undefined },
  problems: ProblemCollector,
): Promise<EnvironmentMeans[]> {
  const groups = new Map<string, Group>();
  const errorColumn = table.columns.find(({ key }) => key === 'se');
  await table.forEachRow(({ line, cells }) => {
    const cellOf = ({ index }: TableColumn): string => cells[index]?.trim() ?? '';
    const cell = cellOf(columns.mean);
    if (isMissing(cell)) return;
    const mean = table.numberOf(cell);
    if (Number.isNaN(mean)) {
      problems.error('E-MN-VALUE', {
        line,
        column: columns.mean.label,
        value: cell,
        message: `"${cell}" is not a number.`,
        suggestion: 'Write a number, or leave the cell empty where a line has no mean.',
      });
      return;
    }
    const environment = columns.environment === undefined ? ALL : cellOf(columns.environment);
    const trait = cellOf(columns.trait);
    const name = normalizeName(cellOf(columns.line));
    const group = groupOf(groups, environment, trait);
    const earlier = group.placeOf.get(name);
    if (earlier !== undefined) {
      problems.error('E-MN-DUP', {
        line,
        column: columns.line.label,
        value: name,
        message: `"${name}" has a second mean of ${trait} in ${environment}; the first is in line ${group.fileLines[earlier] ?? 0}.`,
        suggestion: 'Keep one mean a line, trait and environment.',
      });
      return;
    }
    group.placeOf.set(name, group.lines.length);
    group.lines.push(name);
    group.means.push(mean);
    group.errors.push(errorColumn === undefined ? Number.NaN : errorOf(table, errorColumn, line, cells, problems));
    group.fileLines.push(line);
  });
  return [...groups.values()].map(({ environment, trait, lines, means, errors, fileLines }) => ({
    environment,
    trait,
    lines,
    means: Float64Array.from(means),
    errors: Float64Array.from(errors),
    fileLines: Int32Array.from(fileLines),
  }));
}

function groupOf(groups: Map<string, Group>, environment: string, trait: string): Group {
  const key = JSON.stringify([environment, trait]);
  const known = groups.get(key);
  if (known !== undefined) return known;
  const group: Group = { environment, trait, lines: [], means: [], errors: [], fileLines: [], placeOf: new Map() };
  groups.set(key, group);
  return group;
}

function errorOf(
  table: Table,
  column: TableColumn,
  line: number,
  cells: readonly string[],
  problems: ProblemCollector,
): number {
  const cell = cells[column.index]?.trim() ?? '';
  if (isMissing(cell)) return Number.NaN;
  const error = table.numberOf(cell);
  if (error > 0 && Number.isFinite(error)) return error;
  problems.error('E-MN-SE', {
    line,
    column: column.label,
    value: cell,
    message: `"${cell}" is no standard error, which is a number above 0.`,
    suggestion: 'Correct it, or leave the cell empty.',
  });
  return Number.NaN;
}
