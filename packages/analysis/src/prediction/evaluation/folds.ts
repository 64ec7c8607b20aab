import type { ByteSource } from '@heterosis/file-formats/byte-source';
import { FileFormatError, ProblemCollector, type ProblemReport } from '@heterosis/file-formats/problem';
import { isMissing } from '@heterosis/file-formats/tables/text/cell-values';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { openTable } from '@heterosis/file-formats/tables/text/read-table';

/** Which part of a cross-validation each individual is in. */
export interface FoldsTable {
  individuals: string[];
  /** One array a repetition, by `individuals`: fold 1, 2, …; 0 = takes no part. */
  repetitions: Int32Array[];
  /** Headers of the columns, where the table was read: of folds of records they name environments. */
  columns?: string[];
}

/** The folds as CSV: individual,rep1,rep2 …; an individual that takes no part has an empty cell. */
export function foldsCsv(folds: FoldsTable): Iterable<string> {
  const rows = folds.individuals.map((name, i) => [
    name,
    ...folds.repetitions.map((fold) => (fold[i] === 0 ? null : fold[i])),
  ]);
  return csvChunks(['individual', ...folds.repetitions.map((_, r) => `rep${r + 1}`)], rows);
}

/**
 * Reads a table of folds: the first column names the individual, each further column is a repetition and holds the fold
 * (1, 2, …) or nothing. All problems are found in one pass; `folds` is null when there are errors. Codes: E-FO-COLUMNS,
 * E-FO-DUP, E-FO-NOT-FOLD, and the general ones of tables.
 */
export async function readFolds(
  source: ByteSource,
  signal?: AbortSignal,
): Promise<{ folds: FoldsTable | null; report: ProblemReport }> {
  const problems = new ProblemCollector();
  const individuals: string[] = [];
  const columns: number[][] = [];
  const headers: string[] = [];
  try {
    const table = await openTable(source, { problems, expected: 'a table of folds', signal });
    const [, ...repetitions] = table.columns;
    if (repetitions.length === 0) {
      problems.error('E-FO-COLUMNS', {
        line: table.headerLine,
        message: 'A table of folds needs a column with the individuals and one for each repetition.',
        suggestion: 'Write a header such as: individual,rep1,rep2',
      });
    }
    for (const { name } of repetitions) {
      columns.push([]);
      headers.push(name);
    }
    const lineOf = new Map<string, number>();
    await table.forEachRow(({ line, cells: [name, ...cells] }) => {
      const earlier = lineOf.get(name);
      if (earlier !== undefined) {
        problems.error('E-FO-DUP', {
          line,
          value: name,
          message: `"${name}" stands in the table twice: lines ${earlier} and ${line}.`,
          suggestion: 'Keep one of the two rows.',
        });
      }
      lineOf.set(name, line);
      individuals.push(name);
      for (const [r, { label }] of repetitions.entries()) {
        const fold = isMissing(cells[r]) ? 0 : Number(cells[r]);
        if (!Number.isInteger(fold) || fold < 0) {
          problems.error('E-FO-NOT-FOLD', {
            line,
            column: label,
            value: cells[r],
            message: `"${cells[r]}" is not the number of a fold.`,
            suggestion: 'Write 1, 2, … or leave the cell empty.',
          });
        }
        columns[r].push(fold);
      }
    });
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    problems.add(error.problem);
  }
  const folds = { individuals, repetitions: columns.map((fold) => Int32Array.from(fold)), columns: headers };
  return { folds: problems.errorCount > 0 ? null : folds, report: problems.report() };
}
