import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { StatgenError } from '../statgen-error.ts';
import type { Inbreeding } from './inbreeding.ts';
import { ancestorsOf, type Pedigree } from './pedigree.ts';
import { createWalk, SIDE_BY_SIDE } from './walk.ts';

/**
 * Additive relationships A among some individuals of a pedigree, twice their coancestries; the diagonal is 1 + F. One
 * walk over their ancestors for eight columns (Colleau 2002): O(k · ancestors), and k² memory.
 *
 * @param positions k positions in the order of `pedigree`; may repeat
 * @returns k × k, both triangles
 * @throws StatgenError `shape-mismatch` for a position out of range
 */
export function relationshipsAmong(
  pedigree: Pedigree,
  { mendelian }: Pick<Inbreeding, 'mendelian'>,
  positions: Int32Array,
): Matrix {
  requirePositions(pedigree, positions);
  const k = positions.length;
  const result = createMatrix(k, k);
  const part = ancestorsOf(pedigree, positions);
  const numberOf = new Int32Array(pedigree.size);
  for (let i = 0; i < part.length; i++) numberOf[part[i]] = i;
  const numbers = positions.map((i) => numberOf[i]);
  const walk = createWalk(part, pedigree);
  for (let i = 0; i < part.length; i++) walk.mendelian[i] = mendelian[part[i]];
  for (let first = 0; first < k; first += SIDE_BY_SIDE) {
    const keys = Array.from(numbers.subarray(first, first + SIDE_BY_SIDE));
    const y = walk.columns(keys, part.length - 1);
    for (let c = 0; c < keys.length; c++) {
      const at = (first + c) * k;
      for (let i = 0; i < k; i++) result.data[at + i] = y[numbers[i] * SIDE_BY_SIDE + c];
    }
  }
  return result;
}

/**
 * A·x for all individuals without building A, as TDTᵀx (Colleau 2002): O(n). With x = 1/n, the result is the mean
 * relationship of each individual to all.
 *
 * @param x n values in the order of `pedigree`
 * @throws StatgenError `shape-mismatch`
 */
export function relationshipsTimes(
  pedigree: Pedigree,
  { mendelian }: Pick<Inbreeding, 'mendelian'>,
  x: Float64Array,
): Float64Array {
  const { size, maternal, paternal } = pedigree;
  if (x.length !== size) {
    throw new StatgenError('shape-mismatch', `a vector of ${x.length} does not fit ${size} individuals`);
  }
  const y = x.slice();
  for (let i = size - 1; i >= 0; i--) {
    if (maternal[i] >= 0) y[maternal[i]] += 0.5 * y[i];
    if (paternal[i] >= 0) y[paternal[i]] += 0.5 * y[i];
    y[i] *= mendelian[i];
  }
  for (let i = 0; i < size; i++) {
    if (maternal[i] >= 0) y[i] += 0.5 * y[maternal[i]];
    if (paternal[i] >= 0) y[i] += 0.5 * y[paternal[i]];
  }
  return y;
}

function requirePositions(pedigree: Pedigree, positions: Int32Array): void {
  for (const i of positions) {
    if (i < 0 || i >= pedigree.size) {
      throw new StatgenError('shape-mismatch', `position ${i} is not one of ${pedigree.size} individuals`);
    }
  }
}
