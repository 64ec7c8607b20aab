import { type ParentScores, SCORE_BLOCK, type ScoredChild } from './parent-scores.ts';
import {
  createProgenyLikelihood,
  fillMomentsOfWrongParent,
  momentsSize,
  parentCalls,
  tableSize,
} from './progeny-likelihood.ts';
import { type Transmission, unknownParent } from './transmission.ts';

/** A child with its parents as recorded, and what is right if one of them is not. */
export interface DoubtedParents {
  /** Position among the children. */
  child: number;
  female: number;
  /** −1 if only one parent is known. */
  male: number;
  /** The parent that is right, one of the two; −1 if there is none, as where both are one plant. */
  right: number;
}

/** By entry of the doubted parents: ln likelihood ratios of the parents recorded against the right one alone. */
export interface Support {
  observed: Float64Array;
  /** Mean and variance of the same if the other parent is any member of the population, markers being independent. */
  mean: Float64Array;
  variance: Float64Array;
}

/** Complete when all blocks are added; O(doubted parents · markers). */
export function createSupport(
  children: readonly ScoredChild[],
  doubted: readonly DoubtedParents[],
  transmission: Transmission,
): ParentScores & Support {
  const { ploidy = 2 } = transmission;
  const [size, width, unknown] = [tableSize(ploidy), parentCalls(ploidy), unknownParent(ploidy)];
  const ofMoments = momentsSize(ploidy);
  const zeros = (): Float64Array => new Float64Array(doubted.length);
  const support: Support = { observed: zeros(), mean: zeros(), variance: zeros() };
  const kinds = [...new Set(children.map(({ heterozygosity }) => heterozygosity))];
  const likelihoods = kinds.map((heterozygosity) => createProgenyLikelihood(transmission, heterozygosity));
  const ratios = new Float64Array(kinds.length * SCORE_BLOCK * size);
  const moments = new Float64Array(kinds.length * SCORE_BLOCK * ofMoments);
  return {
    ...support,
    add(codes, frequencies) {
      const count = frequencies.length;
      for (const [kind, likelihood] of likelihoods.entries()) {
        for (let j = 0; j < count; j++) {
          const marker = kind * count + j;
          const ofMarker = ratios.subarray(marker * size, (marker + 1) * size);
          likelihood.fillRatios(ofMarker, 0, frequencies[j]);
          fillMomentsOfWrongParent(moments, marker * ofMoments, ofMarker, likelihood.population(frequencies[j]));
        }
      }
      for (const [k, { child, female, male, right }] of doubted.entries()) {
        const { individual, heterozygosity } = children[child];
        const first = kinds.indexOf(heterozygosity) * count;
        const codeOf = (parent: number, j: number): number => (parent < 0 ? unknown : codes[parent * count + j]);
        const other = right === female ? male : female;
        for (let j = 0; j < count; j++) {
          const own = codes[individual * count + j];
          if (own === unknown) continue;
          // Without a right parent both are doubted, and what is right is nobody.
          const [kept, doubtedOne] = right < 0 ? [female, male] : [right, other];
          const pair = width * codeOf(kept, j) + codeOf(doubtedOne, j);
          const alone = width * codeOf(right, j) + unknown;
          const table = (first + j) * size + width * width * own;
          support.observed[k] += ratios[table + pair] - ratios[table + alone];
          const at = (first + j) * ofMoments + 2 * ((right < 0 ? width * width : 0) + pair);
          support.mean[k] += moments[at];
          support.variance[k] += moments[at + 1];
        }
      }
    },
  };
}
