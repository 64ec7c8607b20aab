import { type CrossSide, isPlant, type PhasedParent } from './crossing-genome.ts';

/** Coefficients of ρ^0, ρ^1, … of a polynomial. */
export type Polynomial = readonly number[];

/**
 * Mean and covariance of the alleles (0/1) of a random homolog at the loci of interest. The covariance of loci i and j
 * is the sum over `parts` of P(ρ_ij)·f_i·f_j.
 */
export interface HomologMoments {
  mean: Float64Array;
  parts: { f: Float64Array; P: Polynomial }[];
}

/** ρ/4 and (1 + ρ)/4, the polynomials of {@link gameteOfHomologs}. */
const BETWEEN: Polynomial = [0, 1 / 4];
const WITHIN: Polynomial = [1 / 4, 1 / 4];

/** Gametes of one side of a cross at some markers: from a plant, or from the F1 plants of two. */
export function gametesOf(side: CrossSide, markers: Int32Array): HomologMoments {
  if (isPlant(side)) return gametesOfPlant(side, markers);
  const [first, second] = side;
  return gameteOfHomologs(gametesOfPlant(first, markers), gametesOfPlant(second, markers));
}

/** With a fixed phase u and v of a plant: mean (u+v)/2, covariance ρ·x·x', x = (u−v)/2. */
function gametesOfPlant({ first, second }: PhasedParent, markers: Int32Array): HomologMoments {
  return {
    mean: Float64Array.from(markers, (j) => (first[j] + second[j]) / 2),
    parts: [{ f: Float64Array.from(markers, (j) => (first[j] - second[j]) / 2), P: [0, 1] }],
  };
}

/**
 * Gametes of a plant whose homologs u and v are independent. With recombination (1 − ρ)/2, two loci come from the same
 * homolog with probability (1 + ρ)/2, so that
 *
 *     E(g) = (E(u) + E(v))/2,   Cov(g, g') = (1 + ρ)/4·(C_u + C_v) + ρ/4·e·e',   e = E(u) − E(v)
 */
export function gameteOfHomologs(u: HomologMoments, v: HomologMoments): HomologMoments {
  return {
    mean: u.mean.map((value, i) => (value + v.mean[i]) / 2),
    parts: [
      ...[...u.parts, ...v.parts].map(({ f, P }) => ({ f, P: product(P, WITHIN) })),
      { f: u.mean.map((value, i) => value - v.mean[i]), P: BETWEEN },
    ],
  };
}

export function product(p: Polynomial, q: Polynomial): number[] {
  const result = Array.from({ length: p.length + q.length - 1 }, () => 0);
  for (const [i, a] of p.entries()) for (const [k, b] of q.entries()) result[i + k] += a * b;
  return result;
}

export function scaledBy(factor: number, p: Polynomial): number[] {
  return p.map((coefficient) => factor * coefficient);
}

/** p^n for an integer n ≥ 0. */
export function power(p: Polynomial, n: number): number[] {
  let result = [1];
  for (let i = 0; i < n; i++) result = product(result, p);
  return result;
}
