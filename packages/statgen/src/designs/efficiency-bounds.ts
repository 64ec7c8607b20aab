// Upper bounds of average efficiency factors.

/**
 * Largest harmonic mean of `count` numbers with a given mean and at least a given sum of squared deviations from it:
 * all but one are equal (Jarrett 1977; John & Williams 1995, section 2.8).
 */
function harmonicBound(count: number, mean: number, squares: number): number {
  if (count < 2) return mean;
  const deviation = Math.sqrt(Math.max(0, squares) / (count * (count - 1)));
  return mean - ((count - 1) * deviation ** 2) / (mean + (count - 2) * deviation);
}

/** Least sum of squares of `count` whole numbers with a given sum. */
function leastSquares(count: number, sum: number): number {
  const low = Math.floor(sum / count);
  const high = sum - count * low;
  return (count - high) * low ** 2 + high * (low + 1) ** 2;
}

/**
 * Of resolvable designs with r replicates of s blocks of k plots, v = sk lines. The blocks leave r(s − 1) canonical
 * efficiency factors that may differ from 1, with mean (r − 1)/r, which gives
 * (v − 1)(r − 1)/[(v − 1)(r − 1) + r(s − 1)] (Patterson & Williams 1976, Biometrika 63:83; Patterson, Williams & Hunter
 * 1978, J. Agric. Sci. 90:395). It is sharpened by the least spread of the numbers of lines that two blocks share, and
 * where there are more blocks than lines, by that of the concurrences of lines (Jarrett 1977; John & Williams 1995).
 */
export function resolvableBound(v: number, k: number, r: number): number {
  const s = v / k;
  if (s === 1) return 1;
  const rank = r * (s - 1);
  const bounds: number[] = [];
  if (rank <= v - 1 && r > 1) {
    // θ = 1 − e are the eigenvalues of N′N/(rk) besides one 1 and r − 1 zeros.
    const shared = (r * (r - 1) * s * leastSquares(s, k)) / 2;
    const ofTheta = (r * s * k ** 2 + 2 * shared) / (r * k) ** 2 - 1;
    const squares = ofTheta - rank * (1 / r) ** 2;
    bounds.push((v - 1) / (v - 1 - rank + rank / harmonicBound(rank, (r - 1) / r, squares)));
  }
  // From the lines: C/r = I − NN′/(rk).
  const pairs = (v * (v - 1)) / 2;
  const together = (r * v * (k - 1)) / 2;
  const ofLines = (v * r ** 2 + 2 * leastSquares(pairs, together)) / (r * k) ** 2 - 1;
  const meanLoss = (s - 1) / (v - 1);
  bounds.push(harmonicBound(v - 1, 1 - meanLoss, ofLines - (v - 1) * meanLoss ** 2));
  return Math.min(...bounds);
}

/**
 * Of row-column designs with r replicates, each of p rows and q columns, v = pq lines: rows and columns leave at most
 * r(p − 1) + r(q − 1) canonical efficiency factors that differ from 1, and these lose p + q − 2 in all, so that
 * 1/E ≥ 1/E_rows + 1/E_columns − 1 (John & Williams 1995, chapter 5).
 */
export function rowColumnBound(p: number, q: number, r: number): number {
  const v = p * q;
  const loss = p - 1 + (q - 1);
  const rank = Math.min(v - 1, r * loss);
  if (rank <= loss) return 0;
  return (v - 1) / (v - 1 - rank + rank / (1 - loss / rank));
}
