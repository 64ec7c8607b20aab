/** How well several chains agree about one quantity. */
export interface ChainAgreement {
  mean: number;
  /** Posterior standard deviation. */
  sd: number;
  /** Split R̂; 1 where all draws are the same. Above 1.01 the chains have not met. */
  rHat: number;
  /** Independent draws that would tell as much. */
  effectiveSize: number;
  /** Standard error of the mean by sampling. */
  monteCarloError: number;
}

/**
 * Split R̂ (Gelman et al. 2013, Bayesian Data Analysis, 11.4) and the effective sample size by Geyer's initial monotone
 * sequence over the halves of all chains (Geyer 1992; Vehtari et al. 2021, Bayesian Anal 16:667, without ranks).
 *
 * @param chains draws of each chain, all of one length
 * @throws RangeError below 4 draws a chain
 */
export function chainAgreement(chains: readonly (readonly number[])[]): ChainAgreement {
  const half = Math.floor((chains[0]?.length ?? 0) / 2);
  if (half < 2) throw new RangeError('the agreement of chains needs four draws of each');
  const halves = chains.flatMap((draws) => [draws.slice(0, half), draws.slice(draws.length - half)]);
  const means = halves.map(meanOf);
  const mean = meanOf(means);
  const within = meanOf(halves.map((draws, k) => sumOfSquares(draws, means[k]) / (half - 1)));
  const between = sumOfSquares(means, mean) / (halves.length - 1);
  const variance = (within * (half - 1)) / half + between;
  const sd = Math.sqrt(variance);
  const draws = half * halves.length;
  if (!(within > 0)) {
    const rHat = between > 0 ? Number.POSITIVE_INFINITY : 1;
    return { mean, sd, rHat, effectiveSize: between > 0 ? chains.length : draws, monteCarloError: sd };
  }
  const rHat = Math.sqrt(variance / within);
  const effectiveSize = Math.min(draws, draws / autocorrelationTime(halves, means, { within, variance }));
  return { mean, sd, rHat, effectiveSize, monteCarloError: sd / Math.sqrt(effectiveSize) };
}

/** 1 + 2Σρ up to where sums of neighbouring pairs of ρ cease to be positive, made monotone. */
function autocorrelationTime(
  halves: readonly (readonly number[])[],
  means: readonly number[],
  { within, variance }: { within: number; variance: number },
): number {
  const length = halves[0].length;
  const correlationAt = (lag: number): number => {
    let sum = 0;
    for (const [k, draws] of halves.entries()) {
      for (let t = lag; t < length; t++) sum += (draws[t] - means[k]) * (draws[t - lag] - means[k]);
    }
    return 1 - (within - sum / (length * halves.length)) / variance;
  };
  let time = -1;
  let smallest = Number.POSITIVE_INFINITY;
  for (let lag = 0; lag + 1 < length; lag += 2) {
    const pair = (lag === 0 ? 1 : correlationAt(lag)) + correlationAt(lag + 1);
    if (pair <= 0) break;
    smallest = Math.min(smallest, pair);
    time += 2 * smallest;
  }
  // Antithetic draws tell more than independent ones, but no more than this of them is believed.
  return Math.max(time, 1 / Math.log10(length * halves.length));
}

/**
 * R̂ of quantities of which only sums are kept: one value for each, from means and mean squares of whole chains; 1
 * where they do not vary.
 *
 * @param chains sums of draws and of their squares, by quantity
 */
export function agreementOfSums(
  chains: readonly { sum: Float64Array; square: Float64Array; draws: number }[],
): Float64Array {
  return chains[0].sum.map((_, i) => {
    const means = chains.map(({ sum, draws }) => sum[i] / draws);
    const within = meanOf(chains.map(({ square, draws }, k) => Math.max(0, square[i] / draws - means[k] ** 2)));
    const between = chains.length < 2 ? 0 : sumOfSquares(means, meanOf(means)) / (chains.length - 1);
    return within > 0 ? Math.sqrt((within + between) / within) : 1;
  });
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const sumOfSquares = (values: readonly number[], mean: number): number =>
  values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
