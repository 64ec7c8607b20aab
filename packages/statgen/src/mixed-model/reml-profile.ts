import { chebyshevNodes, chebyshevSeries } from '../association/chebyshev.ts';

/** What REML needs of all traits at one δ = σ²e/σ²g; V = σ²g(K + δI) among the error contrasts. */
export interface ProfilePoint {
  /** log|K + δI| among the contrasts; of each trait, where their kinships differ. */
  logDeterminant: number | ArrayLike<number>;
  /** y'(K + δI)⁻¹y of the contrasts of each trait. */
  quadratics: ArrayLike<number>;
  /** Derivatives of both by log δ, of each trait, where they cost little: then fewer nodes do. */
  slopes?: { logDeterminant: ArrayLike<number>; quadratics: ArrayLike<number> };
}

/** A maximum of the REML log-likelihood over log δ. */
export interface ProfileMaximum {
  logDelta: number;
  /** Log density of the error contrasts, constants included. */
  value: number;
  /** δ at the smallest, or largest, value searched. */
  atLowerEnd: boolean;
  atUpperEnd: boolean;
}

export interface RemlProfileOptions {
  /** Error contrasts, n − c. */
  order: number;
  /** Mean eigenvalue of the kinship among the contrasts, > 0: the range of δ is relative to it. */
  scale: number;
  /** One factorisation, whatever the number of traits. */
  evaluate: (logDelta: number) => ProfilePoint;
  /** Whether its points have slopes; default false. */
  hasSlopes?: boolean;
}

/** As for the tridiagonal form: beyond these the likelihood is flat to double precision. */
const SMALLEST_DELTA = 1e-9;
const LARGEST_DELTA = 1e7;
/** First points of the scan, either side of the mean eigenvalue; it goes on where the likelihood still rises. */
const SCAN_POINTS = 5;
/** Step of log δ of the scan: the likelihood is smooth on a scale of about 1. */
const SCAN_STEP = 1.5;
/** Step of log δ on which the likelihood is nearly a parabola. */
const PEAK_STEP = 0.5;
/** Steps uphill from a start that is off by some tenths. */
const PEAK_STEPS = 6;
/** Half the length of the interval of log δ on which a series represents the likelihood. */
export const SERIES_HALF: number = 0.5;
/**
 * Nodes of that interval: singularities lie at a distance of π from the real axis, so that coefficients fall by a
 * factor of 12.6 each and the first one left out is below 1e-14 of the largest.
 */
const SERIES_NODES = 13;
/** Nodes where each has a slope too: a series of twice as many terms. */
const SLOPED_NODES = 5;
/** Where the likelihood is flat, the search ends after so many intervals. */
const MAX_INTERVALS = 60;

/**
 * Maximises the REML likelihood where each δ costs a factorisation: it is scanned at wide steps, and represented by a
 * Chebyshev series in log δ around the best of them. Traits share the factorisations.
 */
export class RemlProfile {
  private readonly options: RemlProfileOptions;
  private readonly points = new Map<number, ProfilePoint>();
  private readonly centres: number[] = [];
  private readonly low: number;
  private readonly high: number;

  constructor(options: RemlProfileOptions) {
    this.options = options;
    this.low = Math.log(SMALLEST_DELTA * options.scale);
    this.high = Math.log(LARGEST_DELTA * options.scale);
  }

  /** Factorisations so far. */
  get evaluations(): number {
    return this.points.size;
  }

  /** The maximum of one trait; with a start, that reached from it uphill. */
  maximum(trait: number, start?: number): ProfileMaximum {
    const starts = start === undefined ? this.tops(trait) : [start];
    return starts
      .map((from) => this.climb(trait, from))
      .reduce((best, found) => (found.value > best.value ? found : best));
  }

  private climb(trait: number, start: number): ProfileMaximum {
    let centre = start;
    for (let k = 0; k < MAX_INTERVALS; k++) {
      const shared = this.centres.find((other) => Math.abs(other - centre) <= 0.6 * SERIES_HALF);
      if (shared === undefined) this.centres.push(centre);
      centre = shared ?? centre;
      const interval = {
        low: Math.max(this.low, centre - SERIES_HALF),
        high: Math.min(this.high, centre + SERIES_HALF),
      };
      const found = this.maximumWithin(interval, trait);
      const atLowerEnd = found.isLow && interval.low === this.low;
      const atUpperEnd = found.isHigh && interval.high === this.high;
      if ((!found.isLow && !found.isHigh) || atLowerEnd || atUpperEnd) {
        return { logDelta: found.x, value: found.value, atLowerEnd, atUpperEnd };
      }
      centre = found.isLow ? interval.low - 0.5 * SERIES_HALF : interval.high + 0.5 * SERIES_HALF;
    }
    return { logDelta: centre, value: this.value(trait, centre), atLowerEnd: false, atUpperEnd: false };
  }

  /**
   * The top of the parabola through the best point of a scan and its neighbours, off by some tenths at most.
   *
   * @param points scanned either side of the mean eigenvalue, at least 1; fewer are for a likelihood with one maximum
   */
  scan(trait: number, points: number = SCAN_POINTS): number {
    return this.tops(trait, points)[0];
  }

  /** That of the best point first, then those of others between lower neighbours: few individuals have several. */
  private tops(trait: number, points: number = SCAN_POINTS): number[] {
    const middle = Math.log(this.options.scale);
    const at = (k: number): number => Math.min(this.high, Math.max(this.low, middle + k * SCAN_STEP));
    const value = (k: number): number => this.value(trait, at(k));
    let first = -points;
    let last = points;
    let best = first;
    for (let k = first; k <= last; k++) if (value(k) > value(best)) best = k;
    while (best === last && at(last) < this.high) {
      last++;
      if (value(last) > value(best)) best = last;
    }
    while (best === first && at(first) > this.low) {
      first--;
      if (value(first) > value(best)) best = first;
    }
    const isTop = (k: number): boolean => value(k) > value(k - 1) && value(k) >= value(k + 1);
    const others = Array.from({ length: last - first - 1 }, (_, k) => first + 1 + k).filter(isTop);
    const topAt = (k: number): number => {
      if (k === first || k === last) return at(k);
      const [left, own, right] = [k - 1, k, k + 1].map(value);
      const bend = left - 2 * own + right;
      return bend < 0 ? at(k) + (0.5 * SCAN_STEP * (left - right)) / bend : at(k);
    };
    return [best, ...others.filter((k) => k !== best)].map(topAt);
  }

  /**
   * The maximum of the only trait, off by some hundredths, and the curvature there.
   *
   * @param start default from a scan; from there uphill
   */
  peak(start: number = this.scan(0, 1)): { top: number; curvature: number } {
    const at = (k: number): number => this.value(0, start + k * PEAK_STEP);
    let middle = 0;
    const direction = at(1) > at(0) ? 1 : -1;
    while (Math.abs(middle) < PEAK_STEPS && at(middle + direction) > at(middle)) middle += direction;
    const [left, own, right] = [at(middle - 1), at(middle), at(middle + 1)];
    const bend = left - 2 * own + right;
    const top = start + PEAK_STEP * (middle + (bend < 0 ? (0.5 * (left - right)) / bend : 0));
    return { top, curvature: bend / PEAK_STEP ** 2 };
  }

  /** y'(K + δI)⁻¹y of one trait. */
  quadratic(trait: number, logDelta: number): number {
    return this.point(logDelta).quadratics[trait];
  }

  private maximumWithin(interval: Interval, trait: number): SeriesMaximum {
    if (this.options.hasSlopes !== true) return seriesMaximum(interval, SERIES_NODES, (x) => this.value(trait, x));
    const positions = seriesPositions(interval, SLOPED_NODES);
    const values = positions.map((x) => this.value(trait, x));
    const slopes = positions.map((x) => this.slope(trait, x));
    // Subtracting a value keeps the digits of a likelihood of many individuals.
    const [offset] = values;
    const differences = values.map((value) => value - offset);
    const found = seriesMaximum(interval, 2 * SLOPED_NODES, (x) =>
      interpolateSloped(positions, differences, slopes, x),
    );
    return { ...found, value: found.value + offset };
  }

  private point(logDelta: number): ProfilePoint {
    let point = this.points.get(logDelta);
    if (point === undefined) {
      point = this.options.evaluate(logDelta);
      this.points.set(logDelta, point);
    }
    return point;
  }

  private value(trait: number, logDelta: number): number {
    const { quadratics, logDeterminant } = this.point(logDelta);
    const determinant = typeof logDeterminant === 'number' ? logDeterminant : logDeterminant[trait];
    return remlValue(this.options.order, quadratics[trait], determinant);
  }

  private slope(trait: number, logDelta: number): number {
    const { quadratics, slopes } = this.point(logDelta);
    if (slopes === undefined) throw new TypeError('the profile has no slopes');
    const relative = slopes.quadratics[trait] / quadratics[trait];
    return -0.5 * (this.options.order * relative + slopes.logDeterminant[trait]);
  }
}

/** The polynomial of degree 2k − 1 through k values with their slopes (Hermite), at x. */
function interpolateSloped(positions: Float64Array, values: Float64Array, slopes: Float64Array, x: number): number {
  let sum = 0;
  for (const [i, own] of positions.entries()) {
    let basis = 1;
    let basisSlope = 0;
    for (const [j, other] of positions.entries()) {
      if (j === i) continue;
      basis *= (x - other) / (own - other);
      basisSlope += 1 / (own - other);
    }
    const distance = x - own;
    sum += (values[i] * (1 - 2 * distance * basisSlope) + slopes[i] * distance) * basis * basis;
  }
  return sum;
}

/** −½(ν log(2πq/ν) + ν + log|K + δI|), the profile log-likelihood of ν contrasts. */
export function remlValue(order: number, quadratic: number, logDeterminant: number): number {
  return -0.5 * (order * (Math.log((2 * Math.PI * quadratic) / order) + 1) + logDeterminant);
}

/** An interval of log δ. */
export interface Interval {
  low: number;
  high: number;
}

interface SeriesMaximum {
  x: number;
  value: number;
  /** At an end of the interval. */
  isLow: boolean;
  isHigh: boolean;
}

/** Points of a series between which its slope changes sign at most once. */
const BRACKETS = 24;
const NEWTON_STEPS = 50;

/** The highest maximum of a function on an interval, from its Chebyshev series of the given length. */
export function seriesMaximum(interval: Interval, nodes: number, f: (x: number) => number): SeriesMaximum {
  const { low, high } = interval;
  // Subtracting a value keeps the digits of a likelihood of many individuals.
  const values = seriesPositions(interval, nodes).map(f);
  const [offset] = values;
  let node = 0;
  const series = chebyshevSeries({ ...interval, epsilon: 0 }, nodes, () => values[node++] - offset);
  const at = (t: number): SeriesPoint => evaluateSeries(series, t);
  const ends = [at(-1), at(1)];
  let best: { t: number; value: number } = { t: -1, value: Number.NEGATIVE_INFINITY };
  if (ends[0].slope <= 0) best = { t: -1, value: ends[0].value };
  if (ends[1].slope >= 0 && ends[1].value > best.value) best = { t: 1, value: ends[1].value };
  let before = ends[0].slope;
  for (let k = 1; k <= BRACKETS; k++) {
    const t = -1 + (2 * k) / BRACKETS;
    const { slope } = at(t);
    if (before > 0 && slope <= 0) {
      const top = refine(at, t - 2 / BRACKETS, t);
      const { value } = at(top);
      if (value > best.value) best = { t: top, value };
    }
    before = slope;
  }
  return {
    x: best.t === -1 ? low : best.t === 1 ? high : 0.5 * (low + high) + 0.5 * (high - low) * best.t,
    value: best.value + offset,
    isLow: best.t === -1,
    isHigh: best.t === 1,
  };
}

/** The Chebyshev nodes of an interval, from its upper end down. */
export function seriesPositions(interval: Interval, nodes: number): Float64Array {
  return chebyshevNodes({ ...interval, epsilon: 0 }, nodes);
}

interface SeriesPoint {
  value: number;
  slope: number;
  curvature: number;
}

/** Root of the slope between `left` (slope > 0) and `right` (slope ≤ 0). */
function refine(at: (t: number) => SeriesPoint, left: number, right: number): number {
  let t = 0.5 * (left + right);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const { slope, curvature } = at(t);
    if (slope > 0) left = t;
    else right = t;
    const newton = t - slope / curvature;
    const next = curvature < 0 && newton > left && newton < right ? newton : 0.5 * (left + right);
    if (Math.abs(next - t) < 1e-13) return next;
    t = next;
  }
  return t;
}

/** Σ c_j T_j(t) and its derivatives by t. */
function evaluateSeries(series: Float64Array, t: number): SeriesPoint {
  let [t0, t1, u0, u1, v0, v1] = [1, t, 0, 1, 0, 0];
  const point = { value: 0, slope: 0, curvature: 0 };
  for (const c of series) {
    point.value += c * t0;
    point.slope += c * u0;
    point.curvature += c * v0;
    [t0, t1, u0, u1, v0, v1] = [t1, 2 * t * t1 - t0, u1, 2 * t1 + 2 * t * u1 - u0, v1, 4 * u1 + 2 * t * v1 - v0];
  }
  return point;
}

/**
 * Values at the nodes of an interval, interpolated at x: barycentric formula for Chebyshev nodes of the first kind
 * (Berrut & Trefethen 2004, SIAM Review 46:501, eq. 5.3).
 */
export function interpolationWeights(interval: Interval, nodes: number, x: number): Float64Array {
  const t = (x - 0.5 * (interval.low + interval.high)) / (0.5 * (interval.high - interval.low));
  const weights = new Float64Array(nodes);
  let sum = 0;
  for (let k = 0; k < nodes; k++) {
    const angle = (Math.PI * (k + 0.5)) / nodes;
    const distance = t - Math.cos(angle);
    if (distance === 0) return new Float64Array(nodes).fill(0).with(k, 1) as Float64Array;
    weights[k] = ((k % 2 === 0 ? 1 : -1) * Math.sin(angle)) / distance;
    sum += weights[k];
  }
  for (let k = 0; k < nodes; k++) weights[k] /= sum;
  return weights;
}
