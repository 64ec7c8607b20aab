import { gzipSync } from 'node:zlib';
import { type ByteSource, memorySource } from '../../byte-source.ts';
import type { FileProblem, ProblemReport } from '../../problem.ts';

/** A source holding text. */
export const textSource = (text: string, name = 'table.csv'): ByteSource => memorySource(Buffer.from(text), name);

/** A source holding lines joined by line feeds. */
export const linesSource = (...lines: string[]): ByteSource => textSource(`${lines.join('\n')}\n`);

export const gzipSource = (text: string): ByteSource => memorySource(gzipSync(text), 'table.csv.gz');

/** Code and line of every listed problem. */
export const codes = (report: ProblemReport): [string, number | null][] =>
  report.problems.map(({ code, line }) => [code, line]);

export const problemOf = (report: ProblemReport, code: string): FileProblem => {
  const found = report.problems.find((problem) => problem.code === code);
  if (found === undefined)
    throw new Error(`${code} was not reported, only ${report.problems.map((p) => p.code).join(', ')}`);
  return found;
};
