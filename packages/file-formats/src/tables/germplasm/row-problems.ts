import { ProblemCollector, type ProblemDetails, type ProblemReport, type Severity } from '../../problem.ts';

const RANK = { info: 1, warning: 2, error: 3 } as const;

/**
 * Gathers findings as a {@link ProblemCollector} does and remembers the worst one of each line, however many there are.
 */
export class RowProblems {
  readonly #collector = new ProblemCollector();
  readonly #worst = new Map<number, Severity>();

  add(severity: Severity, code: string, details: ProblemDetails & { line: number }): void {
    const worst = this.#worst.get(details.line);
    if (worst === undefined || RANK[severity] > RANK[worst]) this.#worst.set(details.line, severity);
    this.#collector[severity](code, details);
  }

  worstOf(line: number): Severity | null {
    return this.#worst.get(line) ?? null;
  }

  report(): ProblemReport {
    return this.#collector.report();
  }
}
