import { pairPlace } from './plan-limits.ts';

/** A pair of candidates and the usefulness of its progeny. */
export interface RankedPair {
  parents: [number, number];
  mean: number;
  spread: number;
  usefulness: number;
}

/**
 * The pairs with the largest usefulness, mean + intensity·accuracy·sd (Schnell & Utz 1975), best first. All pairs are
 * compared: O(n²) and one sort of the figures, a second for two million pairs.
 *
 * @param value value of each of n candidates
 * @param spread standard deviation within the progeny of each pair, as in `PlanMaterial`
 * @param factor intensity · accuracy
 * @param candidates candidates taken part, ascending
 */
export function rankPairs(
  value: Float64Array,
  spread: Float64Array,
  factor: number,
  candidates: Int32Array,
  most: number,
): RankedPair[] {
  const n = value.length;
  const p = candidates.length;
  const figures = new Float64Array((p * (p - 1)) / 2);
  for (let a = 0, at = 0; a < p; a++) {
    const i = candidates[a];
    for (let b = a + 1; b < p; b++, at++) {
      const j = candidates[b];
      figures[at] = (value[i] + value[j]) / 2 + factor * spread[pairPlace(i, j, n)];
    }
  }
  const least = most >= figures.length ? Number.NEGATIVE_INFINITY : figures.toSorted()[figures.length - most];
  const ranked: RankedPair[] = [];
  for (let a = 0, at = 0; a < p; a++) {
    for (let b = a + 1; b < p; b++, at++) {
      if (!(figures[at] >= least)) continue;
      const [i, j] = [candidates[a], candidates[b]];
      ranked.push({
        parents: [i, j],
        mean: (value[i] + value[j]) / 2,
        spread: spread[pairPlace(i, j, n)],
        usefulness: figures[at],
      });
    }
  }
  ranked.sort((a, b) => b.usefulness - a.usefulness || a.parents[0] - b.parents[0] || a.parents[1] - b.parents[1]);
  return ranked.slice(0, most);
}
