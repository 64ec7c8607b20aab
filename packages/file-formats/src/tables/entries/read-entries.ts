import type { ByteSource } from '../../byte-source.ts';
import { nameFault, normalizeName } from '../../names/normalize-name.ts';
import { FileFormatError, ProblemCollector, type ProblemReport } from '../../problem.ts';
import { isMissing } from '../text/cell-values.ts';
import { headersOf } from '../text/header-spellings.ts';
import { openTable, reportDuplicateColumns, type Table, type TableColumn } from '../text/read-table.ts';

/** A line that is to be grown in a trial. */
export interface Entry {
  name: string;
  /** Absent: the design says it. */
  replicates?: number;
  family?: string;
}

export interface EntriesReading {
  /** In the order of the list; null when the report has errors. */
  entries: Entry[] | null;
  report: ProblemReport;
}

/** Most plots of one entry. */
const MOST_REPLICATES = 1000;

/**
 * Reads the list of the entries of a design: a column of names, and optionally one of replicates and one of families;
 * others are ignored. Bad content never throws: the report describes it. Rejects when the source cannot be read.
 */
export async function readEntries(source: ByteSource, signal?: AbortSignal): Promise<EntriesReading> {
  const problems = new ProblemCollector();
  try {
    const table = await openTable(source, { problems, expected: 'a list of entries', signal });
    reportDuplicateColumns(table.columns, table.headerLine, problems);
    const name = columnOf(table, 'name');
    if (name === undefined) {
      problems.error('E-EN-NAME', {
        line: table.headerLine,
        value: table.columns.map((column) => column.name).join(', '),
        message: 'The list of entries has no column with their names.',
        suggestion: 'Name it "name".',
      });
    } else {
      const entries = await readRows(table, name, problems);
      if (problems.errorCount === 0) return { entries, report: problems.report() };
    }
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    problems.add(error.problem);
  }
  return { entries: null, report: problems.report() };
}

const columnOf = (table: Table, role: string): TableColumn | undefined =>
  headersOf('entries', role)
    .map((key) => table.columns.find((column) => column.key === key))
    .find((column) => column !== undefined);

async function readRows(table: Table, name: TableColumn, problems: ProblemCollector): Promise<Entry[]> {
  const replicates = columnOf(table, 'replicates');
  const family = columnOf(table, 'family');
  const entries: Entry[] = [];
  const lineOf = new Map<string, number>();
  await table.forEachRow(({ line, cells }) => {
    const own = normalizeName(cells[name.index] ?? '');
    const fault = isMissing(own) ? 'The entry has no name' : nameFault(own);
    if (fault !== null) {
      problems.error('E-EN-NAME', {
        ...{ line, column: name.label, value: own },
        message: `${fault}.`,
        suggestion: 'Correct the name, or remove the row.',
      });
      return;
    }
    const earlier = lineOf.get(own);
    if (earlier !== undefined) {
      problems.error('E-EN-DUP', {
        ...{ line, column: name.label, value: own },
        message: `"${own}" stands on line ${earlier} already.`,
        suggestion: 'Keep one row, and write in a column "replicates" how often it is grown.',
      });
      return;
    }
    lineOf.set(own, line);
    const count =
      replicates === undefined ? undefined : countOf(cells[replicates.index] ?? '', replicates, line, problems);
    const group = family === undefined ? '' : normalizeName(cells[family.index] ?? '');
    entries.push({
      name: own,
      ...(count === undefined ? {} : { replicates: count }),
      ...(isMissing(group) ? {} : { family: group }),
    });
  });
  return entries;
}

function countOf(cell: string, column: TableColumn, line: number, problems: ProblemCollector): number | undefined {
  if (isMissing(cell)) return undefined;
  const count = /^\+?\d+(?:\.0+)?$/.test(cell) ? Number(cell) : 0;
  if (count >= 1 && count <= MOST_REPLICATES) return count;
  problems.error('E-EN-REPLICATES', {
    ...{ line, column: column.label, value: cell },
    message: `The number of replicates "${cell}" is not a whole number from 1 to ${MOST_REPLICATES}.`,
    suggestion: 'Correct it, or leave the cell empty.',
  });
  return undefined;
}
