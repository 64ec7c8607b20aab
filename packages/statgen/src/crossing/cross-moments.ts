import { type CrossingGenome, type PhasedParent, requireGenomeLength, type TraitEffects } from './crossing-genome.ts';
import { addKernelCovariance, type KernelTerm, type KernelWeights, segregatingGaps } from './linkage-kernel.ts';
import { breedingScheme, type Population } from './population.ts';

/** Exact first and second moments of the genetic values in one cross. */
export interface CrossMoments {
  /** Expected genetic value per trait, length T. */
  mean: Float64Array;
  /** Covariance of genetic values between traits, T × T, symmetric; the diagonal holds the variances. */
  covariance: Float64Array;
  /** Markers with more than one allele among the four parental haplotypes. */
  segregatingMarkers: number;
}

/** Powers of ρ kept for a RIL: the weight of ρ^k is 2^−k, so what is left out is below double precision. */
const RIL_POWERS = 52;

/**
 * Exact mean and covariance (between traits) of genetic values in a cross of two phased parents, inbred or not, with
 * additive and dominance effects, under Haldane's mapping function.
 *
 * Write u and v for the alleles (0/1) on the two homologs of the F1 plant, p and q for their means, x and y for half the
 * difference between the two haplotypes of the female and of the male. Then u = p + xε and v = q + yη with random signs
 * ε, η whose products over two loci have mean ρ = 1 − 2r = e^(−2d); s = u + v is the dosage, e = u − v, and H = e² marks
 * a heterozygote. One selfing takes (s, e) to (s + e(ζ+ξ)/2, e(ζ−ξ)/2), ζ and ξ being signs of the two new meioses. From
 * this follow, for loci i and j after t selfings (p, q, x, y, h = p + q − 2pq belong to one locus each):
 *
 *     Cov(s, s) = ρ(xx + yy) + Σ_{k=1..t} (ρ/2)^k · E,   E = (p−q)(p−q) + ρ(xx + yy)
 *     Cov(s, H) = 2^−t ρ [x·x(1−2q) + y·y(1−2p)]
 *     Cov(H, H) = ((1+ρ²)/4)^t [ρ x(1−2q)·x(1−2q) + ρ y(1−2p)·y(1−2p) + 4ρ² xy·xy] + 4^−t ((1+ρ²)^t − 1) h·h
 *
 * A doubled haploid adds ρ (ρ/2)^t E to Cov(s, s) and has no heterozygotes. Every term is a power of ρ times a product
 * of one number per locus, so each costs O(m) by {@link addKernelCovariance}; no double sum over loci is needed. The
 * same expressions with one tested pair of loci are in Lehermeier et al. 2017 (doi 10.1534/genetics.117.300403), Allier
 * et al. 2019 (10.1534/g3.119.400129) and Bonk et al. 2016 (10.1186/s12711-016-0214-0).
 *
 * Markers without a map position count in the mean and not in the covariance.
 *
 * @param effects one entry a trait, arrays in genome order
 * @throws RangeError when effects or haplotypes do not have `genome.markerCount` entries
 */
export function crossMoments(
  genome: CrossingGenome,
  effects: readonly TraitEffects[],
  female: PhasedParent,
  male: PhasedParent,
  population: Population,
): CrossMoments {
  requireGenomeLength(genome, effects, [female, male]);
  const scheme = breedingScheme(population);
  const mean = Float64Array.from(effects, (trait) => crossMean(trait, female, male, population));

  const { markers, gapMorgan } = segregatingGaps(genome, [female, male]);
  const loci = segregatingLoci(effects, markers, female, male);
  const terms =
    scheme.backcrossTo === null
      ? selfingTerms(loci, scheme.selfings, scheme.doubled)
      : backcrossTerms(loci, scheme.backcrossTo, scheme.doubled);
  const covariance = new Float64Array(effects.length * effects.length);
  addKernelCovariance(covariance, effects.length, gapMorgan, terms);
  // Mixed terms of additive effects and dominance can take all away but rounding, which may be below 0.
  for (let t = 0; t < effects.length; t++) {
    const diagonal = t * (effects.length + 1);
    covariance[diagonal] = Math.max(0, covariance[diagonal]);
  }
  return { mean, covariance, segregatingMarkers: countSegregating(female, male) };
}

/** Expected genetic value of one trait in a population; every marker counts, mapped or not. O(m). */
export function crossMean(
  effects: TraitEffects,
  female: PhasedParent,
  male: PhasedParent,
  population: Population,
): number {
  const { backcrossTo, selfings, doubled } = breedingScheme(population);
  const { additive, dominance } = effects;
  const heterozygosityLeft = doubled ? 0 : 2 ** -selfings;
  let mean = effects.intercept;
  for (let j = 0; j < additive.length; j++) {
    let p = (female.first[j] + female.second[j]) / 2;
    let q = (male.first[j] + male.second[j]) / 2;
    if (backcrossTo !== null) {
      const recurrent = backcrossTo === 'female' ? p : q;
      p = (p + q) / 2;
      q = recurrent;
    }
    mean += additive[j] * (p + q);
    if (dominance !== null) mean += heterozygosityLeft * dominance[j] * (p + q - 2 * p * q);
  }
  return mean;
}

/** Per-locus quantities of the segregating mapped markers, in the letters of {@link crossMoments}. */
interface SegregatingLoci {
  count: number;
  p: Float64Array;
  q: Float64Array;
  x: Float64Array;
  y: Float64Array;
  /** One array a trait. */
  a: Float64Array[];
  /** One array a trait, zeros where the trait has no dominance; null when no trait has any. */
  d: Float64Array[] | null;
}

function segregatingLoci(
  effects: readonly TraitEffects[],
  markers: Int32Array,
  female: PhasedParent,
  male: PhasedParent,
): SegregatingLoci {
  const gather = (values: Float64Array) => Float64Array.from(markers, (j) => values[j]);
  const half = (values: (j: number) => number) => Float64Array.from(markers, (j) => values(j) / 2);
  const hasDominance = effects.some((trait) => trait.dominance !== null);
  return {
    count: markers.length,
    p: half((j) => female.first[j] + female.second[j]),
    q: half((j) => male.first[j] + male.second[j]),
    x: half((j) => female.first[j] - female.second[j]),
    y: half((j) => male.first[j] - male.second[j]),
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

/** Coefficients of ρ^k, k = 0 …, of the dosage covariance carried by E: Σ_{k=1..t} (ρ/2)^k, and for DH ρ(ρ/2)^t more. */
export function selfingCoefficients(selfings: number, doubled: boolean): number[] {
  const t = Math.min(selfings, RIL_POWERS);
  const coefficients = [0];
  for (let k = 1; k <= t; k++) coefficients[k] = 2 ** -k;
  // After enough selfings the line is fixed and doubling adds nothing.
  if (doubled && Number.isFinite(selfings)) coefficients[t + 1] = 2 ** -t;
  return coefficients;
}

function selfingTerms(loci: SegregatingLoci, selfings: number, doubled: boolean): KernelTerm[] {
  const { count, p, q, x, y, a } = loci;
  const betweenHomologs = selfingCoefficients(selfings, doubled);
  const withinParent = [0, 1];
  betweenHomologs.forEach((c, k) => {
    withinParent[k + 1] = (withinParent[k + 1] ?? 0) + c;
  });
  const d = doubled || !Number.isFinite(selfings) ? null : loci.d;
  const t = selfings;
  const terms: KernelTerm[] = [
    { main: scaled(count, a, (i) => p[i] - q[i]), other: null, weights: betweenHomologs.map((c) => ({ mainMain: c })) },
  ];
  for (const [own, mate] of [
    [x, q],
    [y, p],
  ] as const) {
    const weights: KernelWeights[] = withinParent.map((c) => ({ mainMain: c }));
    if (d !== null) {
      weights[1] = { ...weights[1], mainMain: withinParent[1], mainOther: 2 ** -t };
      for (let k = 0; k <= t; k++) {
        weights[2 * k + 1] = { mainMain: 0, ...weights[2 * k + 1], otherOther: binomial(t, k) * 4 ** -t };
      }
    }
    terms.push({
      main: scaled(count, a, (i) => own[i]),
      other: d === null ? null : scaled(count, d, (i) => own[i] * (1 - 2 * mate[i])),
      weights,
    });
  }
  if (d !== null) {
    const bothParents: KernelWeights[] = [];
    const heterozygosity: KernelWeights[] = [];
    for (let k = 0; k <= t; k++) {
      bothParents[2 * k + 2] = { mainMain: 4 * binomial(t, k) * 4 ** -t };
      if (k > 0) heterozygosity[2 * k] = { mainMain: binomial(t, k) * 4 ** -t };
    }
    terms.push(
      { main: scaled(count, d, (i) => x[i] * y[i]), other: null, weights: bothParents },
      { main: scaled(count, d, (i) => p[i] + q[i] - 2 * p[i] * q[i]), other: null, weights: heterozygosity },
    );
  }
  return terms;
}

/**
 * A backcross plant has one homolog w from the F1 plant (mean (p+q)/2, covariance ¼[ρ(1+ρ)(xx+yy) + ρ(p−q)(p−q)]) and,
 * independently, one homolog z from the recurrent parent (mean r, covariance ρ·gg with g its half difference):
 * Var = α_w'C_wα_w + α_z'C_zα_z + 4d'(C_w∘C_z)d with α_w = a + d(1−2r), α_z = a + d(1−2w̄).
 */
function backcrossTerms(loci: SegregatingLoci, backcrossTo: 'female' | 'male', doubled: boolean): KernelTerm[] {
  const { count, p, q, x, y, a } = loci;
  const r = backcrossTo === 'female' ? p : q;
  const g = backcrossTo === 'female' ? x : y;
  const wMean = (i: number) => (p[i] + q[i]) / 2;
  if (doubled) {
    // Cov = (1+ρ)(C_w + C_z) + ρ(w̄−r)(w̄−r)
    return [
      { main: scaled(count, a, (i) => x[i]), other: null, weights: powers([0, 1 / 4, 1 / 2, 1 / 4]) },
      { main: scaled(count, a, (i) => y[i]), other: null, weights: powers([0, 1 / 4, 1 / 2, 1 / 4]) },
      { main: scaled(count, a, (i) => p[i] - q[i]), other: null, weights: powers([0, 1 / 4, 1 / 4]) },
      { main: scaled(count, a, (i) => g[i]), other: null, weights: powers([0, 1, 1]) },
      { main: scaled(count, a, (i) => wMean(i) - r[i]), other: null, weights: powers([0, 1]) },
    ];
  }
  const { d } = loci;
  const alpha = (mateMean: (i: number) => number) =>
    d === null
      ? a
      : a.map((additive, t) => additive.map((value, i) => value + (d.at(t)?.[i] ?? 0) * (1 - 2 * mateMean(i))));
  const alphaW = alpha((i) => r[i]);
  const alphaZ = alpha(wMean);
  const terms: KernelTerm[] = [
    { main: scaled(count, alphaW, (i) => x[i]), other: null, weights: powers([0, 1 / 4, 1 / 4]) },
    { main: scaled(count, alphaW, (i) => y[i]), other: null, weights: powers([0, 1 / 4, 1 / 4]) },
    { main: scaled(count, alphaW, (i) => p[i] - q[i]), other: null, weights: powers([0, 1 / 4]) },
    { main: scaled(count, alphaZ, (i) => g[i]), other: null, weights: powers([0, 1]) },
  ];
  if (d !== null) {
    terms.push(
      { main: scaled(count, d, (i) => g[i] * x[i]), other: null, weights: powers([0, 0, 1, 1]) },
      { main: scaled(count, d, (i) => g[i] * y[i]), other: null, weights: powers([0, 0, 1, 1]) },
      { main: scaled(count, d, (i) => g[i] * (p[i] - q[i])), other: null, weights: powers([0, 0, 1]) },
    );
  }
  return terms;
}

function powers(coefficients: number[]): KernelWeights[] {
  return coefficients.map((mainMain) => ({ mainMain }));
}

function binomial(n: number, k: number): number {
  let value = 1;
  for (let i = 1; i <= k; i++) value = (value * (n - k + i)) / i;
  return value;
}

function countSegregating(female: PhasedParent, male: PhasedParent): number {
  let count = 0;
  for (let j = 0; j < female.first.length; j++) {
    const copies = female.first[j] + female.second[j] + male.first[j] + male.second[j];
    if (copies > 0 && copies < 4) count++;
  }
  return count;
}
