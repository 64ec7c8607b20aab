import { choleskyInPlace, choleskyInverseInPlace } from '@heterosis/linalg/cholesky';
import { createMatrix } from '@heterosis/linalg/matrix';
import { multiplyVector } from '@heterosis/linalg/products';
import { StatgenError } from '../statgen-error.ts';
import { MAX_FIXED_EFFECTS } from './line-variances.ts';

/** The fixed model y = line + cell + e. Lines and cells are connected within each group and not across groups. */
export interface FixedMeansModel {
  /** 0-based line and cell of each observation. */
  line: Int32Array;
  cell: Int32Array;
  lineCount: number;
  cellCount: number;
  /** Group of each line, −1 without observations. */
  groupOfLine: Int32Array;
  groupOfCell: Int32Array;
  /** Weight of each cell in the means of its group; the weights of a group add up to 1. */
  weight: Float64Array;
  residualVariance: number;
}

/**
 * Standard errors of least-squares means, line + Σ weight · cell over the cells of the line's group: σ²[1/nᵢ + (h −
 * z̄ᵢ)′C⁻(h − z̄ᵢ)], z̄ᵢ the shares of line i's observations in the cells, h the weights and C the normal equations of
 * the cells with the lines absorbed (Searle 1971, Linear Models, §7.1 and §5.4). The line's own mean is independent of
 * the cells' estimates, which come from differences within lines. C is singular by one constant per group, to which h −
 * z̄ᵢ is orthogonal.
 *
 * With c cells, k of them per line, time is O(c³ + lines · k²) and memory O(c²).
 *
 * @returns one per line, NaN without observations; null with more than {@link MAX_FIXED_EFFECTS} cells
 * @throws StatgenError `shape-mismatch`
 */
export function meanStandardErrors(model: FixedMeansModel): Float64Array | null {
  const { line, cell, lineCount, cellCount, groupOfLine, groupOfCell, weight, residualVariance } = model;
  if (line.length !== cell.length || groupOfCell.length !== cellCount || groupOfLine.length !== lineCount)
    throw new StatgenError(
      'shape-mismatch',
      'lines, cells and groups of a model must have the lengths of their factors',
    );
  if (cellCount > MAX_FIXED_EFFECTS) return null;
  const shares = cellShares(line, cell, lineCount);

  const matrix = createMatrix(cellCount, cellCount);
  const { data } = matrix;
  for (const { count, cells, share } of shares) {
    for (const [a, of] of cells.entries()) {
      data[of + of * cellCount] += count * share[a];
      for (const [b, other] of cells.entries()) data[of + other * cellCount] -= count * share[a] * share[b];
    }
  }
  // Adding a constant per group makes C invertible and leaves vectors orthogonal to it unchanged.
  const scale = line.length / cellCount / cellCount;
  for (let a = 0; a < cellCount; a++)
    for (let b = 0; b < cellCount; b++) if (groupOfCell[a] === groupOfCell[b]) data[a + b * cellCount] += scale;
  const inverse = choleskyInverseInPlace(choleskyInPlace(matrix));

  // Per group h: the weights of the group's cells, C⁻h and h′C⁻h.
  const groupCount = groupOfCell.reduce((most, group) => Math.max(most, group + 1), 0);
  const image = multiplyVector(inverse, weight);
  const ofGroup = new Float64Array(groupCount);
  for (let a = 0; a < cellCount; a++) ofGroup[groupOfCell[a]] += weight[a] * image[a];
  return Float64Array.from(shares, ({ count, cells, share }, index) => {
    if (count === 0) return Number.NaN;
    let quadratic = ofGroup[groupOfLine[index]];
    for (const [a, of] of cells.entries()) {
      quadratic -= 2 * share[a] * image[of];
      for (const [b, other] of cells.entries()) quadratic += share[a] * share[b] * inverse.data[of + other * cellCount];
    }
    return Math.sqrt(residualVariance * (1 / count + Math.max(0, quadratic)));
  });
}

interface LineShares {
  /** Observations of the line. */
  count: number;
  /** Its distinct cells. */
  cells: number[];
  /** Share of its observations in each of them. */
  share: number[];
}

function cellShares(line: Int32Array, cell: Int32Array, lineCount: number): LineShares[] {
  const shares = Array.from({ length: lineCount }, (): LineShares => ({ count: 0, cells: [], share: [] }));
  for (let i = 0; i < line.length; i++) {
    const of = shares[line[i]];
    of.count++;
    const place = of.cells.indexOf(cell[i]);
    if (place >= 0) of.share[place]++;
    else {
      of.cells.push(cell[i]);
      of.share.push(1);
    }
  }
  for (const of of shares) of.share = of.share.map((count) => count / of.count);
  return shares;
}
