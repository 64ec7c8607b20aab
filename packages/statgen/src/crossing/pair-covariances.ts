import { createMatrix, type Matrix, mirrorLower } from '@heterosis/linalg/matrix';
import { addOuterProduct, multiply } from '@heterosis/linalg/products';
import { withOneThread } from '@heterosis/linalg/threads';
import { selfingCoefficients } from './cross-moments.ts';
import { type CrossingGenome, type PhasedParent, requireGenomeLength, type TraitEffects } from './crossing-genome.ts';
import { segregatingGaps } from './linkage-kernel.ts';
import { breedingScheme, type Population } from './population.ts';
import { hasPairMoments } from './rank-pairs.ts';

/** Markers multiplied at a time. */
const TILE = 512;
/** Powers of ρ kept for a RIL end where the weight drops below 1e−9 of the variance. */
const NEGLIGIBLE_WEIGHT = 2 ** -30;

/**
 * Exact covariances between traits of the additive values within the progeny of every pair among n parents, as matrix
 * products: with the whitened values w of {@link pairMoments}, Cov_st(i, j) = Σ_k weight_k (w_is − w_js)'(w_it − w_jt)
 * comes from the products w_s·w_t', on one thread for equal bytes. O(n²m) at the speed of BLAS: two million pairs of
 * 2,000 parents at 50,000 markers take seconds. Dominance is left out: these are variances of breeding values.
 *
 * Whitened values are centred over the parents first, so that nearly equal parents lose few digits: an error of 1e−15
 * of the largest variance.
 *
 * @returns by pair of traits (0,0), (0,1) … (T−1,T−1): one number per pair i < j of parents, at i(2n − i − 1)/2 + j −
 * i − 1, in single precision
 * @throws RangeError like `pairMoments`
 */
export function pairCovariances(
  genome: CrossingGenome,
  effects: readonly TraitEffects[],
  parents: readonly PhasedParent[],
  population: Population,
): Float32Array[] {
  requireGenomeLength(genome, effects, parents);
  if (!hasPairMoments(population)) throw new RangeError(`${population} has no form that pairs share`);
  const n = parents.length;
  const { selfings, doubled } = breedingScheme(population);
  const betweenHomologs = selfingCoefficients(selfings, doubled);
  const { markers, gapMorgan } =
    n === 0 ? { markers: new Int32Array(0), gapMorgan: new Float64Array(0) } : segregatingGaps(genome, parents);
  const places = traitPairs(effects.length);
  const products = places.map(() => createMatrix(n, n));
  const withinParent = places.map(() => new Float64Array(n));
  // ρ + Σ c_k ρ^(k+1) for the variance segregating within a heterozygous parent.
  const within = [0, 1];
  betweenHomologs.forEach((c, k) => {
    within[k + 1] = (within[k + 1] ?? 0) + c;
  });
  const isHeterozygous = parents.some(({ first, second }) => first.some((allele, j) => allele !== second[j]));
  const loci = { effects, markers, gapMorgan, parents };
  for (const [k, weight] of betweenHomologs.entries()) {
    if (weight < NEGLIGIBLE_WEIGHT) continue;
    forEachTile(loci, k, 1, (tiles) => {
      for (const tile of tiles) centre(tile);
      withOneThread(() =>
        places.forEach(([s, t], place) => {
          if (s === t) addOuterProduct(products[place], tiles[s], weight);
          else multiply(tiles[s], tiles[t], { transposeB: true, alpha: weight, beta: 1, into: products[place] });
        }),
      );
    });
  }
  for (const [k, weight] of within.entries()) {
    if (!isHeterozygous || weight < NEGLIGIBLE_WEIGHT) continue;
    forEachTile(loci, k, -1, (tiles) => {
      places.forEach(([s, t], place) => {
        for (let at = 0; at < tiles[s].data.length; at++)
          withinParent[place][at % n] += weight * tiles[s].data[at] * tiles[t].data[at];
      });
    });
  }
  return places.map(([s, t], place) => {
    const { data } = s === t ? mirrorLower(products[place]) : products[place];
    const covariance = new Float32Array((n * (n - 1)) / 2);
    for (let i = 0, pair = 0; i < n; i++) {
      for (let j = i + 1; j < n; j++, pair++) {
        const between = data[i * n + i] + data[j * n + j] - data[i * n + j] - data[j * n + i];
        const sum = between + withinParent[place][i] + withinParent[place][j];
        covariance[pair] = s === t ? Math.max(0, sum) : sum;
      }
    }
    return covariance;
  });
}

/** (0,0), (0,1) … (0,T−1), (1,1) … */
function traitPairs(traits: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let s = 0; s < traits; s++) for (let t = s; t < traits; t++) pairs.push([s, t]);
  return pairs;
}

interface Loci {
  effects: readonly TraitEffects[];
  markers: Int32Array;
  gapMorgan: Float64Array;
  parents: readonly PhasedParent[];
}

/**
 * Whitened effects of all parents for a power of ρ, from the last markers to the first: one matrix n × TILE per trait,
 * zero in columns without a marker.
 *
 * @param sign 1 for the mean of a parent's haplotypes, −1 for half their difference
 */
function forEachTile(
  { effects, markers, gapMorgan, parents }: Loci,
  power: number,
  sign: 1 | -1,
  use: (tiles: Matrix[]) => void,
): void {
  const n = parents.length;
  const sums = effects.map(() => new Float64Array(n));
  for (let tile = Math.ceil(markers.length / TILE) - 1; tile >= 0; tile--) {
    const tiles = effects.map(() => createMatrix(n, TILE));
    for (let j = Math.min(markers.length, (tile + 1) * TILE) - 1; j >= tile * TILE; j--) {
      const decay = Math.exp(-2 * power * gapMorgan[j]);
      const scale = Math.sqrt(-Math.expm1(-4 * power * gapMorgan[j]));
      const marker = markers[j];
      const at = (j - tile * TILE) * n;
      for (const [t, { additive }] of effects.entries()) {
        const half = additive[marker] / 2;
        const sum = sums[t];
        const { data } = tiles[t];
        for (let i = 0; i < n; i++) {
          const total = sum[i] + half * (parents[i].first[marker] + sign * parents[i].second[marker]);
          data[at + i] = scale * total;
          sum[i] = total * decay;
        }
      }
    }
    use(tiles);
  }
}

function centre({ rows, columns, data }: Matrix): void {
  for (let j = 0; j < columns; j++) {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += data[j * rows + i];
    for (let i = 0; i < rows; i++) data[j * rows + i] -= sum / rows;
  }
}
