import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { symmetricEigenInPlace } from '@heterosis/linalg/symmetric-eigen';

/**
 * How the k homologs of a chromosome pair. Bivalents: every perfect matching is equally likely, or the first homolog
 * pairs with the second, the third with the fourth, and so on; each pair gives one chromatid, with recombination by
 * Haldane. Quadrivalents (k = 4): eight chromatids, of which a gamete takes two that
 * come from different homologs at the centromere; going outwards, any two chromatids of different local homologs
 * exchange at 1/6 per Morgan. There is no agreed model of quadrivalents, this one is ours; it has one exchange per
 * chromatid and Morgan, as Haldane has, and double reduction (1 − e^(−7d/3))/7 at d Morgan from the centromere, at most
 * 1/7 (a random pair of chromatids; Mather 1936, J Genet 32:287).
 */
export interface PairingModel {
  /** k, even. */
  ploidy: number;
  /** Share of meioses of a chromosome with quadrivalents, 0 … 1; 0 unless k = 4. */
  quadrivalents: number;
  /** Share of the other meioses of a chromosome in which neighbours pair, 0 … 1; 0 unless told. */
  preferential?: number;
}

/** Two loci of a chromosome, in Morgan from its centromere; negative on the other arm. */
export interface LocusPair {
  first: number;
  second: number;
}

/**
 * The joint distribution of the copies that a gamete has at two loci of one chromosome.
 *
 * @param one k alleles (0 or 1), by homolog
 * @param other the same homologs at the other locus
 * @returns (v + 1) × (v + 1) probabilities, v = k/2, the copies at `one` adjacent
 */
export type GameteDistribution = (one: Uint8Array, other: Uint8Array, places: LocusPair) => Float64Array;

/** @throws RangeError as `requirePairing` */
export function gameteDistribution(model: PairingModel): GameteDistribution {
  requirePairing(model);
  const { ploidy, quadrivalents, preferential = 0 } = model;
  const bivalents = bivalentGametes(ploidy, preferential);
  if (quadrivalents === 0) return bivalents;
  const others = quadrivalentGametes();
  return (one, other, places) => {
    const mixed = bivalents(one, other, places);
    const fromFour = others(one, other, places);
    return mixed.map((p, at) => (1 - quadrivalents) * p + quadrivalents * fromFour[at]);
  };
}

/** @throws RangeError for an odd ploidy, quadrivalents of another ploidy than 4, or a share out of range */
export function requirePairing({ ploidy, quadrivalents, preferential = 0 }: PairingModel): void {
  if (!(ploidy >= 2 && ploidy % 2 === 0)) throw new RangeError(`a ploidy of ${ploidy} has no bivalents`);
  if (!(quadrivalents >= 0 && quadrivalents <= 1) || (quadrivalents > 0 && ploidy !== 4)) {
    throw new RangeError(`a share of ${quadrivalents} of quadrivalents at ploidy ${ploidy}`);
  }
  if (!(preferential >= 0 && preferential <= 1))
    throw new RangeError(`a share of ${preferential} of preferential pairs`);
}

/** Every way in which the homologs can pair, (k − 1)!! of them; in the first one neighbours pair. */
function matchingsOf(homologs: readonly number[]): [number, number][][] {
  const [first, ...rest] = homologs;
  if (first === undefined) return [[]];
  return rest.flatMap((partner) =>
    matchingsOf(rest.filter((one) => one !== partner)).map((others): [number, number][] => [
      [first, partner],
      ...others,
    ]),
  );
}

function bivalentGametes(ploidy: number, preferential: number): GameteDistribution {
  const matchings = matchingsOf(Array.from({ length: ploidy }, (_, i) => i));
  const weights = matchings.map((_, at) => (1 - preferential) / matchings.length + (at === 0 ? preferential : 0));
  const side = ploidy / 2 + 1;
  return (one, other, { first, second }) => {
    const stay = (1 + Math.exp(-2 * Math.abs(second - first))) / 4;
    const change = 0.5 - stay;
    const result = new Float64Array(side * side);
    for (const [m, matching] of matchings.entries()) {
      if (weights[m] === 0) continue;
      let table = new Float64Array(side * side);
      table[0] = 1;
      for (const [i, j] of matching) {
        const next = new Float64Array(side * side);
        const ways = [
          [one[i] + side * other[i], stay],
          [one[j] + side * other[j], stay],
          [one[i] + side * other[j], change],
          [one[j] + side * other[i], change],
        ];
        for (let at = 0; at < table.length; at++) {
          if (table[at] === 0) continue;
          for (const [step, p] of ways) next[at + step] += p * table[at];
        }
        table = next;
      }
      for (let at = 0; at < table.length; at++) result[at] += table[at] * weights[m];
    }
    return result;
  };
}

/** Pairs of homologs (i, j) that the two chromatids of a gamete come from, of four. */
const STATES = 16;

function quadrivalentGametes(): GameteDistribution {
  const move = createTransition();
  const start = Float64Array.from({ length: STATES }, (_, s) => (s % 5 === 0 ? 0 : 1 / 12));
  return (one, other, { first, second }) => {
    const joint = new Float64Array(9);
    const copies = (alleles: Uint8Array, state: number): number => alleles[state & 3] + alleles[state >> 2];
    const add = (s: number, t: number, p: number): void => {
      joint[copies(one, s) + 3 * copies(other, t)] += p;
    };
    if (first * second >= 0) {
      const isFirstNear = Math.abs(first) <= Math.abs(second);
      const near = times(start, move(Math.min(Math.abs(first), Math.abs(second))));
      const step = move(Math.abs(second - first));
      for (let s = 0; s < STATES; s++) {
        for (let t = 0; t < STATES; t++) {
          const p = near[s] * step.data[s + t * STATES];
          if (isFirstNear) add(s, t, p);
          else add(t, s, p);
        }
      }
      return joint;
    }
    const [toFirst, toSecond] = [move(Math.abs(first)), move(Math.abs(second))];
    for (let c = 0; c < STATES; c++) {
      if (start[c] === 0) continue;
      for (let s = 0; s < STATES; s++) {
        const p = start[c] * toFirst.data[c + s * STATES];
        for (let t = 0; t < STATES; t++) add(s, t, p * toSecond.data[c + t * STATES]);
      }
    }
    return joint;
  };
}

function times(row: Float64Array, { data }: Matrix): Float64Array {
  return Float64Array.from({ length: STATES }, (_, t) => {
    let sum = 0;
    for (let s = 0; s < STATES; s++) sum += row[s] * data[s + t * STATES];
    return sum;
  });
}

/** Distances whose transitions are kept: loci of a map are at few of them. */
const KEPT_DISTANCES = 4096;

/**
 * Transitions of the pair of homologs over a distance in Morgan. The chain is reversible, with twice the weight on two
 * homologs than on one twice, so that its generator is similar to a symmetric matrix.
 */
function createTransition(): (morgan: number) => Matrix {
  const root = Float64Array.from({ length: STATES }, (_, s) => (s % 5 === 0 ? 1 : Math.SQRT2));
  const generator = createMatrix(STATES, STATES);
  for (let s = 0; s < STATES; s++) {
    const [i, j] = [s & 3, s >> 2];
    const leave = (toI: number, toJ: number, rate: number): void => {
      const t = toI + 4 * toJ;
      generator.data[s + t * STATES] += (rate * root[s]) / root[t];
      generator.data[s + s * STATES] -= rate;
    };
    for (let k = 0; k < 4; k++) {
      if (k === i || k === j) continue;
      leave(k, j, 1 / 3);
      leave(i, k, 1 / 3);
    }
    if (i === j) continue;
    leave(j, i, 1 / 6);
    leave(i, i, 1 / 6);
    leave(j, j, 1 / 6);
  }
  const { values, vectors } = symmetricEigenInPlace(generator);
  const known = new Map<number, Matrix>();
  return (morgan) => {
    let found = known.get(morgan);
    if (found === undefined) {
      found = createMatrix(STATES, STATES);
      for (let e = 0; e < STATES; e++) {
        const decay = Math.exp(values[e] * morgan);
        for (let t = 0; t < STATES; t++) {
          const right = decay * vectors.data[t + e * STATES] * root[t];
          for (let s = 0; s < STATES; s++)
            found.data[s + t * STATES] += (vectors.data[s + e * STATES] / root[s]) * right;
        }
      }
      if (known.size >= KEPT_DISTANCES) known.clear();
      known.set(morgan, found);
    }
    return found;
  };
}

/** Double reduction far from the centromere where all chromosomes form quadrivalents. */
export const LARGEST_DOUBLE_REDUCTION: number = 1 / 7;
