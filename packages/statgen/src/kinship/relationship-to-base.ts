import { createMatrix, mirrorLower } from '@heterosis/linalg/matrix';
import { addOuterProduct } from '@heterosis/linalg/products';
import { withOneThread } from '@heterosis/linalg/threads';

/** Markers multiplied at a time. */
const MARKERS_PER_PRODUCT = 512;

/** Accumulates the relationship of a few individuals, marker by marker. */
export interface RelationshipToBase {
  /**
   * Adds a marker.
   *
   * @param dosages copies of the counted allele by individual, length n; NaN = missing, replaced by the mean
   * @param frequency frequency of the counted allele in the base population
   */
  add(dosages: Float64Array, frequency: number): void;
  /** n × n, both triangles filled; null when no marker varies in the base population. */
  finish(): Float64Array | null;
}

/**
 * Genomic relationship of n individuals, Σ(x_i − 2p)(x_k − 2p) / 2Σp(1 − p) (VanRaden 2008, method 1), with allele
 * frequencies p of a given base population. The relationship of two individuals thus does not depend on the others
 * among the n. O(n²m). On one thread, because several would round by how they divide the matrix, and plans with equal
 * inputs are equal bytes.
 */
export function createRelationshipToBase(n: number): RelationshipToBase {
  const kernel = createMatrix(n, n);
  const block = createMatrix(n, MARKERS_PER_PRODUCT);
  let filled = 0;
  let divisor = 0;
  const flush = () => {
    block.data.fill(0, filled * n);
    if (filled > 0) withOneThread(() => addOuterProduct(kernel, block));
    filled = 0;
  };
  return {
    add(dosages, frequency) {
      const variance = 2 * frequency * (1 - frequency);
      if (!(variance > 0)) return;
      divisor += variance;
      const at = filled++ * n;
      for (let i = 0; i < n; i++) block.data[at + i] = Number.isNaN(dosages[i]) ? 0 : dosages[i] - 2 * frequency;
      if (filled === MARKERS_PER_PRODUCT) flush();
    },
    finish() {
      flush();
      if (divisor === 0) return null;
      return mirrorLower(kernel).data.map((value) => value / divisor);
    },
  };
}
