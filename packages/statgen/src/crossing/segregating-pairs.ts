import type { PhasedParent } from './crossing-genome.ts';

const BITS = 32;

/**
 * Counts, for pairs of parents, the markers at which the four haplotypes have more than one allele. Each parent has
 * two bit sets, built once: the markers with an allele 1 and those with an allele 0. A pair then costs m/32 steps.
 */
export function countSegregatingMarkers(parents: readonly PhasedParent[]): (i: number, j: number) => number {
  const words = Math.ceil((parents.at(0)?.first.length ?? 0) / BITS);
  const hasOne = parents.map(() => new Uint32Array(words));
  const hasZero = parents.map(() => new Uint32Array(words));
  for (const [i, { first, second }] of parents.entries()) {
    for (let j = 0; j < first.length; j++) {
      const bit = 1 << (j % BITS);
      const word = Math.floor(j / BITS);
      if (first[j] === 1 || second[j] === 1) hasOne[i][word] |= bit;
      if (first[j] === 0 || second[j] === 0) hasZero[i][word] |= bit;
    }
  }
  return (i, j) => {
    let count = 0;
    for (let w = 0; w < words; w++) count += ones((hasOne[i][w] | hasOne[j][w]) & (hasZero[i][w] | hasZero[j][w]));
    return count;
  };
}

/** Number of bits set in a 32-bit word (Warren, Hacker's Delight, 2nd ed., figure 5-2). */
function ones(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
