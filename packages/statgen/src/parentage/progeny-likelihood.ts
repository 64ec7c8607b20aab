/** In place of 0, 1 or 2 copies of A2: the parent is not known, and its gamete is drawn from the population. */
export const UNKNOWN_PARENT = 3;

/** Entries of the table of a marker: child 0–2, female 0–3, male 0–3. */
export const TABLE_SIZE = 48;

/**
 * Natural logarithms of likelihood ratios at one marker: the child has these parents, against the child is any member
 * of the population, for each call of the child and of both parents; entry 16·child + 4·female + male, the parents
 * {@link UNKNOWN_PARENT} where they have no call or are not known.
 *
 * Genotyping errors replace a call by one drawn from the population, with the same probability ε for each of the calls
 * (Marshall et al. 1998; corrected by Kalinowski, Taper & Marshall 2007, Mol Ecol 16:1099): a parent that is replaced
 * is as good as unknown, a child that is replaced as good as any. The transmission follows the generations of selfing
 * after the cross. An unknown parent transmits A2 with its frequency p.
 *
 * @param p frequency of A2, 0 < p < 1
 * @param heterozygosity 2^−t for t generations of selfing after the cross: 1 for none, 0 for a fully inbred line, whose
 *   heterozygous calls say nothing
 * @param errorRate ε, 0 < ε < 1
 */
export function fillLikelihoodRatios(
  table: Float64Array,
  offset: number,
  { p, heterozygosity, errorRate }: { p: number; heterozygosity: number; errorRate: number },
): void {
  const right = 1 - errorRate;
  const ofChild = (child: number, female: number, male: number): number =>
    progenyProbability(child, gamete(female, p), gamete(male, p), heterozygosity);
  for (let child = 0; child < 3; child++) {
    const any = ofChild(child, UNKNOWN_PARENT, UNKNOWN_PARENT);
    for (let female = 0; female < 4; female++) {
      for (let male = 0; male < 4; male++) {
        const ofFemale = ofChild(child, female, UNKNOWN_PARENT);
        const ofMale = ofChild(child, UNKNOWN_PARENT, male);
        // The three calls are right; only that of the male, of the female or of the child is wrong; more are wrong.
        // An unknown parent has no call that could be wrong, and the formula gives its case of itself.
        const likelihood =
          right ** 3 * ofChild(child, female, male) +
          errorRate * right ** 2 * (ofFemale + ofMale + any) +
          (3 * errorRate ** 2 * right + errorRate ** 3) * any;
        table[offset + 16 * child + 4 * female + male] = any > 0 ? Math.log(likelihood / any) : 0;
      }
    }
  }
}

/** Entries of {@link fillMomentsOfWrongParent}. */
export const MOMENTS_SIZE = 64;

/**
 * Mean and variance, at one marker, of the ln likelihood ratio of two parents against the first of them alone, when the
 * second is any member of the population: entries 2·(4·first + second) and the next. From 32 on those of both parents
 * against no relation, when neither is a parent.
 *
 * @param ratios those of {@link fillLikelihoodRatios} for the same marker
 */
export function fillMomentsOfWrongParent(
  moments: Float64Array,
  offset: number,
  ratios: Float64Array,
  { p, heterozygosity }: { p: number; heterozygosity: number },
): void {
  const population = [0, 1, 2].map((child) => progenyProbability(child, p, p, heterozygosity));
  for (const [part, isFirstRight] of [true, false].entries()) {
    for (let first = 0; first < 4; first++) {
      const right = 4 * (isFirstRight ? first : UNKNOWN_PARENT) + UNKNOWN_PARENT;
      for (let second = 0; second < 4; second++) {
        let [mean, square] = [0, 0];
        for (let child = 0; child < 3; child++) {
          const alone = ratios[16 * child + right];
          const ratio = ratios[16 * child + 4 * first + second] - alone;
          const probability = population[child] * Math.exp(alone);
          mean += probability * ratio;
          square += probability * ratio ** 2;
        }
        const at = offset + 32 * part + 2 * (4 * first + second);
        moments[at] = mean;
        moments[at + 1] = Math.max(0, square - mean ** 2);
      }
    }
  }
}

/** Probability that a gamete carries A2. */
const gamete = (copies: number, p: number): number => (copies === UNKNOWN_PARENT ? p : copies / 2);

/** Of a child with 0, 1 or 2 copies of A2 after selfing; the gametes carry A2 with probabilities a and b. */
function progenyProbability(child: number, a: number, b: number, heterozygosity: number): number {
  const heterozygous = a * (1 - b) + b * (1 - a);
  const fixed = heterozygous * (1 - heterozygosity);
  if (child === 1) return heterozygous * heterozygosity;
  return child === 2 ? a * b + fixed / 2 : (1 - a) * (1 - b) + fixed / 2;
}
