import { StatgenError } from '../statgen-error.ts';

/** Probability of an exact test. `p` underflows to 0 where `negLog10P` is still exact. */
export interface HardyWeinbergTest {
  p: number;
  negLog10P: number;
}

/** Two tables of equal probability differ only by rounding: their weights are products of up to n ratios. */
const TIE = 1 + 1e-9;
/** Once the next term of a unimodal tail is this small, the rest adds nothing to a double. */
const NEGLIGIBLE = 1e-20;
/** Weights below this are rescaled by its inverse, counting the rescalings. */
const SMALL = 2 ** -600;
const LOG10_SMALL = 600 * Math.log10(2);

/**
 * Exact test of Hardy–Weinberg equilibrium for one biallelic marker (Wigginton, Cutler & Abecasis 2005, Am J Hum Genet
 * 76:887, doi:10.1086/429864): conditional on the allele counts, the total probability of all heterozygote counts that
 * are at most as probable as the observed one,
 * P(h) ∝ 2^h n! / (h! (n_A1A1)! (n_A2A2)!). Two-sided, without mid-p correction, as `plink --hardy` without `midp`.
 *
 * Builds the weights outwards from the most probable heterozygote count by ratios of neighbours. O(copies of the rarer
 * allele) at worst; allocates only the result.
 *
 * @param heterozygotes individuals with both alleles; missing calls are not counted
 * @param into receives the result; a marker without calls and a monomorphic one have p = 1
 * @throws StatgenError `bad-option` when a count is negative or not an integer
 */
export function hardyWeinbergTest(
  heterozygotes: number,
  homozygotesA1: number,
  homozygotesA2: number,
  into: HardyWeinbergTest = { p: 1, negLog10P: 0 },
): HardyWeinbergTest {
  const n = heterozygotes + homozygotesA1 + homozygotesA2;
  if (!(Math.min(heterozygotes, homozygotesA1, homozygotesA2) >= 0 && Number.isSafeInteger(n))) {
    throw new StatgenError('bad-option', 'counts of genotypes must be whole numbers from 0 on', {
      heterozygotes,
      homozygotesA1,
      homozygotesA2,
    });
  }
  const rare = heterozygotes + 2 * Math.min(homozygotesA1, homozygotesA2);
  const mode = mostProbable(n, rare);
  into.p = 1;
  into.negLog10P = 0;
  if (heterozygotes === mode) return into;

  // From the mode to the observed count: its weight, as weight · SMALL^scale with weight 1 at the mode.
  const step = heterozygotes < mode ? -2 : 2;
  let weight = 1;
  let scale = 0;
  let sum = 1;
  for (let h = mode; h !== heterozygotes; h += step) {
    weight *= ratio(n, rare, h, step);
    if (scale === 0) sum += weight;
    if (weight < SMALL) {
      weight /= SMALL;
      scale++;
    }
  }
  // As probable as the mode: two counts share the largest probability.
  if (scale === 0 && weight * TIE >= 1) return into;
  // Beyond the observed count, relative to its weight.
  let tail = 1;
  for (let h = heterozygotes, term = 1; term > NEGLIGIBLE * tail; h += step) {
    term *= ratio(n, rare, h, step);
    tail += term;
  }
  if (scale === 0) sum += weight * (tail - 1);
  // The other side: all of it belongs to the sum; counts at most as probable as the observed one belong to the tail.
  let other = 1;
  let otherScale = 0;
  for (let h = mode, ended = false; !ended; h -= step) {
    other *= ratio(n, rare, h, -step);
    if (otherScale === 0) sum += other;
    if (other < SMALL && other > 0) {
      other /= SMALL;
      otherScale++;
    }
    const relative = (other / weight) * (otherScale === scale ? 1 : SMALL ** (otherScale - scale));
    if (relative <= TIE) tail += relative;
    ended = other === 0 || (relative < NEGLIGIBLE * tail && (otherScale > 0 || other < NEGLIGIBLE * sum));
  }
  const share = (tail * weight) / sum;
  into.p = Math.min(1, share * SMALL ** scale);
  // + 0 avoids −0: −log10(1) is −0.
  into.negLog10P = Math.max(0, scale * LOG10_SMALL - Math.log10(share)) + 0;
  return into;
}

/** P(h + step) / P(h) for n individuals with `rare` copies of the rarer allele; 0 beyond the ends. */
function ratio(n: number, rare: number, h: number, step: number): number {
  const homozygotesRare = (rare - h) / 2;
  const homozygotesCommon = n - h - homozygotesRare;
  return step > 0
    ? (4 * homozygotesRare * homozygotesCommon) / ((h + 2) * (h + 1))
    : (h * (h - 1)) / (4 * (homozygotesRare + 1) * (homozygotesCommon + 1));
}

/** The most probable heterozygote count; it has the parity of `rare`. */
function mostProbable(n: number, rare: number): number {
  if (n === 0) return 0;
  let h = Math.floor((rare * (2 * n - rare)) / (2 * n));
  if ((h - rare) % 2 !== 0) h++;
  while (ratio(n, rare, h, 2) > 1) h += 2;
  while (ratio(n, rare, h, -2) > 1) h -= 2;
  return h;
}
