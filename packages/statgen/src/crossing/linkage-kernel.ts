import type { CrossingGenome, PhasedParent } from './crossing-genome.ts';
import { linkage, type MapFunction } from './map-function.ts';

/** Factors of one power ρ^k in a covariance built from two vectors per trait; an absent one is 0. */
export interface KernelWeights {
  mainMain?: number;
  /** Weight of main_i·other_j + other_i·main_j. */
  mainOther?: number;
  otherOther?: number;
}

/**
 * Part of a covariance between traits: Σ_ij Σ_k ρ_ij^k (mainMain_k·f_i f'_j + mainOther_k·(f_i g'_j + g_i f'_j) +
 * otherOther_k·g_i g'_j), f = `main` and g = `other` of one trait, f' and g' of another.
 */
export interface KernelTerm {
  /** One array per trait, each with one entry per locus. */
  main: Float64Array[];
  other: Float64Array[] | null;
  /** Entry k belongs to ρ^k; holes are zero. Entry 0 must be zero: unlinked loci have no covariance. */
  weights: KernelWeights[];
}

/**
 * Adds the terms to `covariance` (T × T) in O(m) per power and vector.
 *
 * ρ_ij = e^(−2|x_i−x_j|) is the correlation of a first-order autoregressive process, so Σ_ij ρ_ij^k f_i g_j = Σ_j (1 −
 * ρ_{j−1,j}^{2k}) F_j G_j with F_j = Σ_{i≥j} ρ_ij^k f_i, a running sum from the end of the chromosome. For f = g this
 * is a sum of squares, so cancellation cannot make a variance negative.
 *
 * @param gapMorgan distance of each locus from the previous one, Infinity for the first of a chromosome
 */
export function addKernelCovariance(
  covariance: Float64Array,
  traits: number,
  gapMorgan: Float64Array,
  terms: readonly KernelTerm[],
): void {
  const count = gapMorgan.length;
  const active = terms.filter((term) =>
    [...term.main, ...(term.other ?? [])].some((values) => values.some((v) => v !== 0)),
  );
  const highestPower = Math.max(0, ...active.map((term) => term.weights.length - 1));
  const decay = new Float64Array(count);
  const innovation = new Float64Array(count);
  for (let k = 1; k <= highestPower; k++) {
    if (!active.some((term) => hasWeight(term.weights.at(k)))) continue;
    for (let j = 0; j < count; j++) {
      decay[j] = Math.exp(-2 * k * gapMorgan[j]);
      innovation[j] = -Math.expm1(-4 * k * gapMorgan[j]);
    }
    for (const term of active) {
      const weight = k < term.weights.length ? term.weights[k] : undefined;
      if (weight === undefined || !hasWeight(weight)) continue;
      const needsOther = term.other !== null && ((weight.mainOther ?? 0) !== 0 || (weight.otherOther ?? 0) !== 0);
      const main = term.main.map((values) => runningSums(values, decay));
      const other = needsOther && term.other !== null ? term.other.map((values) => runningSums(values, decay)) : null;
      for (let t = 0; t < traits; t++) {
        for (let s = 0; s <= t; s++) {
          let value = (weight.mainMain ?? 0) * weightedDot(innovation, main[t], main[s]);
          if (other !== null) {
            const mixed = weight.mainOther ?? 0;
            if (mixed !== 0) {
              value +=
                mixed * (weightedDot(innovation, main[t], other[s]) + weightedDot(innovation, other[t], main[s]));
            }
            value += (weight.otherOther ?? 0) * weightedDot(innovation, other[t], other[s]);
          }
          covariance[t * traits + s] += value;
          if (s !== t) covariance[s * traits + t] += value;
        }
      }
    }
  }
}

/**
 * Like {@link addKernelCovariance} for any map function: ρ of each pair of loci follows from their distance. It visits
 * every pair of a chromosome, O(m²) per term, because without a multiplicative ρ there is no running sum.
 *
 * @param gapMorgan distance of each locus from the previous one, Infinity for the first of a chromosome
 */
export function addPairwiseCovariance(
  covariance: Float64Array,
  traits: number,
  gapMorgan: Float64Array,
  terms: readonly KernelTerm[],
  mapFunction: MapFunction,
): void {
  const coefficients = terms.map(({ weights }) => ({
    mainMain: Float64Array.from(weights, (weight) => weight?.mainMain ?? 0),
    mainOther: Float64Array.from(weights, (weight) => weight?.mainOther ?? 0),
    otherOther: Float64Array.from(weights, (weight) => weight?.otherOther ?? 0),
  }));
  for (let i = 0; i < gapMorgan.length; i++) {
    let distance = 0;
    for (let j = i; j < gapMorgan.length; j++) {
      if (j > i) distance += gapMorgan[j];
      if (distance === Number.POSITIVE_INFINITY) break;
      const rho = linkage(mapFunction, distance);
      // The pair (j, i) adds the same with the traits swapped.
      const both = i !== j;
      for (const [k, { main, other }] of terms.entries()) {
        const { mainMain, mainOther, otherOther } = coefficients[k];
        const mm = valueAt(mainMain, rho);
        const mo = other === null ? 0 : valueAt(mainOther, rho);
        const oo = other === null ? 0 : valueAt(otherOther, rho);
        for (let t = 0; t < traits; t++) {
          for (let s = 0; s < traits; s++) {
            let value = mm * main[t][i] * main[s][j];
            if (other !== null) {
              value += mo * (main[t][i] * other[s][j] + other[t][i] * main[s][j]) + oo * other[t][i] * other[s][j];
            }
            covariance[t * traits + s] += value;
            if (both) covariance[s * traits + t] += value;
          }
        }
      }
    }
  }
}

/** A polynomial at x, by Horner's rule. */
function valueAt(coefficients: Float64Array, x: number): number {
  let value = 0;
  for (let k = coefficients.length - 1; k >= 0; k--) value = value * x + coefficients[k];
  return value;
}

/** F_j = f_j + decay_{j+1} F_{j+1}, from the last locus to the first. */
function runningSums(values: Float64Array, decay: Float64Array): Float64Array {
  const sums = new Float64Array(values.length);
  let sum = 0;
  for (let j = values.length - 1; j >= 0; j--) {
    sum = values[j] + sum;
    sums[j] = sum;
    sum *= decay[j];
  }
  return sums;
}

function weightedDot(weight: Float64Array, f: Float64Array, g: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < weight.length; j++) sum += weight[j] * f[j] * g[j];
  return sum;
}

function hasWeight(weight: KernelWeights | undefined): boolean {
  return (
    weight !== undefined &&
    ((weight.mainMain ?? 0) !== 0 || (weight.mainOther ?? 0) !== 0 || (weight.otherOther ?? 0) !== 0)
  );
}

/** Mapped markers at which the haplotypes differ, and the distance of each from the previous one on its chromosome. */
export function segregatingGaps(
  genome: CrossingGenome,
  parents: readonly PhasedParent[],
): { markers: Int32Array; gapMorgan: Float64Array } {
  const markers = new Int32Array(genome.mappedCount);
  const gapMorgan = new Float64Array(genome.mappedCount);
  const haplotypes = parents.flatMap((parent) => [parent.first, parent.second]);
  const reference = haplotypes[0];
  let count = 0;
  for (let c = 0; c + 1 < genome.chromosomeStart.length; c++) {
    let last = -1;
    for (let j = genome.chromosomeStart[c]; j < genome.chromosomeStart[c + 1]; j++) {
      if (haplotypes.every((haplotype) => haplotype[j] === reference[j])) continue;
      markers[count] = j;
      gapMorgan[count] = last < 0 ? Number.POSITIVE_INFINITY : genome.positionMorgan[j] - genome.positionMorgan[last];
      last = j;
      count++;
    }
  }
  return { markers: markers.slice(0, count), gapMorgan: gapMorgan.slice(0, count) };
}
