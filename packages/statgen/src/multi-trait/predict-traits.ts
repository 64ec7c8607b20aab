import { solveLowerInPlace } from '@heterosis/linalg/cholesky';
import { columnBlock, createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { atMissing, type TraitPoint } from './trait-likelihood.ts';
import type { TraitRecords } from './trait-records.ts';

export interface TraitPredictions {
  /** û of each trait, on its scale, a value a candidate. */
  values: Float64Array[];
  /** 1 − PEV/(G_tt K_ii); 0 where that variance is 0. */
  reliabilities: Float64Array[];
  /** Var(û − u) of each trait, on its scale squared. */
  errorVariances: Float64Array[];
}

/** Candidates at a time. */
const CHUNK = 512;

/**
 * BLUP of all traits of any candidates from the records of all traits, and prediction error variances with the
 * estimation of the fixed effects in them (Henderson 1975, Biometrics 31:423). A line with records is a candidate like
 * others: its records of some traits change its values of all. O(n²c + tM²c) for c candidates.
 *
 * @param across kinships of the n lines with records with the candidates, n × c
 * @param own kinships of candidates to themselves, c values
 */
export function predictTraits(
  records: TraitRecords,
  point: TraitPoint,
  across: Matrix,
  own: Float64Array,
): TraitPredictions {
  const { traitCount: t, lineCount: n, scales, kernelScale } = records;
  const count = across.columns;
  const empty = () => Array.from({ length: t }, () => new Float64Array(count));
  const result = { values: empty(), reliabilities: empty(), errorVariances: empty() };
  const { genetic } = point.covariances;
  const images = mixedBy(point.image, genetic, { n, t, width: 1 });
  const fixedImages = mixedBy(point.fixedImage, genetic, { n, t, width: records.fixedCount });
  for (let first = 0; first < count; first += CHUNK) {
    const width = Math.min(CHUNK, count - first);
    const turned = turnedKinship(records, columnBlock(across, first, width));
    const predicted = multiply(turned, images, { transposeA: true });
    for (let s = 0; s < t; s++) {
      const fixedImage = columnBlock(fixedImages, s * records.fixedCount, records.fixedCount);
      const explained = explainedBy(turned, partsExplained(records, point, { turned, fixedImage, s }));
      for (let j = 0; j < width; j++) {
        result.values[s][first + j] = scales[s] * predicted.data[j + s * width];
        const prior = (genetic[s * (t + 1)] * own[first + j]) / kernelScale;
        const share = prior > 0 ? Math.min(1, Math.max(0, explained[j] / prior)) : 0;
        result.reliabilities[s][first + j] = share;
        result.errorVariances[s][first + j] = scales[s] ** 2 * Math.max(0, prior - explained[j]);
      }
    }
  }
  return result;
}

/**
 * The whole covariance of the prediction errors var(û − u) of each trait among some candidates, on its scale squared,
 * with the estimation of the fixed effects in it. O(n²c + nc² + t(M²c + Mc²)).
 *
 * @param across kinships of the n lines with records with the candidates, n × c
 * @param among kinships of the candidates among each other, c × c
 * @returns c × c a trait
 */
export function traitErrorCovariances(
  records: TraitRecords,
  point: TraitPoint,
  across: Matrix,
  among: Matrix,
): Matrix[] {
  const { traitCount: t, lineCount: n, scales, kernelScale, fixedCount } = records;
  const { genetic } = point.covariances;
  const fixedImages = mixedBy(point.fixedImage, genetic, { n, t, width: fixedCount });
  const turned = turnedKinship(records, across);
  return Array.from(scales, (scale, s) => {
    const fixedImage = columnBlock(fixedImages, s * fixedCount, fixedCount);
    const errors = explainedAmong(turned, partsExplained(records, point, { turned, fixedImage, s }));
    const prior = genetic[s * (t + 1)] / kernelScale;
    for (let k = 0; k < errors.data.length; k++) {
      errors.data[k] = scale ** 2 * (prior * among.data[k] - errors.data[k]);
    }
    return errors;
  });
}

/**
 * Py of the lines with records, by trait, on the scale of the values: û_t = Σ_s G_ts K·Py_s for any candidate, so that
 * marker effects can be built from it. 0 for missing records.
 */
export function traitWeights(records: TraitRecords, { image }: TraitPoint): Float64Array[] {
  const { lineCount: n, traitCount: t, vectors, roots, scales } = records;
  const byLine = multiply(vectors, image);
  return Array.from({ length: t }, (_, s) =>
    Float64Array.from({ length: n }, (__, i) => (byLine.data[i + s * n] * (roots?.[i] ?? 1)) / scales[s]),
  );
}

/** Uᵀ D^−½ k / kernelScale. */
function turnedKinship({ vectors, roots, kernelScale, lineCount: n }: TraitRecords, across: Matrix): Matrix {
  if (roots === null) return multiply(vectors, across, { transposeA: true, alpha: 1 / kernelScale });
  const weighed = matrixOf(
    n,
    across.columns,
    across.data.map((value, k) => value * roots[k % n]),
  );
  return multiply(vectors, weighed, { transposeA: true, alpha: 1 / kernelScale });
}

/** Σ_r G_sr of the columns of each trait r, for each trait s. */
function mixedBy(
  matrix: Matrix,
  genetic: Float64Array,
  { n, t, width }: { n: number; t: number; width: number },
): Matrix {
  const mixed = createMatrix(n, t * width);
  const block = n * width;
  for (let s = 0; s < t; s++) {
    for (let r = 0; r < t; r++) {
      const factor = genetic[s * t + r];
      for (let k = 0; k < block; k++) mixed.data[s * block + k] += factor * matrix.data[r * block + k];
    }
  }
  return mixed;
}

/** Of the covariance c of each candidate's value of trait s with the records, cᵀPc = tᵀWt − mᵀm − fᵀF, by candidate. */
interface ExplainedParts {
  /** Diagonal of W. */
  squares: Float64Array;
  /** m, M × c; null where no record is missing. */
  there: Matrix | null;
  /** f and F, a row a fixed effect. */
  seen: Matrix;
  solvedFixed: Matrix;
}

function partsExplained(
  records: TraitRecords,
  { weights, missing, covariances, fixedCovariance }: TraitPoint,
  { turned, fixedImage, s }: { turned: Matrix; fixedImage: Matrix; s: number },
): ExplainedParts {
  const { traitCount: t, lineCount: n } = records;
  const { genetic } = covariances;
  const count = turned.columns;
  // W_iG, column s, by trait; and G W_i G.
  const columns = new Float64Array(n * t);
  const squares = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let r = 0; r < t; r++) {
      let sum = 0;
      for (let k = 0; k < t; k++) sum += weights[i * t * t + r * t + k] * genetic[k * t + s];
      columns[i + r * n] = sum;
      squares[i] += genetic[s * t + r] * sum;
    }
  }
  let there: Matrix | null = null;
  if (missing !== null) {
    const solved = createMatrix(n, t * count);
    for (let r = 0; r < t; r++) {
      for (let j = 0; j < count; j++) {
        for (let i = 0; i < n; i++) {
          solved.data[i + (r * count + j) * n] = columns[i + r * n] * turned.data[i + j * n];
        }
      }
    }
    there = atMissing(records, solved);
    solveLowerInPlace(missing.lower, there);
  }
  const seen = multiply(fixedImage, turned, { transposeA: true });
  return { squares, there, seen, solvedFixed: multiply(fixedCovariance, seen) };
}

/** cᵀPc of each candidate. */
function explainedBy(turned: Matrix, { squares, there, seen, solvedFixed }: ExplainedParts): Float64Array {
  const { rows: n, columns: count } = turned;
  const explained = new Float64Array(count);
  for (let j = 0; j < count; j++) {
    for (let i = 0; i < n; i++) explained[j] += squares[i] * turned.data[i + j * n] ** 2;
    if (there !== null) for (let i = 0; i < there.rows; i++) explained[j] -= there.data[i + j * there.rows] ** 2;
    for (let c = 0; c < seen.rows; c++)
      explained[j] -= seen.data[c + j * seen.rows] * solvedFixed.data[c + j * seen.rows];
  }
  return explained;
}

/** The same of each pair of candidates. */
function explainedAmong(turned: Matrix, { squares, there, seen, solvedFixed }: ExplainedParts): Matrix {
  const weighed = matrixOf(
    turned.rows,
    turned.columns,
    turned.data.map((value, k) => value * squares[k % turned.rows]),
  );
  const into = multiply(weighed, turned, { transposeA: true });
  if (there !== null) multiply(there, there, { transposeA: true, alpha: -1, beta: 1, into });
  return multiply(seen, solvedFixed, { transposeA: true, alpha: -1, beta: 1, into });
}
