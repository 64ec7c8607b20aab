import type { FileProblem } from '../../problem.ts';
import { csvChunks } from './csv-writer.ts';

/** The problems of a file as CSV text with the columns severity, code, line, column, value, message, suggestion. */
export function problemsCsv(problems: readonly FileProblem[]): string {
  const rows = problems.map((problem) => [
    problem.severity,
    problem.code,
    problem.line,
    problem.column,
    problem.value,
    problem.message,
    problem.suggestion,
  ]);
  return [...csvChunks(['severity', 'code', 'line', 'column', 'value', 'message', 'suggestion'], rows)].join('');
}
