import { type ParentScores, SCORE_BLOCK, type ScoredChild } from './parent-scores.ts';
import {
  fillLikelihoodRatios,
  fillMomentsOfWrongParent,
  MOMENTS_SIZE,
  TABLE_SIZE,
  UNKNOWN_PARENT,
} from './progeny-likelihood.ts';

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
  errorRate: number,
): ParentScores & Support {
  const zeros = (): Float64Array => new Float64Array(doubted.length);
  const support: Support = { observed: zeros(), mean: zeros(), variance: zeros() };
  const kinds = [...new Set(children.map(({ heterozygosity }) => heterozygosity))];
  const ratios = new Float64Array(kinds.length * SCORE_BLOCK * TABLE_SIZE);
  const moments = new Float64Array(kinds.length * SCORE_BLOCK * MOMENTS_SIZE);
  return {
    ...support,
    add(codes, frequencies) {
      const count = frequencies.length;
      for (const [kind, heterozygosity] of kinds.entries()) {
        for (let j = 0; j < count; j++) {
          const marker = kind * count + j;
          const options = { p: frequencies[j], heterozygosity, errorRate };
          fillLikelihoodRatios(ratios, marker * TABLE_SIZE, options);
          fillMomentsOfWrongParent(moments, marker * MOMENTS_SIZE, ratios.subarray(marker * TABLE_SIZE), options);
        }
      }
      for (const [k, { child, female, male, right }] of doubted.entries()) {
        const { individual, heterozygosity } = children[child];
        const first = kinds.indexOf(heterozygosity) * count;
        const codeOf = (parent: number, j: number): number => (parent < 0 ? UNKNOWN_PARENT : codes[parent * count + j]);
        const other = right === female ? male : female;
        for (let j = 0; j < count; j++) {
          const own = codes[individual * count + j];
          if (own === UNKNOWN_PARENT) continue;
          // Without a right parent both are doubted, and what is right is nobody.
          const [kept, doubtedOne] = right < 0 ? [female, male] : [right, other];
          const pair = 4 * codeOf(kept, j) + codeOf(doubtedOne, j);
          const alone = 4 * codeOf(right, j) + UNKNOWN_PARENT;
          const table = (first + j) * TABLE_SIZE + 16 * own;
          support.observed[k] += ratios[table + pair] - ratios[table + alone];
          const at = (first + j) * MOMENTS_SIZE + (right < 0 ? 32 : 0) + 2 * pair;
          support.mean[k] += moments[at];
          support.variance[k] += moments[at + 1];
        }
      }
    },
  };
}
