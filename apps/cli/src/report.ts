import type { ReportedProblem } from './command.ts';

const LISTED = 100;

/**
 * Problem records as lines for people: `error E-PH-DUP maize.csv:14 Taxa (A) "B73": message suggestion`, or as one
 * JSON object per line. At most 100 errors, the rest is only counted; of warnings with one code the first and a count.
 */
export function formatProblems(problems: readonly ReportedProblem[], file: string, asJson: boolean): string {
  if (asJson) return problems.map((problem) => `${JSON.stringify({ file: file || null, ...problem })}\n`).join('');
  const alike = Map.groupBy(problems, ({ severity, code }) => (severity === 'error' ? severity : code));
  const shown = problems.filter((problem) => problem.severity === 'error' || alike.get(problem.code)?.[0] === problem);
  const lines = shown.slice(0, LISTED).map((problem) => {
    const place = [file, problem.line].filter((part) => part !== null && part !== '').join(':');
    const where = [place, problem.column, problem.value === null ? null : JSON.stringify(problem.value)]
      .filter((part) => part !== null && part !== '')
      .join(' ');
    const what = [problem.message, problem.suggestion].filter((part) => part !== null && part !== '').join(' ');
    const more = problem.severity === 'error' ? 0 : (alike.get(problem.code)?.length ?? 1) - 1;
    const count = more === 0 ? '' : ` (and ${more} more of ${problem.code}; --json lists all)`;
    return `${problem.severity} ${problem.code}${where === '' ? '' : ` ${where}`}: ${what}${count}`;
  });
  if (shown.length > LISTED) lines.push(`… and ${shown.length - LISTED} more`);
  return lines.map((line) => `${line}\n`).join('');
}
