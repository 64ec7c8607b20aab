import type { ByteSource } from '../../byte-source.ts';
import { nameFault, normalizeName } from '../../names/normalize-name.ts';
import { FileFormatError, ProblemCollector, type ProblemReport } from '../../problem.ts';
import type { TextLimits } from '../../text/text-file.ts';
import { isMissing, parseNumber } from '../text/cell-values.ts';
import type { TableRow } from '../text/delimited-text.ts';
import { openTable, type Table } from '../text/read-table.ts';

/** A relationship matrix between named individuals. */
export interface KinshipTable {
  /** In header order, without duplicates. */
  individuals: string[];
  /** n × n, symmetric. */
  values: Float64Array;
}

export interface KinshipTableReading {
  /** Null when the report has errors. */
  table: KinshipTable | null;
  report: ProblemReport;
}

/** 10,000 individuals with 17 digits take 2 GB. */
const LIMITS: TextLimits = {
  maxCompressedBytes: 4_000_000_000,
  maxInflatedBytes: 4_000_000_000,
  maxLineBytes: 10_000_000,
};

/** K_ij and K_ji may differ by this share of the largest entry: rounding by the program that wrote the file. */
const SYMMETRY_TOLERANCE = 1e-6;

/**
 * Reads a kinship in the format of `heterosis kinship`: the header has a word for the column of names and then the
 * names; each row has a name and its n kinships. Rows may be in any order. R's `write.csv(K)` and `write.table(K)`
 * also write such files. Bad content never throws: the report describes it. Rejects when the source cannot be read or
 * `signal` aborts.
 *
 * Codes: E-KIN-NAME (empty, or a row without a column), E-KIN-DUP (a duplicate name), E-KIN-ROWS (a column without a
 * row), E-KIN-VALUE (not a number), E-KIN-ASYMMETRIC, and the general ones of tables.
 */
export async function readKinshipTable(source: ByteSource, signal?: AbortSignal): Promise<KinshipTableReading> {
  const problems = new ProblemCollector();
  try {
    const table = await openTable(source, {
      problems,
      expected: 'a kinship matrix',
      allowRowNames: true,
      allowBlanks: true,
      limits: LIMITS,
      signal,
    });
    const individuals = headerNames(table, problems);
    if (problems.errorCount === 0) {
      const values = await readRows(table, individuals, problems);
      if (problems.errorCount === 0) symmetrize(individuals, values, problems);
      if (problems.errorCount === 0) return { table: { individuals, values }, report: problems.report() };
    }
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    problems.add(error.problem);
  }
  return { table: null, report: problems.report() };
}

function headerNames({ columns, headerLine }: Table, problems: ProblemCollector): string[] {
  const seen = new Map<string, string>();
  return columns.slice(1).map(({ name, label }) => {
    const fault = nameFault(name);
    const key = normalizeName(name);
    const earlier = seen.get(key);
    if (fault !== null) {
      problems.error('E-KIN-NAME', {
        line: headerLine,
        column: label,
        value: name,
        message: `${fault}.`,
        suggestion: 'The header needs the name of an individual over every column but the first.',
      });
    } else if (earlier !== undefined) {
      problems.error('E-KIN-DUP', {
        line: headerLine,
        column: label,
        value: name,
        message: `The columns ${earlier} and ${label} have the same name.`,
        suggestion: 'Give every individual one column and one row.',
      });
    }
    seen.set(key, label);
    return key;
  });
}

async function readRows(
  table: Table,
  individuals: readonly string[],
  problems: ProblemCollector,
): Promise<Float64Array> {
  const n = individuals.length;
  const values = new Float64Array(n * n);
  const columnOf = new Map(individuals.map((name, column) => [name, column]));
  const lineOf = new Int32Array(n);
  const readRow = ({ line, cells }: TableRow): void => {
    const name = normalizeName(cells[0]);
    const row = columnOf.get(name);
    const at = { line, column: table.columns[0].label, value: name };
    if (row === undefined) {
      problems.error('E-KIN-NAME', {
        ...at,
        message: `The row "${name}" has no column of the same name.`,
        suggestion: 'Rows and columns must hold the same individuals, and the header their names.',
      });
      return;
    }
    if (lineOf[row] > 0) {
      problems.error('E-KIN-DUP', {
        ...at,
        message: `"${name}" has a second row; the first is in line ${lineOf[row]}.`,
        suggestion: 'Give every individual one column and one row.',
      });
      return;
    }
    lineOf[row] = line;
    for (let j = 0; j < n; j++) {
      const cell = cells[j + 1];
      const value = parseNumber(cell, table.decimalComma);
      if (Number.isNaN(value)) {
        problems.error('E-KIN-VALUE', {
          line,
          column: table.columns[j + 1].label,
          value: cell,
          message: isMissing(cell) ? 'A kinship is missing.' : `"${cell}" is not a number.`,
          suggestion: 'Every cell needs a number; leave out individuals whose kinships are unknown.',
        });
      }
      values[row * n + j] = value;
    }
  };
  await table.forEachRow(readRow);
  const without = individuals.filter((_, row) => lineOf[row] === 0);
  if (without.length > 0 && problems.errorCount === 0) {
    const shown = without.slice(0, 5).join(', ') + (without.length > 5 ? ', …' : '');
    problems.error('E-KIN-ROWS', {
      message: `${without.length} of ${n} individuals of the header have no row: ${shown}.`,
      suggestion: 'A kinship matrix is square: write one row for every column.',
    });
  }
  return values;
}

/** Refuses an asymmetric matrix, and averages the two halves if they differ only by rounding. */
function symmetrize(individuals: readonly string[], values: Float64Array, problems: ProblemCollector): void {
  const n = individuals.length;
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]));
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const upper = values[i * n + j];
      const lower = values[j * n + i];
      if (Math.abs(upper - lower) > SYMMETRY_TOLERANCE * largest) {
        problems.error('E-KIN-ASYMMETRIC', {
          column: individuals[j],
          value: String(upper),
          message:
            `The kinship of "${individuals[i]}" with "${individuals[j]}" is ${upper} in the row of the first, ` +
            `and ${lower} in the row of the second.`,
          suggestion: 'A kinship matrix is symmetric. Check that rows and columns belong together.',
        });
        return;
      }
      values[i * n + j] = values[j * n + i] = 0.5 * (upper + lower);
    }
  }
}
