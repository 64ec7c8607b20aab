/** What of a pair agreed with the dense definition; a difference throws. */
export class Comparison {
  /** Figures compared, and the largest relative difference of each. */
  readonly figures: Map<string, number> = new Map();
  readonly notCompared: string[] = [];

  /** @param size differences are relative to it; by default the expected value */
  close(figure: string, actual: number, expected: number, tolerance: number, size: number = Math.abs(expected)): void {
    const difference = Math.abs(actual - expected) / Math.max(size, Number.MIN_VALUE);
    const isSame = actual === expected || difference <= tolerance;
    if (!isSame) throw new Error(`${figure}: ${actual}, by definition ${expected}`);
    this.figures.set(figure, Math.max(this.figures.get(figure) ?? 0, actual === expected ? 0 : difference));
  }

  /** For what is simulated: agreement within an error, of which nothing more is said. */
  within(figure: string, actual: number, expected: number, error: number): void {
    if (!(Math.abs(actual - expected) <= error))
      throw new Error(`${figure}: ${actual}, by definition ${expected} ± ${error}`);
    this.figures.set(figure, this.figures.get(figure) ?? 0);
  }

  same(figure: string, actual: unknown, expected: unknown): void {
    const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (a !== b) throw new Error(`${figure}: ${a}, by definition ${b}`);
    this.figures.set(figure, this.figures.get(figure) ?? 0);
  }
}

/** A CSV file as objects; the cells of these files have no quotes. */
export function rowsOfCsv(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, k) => [name, cells[k] ?? '']));
  });
}
