import { ProblemCollector } from '@heterosis/file-formats/problem';
import { headerKey, parseNumber } from '@heterosis/file-formats/tables/text/cell-values';
import { findColumn, openTable } from '@heterosis/file-formats/tables/text/read-table';
import { openFileSource } from '../inputs/byte-source.ts';
import { FileRefused } from '../inputs/open-genotype.ts';

const CHROMOSOME = ['chromosome', 'chrom', 'chr', 'lg'];
const POSITION = ['cm', 'centromere', 'centromerecm', 'position', 'positioncm'];

/** cM by chromosome, from a table with the columns chromosome and cM. Throws FileRefused with its problems. */
export async function openCentromeres(path: string): Promise<Map<string, number>> {
  const source = await openFileSource(path);
  const problems = new ProblemCollector();
  const found = new Map<string, number>();
  try {
    const table = await openTable(source, { problems, expected: 'a table of centromeres' });
    const chromosome = findColumn(table.columns, CHROMOSOME.map(headerKey));
    const position = findColumn(table.columns, POSITION.map(headerKey));
    if (chromosome === undefined || position === undefined) {
      problems.error('E-COL-MISSING', {
        line: table.headerLine,
        value: table.columns.map(({ name }) => name).join(','),
        message: 'A table of centromeres needs the columns chromosome and cM.',
        suggestion: 'Write a header such as: chromosome,cM',
      });
    } else {
      await table.forEachRow(({ line, cells }) => {
        const value = parseNumber(cells[position.index], table.decimalComma);
        if (Number.isNaN(value)) {
          problems.error('E-LM-POS-NOT-NUMBER', {
            line,
            column: position.label,
            value: cells[position.index],
            message: `"${cells[position.index]}" is not a position in cM.`,
            suggestion: 'Write it as a number, on the scale of the map.',
          });
        }
        found.set(cells[chromosome.index], value);
      });
    }
  } finally {
    await source.close();
  }
  if (problems.errorCount > 0) throw new FileRefused(path, problems.report().problems);
  return found;
}
