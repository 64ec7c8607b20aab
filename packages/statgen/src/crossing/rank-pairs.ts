import { selfingCoefficients } from './cross-moments.ts';
import {
  type CrossingGenome,
  geneticValue,
  type PhasedParent,
  requireGenomeLength,
  type TraitEffects,
} from './crossing-genome.ts';
import { segregatingGaps } from './linkage-kernel.ts';
import { addPairDominance } from './pair-dominance.ts';
import { breedingScheme, type Population } from './population.ts';

/** Mean and variance of every pair of parents; pair (i, j), i < j, is at index {@link pairIndex}. */
export interface PairMoments {
  /** One array per trait, n(n−1)/2 entries. */
  mean: Float64Array[];
  variance: Float64Array[];
}

/** Index of the pair (i, j), 0 ≤ i < j < n, in the arrays of {@link PairMoments}. */
export function pairIndex(i: number, j: number, n: number): number {
  return (i * (2 * n - i - 1)) / 2 + (j - i - 1);
}

/**
 * Whether {@link pairMoments} supports a population: it must treat both parents alike. Backcrosses, whose two
 * directions differ, use {@link crossMoments} pair by pair.
 */
export function hasPairMoments(population: Population): boolean {
  return breedingScheme(population).backcrossTo === null;
}

/** Markers per tile: the whitened effects of about a hundred parents stay in the L2 cache. */
const TILE = 512;
/** Powers of ρ kept for a RIL end where the weight drops below 1e−9 of the variance. */
const NEGLIGIBLE_WEIGHT = 2 ** -30;

/**
 * Exact mean and variance of the progeny of every pair among n parents, inbred or heterozygous with phase, in O(nm +
 * n²m) simple steps per power of ρ in the population's covariance: all 19,900 pairs of 200 parents at 50,000 markers
 * take seconds.
 *
 * The kernel ρ^k is the covariance of an autoregressive process, so Σ_ij ρ_ij^k c_i c_j = Σ_j w_j² with w_j = √(1 −
 * ρ_{j−1,j}^{2k}) Σ_{i≥j} ρ_ij^k c_i. This whitening is linear and is done once per parent; a pair's variance is the
 * squared distance between the whitened values of its parents, plus the variance segregating within each heterozygous
 * parent. In populations with heterozygotes dominance adds to mean and variance ({@link addPairDominance}). See {@link
 * crossMoments} for the covariances.
 *
 * @throws RangeError when effects or haplotypes do not have `genome.markerCount` entries, or for a backcross
 */
export function pairMoments(
  genome: CrossingGenome,
  effects: readonly TraitEffects[],
  parents: readonly PhasedParent[],
  population: Population,
): PairMoments {
  requireGenomeLength(genome, effects, parents);
  if (!hasPairMoments(population)) throw new RangeError(`${population} has no form that pairs share`);
  const n = parents.length;
  const pairs = (n * (n - 1)) / 2;
  const { selfings, doubled } = breedingScheme(population);
  const betweenHomologs = selfingCoefficients(selfings, doubled);
  const { markers, gapMorgan } =
    n === 0 ? { markers: new Int32Array(0), gapMorgan: new Float64Array(0) } : segregatingGaps(genome, parents);
  const result: PairMoments = { mean: [], variance: [] };
  for (const trait of effects) {
    const additiveOnly = { ...trait, dominance: null };
    const value = parents.map((parent) => geneticValue(additiveOnly, parent));
    const variance = new Float64Array(pairs);
    const withinParent = new Float64Array(n);
    const effect = Float64Array.from(markers, (j) => trait.additive[j]);
    for (const [k, weight] of betweenHomologs.entries()) {
      if (weight < NEGLIGIBLE_WEIGHT) continue;
      addDistances(
        variance,
        whitenedParents(effect, markers, gapMorgan, parents, k, 'mean'),
        markers.length,
        n,
        weight,
      );
    }
    // ρ + Σ c_k ρ^(k+1) for the variance segregating within a heterozygous parent
    const within = [0, 1];
    betweenHomologs.forEach((c, k) => {
      within[k + 1] = (within[k + 1] ?? 0) + c;
    });
    if (parents.some((parent) => parent.first.some((allele, j) => allele !== parent.second[j]))) {
      for (const [k, weight] of within.entries()) {
        if (weight < NEGLIGIBLE_WEIGHT) continue;
        const whitened = whitenedParents(effect, markers, gapMorgan, parents, k, 'half-difference');
        addSquares(withinParent, whitened, markers.length, n, weight);
      }
    }
    const mean = new Float64Array(pairs);
    for (let i = 0, pair = 0; i < n; i++) {
      for (let j = i + 1; j < n; j++, pair++) {
        mean[pair] = ((value.at(i) ?? 0) + (value.at(j) ?? 0)) / 2;
        variance[pair] += withinParent[i] + withinParent[j];
      }
    }
    const { additive, dominance } = trait;
    if (dominance !== null && !doubled && Number.isFinite(selfings) && n > 1) {
      addPairDominance(mean, variance, { genome, parents, markers, gapMorgan }, { additive, dominance }, selfings);
      // Mixed terms can cancel everything but rounding, which may be negative.
      for (let pair = 0; pair < pairs; pair++) variance[pair] = Math.max(0, variance[pair]);
    }
    result.mean.push(mean);
    result.variance.push(variance);
  }
  return result;
}

/**
 * Whitened effects of all parents, tile by tile: entry (tile·n + parent)·TILE + offset. Length ⌈count/TILE⌉ · n ·
 * TILE.
 */
function whitenedParents(
  effect: Float64Array,
  markers: Int32Array,
  gapMorgan: Float64Array,
  parents: readonly PhasedParent[],
  power: number,
  what: 'mean' | 'half-difference',
): Float64Array {
  const count = markers.length;
  const n = parents.length;
  const sign = what === 'mean' ? 1 : -1;
  const decay = gapMorgan.map((gap) => Math.exp(-2 * power * gap));
  const scale = gapMorgan.map((gap) => Math.sqrt(-Math.expm1(-4 * power * gap)));
  const whitened = new Float64Array(Math.ceil(count / TILE) * n * TILE);
  for (const [i, { first, second }] of parents.entries()) {
    let sum = 0;
    for (let j = count - 1; j >= 0; j--) {
      const marker = markers[j];
      sum += 0.5 * effect[j] * (first[marker] + sign * second[marker]);
      const tile = (j / TILE) | 0;
      whitened[(tile * n + i) * TILE + (j - tile * TILE)] = scale[j] * sum;
      sum *= decay[j];
    }
  }
  return whitened;
}

function addDistances(variance: Float64Array, whitened: Float64Array, count: number, n: number, weight: number): void {
  for (let tile = 0; tile * TILE < count; tile++) {
    const base = tile * n * TILE;
    let pair = 0;
    for (let i = 0; i < n; i++) {
      const atI = base + i * TILE;
      for (let j = i + 1; j < n; j++, pair++) {
        const atJ = base + j * TILE;
        let s0 = 0;
        let s1 = 0;
        let s2 = 0;
        let s3 = 0;
        // Four sums, so that the additions do not wait for each other; the last tile is zero-padded for all parents.
        for (let t = 0; t < TILE; t += 4) {
          const d0 = whitened[atI + t] - whitened[atJ + t];
          const d1 = whitened[atI + t + 1] - whitened[atJ + t + 1];
          const d2 = whitened[atI + t + 2] - whitened[atJ + t + 2];
          const d3 = whitened[atI + t + 3] - whitened[atJ + t + 3];
          s0 += d0 * d0;
          s1 += d1 * d1;
          s2 += d2 * d2;
          s3 += d3 * d3;
        }
        variance[pair] += weight * (s0 + s1 + s2 + s3);
      }
    }
  }
}

function addSquares(sums: Float64Array, whitened: Float64Array, count: number, n: number, weight: number): void {
  for (let tile = 0; tile * TILE < count; tile++) {
    for (let i = 0; i < n; i++) {
      const start = (tile * n + i) * TILE;
      let sum = 0;
      for (let t = start; t < start + TILE; t++) sum += whitened[t] * whitened[t];
      sums[i] += weight * sum;
    }
  }
}
