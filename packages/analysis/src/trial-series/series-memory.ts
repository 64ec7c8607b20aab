export interface SeriesSize {
  /** Lines of the relationships: all of them are predicted. */
  lines: number;
  /** Sum over the environments of the squared numbers of means. */
  squares: number;
  /** Relationships: additive, of dominance, and unrelated lines beside them. */
  kernels: number;
  /** Factors of the largest structure that is tried. */
  factors: number;
}

/** The process with its libraries, results and text. */
const BASE_MB = 180;
/**
 * Matrices in double precision, fitted to the peaks of docs/benchmarks.md (243, 752 and 1,819 MB): of the environments,
 * of the factors of all lines, and of the lines for each kernel.
 */
const OF_ENVIRONMENTS = 1.6;
const OF_FACTORS = 2;
const OF_LINES = 2.4;
/**
 * Beside them a worker holds the covariances that it has read, where lines without relationships are left out of them,
 * and those of the means of all environments.
 */
const READ = 1;
const JOINED = 2;

/** Memory that the trials of one trait take together, in MB; at most half too much. */
export function seriesMemoryMb({ lines, squares, kernels, factors }: SeriesSize): number {
  const numbers =
    (OF_ENVIRONMENTS + READ) * squares +
    OF_FACTORS * (factors * lines) ** 2 +
    (OF_LINES * kernels + JOINED) * lines ** 2;
  return BASE_MB + (8 * numbers) / 1e6;
}
