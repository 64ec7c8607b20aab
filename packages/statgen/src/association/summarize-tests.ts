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
  const finite = finiteOf(statistic).sort();
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

function finiteOf(values: Float64Array): Float64Array {
  const finite = new Float64Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) if (Number.isFinite(values[i])) finite[count++] = values[i];
  return finite.subarray(0, count);
}

/** q₍ᵢ₎ = min over j ≥ i of m·p₍ⱼ₎/j, in logarithms so that no p is too small. Equal p have equal q. */
function falseDiscoveryRates(negLog10P: Float64Array): Float64Array {
  // Typed arrays sort ten times as fast as places with a comparison would; NaN go to the end.
  const ascending = negLog10P.slice().sort();
  let tested = ascending.length;
  while (tested > 0 && Number.isNaN(ascending[tested - 1])) tested--;
  const rates = new Float64Array(tested);
  let smallest = 1;
  for (let i = 0; i < tested; i++) {
    smallest = Math.min(smallest, 10 ** (Math.log10(tested / (tested - i)) - ascending[i]));
    rates[i] = Math.max(smallest, Number.MIN_VALUE);
  }
  const q = new Float64Array(negLog10P.length).fill(Number.NaN);
  for (let i = 0; i < q.length; i++) {
    if (!Number.isNaN(negLog10P[i])) q[i] = rates[lastPlaceOf(ascending, tested, negLog10P[i])];
  }
  return q;
}

/** Last place of a value in `length` ascending ones that hold it: among equal p the best rank gives all of them their q. */
function lastPlaceOf(ascending: Float64Array, length: number, value: number): number {
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ascending[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
