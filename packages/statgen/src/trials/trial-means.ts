/**
 * The means of the lines of one trial and trait as later analyses take them: generalised least-squares estimates (BLUE)
 * of line effects with their whole covariance Ω. Lines without an estimable mean are not in it.
 */
export interface TrialMeans {
  /** Names, one a mean, each once. */
  lines: string[];
  /** n values, in the unit of the trait. */
  means: Float64Array;
  /** Ω, n × n, symmetric, column-major, in the squared unit of the trait. */
  covariance: Float64Array;
  /** Plots with a value behind each mean. */
  replicates: Int32Array;
}
