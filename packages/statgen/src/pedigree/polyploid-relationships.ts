import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { StatgenError } from '../statgen-error.ts';
import { ancestorsOf, type Pedigree } from './pedigree.ts';

/** Plants of which every one has the same even number of copies of each chromosome. */
export interface PolyploidModel {
  /** k, even. */
  ploidy: number;
  /**
   * λ, 0 … 1: probability that two genes of a gamete are copies of one gene of the parent. 0 for bivalents and in
   * diploids, at most 1/6 in tetraploids with quadrivalents.
   */
  doubleReduction: number;
  /**
   * `non-inbred`: founders have F = 0, as in AGHmatrix by Kerr; `equilibrium`: the F that random mating under λ leads
   * to, λ/(2 + λ) in tetraploids, as in polyAinv and Hamilton & Kerr 2018.
   */
  founders: 'non-inbred' | 'equilibrium';
}

/** Additive relationships of some individuals. */
export interface PolyploidRelationships {
  /** m × m, kθ with θ the coancestry; both triangles. The diagonal is 1 + (k − 1)F. */
  matrix: Matrix;
  /** F of these individuals: two genes of the plant, drawn without replacement, descend from one gene of a founder. */
  inbreeding: Float64Array;
}

/**
 * Additive relationships of autopolyploids with double reduction (Kerr et al. 2012, Theor Appl Genet 124:1271; Hamilton
 * & Kerr 2018, Theor Appl Genet 131:851), A = kθ:
 *
 * - θ of a plant with another is the mean of those of its parents, and θ_ii = (1 + (k − 1)F_i)/k;
 * - F_i = [v(v − 1)/2·(φ_m + φ_f) + v²·θ_mf] / [k(k − 1)/2], v = k/2, φ = λ + (1 − λ)F of a parent.
 *
 * At k = 2 it is the relationship of diploids. An unknown parent is a founder of its own. O(a²) time and memory for a
 * ancestors.
 *
 * @param positions m positions in the order of `pedigree`
 * @throws StatgenError `bad-option` unless k is even, 0 ≤ λ ≤ 1
 */
export function polyploidRelationships(
  pedigree: Pedigree,
  positions: Int32Array,
  model: PolyploidModel,
): PolyploidRelationships {
  const { ploidy: k, doubleReduction } = model;
  if (!(k >= 2 && k % 2 === 0)) throw new StatgenError('bad-option', `the ploidy must be even, not ${k}`);
  if (!(doubleReduction >= 0 && doubleReduction <= 1)) {
    throw new StatgenError('bad-option', `the double reduction must be 0 to 1, not ${doubleReduction}`);
  }
  const part = ancestorsOf(pedigree, positions);
  const numberOf = new Int32Array(pedigree.size).fill(-1);
  for (const [number, i] of part.entries()) numberOf[i] = number;
  const a = part.length;
  const theta = createMatrix(a, a);
  const inbreeding = new Float64Array(a);
  const rules = inbreedingRules(model);
  for (let i = 0; i < a; i++) {
    const mother = parentOf(pedigree.maternal[part[i]], numberOf);
    const father = parentOf(pedigree.paternal[part[i]], numberOf);
    for (let j = 0; j < i; j++) {
      const ofMother = mother < 0 ? 0 : theta.data[mother + j * a];
      const ofFather = father < 0 ? 0 : theta.data[father + j * a];
      const shared = (ofMother + ofFather) / 2;
      theta.data[i + j * a] = shared;
      theta.data[j + i * a] = shared;
    }
    const left = pedigree.heterozygosity[part[i]];
    inbreeding[i] =
      left === 2
        ? inbreeding[mother]
        : rules.selfed(
            mother < 0 && father < 0 ? rules.founder : rules.ofCross(mother, father, theta, inbreeding),
            left,
          );
    theta.data[i + i * a] = left === 2 ? theta.data[mother + mother * a] : rules.withItself(inbreeding[i]);
  }
  const m = positions.length;
  const matrix = createMatrix(m, m);
  for (let c = 0; c < m; c++) {
    for (let r = 0; r < m; r++) {
      matrix.data[r + c * m] = k * theta.data[numberOf[positions[r]] + numberOf[positions[c]] * a];
    }
  }
  return { matrix, inbreeding: Float64Array.from(positions, (i) => inbreeding[numberOf[i]]) };
}

/** F of unrelated founders in equilibrium under random mating, v(v − 1)λ-fold; 0 without double reduction. */
export function equilibriumInbreeding({ ploidy: k, doubleReduction }: PolyploidModel): number {
  const v = k / 2;
  const within = (2 * v * (v - 1)) / (k * (k - 1));
  return (within * doubleReduction) / (1 - within * (1 - doubleReduction));
}

const parentOf = (place: number, numberOf: Int32Array): number => (place < 0 ? -1 : numberOf[place]);

function inbreedingRules(model: PolyploidModel) {
  const { ploidy: k, doubleReduction } = model;
  const v = k / 2;
  const pairs = (k * (k - 1)) / 2;
  const founder = model.founders === 'equilibrium' ? equilibriumInbreeding(model) : 0;
  const withItself = (f: number): number => (1 + (k - 1) * f) / k;
  const phi = (f: number): number => doubleReduction + (1 - doubleReduction) * f;
  const of = (mother: number, father: number, between: number): number =>
    (((v * (v - 1)) / 2) * (phi(mother) + phi(father)) + v * v * between) / pairs;
  return {
    founder,
    withItself,
    /** F of the progeny of two plants, −1 where one is not known. */
    ofCross(mother: number, father: number, theta: Matrix, inbreeding: Float64Array): number {
      const ofParent = (parent: number): number => (parent < 0 ? founder : inbreeding[parent]);
      const between = mother < 0 || father < 0 ? 0 : theta.data[mother + father * theta.rows];
      return of(ofParent(mother), ofParent(father), between);
    },
    /** F after generations of selfing, of which 2^−t is given; each is a cross of the plant with itself. */
    selfed(f: number, left: number): number {
      if (left === 0) return 1;
      let result = f;
      for (let t = Math.round(-Math.log2(left)); t > 0; t--) result = of(result, result, withItself(result));
      return result;
    },
  };
}
