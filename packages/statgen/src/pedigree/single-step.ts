import { choleskyInPlace, choleskySolveInPlace } from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import { createMatrix, type Matrix, requireSquare, selectRowsAndColumns, transpose } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { symmetricEigenInPlace } from '@heterosis/linalg/symmetric-eigen';
import { StatgenError } from '../statgen-error.ts';

/** How G was brought to the scale of the pedigree: G* = (1 − w)(shift + factor·G) + w·A22. */
export interface Tuning {
  shift: number;
  factor: number;
  /** w, the share of the pedigree. */
  pedigreeWeight: number;
}

/** Whether G is brought to the scale of the pedigree, or left on that of the markers. */
export type GenomicScale = 'pedigree' | 'markers';

/** Share of A22 in the blended G: it makes G invertible, and stands for what markers do not trace. */
const PEDIGREE_WEIGHT = 0.05;

/**
 * Genomic relationships on the scale of the pedigree (Christensen et al. 2012, equations 2 and 3): shift and factor
 * give G the mean of A22 and the mean of its diagonal, since markers centred at today's frequencies have another base
 * than the pedigree's founders. On the scale of the markers they are 0 and 1. Then w·A22 is blended in (Christensen &
 * Lund 2010), w = 0.05.
 *
 * @param genomic n × n, both triangles
 * @param a22 relationships of the same individuals by pedigree
 * @throws StatgenError `shape-mismatch`; `bad-option` unless 0 ≤ w ≤ 1
 */
export function tuneGenomic(
  genomic: Matrix,
  a22: Matrix,
  pedigreeWeight: number = PEDIGREE_WEIGHT,
  scale: GenomicScale = 'pedigree',
): { genomic: Matrix; tuning: Tuning } {
  const n = requireSquare(genomic, 'genomic relationships');
  if (a22.rows !== n || a22.columns !== n) {
    throw new StatgenError('shape-mismatch', `${n} genotyped individuals do not fit ${a22.rows} in the pedigree`);
  }
  if (!(pedigreeWeight >= 0 && pedigreeWeight <= 1)) {
    throw new StatgenError('bad-option', `the weight of the pedigree must be between 0 and 1, not ${pedigreeWeight}`);
  }
  const ofGenomic = means(genomic);
  const ofPedigree = means(a22);
  const spread = ofGenomic.diagonal - ofGenomic.all;
  const wanted = ofPedigree.diagonal - ofPedigree.all;
  // One individual, or copies of one, have no spread to match.
  const isTuned = scale === 'pedigree';
  const factor = isTuned && spread > 1e-10 && wanted > 1e-10 ? wanted / spread : 1;
  const shift = isTuned ? ofPedigree.all - factor * ofGenomic.all : 0;
  const result = createMatrix(n, n);
  for (let i = 0; i < result.data.length; i++) {
    result.data[i] = (1 - pedigreeWeight) * (shift + factor * genomic.data[i]) + pedigreeWeight * a22.data[i];
  }
  return { genomic: result, tuning: { shift, factor, pedigreeWeight } };
}

function means({ rows: n, data }: Matrix): { diagonal: number; all: number } {
  let diagonal = 0;
  let all = 0;
  for (let i = 0; i < n; i++) diagonal += data[i * (n + 1)];
  for (let i = 0; i < data.length; i++) all += data[i];
  return n === 0 ? { diagonal: 0, all: 0 } : { diagonal: diagonal / n, all: all / (n * n) };
}

/**
 * Relationships H of individuals with and without genotype (Legarra, Aguilar & Misztal 2009, equation 4): genotyped
 * individuals have G, and the others follow from them by the regression of the pedigree, P = A₁₂A₂₂⁻¹:
 * H₁₁ = A₁₁ + P(G − A₂₂)Pᵀ, H₁₂ = PG, H₂₂ = G. O(k³) for k individuals.
 *
 * If A₂₂ is singular (clones, F1s of fully inbred lines that are genotyped beside them), its Moore–Penrose inverse
 * gives the same regression.
 *
 * @param a k × k relationships by pedigree of all individuals; becomes H
 * @param genotyped rows of `a` that `genomic` describes, in its order
 * @param genomic G on the scale of the pedigree, see {@link tuneGenomic}
 * @returns P, and the rows of `a` that its rows describe: those without genotype
 * @throws StatgenError `shape-mismatch`
 */
export function singleStepInPlace(
  a: Matrix,
  genotyped: Int32Array,
  genomic: Matrix,
): { regression: Matrix; others: Int32Array } {
  const k = requireSquare(a, 'relationships');
  if (genomic.rows !== genotyped.length || genomic.columns !== genotyped.length) {
    throw new StatgenError('shape-mismatch', `${genotyped.length} individuals do not fit a G of ${genomic.rows}`);
  }
  const isGenotyped = new Uint8Array(k);
  for (const i of genotyped) isGenotyped[i] = 1;
  const others = Int32Array.from(isGenotyped.keys()).filter((i) => isGenotyped[i] === 0);
  const a22 = selectRowsAndColumns(a, genotyped, genotyped);
  const regression = transpose(solvePedigree(a22, selectRowsAndColumns(a, genotyped, others)));
  const across = multiply(regression, genomic);
  const difference = genomic.data.map((value, i) => value - a22.data[i]);
  const correction = multiply(
    multiply(regression, { rows: genomic.rows, columns: genomic.columns, data: difference }),
    regression,
    { transposeB: true },
  );
  for (let j = 0; j < others.length; j++) {
    for (let i = 0; i < others.length; i++) a.data[others[i] + others[j] * k] += correction.data[i + j * others.length];
    for (let g = 0; g < genotyped.length; g++) {
      const value = across.data[j + g * others.length];
      a.data[others[j] + genotyped[g] * k] = value;
      a.data[genotyped[g] + others[j] * k] = value;
    }
  }
  for (let h = 0; h < genotyped.length; h++) {
    for (let g = 0; g < genotyped.length; g++) {
      a.data[genotyped[g] + genotyped[h] * k] = genomic.data[g + h * genotyped.length];
    }
  }
  return { regression, others };
}

/** Pivots below this share of the diagonal are rounding of a singular A22. */
const SMALLEST_PIVOT = 1e-8;

/** A₂₂⁻B, by Cholesky, or by the Moore–Penrose inverse where A₂₂ is singular. */
function solvePedigree(a22: Matrix, b: Matrix): Matrix {
  const n = a22.rows;
  const copy = { rows: n, columns: n, data: a22.data.slice() };
  try {
    const factor = choleskyInPlace(copy);
    const isRegular = a22.data.every(
      (value, i) => i % (n + 1) !== 0 || factor.lower.data[i] ** 2 > SMALLEST_PIVOT * value,
    );
    if (isRegular) {
      choleskySolveInPlace(factor, b);
      return b;
    }
  } catch (error) {
    if (!(error instanceof LinalgError && error.code === 'not-positive-definite')) throw error;
  }
  const { values, vectors } = symmetricEigenInPlace({ ...a22, data: a22.data.slice() });
  const rotated = multiply(vectors, b, { transposeA: true });
  const limit = SMALLEST_PIVOT * (values.at(-1) ?? 0);
  for (let j = 0; j < rotated.columns; j++) {
    for (let i = 0; i < n; i++) rotated.data[i + j * n] = values[i] > limit ? rotated.data[i + j * n] / values[i] : 0;
  }
  return multiply(vectors, rotated);
}
