import { createMatrix, matrixOf } from '@heterosis/statgen/linear-algebra';
import { type SeriesTrial, trialMean } from '@heterosis/statgen/trial-series/series-data';
import type { MeansWithErrors } from './read-series.ts';

/** Means or plots of one environment and trait, by names of lines. */
export interface SeriesRecords extends Omit<SeriesTrial, 'name' | 'lines'> {
  environment: string;
  trait: string;
  /** The line of each record; of plots as often as it was sown. */
  lines: string[];
}

/** Means with the covariance of their errors, which is shared, as records: the only fixed effect is their mean. */
export function recordsOfMeans({
  environment,
  trait,
  lines,
  means,
  covariance,
}: Omit<MeansWithErrors, 'errors' | 'fileLines'>): SeriesRecords {
  const omega = matrixOf(lines.length, lines.length, covariance);
  return { environment, trait, lines, y: means, x: trialMean(lines.length), omega, terms: [] };
}

/** What belongs to the records of a trial, one by one. */
type Records = Pick<SeriesTrial, 'y' | 'x' | 'omega' | 'terms'>;

/** Some records of a trial, by their places. */
export function someRecords({ y, x, omega, terms }: Records, kept: readonly number[]): Records {
  const n = kept.length;
  const some = (matrix: typeof omega): typeof omega => {
    if (matrix === null) return null;
    const result = createMatrix(n, n);
    for (const [c, j] of kept.entries()) {
      for (const [r, i] of kept.entries()) result.data[r + c * n] = matrix.data[i + j * y.length];
    }
    return result;
  };
  const design = createMatrix(n, x.columns);
  for (let c = 0; c < x.columns; c++) {
    for (const [r, i] of kept.entries()) design.data[r + c * n] = x.data[i + c * x.rows];
  }
  return {
    y: Float64Array.from(kept, (i) => y[i]),
    x: design,
    omega: some(omega),
    terms: terms.map((term) => ({ ...term, matrix: some(term.matrix) })),
  };
}

/** Records of some lines as a trial of a series. `rowOf` has the kernel's row of each line; others are left out. */
export function trialOfRecords(records: SeriesRecords, rowOf: ReadonlyMap<string, number>): SeriesTrial {
  const { environment, lines, y, x, omega, terms } = records;
  const kept = [...lines.keys()].filter((i) => rowOf.has(lines[i]));
  return {
    name: environment,
    lines: Int32Array.from(kept, (i) => rowOf.get(lines[i]) ?? -1),
    // Matrices of all records are shared: in a large series they are most of the memory.
    ...(kept.length === lines.length ? { y, x, omega, terms } : someRecords(records, kept)),
  };
}
