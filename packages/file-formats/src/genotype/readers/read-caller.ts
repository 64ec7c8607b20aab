/** Share of reads that show the other allele by mistake. */
export const READ_ERROR = 0.005;
/** A call needs one class with at least this probability, where all classes are as probable before. */
export const LEAST_PROBABILITY = 0.8;

/**
 * Calls whole dosages from reads: those of the alternative are binomial with the share (x/k)(1 − 2ε) + ε of x copies
 * of k, ε = {@link READ_ERROR}, without overdispersion or bias between alleles, and all k + 1 classes are as probable
 * before. Gives the most probable class, NaN without reads or where none is probable enough. O(k) a call.
 */
export function createReadCaller(ploidy: number): (reference: number, alternative: number) => number {
  const shares = Array.from({ length: ploidy + 1 }, (_, x) => (x / ploidy) * (1 - 2 * READ_ERROR) + READ_ERROR);
  const logs = shares.map((share) => [Math.log(1 - share), Math.log(share)] as const);
  return (reference, alternative) => {
    if (reference + alternative === 0) return Number.NaN;
    const likelihoods = logs.map(
      ([ofReference, ofAlternative]) => reference * ofReference + alternative * ofAlternative,
    );
    const best = Math.max(...likelihoods);
    const total = likelihoods.reduce((sum, one) => sum + Math.exp(one - best), 0);
    return 1 / total < LEAST_PROBABILITY ? Number.NaN : likelihoods.indexOf(best);
  };
}
