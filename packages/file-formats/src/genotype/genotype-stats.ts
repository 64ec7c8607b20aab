/** Figures of every marker and sample, gathered while reading. Markers are in the order of the `.bed`. */
export interface GenotypeStats {
  /**
   * Copies of A2 in a homozygote; 2 unless told. In polyploids `markerHet` and `sampleHet` count plants with both
   * alleles, and `markerDosage` is never null.
   */
  ploidy?: number;
  /** Where samples differ in ploidy. */
  mixed?: MixedPloidies;
  /** Samples without a call, one entry a marker. */
  markerMissing: Int32Array;
  /** Heterozygous samples, one entry a marker. */
  markerHet: Int32Array;
  /**
   * Copies of A2 among called samples, one entry a marker: frequency of A2 = copies / (2 × (samples − missing)). In
   * polyploids plants with both alleles count 1 and those with A2 alone 2.
   */
  markerA2Copies: Int32Array;
  /**
   * Sum of the dosages of A2 among called samples, one entry a marker, where the panel has fractional dosages; null
   * where it has none. The other figures are those of the nearest calls.
   */
  markerDosage: Float64Array | null;
  /** Markers without a call, one entry a sample. */
  sampleMissing: Int32Array;
  /** Heterozygous markers, one entry a sample. */
  sampleHet: Int32Array;
}

/** Samples that differ in ploidy. */
export interface MixedPloidies {
  /** One entry a sample. */
  ploidies: Uint8Array;
  /** One entry a marker: copies of either allele among called samples, by which frequencies are divided. */
  markerChromosomes: Int32Array;
}

/** Copies of either allele of a marker among the samples that have a call. */
export function calledChromosomes(stats: GenotypeStats, samples: number, marker: number): number {
  const { ploidy = 2, mixed, markerMissing } = stats;
  return mixed?.markerChromosomes[marker] ?? ploidy * (samples - markerMissing[marker]);
}
