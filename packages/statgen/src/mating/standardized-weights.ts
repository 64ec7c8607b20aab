/**
 * Shares of traits in an index of standardized values, from the importance of each (≥ 0): they sum to 1. Undefined when
 * none has any.
 */
export function indexShares(importance: readonly number[]): number[] | undefined {
  const total = importance.reduce((sum, one) => sum + one, 0);
  return total > 0 ? importance.map((one) => one / total) : undefined;
}

/**
 * Weight per unit of a trait: its share over the standard deviation of its values, rounded to what is shown, so that
 * the shown weights give the same index again. A trait that does not vary keeps its share.
 */
export const standardizedWeight = (share: number, sd: number): number => Number((share / (sd || 1)).toPrecision(3));
