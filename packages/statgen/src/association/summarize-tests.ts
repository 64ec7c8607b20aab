import { chiSquareP, negLog10OfP } from './chi-square-tail.ts';

/** Median of χ² with 1 degree of freedom. */
const CHI_SQUARE_MEDIAN = 0.454936423119572;
/** Family-wise error rate, and false discovery rate, of the thresholds. */
const ALPHA = 0.05;

/** Summary of all tests of one trait. */
export interface TestSummary {
  /** Markers tested: those with a finite statistic. */
  tested: number;
  /** Genomic inflation: median statistic over the median of χ²₁ (Devlin & Roeder 1999, Biometrics 55:997). */
  lambdaGc: number;
  /** −log₁₀ of the Bonferroni threshold 0.05/tested. */
  bonferroniNegLog10: number;
  /** Markers at or below that threshold. */
  hits: number;
  /** Largest p with a Benjamini–Hochberg q value of at most 0.05; null if none. */
  fdr: number | null;
  /** Tests with p up to it, k. Their critical value is 0.05·k/tested: no p lies between the two. */
  discoveries: number;
  /** Tests with at least the requested statistic. */
  beyond: number;
  /** −log₁₀ p at the requested ranks. */
  negLog10P: Float64Array;
  /**
   * Benjamini–Hochberg q value (1995, J R Stat Soc B 57:289) of a marker with this statistic, which must be one of
   * those summarised.
   */
  qOf(statistic: number): number;
}

/**
 * Summarises the tests of a run in one pass over its ascending statistics, without keeping them. It stores only the
 * places where the q value changes: few when there is little signal, at worst 16 bytes per marker.
 */
export class TestSummarizer {
  readonly #tested: number;
  readonly #ranks: readonly number[];
  readonly #negLog10P: Float64Array;
  readonly #bonferroniNegLog10: number;
  #count = 0;
  #ranksFound = 0;
  #median = 0;
  #hits = 0;
  #beyond = 0;
  readonly #statistic: number;
  #fdr: number | null = null;
  #discoveries = 0;
  /** Statistics equal to the last one. */
  #equal = 0;
  #last = Number.NaN;
  #smallestRate = 1;
  /** Each statistic starts the q value at the same index, which holds until the next. */
  readonly #stepStatistic: number[] = [];
  readonly #stepRate: number[] = [];

  /**
   * @param tested number of statistics that will be added
   * @param ranks ascending positions (0-based, weakest first) whose −log₁₀ p is wanted
   * @param statistic what `beyond` counts from; a threshold from permutations, for example
   */
  constructor(tested: number, ranks: readonly number[] = [], statistic: number = Number.POSITIVE_INFINITY) {
    this.#tested = tested;
    this.#statistic = statistic;
    this.#ranks = ranks;
    this.#negLog10P = new Float64Array(ranks.length);
    this.#bonferroniNegLog10 = tested === 0 ? Number.NaN : Math.log10(tested / ALPHA);
  }

  /** Adds χ²₁ statistics: finite, ascending, none smaller than those already added. */
  add(ascending: Float64Array): void {
    const tested = this.#tested;
    for (let i = 0; i < ascending.length; i++) {
      const statistic = ascending[i];
      const k = this.#count++;
      const p = chiSquareP(statistic);
      if (statistic >= this.#statistic) this.#beyond++;
      const negLog10P = negLog10OfP(statistic, p);
      // For an even number, the median is the mean of the middle two.
      if (k === (tested - 1) >> 1) this.#median += 0.5 * statistic;
      if (k === tested >> 1) this.#median += 0.5 * statistic;
      if (k === this.#ranks[this.#ranksFound]) this.#negLog10P[this.#ranksFound++] = negLog10P;
      // p decreases along the statistics: each threshold is the first p below its line.
      this.#hits = negLog10P >= this.#bonferroniNegLog10 ? this.#hits + 1 : 0;
      const rate = rawRate(k, tested, negLog10P);
      this.#equal = statistic === this.#last ? this.#equal + 1 : 1;
      this.#last = statistic;
      if (this.#fdr === null && !(rate > ALPHA)) {
        this.#fdr = p;
        this.#discoveries = tested - k + this.#equal - 1;
      }
      // q₍ᵢ₎ = min over j ≥ i of m·p₍ⱼ₎/j. Tests with equal p share the q of their best rank.
      if (rate < this.#smallestRate) {
        this.#smallestRate = rate;
        this.#stepStatistic.push(statistic);
        this.#stepRate.push(Math.max(rate, Number.MIN_VALUE));
      }
    }
  }

  /** @throws RangeError when the number of statistics added differs from the number announced */
  finish(): TestSummary {
    if (this.#count !== this.#tested) {
      throw new RangeError(`${this.#tested} statistics were announced and ${this.#count} came`);
    }
    const statistics = this.#stepStatistic;
    const rates = this.#stepRate;
    return {
      tested: this.#tested,
      lambdaGc: this.#tested === 0 ? Number.NaN : this.#median / CHI_SQUARE_MEDIAN,
      bonferroniNegLog10: this.#bonferroniNegLog10,
      hits: this.#hits,
      beyond: this.#beyond,
      fdr: this.#fdr,
      discoveries: this.#discoveries,
      negLog10P: this.#negLog10P,
      qOf: (statistic) => {
        if (!Number.isFinite(statistic)) return Number.NaN;
        const steps = stepsUpTo(statistics, statistic);
        return steps === 0 ? 1 : rates[steps - 1];
      },
    };
  }
}

/** m·p/rank of the k-th weakest of m tests, by logarithms so that small p do not underflow. */
function rawRate(k: number, tested: number, negLog10P: number): number {
  return 10 ** (Math.log10(tested / (tested - k)) - negLog10P);
}

/** Number of the ascending values that are at most `value`. */
function stepsUpTo(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
