/**
 * Expected share of homozygotes at a marker in Hardy–Weinberg equilibrium, 1 − 2pq with the panel's frequencies, as in
 * `plink --het` and `plink2 --het` (their option `small-sample` multiplies 2pq by 2n/(2n − 1), Nei 1978, Genetics
 * 89:583).
 *
 * @param called individuals with a call
 * @param copiesA2 copies of A2 among them
 * @returns 1 for a monomorphic marker and for one without calls
 */
export function expectedHomozygosity(called: number, copiesA2: number): number {
  if (called === 0) return 1;
  const p = copiesA2 / (2 * called);
  return 1 - 2 * p * (1 - p);
}

/**
 * Inbreeding coefficient of an individual by the method of moments, F = (O − E)/(N − E), as in `plink --het` (Purcell
 * et al. 2007, Am J Hum Genet 81:559). F = 0 is expected under random mating of this panel, F = 1 is full
 * homozygosity, and a negative F is an excess of heterozygotes. It is relative to the allele frequencies of the panel.
 *
 * @param homozygous O, homozygous calls of the individual
 * @param expected E, the sum of {@link expectedHomozygosity} over its called markers
 * @param called N, its called markers
 * @returns NaN when no polymorphic marker is called
 */
export function inbreedingCoefficient(homozygous: number, expected: number, called: number): number {
  const variable = called - expected;
  return variable > 1e-9 ? (homozygous - expected) / variable : Number.NaN;
}
