import { gameteOf, gameteOfPopulation, selfedBy, type Transmission, union } from './transmission.ts';

/** Calls of a parent at a marker: 0 … k copies of A2, and not known. */
export const parentCalls = (ploidy: number): number => ploidy + 2;

/** Entries of the table of a marker: child 0 … k, female 0 … k + 1, male 0 … k + 1. */
export const tableSize = (ploidy: number): number => (ploidy + 1) * parentCalls(ploidy) ** 2;

/** Writes the tables of markers, for plants that pass on alleles in one way. */
export interface ProgenyLikelihood {
  /**
   * Natural logarithms of likelihood ratios at one marker: the child has these parents, against the child is any member
   * of the population, for each call of the child and of both parents; entry w²·child + w·female + male with w = k + 2,
   * the parents {@link unknownParent} where they have no call or are not known.
   *
   * Genotyping errors replace a call by one drawn from the population, with the same probability ε for each of the
   * calls (Marshall et al. 1998; corrected by Kalinowski, Taper & Marshall 2007, Mol Ecol 16:1099): a parent that is
   * replaced is as good as unknown, a child that is replaced as good as any. The transmission follows the generations
   * of selfing after the cross. An unknown parent transmits A2 with its frequency p.
   *
   * @param p frequency of A2, 0 < p < 1
   */
  fillRatios(table: Float64Array, offset: number, p: number): void;
  /** Probabilities of 0 … k copies in the population. */
  population(p: number): number[];
}

/**
 * @param heterozygosity 2^−t for t generations of selfing after the cross: 1 for none, 0 for a fully inbred line, whose
 *   heterozygous calls say nothing
 */
export function createProgenyLikelihood(transmission: Transmission, heterozygosity: number): ProgenyLikelihood {
  const { ploidy = 2, errorRate } = transmission;
  const width = parentCalls(ploidy);
  const unknown = width - 1;
  const right = 1 - errorRate;
  const selfed = selfedBy(heterozygosity, transmission);
  const gametes = Array.from({ length: ploidy + 1 }, (_, copies) => gameteOf(copies, transmission));
  const known = gametes.map((female) => gametes.map((male) => selfed(union(female, male))));
  const population = (p: number): number[] => {
    const gamete = gameteOfPopulation(p, ploidy);
    return selfed(union(gamete, gamete));
  };
  return {
    population,
    fillRatios(table, offset, p) {
      const any = population(p);
      const ofPopulation = gameteOfPopulation(p, ploidy);
      const single = [...gametes.map((gamete) => selfed(union(gamete, ofPopulation))), any];
      for (let female = 0; female < width; female++) {
        for (let male = 0; male < width; male++) {
          const both = female === unknown ? single[male] : male === unknown ? single[female] : known[female][male];
          for (let child = 0; child <= ploidy; child++) {
            // The three calls are right; only that of the male, of the female or of the child is wrong; more are
            // wrong. An unknown parent has no call that could be wrong, and the formula gives its case of itself.
            const likelihood =
              right ** 3 * both[child] +
              errorRate * right ** 2 * (single[female][child] + single[male][child] + any[child]) +
              (3 * errorRate ** 2 * right + errorRate ** 3) * any[child];
            table[offset + width * (width * child + female) + male] =
              any[child] > 0 ? Math.log(likelihood / any[child]) : 0;
          }
        }
      }
    },
  };
}

/** Entries of {@link fillMomentsOfWrongParent}. */
export const momentsSize = (ploidy: number): number => 4 * parentCalls(ploidy) ** 2;

/**
 * Mean and variance, at one marker, of the ln likelihood ratio of two parents against the first of them alone, when the
 * second is any member of the population: entries 2·(w·first + second) and the next. From 2w² on those of both parents
 * against no relation, when neither is a parent.
 *
 * @param ratios those of `fillRatios` for the same marker
 * @param population probabilities of 0 … k copies
 */
export function fillMomentsOfWrongParent(
  moments: Float64Array,
  offset: number,
  ratios: Float64Array,
  population: readonly number[],
): void {
  const width = population.length + 1;
  for (const [part, isFirstRight] of [true, false].entries()) {
    for (let first = 0; first < width; first++) {
      const right = width * (isFirstRight ? first : width - 1) + width - 1;
      for (let second = 0; second < width; second++) {
        let [mean, square] = [0, 0];
        for (const [child, share] of population.entries()) {
          const alone = ratios[width * width * child + right];
          const ratio = ratios[width * width * child + width * first + second] - alone;
          const probability = share * Math.exp(alone);
          mean += probability * ratio;
          square += probability * ratio ** 2;
        }
        const at = offset + 2 * (width * width * part + width * first + second);
        moments[at] = mean;
        moments[at + 1] = Math.max(0, square - mean ** 2);
      }
    }
  }
}
