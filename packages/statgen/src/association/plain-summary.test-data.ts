// The summary computed from all statistics at once: the reference for the version that reads ascending statistics.
import { chiSquareP, negLog10OfP } from './chi-square-tail.ts';

/** Median of χ² with 1 degree of freedom. */
const CHI_SQUARE_MEDIAN = 0.454936423119572;
/** Family-wise error rate, and false discovery rate, of the thresholds. */
const ALPHA = 0.05;

export interface PlainSummary {
  tested: number;
  lambdaGc: number;
  bonferroniNegLog10: number;
  hits: number;
  fdr: number | null;
  discoveries: number;
  qOf(statistic: number): number;
  negLog10PAt(k: number): number;
}

/** @param statistic χ²₁ statistics, NaN = not tested; unchanged */
export function plainSummary(statistic: Float64Array): PlainSummary {
  const ascending = finiteOf(statistic).sort();
  const tested = ascending.length;
  const middle = tested >> 1;
  const median =
    tested === 0
      ? Number.NaN
      : tested % 2 === 1
        ? ascending[middle]
        : 0.5 * (ascending[middle - 1] + ascending[middle]);
  const bonferroniNegLog10 = tested === 0 ? Number.NaN : Math.log10(tested / ALPHA);
  const negLog10PAt = (k: number): number => negLog10Of(ascending[k]);

  // p decreases along the ordered statistics: each threshold is the first p below its line.
  let discovered = 0;
  while (discovered < tested && rawRate(discovered, tested, negLog10PAt(discovered)) > ALPHA) discovered++;
  let hits = 0;
  while (hits < tested && negLog10PAt(tested - 1 - hits) >= bonferroniNegLog10) hits++;

  let rates: Float64Array | undefined;
  return {
    tested,
    lambdaGc: median / CHI_SQUARE_MEDIAN,
    bonferroniNegLog10,
    hits,
    discoveries: ascending.filter((value) => value >= (ascending[discovered] ?? Number.POSITIVE_INFINITY)).length,
    fdr: discovered === tested ? null : chiSquareP(ascending[discovered]),
    qOf: (value) => {
      rates ??= falseDiscoveryRates(ascending);
      return Number.isFinite(value) ? rates[placeOf(ascending, value)] : Number.NaN;
    },
    negLog10PAt,
  };
}

function finiteOf(values: Float64Array): Float64Array {
  const finite = new Float64Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) if (Number.isFinite(values[i])) finite[count++] = values[i];
  return finite.subarray(0, count);
}

const negLog10Of = (statistic: number): number => negLog10OfP(statistic, chiSquareP(statistic));

/** m·p/rank of the k-th weakest of m tests, by logarithms so that small p do not underflow. */
function rawRate(k: number, tested: number, negLog10P: number): number {
  return 10 ** (Math.log10(tested / (tested - k)) - negLog10P);
}

/** q₍ᵢ₎ = min over j ≥ i of m·p₍ⱼ₎/j. Equal p have equal q. */
function falseDiscoveryRates(ascending: Float64Array): Float64Array {
  const tested = ascending.length;
  const rates = new Float64Array(tested);
  let smallest = 1;
  for (let k = 0; k < tested; k++) {
    smallest = Math.min(smallest, rawRate(k, tested, negLog10Of(ascending[k])));
    rates[k] = Math.max(smallest, Number.MIN_VALUE);
  }
  return rates;
}

/** Last position of a value in an ascending array: among equal p, the best rank sets the q of all. */
function placeOf(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ascending[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
