import { columnBlock, createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { type Flat, lowerPlaces } from './small-covariances.ts';
import { applyInverse, inverseOfMissing, type TraitPoint } from './trait-likelihood.ts';
import type { TraitRecords } from './trait-records.ts';

export interface TraitScores {
  /** S with ∂ℓ = tr(S·∂G), t × t, symmetric. */
  genetic: Flat;
  /** The same for R. */
  residual: Flat;
  /**
   * Average information ½(V_k Py)ᵀP(V_l Py) of the entries of the lower triangles of G, then of R, in the order of
   * `lowerPlaces` (Gilmour, Thompson & Cullis 1995, Biometrics 51:1440).
   */
  information: Matrix;
}

/** Exact scores and average information at a point; O(n t⁴) complete, O(M³ + M²n) else. */
export function scoreTraits(records: TraitRecords, point: TraitPoint): TraitScores {
  const { traces, products } = contractions(records, point);
  const score = (side: 'genetic' | 'residual'): Flat =>
    traces[side].map((trace, k) => -0.5 * (trace - products[side][k]));
  return {
    genetic: score('genetic'),
    residual: score('residual'),
    information: averageInformation(records, point),
  };
}

interface Sides {
  genetic: Flat;
  residual: Flat;
}

/** Σ λ_iP_i and Σ P_i, P_i the t × t block of P at an eigenvector, and the same of Py(Py)ᵀ. */
function contractions(records: TraitRecords, point: TraitPoint): { traces: Sides; products: Sides } {
  const { lineCount: n, traitCount: t, fixedCount: q, eigenvalues } = records;
  const { weights, image, fixedImage, fixedCovariance } = point;
  const square = t * t;
  const sides = (): Sides => ({ genetic: new Float64Array(square), residual: new Float64Array(square) });
  const traces = sides();
  const products = sides();
  const ofMissing = missingBlocks(records, point);
  const half = new Float64Array(square);
  // Σ_d C_cd f_d by trait, n × tq.
  const fixedSolved = createMatrix(n, t * q);
  for (let s = 0; s < t; s++) {
    multiply(columnBlock(fixedImage, s * q, q), fixedCovariance, { into: columnBlock(fixedSolved, s * q, q) });
  }
  for (let i = 0; i < n; i++) {
    if (ofMissing !== null) {
      for (let s = 0; s < t; s++) {
        for (let r = 0; r < t; r++) {
          let sum = 0;
          for (let k = 0; k < t; k++) sum += weights[i * square + s * t + k] * ofMissing[i * square + k * t + r];
          half[s * t + r] = sum;
        }
      }
    }
    for (let s = 0; s < t; s++) {
      for (let r = 0; r < t; r++) {
        let block = weights[i * square + s * t + r];
        if (ofMissing !== null) {
          for (let k = 0; k < t; k++) block -= half[s * t + k] * weights[i * square + k * t + r];
        }
        for (let c = 0; c < q; c++) {
          block -= fixedSolved.data[i + (s * q + c) * n] * fixedImage.data[i + (r * q + c) * n];
        }
        const product = image.data[i + s * n] * image.data[i + r * n];
        traces.genetic[s * t + r] += eigenvalues[i] * block;
        traces.residual[s * t + r] += block;
        products.genetic[s * t + r] += eigenvalues[i] * product;
        products.residual[s * t + r] += product;
      }
    }
  }
  return { traces, products };
}

/** u_iᵀB⁻¹u_i by pairs of traits, u_i the entries of eigenvector i at the missing records; t × t each. */
function missingBlocks(records: TraitRecords, { missing }: TraitPoint): Float64Array | null {
  if (missing === null) return null;
  const { lineCount: n, traitCount: t, missingVectors, firstMissing } = records;
  const inverse = inverseOfMissing(missing);
  const blocks = new Float64Array(n * t * t);
  for (let r = 0; r < t; r++) {
    const columns = missingVectors[r].rows;
    for (let s = r; s < t; s++) {
      const { rows, data } = missingVectors[s];
      if (rows === 0 || columns === 0) continue;
      const part = createMatrix(rows, columns);
      for (let j = 0; j < columns; j++) {
        const from = firstMissing[s] + (firstMissing[r] + j) * inverse.rows;
        part.data.set(inverse.data.subarray(from, from + rows), j * rows);
      }
      const product = multiply(part, missingVectors[r]).data;
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let j = i * rows; j < (i + 1) * rows; j++) sum += data[j] * product[j];
        blocks[i * t * t + s * t + r] = sum;
        blocks[i * t * t + r * t + s] = sum;
      }
    }
  }
  return blocks;
}

function averageInformation(records: TraitRecords, point: TraitPoint): Matrix {
  const { lineCount: n, traitCount: t, fixedCount: q } = records;
  const places = lowerPlaces(t);
  const p = 2 * places.length;
  const images = variedImages(records, point);
  const vectors = createMatrix(n, t * p);
  const columnOf = (trait: number, k: number) => vectors.data.subarray((trait * p + k) * n, (trait * p + k + 1) * n);
  for (const [k, [row, column]] of places.entries()) {
    for (const side of [0, 1]) {
      const at = k + side * places.length;
      columnOf(row, at).set(images(side, row, column));
      if (row !== column) columnOf(column, at).set(images(side, column, row));
    }
  }
  const solved = applyInverse(records, point, vectors);
  const information = createMatrix(p, p);
  const withFixed = createMatrix(q, p);
  for (let s = 0; s < t; s++) {
    const own = columnBlock(vectors, s * p, p);
    multiply(own, columnBlock(solved, s * p, p), { transposeA: true, alpha: 0.5, beta: 1, into: information });
    multiply(columnBlock(point.fixedImage, s * q, q), own, { transposeA: true, beta: 1, into: withFixed });
  }
  const projected = multiply(point.fixedCovariance, withFixed);
  multiply(withFixed, projected, { transposeA: true, alpha: -0.5, beta: 1, into: information });
  return symmetrized(information);
}

/** What a record of trait s gets from Py of trait r, through K (side 0) or I (side 1), 0 at missing records. */
function variedImages(
  { lineCount: n, traitCount: t, eigenvalues, vectors, missing }: TraitRecords,
  { image, missing: factor }: TraitPoint,
): (side: number, s: number, r: number) => Float64Array {
  const sources = createMatrix(n, 2 * t);
  sources.data.set(image.data, n * t);
  for (let r = 0; r < t; r++)
    for (let i = 0; i < n; i++) sources.data[i + r * n] = eigenvalues[i] * image.data[i + r * n];
  if (factor === null) return (side, _s, r) => sources.data.subarray((side * t + r) * n, (side * t + r + 1) * n);
  const byLine = multiply(vectors, sources);
  const masked = createMatrix(n, 2 * t * t);
  for (let s = 0; s < t; s++) {
    masked.data.set(byLine.data, 2 * t * s * n);
    for (let k = 0; k < 2 * t; k++) {
      const column = masked.data.subarray((2 * t * s + k) * n, (2 * t * s + k + 1) * n);
      for (const i of missing[s]) column[i] = 0;
    }
  }
  const { data } = multiply(vectors, masked, { transposeA: true });
  return (side, s, r) => {
    const column = 2 * t * s + side * t + r;
    return data.subarray(column * n, (column + 1) * n);
  };
}

function symmetrized({ rows, columns, data }: Matrix): Matrix {
  const result = createMatrix(rows, columns);
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i < rows; i++) result.data[i + j * rows] = 0.5 * (data[i + j * rows] + data[j + i * rows]);
  }
  return result;
}
