import {
  type CrossingGenome,
  type CrossSide,
  plantsOf,
  requireGenomeLength,
  type TraitEffects,
} from './crossing-genome.ts';
import {
  gameteOfHomologs,
  gametesOf,
  type HomologMoments,
  type Polynomial,
  power,
  product,
  scaledBy,
} from './homolog-moments.ts';
import { addKernelCovariance, addPairwiseCovariance, type KernelTerm, segregatingGaps } from './linkage-kernel.ts';
import type { MapFunction } from './map-function.ts';
import { breedingScheme, type Population } from './population.ts';

/** Exact first and second moments of the genetic values in one cross. */
export interface CrossMoments {
  /** Expected genetic value per trait, length T. */
  mean: Float64Array;
  /** Covariance of genetic values between traits, T × T, symmetric; the diagonal holds the variances. */
  covariance: Float64Array;
  /** Markers with more than one allele among the parental haplotypes. */
  segregatingMarkers: number;
}

/** Powers of ρ kept for a RIL: ρ^k has the weight 2^−k, so the omitted terms are below double precision. */
const RIL_POWERS = 52;

/**
 * Exact mean and covariance (between traits) of genetic values in a cross of phased parents, inbred or not, with
 * additive and dominance effects. Each side of the cross is a plant or the F1 of two plants, which includes three- and
 * four-way crosses; every progeny comes from its own F1 plants.
 *
 * Let u and v be the alleles (0/1) on the homologs that the F1 plant received from its female and its male side, p and
 * q their means, C_u and C_v their covariances between two loci ({@link gametesOf}; ρxx' for a plant with half
 * difference x between its haplotypes), and ρ = 1 − 2r. Then s = u + v is the dosage, e = u − v, and H = e² marks a
 * heterozygote. One selfing maps (s, e) to (s + e(ζ+ξ)/2, e(ζ−ξ)/2), where ζ and ξ are signs of the two new meioses
 * with mean product ρ over two loci. For loci i and j after t selfings it follows that (p, q, h = p + q − 2pq refer to
 * one locus each, ∘ is the elementwise product):
 *
 *     Cov(s, s) = C_u + C_v + Σ_{k=1..t} (ρ/2)^k · E,   E = (p−q)(p−q)' + C_u + C_v
 *     Cov(s, H) = 2^−t [C_u(1−2q) + C_v(1−2p)]
 *     Cov(H, H) = ((1+ρ²)/4)^t [C_u∘(1−2q)(1−2q)' + C_v∘(1−2p)(1−2p)' + 4 C_u∘C_v] + 4^−t ((1+ρ²)^t − 1) hh'
 *
 * A doubled haploid adds ρ (ρ/2)^t E to Cov(s, s) and has no heterozygotes. Every term is a polynomial in ρ times a
 * product of one number per locus. Under Haldane's map function ρ = e^(−2d) is multiplicative along the chromosome,
 * and a power costs O(m) by {@link addKernelCovariance}; for other map functions {@link addPairwiseCovariance} sums
 * all pairs of loci, O(m²). Either way only the recombination between pairs of loci enters. Lehermeier et al. 2017
 * (doi 10.1534/genetics.117.300403), Allier et al. 2019 (10.1534/g3.119.400129) and Bonk et al. 2016
 * (10.1186/s12711-016-0214-0) give equivalent expressions.
 *
 * Markers without a map position contribute to the mean but not to the covariance.
 *
 * @param effects one entry per trait, arrays in genome order
 * @throws RangeError when effects or haplotypes do not have `genome.markerCount` entries
 */
export function crossMoments(
  genome: CrossingGenome,
  effects: readonly TraitEffects[],
  female: CrossSide,
  male: CrossSide,
  population: Population,
  mapFunction: MapFunction = 'haldane',
): CrossMoments {
  const plants = [...plantsOf(female), ...plantsOf(male)];
  requireGenomeLength(genome, effects, plants);
  const mean = Float64Array.from(effects, (trait) => crossMean(trait, female, male, population));
  const { markers, gapMorgan } = segregatingGaps(genome, plants);
  const loci = { count: markers.length, ...effectsAt(effects, markers) };
  const [u, v] = [gametesOf(female, markers), gametesOf(male, markers)];
  const { backcrossTo, backcrosses, selfings, doubled } = breedingScheme(population);
  const terms =
    backcrossTo === null
      ? selfingTerms(loci, u, v, selfings, doubled)
      : backcrossTerms(loci, u, v, backcrossTo === 'female' ? u : v, backcrosses, doubled);
  const covariance = new Float64Array(effects.length * effects.length);
  if (mapFunction === 'haldane') addKernelCovariance(covariance, effects.length, gapMorgan, terms);
  else addPairwiseCovariance(covariance, effects.length, gapMorgan, terms, mapFunction);
  // Where dominance cancels the additive effects only rounding is left, which may be negative.
  for (let t = 0; t < effects.length; t++) {
    const diagonal = t * (effects.length + 1);
    covariance[diagonal] = Math.max(0, covariance[diagonal]);
  }
  const segregatingMarkers = countSegregating(plants.flatMap(({ first, second }) => [first, second]));
  return { mean, covariance, segregatingMarkers };
}

/** Expected genetic value of one trait in a population; every marker counts, mapped or not. O(m). */
export function crossMean(effects: TraitEffects, female: CrossSide, male: CrossSide, population: Population): number {
  const { backcrosses, backcrossTo, selfings, doubled } = breedingScheme(population);
  const { additive, dominance } = effects;
  const heterozygosityLeft = doubled ? 0 : 2 ** -selfings;
  const [u, v] = [alleleMean(female), alleleMean(male)];
  let mean = effects.intercept;
  for (let j = 0; j < additive.length; j++) {
    let p = u(j);
    let q = v(j);
    const recurrent = backcrossTo === 'female' ? p : q;
    for (let k = 0; k < backcrosses; k++) {
      p = (p + q) / 2;
      q = recurrent;
    }
    mean += additive[j] * (p + q);
    if (dominance !== null) mean += heterozygosityLeft * dominance[j] * (p + q - 2 * p * q);
  }
  return mean;
}

/** Mean allele of a side's gametes at a marker. */
function alleleMean(side: CrossSide): (marker: number) => number {
  const plants = plantsOf(side);
  const [one] = plants;
  if (plants.length === 1) return (j) => (one.first[j] + one.second[j]) / 2;
  const haplotypes = plants.flatMap(({ first, second }) => [first, second]);
  return (j) => haplotypes.reduce((sum, haplotype) => sum + haplotype[j], 0) / haplotypes.length;
}

/** Effects at the segregating mapped markers. */
interface Loci {
  count: number;
  /** One array per trait. */
  a: Float64Array[];
  /** One array per trait, zeros for a trait without dominance; null when no trait has dominance. */
  d: Float64Array[] | null;
}

function effectsAt(effects: readonly TraitEffects[], markers: Int32Array): Omit<Loci, 'count'> {
  const gather = (values: Float64Array) => Float64Array.from(markers, (j) => values[j]);
  const hasDominance = effects.some((trait) => trait.dominance !== null);
  return {
    a: effects.map((trait) => gather(trait.additive)),
    d: hasDominance
      ? effects.map((trait) => (trait.dominance === null ? new Float64Array(markers.length) : gather(trait.dominance)))
      : null,
  };
}

/** One number per trait and locus: effect of the trait times a quantity of the locus. */
function scaled(count: number, effects: Float64Array[], factor: (locus: number) => number): Float64Array[] {
  const factors = Float64Array.from({ length: count }, (_, i) => factor(i));
  return effects.map((effect) => effect.map((value, i) => value * factors[i]));
}

/** Coefficients of ρ^k, k = 0 …, of E in the dosage covariance: Σ_{k=1..t} (ρ/2)^k, plus ρ(ρ/2)^t for DH. */
export function selfingCoefficients(selfings: number, doubled: boolean): number[] {
  const t = Math.min(selfings, RIL_POWERS);
  const coefficients = [0];
  for (let k = 1; k <= t; k++) coefficients[k] = 2 ** -k;
  // After many selfings the line is fixed and doubling adds nothing.
  if (doubled && Number.isFinite(selfings)) coefficients[t + 1] = 2 ** -t;
  return coefficients;
}

/** A term that does not use its second vector. */
function plainTerm(main: Float64Array[], P: Polynomial): KernelTerm {
  return { main, other: null, weights: P.map((mainMain) => ({ mainMain })) };
}

function selfingTerms(
  { count, a, d: dominance }: Loci,
  u: HomologMoments,
  v: HomologMoments,
  t: number,
  doubled: boolean,
): KernelTerm[] {
  const ofE = selfingCoefficients(t, doubled);
  const ofHomologs = ofE.map((coefficient, k) => (k === 0 ? 1 + coefficient : coefficient));
  const d = doubled || !Number.isFinite(t) ? null : dominance;
  const heterozygotes = d === null ? [] : power([1 / 4, 0, 1 / 4], t);
  const p = u.mean;
  const q = v.mean;
  const terms: KernelTerm[] = [
    plainTerm(
      scaled(count, a, (i) => p[i] - q[i]),
      ofE,
    ),
  ];
  for (const [own, mate] of [
    [u, v],
    [v, u],
  ] as const) {
    for (const { f, P } of own.parts) {
      const main = scaled(count, a, (i) => f[i]);
      const mainMain = product(P, ofHomologs);
      if (d === null) {
        terms.push(plainTerm(main, mainMain));
        continue;
      }
      const otherOther = product(P, heterozygotes);
      const length = Math.max(mainMain.length, otherOther.length, P.length);
      terms.push({
        main,
        other: scaled(count, d, (i) => f[i] * (1 - 2 * mate.mean[i])),
        weights: Array.from({ length }, (_, k) => ({
          mainMain: mainMain.at(k) ?? 0,
          mainOther: 2 ** -t * (P.at(k) ?? 0),
          otherOther: otherOther.at(k) ?? 0,
        })),
      });
    }
  }
  if (d !== null) {
    terms.push(...productTerms(count, d, u, v, scaledBy(4, heterozygotes)));
    // 4^−t ((1+ρ²)^t − 1) is 0 for unlinked loci.
    const between = heterozygotes.map((coefficient, k) => (k === 0 ? 0 : coefficient));
    terms.push(
      plainTerm(
        scaled(count, d, (i) => p[i] + q[i] - 2 * p[i] * q[i]),
        between,
      ),
    );
  }
  return terms;
}

/** d'(C_u∘C_v)d times a polynomial. */
function productTerms(
  count: number,
  d: Float64Array[],
  u: HomologMoments,
  v: HomologMoments,
  factor: Polynomial,
): KernelTerm[] {
  return u.parts.flatMap((one) =>
    v.parts.map((other) =>
      plainTerm(
        scaled(count, d, (i) => one.f[i] * other.f[i]),
        product(factor, product(one.P, other.P)),
      ),
    ),
  );
}

/**
 * A backcross plant has one homolog w, a gamete of the previous generation, and an independent homolog z, a gamete of
 * the recurrent parent (mean r): Var = α_w'C_wα_w + α_z'C_zα_z + 4d'(C_w∘C_z)d with α_w = a + d(1−2r), α_z = a +
 * d(1−2w̄). Doubled haploids from such plants have Cov = (1+ρ)(C_w + C_z) + ρ(w̄−r)(w̄−r)'.
 */
function backcrossTerms(
  { count, a, d }: Loci,
  u: HomologMoments,
  v: HomologMoments,
  z: HomologMoments,
  backcrosses: number,
  doubled: boolean,
): KernelTerm[] {
  let w = gameteOfHomologs(u, v);
  for (let k = 1; k < backcrosses; k++) w = gameteOfHomologs(w, z);
  if (doubled) {
    return [
      ...[...w.parts, ...z.parts].map(({ f, P }) =>
        plainTerm(
          scaled(count, a, (i) => f[i]),
          product(P, [1, 1]),
        ),
      ),
      plainTerm(
        scaled(count, a, (i) => w.mean[i] - z.mean[i]),
        [0, 1],
      ),
    ];
  }
  const substitution = (mate: HomologMoments) =>
    d === null
      ? a
      : a.map((additive, t) => additive.map((value, i) => value + (d.at(t)?.[i] ?? 0) * (1 - 2 * mate.mean[i])));
  const [ofW, ofZ] = [substitution(z), substitution(w)];
  const own = (alpha: Float64Array[], { parts }: HomologMoments) =>
    parts.map(({ f, P }) =>
      plainTerm(
        scaled(count, alpha, (i) => f[i]),
        P,
      ),
    );
  return [...own(ofW, w), ...own(ofZ, z), ...(d === null ? [] : productTerms(count, d, w, z, [4]))];
}

function countSegregating(haplotypes: readonly Uint8Array[]): number {
  const [reference] = haplotypes;
  let count = 0;
  for (let j = 0; j < reference.length; j++) {
    if (haplotypes.some((haplotype) => haplotype[j] !== reference[j])) count++;
  }
  return count;
}
