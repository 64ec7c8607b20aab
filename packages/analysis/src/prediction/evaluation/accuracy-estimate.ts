/** H² of the values of a trait after Cullis, H² of its entry means, or the share that the kinships explain. */
export type HeritabilityBasis = 'cullis' | 'entry-mean' | 'genomic';

export interface Heritability {
  /** Above 0, at most 1. */
  h2: number;
  basis: HeritabilityBasis;
}

/** Predictive ability over the square root of the heritability: the correlation with the genetic value, estimated. */
export interface AccuracyEstimate extends Heritability {
  /** Of r on pooled predictions, or of the mean of r within groups that are left out. */
  value: number;
  /** What a value beyond 1 means; null for others. */
  note: string | null;
}

/**
 * r / √h² (Legarra et al. 2008, Genetics 180:611); not cut off at 1, because that would hide that r or h² is off.
 *
 * @returns null without r or h²
 */
export function accuracyOf(r: number | null, heritability: Heritability | null): AccuracyEstimate | null {
  if (r === null || heritability === null) return null;
  const value = r / Math.sqrt(heritability.h2);
  return { value, ...heritability, note: noteOnAccuracy(value) };
}

/** What a value beyond 1 means; null for others. */
export function noteOnAccuracy(value: number): string | null {
  if (Math.abs(value) <= 1) return null;
  const [where, limit] = value > 1 ? ['Above 1', '1'] : ['Below −1', '−1'];
  return `${where}, which no correlation is: r and the heritability are both estimated with error, most with few individuals or a low heritability, and differences between families or groups add to r. Read it as close to ${limit}.`;
}

/**
 * The H² of adjusted means that goes into accuracies: Cullis' where there are variance components, since that of the
 * entry means is an approximation for unbalanced trials; undefined where the design gives none.
 *
 * @param estimates null or absent where not estimable
 */
export function heritabilityOfMeans({
  cullis,
  entryMean,
}: {
  cullis: number | null | undefined;
  entryMean: number | null | undefined;
}): { h2: number; basis: 'cullis' | 'entry-mean' } | undefined {
  if (typeof cullis === 'number') return { h2: cullis, basis: 'cullis' };
  return typeof entryMean === 'number' ? { h2: entryMean, basis: 'entry-mean' } : undefined;
}
