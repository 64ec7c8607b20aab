/** How hits are put together. */
export interface ClumpingRule {
  /** Largest p of the marker that a clump is named after. */
  p1: number;
  /** Largest p of its other markers. */
  p2: number;
  /** Smallest r² of a marker with it. */
  r2: number;
  /** Largest distance from it, in base pairs. */
  bp: number;
}

/** Markers of a clump, as places in the input. */
export interface Clump {
  index: number;
  /** In the order of the input. */
  members: number[];
}

/** Tested markers, one entry each: those with p up to `p2` suffice. */
export interface ClumpedMarkers {
  /** Equal for markers of the same chromosome. */
  chromosome: Int32Array;
  positionBp: Float64Array;
  /** Orders the markers where p underflows. */
  negLog10P: Float64Array;
}

/**
 * Puts the hits of a GWAS together by LD, as `plink --clump` does: the strongest marker takes those around it that are
 * in LD with it, then the strongest of the rest, and so on. A marker is in one clump at most. O(clumps × markers).
 *
 * @param r2Of r² of two of these markers, NaN where there is none
 * @returns clumps by ascending p
 */
export function clumpByLd(
  r2Of: (index: number, other: number) => number,
  { chromosome, positionBp, negLog10P }: ClumpedMarkers,
  { p1, p2, r2, bp }: ClumpingRule,
): Clump[] {
  const strongest = -Math.log10(p1);
  const weakest = -Math.log10(p2);
  const order = Array.from(negLog10P.keys()).sort((a, b) => negLog10P[b] - negLog10P[a] || a - b);
  const taken = new Uint8Array(negLog10P.length);
  const clumps: Clump[] = [];
  for (const index of order) {
    if (negLog10P[index] < strongest) break;
    if (taken[index] === 1) continue;
    taken[index] = 1;
    const members: number[] = [];
    for (let j = 0; j < negLog10P.length; j++) {
      if (taken[j] === 1 || chromosome[j] !== chromosome[index] || negLog10P[j] < weakest) continue;
      if (Math.abs(positionBp[j] - positionBp[index]) > bp) continue;
      if (!(r2Of(index, j) >= r2)) continue;
      taken[j] = 1;
      members.push(j);
    }
    clumps.push({ index, members });
  }
  return clumps;
}
