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

/** Sums of numbers: exactly, at least of their squares, and at least of their cubes where that is known. */
interface Moments {
  sum: number;
  squares: number;
  cubes?: number;
}

/**
 * What Σ scale/(high − λ) of `count` numbers λ in [low, high) is at least. The function lies above every polynomial
 * that touches it where the polynomial has no larger value: of degree 2 at `low` and doubly at one place, of degree 3
 * doubly at two places, those of Gauss for the moments. Polynomials whose terms of degree 2 and 3 are positive fall
 * with the sums of squares and cubes, so that these need be known from below only. Divided differences of 1/(high − λ)
 * are products of such terms, from which the signs follow.
 */
function leastSum(count: number, range: { low: number; high: number; scale: number }, moments: Moments): number {
  const { low, high, scale } = range;
  const { sum, squares, cubes } = moments;
  const value = (at: number): number => scale / (high - at);
  const mean = sum / count;
  const variance = squares / count - mean ** 2;
  const bounds = [value(mean)];
  if (variance > NO_VARIANCE * high ** 2) {
    const upper = mean + variance / (mean - low);
    const atLow = variance / (variance + (mean - low) ** 2);
    if (upper < high) bounds.push(atLow * value(low) + (1 - atLow) * value(upper));
    if (cubes !== undefined) {
      const third = cubes / count - (3 * mean * squares) / count + 2 * mean ** 3;
      const skew = third / variance;
      const root = Math.sqrt(skew ** 2 + 4 * variance);
      const [one, other] = [(skew - root) / 2, (skew + root) / 2];
      const ofOne = other / (other - one);
      const isValid = mean + other < high && 2 * (2 * mean + one + other) <= high;
      if (isValid) bounds.push(ofOne * value(mean + one) + (1 - ofOne) * value(mean + other));
    }
  }
  return count * Math.max(...bounds);
}

/** A variance below this share of the squared range is rounding. */
const NO_VARIANCE = 1e-12;

/**
 * Of resolvable designs with r replicates of s blocks of k plots, v = sk lines. The blocks leave r(s − 1) canonical
 * efficiency factors that may differ from 1, with mean (r − 1)/r, which gives
 * (v − 1)(r − 1)/[(v − 1)(r − 1) + r(s − 1)] (Patterson & Williams 1976, Biometrika 63:83; Patterson, Williams & Hunter
 * 1978, J. Agric. Sci. 90:395). It is sharpened by
 * - the least spread of the numbers of lines that two blocks share, and where there are more blocks than lines, by that
 *   of the concurrences of lines (Jarrett 1977; John & Williams 1995);
 * - canonical efficiency factors being at most 1, and triangles: the r blocks of a line meet each other, and so do the
 *   k lines of a block, which keeps the third moment from being small (triangles: Paterson & Wild 1986, Biometrika
 *   73:289; the inequality is that of `leastSum`).
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
    // λ of N′N − kI, the numbers of shared lines, besides (r − 1)k once and −k in r − 1 contrasts of replicates.
    const moments = {
      sum: 0,
      squares: 2 * shared - ((r - 1) * k) ** 2 - (r - 1) * k ** 2,
      cubes: v * r * (r - 1) * (r - 2) - ((r - 1) * k) ** 3 + (r - 1) * k ** 3,
    };
    bounds.push((v - 1) / (v - 1 - rank + leastSum(rank, { low: -k, high: (r - 1) * k, scale: r * k }, moments)));
  }
  if (r === 2) bounds.push(boundOfTwo(v, s - 1, leastSquares(s * s, v) / k ** 2 - 1));
  // From the lines: C/r = I − NN′/(rk).
  const pairs = (v * (v - 1)) / 2;
  const together = (r * v * (k - 1)) / 2;
  const ofLines = (v * r ** 2 + 2 * leastSquares(pairs, together)) / (r * k) ** 2 - 1;
  const meanLoss = (s - 1) / (v - 1);
  bounds.push(harmonicBound(v - 1, 1 - meanLoss, ofLines - (v - 1) * meanLoss ** 2));
  // μ of NN′ − rI, the concurrences, besides r(k − 1) once.
  const top = r * (k - 1);
  const ofConcurrences = {
    sum: -top,
    squares: 2 * leastSquares(pairs, together) - top ** 2,
    cubes: r * s * k * (k - 1) * (k - 2) - top ** 3,
  };
  bounds.push((v - 1) / leastSum(v - 1, { low: -r, high: top, scale: r * k }, ofConcurrences));
  return Math.min(...bounds);
}

/**
 * Of two replicates that each lose `loss` contrasts to their blocks (rows and columns). The spaces of the contrasts of
 * the two have canonical correlations c, and each pair of efficiency factors is (1 ± c)/2, so that the sum of their
 * inverses is 4/(1 − c²): least when all are equal. `overlap` is what Σc² is at least.
 */
function boundOfTwo(v: number, loss: number, overlap: number): number {
  if (2 * loss > v - 1) return 0;
  return (v - 1) / (v - 1 - 2 * loss + (4 * loss) / (1 - Math.max(0, overlap) / loss));
}

/**
 * Of row-column designs with r replicates, each of p rows and q columns, v = pq lines: rows and columns leave at most
 * r(p − 1) + r(q − 1) canonical efficiency factors that differ from 1, and these lose p + q − 2 in all, so that
 * 1/E ≥ 1/E_rows + 1/E_columns − 1 (John & Williams 1995, chapter 5). They differ where rows or columns of two
 * replicates cannot meet equally often: Σc² of two replicates is the sum of squares of how many lines two rows share,
 * over q², and two columns, over p², less 1 each; the least is that of whole numbers. Of more than two replicates it
 * gives the spread of the factors.
 */
export function rowColumnBound(p: number, q: number, r: number): number {
  const v = p * q;
  const loss = p - 1 + (q - 1);
  const rank = Math.min(v - 1, r * loss);
  if (rank <= loss) return 0;
  const overlap = leastSquares(p * p, v) / q ** 2 - 1 + leastSquares(q * q, v) / p ** 2 - 1;
  if (r === 2) return boundOfTwo(v, loss, overlap);
  const squares = (loss + (r - 1) * overlap) / r;
  return (v - 1) / (v - 1 - rank + leastSum(rank, { low: 0, high: 1, scale: 1 }, { sum: loss, squares }));
}
