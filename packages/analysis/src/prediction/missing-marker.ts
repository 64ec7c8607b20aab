/** What a model knows of the training population, one entry a marker. */
export interface TrainingMeans {
  /** Frequency of A2. */
  freqA2: Float64Array;
  /** Observed share of heterozygotes; in polyploids see `ModelMarkers`. */
  heterozygosity: Float64Array;
  /** Copies of A2 in a homozygote; 2 unless told. */
  ploidy?: number;
}

/**
 * What marker `j` adds to a genetic value where its genotype is not known: its mean in the training population, the
 * mean dosage times the additive effect plus the observed heterozygosity times the dominance effect. In a population
 * that is not in Hardy-Weinberg equilibrium the observed heterozygosity differs from 2pq, so both predictions of
 * individuals and of crosses take it from here.
 */
export function missingMarkerValue(
  { freqA2, heterozygosity, ploidy = 2 }: TrainingMeans,
  { additive, dominance }: { additive: Float64Array; dominance: Float64Array | null },
  j: number,
): number {
  return ploidy * freqA2[j] * additive[j] + (dominance === null ? 0 : heterozygosity[j] * dominance[j]);
}
