import { betaDeviate, chiSquareDeviate, gammaDeviate } from '../random/gamma.ts';
import type { RandomStream } from '../random/random-stream.ts';
import type { SamplerPriors, VariancePrior } from './effect-priors.ts';

/**
 * Draws the effects of one model. Effects are whole numbers of `unit`, so that residuals are exact.
 *
 * A cycle is `begin`, `draw` for every marker, `end`.
 */
export interface EffectDraws {
  /** Posterior probability that the marker of the last draw has an effect, given everything else. */
  probability: number;
  /** Its expected effect, given everything else, in the unit of the trait. */
  expected: number;
  /** Markers with an effect in this cycle. */
  included: number;
  begin(residualVariance: number): void;
  /**
   * The next effect of a marker, integrated over its present one.
   *
   * @param present its present effect, in units
   * @param product Σ(x − x̄)·residual, with its own present effect in the residual
   * @param square Σ(x − x̄)²
   */
  draw(present: number, product: number, square: number): number;
  /** Draws variances and shares given the effects. */
  end(): void;
}

export function effectDraws(priors: SamplerPriors, m: number, unit: number, random: RandomStream): EffectDraws {
  switch (priors.model) {
    case 'brr':
      return new NormalDraws(priors.effects, unit, random);
    case 'bayescpi':
      return new CommonVarianceDraws(priors, m, unit, random);
    case 'bayesb':
      return new OwnVarianceDraws(priors, m, unit, random);
    case 'bayesr':
      return new ClassDraws(priors, m, unit, random);
  }
}

/** A variance given the sum of `count` squares. */
export function drawVariance(
  { degrees, scale }: VariancePrior,
  count: number,
  squares: number,
  random: RandomStream,
): number {
  return (scale + squares) / chiSquareDeviate(random, degrees + count);
}

/** BRR: b ~ N(0, σ²b). */
class NormalDraws implements EffectDraws {
  probability = 1;
  expected = 0;
  included = 0;
  readonly #prior: VariancePrior;
  readonly #unit: number;
  readonly #random: RandomStream;
  #variance: number;
  #residual = 0;
  /** σ²e/σ²b in this cycle. */
  #shrinkage = 0;
  #squares = 0;

  constructor(prior: VariancePrior, unit: number, random: RandomStream) {
    this.#prior = prior;
    this.#unit = unit;
    this.#random = random;
    this.#variance = prior.scale / (prior.degrees + 2);
  }

  begin(residualVariance: number): void {
    this.#residual = residualVariance;
    this.#shrinkage = residualVariance / this.#variance;
    this.#squares = 0;
    this.included = 0;
  }

  draw(_present: number, product: number, square: number): number {
    const inverse = 1 / (square + this.#shrinkage);
    this.expected = product * inverse;
    const drawn = this.expected + this.#random.normal() * Math.sqrt(this.#residual * inverse);
    const next = Math.round(drawn / this.#unit);
    const effect = next * this.#unit;
    this.#squares += effect * effect;
    this.included++;
    return next;
  }

  end(): void {
    this.#variance = drawVariance(this.#prior, this.included, this.#squares, this.#random);
  }
}

/** BayesCπ (Habier et al. 2011, BMC Bioinformatics 12:186): b = 0, or N(0, σ²b) with probability π. */
class CommonVarianceDraws implements EffectDraws {
  probability = 0;
  expected = 0;
  included = 0;
  readonly #priors: Extract<SamplerPriors, { model: 'bayescpi' }>;
  readonly #m: number;
  readonly #unit: number;
  readonly #random: RandomStream;
  #variance: number;
  #share: number;
  #residual = 0;
  /** In this cycle: σ²e/σ²b, the odds against an effect over its root, and 1/2σ²e. */
  #shrinkage = 0;
  #against = 0;
  #half = 0;
  #squares = 0;

  constructor(priors: Extract<SamplerPriors, { model: 'bayescpi' }>, m: number, unit: number, random: RandomStream) {
    this.#priors = priors;
    this.#m = m;
    this.#unit = unit;
    this.#random = random;
    this.#variance = priors.effects.scale / (priors.effects.degrees + 2);
    this.#share = priors.inclusion.in / (priors.inclusion.in + priors.inclusion.out);
  }

  begin(residualVariance: number): void {
    this.#residual = residualVariance;
    this.#shrinkage = residualVariance / this.#variance;
    this.#against = (1 - this.#share) / this.#share / Math.sqrt(this.#shrinkage);
    this.#half = 0.5 / residualVariance;
    this.#squares = 0;
    this.included = 0;
  }

  draw(_present: number, product: number, square: number): number {
    const information = square + this.#shrinkage;
    const mean = product / information;
    const against = this.#against * Math.sqrt(information) * Math.exp(-this.#half * product * mean);
    this.probability = 1 / (1 + against);
    this.expected = this.probability * mean;
    if (this.#random.uniform() >= this.probability) return 0;
    const drawn = mean + this.#random.normal() * Math.sqrt(this.#residual / information);
    const next = Math.round(drawn / this.#unit);
    const effect = next * this.#unit;
    this.#squares += effect * effect;
    this.included++;
    return next;
  }

  end(): void {
    const { effects, inclusion } = this.#priors;
    this.#variance = drawVariance(effects, this.included, this.#squares, this.#random);
    this.#share = betaDeviate(this.#random, inclusion.in + this.included, inclusion.out + this.#m - this.included);
  }
}

/**
 * BayesB (Meuwissen et al. 2001, Genetics 157:1819) with an unknown share π and an unknown scale: b = 0, or N(0, σ²j)
 * with probability π, σ²j scaled inverse χ². The variance of a marker is drawn at its turn, from the prior where the
 * marker has no effect.
 */
class OwnVarianceDraws implements EffectDraws {
  probability = 0;
  expected = 0;
  included = 0;
  readonly #priors: Extract<SamplerPriors, { model: 'bayesb' }>;
  readonly #m: number;
  readonly #unit: number;
  readonly #random: RandomStream;
  #scale: number;
  #share: number;
  #residual = 0;
  /** In this cycle: the odds of an effect, and 1/σ²e. */
  #odds = 0;
  #precision = 0;
  /** Σ1/σ²j over the markers in the model. */
  #precisions = 0;

  constructor(priors: Extract<SamplerPriors, { model: 'bayesb' }>, m: number, unit: number, random: RandomStream) {
    this.#priors = priors;
    this.#m = m;
    this.#unit = unit;
    this.#random = random;
    this.#scale = (priors.scale.shape - 1) / priors.scale.rate;
    this.#share = priors.inclusion.in / (priors.inclusion.in + priors.inclusion.out);
  }

  begin(residualVariance: number): void {
    this.#residual = residualVariance;
    this.#odds = this.#share / (1 - this.#share);
    this.#precision = 1 / residualVariance;
    this.#precisions = 0;
    this.included = 0;
  }

  draw(present: number, product: number, square: number): number {
    const { degrees } = this.#priors;
    const odds = this.#odds;
    // A marker without effect stays so, whatever its variance, where even the variance that speaks most for an effect
    // does not reach the number drawn. Its variance then is of no account, and not drawn.
    const least = present === 0 ? mostLikely(odds, (product * product * this.#precision) / square) : 1;
    const uniform = this.#random.uniform();
    if (uniform >= least) {
      this.probability = 0;
      this.expected = 0;
      return 0;
    }
    const effect = present * this.#unit;
    const variance =
      (this.#scale + effect * effect) / chiSquareDeviate(this.#random, present === 0 ? degrees : degrees + 1);
    const shrinkage = this.#residual / variance;
    const information = square + shrinkage;
    const mean = product / information;
    const against = (Math.sqrt(information / shrinkage) * Math.exp(-0.5 * product * mean * this.#precision)) / odds;
    const probability = 1 / (1 + against);
    // Over the share of the numbers that come so far: right on average over all.
    this.probability = probability / least;
    this.expected = this.probability * mean;
    if (uniform >= probability) return 0;
    const drawn = mean + this.#random.normal() * Math.sqrt(this.#residual / information);
    this.#precisions += 1 / variance;
    this.included++;
    return Math.round(drawn / this.#unit);
  }

  end(): void {
    const { degrees, scale, inclusion } = this.#priors;
    const shape = scale.shape + (degrees * this.included) / 2;
    this.#scale = gammaDeviate(this.#random, shape) / (scale.rate + this.#precisions / 2);
    this.#share = betaDeviate(this.#random, inclusion.in + this.included, inclusion.out + this.#m - this.included);
  }
}

/**
 * The largest probability of an effect over all its variances: with w = x²/(x² + σ²e/σ²j) the odds are
 * π/(1 − π)·√(1 − w)·exp(½z²w), largest at w = 1 − 1/z², and at w = 0 up to z² = 1.
 */
function mostLikely(odds: number, z2: number): number {
  const most = z2 > 1 ? (odds * Math.exp((z2 - 1) / 2)) / Math.sqrt(z2) : odds;
  return 1 / (1 + 1 / most);
}

/** BayesR (Erbe et al. 2012; with σ²g drawn as by Moser et al. 2015, PLoS Genet 11:e1004969). */
class ClassDraws implements EffectDraws {
  probability = 0;
  expected = 0;
  included = 0;
  readonly #priors: Extract<SamplerPriors, { model: 'bayesr' }>;
  readonly #unit: number;
  readonly #random: RandomStream;
  readonly #shares: Float64Array;
  readonly #members: Float64Array;
  readonly #weights: Float64Array;
  readonly #means: Float64Array;
  /** Of each class in this cycle: σ²e over its variance, and its share times the root of that. */
  readonly #shrinkages: Float64Array;
  readonly #leads: Float64Array;
  #genetic: number;
  #residual = 0;
  /** Σb²/class. */
  #squares = 0;

  constructor(priors: Extract<SamplerPriors, { model: 'bayesr' }>, m: number, unit: number, random: RandomStream) {
    const { counts, genetic } = priors;
    this.#priors = priors;
    this.#unit = unit;
    this.#random = random;
    const total = counts.reduce((sum, count) => sum + count, 0);
    this.#shares = Float64Array.from(counts, (count) => count / total);
    this.#members = new Float64Array(counts.length);
    this.#weights = new Float64Array(counts.length);
    this.#means = new Float64Array(counts.length);
    this.#shrinkages = new Float64Array(counts.length);
    this.#leads = new Float64Array(counts.length);
    this.#genetic = genetic.scale / (genetic.degrees + 2);
    this.#members[0] = m;
  }

  begin(residualVariance: number): void {
    const { classes, meanVariance } = this.#priors;
    this.#residual = residualVariance;
    this.#squares = 0;
    this.included = 0;
    this.#members.fill(0);
    for (let k = 0; k < classes.length; k++) {
      const shrinkage = (residualVariance * meanVariance) / (classes[k] * this.#genetic);
      this.#shrinkages[k] = shrinkage;
      this.#leads[k] = this.#shares[k] * (classes[k] === 0 ? 1 : Math.sqrt(shrinkage));
    }
  }

  draw(_present: number, product: number, square: number): number {
    const weights = this.#weights;
    const means = this.#means;
    const shrinkages = this.#shrinkages;
    const leads = this.#leads;
    const last = weights.length - 1;
    const half = (0.5 * product * product) / this.#residual;
    // The last class has the largest variance, the least shrinkage and so the largest exponent: none overflows.
    const largest = half / (square + shrinkages[last]);
    let total = 0;
    let expected = 0;
    for (let k = 0; k <= last; k++) {
      const variance = 1 / (square + shrinkages[k]);
      const mean = product * variance;
      const odds = k === last ? 1 : Math.exp(half * variance - largest);
      // A class of variance 0 has an infinite shrinkage, and its share as lead.
      const weight = leads[k] * odds * (variance === 0 ? 1 : Math.sqrt(variance));
      means[k] = mean;
      weights[k] = weight;
      total += weight;
      expected += weight * mean;
    }
    this.expected = expected / total;
    this.probability = 1 - weights[0] / total;
    let left = this.#random.uniform() * total;
    let chosen = 0;
    while (chosen < last && left >= weights[chosen]) left -= weights[chosen++];
    this.#members[chosen]++;
    if (shrinkages[chosen] === Number.POSITIVE_INFINITY) return 0;
    this.included++;
    const deviation = Math.sqrt(this.#residual / (square + shrinkages[chosen]));
    const next = Math.round((means[chosen] + this.#random.normal() * deviation) / this.#unit);
    const effect = next * this.#unit;
    this.#squares += (effect * effect) / this.#priors.classes[chosen];
    return next;
  }

  end(): void {
    const { genetic, counts } = this.#priors;
    const squares = this.#squares * this.#priors.meanVariance;
    this.#genetic = drawVariance(genetic, this.included, squares, this.#random);
    let total = 0;
    for (let k = 0; k < counts.length; k++) {
      this.#shares[k] = gammaDeviate(this.#random, counts[k] + this.#members[k]);
      total += this.#shares[k];
    }
    for (let k = 0; k < counts.length; k++) this.#shares[k] /= total;
  }
}
