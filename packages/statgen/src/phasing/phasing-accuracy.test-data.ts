/** Haplotypes of one individual along one chromosome, 0 or 1 per marker; 255 = missing. */
export interface HaplotypePair {
  first: Uint8Array;
  second: Uint8Array;
}

export interface PhasingAccuracy {
  /** Pairs of successive true heterozygotes with correct genotypes at both. */
  comparedPairs: number;
  switchErrors: number;
  /** Calls that were missing in the input. */
  filledCalls: number;
  /** Of those, the genotypes (regardless of phase) that match the truth. */
  filledRight: number;
  /** Alleles of the filled calls that match the truth. */
  filledAllelesRight: number;
  /** Observed calls whose genotype was changed; phasing must leave this at 0. */
  changedCalls: number;
}

/**
 * Compares the phased haplotypes of one individual and chromosome with the truth. A switch error is a pair of
 * successive heterozygous markers whose relative phase is wrong; markers with a wrong genotype are ignored (Browning &
 * Browning 2011, Nat Rev Genet 12:703).
 *
 * @param observed dosage per marker as passed to the phasing (0, 1, 2), NaN = missing
 */
export function phasingAccuracy(truth: HaplotypePair, phased: HaplotypePair, observed: Float64Array): PhasingAccuracy {
  const result: PhasingAccuracy = {
    comparedPairs: 0,
    switchErrors: 0,
    filledCalls: 0,
    filledRight: 0,
    filledAllelesRight: 0,
    changedCalls: 0,
  };
  let lastOrientation: boolean | null = null;
  for (let j = 0; j < truth.first.length; j++) {
    const trueDosage = truth.first[j] + truth.second[j];
    const dosage = phased.first[j] + phased.second[j];
    if (Number.isNaN(observed[j])) {
      result.filledCalls++;
      if (dosage === trueDosage) result.filledRight++;
      result.filledAllelesRight += 2 - Math.min(2, Math.abs(dosage - trueDosage));
    } else if (dosage !== observed[j]) {
      result.changedCalls++;
    }
    if (trueDosage !== 1 || dosage !== 1) continue;
    const isSame = phased.first[j] === truth.first[j];
    if (lastOrientation !== null) {
      result.comparedPairs++;
      if (isSame !== lastOrientation) result.switchErrors++;
    }
    lastOrientation = isSame;
  }
  return result;
}
