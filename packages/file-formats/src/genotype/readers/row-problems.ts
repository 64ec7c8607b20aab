import type { ProblemCollector } from '../../problem.ts';

/** A spoilt line can hold a bad call for every sample; after this many of one line the rest is only counted. */
const LISTED_PER_LINE = 20;

export interface BadCall {
  /** Called only when the problem is listed. */
  column: () => string;
  value: string;
  message: string;
  suggestion: string;
}

/**
 * Reports E-GT-BAD-CALL for the cells of one line after the other, listing the first ones of each line and counting
 * all.
 */
export class RowProblems {
  readonly #problems: ProblemCollector;
  #line = 0;
  #count = 0;

  constructor(problems: ProblemCollector) {
    this.#problems = problems;
  }

  start(line: number): void {
    this.#line = line;
    this.#count = 0;
  }

  badCall(call: BadCall): void {
    if (++this.#count > LISTED_PER_LINE) return;
    this.#problems.error('E-GT-BAD-CALL', { ...call, column: call.column(), line: this.#line });
  }

  /** Ends the line. */
  finish(): void {
    if (this.#count > LISTED_PER_LINE) {
      this.#problems.addUnlisted('error', 'E-GT-BAD-CALL', this.#count - LISTED_PER_LINE);
    }
  }
}
