import { recombination, type StackLoci } from './gametes.ts';

/**
 * Expected share of the recurrent parent in a plant of the t-th backcross that was taken at random among those with
 * all targets: 1 − ½ mean q(x)^t over the genome, where q(x) is the probability that a gamete has the donor's allele
 * at x given that it has the donor's alleles at the nearest targets on both sides: ½ on other chromosomes, 1 − r beside
 * one target, (1 − r₁)(1 − r₂)/(1 − r₁₂) between two (Hospital & Charcosset 1997, Genetics 147:1469; one target:
 * 1 − (1 − r)^t/2).
 *
 * @param lengths Morgan by chromosome; chromosomes of the loci count from 0
 */
export function recurrentShare(loci: StackLoci, lengths: readonly number[], backcrosses: number): number {
  let donor = 0;
  let genome = 0;
  for (const [c, length] of lengths.entries()) {
    genome += length;
    const at = loci.morgan.filter((_, i) => loci.chromosome[i] === c);
    if (at.length === 0) {
      donor += length * 0.5 ** backcrosses;
      continue;
    }
    const edges = [0, ...at, length];
    for (let k = 0; k + 1 < edges.length; k++) {
      const [from, to] = [edges[k], edges[k + 1]];
      const share = (x: number): number => {
        const left = k === 0 ? null : staysBeside(x - from);
        const right = k + 2 === edges.length ? null : staysBeside(to - x);
        if (left === null || right === null) return (left ?? right ?? 0.5) ** backcrosses;
        return ((left * right) / staysBeside(to - from)) ** backcrosses;
      };
      donor += simpson(share, from, to);
    }
  }
  return genome === 0 ? 1 : 1 - donor / genome / 2;
}

/** 1 − r at a distance in Morgan. */
const staysBeside = (morgan: number): number => 1 - recombination({ chromosome: [0, 0], morgan: [0, morgan] }, 0, 1);

/** ∫ by Simpson's rule in steps of at most ½ cM: error below 1e-9 for these smooth functions. */
function simpson(f: (x: number) => number, from: number, to: number): number {
  const steps = 2 * Math.max(1, Math.ceil((to - from) / 0.01));
  const h = (to - from) / steps;
  if (h === 0) return 0;
  let sum = f(from) + f(to);
  for (let k = 1; k < steps; k++) sum += (k % 2 === 1 ? 4 : 2) * f(from + k * h);
  return (sum * h) / 3;
}
