import type { ReportedProblem } from './command.ts';

const LISTED = 100;

/**
 * Problem records as lines for people: `error E-PH-DUP maize.csv:14 Taxa (A) "B73": message suggestion`, or as one
 * JSON object per line. At most 100 lines; the rest is only counted.
 */
export function formatProblems(problems: readonly ReportedProblem[], file: string, asJson: boolean): string {
  if (asJson) return problems.map((problem) => `${JSON.stringify({ file: file || null, ...problem })}\n`).join('');
  const lines = problems.slice(0, LISTED).map((problem) => {
    const place = [file, problem.line].filter((part) => part !== null && part !== '').join(':');
    const where = [place, problem.column, problem.value === null ? null : JSON.stringify(problem.value)]
      .filter((part) => part !== null && part !== '')
      .join(' ');
    const what = [problem.message, problem.suggestion].filter((part) => part !== null && part !== '').join(' ');
    return `${problem.severity} ${problem.code}${where === '' ? '' : ` ${where}`}: ${what}`;
  });
  if (problems.length > LISTED) lines.push(`… and ${problems.length - LISTED} more`);
  return lines.map((line) => `${line}\n`).join('');
}
