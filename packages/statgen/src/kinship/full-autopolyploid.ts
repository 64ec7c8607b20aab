import { createMatrix, mirrorLower } from '@heterosis/linalg/matrix';
import { addOuterProduct } from '@heterosis/linalg/products';
import { countCalls, type MarkerFilter, passesFilter, requireFilter } from '../genotypes/call-counts.ts';
import { dosageClasses, NO_CLASS } from '../genotypes/dosage-classes.ts';
import type { FractionalDosages } from '../genotypes/fractional-dosages.ts';
import { type PanelSelection, requirePacked, selectionSize } from '../genotypes/packed-calls.ts';
import { StatgenError } from '../statgen-error.ts';

/** A relationship over classes of dosage. */
export interface FullAutopolyploidKinship {
  /** n × n, both triangles filled. */
  kernel: Float64Array;
  markersRead: number;
  markersKept: number;
  /** Classes of dosage that are there, over all markers kept: the divisor. */
  classes: number;
}

export interface FullAutopolyploidAccumulator {
  /** Adds the next `count` markers; arguments as for `createKinshipAccumulator`. */
  add(packed: Uint8Array, count: number, dosages?: FractionalDosages): void;
  /** @throws StatgenError `no-markers-left` */
  finish(): FullAutopolyploidKinship;
}

/** Columns multiplied at a time. */
const COLUMNS_PER_PRODUCT = 1024;

/**
 * The full autopolyploid relationship of Slater et al. 2016 (Plant Genome 9, doi:10.3835/plantgenome2016.02.0021): an
 * indicator for each class of dosage that a marker has, x = 0, 1 … ploidy, centred and divided by √(f(1 − f)), f its
 * share of the calls; S = ZZᵀ/M over the M indicators. Missing calls are 0; fractional dosages count as the nearest
 * whole number. O(n²M).
 *
 * @throws StatgenError `bad-option`, `too-few-individuals`
 */
export function createFullAutopolyploidAccumulator(
  selection: PanelSelection,
  filter: MarkerFilter,
): FullAutopolyploidAccumulator {
  requireFilter(filter);
  const n = selectionSize(selection);
  if (n < 1) throw new StatgenError('too-few-individuals', 'a kinship matrix needs at least one individual', { n });
  const kernel = createMatrix(n, n);
  const block = createMatrix(n, COLUMNS_PER_PRODUCT);
  const classes = new Uint8Array(n);
  const found = new Int32Array(256);
  let filled = 0;
  let total = 0;
  let read = 0;
  let kept = 0;
  const flush = (): void => {
    block.data.fill(0, filled * n);
    if (filled > 0) addOuterProduct(kernel, block);
    filled = 0;
  };
  const addClass = (one: number, share: number): void => {
    const scale = 1 / Math.sqrt(share * (1 - share));
    const at = filled++ * n;
    for (let i = 0; i < n; i++) {
      block.data[at + i] = classes[i] === NO_CLASS ? 0 : ((classes[i] === one ? 1 : 0) - share) * scale;
    }
    total++;
    if (filled === COLUMNS_PER_PRODUCT) flush();
  };
  return {
    add(packed, count, dosages) {
      requirePacked(packed, count, selection);
      const counts = countCalls(packed, count, selection, dosages);
      read += count;
      for (let j = 0; j < count; j++) {
        if (!passesFilter(counts, j, filter)) continue;
        kept++;
        dosageClasses({ packed, dosages }, j, selection, classes);
        found.fill(0);
        for (let i = 0; i < n; i++) found[classes[i]]++;
        const called = n - found[NO_CLASS];
        for (let one = 0; one < NO_CLASS; one++) {
          // A class that everybody has says nothing; fractions may vary around one whole number.
          if (found[one] > 0 && found[one] < called) addClass(one, found[one] / called);
        }
      }
    },
    finish() {
      flush();
      if (total === 0) {
        throw new StatgenError(
          'no-markers-left',
          `none of the ${read} markers passes the limits of allele frequency and call rate`,
          { markers: read, maf: filter.maf, callRate: filter.callRate },
        );
      }
      const { data } = mirrorLower(kernel);
      return { kernel: data.map((value) => value / total), markersRead: read, markersKept: kept, classes: total };
    },
  };
}
