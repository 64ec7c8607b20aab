/** How progeny would be selected. */
export interface Selection {
  /** Standardised selection differential. */
  intensity: number;
  /** 0–1. */
  accuracy: number;
  /** Low values are wanted. */
  isLow: boolean;
}

/** Usefulness of a cross (Schnell & Utz 1975): the expected mean of its progeny after selection. */
export const usefulnessOf = (
  { mean, sd }: { mean: number; sd: number },
  { intensity, accuracy, isLow }: Selection,
): number => mean + (isLow ? -1 : 1) * intensity * accuracy * sd;

/** The better of two values. */
export const directed = (one: number, other: number, { isLow }: Pick<Selection, 'isLow'>): number =>
  isLow ? Math.min(one, other) : Math.max(one, other);
