import type { HeritabilityScale } from './chebyshev.ts';

/**
 * The likelihood of one trait with or without a marker as a function of the position s of h² (see
 * `HeritabilityScale`), by Chebyshev series of a = g'Wy, b = g'Wg, c = y'Wy and the log-determinant, with W =
 * diag(1/v): ℓ = −½(logDet + power·log(c − a²/b) + reml·log b), up to a constant. One object serves all markers; the
 * search allocates nothing.
 */
export class ProfileLikelihood {
  /** Values of the last evaluation. */
  value = 0;
  slope = 0;
  curvature = 0;
  a = 0;
  b = 0;
  residual = 0;
  #aSlope = 0;
  #bSlope = 0;
  #residualSlope = 0;

  private readonly scale: HeritabilityScale;
  private readonly length: number;
  private readonly logDeterminant: Float64Array;
  private readonly c: Float64Array;
  /** Divisor of the variance: n for ML, n − fixed effects for REML. */
  private readonly power: number;
  /** 1 if log b is included (REML with a marker). */
  private readonly reml: number;

  constructor(options: {
    scale: HeritabilityScale;
    logDeterminant: Float64Array;
    c: Float64Array;
    power: number;
    reml: boolean;
  }) {
    this.scale = options.scale;
    this.length = options.c.length;
    this.logDeterminant = options.logDeterminant;
    this.c = options.c;
    this.power = options.power;
    this.reml = options.reml ? 1 : 0;
  }

  /**
   * ℓ and its first two derivatives with respect to s.
   *
   * @param aSeries array with the coefficients of a from `aStart` on; b likewise. Without a marker pass `NO_MARKER`
   * twice.
   */
  evaluate(s: number, aSeries: Float64Array, aStart: number, bSeries: Float64Array, bStart: number): void {
    const { scale, length, logDeterminant, c } = this;
    const half = 0.5 * (scale.high - scale.low);
    const x = (s - 0.5 * (scale.high + scale.low)) / half;
    const withMarker = aSeries !== NO_MARKER;
    // Tⱼ and its first two derivatives by recurrence; eight sums of products in one loop keep the processor busy.
    let t0 = 1;
    let t1 = x;
    let u0 = 0;
    let u1 = 1;
    let v0 = 0;
    let v1 = 0;
    let a = 0;
    let a1 = 0;
    let a2 = 0;
    let b = 0;
    let b1 = 0;
    let b2 = 0;
    let q = 0;
    let q1 = 0;
    let q2 = 0;
    let l = 0;
    let l1 = 0;
    let l2 = 0;
    for (let j = 0; j < length; j++) {
      const qj = c[j];
      const lj = logDeterminant[j];
      q += qj * t0;
      q1 += qj * u0;
      q2 += qj * v0;
      l += lj * t0;
      l1 += lj * u0;
      l2 += lj * v0;
      if (withMarker) {
        const aj = aSeries[aStart + j];
        const bj = bSeries[bStart + j];
        a += aj * t0;
        a1 += aj * u0;
        a2 += aj * v0;
        b += bj * t0;
        b1 += bj * u0;
        b2 += bj * v0;
      }
      const t2 = 2 * x * t1 - t0;
      const u2 = 2 * t1 + 2 * x * u1 - u0;
      const v2 = 4 * u1 + 2 * x * v1 - v0;
      t0 = t1;
      t1 = t2;
      u0 = u1;
      u1 = u2;
      v0 = v1;
      v1 = v2;
    }
    let residual = q;
    let residual1 = q1;
    let residual2 = q2;
    let logB = 0;
    let logB1 = 0;
    let logB2 = 0;
    if (withMarker) {
      const beta = a / b;
      // d(a²/b) = 2βa′ − β²b′, and β′ = (a′ − βb′)/b.
      const beta1 = (a1 - beta * b1) / b;
      residual -= a * beta;
      residual1 -= 2 * beta * a1 - beta * beta * b1;
      residual2 -= 2 * beta1 * a1 + 2 * beta * a2 - 2 * beta * beta1 * b1 - beta * beta * b2;
      if (!(residual > LEAST_RESIDUAL * q)) {
        residual = LEAST_RESIDUAL * q;
        residual1 = LEAST_RESIDUAL * q1;
        residual2 = LEAST_RESIDUAL * q2;
      }
      logB = Math.log(b);
      logB1 = b1 / b;
      logB2 = b2 / b - logB1 * logB1;
    }
    const ratio = residual1 / residual;
    this.a = a;
    this.b = b;
    this.residual = residual;
    this.#aSlope = a1 / half;
    this.#bSlope = b1 / half;
    this.#residualSlope = residual1 / half;
    this.value = -0.5 * (l + this.power * Math.log(residual) + this.reml * logB);
    this.slope = (-0.5 * (l1 + this.power * ratio + this.reml * logB1)) / half;
    this.curvature =
      (-0.5 * (l2 + this.power * (residual2 / residual - ratio * ratio) + this.reml * logB2)) / (half * half);
  }

  /** Shifts the values of the last evaluation by a step so short that its square is rounding error. */
  #move(step: number): void {
    this.a += step * this.#aSlope;
    this.b += step * this.#bSlope;
    this.residual += step * this.#residualSlope;
    this.value += step * (this.slope + 0.5 * step * this.curvature);
  }

  /**
   * Climbs from `start` to the local maximum uphill, leaves the values there and returns its position s. An end of the
   * interval can be that maximum. So can `start` where the likelihood is flat: h² then stays that of the null model.
   */
  climb(start: number, aSeries: Float64Array, aStart: number, bSeries: Float64Array, bStart: number): number {
    const { low, high } = this.scale;
    let left = low;
    let right = high;
    let s = start;
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      this.evaluate(s, aSeries, aStart, bSeries, bStart);
      const { slope, curvature } = this;
      if (Math.max(Math.abs(slope), Math.abs(curvature)) <= FLAT * this.power) return s;
      if (slope >= 0 && s === high) return s;
      if (slope <= 0 && s === low) return s;
      if (slope > 0) left = s;
      else right = s;
      let step = curvature < 0 ? -slope / curvature : slope > 0 ? LARGEST_STEP : -LARGEST_STEP;
      step = Math.max(-LARGEST_STEP, Math.min(LARGEST_STEP, step));
      const last = Math.abs(step) < STEP_TOLERANCE;
      let next = s + step;
      if (next >= right) next = right === high ? high : 0.5 * (s + right);
      else if (next <= left) next = left === low ? low : 0.5 * (s + left);
      if (next === s || (last && next !== high && next !== low)) {
        this.#move(next - s);
        return next;
      }
      s = next;
    }
    return s;
  }
}

/** Passed in place of a marker's series for the model without one. */
export const NO_MARKER: Float64Array = new Float64Array(0);

/**
 * A residual below this share of the trait's variation is rounding error, of either sign. A marker that explains the
 * whole trait gets the statistic of this share: very large, and independent of the trait's scale.
 */
const LEAST_RESIDUAL = 1e-12;
/** Longest step in s: short relative to the distance between two maxima, so that the search stays on its own hill. */
const LARGEST_STEP = 0.75;
/**
 * Derivatives per individual below this are errors of the series. The likelihood is flat where the marker explains
 * everything that the kinship explains, as the only marker of a panel does.
 */
const FLAT = 1e-10;
/** After a Newton step this short, the error is of the order of the step's square. */
const STEP_TOLERANCE = 1e-6;
const MAX_STEPS = 100;
