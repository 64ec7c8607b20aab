import type { CrossingGenome, PhasedParent } from './crossing-genome.ts';

/** Parents whose pairs are computed together, at the mapped markers where any of them differ. */
export interface PairScene {
  genome: CrossingGenome;
  parents: readonly PhasedParent[];
  /** Segregating mapped markers, in genome order. */
  markers: Int32Array;
  /** Distance of each from the previous one, Infinity for the first of a chromosome. */
  gapMorgan: Float64Array;
}

/** Markers per tile: one pass over about a hundred parents then stays in the L2 cache. */
const TILE = 512;
/** Partners whose running sums advance together, so that their additions do not wait for each other. */
const PARTNERS = 4;

/**
 * Adds the contribution of dominance to the mean and variance of every pair's progeny after t selfings of F1 plants (0
 * = F1), at the remaining heterozygosity.
 *
 * In the notation of `crossMoments`, with K_k the matrix of ρ^k, the variance grows by
 *
 *     2·2^−t Σ [a x]K₁[d x (1−2q)] + the same with the parents swapped
 *     + 4^−t Σ_k C(t,k) ( ‖d x (1−2q)‖²_{K_2k+1} + ‖d y (1−2p)‖²_{K_2k+1} + 4‖d x y‖²_{K_2k+2}
 *                         + [k > 0] ‖d h‖²_{K_2k} )
 *
 * The first line factors by parent: d x ∘ K₁(a x) belongs to one parent, so a pair costs one dot product over the
 * markers at which that parent is heterozygous. The squares do not factor: in ±1 coding h h' contains P P' Q Q', a
 * product over pairs of loci of both parents, and expressing it as a distance of vectors takes one coordinate per pair
 * of linked loci, m² instead of m. Each pair therefore has its own running sum. It is fast because every square has
 * the form u + v·z with u, v of one parent and z of the other, decays are computed once for all pairs, markers are
 * processed in tiles, and partners advance four at a time. Between inbred parents x = y = 0 and only ‖d h‖² remains,
 * with t powers. O(n²m) multiplications per power, in memory of n × m.
 *
 * @param variance n(n−1)/2 entries, see `pairIndex`
 */
export function addPairDominance(
  mean: Float64Array,
  variance: Float64Array,
  scene: PairScene,
  effects: { additive: Float64Array; dominance: Float64Array },
  selfings: number,
): void {
  const { genome, parents, markers } = scene;
  addHeterosis(mean, genome, parents, effects.dominance, 2 ** -selfings);
  const n = parents.length;
  const d = Float64Array.from(markers, (j) => effects.dominance[j]);
  const isHeterozygous = parents.map(({ first, second }) => markers.some((j) => first[j] !== second[j]));
  const means = tiled(parents, markers, (first, second) => (first + second) / 2);
  const halves = isHeterozygous.includes(true)
    ? tiled(parents, markers, (first, second) => (first - second) / 2)
    : new Float64Array(0);
  addMixedPart(
    variance,
    scene,
    Float64Array.from(markers, (j) => effects.additive[j]),
    d,
    2 * 2 ** -selfings,
  );
  const all = parents.map(() => true);
  const own = (values: Float64Array, i: number) => (j: number) => values[placeOf(i, j, n)];
  for (let k = 0; k <= selfings; k++) {
    const weight = binomial(selfings, k) * 4 ** -selfings;
    if (k > 0) {
      addSquares(variance, scene, 2 * k, weight, {
        mates: means,
        isOwn: all,
        isMate: all,
        isOrdered: false,
        form: (i) => {
          const p = own(means, i);
          return { u: (j) => d[j] * p(j), v: (j) => d[j] * (1 - 2 * p(j)) };
        },
      });
    }
    addSquares(variance, scene, 2 * k + 1, weight, {
      mates: means,
      isOwn: isHeterozygous,
      isMate: all,
      isOrdered: true,
      form: (i) => {
        const x = own(halves, i);
        return { u: (j) => d[j] * x(j), v: (j) => -2 * d[j] * x(j) };
      },
    });
    addSquares(variance, scene, 2 * k + 2, 4 * weight, {
      mates: halves,
      isOwn: isHeterozygous,
      isMate: isHeterozygous,
      isOrdered: false,
      form: (i) => {
        const x = own(halves, i);
        return { u: () => 0, v: (j) => d[j] * x(j) };
      },
    });
  }
}

/** Adds factor · Σ d(p + q − 2pq) for every pair; every marker counts, mapped or not. */
function addHeterosis(
  mean: Float64Array,
  genome: CrossingGenome,
  parents: readonly PhasedParent[],
  dominance: Float64Array,
  factor: number,
): void {
  const n = parents.length;
  const everywhere = Int32Array.from({ length: genome.markerCount }, (_, j) => j);
  const [reference] = parents;
  // Where no parents differ, no progeny is heterozygous.
  const markers = everywhere.filter(
    (j) =>
      dominance[j] !== 0 &&
      parents.some(({ first, second }) => first[j] !== reference.first[j] || second[j] !== reference.first[j]),
  );
  const means = tiled(parents, markers, (first, second) => (first + second) / 2);
  const v = new Float64Array(TILE);
  for (let tile = 0; tile * TILE < markers.length; tile++) {
    const length = Math.min(TILE, markers.length - tile * TILE);
    for (let i = 0, pair = 0; i < n; i++) {
      const atI = (tile * n + i) * TILE;
      let base = 0;
      v.fill(0);
      for (let t = 0; t < length; t++) {
        const d = dominance[markers[tile * TILE + t]];
        base += d * means[atI + t];
        v[t] = d * (1 - 2 * means[atI + t]);
      }
      for (let j = i + 1; j < n; j++, pair++) {
        const atJ = (tile * n + j) * TILE;
        let s0 = base;
        let s1 = 0;
        let s2 = 0;
        let s3 = 0;
        for (let t = 0; t < TILE; t += 4) {
          s0 += v[t] * means[atJ + t];
          s1 += v[t + 1] * means[atJ + t + 1];
          s2 += v[t + 2] * means[atJ + t + 2];
          s3 += v[t + 3] * means[atJ + t + 3];
        }
        mean[pair] += factor * (s0 + s1 + s2 + s3);
      }
    }
  }
}

/** Adds factor · Σ_j (1 − 2q_j) d_j x_j (K₁ a x)_j for every ordered pair. */
function addMixedPart(
  variance: Float64Array,
  { parents, markers, gapMorgan }: PairScene,
  additive: Float64Array,
  d: Float64Array,
  factor: number,
): void {
  const n = parents.length;
  const decay = gapMorgan.map((gap) => Math.exp(-2 * gap));
  for (const [i, { first, second }] of parents.entries()) {
    const places = Int32Array.from(markers.keys()).filter((k) => first[markers[k]] !== second[markers[k]]);
    if (places.length === 0) continue;
    const half = Float64Array.from(markers, (j) => (first[j] - second[j]) / 2);
    const kernelOfA = half.map((x, k) => additive[k] * x);
    addNeighbours(kernelOfA, decay);
    const z = Float64Array.from(places, (k) => d[k] * half[k] * kernelOfA[k]);
    for (const [j, mate] of parents.entries()) {
      if (j === i) continue;
      let sum = 0;
      for (let t = 0; t < places.length; t++) {
        const marker = markers[places[t]];
        sum += z[t] * (1 - mate.first[marker] - mate.second[marker]);
      }
      variance[pairOf(i, j, n)] += factor * sum;
    }
  }
}

/** Replaces f by K₁f in place: a running sum over the markers before each marker, and one over those after it. */
function addNeighbours(f: Float64Array, decay: Float64Array): void {
  const behind = new Float64Array(f.length);
  let sum = 0;
  for (let j = f.length - 1; j >= 0; j--) {
    behind[j] = sum;
    sum = (sum + f[j]) * decay[j];
  }
  sum = 0;
  for (let j = 0; j < f.length; j++) {
    const own = f[j];
    sum *= decay[j];
    f[j] = own + sum + behind[j];
    sum += own;
  }
}

interface SquareForm {
  /** Values of the partners, in the layout of {@link tiled}. */
  mates: Float64Array;
  /** Parents that supply u and v, and those that supply z. */
  isOwn: readonly boolean[];
  isMate: readonly boolean[];
  /** Both (i, j) and (j, i), or only i < j. */
  isOrdered: boolean;
  form(parent: number): { u(marker: number): number; v(marker: number): number };
}

/**
 * Adds weight · ‖u + v·z‖² in the metric ρ^power to every pair: Σ_j (1 − ρ_{j−1,j}^{2·power}) F_j², F a running sum
 * from the end.
 */
function addSquares(
  variance: Float64Array,
  { parents, markers, gapMorgan }: PairScene,
  power: number,
  weight: number,
  { mates, isOwn, isMate, isOrdered, form }: SquareForm,
): void {
  const n = parents.length;
  if (!isOwn.includes(true) || !isMate.includes(true)) return;
  const count = markers.length;
  const tiles = Math.ceil(count / TILE);
  const decay = new Float64Array(tiles * TILE).fill(1);
  const innovation = new Float64Array(tiles * TILE);
  for (let j = 0; j < count; j++) {
    decay[j] = Math.exp(-2 * power * gapMorgan[j]);
    innovation[j] = -Math.expm1(-4 * power * gapMorgan[j]);
  }
  const running = new Float64Array(n * n);
  const u = new Float64Array(TILE);
  const v = new Float64Array(TILE);
  const tileDecay = new Float64Array(TILE);
  const tileInnovation = new Float64Array(TILE);
  const partners = new Int32Array(n);
  for (let tile = tiles - 1; tile >= 0; tile--) {
    tileDecay.set(decay.subarray(tile * TILE, (tile + 1) * TILE));
    tileInnovation.set(innovation.subarray(tile * TILE, (tile + 1) * TILE));
    const length = Math.min(TILE, count - tile * TILE);
    for (let i = 0; i < n; i++) {
      if (!isOwn[i]) continue;
      const of = form(i);
      u.fill(0);
      v.fill(0);
      for (let t = 0; t < length; t++) {
        u[t] = of.u(tile * TILE + t);
        v[t] = of.v(tile * TILE + t);
      }
      let partnerCount = 0;
      for (let j = isOrdered ? 0 : i + 1; j < n; j++) if (j !== i && isMate[j]) partners[partnerCount++] = j;
      for (let at = 0; at < partnerCount; at += PARTNERS) {
        // The last group is padded with its last partner; only sums of distinct partners are kept.
        const last = partnerCount - 1;
        const j0 = partners[at];
        const j1 = partners[Math.min(at + 1, last)];
        const j2 = partners[Math.min(at + 2, last)];
        const j3 = partners[Math.min(at + 3, last)];
        const z0 = (tile * n + j0) * TILE;
        const z1 = (tile * n + j1) * TILE;
        const z2 = (tile * n + j2) * TILE;
        const z3 = (tile * n + j3) * TILE;
        let f0 = running[i * n + j0];
        let f1 = running[i * n + j1];
        let f2 = running[i * n + j2];
        let f3 = running[i * n + j3];
        let s0 = 0;
        let s1 = 0;
        let s2 = 0;
        let s3 = 0;
        for (let t = TILE - 1; t >= 0; t--) {
          const ut = u[t];
          const vt = v[t];
          const w = tileInnovation[t];
          const r = tileDecay[t];
          f0 += ut + vt * mates[z0 + t];
          f1 += ut + vt * mates[z1 + t];
          f2 += ut + vt * mates[z2 + t];
          f3 += ut + vt * mates[z3 + t];
          s0 += w * f0 * f0;
          s1 += w * f1 * f1;
          s2 += w * f2 * f2;
          s3 += w * f3 * f3;
          f0 *= r;
          f1 *= r;
          f2 *= r;
          f3 *= r;
        }
        running[i * n + j0] = f0;
        variance[pairOf(i, j0, n)] += weight * s0;
        if (at + 1 > last) continue;
        running[i * n + j1] = f1;
        variance[pairOf(i, j1, n)] += weight * s1;
        if (at + 2 > last) continue;
        running[i * n + j2] = f2;
        variance[pairOf(i, j2, n)] += weight * s2;
        if (at + 3 > last) continue;
        running[i * n + j3] = f3;
        variance[pairOf(i, j3, n)] += weight * s3;
      }
    }
  }
}

/** One number per parent and marker, tile by tile, zero-padded behind the last marker: see {@link placeOf}. */
function tiled(
  parents: readonly PhasedParent[],
  markers: Int32Array,
  value: (first: number, second: number) => number,
): Float64Array {
  const n = parents.length;
  const values = new Float64Array(Math.ceil(markers.length / TILE) * n * TILE);
  for (const [i, { first, second }] of parents.entries()) {
    for (let k = 0; k < markers.length; k++) values[placeOf(i, k, n)] = value(first[markers[k]], second[markers[k]]);
  }
  return values;
}

function placeOf(parent: number, marker: number, n: number): number {
  const tile = (marker / TILE) | 0;
  return (tile * n + parent) * TILE + (marker - tile * TILE);
}

function pairOf(i: number, j: number, n: number): number {
  const low = Math.min(i, j);
  return (low * (2 * n - low - 1)) / 2 + (Math.max(i, j) - low - 1);
}

function binomial(n: number, k: number): number {
  let value = 1;
  for (let i = 1; i <= k; i++) value = (value * (n - k + i)) / i;
  return value;
}
