import type { FractionalDosages } from '../genotypes/fractional-dosages.ts';
import { bytesPerMarker } from '../genotypes/packed-calls.ts';
import { aligned } from '../kernel-memory.ts';
import { planeMemory } from './kernels/plane-kernels.ts';

/** Counts over the markers called in two individuals. */
export interface PairCounts {
  /** Markers called in both. */
  called: number;
  /**
   * Opposite homozygotes: no common allele, which a parent and its child by one cross never have. In polyploids of
   * ploidy k dosages that a parent and its child never have, more than k/2 apart.
   */
  opposing: number;
  /** Calls that differ. */
  different: number;
}

/** Counts over the markers called in a child and two parents, which may be the same plant. */
export interface TrioCounts {
  /** Markers called in all three. */
  called: number;
  /** Of these: no cross of the two gives the child's call. */
  crossConflicts: number;
  /** Markers called in all three at which the parents have the same allele twice. */
  fixed: number;
  /** Of these: the child has the other allele. No generation of selfing after the cross can explain it. */
  lineConflicts: number;
}

/** The calls of a panel as bits, individual by individual, for exact comparisons of many pairs and trios. */
export interface AllelePlanes {
  individuals: number;
  markers: number;
  /**
   * Adds the next markers.
   *
   * @param block packed: count × ceil(individuals / 4) bytes, see `PanelSelection`; dosages of polyploids
   * @param places of the block's markers that are used, ascending; all blocks together give `markers`
   */
  add(block: { packed: Uint8Array; dosages: FractionalDosages | undefined }, places: Int32Array): void;
  /**
   * Compares one individual, as a child, with `count` others from `first` on. Entry k of the columns is about
   * individual first + k; the next call overwrites them.
   */
  comparePairs(
    one: number,
    first: number,
    count: number,
  ): { called: Int32Array; opposing: Int32Array; different: Int32Array };
  /** @param quick compares only at the first markers, an even sample of up to {@link QUICK_MARKERS} */
  compareTrio(child: number, female: number, male: number, quick?: boolean): TrioCounts;
}

/** Markers at which a quick comparison looks. */
export const QUICK_MARKERS = 4096;

const VECTOR_BYTES = 16;

/** Bytes that planes of this size take. */
export const planeBytes = (individuals: number, markers: number): number => 2 * individuals * strideOf(markers);

const strideOf = (markers: number): number => Math.max(1, Math.ceil(markers / (8 * VECTOR_BYTES))) * VECTOR_BYTES;

/**
 * Allocates the planes of diploids, a quarter of a byte a call. A comparison of two individuals takes a few
 * instructions for 128 markers: 2,000 individuals × 20,000 markers have all their pairs in about a second.
 *
 * @throws StatgenError `bad-option` above 4 GB
 */
export function createAllelePlanes(individuals: number, markers: number): AllelePlanes {
  const stride = strideOf(markers);
  const memory = planeMemory(aligned(planeBytes(individuals, markers)) + aligned(12 * individuals) + aligned(16));
  const planes = memory.takeBytes(planeBytes(individuals, markers));
  const pairs = memory.takeIntegers(3 * individuals);
  const trio = memory.takeIntegers(4);
  const columns = {
    called: new Int32Array(individuals),
    opposing: new Int32Array(individuals),
    different: new Int32Array(individuals),
  };
  const quick = Math.min(markers, QUICK_MARKERS);
  const quickBytes = strideOf(quick);
  const addressOf = (individual: number): number => planes.byteOffset + 2 * individual * stride;
  let added = 0;
  let sampled = 0;

  return {
    individuals,
    markers,
    add({ packed }, places) {
      const rowBytes = bytesPerMarker(individuals);
      for (const place of places) {
        // Every (markers / quick)-th marker goes to the front.
        const isSampled = sampled < quick && added >= Math.floor((sampled * markers) / quick);
        const bit = isSampled ? sampled++ : quick + added - sampled;
        added++;
        setBits(planes, stride, bit, packed.subarray(place * rowBytes, (place + 1) * rowBytes), individuals);
      }
    },
    comparePairs(one, first, count) {
      if (count > 0) {
        memory.kernels.comparePairs(addressOf(one), addressOf(first), count, stride, pairs.byteOffset);
      }
      for (let k = 0; k < count; k++) {
        columns.called[k] = pairs[3 * k];
        columns.opposing[k] = pairs[3 * k] - pairs[3 * k + 1];
        columns.different[k] = pairs[3 * k] - pairs[3 * k + 2];
      }
      return columns;
    },
    compareTrio(child, female, male, isQuick = false) {
      const bytes = isQuick ? quickBytes : stride;
      const addresses = [addressOf(child), addressOf(female), addressOf(male)] as const;
      memory.kernels.compareTrio(...addresses, bytes, stride, trio.byteOffset);
      return { called: trio[0], crossConflicts: trio[1], fixed: trio[2], lineConflicts: trio[3] };
    },
  };
}

/** Writes the bits of one marker. The packed codes are 00 = A1 twice, 01 = missing, 10 = one of each, 11 = A2 twice. */
function setBits(planes: Uint8Array, stride: number, marker: number, row: Uint8Array, individuals: number): void {
  const bit = 1 << (marker & 7);
  let at = marker >> 3;
  for (let i = 0; i < individuals; i++, at += 2 * stride) {
    const code = (row[i >> 2] >> ((i & 3) << 1)) & 3;
    if ((code & 1) === 0) planes[at] |= bit;
    if ((code & 2) !== 0) planes[at + stride] |= bit;
  }
}
