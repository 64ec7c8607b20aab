import { dosageR2 } from '../association/linkage-disequilibrium.ts';
import { dosageClasses, NO_CLASS } from '../genotypes/dosage-classes.ts';
import type { FractionalDosages } from '../genotypes/fractional-dosages.ts';
import { bytesPerMarker } from '../genotypes/packed-calls.ts';
import { createMarkerPlanes, pairwiseR2, setMarkerPlanes } from './pairwise-r2.ts';
import type { LinkedCalls } from './prune-by-ld.ts';

/** Calls of markers that are compared with each other, set one by one. */
export interface LinkedCallsBuilder extends LinkedCalls {
  /** Sets a marker from a block of calls, of which it is the `k`-th. */
  set(place: number, calls: { packed: Uint8Array; dosages?: FractionalDosages | undefined }, k: number): void;
}

/**
 * Room for the calls of `markers` markers of `individuals`: three bits a call of diploids, whose fractions count as
 * their calls; a byte a call of polyploids, whose dosages count as the nearest class, r² being composite.
 */
export function createLinkedCalls(individuals: number, markers: number, ploidy: number): LinkedCallsBuilder {
  return ploidy === 2 ? diploidCalls(individuals, markers) : polyploidCalls(individuals, markers, ploidy);
}

function diploidCalls(individuals: number, markers: number): LinkedCallsBuilder {
  const planes = createMarkerPlanes(individuals, markers);
  const { missing, heterozygotes, homozygotesA2 } = planes;
  const stride = bytesPerMarker(individuals);
  return {
    set: (place, { packed }, k) => setMarkerPlanes(planes, place, packed, k * stride, individuals),
    r2Of: (first, second) => pairwiseR2(planes, first, second, individuals),
    majorFrequency(j) {
      const p = (heterozygotes[j] + 2 * homozygotesA2[j]) / (2 * (individuals - missing[j]));
      return Math.max(p, 1 - p);
    },
    isMonomorphic(j) {
      const called = individuals - missing[j];
      const [one, two] = [heterozygotes[j], homozygotesA2[j]];
      return (one === 0 && (two === 0 || two === called)) || one === called;
    },
  };
}

function polyploidCalls(individuals: number, markers: number, ploidy: number): LinkedCallsBuilder {
  const classes = new Uint8Array(individuals * markers);
  const rowOf = (place: number): Uint8Array => classes.subarray(place * individuals, (place + 1) * individuals);
  const isOneClass = new Uint8Array(markers).fill(1);
  const major = new Float64Array(markers).fill(Number.NaN);
  return {
    set(place, { packed, dosages }, k) {
      const row = rowOf(place);
      dosageClasses({ packed, dosages }, k, { panelSize: individuals }, row);
      let copies = 0;
      let called = 0;
      let before = NO_CLASS;
      for (const one of row) {
        if (one === NO_CLASS) continue;
        if (before !== NO_CLASS && one !== before) isOneClass[place] = 0;
        before = one;
        copies += one;
        called++;
      }
      const p = copies / (ploidy * called);
      major[place] = Math.max(p, 1 - p);
    },
    r2Of: (first, second) => dosageR2(rowOf(first), rowOf(second)),
    majorFrequency: (j) => major[j],
    isMonomorphic: (j) => isOneClass[j] === 1,
  };
}
