/** Median of χ² with 1 degree of freedom. */
const CHI_SQUARE_MEDIAN = 0.454936423119572;

/** What all tests of one trait say together. */
export interface TestSummary {
  /** Markers tested: those with a finite statistic. */
  tested: number;
  /** Genomic inflation: median statistic over the median of χ²₁ (Devlin & Roeder 1999, Biometrics 55:997). */
  lambdaGc: number;
  /** −log₁₀ of the Bonferroni threshold alpha/tested. */
  bonferroniNegLog10: number;
  /** Benjamini–Hochberg q value of each marker (1995, J R Stat Soc B 57:289); NaN where there is no test. */
  q: Float64Array;
}

/**
 * Summary of a whole run; the columns of all blocks one after another.
 *
 * @param statistic χ²₁ statistics, NaN = not tested
 * @param negLog10P −log₁₀ p in the same order (p itself may be below the smallest double)
 * @param alpha family-wise error of the Bonferroni threshold
 */
export function summarizeTests(statistic: Float64Array, negLog10P: Float64Array, alpha = 0.05): TestSummary {
  const finite = statistic.filter(Number.isFinite).sort();
  const tested = finite.length;
  const middle = tested >> 1;
  const median =
    tested === 0 ? Number.NaN : tested % 2 === 1 ? finite[middle] : 0.5 * (finite[middle - 1] + finite[middle]);
  return {
    tested,
    lambdaGc: median / CHI_SQUARE_MEDIAN,
    bonferroniNegLog10: tested === 0 ? Number.NaN : Math.log10(tested / alpha),
    q: falseDiscoveryRates(negLog10P),
  };
}

/** q₍ᵢ₎ = min over j ≥ i of m·p₍ⱼ₎/j, in logarithms so that no p is too small. */
function falseDiscoveryRates(negLog10P: Float64Array): Float64Array {
  const q = new Float64Array(negLog10P.length).fill(Number.NaN);
  const order: number[] = [];
  for (let i = 0; i < negLog10P.length; i++) if (!Number.isNaN(negLog10P[i])) order.push(i);
  order.sort((a, b) => negLog10P[b] - negLog10P[a]);
  const tested = order.length;
  let smallest = 1;
  for (let rank = tested; rank >= 1; rank--) {
    const i = order[rank - 1];
    smallest = Math.min(smallest, 10 ** (Math.log10(tested / rank) - negLog10P[i]));
    q[i] = Math.max(smallest, Number.MIN_VALUE);
  }
  return q;
}
