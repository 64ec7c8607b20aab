import { columnLetters, type ProblemCollector } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import type { TableRow } from './delimited-text.ts';
import type { LeftOut } from './table-mapping.ts';

interface LeaveOut {
  /** False for a row that is left out. Empties those of its cells that are. */
  keeps(row: TableRow): boolean;
  /** I-LEFT-OUT with what the table had of it. */
  report(problems: ProblemCollector): void;
}

/** Leaves out rows and cells of a table as a person said, and counts them. */
export function createLeaveOut({ lines = [], cells = [] }: LeftOut = {}): LeaveOut {
  const leftLines = new Set(lines);
  const leftCells = new Set(cells);
  const linesOfCells = new Set(cells.map((cell) => Number(cell.replace(/^[A-Z]+/, ''))));
  const left: { rows: number[]; cells: string[] } = { rows: [], cells: [] };
  return {
    keeps(row) {
      if (leftLines.has(row.line)) {
        left.rows.push(row.line);
        return false;
      }
      if (!linesOfCells.has(row.line)) return true;
      row.cells.forEach((cell, index) => {
        const place = `${columnLetters(index)}${row.line}`;
        if (cell === '' || !leftCells.has(place)) return;
        row.cells[index] = '';
        left.cells.push(place);
      });
      return true;
    },
    report(problems) {
      const parts = [
        ...(left.rows.length > 0 ? [inWords(left.rows, 'row')] : []),
        ...(left.cells.length > 0 ? [inWords(left.cells, 'cell')] : []),
      ];
      if (parts.length === 0) return;
      problems.info('I-LEFT-OUT', {
        value: [...left.rows, ...left.cells].slice(0, SHOWN).join(', '),
        message: `Left out, as was chosen: ${parts.join('; ')}.`,
        suggestion: 'Nothing to do if this is right; otherwise choose "Read them again".',
      });
    },
  };
}

const SHOWN = 10;

function inWords(places: readonly (number | string)[], noun: string): string {
  const rest = places.length > SHOWN ? ` and ${groupedNumber(places.length - SHOWN)} more` : '';
  return `${groupedNumber(places.length)} ${noun}${places.length === 1 ? '' : 's'} (${places.slice(0, SHOWN).join(', ')}${rest})`;
}
