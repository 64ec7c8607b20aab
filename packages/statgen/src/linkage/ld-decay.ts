/** Mean r² of the pairs of markers whose distance is at least `from` and less than `to`. */
export interface DecayBin {
  from: number;
  to: number;
  pairs: number;
  /** Mean distance and mean r² of these pairs. */
  distance: number;
  r2: number;
}

/** A chromosome's markers in ascending order of position; `places` index into the planes. */
export interface LinkedMarkers {
  places: Int32Array;
  /** bp or cM. */
  positions: Float64Array;
}

export interface PairSums {
  pairs: Float64Array;
  distance: Float64Array;
  r2: Float64Array;
}

/** Edges 1, 2, 5, 10, 20, 50 … times `unit`, from 0 to beyond `longest`. */
export function decayEdges(unit: number, longest: number): number[] {
  const edges = [0];
  for (let decade = unit; edges[edges.length - 1] <= longest; decade *= 10) {
    for (const factor of [1, 2, 5]) {
      if (edges[edges.length - 1] <= longest) edges.push(factor * decade);
    }
  }
  return edges;
}

/** Pairs of a chromosome's markers in each distance bin; O(markers²). */
export function countPairs({ positions }: LinkedMarkers, edges: readonly number[]): Float64Array {
  const counts = new Float64Array(edges.length - 1);
  for (let i = 0; i < positions.length; i++) {
    let bin = 0;
    for (let j = i + 1; j < positions.length; j++) {
      const distance = positions[j] - positions[i];
      while (bin < counts.length - 1 && distance >= edges[bin + 1]) bin++;
      counts[bin] = counts[bin] + 1;
    }
  }
  return counts;
}

/**
 * Sums of r² over pairs of a chromosome's markers by distance bin. In a bin with more than `quota` pairs every k-th
 * pair is used, with the smallest k that keeps the bin within the quota: the same markers always give the same pairs.
 *
 * @param r2Of r² of two places; NaN where there is none
 * @param counts result of {@link countPairs} with the same edges
 */
export function sumPairs(
  r2Of: (first: number, second: number) => number,
  { places, positions }: LinkedMarkers,
  edges: readonly number[],
  counts: Float64Array,
  quota: number,
): PairSums {
  const bins = edges.length - 1;
  const sums: PairSums = {
    pairs: new Float64Array(bins),
    distance: new Float64Array(bins),
    r2: new Float64Array(bins),
  };
  const every = Int32Array.from(counts, (count) => Math.max(1, Math.ceil(count / quota)));
  const until = new Int32Array(bins);
  for (let i = 0; i < positions.length; i++) {
    let bin = 0;
    for (let j = i + 1; j < positions.length; j++) {
      const distance = positions[j] - positions[i];
      while (bin < bins - 1 && distance >= edges[bin + 1]) bin++;
      if (until[bin] > 0) {
        until[bin]--;
        continue;
      }
      until[bin] = every[bin] - 1;
      const r2 = r2Of(places[i], places[j]);
      if (Number.isNaN(r2)) continue;
      sums.pairs[bin] = sums.pairs[bin] + 1;
      sums.distance[bin] = sums.distance[bin] + distance;
      sums.r2[bin] = sums.r2[bin] + r2;
    }
  }
  return sums;
}

/** The nonempty bins. */
export function binsOf(sums: readonly PairSums[], edges: readonly number[]): DecayBin[] {
  const bins: DecayBin[] = [];
  for (let bin = 0; bin + 1 < edges.length; bin++) {
    const total = (column: keyof PairSums): number => sums.reduce((sum, one) => sum + one[column][bin], 0);
    const pairs = total('pairs');
    if (pairs === 0) continue;
    bins.push({
      from: edges[bin],
      to: edges[bin + 1],
      pairs,
      distance: total('distance') / pairs,
      r2: total('r2') / pairs,
    });
  }
  return bins;
}

/** The smallest distance at which the linearly interpolated means fall to `r2`; null if they never do. */
export function distanceAtMean(bins: readonly DecayBin[], r2: number): number | null {
  const first = bins[0];
  if (first === undefined || first.r2 < r2) return null;
  for (let k = 1; k < bins.length; k++) {
    const before = bins[k - 1];
    const after = bins[k];
    if (after.r2 > r2) continue;
    const share = before.r2 === after.r2 ? 0 : (before.r2 - r2) / (before.r2 - after.r2);
    return before.distance + share * (after.distance - before.distance);
  }
  return null;
}

/**
 * Expected r² at distance d between loci in drift–recombination equilibrium, with low mutation and the noise of a
 * sample (Hill & Weir 1988, Theor Popul Biol 33:54, doi:10.1016/0040-5809(88)90004-4; written out in Remington et al.
 * 2001, PNAS 98:11479): with C = ρ·d, E(r²) = (10 + C)/((2 + C)(11 + C)) · (1 + (3 + C)(12 + 12C + C²)/(n(2 + C)(11 +
 * C))). It falls from about 0.45 to 1/n.
 *
 * @param c ρ·d, where ρ is 4·Ne·(recombination per unit of distance)
 * @param n gametes sampled
 */
export function hillWeir(c: number, n: number): number {
  const product = (2 + c) * (11 + c);
  return ((10 + c) / product) * (1 + ((3 + c) * (12 + 12 * c + c * c)) / (n * product));
}

/** Grid of ρ, spaced by a factor of 10^0.1, on which the search begins. */
const GRID_PER_DECADE = 10;
const SEARCH_STEPS = 80;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * ρ of {@link hillWeir} by least squares on the bin means, weighted by their numbers of pairs.
 *
 * @returns null with fewer than three bins, and when the best ρ lies at the end of the range that the distances can
 * identify: LD does not decay within them, or has decayed before the first
 */
export function fitHillWeir(bins: readonly DecayBin[], n: number): number | null {
  const used = bins.filter((bin) => bin.distance > 0);
  const first = used[0];
  const last = used.at(-1);
  if (used.length < 3 || first === undefined || last === undefined) return null;
  const misfit = (logRho: number): number =>
    used.reduce((sum, bin) => sum + bin.pairs * (bin.r2 - hillWeir(Math.exp(logRho) * bin.distance, n)) ** 2, 0);
  // C from 0.01 at the longest distance to 1,000 at the shortest.
  const low = Math.log(0.01 / last.distance);
  const high = Math.log(1000 / first.distance);
  const points = Math.max(2, Math.ceil(((high - low) / Math.LN10) * GRID_PER_DECADE));
  const step = (high - low) / points;
  let best = 0;
  for (let k = 1; k <= points; k++) if (misfit(low + k * step) < misfit(low + best * step)) best = k;
  if (best === 0 || best === points) return null;
  let left = low + (best - 1) * step;
  let right = low + (best + 1) * step;
  for (let k = 0; k < SEARCH_STEPS; k++) {
    const one = right - GOLDEN * (right - left);
    const two = left + GOLDEN * (right - left);
    if (misfit(one) < misfit(two)) right = two;
    else left = one;
  }
  return Math.exp((left + right) / 2);
}

/** The distance at which the fitted curve falls to `r2`; null when it starts below or never reaches it. */
export function distanceAtCurve(rho: number, n: number, r2: number): number | null {
  if (hillWeir(0, n) < r2 || r2 <= 1 / n) return null;
  let low = -30;
  let high = 30;
  if (hillWeir(Math.exp(high), n) > r2) return null;
  for (let k = 0; k < 200; k++) {
    const middle = (low + high) / 2;
    if (hillWeir(Math.exp(middle), n) > r2) low = middle;
    else high = middle;
  }
  return Math.exp(high) / rho;
}
