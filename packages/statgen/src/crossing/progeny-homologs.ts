import type { Homolog } from './meiosis.ts';

/**
 * Homologs of simulated progeny as segments, one progeny after the other (those of a line are identical): those of
 * homolog h are at `first[h]` … `first[h + 1] − 1`. A segment begins at marker `start` and comes from parental
 * haplotype `origin`, with the plants of the female side first: 2k and 2k + 1 are those of plant k.
 */
export interface ProgenyHomologs {
  /** 2 × progeny + 1 entries; of polyploids ploidy × progeny + 1. */
  first: Int32Array;
  start: Int32Array;
  origin: Uint8Array;
}

const INITIAL_SEGMENTS = 1024;

/** Gathers the segments of so many homologs. */
export function createSegmentStore(homologs: number): {
  add: (homolog: Homolog) => void;
  homologs: () => ProgenyHomologs;
} {
  const first = new Int32Array(homologs + 1);
  let start = new Int32Array(INITIAL_SEGMENTS);
  let origin = new Uint8Array(INITIAL_SEGMENTS);
  let added = 0;
  let count = 0;
  return {
    add(homolog) {
      if (count + homolog.count > start.length) {
        const room = 2 * (count + homolog.count);
        start = extended(start, new Int32Array(room));
        origin = extended(origin, new Uint8Array(room));
      }
      start.set(homolog.start.subarray(0, homolog.count), count);
      origin.set(homolog.origin.subarray(0, homolog.count), count);
      count += homolog.count;
      first[++added] = count;
    },
    homologs: () => ({ first, start: start.slice(0, count), origin: origin.slice(0, count) }),
  };
}

function extended<A extends Int32Array | Uint8Array>(values: A, longer: A): A {
  longer.set(values);
  return longer;
}

/**
 * Reads the alleles of progeny marker by marker: writes one allele per homolog for a mapped marker,
 * taken from the parental haplotypes. Markers may be read in any order; reading along the genome costs O(1) per
 * homolog.
 */
export function createAlleleReader(
  homologs: ProgenyHomologs,
  haplotypes: readonly Uint8Array[],
): (marker: number, alleles: Uint8Array) => void {
  const { first, start, origin } = homologs;
  const at = first.slice(0, -1);
  return (marker, alleles) => {
    for (let h = 0; h < at.length; h++) {
      let s = at[h];
      while (s > first[h] && start[s] > marker) s--;
      while (s + 1 < first[h + 1] && start[s + 1] <= marker) s++;
      at[h] = s;
      alleles[h] = haplotypes[origin[s]][marker];
    }
  };
}
