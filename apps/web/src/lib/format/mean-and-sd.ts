/** Mean and standard deviation (n − 1); no deviation of fewer than two values. */
export function meanAndSd(values: readonly number[]): { mean: number | null; sd: number | null } {
  const n = values.length;
  if (n === 0) return { mean: null, sd: null };
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  if (n === 1) return { mean, sd: null };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sd: Math.sqrt(squares / (n - 1)) };
}
