/**
 * Correlation of the prediction errors of T traits of a line, whose values one model predicted together. No error of
 * any trait then varies with any predicted value (Henderson 1975, Biometrics 31:423), so that over the lines var(g − ĝ)
 * = kG − var(ĝ), with k their mean relationship with themselves less that with each other. The variances give k: those
 * of the errors are known. It is a mean over lines, which differ by the traits that they have records of. Invariant to
 * the units.
 *
 * @param genetic G, T × T by rows
 * @param predicted var(ĝ) over the lines, T × T by rows
 * @param errors mean prediction error variance of each trait, above 0
 * @returns T × T by rows, 1 on the diagonal
 */
export function traitErrorCorrelation(
  genetic: Float64Array,
  predicted: Float64Array,
  errors: Float64Array,
): Float64Array {
  const size = errors.length;
  let k = 0;
  for (let t = 0; t < size; t++) k += (predicted[t * (size + 1)] + errors[t]) / genetic[t * (size + 1)] / size;
  return genetic.map((covariance, at) => {
    const [t, s] = [Math.floor(at / size), at % size];
    if (t === s) return 1;
    const correlation = (k * covariance - predicted[at]) / Math.sqrt(errors[t] * errors[s]);
    return Math.min(1, Math.max(-1, correlation));
  });
}
